"""Users' functions: which may travel, and that an edit is seen."""

import importlib
import pickle
import sys

import faulty
import numba
import numpy as np
import pytest

import tlsim
from tlsim.engine.functions import check_travels, load_function, source_digest
from tlsim.engine.odds_work import Counter
from tlsim.engine.policies import read_policies
from tlsim.errors import UsageError

SOURCE = '''
import numba
import numpy as np
import other
LIMIT = {limit}
TABLE = np.array([1, {entry}])

@numba.njit
def helper(top):
    return top < LIMIT

@numba.njit
def wanted(hand):
    """{words}"""
    # {words}
    return {brackets} and TABLE[0] > 0 and other.inner(hand) > 0

def unused():
    return {unused}
'''
OTHER = """
import numba
@numba.njit
def inner(hand):
    return hand + {added}
def not_used():
    return {unused}
"""
DEFAULTS = {"limit": 12, "entry": 5, "words": "Words.", "brackets": "helper(hand)", "unused": 1}


@pytest.fixture
def digest(tmp_path, monkeypatch):
    """Write the two modules and return the digest of the function."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(added=1, not_used=1, **changes):
        (tmp_path / "wanted_module.py").write_text(SOURCE.format(**(DEFAULTS | changes)), encoding="utf-8")
        (tmp_path / "other.py").write_text(OTHER.format(added=added, unused=not_used), encoding="utf-8")
        for name in ("wanted_module", "other"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return source_digest(importlib.import_module("wanted_module").wanted)

    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    yield write
    sys.dont_write_bytecode = before
    for name in ("wanted_module", "other"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    "change",
    [{"limit": 11}, {"entry": 6}, {"brackets": "not helper(hand)"}, {"added": 2}],
    ids=["a number it uses", "an array it uses", "its own text", "a function of another module"],
)
def test_what_changes_the_answer_changes_the_digest(digest, change):
    assert digest() != digest(**change)


@pytest.mark.parametrize(
    "change",
    [{"words": "Other words."}, {"brackets": "(helper( hand ))"}, {"unused": 2}, {"not_used": 2}],
    ids=["comments", "layout", "another function", "another function of another module"],
)
def test_what_does_not_change_the_answer_does_not(digest, change):
    assert digest() == digest(**change)


def made(limit, table=None, helpers=()):
    def inner(hand):
        return hand < limit and (table is None or table[0] > 0) and len(helpers) >= 0

    return inner


def test_what_a_closure_holds_counts():
    assert source_digest(made(3)) == source_digest(made(3)) != source_digest(made(4))
    assert source_digest(made(3, np.array([1]))) != source_digest(made(3, np.array([2])))
    assert source_digest(made(3, helpers=(made(1),))) == source_digest(made(3, helpers=(made(1),)))
    assert source_digest(made(3, helpers=(made(1),))) != source_digest(made(3, helpers=(made(2),)))
    assert source_digest(made(np.int64(3))) != source_digest(made(np.int64(4)))


def test_functions_that_were_typed_in():
    def typed(text):
        names = {}
        exec(text, names)
        return names["f"]

    one, two, three = map(typed, ("def f(h):\n return h > 3", "def f(h):\n return h  >  3", "def f(h):\n return h > 4"))
    assert source_digest(one) == source_digest(two) != source_digest(three)


def test_compiled_and_plain_are_the_same_source():
    assert source_digest(faulty.stingy) == source_digest(faulty.stingy.py_func)


def test_recursion_ends():
    def again(n):
        return again(n - 1) if n else 0

    assert source_digest(again) == source_digest(again)


# What travels


@pytest.fixture(autouse=True)
def _found_anew():
    yield
    load_function.cache_clear()


def test_a_function_of_a_module_travels_by_its_place():
    check_travels(faulty.stingy, "policies")
    [policy] = read_policies([faulty.stingy], 1)
    text = pickle.dumps(policy)
    assert b"faulty:stingy" in text
    assert pickle.loads(text).compiled() is faulty.stingy
    counter = pickle.loads(pickle.dumps(Counter(faulty.has_two_of_hearts)))
    assert counter(np.array([1 << 51, 5])) == 1


def test_what_others_cannot_find_does_not_travel(monkeypatch):
    local = numba.njit(lambda hand: hand > 0)
    with pytest.raises(UsageError, match=r"predicate: '.*<lambda>' is defined in another function.* threads only"):
        pickle.dumps(Counter(local))
    with pytest.raises(UsageError, match="threads only; put it into a module"):
        pickle.dumps(Counter(faulty.plain[0]))
    typed = numba.njit(lambda plays, hand, table, log, random: 0)  # noqa: ARG005
    typed.__module__ = "__main__"
    with pytest.raises(UsageError, match=r"policies: .* is defined in a notebook .*threads only; put it into a module"):
        pickle.dumps(read_policies([typed], 1)[0])
    counter = Counter(faulty.has_two_of_hearts)
    monkeypatch.setattr(faulty, "has_two_of_hearts", local)
    with pytest.raises(UsageError, match="or replaced"):
        pickle.dumps(counter)


def test_a_notebook_function_on_processes_is_refused_before_anything_starts():
    local = numba.njit(lambda hand: hand > 0)
    with pytest.raises(UsageError, match="threads only"):
        tlsim.estimate_event(local, deals=1000, executor="processes")
    assert tlsim.estimate_event(local, deals=1000).count == 1000


def test_another_source_at_the_same_place_is_refused(monkeypatch):
    policy, counter = read_policies("faulty:stingy", 1)[0], Counter("faulty:has_two_of_hearts")
    texts = [pickle.dumps(policy), pickle.dumps(counter)]
    monkeypatch.setattr(faulty, "LIMIT", 11)
    with pytest.raises(UsageError, match=r"policies: 'faulty:stingy' has another source here \(digest .*same file"):
        pickle.loads(texts[0])
    assert pickle.loads(texts[1])
    monkeypatch.setattr(faulty, "has_two_of_hearts", numba.njit(lambda hand: hand > 5))
    load_function.cache_clear()
    with pytest.raises(UsageError, match="predicate: 'faulty:has_two_of_hearts' has another source here"):
        pickle.loads(texts[1])


def test_predicates_and_policies_give_the_same_numbers_on_processes(processes):
    here = tlsim.estimate_event("faulty:has_two_of_hearts", deals=300_000, seed=4)
    there = tlsim.estimate_event(faulty.has_two_of_hearts, deals=300_000, seed=4, executor=processes, threads=2)
    assert here == there
    assert here.provenance.predicate == "has_two_of_hearts"
    own = {"games": 600, "seed": 4, "policies": "faulty:stingy,lowest,lowest,lowest"}
    assert tlsim.simulate("luckywin", **own).tally == tlsim.simulate("luckywin", executor=processes, **own).tally


def test_a_place_that_is_not_there():
    with pytest.raises(
        UsageError, match="predicate: 'faulty:has_two_of_heart': faulty has no 'has_two_of_heart'; did you mean"
    ):
        tlsim.estimate_event("faulty:has_two_of_heart", deals=10)
    with pytest.raises(UsageError, match=r"predicate: 'fault:f': cannot import fault"):
        tlsim.estimate_event("fault:f", deals=10)
    with pytest.raises(UsageError, match="module:function"):
        tlsim.estimate_event("f", deals=10)
