"""``tlsim advise`` on the command line."""

import json

import tlsim


def test_the_command(run, tmp_path):
    """A hand in Vietnamese, a decision of a file, JSON with the columns that are promised."""
    hand = "3S 5D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H"
    status, out, _ = run(
        "advise", "--rules", "luckywin", "--hand", hand, "--so-far", "3 3D", "--games", "200", "--lang", "vi"
    )
    assert status == 0
    assert out.startswith(("nên ", "chưa phân biệt"))
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(tlsim.replay("luckywin", seed=7, match=0, game=0)))
    page = json.loads(run("advise", file, "--at", 4, "--games", 100, "--format", "json")[1])
    wanted = "cards mean std_error difference difference_error first cong sure leaves exact"
    assert list(page["tables"]["plays"][0]) == wanted.split()
    assert page["provenance"]["seat"] == 3
    for words, text in (((), "--hand"), ((file,), "--at"), ((file, "--at", 999), "999"),
                        ((file, "--at", 4, "--hand", hand), "--hand")):  # fmt: skip
        status, _, err = run("advise", *words)
        assert status in (1, 2)
        assert text in err
        assert "Traceback" not in err


def test_advice_that_stops_early_says_why_and_tells_losses_without_a_sign(run):
    """A straight of twelve cards is clearly best after 1,000 of the 8,000 deals; what is worse is told as how much."""
    words = ("advise", "--hand", "3S 4S 5S 6S 7S 8C 9C TD JH QH KH AS 2S", "--leader", "0", "--seat", "0")
    status, out, _ = run(*words, "--lang", "en")
    assert status == 0
    assert "stopped: the best play was clear" in out
    rows = json.loads(run(*words, "--format", "json")[1])["tables"]["plays"]
    assert all(row["difference"] <= 0 for row in rows)
    behind = f"{-rows[1]['difference']:.2f} ± {rows[1]['difference_error']:.2f}"
    assert f" {behind} " in out
    assert f"-{behind}" not in out
    assert "-0 " not in out  # of the best
