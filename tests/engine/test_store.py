"""Runs that are kept: whatever happens at whatever moment, the same call ends with the numbers of an unbroken run."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from faulty import Counted

import tlsim
from tlsim.engine import keep as kept_module
from tlsim.engine import run as module
from tlsim.engine.game_work import GameTally
from tlsim.engine.keep import Keep, kept_in
from tlsim.engine.packed import PackedError, pack, unpack
from tlsim.engine.store import VERSION, Part, Store, StoredRun, StoreError
from tlsim.engine.work import Block, point
from tlsim.errors import RunError, UsageError
from tlsim.questions.games import Games
from tlsim.questions.kept import list_runs
from tlsim.questions.odds import Odds

UNIT = 10


def units_of(block):
    return range(block.first, block.first + -(-block.deals // UNIT))


@dataclass(frozen=True)
class Work:
    """Sums the numbers of its units: a unit that is lost, or there twice, shows."""

    seed: int = 7
    unit: int = UNIT
    seen: tuple = ()

    def __call__(self, block, _stop=None):
        return Counted(block.deals, sum(units_of(block)))

    def zero(self):
        return Counted()

    def identity(self):
        return {"version": "0.1.0", "work": "test", "seed": self.seed}


def whole(deals):
    return Counted(deals, sum(range(-(-deals // UNIT))))


RECIPE = {"command": "event", "predicate": "test", "hand_size": 13, "seed": 7}


def go(store, deals, work=None, **how):
    """Run with a store, one block a unit; return the outcome."""
    work = work or Work()
    with kept_in(store, "test", work, RECIPE, deals) as kept:
        return module.run(work, deals, Counted(), unit=UNIT, kept=kept, threads=1, **how)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "runs.db"


@pytest.fixture
def commit_at_once(monkeypatch):
    monkeypatch.setattr(kept_module, "_COMMIT_EVERY", -1.0)


def parts_of(file, label="test"):
    with Store(file) as store:
        return store.ranges(store.find(label))


# Going on


def test_the_same_call_again_does_nothing(file):
    class Once(Work):
        def __call__(self, block, _stop=None):
            assert block == Block(0, 1), "work was done twice"  # the block that loads the kernels
            raise AssertionError

    assert go(file, 3000).stopped == "size"
    again = go(file, 3000, Once())
    assert (again.tally, again.complete, again.stopped) == (whole(3000), True, "stored")


@pytest.mark.parametrize("first", [1, 7, 10, 79, 80, 81, 160, 1999, 2000])
def test_more_deals_later_go_on(file, first):
    """Also where the last unit was cut: it is done again, whole."""
    assert go(file, first).tally == whole(first)
    assert go(file, 2000).tally == whole(2000)
    assert go(file, 2003).tally == whole(2003)
    assert parts_of(file)[-1] == Part(200, 201, 3)  # the cut unit is not put together with whole ones


def test_fewer_deals_give_what_is_stored(file):
    go(file, 2003)
    fewer = go(file, 500)
    assert (fewer.tally, fewer.stopped) == (whole(2003), "stored")


@pytest.mark.parametrize("seed", range(3))
def test_interrupts_at_any_block(file, seed, commit_at_once):  # noqa: ARG001
    rng = random.Random(seed)

    class Interrupted(Work):
        def __call__(self, block, _stop=None):
            if rng.random() < 0.4:
                raise KeyboardInterrupt
            return super().__call__(block)

    tries = 0
    while not (outcome := go(file, 2003, Interrupted())).complete:
        assert outcome.stopped == "interrupt"
        assert outcome.tally.deals <= 2003
        tries += 1
        assert tries < 500
    assert tries > 0
    assert outcome.tally == whole(2003)


def test_a_store_stays_small(file, commit_at_once):  # noqa: ARG001
    go(file, 100_000)
    parts = parts_of(file)
    assert [part.first for part in parts] == [point(number) for number in range(len(parts))]
    assert len(parts) < 30


def test_parts_do_not_cross_set_points_so_sums_up_to_them_can_be_had(file):
    go(file, 100_000)
    assert all(part.end <= point(number + 1) for number, part in enumerate(parts_of(file)))


# What a run is


def test_another_run_under_the_label_is_refused_and_named(file):
    go(file, 100)
    with pytest.raises(StoreError, match=r"another run under the label 'test': seed is 7 there and 8 here\. Put that"):
        go(file, 100, Work(seed=8))
    assert go(Keep(file, "other"), 100, Work(seed=8)).complete
    with Store(file) as store:
        assert [run.label for run in store.runs()] == ["other", "test"]


IDENTITY = {
    "seed": {"seed": 1}, "players": {"players": 3}, "policies": {"policies": "random"}, "length": {"match_length": 3},
    "rules": {"rules": "zing"}, "clause": {"rules": tlsim.load_rules("luckywin").replace("cong.fine", 77)},
    "hands": {"hands": {0: "3S"}}, "leader": {"leader": 1},
    "own policy": {"policies": "faulty:stingy"},
}  # fmt: skip


def identity(**changes):
    return Games(**{"rules": "luckywin", "policies": "lowest"} | changes).identity()


@pytest.mark.parametrize("change", IDENTITY.values(), ids=IDENTITY)
def test_what_changes_the_answer_is_in_the_identity(change):
    assert identity(**change) != identity()


def test_what_does_not_change_the_answer_is_not():
    renamed = tlsim.load_rules("luckywin").replace({"name": "other", "label": "Other"})
    assert identity(rules=renamed) == identity()
    assert identity(policies="lowest,lowest,lowest,lowest[declare=1]") == identity()
    length = tlsim.load_rules("luckywin").match_length
    longer = tlsim.load_rules("luckywin").replace("match_length", 2 * length)
    assert identity(rules=longer, match_length=length) == identity()
    assert identity(rules=longer) != identity()


def test_an_edit_of_a_policy_changes_its_identity(monkeypatch):
    import faulty

    before = identity(policies="faulty:stingy")
    monkeypatch.setattr(faulty, "LIMIT", 11)
    assert identity(policies="faulty:stingy") != before


def odds_identity(name="doithuong", **changes):
    return Odds(name, **changes).identity()


@pytest.mark.parametrize("change", [{"seed": 1}, {"players": 3}, {"opening": True}, {"holding": "2S"}])
def test_what_changes_odds(change):
    assert odds_identity("luckywin", **change) != odds_identity("luckywin")


def test_a_clause_that_has_no_part_in_odds_is_not_in_their_identity():
    rules = tlsim.load_rules("doithuong")
    assert odds_identity(rules.replace("cong.fine", 9)) == odds_identity(rules)
    assert odds_identity("zing") != odds_identity(rules)


# Faults of the file


def test_a_file_of_another_kind(file):
    file.write_text("label,seed\n", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be opened: file is not a database; the file is damaged, or is no st"):
        go(file, 100)
    file.unlink()
    base = sqlite3.connect(file)
    base.execute("CREATE TABLE runs (a)")
    base.close()
    with pytest.raises(StoreError, match="belongs to another program; give the store a file of its own"):
        go(file, 100)


def test_another_version_is_refused(file):
    go(file, 100)
    base = sqlite3.connect(file)
    base.execute(f"PRAGMA user_version = {VERSION + 1}")
    base.close()
    with pytest.raises(StoreError, match="is a store of form 3, this tlsim reads form 2; use the version"):
        go(file, 100)


def test_a_run_of_another_version_is_refused(file):
    @dataclass(frozen=True)
    class Newer(Work):
        def identity(self):
            return super().identity() | {"version": "0.2.0"}

    go(file, 100)
    with pytest.raises(StoreError, match=r"version is '0\.1\.0' there and '0\.2\.0' here"):
        go(file, 100, Newer())


@pytest.mark.parametrize("seed", range(10))
def test_a_torn_file_is_told_or_done_again_but_never_misread(file, seed):
    go(file, 20_000)
    rng = random.Random(seed)
    data = bytearray(file.read_bytes())
    if seed % 2:
        data = data[: rng.randrange(len(data))]
    else:
        at = rng.randrange(len(data) - 600)
        data[at : at + 600] = rng.randbytes(600)
    file.write_bytes(data)
    try:
        outcome = go(file, 20_000)
    except StoreError as error:
        assert "runs.db" in str(error)  # noqa: PT017
    else:
        assert outcome.error is not None or outcome.tally == whole(20_000)


def test_a_damaged_tally_is_done_again(file, caplog):
    go(file, 20_000)
    base = sqlite3.connect(file)
    base.execute(
        "UPDATE parts SET tally = CAST(substr(tally, 1, 40) || x'00' || substr(tally, 42) AS BLOB) WHERE first = 16"
    )
    base.commit()
    base.close()
    outcome = go(file, 20_000)
    assert outcome.tally == whole(20_000)
    assert "units 16 to 24 are damaged and are done again" in caplog.text
    assert go(file, 20_000).stopped == "stored"


def by_hand(file, statement, *values):
    base = sqlite3.connect(file)
    base.execute(statement, values)
    base.commit()
    base.close()


BY_HAND = {
    "moved": "UPDATE parts SET first = 17 WHERE first = 16",
    "moved whole": 'UPDATE parts SET first = first + 4000, "end" = "end" + 4000 WHERE first = 16',
    "longer": 'UPDATE parts SET "end" = "end" + 1, deals = deals + 10 WHERE first = 1536',
    "shorter": 'UPDATE parts SET "end" = "end" - 1, deals = deals - 10 WHERE first = 16',
    "more deals": "UPDATE parts SET deals = deals + 1 WHERE first = 16",
    "fewer deals": "UPDATE parts SET deals = deals - 1 WHERE first = 16",
    "no units": 'UPDATE parts SET "end" = first WHERE first = 16',
    "backwards": 'UPDATE parts SET "end" = first - 5 WHERE first = 16',
    "before all": "UPDATE parts SET first = -8 WHERE first = 0",
    "endless": 'UPDATE parts SET "end" = 1 << 62, deals = 1 << 62 WHERE first = 16',
    "text": "UPDATE parts SET deals = 'many' WHERE first = 16",
    "text of place": "UPDATE parts SET first = 'x' WHERE first = 16",
    "another's": "UPDATE parts SET tally = (SELECT tally FROM parts WHERE first = 24) WHERE first = 16",
}


@pytest.mark.parametrize("statement", BY_HAND.values(), ids=BY_HAND)
def test_a_part_that_was_changed_by_hand_is_done_again(file, statement, caplog):
    go(file, 20_000)
    by_hand(file, statement)
    outcome = go(file, 20_000)
    assert (outcome.tally, outcome.stopped) == (whole(20_000), "size")
    assert "are damaged and are done again" in caplog.text
    assert go(file, 20_000).stopped == "stored"


def test_a_part_of_another_run_is_done_again(file):
    """Of another seed, another unit."""
    go(file, 20_000)
    go(Keep(file, "other"), 20_000, Work(seed=8))
    by_hand(file, "DELETE FROM parts WHERE run = 1")
    by_hand(file, "UPDATE parts SET run = 1 WHERE run = 2")
    assert go(file, 20_000).stopped == "size"
    place = StoredRun("test", {"version": "1"}, {}, UNIT, 1).place(Part(0, 8, 80))
    assert len({place, StoredRun("test", {"version": "2"}, {}, UNIT, 1).place(Part(0, 8, 80)),
                StoredRun("test", {"version": "1"}, {}, 11, 1).place(Part(0, 8, 80))}) == 3  # fmt: skip


def test_parts_that_cannot_be_are_not_counted(file):
    go(file, 20_000)
    by_hand(file, BY_HAND["endless"])
    with Store(file) as store:
        assert sum(part.deals for part in store.ranges(store.find("test"))) == 20_000 - 80


def test_a_store_that_is_only_looked_at_stays_as_it_is(file, caplog):
    go(file, 20_000)
    by_hand(file, BY_HAND["moved"])
    before = file.read_bytes()
    shown = go(Keep(file, frozen=True), 20_000)
    assert shown.tally.deals == 20_000 - 80
    assert "units 17 to 24 are damaged and are left out" in caplog.text
    assert file.read_bytes() == before


DAMAGED = {
    "torn": ("identity", '{"version": "0.1', "no JSON"), "nothing": ("recipe", "", "no JSON"),
    "no table": ("identity", "[1]", "its identity has no version"), "bytes": ("recipe", b"\xff\xfe", "no JSON"),
    "lacks": ("identity", "{}", "its identity has no version"), "recipe": ("recipe", "{}", "its recipe has no command"),
    "unit": ("unit", 0, "unit = 0"), "wanted": ("wanted", "x", "wanted = 'x'"), "reached": ("reached", -1, "reached"),
    "deep": ("recipe", "[" * 100_000, "no JSON"), "name": ("identity", '{"version": 3}', "has no version"),
}  # fmt: skip


@pytest.mark.parametrize(("column", "value", "said"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_run_is_named_and_the_others_go_on(file, column, value, said):
    go(file, 100)
    go(Keep(file, "other"), 100)
    by_hand(file, f"UPDATE runs SET {column} = ? WHERE label = 'test'", value)
    with pytest.raises(StoreError, match=rf"the run 'test' in .*runs\.db' is damaged: .*{said}") as caught:
        go(file, 100)
    assert "\n" not in str(caught.value)
    assert go(Keep(file, "other"), 100).stopped == "stored"


def test_what_differs_is_said_as_people_call_it(file):
    @dataclass(frozen=True)
    class Told(Work):
        told: tuple = ()

        def identity(self):
            return super().identity() | dict(self.told)

    old = {"policies": ["lowest", "mine:stingy"], "sources": [None, "ab" * 32], "work": "games"}
    go(file, 100, Told(told=tuple(old.items())))
    for seed, new, said in [
        (7, {"sources": [None, "cd" * 32]}, "of mine:stingy has changed: its digest is (ab){6}… there and (cd){6}…"),
        (7, {"policies": ["lowest", "mine:other"], "sources": [None, "ef" * 32]},
         r"'test': policies\[1\] is 'mine:stingy' there and 'mine:other' here\. Put"),
        (8, {"work": "odds"}, r"'test': the kind of run is 'games' there and 'odds' here; seed is 7 there and 8"),
    ]:  # fmt: skip
        with pytest.raises(StoreError, match=said):
            go(file, 100, Told(seed, told=tuple((old | new).items())))


def test_a_run_whose_end_could_not_be_written_is_not_said_to_run(file, monkeypatch):
    def full(*_):
        raise StoreError("full")

    monkeypatch.setattr(Store, "stop", full)
    assert go(file, 100).error is not None
    with Store(file) as store:
        assert store.find("test").stopped == "not ended"


def test_a_folder_is_no_store(tmp_path):
    for make in (True, False):
        with pytest.raises(StoreError, match="is a folder; a store is a file"):
            Store(tmp_path, make=make)


def test_an_empty_file_that_is_only_looked_at_stays_empty(file):
    file.touch()
    with Store(file, make=False) as store:
        assert store.runs() == []
    assert file.stat().st_size == 0


def test_an_empty_file_is_begun(file):
    file.touch()
    assert go(file, 300).tally == whole(300)


def test_a_full_disk_keeps_what_was_committed(file, commit_at_once, monkeypatch):  # noqa: ARG001
    """The file may have so many pages and no more, as on a disk that is full."""
    check = Store._check

    def small(self):
        check(self)
        self._base.execute("PRAGMA max_page_count = 9")

    big = {"recipe": "x" * 30_000}
    monkeypatch.setattr(Store, "_check", small)
    with (
        pytest.raises(StoreError, match=r"cannot be written: database or disk is full; .*make room .* same command"),
        kept_in(file, "test", Work(), RECIPE | big, 2000),
    ):
        pass
    monkeypatch.setattr(Store, "_check", check)
    assert go(file, 2000).tally == whole(2000)


LIMITED = """
import resource, sys, tlsim
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    tlsim.simulate("luckywin", games=60_000, policies="lowest", seed=3, threads=2, store=sys.argv[1])
except tlsim.RunError as error:
    print(error)
    print(error.result and error.result.games)
"""


def python(code, *arguments, **how):
    environment = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment, stdout=subprocess.PIPE, text=True, **how
    )


@pytest.mark.parametrize("limit", [30_000, 150_000])
def test_a_file_that_cannot_grow(file, limit):
    """A limit of the system on the size of files stands for a full disk."""
    said, _ = python(LIMITED, file, limit).communicate(timeout=120)
    assert "cannot be" in said
    assert "make room on the disk and give the same command again" in said
    assert tlsim.simulate("luckywin", games=60_000, policies="lowest", seed=3, store=file).tally == (
        tlsim.simulate("luckywin", games=60_000, policies="lowest", seed=3).tally
    )


def test_a_folder_that_is_not_there_or_not_ours(tmp_path):
    with pytest.raises(StoreError, match=r"cannot be opened: unable to open database file; the folder must exist"):
        go(tmp_path / "nowhere" / "runs.db", 100)
    folder = tmp_path / "folder"
    folder.mkdir()
    go(folder / "runs.db", 100)
    (folder / "runs.db").chmod(0o400)
    folder.chmod(0o500)
    try:
        if os.geteuid() == 0:  # whom no mode of a file holds
            pytest.skip("root may write anywhere")
        with pytest.raises(StoreError, match=r"readonly|unable to open"):
            go(folder / "runs.db", 200)
    finally:
        folder.chmod(0o700)


def test_a_base_that_is_read_only(file, monkeypatch):
    """As of a read-only folder, also where root runs the tests."""
    go(file, 100)
    connect = sqlite3.connect
    monkeypatch.setattr(
        "tlsim.engine.store.sqlite3.connect",
        lambda path, **how: connect(f"file:{path}?mode=ro", uri=True, **how),
    )
    with pytest.raises(StoreError, match="cannot be written: attempt to write a readonly database; the folder must"):
        go(file, 200)


# kill -9


KILLED = """
import sys, tlsim
from tlsim.engine import keep
from tlsim.engine.store import Store
keep._COMMIT_EVERY = 0.05
commit = Store.write
def write(*given):
    commit(*given)
    print("kept", flush=True)
Store.write = write
asked = {"games": 1_000_000, "policies": "lowest", "threads": 2, "executor": sys.argv[2]}
result = tlsim.simulate("luckywin", **asked, seed=5, store=sys.argv[1])
print(result.stopped, flush=True)
"""


@pytest.fixture(scope="module")
def unbroken():
    return tlsim.simulate("luckywin", games=1_000_000, policies="lowest", seed=5)


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_kill_9_at_any_moment(file, executor, unbroken):
    """Killed more than once after it has kept something; then it goes on to the numbers of an unbroken run."""
    rng, kills = random.Random(6), 0
    for _ in range(3 if executor == "threads" else 2):
        program = python(KILLED, file, executor)
        assert program.stdout.readline() == "kept\n"
        try:
            program.wait(rng.random() * 0.1)
        except subprocess.TimeoutExpired:
            program.kill()
            kills += 1
        program.communicate()
    assert kills
    assert list_runs(file)[0]["done"] > 0
    whole = tlsim.simulate("luckywin", games=1_000_000, policies="lowest", seed=5, store=file)
    assert whole.tally == unbroken.tally


def test_several_writers_at_once(file):
    """Two processes do the same run in a store, one another: none fails, all have the numbers, nothing counts twice."""
    other = KILLED.replace("seed=5", "seed=6").replace("store=sys.argv[1]", "store=tlsim.Keep(sys.argv[1], '6')")
    programs = [python(code.replace("1_000_000", "300_000"), file, "threads") for code in (KILLED, KILLED, other)]
    assert [program.communicate(timeout=300)[0].split()[-1] for program in programs] == ["size"] * 3
    assert [program.returncode for program in programs] == [0] * 3
    asked = {"games": 300_000, "policies": "lowest"}
    assert (
        tlsim.simulate("luckywin", **asked, seed=5, store=file).tally
        == tlsim.simulate("luckywin", **asked, seed=5).tally
    )
    assert tlsim.simulate("luckywin", **asked, seed=6, store=Keep(file, "6")).stopped == "stored"


def test_the_clock_may_jump(file, monkeypatch, commit_at_once):  # noqa: ARG001
    """No time of day is ever asked for."""
    days = iter(range(10**6, 0, -1))
    monkeypatch.setattr(time, "time", lambda: 86_400.0 * next(days))
    assert go(file, 5000).tally == whole(5000)


# Parts that overlap


def raw(first, end, deals=None):
    block = Block(first, (end - first) * UNIT if deals is None else deals)
    return Part(first, end, block.deals), Work()(block)


def merged(file, *parts):
    with Store(file) as store, kept_in(file, "test", Work(), RECIPE, 100):
        run = store.find("test")
        placed = store.write(run, parts, Counted())
        total = sum((tally for _, tally in store.tallies(run, Counted())), start=Counted())
        covered = [unit for part in store.ranges(run) for unit in range(part.first, part.end)]
    assert len(covered) == len(set(covered))
    assert total.units == sum(covered)
    return placed, covered


def test_parts_of_others_are_placed_once(file):
    assert merged(file, raw(0, 2), raw(4, 6)) == ((2, 0, 0), [0, 1, 4, 5])
    assert merged(file, raw(0, 2), raw(4, 6)) == ((0, 2, 0), [0, 1, 4, 5])
    assert merged(file, raw(1, 2)) == ((0, 1, 0), [0, 1, 4, 5])  # within another
    assert merged(file, raw(5, 7)) == ((0, 0, 1), [0, 1, 4, 5])  # crosses another: left out, and done later
    assert merged(file, raw(3, 7)) == ((1, 0, 0), [0, 1, 3, 4, 5, 6])  # holds more than what is there
    assert merged(file, raw(2, 3)) == ((1, 0, 0), [0, 1, 2, 3, 4, 5, 6])
    assert [(part.first, part.end) for part in parts_of(file)] == [(0, 7)]


def test_a_cut_unit_gives_way_to_the_whole_one(file):
    assert merged(file, raw(0, 1, deals=4))[0] == (1, 0, 0)
    assert merged(file, raw(0, 1))[0] == (1, 0, 0)
    assert merged(file, raw(0, 1, deals=4))[0] == (0, 1, 0)
    assert parts_of(file) == [Part(0, 1, UNIT)]


# Tallies as bytes


def test_any_tally_of_whole_numbers():
    tally = tlsim.simulate("luckywin", games=1200).tally
    assert unpack(pack(tally), GameTally(*(np.zeros_like(value) for value in vars(tally).values()))) == tally


def test_numbers_up_to_64_bits_come_back_and_larger_ones_are_refused():
    biggest = Counted(2**63 - 1, -(2**63))
    assert unpack(pack(biggest), Counted()) == biggest
    with pytest.raises(OverflowError):
        pack(Counted(2**63))


@pytest.mark.parametrize("at", [0, 31, 32, 40, 100, -1])
def test_any_flipped_bit_is_seen(at):
    data = bytearray(pack(Counted(5, 6)))
    data[at] ^= 1
    with pytest.raises(PackedError, match="checksum"):
        unpack(bytes(data), Counted())


def test_a_tally_belongs_to_its_place():
    assert unpack(pack(Counted(5, 6), "here"), Counted(), "here") == Counted(5, 6)
    with pytest.raises(PackedError, match="checksum"):
        unpack(pack(Counted(5, 6), "here"), Counted(), "there")


def test_a_tally_of_another_form_is_told():
    @dataclass(frozen=True)
    class Wider:
        deals: int = 0
        units: int = 0
        more: int = 0

    with pytest.raises(PackedError, match="tally 'Counted', not 'Wider'"):
        unpack(pack(Counted()), Wider())
    Wider.__name__ = "Counted"
    with pytest.raises(PackedError, match=r"more of shape None, not \[\]"):
        unpack(pack(Counted()), Wider())


# Arguments


def test_arguments_of_keep():
    for wrong in ({"file": ""}, {"file": 3}, {"file": "f", "label": " "}, {"file": "f", "label": "a\nb"},
                  {"file": "f", "label": "a\x1b[0m"}, {"file": "f", "label": "a\u2028"},
                  {"file": "f", "label": "\ud800"},
                  {"file": "f", "shard": (0, 2)},
                  {"file": "f", "shard": (3, 2)}):  # fmt: skip
        with pytest.raises(UsageError, match=r"store|label|shard"):
            Keep(**wrong)


def test_labels_may_be_of_any_language():
    assert Keep("f", "đêm nay, ván\u3000一").label_of("") == "đêm nay, ván\u3000一"
    with pytest.raises(UsageError, match="must be one line of text"):
        Keep("f").beside("against\nx").label_of("simulate")


def test_an_error_of_the_store_holds_the_result(file, monkeypatch):
    def full(*_):
        raise StoreError("full")

    monkeypatch.setattr(Store, "write", full)
    with pytest.raises(RunError, match="full") as caught:
        tlsim.estimate_odds("doithuong", deals=50_000, store=file)
    assert caught.value.result.deals == 50_000
    assert not caught.value.result.complete
