"""``tlsim simulate --precise``: mean money of every seat, less the luck of the deal."""

from __future__ import annotations

from typing import Any

from tlsim.cli.output import Number, emit
from tlsim.cli.stats import plus_minus
from tlsim.cli.view import Words
from tlsim.errors import UsageError
from tlsim.results.parts import Row
from tlsim.terms import language, term


def show(rules: Any, policies: str, *, rotate: bool, stake: int | None, lang: str | None, fmt: str, out: str | None,
         **options: Any) -> None:  # fmt: skip
    """Print the table of `tlsim.mean_money`; options that are about given cards must be None."""
    from tlsim.values import mean_money

    given = {name: options.pop(name) for name in ("hands", "leader", "deals", "against", "plot")}
    if told := [name for name, value in given.items() if value]:
        words = {"hands": "--hand", "deals": "--deal", "against": "--against-…"}
        raise UsageError(f"{words.get(told[0], f'--{told[0]}')}: --precise is about free deals; leave one of them out")
    if given["leader"] is not None:
        raise UsageError("--leader: --precise is about free deals; leave one of them out")
    spoken = language(lang)
    found = mean_money(rules, policies=policies, rotate=rotate, **options)
    rows = found.rows()
    times = f"mean × {stake or 0:,}"
    people = fmt in {"table", "markdown"}
    provenance = found.provenance.as_dict() | {
        "policies": ",".join(found.policies), "match_length": found.match_length, "games": found.games,
    }  # fmt: skip
    if people:
        shown, provenance = [_shown(row, spoken, stake) for row in rows], Words(spoken).provenance(provenance)
    else:
        shown = [row | ({times: row["mean"] * stake} if stake else {}) for row in rows]
    few = all(row["variance_ratio"] in (1, None) for row in rows)
    said = ["note_rotated"] * rotate + ["note_few_matches" if few else "note_precise"]
    notes = [term(note, spoken) for note in said]
    notes.append(f"{found.games:,} {term('games_played', spoken)}; {found.seconds:.2f} s")
    emit(
        "simulate", provenance, {"precise": shown}, fmt=fmt,
        complete=found.complete, titles={"precise": term("view_precise", spoken)}, notes=notes, lang=spoken, out=out,
    )  # fmt: skip
    if not found.complete:
        raise KeyboardInterrupt


def _shown(row: Row, lang: str, stake: int | None) -> Row:
    ratio = row["variance_ratio"]
    cells: Row = {
        term("seat_word", lang): row["seat"],
        term("policy", lang): row["policy"],
        term("mean", lang): plus_minus(row["mean"], row["std_error"]),
        term("interval", lang): Number(f"{row['ci_low']:+.4g} … {row['ci_high']:+.4g}"),
        term("plain_mean", lang): plus_minus(row["plain_mean"], row["plain_std_error"]),
        term("variance_ratio", lang): None if ratio is None else Number(f"{ratio:.3g}"),
    }
    return cells if stake is None else cells | {f"× {stake:,}": Number(f"{row['mean'] * stake:+,.0f}")}
