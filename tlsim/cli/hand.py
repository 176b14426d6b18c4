"""``tlsim hand``: which patterns a hand holds, how its cards group, and what it is worth."""

from collections.abc import Sequence
from dataclasses import replace

from tlsim.cards import count_cards, parse_cards
from tlsim.catalogue import N_
from tlsim.cli.flags import RUN, SHOW, TARGETS, Given, argument, command
from tlsim.cli.running import Done, planned
from tlsim.columns import Table
from tlsim.errors import UsageError, either
from tlsim.patterns import is_pattern_word
from tlsim.questions.hand import Declare, Hand
from tlsim.questions.how import run
from tlsim.questions.single_hands import classify_hand
from tlsim.rules import Rules, list_rules
from tlsim.show import Page
from tlsim.show.output import complain
from tlsim.terms import chapters, known_pattern, term
from tlsim.version import __version__

WHOLE_LIST = "toi_trang"
_ONLY_WITH_EV = (
    "players", "policies", "games", "distance", "dead", "out_of_play", "seed", *RUN, *TARGETS, "stake", "plot",
)  # fmt: skip
_CARDS = argument("cards", "PATTERN", nargs=-1, required=True)


@command("hand", Hand, _CARDS, "hand.ev", *RUN, *TARGETS, shows=(*SHOW, "plot"), without=("hand",))
def hand(given: Given) -> None:
    """Answer ``tlsim hand``."""
    text = " ".join(given["cards"])
    _check_flags(given, text)
    if not given["ev"]:
        given.show(_report(text, [given.rules] if given["rules"] != "all" else _all_rules(text, given), given))
        return
    whole = text.strip() == WHOLE_LIST
    if whole and (given["dead"] or given["out_of_play"]):
        raise UsageError("--dead: weights of the whole list are those of all hands; ask about one pattern")
    question: Declare | Hand = given.question(Declare) if whole else given.question(Hand, hand=text)
    if given["dead"]:  # for one version: what it was is --out-of-play
        complain(term("note_dead", given.lang))
    planned(given, question.parts())
    page = Page(given.command, {}, []) if whole or question.pattern else _report(text, [given.rules], given)
    done = Done.of(run, question, given.how)
    worth, found = done.result.page(given.command, given.lang), done.result
    about, tables = page.provenance | worth.provenance, [*page.tables, *worth.tables]
    page = replace(worth, provenance=about, tables=tables, notes=[*page.notes, *worth.notes])
    done.finish(given, page, plot=found.plot if found.rows() else None)


def _check_flags(given: Given, text: str) -> None:
    """Refuse flags of games where no games are asked for, a worth under all rules at once, a picture of a list."""
    ev = given["ev"]
    if ev and given["rules"] == "all":
        raise UsageError("--ev plays by one rule set: choose it with --rules NAME")
    given.refuse(() if ev else _ONLY_WITH_EV, N_("--{flag} is for games with the hand: add --ev"))
    named = {key: key for key in chapters()["patterns"]} | ({} if given["rules"] == "all" else given.rules.patterns())
    if not ev and (is_pattern_word(text) or known_pattern(text, named) in named):
        raise UsageError("{text!r} is no hand: add --ev to ask what such hands are worth, or write cards", text=text)
    if given["plot"] and text.strip() == WHOLE_LIST:
        raise UsageError("--plot draws the worth of one hand or one pattern: name one, or leave --plot out")


def _report(text: str, asked: Sequence[Rules], given: Given) -> Page:
    reports = [(rules, classify_hand(text, rules, opening=given["opening"])) for rules in asked]
    held = [{"rules": rules.name} | row for rules, report in reports for row in report.rows()]
    first = reports[0][1]
    names = {entry.id: entry.label for _, report in reports for entry in report.held}
    page = first.page(given.command, given.lang)
    about = page.provenance
    if given["rules"] == "all":
        about = {"hand": first.cards, "version": __version__, "opening": given["opening"], "rules": "all"}
    tables = [Table(first.view("held"), held, names=names), first.table_of("groups")]
    return replace(page, provenance=about, tables=tables, notes=[] if held else page.notes)


def _all_rules(text: str, given: Given) -> list[Rules]:
    """Return the presets that play with so many cards; say which do not."""
    size = len(parse_cards(text))
    every = [given.chosen(name) for name in list_rules()]
    listing = [rules for rules in every if rules.toi_trang is not None]
    fitting = [rules for rules in listing if rules.deal.hand_size == size]
    if not fitting:
        sizes = either(sorted({str(rules.deal.hand_size) for rules in listing}))
        raise UsageError("{cards}: the rule sets with tới trắng are played with {sizes} cards", cards=count_cards(size),
                         sizes=sizes)  # fmt: skip
    for rules in every:
        if rules not in listing:
            complain(f"{rules.name}: {term('no_list', given.lang)}")
        elif rules not in fitting:
            complain(f"{rules.name}: {term('other_hand_size', given.lang)} ({rules.deal.hand_size})")
    return fitting
