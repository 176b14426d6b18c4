"""``tlsim simulate --precise``: mean money of every seat, less the luck of the deal."""

from __future__ import annotations

from functools import partial
from typing import Any

from tlsim.cli.output import Number, emit
from tlsim.cli.running import computed, forecasts, stopped_note
from tlsim.cli.stats import plus_minus
from tlsim.cli.view import Words
from tlsim.errors import UsageError
from tlsim.results.parts import Row
from tlsim.terms import term


def show(
    rules: Any, asked: dict[str, Any], running: dict[str, Any], *, rotate: bool, unused: dict[str, Any],
    dry_run: bool, stake: int | None, lang: str, fmt: str, out: str | None,
) -> None:  # fmt: skip
    """Print the table of `tlsim.mean_money`; what is asked about given cards must be None, and what is unused false."""
    from tlsim.values import mean_money, money_task

    given = {"--hand": asked.pop("hands"), "--leader": asked.pop("leader"), "--deal": asked.pop("deals")}
    for flags, about in ((given, "free deals"), (unused, "the mean money of seats alone")):
        for flag, value in flags.items():
            if value is not None and value is not False:
                raise UsageError(f"{flag}: --precise is about {about}; leave one of them out")
    if dry_run:
        plan = forecasts([money_task(rules, rotate=rotate, **asked)], running)
        emit("simulate", {"rules": rules.name}, {"plan": plan}, fmt=fmt, lang=lang, out=out)
        return
    found, stopped = computed(partial(mean_money, rules, rotate=rotate, **asked, **running))
    rows = found.rows()
    times = f"mean × {stake or 0:,}"
    people = fmt in {"table", "markdown"}
    provenance = found.provenance.as_dict() | {
        "policies": ",".join(found.policies), "match_length": found.match_length, "games": found.games,
        "stopped": found.stopped,
    }  # fmt: skip
    if people:
        shown, provenance = [_shown(row, lang, stake) for row in rows], Words(lang).provenance(provenance)
    else:
        shown = [row | ({times: row["mean"] * stake} if stake else {}) for row in rows]
    few = all(row["variance_ratio"] in (1, None) for row in rows)
    said = ["note_rotated"] * rotate + ["note_few_matches" if few else "note_precise"]
    notes = [term(note, lang) for note in said]
    notes.append(f"{found.games:,} {term('games_played', lang)}; {found.seconds:.2f} s")
    notes.append(stopped_note(found, lang))
    emit(
        "simulate", provenance, {"precise": shown}, fmt=fmt,
        complete=stopped is None, titles={"precise": term("view_precise", lang)}, notes=notes, lang=lang, out=out,
    )  # fmt: skip
    if stopped is not None:
        raise stopped


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
