"""``tlsim simulate``: whole games with all their money."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tlsim.catalogue import N_
from tlsim.cli.flags import RUN, SHOW, TARGETS, Given, command
from tlsim.cli.running import Done, planned
from tlsim.errors import Sentence, UsageError
from tlsim.options import OPTIONS
from tlsim.questions.games import Games, GamesInFiles, Money, compare
from tlsim.questions.how import How, run
from tlsim.results.game_stats import PICTURES, check_view, views_of
from tlsim.results.game_views import DIFFERENCES
from tlsim.rules import load_rules
from tlsim.terms import term

_DIFFERENCE = "difference_"
_PICTURES = (*PICTURES, *(f"{_DIFFERENCE}{view.name}" for view in DIFFERENCES))
_PLOT_VIEW = replace(OPTIONS["fair.plot_view"], default="distribution", choices=_PICTURES)


@command(
    "simulate", Games, *RUN, *TARGETS, "simulate.against_set", "simulate.against_policies",
    "simulate.precise", "rotate",
    shows=(*SHOW, "plot", _PLOT_VIEW, "simulate.games_out"),
)  # fmt: skip
def simulate(given: Given) -> None:
    """Answer ``tlsim simulate``."""
    given.refuse(() if given["precise"] else ("rotate",), N_("--rotate: seats are rotated with --precise; add it"))
    if given["games_out"] is not None and given["shard"]:
        raise UsageError("--games-out writes the games from the first on, --shard plays a part; leave one of them out")
    if given["precise"]:
        _precise(given)
        return
    questions = list(_asked(given))
    planned(given, questions)
    files = None if given["games_out"] is None else GamesInFiles(questions[0], given["games_out"])
    if files is not None:
        files.work()  # a folder that cannot be written is refused now rather than after hours
    _check_picture(given, questions[1:])
    done = Done.of(run, questions[0], given.how)
    stats, page = done.result, done.result.page(given.command, given.lang)
    gap = _compared(done, questions[1], given) if questions[1:] and done.ended is None else None
    notes = []
    if questions[1:]:
        tables = [] if gap is None else gap.tables()
        page = replace(page, provenance=page.provenance | {"against": _against(given)}, tables=[*tables, *page.tables])
        notes += [term("note_against", given.lang)] if gap is not None else []
        notes += [term("note_shards", given.lang)] if given["shard"] else []
    view = given["plot_view"]
    drawn = gap if view.startswith(_DIFFERENCE) else stats
    done.finish(given, page, *notes, plot=getattr(drawn, "plot", None), view=view.removeprefix(_DIFFERENCE))
    if files is not None:
        asked = replace(files, asked=replace(files.asked, games=stats.games))
        if run(asked, How(given.how.executor, given.how.threads)) < stats.games:
            raise KeyboardInterrupt


def _asked(given: Given) -> Iterator[Games]:
    """Yield the games, and those that they are compared with."""
    yield given.question(Games)
    if said := _against(given):
        rules = given.chosen(given["rules"], *given["against_set"])
        policies = given["against_policies"] or given["policies"]
        yield given.question(Games, rules=rules, policies=policies, part=f"against {said}")


def _against(given: Given) -> str:
    """Return what the games are compared with, in words; empty where there is nothing."""
    return ", ".join([*given["against_set"], *filter(None, [given["against_policies"]])])


def _compared(done: Done, other: Games, given: Given) -> Any:
    """Play as many of the other games and return the differences; None for a shard, or where something ended it."""
    if given["shard"]:
        done.ended = Done.of(run, other, given.how).ended
        return None
    second = Done.of(run, replace(other, games=done.result.games), replace(given.how, until=None))
    done.ended = second.ended
    return compare(done.result, second.result) if second.ended is None else None


def _precise(given: Given) -> None:
    """Print mean money by seat alone; what is asked about given cards, and what is no use to it, is refused."""
    free = {"--hand": given["hands"] or None, "--leader": given["leader"], "--deal": given["deals"]}
    alone = {"--against-…": _against(given) or None, "--plot": given["plot"], "--games-out": given["games_out"]}
    for flags, about in ((free, Sentence("free deals")), (alone, Sentence("the mean money of seats alone"))):
        for flag, value in flags.items():
            if value is not None and value is not False:
                raise UsageError("{flag}: --precise is about {about}; leave one of them out", flag=flag, about=about)
    question = given.question(Money)
    planned(given, [question])
    done = Done.of(run, question, given.how)
    done.finish(given, done.result.page(given.command, given.lang))


def _check_picture(given: Given, against: Sequence[Games]) -> None:
    """Refuse a picture of what the rules do not have before anything is played."""
    view = given["plot"] and given["plot_view"]
    if not view:
        return
    if view.startswith(_DIFFERENCE) and not against:
        raise UsageError("--plot-view {view}: there is nothing to compare; add --against-set or --against-policies",
                         view=view)  # fmt: skip
    for rules in map(load_rules, (given.rules, *(each.rules for each in against))):
        views = views_of(calls=rules.bao_sam is not None, titles=rules.president is not None)
        check_view(view.removeprefix(_DIFFERENCE), views, rules.name)
