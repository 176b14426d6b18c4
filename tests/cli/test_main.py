"""The command as a whole: help, start-up, exit statuses, encodings."""

import importlib.util
import inspect
import json
import os
import signal
import subprocess
import sys
import time

import pytest

import tlsim
from tlsim.cli import COMMANDS, main
from tlsim.cli import tlsim as group
from tlsim.errors import Fault, RulesError, UsageError


def command(*words, stdout=subprocess.PIPE, **variables):
    return subprocess.run(
        [sys.executable, "-m", "tlsim", *words], stdout=stdout, stderr=subprocess.PIPE, check=False,
        env={**os.environ, **variables},
    )  # fmt: skip


def test_help_lists_the_commands(run):
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    for name, (_, text) in COMMANDS.items():
        assert f"{name} " in out
        assert text in " ".join(out.split())


def test_version(run):
    assert run("--version") == (0, f"tlsim {tlsim.__version__}\n", "")


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_start_up_imports_nothing_heavy(words):
    code = (
        "import sys; from tlsim.cli import main; status = main(sys.argv[1:]);"
        "heavy = {'numpy', 'numba', 'pandas', 'scipy', 'matplotlib', 'rich', 'pydantic'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else status)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [n for n in COMMANDS if importlib.util.find_spec(COMMANDS[n][0].partition(":")[0])])
def test_help_of_each_command(run, name):
    status, out, _ = run(name, "--help")
    assert status == 0
    found = group.get_command(None, name)
    assert inspect.cleandoc(found.help).splitlines()[0] == COMMANDS[name][1]
    assert "Usage: tlsim" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "no such command 'nope'"),
        (["odds", "--nope"], "No such option"),
        (["odds", "--rules", "dotuong"], "did you mean 'doithuong'?"),
        (["odds", "--set", "x"], "write key=value"),
        (["odds", "--set", "cong.fin=2"], "cong.fin"),
        (["odds", "--deals", "many"], "'many' is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M"),
        (["odds", "--deals", "1.5"], "is not a whole number"),
        (["odds", "--deals", "1e999999999"], "is not a whole number"),
        (["odds", "--deals", "1e18"], "must be"),
        (["odds", "--deals", "-5"], "must be"),
        (["odds", "--players", "9"], "doithuong is for 2 to 4 players"),
        (["odds", "--lang", "fr"], "'fr' is not one of"),
        (["odds", "--format", "xml"], "'xml' is not one of"),
        (["odds", "--plot", "x.doc"], "must end in one of"),
        (["odds", "--plot", "no/x.png"], "there is no folder"),
        (["odds", "--out", "."], "cannot write '.'"),
    ],
)
def test_wrong_usage(run, words, said):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert said in " ".join(err.split())
    assert "Traceback" not in err


def replace_odds(monkeypatch, function):
    """Let something else happen where odds are counted."""
    monkeypatch.setattr("tlsim.questions.odds.ListOdds.counted", function)


def test_errors_are_told_by_their_status(run, monkeypatch):
    fault = RulesError("x.toml", [Fault("prices.rac", -1, "must be 0 or more"), Fault("name", None, "is missing")])
    for error, expected in ((fault, 1), (UsageError("no"), 2)):

        def fails(*_arguments, error=error, **_options):
            raise error

        replace_odds(monkeypatch, fails)
        status, out, err = run("odds")
        assert (status, out) == (expected, "")
        assert str(error) in err


def test_a_finding_is_status_1(run):
    assert run("rules", "diff", "zing", "luckywin")[0] == 1
    assert run("rules", "diff", "zing", "zing")[0] == 0


def test_ctrl_c(run, monkeypatch):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    replace_odds(monkeypatch, interrupted)
    assert run("odds") == (130, "", "")


def test_sigterm(run, monkeypatch):
    before = signal.getsignal(signal.SIGTERM)

    def ended(*_arguments, **_options):
        signal.raise_signal(signal.SIGTERM)

    replace_odds(monkeypatch, ended)
    assert run("odds") == (143, "", "")
    assert signal.getsignal(signal.SIGTERM) is before


def test_bugs_are_not_hidden(monkeypatch):
    def broken(*_arguments, **_options):
        raise ZeroDivisionError

    replace_odds(monkeypatch, broken)
    with pytest.raises(ZeroDivisionError):
        main(["odds"])


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="closed pipes are told otherwise there")
def test_closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = command("rules", "show", "doithuong", stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_vietnamese_where_the_locale_knows_only_ascii():
    done = command("rules", "list", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "Tiến lên đổi thưởng" in done.stdout.decode("utf-8")


def test_messages_where_the_locale_knows_only_ascii():
    done = command("rules", "show", "đổi", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_that_comes_twice_still_prints_json(number):
    process = subprocess.Popen(
        [sys.executable, "-m", "tlsim", "odds", "--deals", "100G", "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, restore_signals=True,
    )  # fmt: skip
    time.sleep(1.5)
    for _ in range(3):
        process.send_signal(number)
        time.sleep(0.01)
    document = json.loads(process.communicate(timeout=60)[0])
    assert document["complete"] is False
    assert process.returncode == 128 + number


@pytest.mark.parametrize(("to", "reason"), [("> /dev/full", "No space left"), (">&-", "standard output")])
def test_output_that_cannot_be_written_is_one_line(to, reason):
    command = f"'{sys.executable}' -m tlsim rules list {to}"
    done = subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("words", "flag"), [
    ("fair --rules zing --rules=hue", "--rules"), ("odds --rules zing --deals 1k --rules zing", "--rules"),
])  # fmt: skip
def test_rules_are_not_lost_where_one_set_is_asked_about(run, words, flag):
    status, _, err = run(*words.split())
    assert status == 2
    assert f"{flag} is given twice; it takes one value" in err


def test_flags_that_may_be_repeated_are(run):
    words = "fair --rules zing --games 0 --view pairs --view summary --opening --opening"
    assert run(*words.split())[0] == 0


def test_who_names_a_view_is_shown_that_view(run):
    """Verdicts stand above what is shown without a name, and above all views, but not above one that is named."""
    asked = ["fair", "--rules", "zing", "--games", "0", "--lang", "en"]
    whole, one, every = (run(*asked, *more)[1] for more in ((), ("--view", "summary"), ("--view", "all")))
    assert ["of that is misplaced" in text for text in (whole, one, every)] == [True, False, True]
    assert "The whole list" in one
