"""Files of games: JSON Lines, one indented JSON document or several, or the notation; told by the first line."""

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from tlsim.catalogue import N_
from tlsim.errors import Sentence, UsageError, reason
from tlsim.folders import existing
from tlsim.records import model
from tlsim.records.model import BOM, RecordError, broken
from tlsim.records.notation import read_notation
from tlsim.records.referee import Settlement
from tlsim.records.settling import Settled, settle_all, settle_read
from tlsim.rules import Rules

Values: TypeAlias = Iterator[tuple[str, Any]]
NOTATION = ""
_JSON_BEGINS = '{["0123456789'
_FOREIGN = (
    (b"\x1f\x8b", N_("gzip: unpack it (gunzip)")), (b"PK\x03\x04", N_("a zip archive: unpack it")),
    (b"\xff\xfe", N_("UTF-16 text: save it as UTF-8")), (b"\xfe\xff", N_("UTF-16 text: save it as UTF-8")),
)  # fmt: skip
_MOST_OF_A_DOCUMENT = 64 * model.MOST_BYTES


def settle_lines(lines: Iterable[str | bytes], name: str, rules: Rules | None = None) -> Iterator[Settled]:
    """Settle the games of a file, in any of the three forms; yield each with its place, or what is wrong with it."""
    kind, lines = _told(lines, name)
    if kind == NOTATION:
        return read_notation(lines, name, rules)
    return settle_all(model.as_records(json_values(lines, name, kind)), rules)


def settle_text(text: str | bytes, rules: Rules | None = None) -> Settlement:
    """Settle the one game that a text holds, JSON or notation."""
    kind, _ = _told([text], "record")
    if kind != NOTATION:
        return settle_read(model.read_record(model.read_json(text, "record"), "record"), rules)
    found: list[Settlement] = []
    for _, done in settle_lines(text.splitlines(), "record", rules):
        if isinstance(done, RecordError):
            raise done
        found.append(done)
    if len(found) != 1:
        raise broken("record", "holds {number} games; it must be one", number=len(found))
    return found[0]


def deals_of(lines: Iterable[str | bytes], name: str, rules: Rules) -> Iterator[tuple[str, Any]]:
    """Yield what a file deals: JSON values, or games in notation as records; rules : of a notation that names none."""
    kind, lines = _told(lines, name)
    if kind != NOTATION:
        yield from json_values(lines, name, kind)
        return
    for where, done in read_notation(lines, name, usual=rules):
        yield where, done if isinstance(done, RecordError) else done.record


def _told(lines: Iterable[str | bytes], name: str) -> tuple[str, Iterator[str | bytes]]:
    """Return the first line that is not blank, or `NOTATION`, and all lines."""
    rest = iter(lines)
    for number, line in enumerate(rest):
        if isinstance(line, bytes) and (kind := next((word for sign, word in _FOREIGN if line.startswith(sign)), None)):
            raise broken(name, "is {kind}; a file of games is text in UTF-8", kind=Sentence(kind))
        text = (line.decode(errors="replace") if isinstance(line, bytes) else line).removeprefix(BOM).strip()
        if text:
            whole = itertools.chain([b""] * number, [line], rest)
            return text if text[0] in _JSON_BEGINS else NOTATION, whole
    return NOTATION, iter(())


def games_in(file: str | Path, rules: Rules | None = None) -> Iterator[Settled]:
    """Settle the games of a file; see `settle_lines`."""
    try:
        with existing(file).open("rb") as stream:
            yield from settle_lines(stream, Path(file).name, rules)
    except (OSError, ValueError) as error:
        if isinstance(error, RecordError | UsageError):
            raise
        raise UsageError("cannot read {file!r}: {reason}", file=str(file), reason=reason(error)) from None


def settled_game(file: str | Path, line: int | None, rules: Rules | None = None) -> Settlement:
    """Return the game of a file that begins on a line or goes on there; the first where no line is named."""
    name, found = Path(file).name, None
    for where, done in games_in(file, rules):
        if line is not None and int(where.rpartition(":")[2]) > line:
            break
        found = done
        if line is None:
            break
    else:
        found = None if line is not None and line > _lines_of(file) else found
    if found is None:
        if line is None:
            raise UsageError("{file}: there is no game in it", file=name)
        raise UsageError("{file}: there is no game on line {line}", file=name, line=line)
    if isinstance(found, RecordError):
        raise found
    return found


def _lines_of(file: str | Path) -> int:
    with Path(file).open("rb") as opened:
        return sum(1 for _ in opened)


def json_values(lines: Iterator[str | bytes], name: str, first: str) -> Values:
    """Yield the values of JSON, one a line, or of documents over several; first : the first line that is not blank."""
    if first[0] == "[":
        return _documents(lines, name)
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        lines, ahead = itertools.tee(lines)
        second = next(itertools.islice(filter(bytes.strip, map(_as_bytes, ahead)), 1, None), b"{")
        if not second.startswith(b"{"):
            return _documents(lines, name)
    return model.read_values(lines, name)


def _as_bytes(line: str | bytes) -> bytes:
    return line.encode(errors="replace") if isinstance(line, str) else line


def _documents(lines: Iterable[str | bytes], name: str) -> Values:
    """Yield the records of JSON over several lines: objects one after another, or in an array."""
    text, size = [], 0
    for number, line in enumerate(lines, 1):
        try:
            text.append(model.decoded(line, f"{name}:{number}"))
        except RecordError as error:
            yield f"{name}:{number}", error
            return
        size += len(line)
        if size > _MOST_OF_A_DOCUMENT:
            yield f"{name}:{number}", broken(name, "is longer than {most:,} bytes; write one record on each line",
                                             most=_MOST_OF_A_DOCUMENT)  # fmt: skip
            return
    yield from _objects("".join(one if one.endswith("\n") else f"{one}\n" for one in text), name)


def _objects(text: str, name: str) -> Values:
    at, depth, read = 0, 0, model.JSON.raw_decode
    while at < len(text):
        sign, place = text[at], f"{name}:{text.count(chr(10), 0, at) + 1}"
        if sign.isspace() or (sign == "," and depth):
            at += 1
        elif sign == "[" and not depth:
            at, depth = at + 1, 1
        elif sign == "]" and depth:
            at, depth = at + 1, 0
        else:
            try:
                value, at = read(text, at)
            except (ValueError, RecursionError) as error:
                yield place, model.no_json(error, place)
                return
            yield place, value
    if depth:
        yield place, broken(place, "the array is not closed by ]; the file may have been cut")
