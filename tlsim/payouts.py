"""The public function about prices: `payout_fairness`."""

from __future__ import annotations

from pathlib import Path

from tlsim import __version__
from tlsim.api import AnyRules, check_seed, check_size, estimate_odds, exact_odds, usual_players
from tlsim.engine.games import GameWork
from tlsim.engine.policies import read_policies
from tlsim.errors import UsageError, shorten
from tlsim.fairness import Fairness, Prices
from tlsim.fairness.played import Played
from tlsim.fairness.prices import DEALS, Which
from tlsim.fairness.rake import check_rake
from tlsim.fairness.report import HEO_DEALS
from tlsim.fairness.sample import Sample, take_sample
from tlsim.fairness.skill import check_skill
from tlsim.fairness.verdicts import TOLERANCE, check_tolerance
from tlsim.results import ExactOdds, Provenance
from tlsim.results.games import GameStats
from tlsim.rules import Rules, list_rules, load_rules

DEFAULT_GAMES = 24_000
MOST_GAMES = 10**11


def payout_fairness(
    rules: AnyRules,
    players: int | None = None,
    opening: bool | None = None,
    tolerance: float = TOLERANCE,
    rake: float | None = None,
    *,
    games: int = DEFAULT_GAMES,
    policies: str = "smart",
    skill: str = "smart,lowest",
    seed: int = 0,
    threads: int | None = None,
) -> Fairness:
    """Hold the prices of a rule set against exact odds: whether a list is fair, and what list would be.

    Fair means that every pattern costs a player the same on average: price × probability of winning the table is the
    same for all patterns of a list. The fair price of a pattern is ``(Σ price·p / n) / p``, where n patterns win at
    all; so the list costs as much as it does now.

    Parameters
    ----------
    rules
        Name of a preset, path of a rule file, or rules.
    players
        Number of seats; default 4, or the nearest number that the rules allow.
    opening
        Which list: that of opening games (True), of regular games (False); by default both.
    tolerance
        A price is out of line where it is more than this factor above or below its fair price, 1 or more; infinity asks
        about the order alone.
    rake
        Share that the house takes of what a winner gets, 0 … 1.
    games
        Games to simulate for each question about whole games, once it is asked; 0 for none, and for no simulation of
        what đếm heo costs.
    policies, seed, threads
        As in `tlsim.simulate`. The view ``ket_3_bich`` has policies of its own, which keep 3♠ for the end.
    skill
        For the views ``skill`` and ``direction``: a better policy, and that of all the others.

    Returns
    -------
    Fairness
        ``to_frame()``, ``verdicts``, ``plot()``, and ``fair_table(method)``, which can be written as a rule file. The
        exact law of the table is computed at once, in about two seconds to two minutes, and kept on disk.

    Raises
    ------
    UsageError
        If an argument is out of its allowed values.
    RulesError
        If a rule file has faults.

    Examples
    --------
    >>> fairness = payout_fairness("doithuong", players=4)
    >>> fairness.to_frame().set_index("pattern").loc[["sanh_rong", "sau_doi_thong"], ["price", "fair_price"]].round(1)
                   price  fair_price
    pattern
    sanh_rong        9.0         5.4
    sau_doi_thong    8.0       189.9
    >>> fairness.verdicts[0].sentence("en")[:50]
    '8 of 28 pairs stand in the wrong order; the worst:'
    >>> [win.id for win in fairness.fair_table("reordered").rules.instant_wins()][:3]
    ['muoi_hai_dong_chat', 'bon_bo_ba', 'sau_doi_thong']
    """
    chosen = load_rules(rules)
    seats = usual_players(chosen) if players is None else players
    chosen.check_players(seats)
    if opening is not None and not isinstance(opening, bool):
        raise UsageError(f"opening = {shorten(opening)}: must be True, False, or None for both lists")
    if games:
        check_size("games", games, MOST_GAMES)
    share = None if rake is None else check_rake(rake)

    def ask(asked: Rules, which: Which) -> ExactOdds:
        return exact_odds(asked, players=seats, opening=which == "opening")

    lists = tuple(Prices(which, ask(chosen, which)) for which in _lists(chosen, opening))
    listed = tuple(prices for prices in lists if prices.listed)
    provenance = Provenance(
        version=__version__, rules=chosen.name, digest=chosen.digest, unit=chosen.unit, players=seats, opening=opening
    )

    def play(asked: Rules, who: str, number: int, leader: int | None = None) -> GameStats:
        from tlsim.games import simulate

        return simulate(
            asked, games=number, players=seats, policies=who, seed=seed, threads=threads, leader=leader
        )  # fmt: skip

    def look(number: int) -> Sample:
        work = GameWork(seed, chosen, seats, read_policies(policies, seats), chosen.match_length)
        return take_sample(work, -(-number // work.match_length))

    def dem_heo(which: Which) -> tuple[float, float]:
        dealt = estimate_odds(
            chosen, deals=HEO_DEALS, players=seats, opening=which == "opening", seed=seed, threads=threads
        )  # fmt: skip
        row = next(row for row in dealt.table_rows() if row["quantity"] == "dem_heo")
        each = DEALS / seats  # what the winner receives in a deal, as what one of the players pays in so many
        return row["estimate"] * each, row["std_error"] * each

    origin = str(rules) if isinstance(rules, str | Path) else chosen.name if chosen.name in list_rules() else None
    check_skill(skill)
    played = Played(chosen, policies, seats, games, check_seed(seed), play, look, skill, share) if games else None
    return Fairness(
        provenance, chosen, listed, ask, check_tolerance(tolerance), share, origin, played, dem_heo if games else None
    )  # fmt: skip


def _lists(rules: Rules, opening: bool | None) -> tuple[Which, ...]:
    """Return which lists there are to ask about; one list that serves every game is asked about once."""
    if opening is not None:
        return ("opening",) if opening else ("regular",)
    one = rules.toi_trang is None or rules.toi_trang.opening_list_mode == "one_list"
    return ("regular",) if one else ("regular", "opening")
