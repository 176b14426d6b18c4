"""The public function about prices: `payout_fairness`."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tlsim import __version__
from tlsim.api import AnyRules, check_seed, check_size, estimate_odds, exact_odds, usual_players
from tlsim.engine.kept import Keep
from tlsim.engine.policies import policies_for
from tlsim.engine.run import Outcome
from tlsim.engine.together import TogetherWork
from tlsim.engine.until import Until
from tlsim.errors import UsageError, shorten
from tlsim.fairness import Fairness, Prices
from tlsim.fairness.played import Played
from tlsim.fairness.prices import DEALS, Which
from tlsim.fairness.questions import SAMPLE, VIEWS_OF, Answer, games_of, questions_of, seatings
from tlsim.fairness.rake import check_rake
from tlsim.fairness.report import HEO_DEALS
from tlsim.fairness.sample import SampleWork
from tlsim.fairness.skill import check_skill
from tlsim.fairness.verdicts import TOLERANCE, check_tolerance
from tlsim.games import game_work, stats_of
from tlsim.results import ExactOdds, Provenance
from tlsim.results.parts import Row
from tlsim.rules import Rules, list_rules, load_rules
from tlsim.tasks import How, Shares, Task

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
    executor: Executor | str | None = None,
    threads: int | None = None,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
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
    policies, seed, executor, threads, store
        As in `tlsim.simulate`. The view ``ket_3_bich`` has policies of its own, which keep 3♠ for the end. In a store
        each question is a run of its own, named after the label and the question: ``games``, ``sample``,
        ``ket_3_bich``, ``leading``, ``skill``.
    until
        ``tlsim.Until(max_time=…)``: the time of all questions, of which each may take an equal share. There is no one
        error that would end them, so there are no others.
    skill
        For the views ``skill`` and ``direction``: a better policy, and that of all the others, which is another one.

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
    check_size("games", games, MOST_GAMES, least=0)
    check_seed(seed)
    check_tolerance(tolerance)
    check_policies(chosen, seats, policies, skill)
    share = None if rake is None else check_rake(rake)

    def ask(asked: Rules, which: Which) -> ExactOdds:
        return exact_odds(asked, players=seats, opening=which == "opening")

    lists = tuple(Prices(which, ask(chosen, which)) for which in _lists(chosen, opening))
    listed = tuple(prices for prices in lists if prices.listed)
    provenance = Provenance(
        version=__version__, rules=chosen.name, digest=chosen.digest, unit=chosen.unit, players=seats, opening=opening
    )

    origin = str(rules) if isinstance(rules, str | Path) else chosen.name if chosen.name in list_rules() else None
    how = How(executor, threads, None, until, store)
    if until is not None and until.looks:
        raise UsageError("until: fairness asks several questions, which no one error ends; give max_time alone")
    if not games and (store is not None or until is not None):
        raise UsageError("games = 0: there is nothing to keep or to stop; leave store and until out")
    shares = Shares(until, len(questions_of(chosen)))

    def answer(question: str) -> Answer:
        task = fair_task(question, chosen, games, seats, policies, skill, seed)
        found = task.run(replace(how, until=shares.next()))
        shares.took(found.seconds)
        return found

    def dem_heo(which: Which) -> tuple[float, float]:
        dealt = estimate_odds(
            chosen, deals=HEO_DEALS, players=seats, opening=which == "opening", seed=seed, executor=executor,
            threads=threads,
        )  # fmt: skip
        row = next(row for row in dealt.table_rows() if row["quantity"] == "dem_heo")
        each = DEALS / seats  # what the winner receives in a deal, as what one of the players pays in so many
        return row["estimate"] * each, row["std_error"] * each

    played = Played(chosen, policies, seats, games, int(seed), answer, skill, share) if games else None
    return Fairness(
        provenance, chosen, listed, ask, check_tolerance(tolerance), share, origin, played, dem_heo if games else None
    )  # fmt: skip


def check_policies(rules: Rules, players: int, policies: str, skill: str) -> None:
    """Refuse policies that cannot play, before anything is computed."""
    policies_for(rules, policies, players)
    policies_for(rules, check_skill(skill), 2)


def fair_tasks(
    rules: AnyRules, games: int, players: int | None = None, policies: str = "smart", skill: str = "smart,lowest",
    seed: int = 0,
) -> list[Task[Answer]]:  # fmt: skip
    """Return what `payout_fairness` runs, question by question."""
    chosen = load_rules(rules)
    seats = usual_players(chosen) if players is None else players
    check_size("games", games, MOST_GAMES)
    check_policies(chosen, seats, policies, skill)
    return [fair_task(question, chosen, games, seats, policies, skill, seed) for question in questions_of(chosen)]


def fair_task(
    question: str, rules: Rules, games: int, players: int, policies: str, skill: str, seed: int
) -> Task[Answer]:
    """Return the task of one question about whole games; see `tlsim.fairness.questions`."""
    runs = tuple(
        game_work(each.rules, players, each.policies, None, seed, leader=each.leader)
        for each in seatings(question, rules, policies, players, skill)
    )
    length = runs[0].match_length
    sampled = SampleWork(runs[0], -(-SAMPLE // length))
    results = [stats_of(run) for run in runs]

    def result(outcome: Outcome[Any]) -> Answer:
        how = (outcome.complete, outcome.seconds, outcome.stopped)
        if question == "sample":
            sample = outcome.tally.sample(length)
            return Answer(sample, sample.games, *how)
        each = zip(results, outcome.tally.tallies, strict=True)
        found = [make(replace(outcome, tally=tally)) for make, tally in each]
        return Answer(found, found[0].games, *how)

    recipe = {
        "command": "fair", "question": question, "rules": rules.to_toml(), "players": players, "policies": policies,
        "skill": skill, "seed": seed,
    }  # fmt: skip
    work = sampled if question == "sample" else TogetherWork(runs)
    matches = -(-games_of(question, games, players) // length)
    return Task(f"fair {rules.name}", work, matches, recipe, result, "", "games", length * len(runs), question)


@dataclass(frozen=True)
class FairPart:
    """The games of one question about a rule set, as a store has them, and the views that follow from them."""

    rules: Rules
    question: str
    answer: Answer
    players: int
    policies: str
    skill: str
    seed: int

    @property
    def views(self) -> tuple[str, ...]:
        """The names of the views."""
        return VIEWS_OF[self.question]

    @property
    def complete(self) -> bool:
        """Whether that is all."""
        return self.answer.complete

    @property
    def stopped(self) -> str:
        """Why it stopped."""
        return self.answer.stopped

    @property
    def provenance(self) -> Provenance:
        """What the numbers rest on."""
        rules = self.rules
        return Provenance(
            version=__version__, rules=rules.name, digest=rules.digest, unit=rules.unit, players=self.players,
            seed=self.seed,
        )  # fmt: skip

    def rows(self, view: str) -> list[Row]:
        """Return the rows of one of the views."""
        answer = self.answer
        return Played(
            self.rules, self.policies, self.players, answer.games, self.seed, lambda _: answer, self.skill
        ).rows(view)


def _lists(rules: Rules, opening: bool | None) -> tuple[Which, ...]:
    """Return which lists there are to ask about; one list that serves every game is asked about once."""
    if opening is not None:
        return ("opening",) if opening else ("regular",)
    one = rules.toi_trang is None or rules.toi_trang.opening_list_mode == "one_list"
    return ("regular",) if one else ("regular", "opening")
