"""`Reviewed`: what `tlsim.review` returns: what every decision gave away, and luck apart from skill."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from tlsim.columns import Row, declared, known
from tlsim.engine.moments import Estimate
from tlsim.intervals import ratio_mean
from tlsim.results.advice import spoken_answer
from tlsim.results.pictures import means
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult
from tlsim.rules import Rules
from tlsim.show.numbers import general, local, with_error
from tlsim.terms import term

MARKS = {"blunder": 0.3, "bad": 0.15, "doubtful": 0.05}
"""What a play is called that gives away so many basic stakes or more."""
CLEAR = 3.0  # standard errors that a loss must exceed before anything is said of the play
TAKEN_OFF = 0.75  # of the luck: who plays otherwise than the policies makes less of his cards
_WORST = 5
_PARTS = ("seat", "hand", "others", "lost", "rest")
WORST = declared("review.worst", played=spoken_answer, better_play=spoken_answer)
DECISIONS = declared(
    "review.decisions", keep=lambda row: not row["forced"], played=spoken_answer, better_play=spoken_answer
)
PLAYERS, LUCK = declared("review.players"), declared("review.luck")


class Decided(NamedTuple):
    """A decision, and once it was looked at what it lost."""

    game: int
    line: int  # of its file
    at: int | None  # its number in the record, None for a chop out of turn that was declined
    player: str
    answers: tuple[str, ...]  # all that the rules allow
    played: int
    best: int = 0
    loss: Estimate = Estimate(0.0, 0.0, 0)
    exact: bool = False

    @property
    def clear(self) -> bool:
        """Whether it surely lost something."""
        return self.loss.mean > CLEAR * (self.loss.std_error or 0.0)


class Dealt(NamedTuple):
    """What a game brought a player, and what his cards were worth with all playing by the policies."""

    game: int
    player: str
    net: float
    seat: Estimate  # over all deals
    hand: Estimate  # how much more with his hand
    others: Estimate  # with that of another player, summed over these
    cards: Estimate  # all of that


def basic_stake(rules: Rules, players: int) -> float:
    """Return what a plain game is about: a whole hand of cards, or half of what lies between first and last place."""
    if rules.count_cards is not None and rules.prices is not None:
        return max(rules.hand_sizes(players)) * float(rules.prices.rac)
    places = [float(points) for points in dict(rules.place_points or ()).get(players, [0] * players)]
    for transfer in dict(rules.place_transfers or ()).get(players, ()):
        places[transfer.from_place - 1] -= transfer.pays
        places[transfer.to_place - 1] += transfer.pays
    return (max(places) - min(places)) / 2


@dataclass(frozen=True)
class Reviewed(RunResult):
    """What players gave away in games that are written down, and luck apart from skill."""

    policies: tuple[str, ...]  # by which all play on
    deals: int  # for each decision
    stake: float  # the basic one
    decided: tuple[Decided, ...]  # what was looked at
    dealt: tuple[Dealt, ...]
    left: int = 0  # decisions and deals at which nobody has looked

    VIEWS = (DECISIONS, PLAYERS, LUCK, WORST)
    TOLD = ("policies", "deals")
    PICTURES: ClassVar = {"players": partial(means, "per_game", ("player",))}

    def mark(self, each: Decided) -> str | None:
        """Return what a play is called that clearly gives money away."""
        grave = (mark for mark, least in MARKS.items() if each.loss.mean >= least * self.stake)
        return next(grave, None) if each.clear else None

    def marks(self, lang: str) -> dict[int, str]:
        """Return what is said beside the plays of a game, by their numbers in its record."""
        return {
            each.at: term("mark_text", lang).format(
                mark=term(f"mark_{mark}", lang), best=spoken_answer(each.answers[each.best], {}, lang),
                loss=local(with_error(*each.loss.known), lang),
            )
            for each in self.decided if each.at is not None and (mark := self.mark(each))
        }  # fmt: skip

    def _open(self, *players: str) -> list[Decided]:
        """Return the decisions that were not forced, of some players or of all."""
        return [each for each in self.decided if len(each.answers) > 1 and each.player in (players or self._names)]

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.player for each in self.dealt))

    def _row(self, each: Decided) -> Row:
        return {
            "game": each.game, "line": each.line, "at": each.at, "player": each.player,
            "played": each.answers[each.played], "best": each.answers[each.best], "loss": each.loss.mean,
            "loss_error": each.loss.std_error, "mark": self.mark(each),
        }  # fmt: skip

    def _decisions(self) -> list[Row]:
        own = [{"answers": len(e.answers), "exact": e.exact, "forced": len(e.answers) == 1} for e in self.decided]
        return [self._row(each) | more for each, more in zip(self.decided, own, strict=True)]

    def _worst(self) -> list[Row]:
        clear = [each for each in self._open() if each.clear]
        return [self._row(each) for each in sorted(clear, key=lambda each: -each.loss.mean)[:_WORST]]

    def _by_game(self, *players: str) -> tuple[list[float], list[int]]:
        """Return what each game lost, and how many decisions it had that were not forced."""
        games = {each.game: [0.0, 0.0] for each in self.dealt if each.player in (players or self._names)}
        for each in self._open(*players):
            games[each.game] = [games[each.game][0] + each.loss.mean, games[each.game][1] + 1]
        return [loss for loss, _ in games.values()], [int(number) for _, number in games.values()]

    def _noise(self, player: str) -> float:
        """Return how well the sum of a player's losses is known."""
        return math.hypot(*(each.loss.std_error or 0.0 for each in self._open(player)))

    def _players(self) -> list[Row]:
        rows = []
        for player in self._names:
            own, (losses, numbers) = self._open(player), self._by_game(player)
            forced = sum(each.player == player for each in self.decided) - len(own)
            row: Row = {"player": player, "games": len(losses), "decisions": len(own), "forced": forced}
            row |= {mark: sum(self.mark(each) == mark for each in own) for mark in reversed(MARKS)}
            for key, trials in (("per_decision", numbers), ("per_game", [1] * len(losses))):
                mean, noise = ratio_mean(losses, trials)
                alone = self._noise(player) / max(1, sum(trials))  # of a single game
                row |= {key: known(mean), f"{key}_error": alone if len(losses) == 1 else known(noise)}
            rows.append(row | {"within": 1 - sum(each.clear for each in own) / len(own) if own else None})
        return rows

    def _luck(self) -> list[Row]:
        rows = []
        for player in self._names:
            own, lost = [each for each in self.dealt if each.player == player], sum(self._by_game(player)[0])
            plain = _total([each.net for each in own])
            fair = _total([each.net - TAKEN_OFF * (each.hand.mean + each.others.mean) for each in own])
            parts = {key: sum(getattr(each, key).mean for each in own) for key in _PARTS[:3]}
            parts |= {"lost": lost, "rest": plain.mean - sum(parts.values()) + lost}
            noise = {key: math.hypot(*(getattr(each, key).std_error for each in own)) for key in (*_PARTS[:3], "cards")}
            noise |= {"lost": self._noise(player), "rest": math.hypot(noise["cards"], self._noise(player))}
            low, high = fair.interval()
            ratio = (plain.std_error / fair.std_error) ** 2 if plain.std_error and fair.std_error else None
            rows.append({"player": player, "games": len(own), "net": plain.mean} | parts | {
                **{f"{key}_error": noise[key] for key in _PARTS}, "adjusted": fair.mean, "std_error": fair.std_error,
                "ci_low": low, "ci_high": high, "plain_std_error": plain.std_error, "variance_ratio": ratio,
            })  # fmt: skip
        return rows

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (there are no rare ones)
        """Return what a decision that was not forced lost on average."""
        mean, noise = ratio_mean(*self._by_game())
        return {"per_decision": (known(mean), known(noise))}

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        least = {mark: local(general(part * self.stake), lang) for mark, part in MARKS.items()}
        names, deals = ", ".join(dict.fromkeys(self.policies)), local(f"{self.deals:,}", lang)
        return [
            term("note_review", lang).format(games=deals, policies=names),
            term("note_marks", lang).format(**least, unit=self.provenance.unit, errors=f"{CLEAR:g}"),
            term("note_luck", lang), *([term("note_left", lang).format(left=self.left)] if self.left else []),
        ]  # fmt: skip


def _total(values: Sequence[float]) -> Estimate:
    """Return a sum over games with the error of its expectation."""
    n = len(values)
    return Estimate(sum(values), math.sqrt(n) * float(np.std(values, ddof=1)) if n > 1 else None, n)
