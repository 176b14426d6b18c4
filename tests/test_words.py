"""The catalogues are whole: every sentence is there, in both languages, and nothing is said beside them."""

import ast
import io
import re
import string
import unicodedata
from pathlib import Path

import pytest
import words
from babel.messages.mofile import write_mo
from matplotlib.text import Text

import tlsim
from tlsim import catalogue, terms
from tlsim.catalogue import told
from tlsim.cli import COMMANDS, main
from tlsim.columns import Column, Table, View
from tlsim.errors import Fault, RulesError, UsageError, reason, unknown, wrong
from tlsim.records.model import RecordError, read_json, read_record
from tlsim.show import Asked, Page, rendered

SOURCE = Path(tlsim.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))


def _parts(message):
    """Return id and translation of a message, each as a tuple: one, and many where it counts."""
    return tuple((each,) if isinstance(each, str) else tuple(each or ()) for each in (message.id, message.string))


@pytest.fixture(scope="module")
def vietnamese():
    return {_parts(message)[0]: message for message in words.translated() if message.id}


def test_no_sentence_is_missing_or_left_over(vietnamese):
    fresh = {_parts(message)[0] for message in words.collected() if message.id}
    assert fresh - set(vietnamese) == set(), "run 'make words', and translate"
    assert set(vietnamese) - fresh == set(), "run 'make words'"
    assert not words.translated().obsolete


def test_every_sentence_is_translated_with_what_stands_in_it(vietnamese):
    for message in vietnamese.values():
        ids, texts = _parts(message)
        assert all(texts), ids
        assert not message.fuzzy, ids
        for text in texts:
            assert words.places(text) in [words.places(each) for each in ids], ids
            assert unicodedata.is_normalized("NFC", text), ids
            assert [text[:1].isspace(), text[-1:].isspace()] == [ids[0][:1].isspace(), ids[0][-1:].isspace()], ids
            assert text.count("\n\n") == ids[-1].count("\n\n"), ids


def test_the_compiled_catalogue_is_that_of_the_text():
    compiled = io.BytesIO()
    write_mo(compiled, words.translated())
    assert compiled.getvalue() == words.PO.with_suffix(".mo").read_bytes(), "run 'make words'"


def test_sentences_of_click_that_a_person_can_meet_are_known():
    known = {text for each in words.CLICK for text in ([each] if isinstance(each, str) else each)}
    assert words.of_click() <= known


_SAID = (
    "UsageError",
    "CardError",
    "RunError",
    "StoreError",
    "TlsimError",
    "wrong",
    "Fault",
    "placed",
    "broken",
    "Sentence",
)


def test_no_sentence_is_made_where_nobody_can_collect_it():
    """A text that is put together before it is said has no translation."""
    found = []
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if name in _SAID and len(node.args) > words.KEYWORDS[name]:
                text = node.args[words.KEYWORDS[name]]
                if isinstance(text, ast.JoinedStr | ast.BinOp):
                    found.append(f"{file}:{node.lineno}: {ast.unparse(text)}")
    assert not found


def _marked(text):
    """Return a sentence in the language of these tests: all that is ours is marked, what is filled in is not."""
    parts = []
    for plain, name, form, how in string.Formatter().parse(text):
        said = plain.replace("{", "{{").replace("}", "}}")
        parts.append(f"⟦{said}⟧" if said.strip() else said)
        if name is not None:
            parts.append("{" + name + (f"!{how}" if how else "") + (f":{form}" if form else "") + "}")
    return "".join(parts)


class _Term(terms.Term):
    @property
    def xx(self):
        return _marked(self.en)


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """Write the catalogue of a language that marks every sentence; return its folder, and the terms that it marks."""
    found = words.collected()
    for message in found:
        if message.id:
            ids = _parts(message)[0]
            texts = [_marked(text) if re.search(r"\{\w", text) else f"⟦{text}⟧" for text in ids]
            message.string = texts[0] if isinstance(message.id, str) else (texts[-1],)
    found.locale = "vi"  # one form, whatever the number
    folder = tmp_path_factory.mktemp("marks")
    (folder / "xx" / "LC_MESSAGES").mkdir(parents=True)
    with (folder / "xx" / "LC_MESSAGES" / "tlsim.mo").open("wb") as file:
        write_mo(file, found)
    return folder, {key: _Term(*both) for chapter in terms.chapters().values() for key, both in chapter.items()}


@pytest.fixture
def marked(marks, monkeypatch):
    """Speak a language that marks every sentence and every term; users are not offered it."""
    folder, glossary = marks
    monkeypatch.setattr(catalogue, "LANGUAGES", ("vi", "en", "xx"))
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    monkeypatch.setattr(catalogue, "_separators", lambda _: {})
    monkeypatch.setattr(terms, "_terms", lambda: glossary)
    monkeypatch.setenv("TLSIM_LANG", "xx")
    catalogue._catalogue.cache_clear()
    yield
    catalogue._catalogue.cache_clear()


_WORDS = re.compile(r"(?<![\w'.\[<-])[^\W\d_]{3,}(?: [^\W\d_]{2,}){1,}(?![\w'=])")
_QUOTED = re.compile(r"\btlsim( [a-z]+){0,2}|'[^'\n]*'|\"[^\"\n]*\"|<[^>\n]*>")


def unmarked(text):
    """Return the words of a text that nobody marked: two or more in a row outside the marks and quotation marks.

    >>> unmarked("⟦players⟧ = 9: ⟦must be ⟧from two to many"), unmarked("⟦no such rule set ⟧'doi thuong'")
    (['from two to many'], [])
    """
    depth, outside = 0, []
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        outside.append(sign if depth == 0 and sign != "⟧" else "\0")
    return _WORDS.findall(_QUOTED.sub("", "".join(outside)))


def test_the_search_finds_what_is_not_marked():
    assert unmarked("⟦players⟧ = 9: ⟦must be ⟧from two to many")
    assert not unmarked("⟦no such rule set ⟧'doi thuong'⟦; it has ⟧zing, luckywin")


@pytest.fixture
def said(marked, capfd):  # noqa: ARG001 (in that language)
    """Run a command in that language; return all that it printed."""

    def call(*arguments):
        main([str(word) for word in arguments])
        captured = capfd.readouterr()
        return captured.out + captured.err

    return call


@pytest.mark.parametrize("name", ["", *COMMANDS, "rules list", "rules show", "rules check", "rules diff", "runs list",
                                  "runs show", "runs export", "runs merge"])  # fmt: skip
def test_help_is_whole(said, name):
    text = said(*name.split(), "--help")
    assert "⟦Usage:⟧" in text
    assert unmarked(text) == [], text


def test_help_keeps_no_language_of_an_earlier_call(capfd):
    """click makes ``--help`` once, in the language of its first call."""
    for lang in ("vi", "en", "vi"):
        main(["completion", "--help", "--lang", lang])
        assert ("Show this message and exit." in capfd.readouterr().out) == (lang == "en")


WRONG = [
    "", "odd", "odds --nope", "odds extra", "odds --deals", "odds --deals 2,5M", "odds --deals 1.500", "odds --deals x",
    "odds --deals 1e18", "odds --deals -5", "odds --players 9", "odds --lang fr", "odds --format xml",
    "odds --plot x.doc", "odds --plot no/x.png", "odds --out .", "odds --rules dotuong", "odds --rules no.toml",
    "odds --set x", "odds --set cong.fin=2", "odds --set cong.fine=x", "odds --set toi_trang.declare='sometimes'",
    "odds --holding 3S3S", "odds --holding xx", "odds --holding 3S --dead 3S", "odds --seed x", "odds --threads 0",
    "odds --max-time soon", "odds --rel-error x", "odds --rel-error 99%", "odds --shard 5/4", "odds --label x",
    "odds --dask tcp://x:1 --executor threads", "odds --of nothing --rel-error 1%", "hand 3S", "hand tu_quy_2",
    "hand 3S --stake x", "simulate --policies clever", "simulate --policies smart,smart,smart",
    "simulate --hand 0", "simulate --hand 9:3S", "simulate --match-length 0", "simulate --rotate", "replay",
    "replay --match 0", "replay no.txt", "settle no.txt", "settle no.txt --set a=1", "fair --games 0 --seed 1",
    "fair --cap 5", "fair --rake 200%", "fair --plot-view seats", "rules", "rules show nope", "rules check nope.toml",
    "runs list no.db", "runs merge a.db", "runs export a.db --format parquet",
]  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_errors_are_whole(said, line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    text = said(*line.split())
    assert "⟦" in text
    assert unmarked(text) == [], text


RULE_FILES = {
    "": b"", "utf-16": "name".encode("utf-16"), "zero": b"a\0b", "no toml": b"a b", "twice": b"a = 1\na = 2",
    "unknown key": b'extends = "zing"\nnam = 1', "missing": b'name = "x"', "no preset": b'extends = "zin"\nname = "x"',
    "kinds": b'extends = "zing"\nname = 1\nlabel = 3\n[deal]\nmin_players = "2"\nhand_size = 77\n[turn]\n'
             b'pass_locks = 3',
    "set": b'extends = "zing"\nname = "x"\nset."cong.fin" = 2\nset."turn.direction" = "up"',
    "added": b'extends = "zing"\nname = "x"\n[[toi_trang.add]]\nid = "x y"\npays = -1\nall_of = []',
    "pattern": b'extends = "zing"\nname = "x"\n[[toi_trang.add]]\nid = "mot"\nabove = "no"\npays = 1\n'
               b'all_of = [{kind = "groups", size = 2, count = 9}]',
    "lists": b'extends = "zing"\nname = "x"\n[toi_trang]\nremove = ["no"]\nadd = 3',
}  # fmt: skip


@pytest.mark.parametrize("name", RULE_FILES)
def test_faults_of_rule_files_are_whole(said, name, tmp_path):
    file = tmp_path / "x.toml"
    file.write_bytes(RULE_FILES[name])
    text = said("rules", "check", file)
    assert "⟦" in text
    assert unmarked(text.replace(str(file), "")) == [], text


def test_clauses_that_cannot_matter_are_told_in_words(said):
    assert unmarked(said("rules", "check", *tlsim.list_rules())) == []


@pytest.mark.parametrize(
    "value",
    [1, {}, {"format": "x"}, {"format": "tlsim-game/1", "rules": 1, "players": 9, "hands": [["3S", "3S"], 3],
      "calls": {}},
     {"format": "tlsim-game/1", "plays": [{"seat": 9, "cards": "3S", "why": 1}], "net": [0.3], "leader": -1}],
)  # fmt: skip
@pytest.mark.usefixtures("marked")
def test_faults_of_records_are_whole(value):
    with pytest.raises(RecordError) as error:
        read_record(value)
    assert unmarked(re.sub(r"(Input should be|Field required).*", "", told(error.value))) == [], told(error.value)


@pytest.mark.parametrize(
    "line", [b"{", b'{"a": 1, "a": 2}', b"\xff", b"[NaN]", b"1e999", b"\0", b"9" * 5000, b'{"a" 1}']
)
@pytest.mark.usefixtures("marked")
def test_lines_that_are_no_record_are_told_in_words(line):
    with pytest.raises(RecordError) as error:
        read_json(line, "x:1")
    assert unmarked(told(error.value)) == [], told(error.value)


@pytest.mark.usefixtures("marked")
def test_what_stands_around_a_table_is_whole():
    seats = View("seats", (Column("seat", "index", "seat_word"), Column("mean", "money", leave=1),
                           *(Column(key, "count", leave=2) for key in ("games", "deals", "matches", "wanted"))),
                 "view_seats")  # fmt: skip
    roles = View("roles", (Column("role", "index"), Column("mean", "money")), "view_roles", first=False)
    row = dict.fromkeys(("seat", "role", "mean", "games", "deals", "matches", "wanted"), 1_000_000)
    page = Page(
        "simulate", {"rules": "zing", "seed": 7, "games": 10}, [Table(seats, [row]), Table(roles, [row])], False
    )
    text = rendered(page, Asked(), 40)
    assert "--wide" in text
    assert "--view" in text
    assert unmarked(text) == [], text
    assert unmarked(rendered(page, Asked(format="markdown"))) == []


@pytest.mark.usefixtures("marked")
def test_bars_and_pictures_are_in_words():
    from tlsim import plotting
    from tlsim.warm import _bar

    with _bar(3) as tell:
        tell("hall", 0)
    odds = tlsim.estimate_odds("tong_thong", deals=1000, seed=1)
    games = tlsim.simulate("tong_thong", games=48, policies="smart", seed=1)
    drawn = [result.plot(plotting.new_axes(), view=view, lang="xx") for result in (odds, games)
             for view in result.PICTURES if view in result.views]  # fmt: skip
    for ax in drawn:
        said = [text.get_text() for text in ax.figure.findobj(Text)]
        assert any("⟦" in text for text in said)
        assert [found for text in said for found in unmarked(text)] == []


@pytest.mark.usefixtures("marked")
def test_an_error_keeps_its_english():
    error = unknown("lang", "fr", ["vi", "en"])
    assert str(error) == "lang = 'fr': must be one of vi, en"
    assert told(error) == "lang⟦ = ⟧'fr'⟦: ⟧⟦must be one of ⟧vi, en"
    assert str(wrong("n", 1, "must be 0 to {most:,}", most=10**6)) == "n = 1: must be 0 to 1,000,000"
    assert told(wrong("n", 1, "must be a number from 0 to {most:,}", most=10**6), "vi") is not None
    assert str(reason(UsageError("no"))) == "no"


@pytest.mark.usefixtures("marked")
def test_what_stands_in_a_sentence_is_said_too():
    fault = RulesError("x.toml", [Fault("name", None, "must not be empty"), Fault("", 10**5000, "must be a number")])
    assert unmarked(told(fault)) == []
    assert str(fault).startswith("x.toml: name: must not be empty\nx.toml: (whole file) = ")


def test_numbers_in_sentences_are_in_the_way_of_the_language():
    error = wrong("deals", 0, "must be a whole number from {least} to {most:,}", least=1, most=10**12)
    assert told(error, "en").endswith("from 1 to 1,000,000,000,000")
    assert told(error, "vi").endswith("từ 1 đến 1.000.000.000.000")


LANGUAGES = [
    (["--lang", "vi"], {}, "vi"), (["--lang=vi"], {}, "vi"), ([], {"TLSIM_LANG": "vi"}, "vi"),
    ([], {"LC_ALL": "vi_VN.UTF-8"}, "vi"), ([], {"LC_ALL": "", "LANG": "vi_VN.UTF-8"}, "vi"),
    ([], {"LC_ALL": "C"}, "en"), ([], {"LC_ALL": "POSIX"}, "en"),
    ([], {"LC_ALL": "", "LC_MESSAGES": "", "LANG": ""}, "en"),
    (["--lang", "en"], {"TLSIM_LANG": "vi"}, "en"), ([], {"TLSIM_LANG": "en", "LC_ALL": "vi_VN.UTF-8"}, "en"),
]  # fmt: skip


@pytest.mark.parametrize("name", ["odds", "hand", "simulate", "play", "replay", "settle", "fair", "rules", "runs",
                                  "bench", "rules list", "rules check", "runs merge"])  # fmt: skip
@pytest.mark.parametrize(("words", "variables", "lang"), LANGUAGES)
def test_every_command_speaks_the_language_that_is_asked_for(capfd, monkeypatch, name, words, variables, lang):
    monkeypatch.delenv("TLSIM_LANG", raising=False)
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    orders = [[*words, *name.split()], [*name.split(), *words], [*name.split()[:1], *words, *name.split()[1:]]]
    for order in orders:
        main([*order, "--help"])
        out = capfd.readouterr().out
        assert ("Cách dùng:" in out, "Usage:" in out) == (lang == "vi", lang == "en")
