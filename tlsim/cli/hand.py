"""``tlsim hand``: which patterns a hand holds, and how its cards group."""

from __future__ import annotations

import click

from tlsim.cards import count_cards, parse_cards
from tlsim.cli.options import chosen_rules, flags
from tlsim.cli.output import Number, emit
from tlsim.cli.view import Words
from tlsim.errors import UsageError
from tlsim.results import HandReport
from tlsim.results.parts import Row
from tlsim.rules import Rules, list_rules
from tlsim.terms import language, term


@click.command()
@click.argument("cards", nargs=-1, required=True)
@flags("rules", "set", "opening", "lang", "format", "out")
def hand(
    *,
    cards: tuple[str, ...],
    rules_name: str,
    settings: tuple[str, ...],
    opening: bool,
    lang: str | None,
    fmt: str,
    out: str | None,
) -> None:
    """Which patterns a hand holds, and how its cards group.

    CARDS as people write them: "3S 10♥ 2d", ♥2♦2♣2♠2, with or without separators. --rules all asks every rule set.
    """
    from tlsim import api

    text, spoken = " ".join(cards), language(lang)
    asked = [chosen_rules(rules_name, settings)] if rules_name != "all" else _all_rules(text, settings, spoken)
    reports = [(rules, api.classify_hand(text, rules, opening=opening)) for rules in asked]
    people = fmt in {"table", "markdown"}
    held = [row for rules, report in reports for row in _held(rules, report, spoken, people=people)]
    first = reports[0][1]
    provenance = {"hand": first.cards} | first.provenance.as_dict()
    if rules_name == "all":
        provenance = {key: provenance[key] for key in ("hand", "version", "opening")} | {"rules": "all"}
    if people:
        provenance = Words(spoken).provenance(provenance)
    notes = [] if held else [f"{term('held', spoken)}: {term('no_pattern', spoken)}"]
    emit(
        "hand", provenance,
        {"held": held, "groups": _groups(first, spoken, people=people)},
        fmt=fmt, titles={view: term(view, spoken) for view in ("held", "groups")}, notes=notes, lang=spoken, out=out,
    )  # fmt: skip


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
