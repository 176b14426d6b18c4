"""The commands about whole games."""

import json
import subprocess
import sys

import tlsim


def test_simulate_json(run):
    status, out, _ = run("simulate", "--rules", "luckywin", "--games", "1200", "--seed", "5", "--format", "json")
    document = json.loads(out)
    assert status == 0
    assert document["command"] == "simulate"
    assert document["complete"] is True
    assert set(document["tables"]) == {
        "seats", "roles", "events", "toi_trang", "reasons", "flows", "distribution", "length", "extremes",
    }  # fmt: skip
    stats = tlsim.simulate("luckywin", games=1200, seed=5)
    assert [row["mean"] for row in document["tables"]["seats"]] == [row["mean"] for row in stats.rows("seats")]
    assert document["provenance"]["games"] == 1200


def test_simulate_for_people(run):
    status, out, _ = run("simulate", "--games", "120", "--stake", "5000", "--lang", "en")
    assert status == 0
    assert "mean × 5,000" in out
    assert "Money by reason" in out
    assert "seed 0" in out


def test_play_then_settle(run, tmp_path):
    status, out, _ = run("play", "--rules", "hue", "--games", "12", "--seed", "3")
    assert status == 0
    assert len(out.splitlines()) == 12
    file = tmp_path / "games.jsonl"
    file.write_text(out, encoding="utf-8")
    status, out, err = run("settle", str(file), "--stake", "5000", "--format", "json")
    assert (status, err) == (0, "")
    tables = json.loads(out)["tables"]
    records = tlsim.play("hue", games=12, seed=3)
    assert [row["net"] for row in tables["scores"]] == [sum(r["net"][seat] for r in records) for seat in range(4)]
    assert [row["net × 5,000"] for row in tables["scores"]] == [5000 * row["net"] for row in tables["scores"]]


def test_settle_names_the_faulty_line_and_keeps_the_rest(run, tmp_path):
    lines = [json.dumps(record) for record in tlsim.play("luckywin", games=12, seed=3)]
    bad = json.loads(lines[4])
    bad["plays"][0]["cards"] = []
    lines[4] = json.dumps(bad)
    lines[7] = lines[7][:100]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    status, out, err = run("settle", str(file), "--format", "json")
    assert status == 1
    assert "games.jsonl:5: plays[0]" in err
    assert "games.jsonl:8: no JSON" in err
    assert len(json.loads(out)["tables"]["games"]) == 10


def test_games_of_a_match_must_follow_one_another(run, tmp_path):
    records = tlsim.play("luckywin", games=12, seed=3)
    at = next(n for n in range(1, 12) if not records[n]["opening"])
    skipped = records[at] | {"leader": records[at]["leader"]}
    file = tmp_path / "games.jsonl"
    before = records[at - 1]
    turned = {key: value for key, value in skipped.items() if key not in ("net", "places", "transfers")}
    turned["direction"] = -1
    file.write_text(f"{json.dumps(before)}\n{json.dumps(turned)}\n", encoding="utf-8")
    status, _, err = run("settle", str(file))
    assert status == 1
    assert "plays[1]" in err or "direction = -1" in err


def test_replay_is_a_game_to_read(run):
    status, out, _ = run("replay", "--rules", "luckywin", "--seed", "3", "--match", "0", "--game", "2", "--lang", "en")
    assert status == 0
    record = tlsim.replay("luckywin", seed=3, match=0, game=2)
    assert "♠" in out
    assert out.count("passes") == sum(not play["cards"] for play in record["plays"])
    status, out, _ = run(
        "replay", "--rules", "luckywin", "--seed", "3", "--match", "0", "--game", "2", "--format", "jsonl"
    )
    assert json.loads(out) == record


def test_wrong_words_are_usage_errors(run):
    for words in (
        ["replay", "--match", "0", "--game", "99"],
        ["play", "--policies", "clever"],
        ["settle", "no-such-file"],
    ):
        status, _, err = run(*words)
        assert status == 2
        assert err


def test_play_writes_game_by_game(run, tmp_path):
    """Records come as they are played, to a file too; a closed pipe ends it at once with its own status."""
    file = tmp_path / "games.jsonl"
    status, out, _ = run("play", "--rules", "luckywin", "--games", "24", "--out", str(file))
    assert (status, out) == (0, "")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 24
    command = [sys.executable, "-m", "tlsim", "play", "--rules", "luckywin", "--games", "1e6"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert json.loads(process.stdout.readline())["source"]["game"] == 0
        process.stdout.close()
        assert process.wait(timeout=60) == 141


def test_given_cards_on_the_command_line(run, tmp_path):
    words = ["simulate", "--rules", "luckywin", "--games", "60", "--policies", "smart", "--format", "json"]
    status, out, _ = run(*words, "--hand", "0:tu_quy_2", "--hand", "2:3S 3C", "--leader", "1")
    document = json.loads(out)
    assert status == 0
    assert document["provenance"]["given"] == "2: 3S 3C; 0: tu_quy_2; seat 1 leads"
    assert document["tables"]["events"][2]["event"] == "cong_table"
    file = tmp_path / "deals.jsonl"
    file.write_text("[" * 100_000, encoding="utf-8")
    status, _, err = run(*words, "--deal", str(file))
    assert status == 1
    assert "nested too deeply" in err
    for wrong in (["--hand", "0"], ["--hand", "x:3S"], ["--hand", "0:3S", "--hand", "0:4S"], ["--leader", "1e30"]):
        status, _, err = run(*words, *wrong)
        assert status == 2
        assert err
    status, _, err = run("replay", "--match", "1e30", "--game", "1")
    assert status == 2
    assert "must be a number from 0 to" in err
