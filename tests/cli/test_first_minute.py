"""The first minute: what can be asked, and what a shell completes."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tlsim.cli import COMMANDS, EXAMPLES, main
from tlsim.cli import tlsim as group

COMPLETED = [
    ("od", "odds"),
    ("--la", "--lang"),
    ("rules sh", "show"),
    ("odds --form", "--format"),
    ("odds --format c", "csv"),
    ("odds --rules zi", "zing"),
    ("odds --set cong.f", "cong.fine="),
    ("rules show sam", "sam_loc"),
    ("rules diff zing lucky", "luckywin"),
    ("hand tu_quy_", "tu_quy_2"),
    ("hand --rules zing ba_doi", "ba_doi_thong_3_bich"),
    ("simulate --policies sm", "smart"),
    ("simulate --policies smart,lo", "smart,lowest"),
    ("fair --skill ra", "random"),
]


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_alone_it_says_in_ten_lines_what_can_be_asked(run, lang):
    status, out, err = run("--lang", lang)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 10
    assert max(map(len, lines)) <= 80
    for asked, _ in EXAMPLES:
        assert sum(line.startswith(f"  {asked}  ") for line in lines) == 1


@pytest.mark.parametrize("asked", [part.strip() for asked, _ in EXAMPLES for part in asked.split(";")])
def test_its_examples_can_be_asked(asked):
    _, *words = shlex.split(asked)
    if "--help" in words:
        assert main(words) == 0
        return
    name, command, rest = group.resolve_command(group.make_context("tlsim", list(words)), words)
    while hasattr(command, "commands"):
        command, rest = command.commands[rest[0]], rest[1:]
    assert command.make_context(name, rest).params
    assert name in COMMANDS


def completions(words, shell):
    before = ["tlsim", *words.split()]
    begun = before[-1]
    asked = {"_TLSIM_COMPLETE": f"{shell}_complete", "COMP_WORDS": " ".join(before), "COMP_CWORD": str(len(before) - 1)}
    if shell == "fish":
        asked |= {"COMP_CWORD": begun}
    done = subprocess.run(
        [sys.executable, "-m", "tlsim"], env=os.environ | asked, capture_output=True, text=True, check=True
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize(("words", "word"), COMPLETED)
def test_what_is_begun_is_completed(monkeypatch, capfd, words, word):
    before = ["tlsim", *words.split()]
    for name, value in {
        "_TLSIM_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(before), "COMP_CWORD": str(len(before) - 1),
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    main([])
    assert word in [line.partition(",")[2] for line in capfd.readouterr().out.splitlines()]


@pytest.mark.parametrize(("shell", "shown"), [("zsh", "plain\nzing\n_\n"), ("fish", "plain,zing\n")])
def test_other_shells(shell, shown):
    assert completions("odds --rules zi", shell) == shown


def test_files_are_completed(monkeypatch, capfd):
    for words in ("settle ev", "odds --out ev", "odds --rules ./quan"):
        before = ["tlsim", *words.split()]
        monkeypatch.setenv("_TLSIM_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(before))
        monkeypatch.setenv("COMP_CWORD", str(len(before) - 1))
        main([])
        assert capfd.readouterr().out == f"file,{before[-1]}\n"


def test_bash_completes():
    tlsim = Path(sys.executable).with_name("tlsim")
    script = (
        f"eval \"$('{tlsim}' completion bash)\"; COMP_WORDS=(tlsim odds --rules zi); COMP_CWORD=3; "
        f"_tlsim_completion '{tlsim}'; echo \"${{COMPREPLY[@]}}\"; complete -p tlsim"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "zing"
    assert "_tlsim_completion" in done.stdout


@pytest.mark.parametrize(("shell", "says"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --no-")])
def test_each_shell_has_its_script(run, shell, says):
    status, out, _ = run("completion", shell)  # where bash finds no locale it complains
    assert status == 0
    assert says in out
    assert "_TLSIM_COMPLETE" in out
    if program := shutil.which(shell):
        assert subprocess.run([program, "-n"], input=out, text=True, check=False).returncode == 0


def test_another_shell_is_refused(run):
    status, _, err = run("completion", "csh")
    assert status == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["od"], "did you mean 'odds'"), (["simulat"], "did you mean 'simulate'"), (["rules", "shw"], "'show'"),
        (["odds", "--player", "3"], "--players"), (["fair", "--tolerence", "3"], "--tolerance"),
        (["rules", "show", "zng"], "did you mean 'zing'"), (["simulate", "--policies", "smrt"], "did you mean 'smart'"),
        (["odds", "--view", "exac"], "did you mean 'exact'"),
    ],
)  # fmt: skip
def test_what_is_misspelt_is_guessed(run, words, meant):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert meant in " ".join(err.split())


def test_what_it_says_can_be_asked(run):
    """Each line that is shown where nothing is asked is a command that runs, or names a file of one's own."""
    small = {"simulate": "--games 24", "odds": "--deals 1k", "fair": "--games 0", "hand": "--games 24"}
    asked = [each.split()[1:] for line, _ in EXAMPLES for each in line.split("; ") if "evening.txt" not in line]
    for words in asked:
        more = [] if "--help" in words else small.get(words[0], "").split()
        status, _, err = run(*words, *more)
        assert status == 0, (words, err)
