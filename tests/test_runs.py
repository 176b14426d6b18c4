"""Kept runs from outside: listed, shown, exported, merged; and a rule file that is edited between start and resume."""

import csv
import io
import json
import sqlite3

import pytest

import tlsim
from tlsim.cli import main
from tlsim.engine.store import NOT_ENDED, VERSION, Store, StoreError
from tlsim.questions import kept as runs
from tlsim.questions.fair import FairGames
from tlsim.questions.how import How
from tlsim.questions.how import run as run_question

GAMES = {"rules": "luckywin", "games": 50_000, "seed": 4}
DEALS = {"rules": "doithuong", "deals": 300_001, "seed": 4}


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


@pytest.fixture
def run(capfd):
    def call(*words):
        status = main([str(word) for word in words])
        captured = capfd.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def file(tmp_path):
    return tmp_path / "runs.db"


def test_what_was_kept_is_what_was_shown(file):
    games, odds = tlsim.simulate(**GAMES, store=file), tlsim.estimate_odds(**DEALS, store=file)
    event = tlsim.estimate_event("faulty:has_two_of_hearts", deals=50_000, store=file)
    shown = runs.stored_result(file, "simulate luckywin")
    assert (shown.tally, shown.rows("seats"), shown.provenance) == (games.tally, games.rows("seats"), games.provenance)
    assert runs.stored_result(file, "odds doithuong") == odds
    assert runs.stored_result(file, "event has_two_of_hearts").count == event.count
    assert [row["label"] for row in runs.list_runs(file)] == [
        "event has_two_of_hearts", "odds doithuong", "simulate luckywin",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given", [{"hands": {1: "tu_quy_2"}, "leader": 0}, {"hands": {0: "3S 3C"}}], ids=["a pattern", "cards"]
)
def test_given_cards_are_shown_again(file, given):
    stats = tlsim.simulate("luckywin", games=2000, store=file, **given)
    assert runs.stored_result(file).tally == stats.tally
    assert runs.stored_result(file).provenance == stats.provenance


def test_given_deals_and_policies_are_shown_again(file):
    deals = tlsim.play("luckywin", games=5, match_length=5)
    stats = tlsim.simulate("luckywin", games=600, deals=deals, policies="smart[hold_3s=1],lowest,random,lowest",
                           store=file)  # fmt: skip
    assert runs.stored_result(file).tally == stats.tally
    assert runs.stored_result(file).policies == stats.policies


def test_a_run_that_reached_its_error_is_shown_at_that_point(file):
    until = tlsim.Until(rel_error=0.02, of="sau_doi")
    odds = tlsim.estimate_odds("doithuong", deals=10**9, until=until, threads=2, store=file)
    assert odds.stopped == "error"
    assert runs.stored_result(file).tally == odds.tally
    again = tlsim.estimate_odds("doithuong", deals=10**9, until=until, store=file)
    assert (again.tally, again.stopped) == (odds.tally, "error")
    more = tlsim.estimate_odds("doithuong", deals=3 * odds.deals, store=file)
    assert more.tally == tlsim.estimate_odds("doithuong", deals=3 * odds.deals).tally
    assert runs.stored_result(file).tally == more.tally


@pytest.mark.parametrize(
    ("why", "complete"), [("interrupt", False), ("failure", False), (NOT_ENDED, False), ("time", True)]
)
def test_a_run_that_has_not_all_that_was_wanted_is_shown_with_the_reason(file, run, why, complete):
    """Not as one of which the store had it all; a killed run has no reason, and is partial as well."""
    tlsim.simulate(**GAMES, store=file)
    with sqlite3.connect(file) as base:
        base.execute("UPDATE runs SET wanted = 1000000, stopped = ?", (why,))
    shown = runs.stored_result(file)
    assert (shown.stopped, shown.complete, shown.games) == (why, complete, tlsim.simulate(**GAMES).games)
    out = run("runs", "show", file)[1]
    assert ("partial" in out) is not complete
    assert "had it all" not in out


@pytest.mark.parametrize("kind", ["games", "odds"])
def test_shards_of_several_machines_make_the_run(tmp_path, kind):
    simulate = (lambda **how: tlsim.simulate(**GAMES, **how)) if kind == "games" else (
        lambda **how: tlsim.estimate_odds(**DEALS, **how)
    )  # fmt: skip
    files = [tmp_path / f"{number}.db" for number in (1, 2, 3)]
    shards = [simulate(store=tlsim.Keep(each, shard=(at + 1, 3))) for at, each in enumerate(files)]
    assert all(shard.complete for shard in shards)
    rows = runs.merge_stores(tmp_path / "all.db", files)
    assert all(row["new"] > 0 and row["known"] == row["crossing"] == 0 for row in rows)
    assert runs.stored_result(tmp_path / "all.db").tally == simulate().tally
    assert all(row["known"] > 0 and not row["new"] for row in runs.merge_stores(tmp_path / "all.db", files))
    assert simulate(store=tmp_path / "all.db").stopped == "stored"
    one = simulate(store=tlsim.Keep(tmp_path / "all.db", shard=(2, 3)))
    assert one.stopped == "stored"


def test_stores_that_do_not_belong_together(tmp_path):
    one, two = tmp_path / "1.db", tmp_path / "2.db"
    tlsim.simulate("luckywin", games=1200, seed=1, store=one)
    tlsim.simulate("luckywin", games=1200, seed=2, store=two)
    tlsim.simulate("zing", games=1200, seed=2, store=two)
    with pytest.raises(StoreError, match=r"label 'simulate luckywin' it has another run than .*: seed is 2, not 1"):
        runs.merge_stores(one, [two])
    assert [row["label"] for row in runs.list_runs(one)] == ["simulate luckywin"]  # nothing of it was merged
    with pytest.raises(StoreError, match="merged into itself"):
        runs.merge_stores(one, [one])
    with pytest.raises(StoreError, match="there is no store"):
        runs.merge_stores(one, [tmp_path / "3.db"])


def by_hand(file, statement, *values):
    base = sqlite3.connect(file)
    base.execute(statement, values)
    base.commit()
    base.close()


@pytest.fixture
def three(tmp_path):
    """Stores: two that belong together, and one that is to have a fault."""
    files = [tmp_path / f"{name}.db" for name in ("one", "two", "bad")]
    for at, file in enumerate(files):
        tlsim.estimate_odds("doithuong", deals=40_000, store=tlsim.Keep(file, shard=(at + 1, 3)))
        tlsim.estimate_odds("zing", deals=5000, seed=at // 2, store=tlsim.Keep(file, "zing" if at == 2 else None))
    return files


FAULTS = {
    "another run": ("UPDATE runs SET label = 'odds zing' WHERE label = 'zing'", "another run than .*: seed is 1, not"),
    "identity": ("UPDATE runs SET identity = '{' WHERE label = 'zing'", "damaged"),
    "recipe": ("UPDATE runs SET recipe = '{\"command\": \"odds\"}' WHERE label = 'zing'", "damaged"),
    "rules": ("UPDATE runs SET recipe = replace(recipe, 'name = ', 'name ') WHERE label = 'zing'", "damaged"),
    "players": ("UPDATE runs SET recipe = replace(recipe, '\"players\": 4', '\"players\": 44')", "players = 44"),
    "form": (f"PRAGMA user_version = {VERSION - 1}", "is a store of form 1"),
    "no table": ("DROP TABLE parts", "no such table"),
}  # fmt: skip


@pytest.mark.parametrize("there", [True, False], ids=["into one", "into a new one"])
@pytest.mark.parametrize(("statement", "said"), FAULTS.values(), ids=FAULTS)
def test_a_refused_merge_names_the_source_and_writes_nothing(three, tmp_path, statement, said, there):
    one, two, bad = three
    by_hand(bad, statement)
    into, sources = (one, [two, bad]) if there else (tmp_path / "new.db", [one, two, bad])
    before = {file: file.read_bytes() for file in three}
    with pytest.raises(StoreError, match=said) as caught:
        runs.merge_stores(into, sources)
    assert "bad.db" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert {file: file.read_bytes() for file in three} == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.db", "one.db", "two.db"]


def test_a_merge_that_cannot_be_written_leaves_nothing(three, tmp_path, monkeypatch):
    join, done = Store._join, []

    def full(self, *what):
        done.append(join(self, *what))
        if len(done) == 3:
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Store, "_join", full)
    one, two, bad = three
    before = one.read_bytes()
    for into, sources in ((tmp_path / "new.db", three), (one, [two, bad])):
        done.clear()
        with pytest.raises(StoreError, match="disk is full; what was committed before is kept"):
            runs.merge_stores(into, sources)
    assert one.read_bytes() == before
    assert not (tmp_path / "new.db").exists()


def test_damaged_parts_are_left_out_of_a_merge_and_give_way_in_one(tmp_path, caplog):
    whole, torn = tmp_path / "whole.db", tmp_path / "torn.db"
    for file in (whole, torn):
        tlsim.estimate_odds("doithuong", deals=40_000, store=file)
    by_hand(torn, "UPDATE parts SET first = 17 WHERE first = 16")
    before = torn.read_bytes()
    runs.merge_stores(tmp_path / "new.db", [torn])
    assert torn.read_bytes() == before
    assert "damaged and are left out" in caplog.text
    for file in (tmp_path / "new.db", torn):
        runs.merge_stores(file, [whole])
        assert runs.stored_result(file).tally == runs.stored_result(whole).tally


SPOILT = {
    "identity": ("identity", "no JSON"), "recipe": ("recipe", ""), "keys": ("recipe", '{"command": "simulate"}'),
    "rules": ("recipe", '{"command": "odds", "each": 1, "seed": 1, "rules": "a = "}'),
    "each": ("recipe", '{"command": "event", "each": "x", "seed": 1, "predicate": "p"}'), "unit": ("unit", "x"),
}  # fmt: skip


@pytest.mark.parametrize(("column", "value"), SPOILT.values(), ids=SPOILT)
def test_a_damaged_run_is_listed_as_such_beside_the_others(file, run, column, value):
    tlsim.estimate_odds("doithuong", deals=5000, store=file)
    tlsim.estimate_odds("zing", deals=5000, store=file)
    by_hand(file, f"UPDATE runs SET {column} = ? WHERE label = 'odds zing'", value)
    rows = {row["label"]: row for row in runs.list_runs(file)}
    assert (rows["odds zing"]["stopped"], rows["odds doithuong"]["stopped"]) == ("damaged", "size")
    assert rows["odds doithuong"]["done"] == 5000
    for fmt in ("table", "csv", "json"):
        status, out, err = run("runs", "list", file, "--format", fmt)
        assert (status, "damaged" in out, "Traceback" in out + err) == (0, True, False)
    assert run("runs", "show", file, "odds doithuong")[0] == 0
    status, out, err = run("runs", "show", file, "odds zing")
    assert (status, out, err.count("\n"), "the run 'odds zing' in" in err, "damaged" in err) == (2, "", 1, True, True)


@pytest.mark.parametrize("command", ["simulate", "odds", "event", "fair"])
@pytest.mark.parametrize("kind", ["lacks", "null", "list"])
def test_whatever_a_recipe_lacks_is_told_in_one_line(file, command, kind):
    {
        "simulate": lambda: tlsim.simulate("luckywin", games=12, store=file),
        "odds": lambda: tlsim.estimate_odds("zing", deals=1000, store=file),
        "event": lambda: tlsim.estimate_event("faulty:has_two_of_hearts", deals=1000, store=file),
        "fair": lambda: run_question(FairGames("luckywin", "games", 12, policies="lowest"), How(store=file)),
    }[command]()
    with Store(file) as store:
        (kept,) = store.runs()
    for key in kept.recipe:
        spoilt = {name: value for name, value in kept.recipe.items() if name != key}
        spoilt |= {} if kind == "lacks" else {key: None if kind == "null" else [[]]}
        by_hand(file, "UPDATE runs SET recipe = ?", json.dumps(spoilt))
        runs.list_runs(file)
        try:
            runs.stored_result(file)
        except StoreError as error:
            assert kept.label in str(error)  # noqa: PT017
            assert "\n" not in str(error)  # noqa: PT017


def test_a_folder_and_labels_of_several_lines(run, tmp_path):
    status, _, err = run("runs", "list", tmp_path)
    assert (status, "is a folder" in err) == (2, True)
    status, _, err = run("odds", "--deals", "1000", "--store", tmp_path / "a.db", "--label", "a\nb")
    assert (status, "must be one line of text" in err, (tmp_path / "a.db").exists()) == (2, True, False)


def test_an_edited_rule_file_is_refused_naming_the_clause(file, tmp_path):
    rules = tmp_path / "house.toml"
    rules.write_text('extends = "luckywin"\nset."cong.fine" = 20\n', encoding="utf-8")
    tlsim.simulate(rules, games=1200, store=file)
    rules.write_text('extends = "luckywin"\nset."cong.fine" = 21\n', encoding="utf-8")
    with pytest.raises(StoreError, match=r"'simulate house': rules\.cong\.fine is 20\.0 there and 21\.0 here"):
        tlsim.simulate(rules, games=1200, store=file)
    rules.write_text('extends = "luckywin"\n# a comment\nlabel = "Ours"\nset."cong.fine" = 20\n', encoding="utf-8")
    assert tlsim.simulate(rules, games=1200, store=file).stopped == "stored"


def test_a_label_that_is_not_there(file):
    tlsim.simulate("luckywin", games=12, store=file)
    with pytest.raises(StoreError, match=r"has no run 'simulate lucky'; it has 'simulate luckywin'; did you mean"):
        runs.stored_result(file, "simulate lucky")
    tlsim.simulate("zing", games=12, store=file)
    with pytest.raises(StoreError, match="needs a label; it has 'simulate luckywin', 'simulate zing'"):
        runs.stored_result(file)


def test_numbers_of_another_version_are_not_shown(file, monkeypatch):
    tlsim.simulate("luckywin", games=12, store=file)
    monkeypatch.setattr(runs, "__version__", "9.0.0")
    with pytest.raises(StoreError, match=rf"made by tlsim {tlsim.__version__}, this is 9\.0\.0"):
        runs.stored_result(file)
    assert runs.list_runs(file)[0]["version"] == tlsim.__version__


# The command


def test_commands(run, file, tmp_path):
    words = ("simulate", "--rules", "luckywin", "--games", "50000", "--seed", "4", "--format", "json")
    status, out, err = run(*words, "--store", file, "--label", "night")
    assert (status, err) == (0, "")
    plain = json.loads(run(*words)[1])
    document = json.loads(out)
    assert document["tables"] == plain["tables"]
    assert json.loads(run("runs", "show", file, "--format", "json")[1])["tables"] == plain["tables"]
    assert json.loads(run("runs", "export", file, "night", "--format", "json")[1])["tables"] == plain["tables"]
    [row] = json.loads(run("runs", "list", file, "--format", "json")[1])["tables"]["runs"]
    assert (row["label"], row["done"], row["wanted"], row["stopped"]) == ("night", 50_004, 50_004, "size")
    rows = list(csv.DictReader(io.StringIO(run("runs", "export", file)[1])))
    assert [float(row["mean"]) for row in rows if row["view"] == "seats"] == [
        row["mean"] for row in plain["tables"]["seats"]
    ]
    status, _, err = run(*words, "--store", file, "--label", "night", "--seed", "5")
    assert (status, "seed is 4 there and 5 here" in err) == (2, True)
    status, _, err = run("runs", "show", tmp_path / "none.db")
    assert (status, "there is no store" in err) == (2, True)


def test_parquet(run, file, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra 'parquet' is not installed")
    stats = tlsim.simulate(**GAMES, store=file)
    assert run("runs", "export", file, "--format", "parquet", "--out", tmp_path / "tables")[0] == 0
    table = parquet.read_table(tmp_path / "tables" / "seats.parquet").to_pylist()
    assert table == stats.rows("seats")
    status, _, err = run("runs", "export", file, "--format", "parquet")
    assert (status, "--out FOLDER" in err) == (2, True)


def test_merge_command(run, tmp_path):
    files = [tmp_path / "1.db", tmp_path / "2.db"]
    for at, file in enumerate(files):
        assert run("odds", "--deals", "100000", "--store", file, "--shard", f"{at + 1}/2")[0] == 0
    assert run("runs", "merge", *files)[0] == 0
    assert runs.stored_result(files[0]).tally == tlsim.estimate_odds("doithuong", deals=100_000).tally
    status, _, err = run("runs", "merge", files[0])
    assert (status, "nothing to merge" in err) == (2, True)
    status, _, err = run("odds", "--shard", "1/2")
    assert (status, "give --store FILE" in err) == (2, True)
    status, _, err = run("odds", "--store", files[0], "--shard", "3/2")
    assert (status, "1/4 … 4/4" in err) == (2, True)
