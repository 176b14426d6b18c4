"""The same bits as before for every preset, number of seats and policy: see `recorded_tallies`."""

import json

import pytest
from recorded_tallies import FILE, POLICIES, cases, digest_of

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_case_is_recorded():
    assert list(RECORDED) == [" ".join(map(str, case)) for case in cases()]


@pytest.mark.parametrize("policy", POLICIES)
def test_tallies_of_some_thousand_games(policy):
    for case in cases():
        if case[2] == policy:
            assert digest_of(*case, whole=False) == RECORDED[" ".join(map(str, case))][0], case


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_tallies_of_two_million_games(policy):
    for case in cases():
        if case[2] == policy:
            assert digest_of(*case, whole=True) == RECORDED[" ".join(map(str, case))][1], case
