"""The flags of a long run beside a second run, and on `simulate --precise`, `hand --ev` and `fair`."""

import json
import signal

import pytest
from programs import started

import tlsim
from tlsim.fairness.plays import parts_of
from tlsim.fairness.views import PLAYED_VIEWS
from tlsim.questions.kept import list_runs

GAMES = ("simulate", "--rules", "luckywin", "--policies", "lowest", "--games", "30000", "--seed", "4", "--format",
         "json")  # fmt: skip
HAND = ("hand", "tu_quy_2", "--ev", "--games", "3000", "--policies", "lowest", "--distance", "1", "--format", "json")
LIST = ("hand", "toi_trang", "--ev", "--games", "600", "--policies", "lowest", "--distance", "0", "--format", "json")
PRECISE = ("simulate", "--rules", "luckywin", "--games", "48000", "--seed", "4", "--policies", "lowest", "--precise",
           "--format", "json")  # fmt: skip
FAIR = ("fair", "--rules", "luckywin", "--games", "1200", "--policies", "lowest", "--seed", "3", "--format", "json")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "runs.db"


def tables(answer):
    status, out, err = answer
    assert status == 0
    assert err == "" or err.startswith("computing the law of the table")  # where it is not kept yet it takes long
    return json.loads(out)["tables"]


def labels(file):
    return [row["label"] for row in list_runs(file)]


# A run, and another over the same deals


def test_runs_against_which_others_are_compared_are_named_after_the_difference(run, file):
    random, clause = ("--against-policies", "random"), ("--against-set", "cong.fine=20")
    plain = [tables(run(*GAMES, *against)) for against in (random, clause)]
    for _ in range(2):
        for against, wanted in zip((random, clause), plain, strict=True):
            assert tables(run(*GAMES, *against, "--store", file)) == wanted
    assert labels(file) == [
        "simulate luckywin", "simulate luckywin, against cong.fine=20", "simulate luckywin, against random",
    ]  # fmt: skip
    run(*GAMES, *random, "--store", file, "--label", "night")
    assert labels(file)[:2] == ["night", "night, against random"]
    status, out, err = run(*GAMES, *random, "--store", file, "--seed", "5")
    assert (status, out) == (2, "")
    assert "another run under the label 'simulate luckywin': seed is 4 there and 5 here" in err
    assert "choose another label" in err


def test_two_differences_under_one_name_are_refused(run, file, tmp_path):
    """The name of a rule file may stay the same where its clauses do not."""
    rules = tmp_path / "house.toml"
    words = ("simulate", "--games", "1200", "--rules", rules, "--against-policies", "random", "--store", file)
    rules.write_text('extends = "luckywin"\n', encoding="utf-8")
    assert run(*words, "--label", "x")[0] == 0
    rules.write_text('extends = "luckywin"\nset."cong.fine" = 21\n', encoding="utf-8")
    status, _, err = run(*words, "--label", "x")
    assert (status, "label 'x': rules.cong.fine is 2.0 there and 21.0 here" in err) == (2, True)


def test_a_stored_run_of_more_games_is_compared_over_those_of_the_first(run, file):
    """First many of both, then to a target: the second run gives just the deals of the first."""
    against, target = ("--against-policies", "random"), ("--abs-error", "0.05", "--at-least", "1")
    plain = tables(run(*GAMES, *against, *target))
    run(*GAMES, *against, "--store", file)
    assert tables(run(*GAMES, *against, *target, "--store", file)) == plain


def test_shards_of_two_runs(run, tmp_path):
    against = ("--against-policies", "random")
    whole = tables(run(*GAMES, *against))
    files = [tmp_path / "1.db", tmp_path / "2.db"]
    for number, each in enumerate(files):
        part = tables(run(*GAMES, *against, "--store", each, "--shard", f"{number + 1}/2"))
        assert not [view for view in part if view.startswith("difference")]
    words = [word for word in GAMES if word not in {"--format", "json"}]
    out = run(*words, *against, "--lang", "en", "--store", files[0], "--shard", "1/2")[1]
    assert "differences take all shards: put the stores together by 'tlsim runs merge'" in " ".join(out.split())
    assert run("runs", "merge", *files)[0] == 0
    assert tables(run(*GAMES, *against, "--store", files[0])) == whole


# Means, hands, prices


KEPT = {"money": PRECISE, "hand": HAND, "declare": LIST, "fair": FAIR}


@pytest.mark.parametrize("command", KEPT)
def test_what_a_command_keeps_it_shows_again(run, file, command):
    """That any executor and any store give the same numbers is the contract of questions and of the engine."""
    words = KEPT[command]
    plain = tables(run(*words))
    assert tables(run(*words, "--store", file)) == plain
    document = json.loads(run(*words, "--store", file)[1])
    assert (document["tables"], document["provenance"]["stopped"]) == (plain, "stored")
    assert {row["command"] for row in list_runs(file)} == {command}
    shown = [json.loads(run("runs", "show", file, label, "--format", "json")[1]) for label in labels(file)]
    assert all(each["complete"] and each["tables"] for each in shown)
    if command in {"money", "hand"}:
        assert shown[0]["tables"] == plain
        assert labels(file) == ["money luckywin" if command == "money" else "hand doithuong, tu_quy_2"]
    status, out, _ = run("runs", "export", file, labels(file)[0], "--format", "csv")
    assert (status, out.count("\n") > 1) == (0, True)


def test_processes_do_the_same(run):
    assert tables(run(*HAND, "--executor", "processes", "--threads", "2")) == tables(run(*HAND))


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (PRECISE, ("--abs-error", "0.03", "--of", "seat_1")), (LIST, ("--abs-error", "3")),
    ],
)  # fmt: skip
def test_targets(run, words, target):
    many = [word if word not in {"48000", "3000", "600"} else "1e8" for word in words]
    status, out, _ = run(*many, *target)
    document = json.loads(out)
    assert (status, document["complete"], document["provenance"]["stopped"]) == (0, True, "error")
    people = [word for word in many if word not in {"--format", "json"}]
    assert "stopped: the wanted error is reached" in run(*people, *target, "--lang", "en")[1]


@pytest.mark.parametrize("words", [HAND, FAIR], ids=["one run", "several"])
def test_time(run, words):
    many = [word if word not in {"48000", "3000", "600", "1200"} else "1e9" for word in words]
    status, out, _ = run(*many, "--max-time", "0.3s")
    document = json.loads(out)
    assert (status, document["complete"], document["provenance"]["stopped"]) == (0, True, "time")
    assert all(document["tables"][view] for view in document["tables"] if view in {"precise", "value", "patterns"})


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (PRECISE, ["money luckywin"]),
        (HAND, ["hand doithuong, tu_quy_2"]),
        (FAIR, [f"fair luckywin, {name}" for name in parts_of(tlsim.load_rules("luckywin"))]),
        ((*GAMES, "--against-set", "cong.fine=9"), ["simulate luckywin", "simulate luckywin, against cong.fine=9"]),
    ],
)
def test_a_look_ahead(run, file, words, rows):
    plan = tables(run(*words, "--dry-run", "--store", file))["plan"]
    assert [row["run"] for row in plan] == rows
    assert all(row["left"] > 0 == row["stored"] and row["blocks"] > 0 for row in plan)
    assert not file.exists()
    run(*words, "--store", file)
    plan = tables(run(*words, "--dry-run", "--store", file))["plan"]
    assert all(row["left"] == 0 < row["stored"] for row in plan)


def test_a_look_ahead_at_every_pattern(run, file):
    plan = tables(run(*LIST, "--dry-run", "--store", file, "--shard", "1/3"))["plan"]
    assert len(plan) == 8
    assert {row["left"] for row in plan} == {256}  # one of three units
    status, _, err = run(*GAMES, "--dry-run", "--store", file, "--shard", "1/3", "--abs-error", "1")
    assert (status, "errors are looked at from the beginning" in err) == (2, True)


def test_a_look_ahead_refuses_another_run(run, file):
    run(*GAMES, "--store", file)
    status, _, err = run(*GAMES, "--dry-run", "--store", file, "--seed", "9")
    assert (status, "seed is 4 there and 9 here" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hand", "3S", "--max-time", "5"), "--max-time is for games with the hand: add --ev"),
        (("hand", "3S", "--store", "x.db"), "--store is for games with the hand: add --ev"),
        (("hand", "3S", "--dry-run"), "--dry-run is for games with the hand: add --ev"),
        ((*HAND, "--of", "win"), "give --rel-error or --abs-error"),
        (
            (*HAND, "--rel-error", "1%", "--of", "seat_0"),
            "must be one of mean, win, declare, distance_1",
        ),
        ((*LIST, "--abs-error", "1", "--of", "win"), "--of 'win': must be one of declare"),
        ((*HAND, "--label", "x"), "give --store FILE"),
        ((*PRECISE, "--abs-error", "1", "--of", "role_0"), "--of 'role_0': must be one of seat_0"),
        ((*FAIR, "--rel-error", "1%"), "No such option '--rel-error'"),
        ((*FAIR, "--games", "0", "--max-time", "9"), "--games 0: there is nothing to run, to keep or to stop"),
        ((*FAIR, "--games", "0", "--executor", "processes"), "--games 0: there is nothing to run, to keep"),
        ((*FAIR, "--games", "0", "--dry-run"), "--games 0"),
        ((*GAMES, "--floor", "1e-4"), "No such option '--floor'"),
        ((*GAMES, "--dask", "tcp://127.0.0.1:1", "--executor", "threads"), "--dask and --executor both say"),
        (
            (*GAMES, "--games-out", "x", "--store", "x.db", "--shard", "1/2"),
            "--games-out writes the games from",
        ),
    ],
)
def test_what_is_refused(run, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert said in err
    assert not list(tmp_path.iterdir())


# Interrupts


STUCK = """
import runpy, sys, time
from tlsim.{module} import {work}
call = {work}.__call__
def waiting(self, block, stop=None):
    if block.first < {first}:
        return call(self, block, stop)
    print("stuck", file=sys.stderr, flush=True)
    while not stop[0]:
        time.sleep(0.02)
    return None
{work}.__call__ = waiting
sys.argv = ["tlsim", *sys.argv[1:]]
runpy.run_module("tlsim", run_name="__main__")
"""


def interrupted(words, module, work, first, number=signal.SIGINT):
    """Start a command, wait until its work gets stuck, and interrupt it; return what it printed."""
    program = started(*words, "--threads", "1", code=STUCK.format(module=module, work=work, first=first))
    while program.stderr.readline() not in {"stuck\n", ""}:
        pass
    program.send_signal(number)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 128 + number
    assert "Traceback" not in err
    document = json.loads(out)
    assert document["complete"] is False
    assert document["provenance"]["stopped"] == "interrupt"
    return document


def test_an_interrupted_hand_shows_what_there_is_and_goes_on(run, file):
    found = interrupted((*HAND, "--store", file), "engine.paired", "PairedWork", 8, signal.SIGTERM)
    assert 0 < found["provenance"]["games"] < 3000
    assert found["tables"]["declare"]
    assert tables(run(*HAND, "--store", file)) == tables(run(*HAND))


def test_an_interrupted_list_shows_the_patterns_that_it_has(run, file):
    words = (*LIST[:4], "6000", *LIST[5:])
    found = interrupted((*words, "--store", file), "engine.paired", "PairedWork", 8)
    assert [row["pattern"] for row in found["tables"]["patterns"]] == ["sanh_rong"]
    assert found["tables"]["total"] == []  # a part of the list is not the list
    assert tables(run(*words, "--store", file)) == tables(run(*words))


@pytest.mark.parametrize(
    ("module", "work", "first", "there"),
    [("fairness.sample", "SampleWork", 4, {"items", "risks"}), ("engine.paired", "TogetherWork", 0, {"items"})],
)
def test_interrupted_prices(run, file, module, work, first, there):
    """The tables of prices, and those of games as far as there are some; no verdicts on games."""
    found = interrupted((*FAIR, "--store", file), module, work, first)
    assert found["tables"]["prices"]
    assert {view.name for view in PLAYED_VIEWS if view.name in found["tables"]} == there
    assert bool(found["tables"]["items"]) is (first > 0)
    assert not [row for row in found["tables"]["verdicts"] if row["list"] == "all"]
    people = [word for word in FAIR if word not in {"--format", "json"}]
    plain = tables(run(*FAIR))
    assert tables(run(*FAIR, "--store", file)) == plain
    assert "partial" not in run(*people, "--lang", "en", "--store", file)[1]


def test_prices_on_a_full_disk(run, file, monkeypatch):
    from tlsim.engine.store import Store, StoreError

    write, calls = Store.write, []

    def full(self, *how):
        calls.append(1)
        if len(calls) == 2:
            message = "the disk is full"
            raise StoreError(message)
        write(self, *how)

    monkeypatch.setattr(Store, "write", full)
    status, out, err = run(*FAIR, "--store", file)
    document = json.loads(out)
    assert (status, document["complete"]) == (2, False)
    assert "the disk is full" in err
    assert document["tables"]["prices"]
    assert document["tables"]["items"]
    monkeypatch.setattr(Store, "write", write)
    assert tables(run(*FAIR, "--store", file)) == tables(run(*FAIR))


def test_no_bar_elsewhere(run):
    status, out, err = run(*GAMES[:6], "1e9", "--max-time", "3s", "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out)["complete"]
