"""``tlsim settle``: whatever its file may be, what is wrong is named, the rest is settled, and memory does not grow."""

import gc
import gzip
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import tlsim
import tlsim.cli.settle
from tlsim.errors import UsageError
from tlsim.records.game_files import settle_lines

DOCS = Path(__file__).parents[2] / "docs" / "records.md"
EVENING = re.findall(r"^```text\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[0]


@pytest.fixture(scope="module")
def records():
    return tlsim.play("luckywin", games=12, seed=3)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.jsonl"


def written(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"\x00" * 100, "zero bytes"),
        (bytes(range(128, 256)), "no UTF-8 text"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b"[" * 100_000, "too deep"),
        (b'{"a": ' * 100_000, "too deep"),
        (b'{"leader": NaN}', "NaN is no number"),
        (b'{"players": ' + b"9" * 10_000 + b"}", "too many digits"),
        (b'{"leader": 1, "leader": 2}', "twice"),
        (b"x" * 3_000_000, "longer than 1,048,576 bytes"),
        (b"null", "must be one JSON object"),
        (b"{}", "format is missing"),
        (b'{"format": "tlsim-game/1"', "no JSON"),
    ],
)
def test_a_strange_line_is_named_and_the_others_are_settled(run, file, records, line, words):
    first, second = records[:1], records[1:2]
    file.write_bytes(b"\xef\xbb\xbf" + written(first).replace(b"\n", b"\r\n") + line + b"\n" + written(second))
    status, out, err = run("settle", file, "--format", "json")
    document = json.loads(out)
    assert status == 1
    assert err.startswith("games.jsonl:2: ")
    assert words in err
    assert "Traceback" not in err
    assert [row["line"] for row in document["tables"]["games"]] == [1, 3]
    nets = [row["net"] for row in document["tables"]["scores"]]
    assert nets == [sum(r["net"][seat] for r in (*first, *second)) for seat in range(4)]


@pytest.mark.parametrize("data", [b"", b"\n\r\n  \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_a_file_without_a_record(run, file, data):
    file.write_bytes(data)
    for fmt in ("table", "jsonl", "json"):
        status, _, err = run("settle", file, "--format", fmt)
        assert status == 1
        assert err == "games.jsonl: holds no game; a game is one JSON object on a line, or notation (docs/records.md)\n"


@pytest.mark.parametrize("stake", [15, 5000, 12345])
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_money_times_a_stake_is_exact_and_of_all_players(run, file, monkeypatch, stake, width):
    """What people pay is told to the last half, and where one player's money stands, that of all others does."""
    file.write_text(EVENING, encoding="utf-8")
    monkeypatch.setattr("tlsim.show.page.screen_width", lambda: width)
    _, out, _ = run("settle", file, "--sheet", "--stake", str(stake), "--lang", "en")
    games = json.loads(run("settle", file, "--format", "json")[1])["tables"]["games"]
    owed = [row[f"net {seat}"] * stake for row in games for seat in range(4)]
    assert any(money % 1 for money in owed) == bool(stake % 2)
    text = re.sub(r"\x1b\[[0-9;]*m", "", out).split("Score")[0]
    for money in owed:
        assert re.search(rf"(?<![\d,.]){re.escape(f'{money:+,.1f}'.removesuffix('.0'))}(?![\d,.]*\d)", text)
    assert text.count("×") in {4, 4 * len(games)}  # headings, or cards


def test_for_people(run, file, records):
    file.write_bytes(b"7\n")
    status, out, err = run("settle", file)
    assert (status, out) == (1, "")
    assert "must be one JSON object" in err
    file.write_bytes(written(records[1:3]))
    for lang, words in {
        "vi": ["Từng ván", "Bảng điểm", "Ai trả ai", "hợp lệ"],
        "en": ["Who pays whom", "all legal"],
    }.items():
        status, out, _ = run("settle", file, "--lang", lang)
        assert status == 0
        assert [word for word in words if word not in out] == []
    net = records[1]["net"][0] + records[2]["net"][0]
    assert out[out.index("Score sheet") :].splitlines()[3].split() == ["0", "2", f"{net:+g}", "cược"]
    file.write_bytes(written(records * 4))
    for fmt in ("table", "markdown"):
        out = run("settle", file, "--format", fmt, "--lang", "en")[1]
        assert "Score sheet" in out
        assert "Game by game" not in out  # more than 40


def test_what_cannot_be_read_is_wrong_usage(run, tmp_path, file, monkeypatch):
    file.write_bytes(b"{}")
    places = {tmp_path: "directory", tmp_path / "none": "No such file", "a\0b": "null byte", "x" * 5000: "too long"}
    for place, words in places.items():
        status, out, err = run("settle", place)
        assert (status, out) == (2, "")
        assert err.startswith("Error: cannot read ")
        assert words in err

    def refuse(*_words):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    status, _, err = run("settle", file)
    assert status == 2
    assert "Permission denied" in err


def test_standard_input(run, monkeypatch, records):
    stream = io.TextIOWrapper(io.BytesIO(written(records)))
    monkeypatch.setattr(sys, "stdin", stream)
    status, out, _ = run("settle", "-", "--format", "json")
    assert status == 0
    assert json.loads(out)["provenance"]["games"] == 12
    stream.close()
    status, _, err = run("settle", "-")
    assert (status, err) == (2, "Error: cannot read '-': I/O operation on closed file.\n")


def test_standard_input_that_was_closed():
    program = [sys.executable, "-c", "import os, sys; os.close(0); os.execv(sys.executable, sys.argv[1:])"]
    done = subprocess.run(
        [*program, sys.executable, "-m", "tlsim", "settle", "-"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "Error: standard input is closed; name a FILE, or pipe records in\n"


def test_jsonl_is_the_records_with_their_money(run, file, records):
    bare = [
        {key: value for key, value in record.items() if key not in ("net", "transfers", "places")} for record in records
    ]
    file.write_bytes(written(bare))
    status, out, err = run("settle", file, "--format", "jsonl")
    assert (status, err) == (0, "")
    assert out.encode() == written(records)
    target = file.with_name("settled.jsonl")
    assert run("settle", file, "--format", "jsonl", "--out", target) == (0, "", "")
    assert target.read_bytes() == written(records)


def test_the_file_that_is_read_is_not_written_over(run, file, records):
    file.write_bytes(written(records))
    os.link(file, file.with_name("linked.jsonl"))
    for out, fmt in itertools.product((file, file.with_name("linked.jsonl")), ("jsonl", "table")):
        status, _, err = run("settle", file, "--format", fmt, "--out", out)
        assert status == 2
        assert "is the file that is read" in err
        assert file.read_bytes() == written(records)


def test_wrong_usage(run, file, records):
    file.write_bytes(written(records))
    for words in (
        ["--stake", "5", "--format", "jsonl"],
        ["--set", "cong.fine=3"],
        ["--rules", "none"],
        ["--format", "x"],
    ):
        status, out, err = run("settle", file, *words)
        assert (status, out) == (2, "")
        assert "Traceback" not in err


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (UsageError("the disk is gone"), 2)])
@pytest.mark.parametrize("fmt", ["json", "jsonl", "table"])
def test_what_was_settled_before_a_break_is_printed(run, records, monkeypatch, error, status, fmt):
    def lines(_file):
        yield from written(records[:3]).splitlines()
        raise error

    monkeypatch.setattr(tlsim.cli.settle, "lines_of", lines)
    got, out, err = run("settle", "games.jsonl", "--format", fmt, "--lang", "en")
    assert got == status
    assert ("the disk is gone" in err) == (status == 2)
    if fmt == "jsonl":
        assert out.encode() == written(records[:3])
    elif fmt == "json":
        assert json.loads(out)["complete"] is False
        assert len(json.loads(out)["tables"]["games"]) == 3
    else:
        assert "partial" in out


def test_a_record_is_written_before_the_next_is_read(run, records, monkeypatch):
    seen = []
    monkeypatch.setattr(tlsim.show.output, "write", seen.append)

    def lines(_file):
        for number, record in enumerate(records):
            assert len(seen) == number
            yield json.dumps(record)

    monkeypatch.setattr(tlsim.cli.settle, "lines_of", lines)
    assert run("settle", "games.jsonl", "--format", "jsonl")[0] == 0
    assert "".join(seen).encode() == written(records)


@pytest.mark.parametrize("fmt", ["table", "jsonl"])
def test_memory_does_not_grow_with_records(run, records, monkeypatch, tmp_path, fmt):
    """Rows or records that were kept would take over 700,000 bytes; half the lines are faults, not kept either."""
    text = [json.dumps(record) for record in records]
    held = {}

    def lines(number):
        yield from itertools.islice(itertools.cycle([*text, *["7"] * 12]), number)
        gc.collect()  # also empties the lists of free tuples that Python keeps, up to 2,000 of each length
        held[number] = tracemalloc.get_traced_memory()[0]

    for number in (100, 100, 700):  # the first time also fills what is kept for good
        monkeypatch.setattr(tlsim.cli.settle, "lines_of", lambda _file, number=number: lines(number))
        tracemalloc.start()
        assert run("settle", "games.jsonl", "--format", fmt, "--out", tmp_path / "out")[0] == 1
        tracemalloc.stop()
    assert held[700] - held[100] < 100_000


@pytest.mark.slow
def test_a_hundred_thousand_records(records, file):
    """Over a pipe; less than a millisecond of a processor each is the aim, and a loaded machine is allowed two."""
    block = written(records)
    number = 100_000 // len(records) + 1
    before = os.times()
    with (
        file.open("wb") as out,
        subprocess.Popen(
            [sys.executable, "-m", "tlsim", "settle", "-", "--format", "table", "--lang", "en"],
            stdin=subprocess.PIPE, stdout=out,
        ) as program,
    ):  # fmt: skip
        for _ in range(number):
            program.stdin.write(block)
        program.stdin.close()
        assert program.wait() == 0
    after = os.times()
    assert after.children_user - before.children_user < 2e-3 * number * len(records)
    assert f"games {number * len(records):,}" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(b"{}\n" * 400, mtime=0), "is gzip: unpack it (gunzip)"),
        (b"PK\x03\x04" + b"x\n" * 400, "is a zip archive: unpack it"),
        (("{}\n" * 400).encode("utf-16"), "is UTF-16 text: save it as UTF-8"),
        (("rules zing\n" * 400).encode("utf-16"), "is UTF-16 text: save it as UTF-8"),
        (b"\xfe\xff" + ("rules zing\n" * 400).encode("utf-16-be"), "is UTF-16 text: save it as UTF-8"),
    ],
)
@pytest.mark.parametrize("command", [("settle",), ("replay",), ("simulate", "--games", "12", "--deal")])
def test_a_file_of_another_kind_is_one_sentence(run, file, content, words, command):
    file.write_bytes(content)
    status, out, err = run(*command, file)
    assert (status, out) == (1, "")
    assert err == f"Error: games.jsonl: {words}; a file of games is text in UTF-8\n"


@pytest.mark.parametrize("words", [["review"], ["advise", "--at", "0"], ["replay"], ["settle"]])
def test_a_file_without_a_game_is_named(run, file, words):
    file.write_bytes(b"")
    status, out, err = run(words[0], file, *words[1:])
    assert (status, out) == (1, "")
    assert f"{file.name}: holds no game; a game is" in err


@pytest.mark.parametrize("words", ["list", "show"])
def test_a_store_without_a_run_says_so(run, file, words):
    file.write_bytes(b"")
    status, out, err = run("runs", words, file)
    assert status == (0 if words == "list" else 2)
    assert f"{str(file)!r} holds no run" in out + err


def test_a_chop_that_lacks_its_mark_is_told_so(run, file):
    """Somebody who has passed chops: legal, but for the mark."""
    games = settle_lines(EVENING.splitlines(), "evening.txt")
    record = next(game.record for _, game in games if any(play.get("interrupt") for play in game.record["plays"]))
    file.write_bytes(written([record]))
    assert run("settle", file)[0] == 0
    for play in record["plays"]:
        play.pop("interrupt", None)
    file.write_bytes(written([record]))
    status, _, err = run("settle", file)
    assert status == 1
    assert 'this is a free chop, which needs the mark "interrupt": true' in err
    assert "locked out" not in err


def test_no_fault_speaks_as_a_library_does(run, file, records):
    """Any value anywhere: what is said is ours."""
    values = (1, -1, 1.5, "x", True, None, [], {}, [1], [{}], [[]], 10**30)
    faulty = [{**records[0], key: value} for key in records[0] for value in values]
    for key in ("plays", "calls", "transfers", "exchange"):
        for inner in ("seat", "cards", "interrupt", "as", "from", "to", "amount", "reason", "kind", "pattern"):
            faulty += [{**records[0], key: [{**(records[0].get(key) or [{}])[0], inner: value}]} for value in values]
    file.write_bytes(written(faulty))
    status, _, err = run("settle", file)
    assert status == 1
    assert len(err.splitlines()) > 200
    assert not re.search(r"Input should|valid |Value error|instance|pydantic|Traceback", err)
