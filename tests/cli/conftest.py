"""The command line as a user has it, in the process of the tests."""

import pytest

from tlsim.cli import main


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    monkeypatch.delenv("TLSIM_LANG", raising=False)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


@pytest.fixture
def run(capfd):
    """Run a command; return its exit status, standard output and standard error."""

    def call(*arguments):
        status = main([str(word) for word in arguments])
        captured = capfd.readouterr()
        return status, captured.out, captured.err

    return call
