"""``tlsim odds --pattern``: how often a pattern comes up, in every way, and whether a claim is right."""

import json
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from small_lists import TINY

import tlsim
from tlsim.errors import UsageError
from tlsim.exact.table_counts import TableCounts
from tlsim.numerals import claim
from tlsim.questions.odds import ListOdds


@pytest.fixture
def tiny(tmp_path):
    file = tmp_path / "tiny.toml"
    text = TINY.replace("{spade}", "1").replace("{two}", "3").replace("hand_size = 1", "hand_size = 2")
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def rows(run, tiny):
    def call(*words, view="chances"):
        status, out, err = run("odds", "--rules", tiny, "--format", "json", "--lang", "en", *words)
        assert (status, err) == (0, "")
        return json.loads(out)["tables"][view]

    return call


def counted():
    """Return the shares of each pattern by kind and scope, from all deals of two cards to two players."""
    twos = set(range(48, 52))
    cases = {}
    for hand in combinations(range(52), 2):
        held = (0 in hand, bool(twos & set(hand)))
        cases.setdefault(held, []).append(set(hand))
    hands = comb(52, 2)
    found = {}
    pairs = [
        (one, two, sum(not (a & b) for a in cases[one] for b in cases[two])) for one in cases for two in cases
    ]  # fmt: skip
    deals = sum(n for *_, n in pairs)
    assert deals == comb(52, 2) * comb(50, 2)
    for at, ident in enumerate(("co_3_bich", "co_heo")):

        def strongest(held, at=at):
            return held[at] and not any(held[:at])

        for kind, has in (("holds", lambda held, at=at: held[at]), ("strongest", strongest)):
            one = Fraction(sum(len(cases[held]) for held in cases if has(held)), hands)
            some = Fraction(sum(n for a, b, n in pairs if has(a) or has(b)), deals)
            found |= {(ident, kind, "hand"): one, (ident, kind, "me"): one, (ident, kind, "anyone"): some}
        wins = sum(n for a, b, n in pairs if (strongest(a) or strongest(b)) and not (at and (a[0] or b[0])))
        found[ident, "strongest", "wins"] = Fraction(wins, deals)
    return found


def test_every_way_is_that_of_counting_all_deals(rows):
    found = rows("--pattern", "co_3_bich", "--pattern", "Có heo", "--evening", "3")
    expected = counted()
    assert {(row["pattern"], row["kind"], row["scope"]): row["probability"] for row in found} == {
        key: float(share) for key, share in expected.items()
    }
    for row in found:
        share = expected[row["pattern"], row["kind"], row["scope"]]
        assert row["one_in"] == row["expected_wait"] == float(1 / share)
        assert row["evening"] == float(1 - (1 - share) ** 3)


@pytest.mark.parametrize("words", [("--opening",), ("--holding", "3S"), ("--dead", "2H")])
def test_of_an_evening_of_which_few_games_are_such_nothing_is_said(rows, words):
    for row in rows("--pattern", "co_3_bich", *words):
        assert row["evening"] is None
        assert row["expected_wait"] == row["one_in"]


def test_a_claim_is_judged_exactly(rows):
    """3♠ is in one of 26 hands of two cards, and at a table of two in one of 13 games."""
    (row,) = rows("--pattern", "co_3_bich", "--claim", "1/130 ván", view="claim")
    assert (row["scope"], row["claimed"], row["exact"], row["ratio"]) == ("anyone", 1 / 130, 1 / 13, 10)
    assert row["verdict"] == "Có 3♠: 1 in 130 is 10 times too rare: in a game, anyone at the table it is held 1 in 13"
    (row,) = rows("--pattern", "co_3_bich", "--claim", "1/2 hand", view="claim")
    assert (row["scope"], row["ratio"]) == ("hand", float(Fraction(2, 26)))
    assert "1 in 2 is 13 times too common" in row["verdict"]
    (row,) = rows("--pattern", "co_3_bich", "--claim", "1 trong 13 ván", view="claim")
    assert row["ratio"] == 1
    assert "is exactly right" in row["verdict"]


def test_four_twos_at_a_table_of_four(run):
    """Somebody holds all four 2s in 44 of 4,165 deals: 4 · C(48, 9) / C(52, 13)."""
    status, out, _ = run("odds", "--pattern", "tu quy heo", "--claim", "1/1000 ván", "--lang", "vi")
    assert status == 0
    assert "Tứ quý 2: nói 1 trong 1.000 là quá hiếm, sai 10,6 lần: " in out
    odds = tlsim.exact_odds("doithuong", players=4).chances("tu_quy_2", claim="1/1000 ván")
    anyone = next(chance for chance in odds.found if (chance.kind, chance.scope) == ("holds", "anyone"))
    assert anyone.low == anyone.high == Fraction(44, 4165)
    assert odds.to_frame("claim")["ratio"].tolist() == [float(Fraction(44000, 4165))]


def test_known_cards_are_those_of_my_hand():
    odds = tlsim.exact_odds("doithuong", holding="2S 2C 2D").chances("tu_quy_2")
    held = {chance.scope: chance.low for chance in odds.found if chance.kind == "holds"}
    assert held == dict.fromkeys(("hand", "me", "anyone"), Fraction(10, 49))  # 2♥ is among ten of 49 cards


def test_bounds_stand_for_what_is_not_known(tiny):
    table = TableCounts(1000, (30, 50), ((0, 20), (5, 20)), ((950, 970), (30, 50), (0, 20)), ((10, 20), (30, 40)))
    object.__setattr__(odds := ListOdds(tiny).counted(), "table_source", lambda: table)
    object.__setattr__(odds, "alone", lambda _at: table)
    found = odds.chances("co_heo", claim="1/1000 ván")
    row = next(row for row in found.rows() if (row["kind"], row["scope"]) == ("strongest", "anyone"))
    assert (row["probability"], row["probability_low"], row["probability_high"]) == (None, 0.03, 0.04)
    (row,) = found.rows("claim")
    assert (row["exact"], row["ratio"]) == (None, None)
    assert "at least 30 times too rare" in row["verdict"]
    assert "cannot be judged" in odds.chances("co_heo", claim="4% ván").rows("claim")[0]["verdict"]


def test_with_deals_all_is_shown(rows, run, tiny):
    words = ("odds", "--rules", tiny, "--pattern", "co_heo", "--deals", "1000", "--format", "json")
    assert {"chances", "exact", "simulated"} <= set(json.loads(run(*words)[1])["tables"])
    assert {row["pattern"] for row in rows("--pattern", "co_heo")} == {"co_heo"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--claim", "1/1000"], "'1/1000 hand' (bài) or '1/1000 game' (ván)"),
        (["--claim", "1/1.000 ván"], "'1.000' may mean 1 or 1000"),
        (["--claim", "2/1 ván"], "at most 1"),
        (["--claim", "never ván"], "is no claim"),
        (["--pattern", "co_hoe"], "did you mean 'co_heo'?"),
        (["--evening", "0"], "--evening 0"),
        (["--seed", "3"], "--seed: --pattern is counted exactly; give --deals too"),
    ],
)
def test_what_is_refused(run, tiny, words, message):
    status, out, err = run("odds", "--rules", tiny, "--pattern", "co_heo", "--lang", "en", *words)
    assert (status, out) == (2, "")
    assert message in err


def test_without_a_pattern_there_is_nothing_to_claim(run, tiny):
    assert "give --pattern with it" in run("odds", "--rules", tiny, "--claim", "1/100 bài", "--lang", "en")[2]


@pytest.mark.parametrize(
    ("text", "share", "unit"),
    [
        ("1/1000 ván", Fraction(1, 1000), "game"), ("1 in 1000 hands", Fraction(1, 1000), "hand"),
        ("0,1% bài", Fraction(1, 1000), "hand"), ("0.001 game", Fraction(1, 1000), "game"),
        ("3/10M tay bài", Fraction(3, 10**7), "hand"), ("1 TRONG 2k VÁN", Fraction(1, 2000), "game"),
    ],
)  # fmt: skip
def test_claims_are_read_as_people_say_them(text, share, unit):
    assert claim(text) == (share, unit)


def test_names_of_ones_own(tiny):
    odds = tlsim.exact_odds(tiny)
    assert odds.chances("co 3 bich").found == odds.chances("co_3_bich").found
    with pytest.raises(UsageError, match="there is no pattern 'sanh_rong'; there are co_3_bich, co_heo"):
        odds.chances("sanh_rong")
