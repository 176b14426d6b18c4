"""The glossary."""

import unicodedata

import pytest

import tlsim
from tlsim import terms
from tlsim.cards import strip_marks
from tlsim.catalogue import LANGUAGES, language
from tlsim.engine.rule_numbers import REASONS
from tlsim.errors import UsageError
from tlsim.results.game_views import DIFFERENCES, GAME_VIEWS
from tlsim.rules import list_rules, load_rules

CHAPTERS = terms.chapters()

# DESIGN §4
DESIGN_IDS = [
    "sanh_rong", "sanh_rong_dong_hoa", "sau_doi", "nam_doi_thong", "sau_doi_thong", "ba_doi_thong_3_bich",
    "bon_doi_thong_3_bich", "bon_bo_ba", "ba_bo_ba_thong", "bon_bo_ba_thong", "hai_tu_quy", "ba_tu_quy",
    "tu_quy_2", "tu_quy_3", "muoi_hai_dong_chat", "muoi_hai_dong_mau", "nam_doi", "ba_bo_ba", "muoi_dong_mau",
    "ba_doi_thong_3", "sanh_rong_3_q",
]  # fmt: skip


def test_patterns_are_those_of_the_design():
    assert sorted(CHAPTERS["patterns"]) == sorted(DESIGN_IDS)


def test_every_preset_pattern_has_a_term():
    ids = {w.id for name in list_rules() for opening in (False, True) for w in load_rules(name).instant_wins(opening)}
    assert ids <= set(CHAPTERS["patterns"])


GROUPS = tuple(CHAPTERS.values())


@pytest.mark.parametrize("group", GROUPS)
def test_terms_are_composed_and_trimmed(group):
    for both in group.values():
        for text in both:
            assert text
            assert text == text.strip() or text.removesuffix(" ") in {"ít nhất", "at least"}  # before a number
            assert unicodedata.is_normalized("NFC", text)


def test_no_id_is_in_two_groups():
    assert len({key for group in GROUPS for key in group}) == sum(map(len, GROUPS))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_reason_and_title_has_a_name(lang):
    events = [row["event"] for row in tlsim.simulate("luckywin", games=12).rows("events")]
    names = [terms.event_name(event, lang) for event in events]
    names += [terms.reason_name(reason, lang) for reason in REASONS]
    assert len(events) == len(set(events))
    assert all(names)
    for name in list_rules():
        president = load_rules(name).president
        titles = dict(president.titles).values() if president else ()
        assert all(terms.term(title, lang) for each in titles for title in each)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_table_of_simulate_has_a_heading(lang):
    assert all(terms.term(view.heading, lang) for view in (*GAME_VIEWS, *DIFFERENCES))


@pytest.mark.parametrize("key", CHAPTERS["patterns"])
def test_a_pattern_is_found_by_every_form_of_its_term(key):
    named = {ident: both.vi for ident, both in CHAPTERS["patterns"].items()}
    for form in (key, *CHAPTERS["patterns"][key]):
        for text in (form, strip_marks(form), form.upper(), unicodedata.normalize("NFD", form), f"  {form} "):
            assert terms.find_pattern(text, named) == key


def test_an_unknown_pattern_names_the_nearest():
    with pytest.raises(UsageError, match=r"there is no pattern 'tứ quý hoe'; there are .*; did you mean "):
        terms.find_pattern("tứ quý hoe", {"tu_quy_2": "Tứ quý heo"})


def test_term_unknown():
    with pytest.raises(KeyError):
        terms.term("nothing", "vi")


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "vi_VN.UTF-8"}, "vi"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "vi_VN"}, "vi"),
        ({"LANG": "vi", "LC_ALL": ""}, "vi"),  # POSIX: an empty variable counts as not set
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "en_GB.UTF-8", "TLSIM_LANG": "vi"}, "vi"),
        ({}, "en"),
    ],
)
def test_language_by_the_locale(monkeypatch, variables, expected):
    for name in ("TLSIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language() == expected
    assert terms.term("pair", None) == {"vi": "đôi", "en": "pair"}[expected]


def test_language_unknown():
    with pytest.raises(UsageError, match="lang = 'fr': must be one of vi, en"):
        language("fr")
