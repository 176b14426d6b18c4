"""``tlsim hand``: which patterns a hand holds, how its cards group, and what it is worth."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from tlsim.cards import count_cards, parse_cards
from tlsim.cli import worth
from tlsim.cli.options import RUNNING, TARGETS, chosen_rules, flags, size
from tlsim.cli.output import Number, emit
from tlsim.cli.running import arguments, computed, forecasts, stopped_note
from tlsim.cli.view import Words
from tlsim.errors import UsageError
from tlsim.results import HandReport
from tlsim.results.parts import Row
from tlsim.rules import Rules, list_rules
from tlsim.terms import language, term


@click.command()
@click.argument("cards", nargs=-1, required=True)
@flags("rules", "set", "opening")
@click.option("--ev", is_flag=True, help="Play games with the hand: what it is worth.")
@flags("players")
@click.option("--policies", default="smart", show_default=True, metavar="NAMES", help="As in 'tlsim simulate'.")
@click.option(
    "--games", type=size, default="20_000", show_default=True, metavar="N",
    help="With --ev: deals, each played from every distance and in every way.",
)  # fmt: skip
@click.option(
    "--distance", type=size, metavar="N", help="Seats from the leader to the hand; 0 leads. [default: all in turn]"
)
@click.option("--dead", metavar="CARDS", help="With --ev: cards that nobody holds, where not all are dealt.")
@flags("seed", *RUNNING, *TARGETS, "stake", "lang", "format", "plot", "out")
@click.pass_context
def hand(
    context: click.Context,
    /,
    *,
    cards: tuple[str, ...],
    rules_name: str,
    settings: tuple[str, ...],
    opening: bool,
    ev: bool,
    players: int | None,
    policies: str,
    games: int,
    distance: int | None,
    dead: str | None,
    seed: int,
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    out: str | None,
    **how: Any,
) -> None:
    """Which patterns a hand holds, how it groups, what it is worth.

    CARDS as people write them: "3S 10♥ 2d", ♥2♦2♣2♠2, with or without separators. --rules all asks every rule set.

    With --ev games are played with the hand, the others' cards being drawn: chance to be first, mean money, spread, and
    whether to declare or to call. CARDS may then be the id of a pattern (tu_quy_2), whose hands are drawn uniformly, or
    toi_trang for every pattern of the list.
    """
    text, spoken = " ".join(cards), language(lang)
    worth.check_flags(context, ev=ev, rules_name=rules_name)
    worth.check_hand(text, ev=ev, plot=plot)
    asked = [chosen_rules(rules_name, settings)] if rules_name != "all" else _all_rules(text, settings, spoken)
    people = fmt in {"table", "markdown"}
    tables: dict[str, list[Row]] = {}
    provenance: dict[str, Any] = {}
    notes: list[str] = []
    stopped: BaseException | None = None
    question: dict[str, Any] = {
        "players": players, "policies": policies, "games": games, "distance": distance, "opening": opening,
        "dead": dead, "seed": seed,
    }  # fmt: skip
    if ev and how["dry_run"]:
        plan = forecasts(_tasks(text, asked[0], **question), arguments(how))
        emit("hand", {"rules": asked[0].name}, {"plan": plan}, fmt=fmt, lang=spoken, out=out)
        return
    if not ev or not worth.asks_for_pattern(text, asked[0], opening=opening):
        tables, provenance, notes = _report(text, asked, spoken, opening=opening, people=people)
        if rules_name == "all":
            provenance = {key: provenance[key] for key in ("hand", "version", "opening")} | {"rules": "all"}
    if ev:
        found, stopped = computed(partial(_play, text, asked[0], **question, **arguments(how)))
        more, played, said = worth.tables(found, spoken, stake, people=people)
        if asked[0].president is not None and not opening:
            said.append(term("note_no_exchange", spoken))
        tables, provenance, notes = tables | more, provenance | played, [*notes, *said, stopped_note(found, spoken)]
    if people:
        provenance = Words(spoken).provenance(provenance)
    titles = {view: term(view, spoken) for view in ("held", "groups")} | worth.titles(spoken)
    emit(
        "hand", provenance, tables, fmt=fmt, complete=stopped is None, titles=titles, notes=notes, lang=spoken, out=out
    )  # fmt: skip
    if ev and plot and found.rows():
        _draw(found, plot, spoken)
    if stopped is not None:
        raise stopped


def _report(
    text: str, asked: list[Rules], lang: str, *, opening: bool, people: bool
) -> tuple[dict[str, list[Row]], dict[str, Any], list[str]]:
    """Return the tables of what a hand holds, provenance and notes."""
    from tlsim import api

    reports = [(rules, api.classify_hand(text, rules, opening=opening)) for rules in asked]
    held = [row for rules, report in reports for row in _held(rules, report, lang, people=people)]
    first = reports[0][1]
    provenance = {"hand": first.cards} | first.provenance.as_dict()
    notes = [] if held else [f"{term('held', lang)}: {term('no_pattern', lang)}"]
    return {"held": held, "groups": _groups(first, lang, people=people)}, provenance, notes


def _play(text: str, rules: Rules, **asked: Any) -> Any:
    """Return what a hand, a pattern or the whole list is worth."""
    from tlsim import values

    if text.strip() != worth.WHOLE_LIST:
        return values.hand_value(text, rules, **asked)
    return values.worth_of_declaring(rules, **_of_the_list(asked))


def _tasks(text: str, rules: Rules, **asked: Any) -> list[Any]:
    """Return the tasks of that."""
    from tlsim import values

    if text.strip() != worth.WHOLE_LIST:
        return [values.hand_task(text, rules, **asked)]
    return list(values.declare_tasks(rules, **_of_the_list(asked)))


def _of_the_list(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked about the whole list."""
    if asked.pop("dead"):
        raise UsageError("--dead: weights of the whole list are those of all hands; ask about one pattern")
    return asked


def _draw(found: Any, file: str, lang: str) -> None:
    from tlsim.plotting import new_axes, save

    axes = new_axes(len(found.rows()) + len(found.rows("declare")))
    found.plot(axes, lang=lang)
    save(axes.figure, file)


def _all_rules(text: str, settings: tuple[str, ...], lang: str) -> list[Rules]:
    """Return the presets that play with so many cards; say which do not."""
    size = len(parse_cards(text))
    every = [chosen_rules(name, settings) for name in list_rules()]
    listing = [rules for rules in every if rules.toi_trang is not None]
    fitting = [rules for rules in listing if rules.deal.hand_size == size]
    if not fitting:
        sizes = " or ".join(sorted({str(rules.deal.hand_size) for rules in listing}))
        raise UsageError(f"{count_cards(size)}: the rule sets with tới trắng are played with {sizes} cards")
    for rules in every:
        if rules not in listing:
            click.echo(f"{rules.name}: {term('no_list', lang)}", err=True)
        elif rules not in fitting:
            click.echo(f"{rules.name}: {term('other_hand_size', lang)} ({rules.deal.hand_size})", err=True)
    return fitting


def _held(rules: Rules, report: HandReport, lang: str, *, people: bool) -> list[Row]:
    if not people:
        return [{"rules": rules.name} | row for row in report.rows()]
    return [
        {
            term("rules", lang): rules.name,
            term("pattern", lang): entry.name(lang),
            term("counts_here", lang): entry == report.counts,
            term("pays", lang): Number(f"{entry.pays:g}"),
        }
        for entry in report.held
    ]


def _groups(report: HandReport, lang: str, *, people: bool) -> list[Row]:
    if not people:
        return report.groups()
    group, cards = term("group", lang), term("cards", lang)
    return [{group: term(row["group"], lang), "n": row["size"], cards: row["cards"]} for row in report.groups()]
