"""``tlsim hand --ev`` and ``tlsim simulate --precise``."""

import csv
import io
import json

import pytest

import tlsim

DRAGON = "3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H"
SAM = "2S 2C 2H AS AC 9D 9S 9H 5S 5H"
EV = ["--ev", "--games", "200", "--policies", "lowest", "--seed", "3"]


def plain(rows):
    return json.loads(json.dumps(rows))


def test_json_has_what_the_function_gives(run):
    status, out, err = run("hand", DRAGON, *EV, "--format", "json")
    document, value = json.loads(out), tlsim.hand_value(DRAGON, "doithuong", games=200, policies="lowest", seed=3)
    assert (status, err, document["complete"]) == (0, "", True)
    assert list(document["tables"]) == ["held", "groups", "value", "declare", "sam"]
    assert document["tables"]["value"] == plain(value.rows())
    assert document["tables"]["declare"] == plain(value.rows("declare"))
    assert document["tables"]["sam"] == []
    assert document["provenance"]["policies"] == "lowest,lowest,lowest,lowest"
    assert document["provenance"]["games"] == 200


def test_csv_has_one_header(run):
    out = run("hand", SAM, *EV, "--rules", "sam_loc", "--distance", "2", "--format", "csv")[1]
    rows = [row for row in csv.DictReader(io.StringIO(out)) if row["view"] == "sam"]
    (expected,) = tlsim.hand_value(SAM, "sam_loc", games=200, policies="lowest", seed=3, distance=2).rows("sam")
    assert len(rows) == 1
    assert float(rows[0]["success"]) == expected["success"]
    assert rows[0]["distance"] == "2"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        (
            "en",
            ("What the hand is worth", "Declare, or play on", "leads", "all distances", "play on: leads (", "× 5,000"),
        ),
        (
            "vi",
            ("Tay bài đáng giá bao nhiêu", "Báo tới trắng hay đánh tiếp", "đi đầu", "đánh tiếp khi đi đầu"),
        ),
    ],
)
def test_for_people(run, lang, words):
    status, out, _ = run("hand", DRAGON, *EV, "--lang", lang, "--stake", "5000")
    assert status == 0
    assert all(word in out for word in words)


def test_markdown_of_calls(run):
    out = run("hand", SAM, *EV, "--rules", "sam_loc", "--format", "markdown", "--lang", "en")[1]
    assert "### Call Sâm or not" in out
    assert "| after the leader | call stands | success |" in out
    row = out[out.index("### Call Sâm or not") :].splitlines()[4].split("|")
    assert row[1].strip() == "leads"
    assert row[2].strip().endswith("%")


def test_a_pattern_and_the_whole_list(run):
    out = run("hand", "tu_quy_2", *EV, "--distance", "1", "--format", "json")[1]
    tables = json.loads(out)["tables"]
    assert list(tables) == ["value", "declare", "sam"]
    assert [row["distance"] for row in tables["declare"]] == [1]
    worth = tlsim.worth_of_declaring("doithuong", games=200, policies="lowest", seed=3)
    out = run("hand", "toi_trang", *EV, "--format", "json")[1]
    assert json.loads(out)["tables"] == {view: plain(worth.rows(view)) for view in ("patterns", "distances", "total")}
    out = run("hand", "toi_trang", *EV, "--lang", "en")[1]
    assert "The whole list, per 1,000 hands dealt" in out
    assert all(sentence in out for sentence in worth.verdicts("en"))


def test_other_rules_and_stakes(run):
    words = ["hand", "toi_trang", *EV, "--set", "toi_trang.declare=automatic"]
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert "no choice" in err
    out = run("hand", DRAGON, *EV, "--set", "toi_trang.declare=automatic", "--format", "json", "--stake", "100")[1]
    tables = json.loads(out)["tables"]
    assert tables["declare"] == []
    assert tables["value"][0]["mean × 100"] == 100 * tables["value"][0]["mean"]


def test_dead_cards_and_opening(run):
    asked = ["--rules", "sam_loc", "--players", "3", "--out-of-play", "2D", "--opening", "--format", "json"]
    words = ["hand", SAM, *EV, *asked]
    document = json.loads(run(*words)[1])
    assert document["provenance"]["out_of_play"] == "2D"
    assert [row["which"] for row in document["tables"]["value"]] == ["opening"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([DRAGON, "--games", "5"], "--games is for games with the hand: add --ev"),
        ([DRAGON, "--dead", "3S"], "--dead is for games"),
        ([DRAGON, "--ev", "--rules", "all"], "--ev plays by one rule set"),
        ([DRAGON, "--ev", "--out-of-play", "3C"], "no card can be out of play"),
        ([DRAGON, "--ev", "--distance", "7"], "--distance 7: must be 0"),
        (["3S 3C", "--ev"], "cards"),
        (["tu_quy_7", "--ev"], "did you mean 'tu_quy_2'"),
        (["toi_trang", "--ev", "--dead", "3C"], "ask about one pattern"),
        (["toi_trang", "--ev", "--plot", "x.png"], "--plot draws the worth of one hand"),
        (["toi_trang", "--ev", "--rules", "tong_thong"], "tong_thong has no tới trắng"),
    ],
)
def test_clear_messages(run, words, said):
    status, out, err = run("hand", *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_picture(run, tmp_path):
    file = tmp_path / "hand.svg"
    assert run("hand", DRAGON, *EV, "--plot", file, "--out", tmp_path / "hand.txt")[0] == 0
    assert file.read_text(encoding="utf-8").startswith("<?xml")
    assert "What the hand is worth" in (tmp_path / "hand.txt").read_text(encoding="utf-8")


PRECISE = ["simulate", "--rules", "luckywin", "--games", "24000", "--policies", "lowest", "--seed", "3", "--precise"]


def test_precise_means(run):
    found = tlsim.mean_money("luckywin", games=24_000, policies="lowest", seed=3)
    document = json.loads(run(*PRECISE, "--format", "json")[1])
    assert document["tables"] == {"precise": plain(found.rows())}
    assert document["provenance"]["games"] == 24_000
    out = run(*PRECISE, "--lang", "en", "--stake", "5000")[1]
    assert "Money per game, less the luck of the deal" in out
    assert "their means are exact" in out
    assert "× 5,000" in out
    few = [word if word != "24000" else "240" for word in PRECISE]
    assert "these are plain means" in run(*few, "--rotate", "--lang", "en")[1]
    rows = json.loads(run(*few, "--stake", "100", "--format", "json")[1])["tables"]["precise"]
    assert rows[0]["mean × 100"] == 100 * rows[0]["mean"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--precise", "--leader", "0"], "--leader: --precise is about free deals"),
        (["--precise", "--hand", "0:3S"], "--hand: --precise is about free deals"),
        (["--precise", "--against-policies", "smart"], "--against-…: --precise"),
        (["--precise", "--plot", "x.png"], "--plot: --precise"),
        (["--rotate"], "seats are rotated with --precise"),
        (["--precise", "--rules", "tong_thong", "--players", "5"], "hands of one size"),
    ],
)
def test_what_precise_is_not_for(run, words, said):
    status, out, err = run("simulate", "--games", "120", *words)
    assert (status, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tu_quy_2"], "'tu_quy_2' is no hand: add --ev to ask what such hands are worth, or write cards"),
        (["toi_trang"], "'toi_trang' is no hand: add --ev to ask what such hands are worth, or write cards"),
        (["toi_trang", "--ev", "--plot", "x.png"], "name one, or leave --plot out"),
    ],
)
def test_the_next_step_is_named(run, words, said):
    status, _, err = run("hand", *words)
    assert (status, said in err) == (2, True)


def test_what_is_declared_is_said(run):
    """A dragon that leads always wins: no game says what losing costs, so there is no interval."""
    words = [*EV, "--distance", "0", "--lang", "en"]
    out = run("hand", DRAGON, *words)[1]
    assert "the first table is of declaring the hand" in out
    assert "no interval: all games went alike" in out
    assert "declaring the hand" not in run("hand", "3S 4D 5H 6C 7H 8D 9D 10S JH QS KC 3C 4H", *words)[1]


def test_tong_thong_says_that_nothing_is_exchanged(run):
    hand = "3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS 2S"
    assert "no exchange of cards" in run("hand", hand, *EV, "--rules", "tong_thong", "--lang", "en")[1]
