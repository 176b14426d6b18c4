"""``tlsim review`` and the marks of ``tlsim replay`` on the command line."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

import tlsim
from tlsim.show.cells import fit, grid
from tlsim.terms import term


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    file = tmp_path_factory.mktemp("review") / "games.jsonl"
    records = tlsim.play("luckywin", games=2, match_length=2, policies="lowest,random,smart,smart", seed=3)
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return file


def test_the_command(run, games, monkeypatch):
    """The views that are promised, the same from standard input; other policies, one player, an error to be reached."""
    status, out, _ = run("review", games, "--games", 64, "--format", "json")
    page = json.loads(out)
    assert status == 0
    assert list(page["tables"]) == ["decisions", "players", "luck", "worst"]
    assert page["tables"]["players"] == tlsim.review(games, games=64).rows("players")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(games.read_bytes())))
    assert json.loads(run("review", "-", "--games", 64, "--format", "json")[1])["tables"] == page["tables"]
    asked = ("--games", 640, "--player", "P1", "--abs-error", "0.1", "--policies", "lowest", "--format", "json")
    one = json.loads(run("review", games, *asked)[1])
    assert {row["player"] for row in one["tables"]["decisions"]} == {"P1"}
    assert all(row["loss_error"] <= 0.1 for row in one["tables"]["decisions"])


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_the_sum_of_luck_and_skill_is_whole_on_a_narrow_screen(games, lang):
    shown = grid(tlsim.review(games, games=64).table_of("luck"), lang)
    fitted, parts = (
        fit(shown, 80),
        ("net", "luck_seat", "luck_hand", "luck_others", "luck_lost", "luck_rest", "adjusted"),
    )
    there = [shown.headings[at].text for at in fitted.columns]
    assert [term(part, lang) for part in parts if term(part, lang) not in there] == []


def test_of_one_game_no_figure_says_more_than_its_error(games):
    """What is left without the luck has no error over games, but that of what the hands are worth."""
    record = json.loads(games.read_text(encoding="utf-8").splitlines()[0])
    shown = grid(tlsim.review(record, games=64).table_of("luck"), "en")
    at = [heading.text for heading in shown.headings].index("less the luck")
    assert all(len(row[at].partition(".")[2]) <= 2 for row in shown.rows)


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_marks_stand_beside_the_plays(run, games, lang):
    """Each marked play of the second game has its mark in its own line, and no other line has one."""
    status, out, _ = run("replay", games, "--line", 2, "--review", "--lang", lang)
    assert status == 0
    record = json.loads(games.read_text(encoding="utf-8").splitlines()[1])
    said = tlsim.review(record).marks(lang)
    plays = [line for line in out.splitlines() if line.startswith(("   ", "  >"))]
    assert len(plays) == len(record["plays"])
    assert said
    for at, line in enumerate(plays):
        assert line.endswith(f"[{said[at]}]") if at in said else all(mark not in line for mark in said.values())
    plain = run("replay", games, "--line", 2, "--lang", lang)[1]
    assert [line.partition("  [")[0] for line in plain.splitlines()] == [
        line.partition("  [")[0] for line in out.splitlines()
    ]


def test_wrong_usage(run, games):
    for words, text in (
        (("replay", games, "--review", "--format", "jsonl"), "--format"),
        (("review", games, "--player", "An"), "P0"),
        (("review", games, "--games", 1), "32"),
        (("review", games, "--set", "cong.fine=2"), "--rules"),
        (("review", games.with_name("nowhere.txt")), "nowhere.txt"),
    ):
        status, _, err = run(*words)
        assert status == 2
        assert text in err
        assert "Traceback" not in err


def test_an_interrupt_shows_what_there_is(run, games, monkeypatch):
    """After some decisions; marked as partial, in JSON as well."""
    from tlsim.questions.review import Reviews

    looked, seen = Reviews.__call__, []

    def interrupted(self, block, stop=None):
        seen.append(block)
        if len(seen) > 4:
            raise KeyboardInterrupt
        return looked(self, block, stop)

    monkeypatch.setattr(Reviews, "__call__", interrupted)
    status, out, _ = run("review", games, "--games", 64, "--threads", 1, "--format", "json")
    assert status == 130
    assert json.loads(out)["complete"] is False
