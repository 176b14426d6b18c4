"""Policies of one's own that use their arrays as they should not are refused, with the index, and end no process."""

import bad_policies
import pytest

import tlsim
from tlsim.cli import main
from tlsim.errors import UsageError
from tlsim.kernels.own import DEBUG

WRITES = {
    "writes_outside": "raised IndexError: index 2000",
    "writes_outside_below": "raised IndexError: index 1000000 is out of bounds for axis 0 with size 15",
    "writes_late": "raised IndexError: index ",
}


@pytest.mark.parametrize("name", WRITES)
def test_what_writes_outside_its_arrays_is_refused(name):
    with pytest.raises(UsageError, match=r"see tlsim\.policy") as error:
        tlsim.simulate("luckywin", games=240, policies=getattr(bad_policies, name), threads=1)
    assert f"'bad_policies:{name}'" in str(error.value)
    assert WRITES[name] in str(error.value)


def test_looking_changes_no_game(monkeypatch):
    """More than a thousand calls, so that the last are not looked at; with all of them looked at it is the same."""
    usual = tlsim.simulate("luckywin", games=1200, policies=bad_policies.last, threads=1)
    monkeypatch.setenv(DEBUG, "1")
    looked = tlsim.simulate("luckywin", games=1200, policies=bad_policies.last, threads=1)
    assert looked.rows("seats") == usual.rows("seats")


def test_all_calls_are_looked_at_where_it_is_asked_for(monkeypatch, capfd):
    monkeypatch.setenv(DEBUG, "")  # put back in the end
    words = [
        "simulate",
        "--rules",
        "luckywin",
        "--games",
        "48",
        "--policies",
        "bad_policies:writes_outside",
        "--lang",
        "en",
    ]
    assert main([*words, "--debug-policy"]) == 2
    assert "raised IndexError: index 2000" in capfd.readouterr().err
