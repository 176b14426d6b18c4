"""Everything there is to say about the prices of rule sets, to be handed over: what is asked, counted and played."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from tlsim.columns import Row, Table, declared
from tlsim.engine.keep import as_keep
from tlsim.errors import wrong
from tlsim.fairness.fair_table import FairTable
from tlsim.fairness.judgement import Fairness
from tlsim.fairness.plays import VIEWS_OF
from tlsim.fairness.price_list import Prices, Which
from tlsim.fairness.repricing import with_prices
from tlsim.options import METHODS, option
from tlsim.questions.fair import HOLDERS, Fair
from tlsim.questions.how import How, Shares, run
from tlsim.questions.odds import Odds
from tlsim.questions.question import Question
from tlsim.results.estimated import EstimatedOdds, shown_estimate
from tlsim.results.exact import exactly
from tlsim.results.worth import DeclareWorth
from tlsim.rules import Rules, load_rules
from tlsim.rules.keypath import write_value
from tlsim.terms import clause_said

DEALS = 4_000_000
EVENING = 40  # games
_MOST_ORDERS = 4  # of strength that are tried for one that is by rarity
_COUNTED = ("prices", "pairs", "summary", "notions", "rake", "table", "table_summary")
_BASIS = dict.fromkeys(_COUNTED, "exact") | {"odds": "both", "declaring": "drawn", "distances": "drawn"}


ODDS = declared("report.odds", wins_table=exactly, simulated=shown_estimate)
CLAUSES = declared("report.clauses", means=clause_said, value=lambda value, *_: write_value(value))
RESTS = declared("report.rests")


@dataclass(frozen=True)
class Chapter:
    """What there is to say about one rule set: prices and games, a fairer table, odds."""

    fairness: Fairness
    proposed: FairTable | None
    dealt: dict[Which, EstimatedOdds] = field(default_factory=dict)
    complete: bool = True

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.fairness.rules

    @property
    def played(self) -> bool:
        """Whether there are games to speak of."""
        played = self.fairness.played
        return played is not None and not self.fairness.unplayable and played.answer("games").games > 0

    @property
    def _worth(self) -> DeclareWorth | None:
        """Whether to declare, where that is a choice and all was played."""
        played = self.fairness.played
        return played.declared if played is not None and self.played and self.complete else None

    @cached_property
    def by_rarity(self) -> dict[Which, Prices]:
        """Its lists with the rarer pattern before the commoner one, as far as chances then still say so."""
        found = {}
        for prices in filter(lambda prices: prices.known, self.fairness.lists):
            now, pays = prices, {entry.id: Fraction(entry.pays) for entry in prices.listed}
            for _ in range(_MOST_ORDERS):
                every = zip(now.probabilities, now.odds.hand.holds, strict=True)
                # what never wins stands by the hands that hold it
                chances = [p or held / now.odds.hand.hands for p, held in every]
                order = [now.listed[at].id for at in sorted(range(len(chances)), key=chances.__getitem__)]
                if order == [entry.id for entry in now.listed]:
                    break
                rules = with_prices(self.rules, prices.which, tuple((i, pays[i]) for i in order), prices.players)
                now = replace(self.fairness.ask(rules, prices.which), notion=prices.notion)
            found[prices.which] = now
        return found

    def tables(self, lang: str | None = None) -> dict[str, Table]:
        """Return all tables by the names of their views; sentences in them are in a language."""
        clauses = [{"key": key, "value": value, "source": source} for key, value, source in self.rules.clauses()]
        rows = {ODDS: self._odds(), CLAUSES: clauses}
        own = [self.fairness.provenance.table(view, found) for view, found in rows.items()]
        played = self.fairness.played.stats.tables() if self.fairness.played is not None and self.played else []
        worth = [self._worth.table_of("distances")] if self._worth is not None else []
        tables = [*self.fairness.page("report", lang, self.proposed).tables, *worth, *own, *played]
        found = {table.view.name: table for table in reversed(tables)}  # of two views of one name that of fairness
        found = {table.view.name: found[table.view.name] for table in tables}
        named = [name for name, table in found.items() if table.rows and name not in {"clauses", "verdicts"}]
        return found | {RESTS.name: Table(RESTS, list(map(self._rests_on, named)))}

    def _odds(self) -> list[Row]:
        rows = []
        for prices in self.fairness.lists:
            dealt = self.dealt[prices.which].rows("simulated_table") if prices.which in self.dealt else []
            estimates = {row["pattern"]: row for row in dealt if row["quantity"] == "wins"}
            for held, row in zip(prices.odds.rows("exact"), prices.rows(), strict=True):
                every = estimates.get(row["pattern"], {}) | row | {"hand_one_in": held["one_in"]}
                p = row["probability"]
                every["evening"] = None if p is None or prices.which == "opening" else 1 - (1 - p) ** EVENING
                rows.append({key: every.get(key) for key in ODDS.keys})
        return rows

    def _rests_on(self, view: str) -> Row:
        """Return whether a view is counted, or from how many games by whom."""
        row: Row = {"view": view, "basis": _BASIS.get(view, "played"), "n": None, "policies": None}
        if view == "odds":
            row["n"] = sum(each.deals for each in self.dealt.values()) or None
        elif row["basis"] == "drawn" and (worth := self._worth) is not None:
            row |= {"n": worth.games, "policies": worth.policies[0]}
        elif row["basis"] == "played" and (played := self.fairness.played) is not None:
            part = next((part for part, views in VIEWS_OF.items() if view in views), "games")
            part = "sample" if view in {"reasons", "game_rake"} else part
            by = {"skill": played.skill, "ket_3_bich": HOLDERS}.get(part, played.policies)
            row |= {"n": played.answer(part).games, "policies": by}
        return row


@dataclass(frozen=True)
class Reporting(Question[tuple[Chapter, ...]]):
    """What is asked about rule sets that a report tells of."""

    rules: Any = option("report.rules")
    players: int | None = option("players")
    games: int = option("report.games", kw_only=True)
    rake: Any = option("rake", kw_only=True)
    policies: str = option("policies", kw_only=True)
    skill: str = option("skill", kw_only=True)
    seed: int = option("seed", kw_only=True)
    tolerance: Any = option("tolerance", kw_only=True)
    method: str | None = option("method", kw_only=True)
    judge_from: float | None = option("judge_from", kw_only=True)
    across: str | None = option("across", "lowest,smart,expert", kw_only=True)
    bankroll: float | None = option("bankroll", kw_only=True)
    games_per_hour: float | None = option("games_per_hour", kw_only=True)
    author: str | None = option("author", kw_only=True)
    title: str | None = option("title", kw_only=True)
    named: tuple[str, ...] = field(default=(), kw_only=True)
    """The words of a command line that name the rules, with what was changed in them."""
    fairs: tuple[Fair, ...] = field(default=(), init=False)

    command, size = "report", "games"

    def _settle(self) -> None:
        asked = tuple(self.rules) if isinstance(self.rules, list | tuple) else (self.rules,)
        rules = tuple(map(load_rules, asked))
        names = [each.name for each in rules]
        if len(set(names)) < max(1, len(names)):
            raise wrong("rules", names, "must be one rule set or several, each with a name of its own")
        words = [str(each) if isinstance(each, str | Path) else each.name for each in asked]
        self._set(rules=rules, named=self.named or tuple(word for name in words for word in ("--rules", name)))
        own = {name: getattr(self, name) for name in Fair.options() if name not in {"rules", "opening"}}
        self._set(fairs=tuple(Fair(each, **own) for each in rules))

    @property
    def again(self) -> str:
        """The command that makes it again."""
        words = ["tlsim", "report", *self.named]
        for name, asked in self.options().items():
            value = getattr(self, name)
            if name != "rules" and value != asked.default and value is not None:
                several = [f"{key}={factor:g}" for key, factor in value] if isinstance(value, tuple) else [str(value)]
                words += [word for text in several for word in (asked.flags, text)]
        return shlex.join(words)

    def chapters(self, how: How, tell: Callable[[], Any] = lambda: None) -> tuple[Chapter, ...]:
        """Return what there is to say; after an interrupt what there is, the last of it not complete.

        ``tell`` is called once the exact part of a rule set is done.
        """
        found: list[Chapter] = []
        shares = Shares(how.until, len(self.fairs))
        for fair in self.fairs:
            try:
                chapter = _counted(fair, replace(how, until=shares.next()))
            except KeyboardInterrupt:
                if not found:
                    raise
                found[-1] = replace(found[-1], complete=False)
                break
            tell()
            found.append(_played(chapter, fair, how) if fair.games else chapter)
            if not found[-1].complete:
                break
        return tuple(found)


def _counted(fair: Fair, how: How) -> Chapter:
    """Return what is known exactly; its games are played later."""
    fairness = fair.judged(_keeping(how, fair))
    method = fairness.notion.method if fairness.notion.method in METHODS else METHODS[0]
    known = bool(fairness.lists) and all(prices.known for prices in fairness.lists)
    chapter = Chapter(fairness, fairness.fair_table(method) if known else None)
    _ = fairness.verdicts, chapter.by_rarity
    return chapter


def _played(chapter: Chapter, fair: Fair, how: How) -> Chapter:
    """Return a chapter whose games were played, as far as nobody interrupts them."""
    fairness, rules, dealt = chapter.fairness, chapter.rules, dict[Which, EstimatedOdds]()
    if fairness.ended is not None:
        return replace(chapter, complete=False)
    for which in (prices.which for prices in fairness.lists):
        odds = Odds(rules, DEALS, fair.players, which == "opening", seed=fair.seed)
        dealt[which] = run(odds, _keeping(replace(how, until=None), fair, f"odds {which}"))
        if not dealt[which].complete:
            return replace(chapter, dealt=dealt, complete=False)
    return replace(chapter, dealt=dealt)


def _keeping(how: How, fair: Fair, part: str = "") -> How:
    """Return how a rule set is run: kept under labels that begin with its name."""
    if how.store is None:
        return how
    keep, name = as_keep(how.store), fair.rules.name  # type: ignore[union-attr]
    label = ", ".join(filter(None, [f"{keep.label or 'report'} {name}", part]))
    return replace(how, store=replace(keep, label=label))
