"""``tlsim fair``: prices against exact odds, and fairer tables."""

from dataclasses import replace
from pathlib import Path

from tlsim.catalogue import N_, told
from tlsim.cli.flags import RUN, SHOW, Given, command
from tlsim.cli.running import patience, planned, save_picture, stopped_note
from tlsim.errors import UsageError
from tlsim.fairness.drawing import PICTURES
from tlsim.options import METHODS, OPTIONS
from tlsim.questions.fair import Fair
from tlsim.rules.load import preset
from tlsim.show.output import complain
from tlsim.terms import term

_PLOT_VIEW = replace(OPTIONS["fair.plot_view"], default=PICTURES[0], choices=PICTURES)
_NEW = ("fair.cap", "fair.units", "fair.cost", "fair.write")


@command("fair", Fair, *RUN, *_NEW, "fair.check", shows=(*SHOW, "plot", _PLOT_VIEW))
def fair(given: Given) -> None:
    """Answer ``tlsim fair``."""
    origin = preset(given["rules"]) or given["rules"]
    kept = given.rules.fair.method if given.rules.fair is not None else None
    method = given["method"] or ((kept or METHODS[0]) if given["write"] else None)
    question = given.question(Fair, origin=origin, method=method)  # judged by what is proposed by
    if method == "none" and given["write"]:
        raise UsageError("--method none proposes nothing; leave --write out, or name another method")
    method = None if method == "none" else method
    _check_flags(given, method)
    planned(given, question.parts())
    fairness = question.judged(given.how)
    with patience(term("computing_table", given.lang)):
        table = fairness.fair_table(method, given["cap"], given["units"], given["cost"]) if method else None
        _ = fairness.verdicts
    page = fairness.page(given.command, given.lang, table)
    if given["write"] and table is not None and table.changed:
        table.write(Path(given["write"]), extends=origin)
        complain(term("note_written", given.lang).format(file=given["write"]))
    if fairness.unplayable and given["games"]:
        complain(told(fairness.unplayable))
    given.show(page.noted(stopped_note(fairness.stopped, given.lang)))
    if fairness.ended is not None:
        raise fairness.ended
    if given["plot"]:
        file, view, lang = given["plot"], given["plot_view"], given.lang
        if not save_picture(file, fairness.plot, view=view, lang=lang).has_data():
            complain(f"{file}: {term('no_prices' if view == PICTURES[0] else 'nothing_to_draw', lang)}")
    played = () if fairness.unplayable else fairness.game_verdicts
    found = fairness.findings or any(verdict.finding for verdict in played)
    given.context.exit(1 if given["check"] and found else 0)


def _check_flags(given: Given, method: str | None) -> None:
    """Refuse flags that would mean nothing beside others, before anything is computed."""
    games, view = given["games"], given["plot_view"]
    if method not in METHODS[1:]:
        text = N_("--{flag} is about new prices: give --method proportional or logarithmic with it")
        given.refuse(("cap", "units", "cost"), text)
    given.refuse(() if given["plot"] else ("plot_view",), N_("--plot-view says what --plot FILE draws; add it"))
    if not games:
        text = N_("games = 0: there is nothing to run, to keep or to stop; leave the flags of games out")
        given.refuse(("threads", "executor", "dask", "max_time", "store", "dry_run"), text)
        text = N_("games = 0: there is nothing to play; leave --{flag} out")
        given.refuse(("policies", "skill", "seed", "bankroll", "games_per_hour"), text)
    if view != PICTURES[0]:
        if not games:
            raise UsageError("--plot-view {view}: takes simulated games; leave --games 0 out", view=view)
        given.rules.check_playable()
