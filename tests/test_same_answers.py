"""Numbers for a seed stay what they were: the recorded answers of `answers.py`."""

import pytest
from answers import COMMANDS, answer, apart, recorded

MEANT = "If this is meant, `make answers` records the answers anew, and the changelog says why."
RECORDED = recorded()
OF_A_STORE = [command for command in COMMANDS if "STORE" in command]


def test_every_command_is_recorded():
    assert list(RECORDED) == COMMANDS


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in OF_A_STORE])
def test_the_answer_is_as_it_was(command):
    found = apart(RECORDED[command], answer(command, ""))
    assert not found, "\n".join([*found[:20], MEANT])


def test_answers_of_kept_runs_are_as_they_were(tmp_path):
    store = str(tmp_path / "store")
    found = {command: apart(RECORDED[command], answer(command, store)) for command in OF_A_STORE}
    assert not any(found.values()), f"{found}\n{MEANT}"
