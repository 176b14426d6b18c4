"""How money swings: which reasons make the spread, money after many games, bankrolls; and what the house takes."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.columns import Row, known
from tlsim.errors import wrong
from tlsim.fairness.price_list import DEALS, Prices
from tlsim.fairness.sample import MONEY, Sample
from tlsim.fairness.views import BANKROLL, COVARIANCES, GAME_RAKE, QUANTILES, RAKE, REASONS, SWING
from tlsim.intervals import ratio_mean
from tlsim.kernels import matches as m
from tlsim.results.game_stats import GameStats
from tlsim.rules import Rules
from tlsim.rules.schema_values import amount_at

Floats = NDArray[np.float64]
SOURCES = {
    "toi_trang": ("toi_trang",), "chop": ("chop",), "cong": ("cong", "den_cong"), "cards": ("cards", "thoi", "place"),
}  # fmt: skip
HORIZONS = (100, 1_000, 10_000)
PATHS = 5_000  # evenings that are drawn from the matches: a chance of 5 % is then known to 0.3 %
LOST = 0.01  # chance at which a bankroll is called enough


# --- reasons to pay ---


def reason_rows(games: GameStats, sample: Sample) -> list[Row]:
    """Return per reason how much money it moves, of all games, and how much of a seat's spread it makes, of a sample.

    Of the variance of a seat's money in a game each reason has its own, and the covariances with the others.
    """
    spread, rows = Spread(sample), []
    for at, reason in enumerate(MONEY):
        moved = _moved(games, at) if at < len(MONEY) - 1 else {}
        if moved.get("payments_per_game") or spread.alone[at]:
            rows.append(REASONS.row(reason=reason, **moved, **spread.shares(at)))
    return [] if [row["reason"] for row in rows] == ["points"] else rows  # where nobody pays there is nothing to share


def _moved(games: GameStats, at: int) -> Row:
    """Return what a reason moves per game, and its share of all that moves."""
    sums = games.tally.batches[:2].sum(axis=0)
    halves = sums[:, m.S_REASONS + 1 : m.S_REASONS + 2 * (len(MONEY) - 1) : 2]
    payments = int(sums[:, m.S_REASONS + 2 * at].sum()) / max(1, games.games)
    return {"payments_per_game": payments, "money_per_game": ratio_mean(halves[:, at] / 2, sums[:, m.S_GAMES]),
            "share": ratio_mean(halves[:, at], halves.sum(axis=1))}  # fmt: skip


class Spread:
    """Variance of a seat's money per game, by reason; in half units, within seats."""

    def __init__(self, sample: Sample) -> None:
        games, mean = sample.length, sample.money.sum(axis=0) / sample.games
        cross = np.einsum("msr,sq->mrq", sample.money, mean)
        about_means = sample.products - cross - cross.transpose(0, 2, 1) + games * (mean.T @ mean)
        self.by_match: Floats = about_means / (games * sample.players)
        self.covariance: Floats = self.by_match.mean(axis=0)
        self.total = float(self.covariance.sum())
        self.alone: Floats = np.diagonal(self.covariance)

    def shares(self, at: int) -> Row:
        """Return what of the spread is due to a reason."""
        if not self.total:
            return {}
        alone, whole = float(self.alone[at]), float(self.covariance[at].sum())
        _, error = ratio_mean(self.by_match[:, at].sum(axis=1), self.by_match.sum(axis=(1, 2)))
        return {"spread_alone": alone / self.total, "spread_together": (whole - alone) / self.total,
                "spread_share": (whole / self.total, error)}  # fmt: skip


def covariance_rows(sample: Sample) -> list[Row]:
    """Return the covariance of a seat's money by any two reasons, in squares of the unit, and their correlation."""
    spread, rows = Spread(sample), []
    for one, two in combinations([at for at in range(len(MONEY)) if spread.alone[at]], 2):
        found = ratio_mean(spread.by_match[:, one, two] / 4, np.ones(sample.matches))
        scale = float(np.sqrt(spread.alone[one] * spread.alone[two])) / 4
        rows.append(COVARIANCES.row(reason=MONEY[one], other=MONEY[two], covariance=found,
                                    correlation=found[0] / scale))  # fmt: skip
    return rows


# --- games, evenings, bankrolls ---


def swing_rows(sample: Sample, policies: Sequence[str], rules: Rules) -> list[Row]:
    """Return the spread of a seat's money per game and per match, which reasons make it, and the largest losses."""
    most = largest_loss(rules, sample.players)
    return [SWING.row(seat=seat, policy=policy, largest_loss=most, **_swing(sample, seat))
            for seat, policy in enumerate(policies)]  # fmt: skip


def _swing(sample: Sample, seat: int) -> Row:
    nets = sample.nets[:, :, seat] / 2
    games = nets - nets.mean()
    row: Row = {"largest_seen": float(max(0, -nets.min()))}
    ways = ("spread_game", (games**2).sum(axis=1), sample.length), ("spread_match", games.sum(axis=1) ** 2, 1)
    for name, squares, each in ways:
        variance, error = ratio_mean(squares, np.full(sample.matches, each))
        spread = float(np.sqrt(variance))
        row[name] = spread, error / (2 * spread) if spread else None
    means = sample.money[:, seat].sum(axis=0) / sample.games
    shares = (sample.with_net[:, seat].sum(axis=0) / sample.games - means * means.sum()) / 4
    if whole := float((games**2).mean()):
        found = {key: float(sum(shares[MONEY.index(name)] for name in names)) for key, names in SOURCES.items()}
        found["other"] = float(shares.sum()) - sum(found.values())
        row |= {key: share / whole for key, share in found.items()}
    return row


def bankroll_rows(sample: Sample, policies: Sequence[str], seed: int, rake: Fraction | None, bankroll: float | None
                  ) -> list[Row]:  # fmt: skip
    """Return money after many games, and how large a bankroll must be, for who plays each policy.

    Whole matches of the sample are drawn again and again; what is not known of the mean widens the law.
    """
    nets = sample.nets / 2
    after = nets - float(rake or 0) * nets.clip(min=0)
    rows = []
    for policy in dict.fromkeys(policies):
        seats = [seat for seat, name in enumerate(policies) if name == policy]
        for games in HORIZONS:
            total, lowest = paths(after[:, :, seats], games, np.random.default_rng([seed % 2**64, games]))
            rows.append(BANKROLL.row(
                policy=policy, games=games, ahead=float((total > 0).mean()), bankroll=bankroll,
                bankroll_needed=max(0.0, -float(np.quantile(lowest, LOST, method="lower"))),
                lost=None if bankroll is None else float((lowest <= -bankroll).mean()),
                **{f"q{100 * q:g}": float(np.quantile(total, q)) for q in QUANTILES},
            ))  # fmt: skip
    return rows


def paths(nets: Floats, games: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the money after so many games, and its lowest, of `PATHS` evenings; nets : [matches, games, seats]."""
    matches, length, seats = nets.shape
    _, error = ratio_mean(nets.sum(axis=(1, 2)) / seats, np.full(matches, length))
    drift = random.normal(0.0, known(error) or 0.0, PATHS)
    sums = nets.cumsum(axis=1)
    dips, ends = sums.min(axis=1), sums[:, -1]
    total, lowest = np.zeros(PATHS), np.zeros(PATHS)
    for begin in range(0, games, length):
        at, seat, played = random.integers(matches, size=PATHS), random.integers(seats, size=PATHS), games - begin
        if played < length:
            dip, end = sums[at, :played, seat].min(axis=1), sums[at, played - 1, seat]
        else:
            dip, end = dips[at, seat], ends[at, seat]
        lowest = np.minimum(lowest, total + dip)
        total += end + drift * min(length, played)
    return total, lowest


def largest_loss(rules: Rules, players: int) -> float:
    """Return what a seat can lose in a game at most, by the rules: no game goes beyond, few rules let one reach it."""
    size, others = max(rules.seat_sizes(players)), players - 1
    twos, bomb_card = _items(rules, chopped=False)
    items = twos + bomb_card * max(0, size - 4)
    instant = max((win.pays for way in (False, True) for win in rules.instant_wins(way, players)), default=0.0)
    end = _at_the_end(rules, players, size, items)
    if rules.den_bao or rules.den_cong or (rules.cong and rules.cong.method == "whole_table"):
        end *= others
    if rules.finish.double:
        end *= 2
    ket, dut, den, sam = rules.ket_3_bich, rules.dut_3_bich, rules.den_ca_lang, rules.bao_sam
    extra = (rules.finish.two_fine or 0.0) * others + (rules.thoi.ba_bich if rules.thoi else 0.0)
    extra += max(ket.pays, ket.block_pays * others) if ket else 0.0
    extra += max(dut.first_pays, dut.second_pays) * others if dut else 0.0
    extra += den.pays * others if den else 0.0
    called = max(sam.fail_pays * players, sam.pays) + items if sam else 0.0
    return max(instant + items, end + extra + _chopped(rules), called + _chopped(rules))


def _items(rules: Rules, *, chopped: bool) -> tuple[float, float]:
    """Return what all 2s cost, and the most that a card costs as part of a bomb."""
    if rules.prices is None:
        return 0.0, 0.0
    own = rules.chop.prices if chopped and rules.chop else None
    names = ("heo_bich", "heo_chuon", "heo_ro", "heo_co", "ba_doi_thong", "tu_quy", "bon_doi_thong")
    prices = {name: float(getattr(rules.prices, name)) for name in names}
    prices |= {name: float(value) for name in prices if (value := getattr(own, name, None)) is not None}
    runs = {name: float(getattr(own, name, None) or 0.0) for name in ("nam_doi_thong", "sau_doi_thong")}
    cards = {"ba_doi_thong": 6, "tu_quy": 4, "bon_doi_thong": 8, "nam_doi_thong": 10, "sau_doi_thong": 12}
    twos = sum(prices[name] for name in names[:4])
    if own is not None:
        twos = max(twos, 2 * float(own.doi_heo or 0), 4 / 3 * float(own.ba_heo or 0))
    return twos, max((prices | runs)[name] / number for name, number in cards.items())


def _chopped(rules: Rules) -> float:
    """Return the most that chops of a game can cost one seat: every 2 and every bomb of the deck, and by what."""
    if rules.chop is None:
        return 0.0
    twos, bomb_card = _items(rules, chopped=True)
    by = max((float(value or 0) for value in rules.chop.by.model_dump().values()), default=0.0) if rules.chop.by else 0
    whole = twos + 48 * bomb_card + 12 * by
    if rules.chop.chain.startswith("doubling"):  # each link of a chain of bombs costs twice as much as the last
        whole *= 2**12
    return whole + 6 * float(rules.chop.four_pairs_bonus)


def _at_the_end(rules: Rules, players: int, size: int, items: float) -> float:
    """Return the most that a seat pays for cards, cóng and places when a game ends."""
    cards = size * float(rules.prices.rac) if rules.prices and rules.count_cards else 0.0
    thoi = items if rules.thoi or rules.count_cards else 0.0
    transfers: Any = dict(rules.place_transfers or ()).get(players, ())
    place = sum(float(each.pays) for each in transfers)
    points: Any = dict(rules.place_points or ()).get(players, ())
    place += max(0.0, -min(map(float, points), default=0.0))
    cong = 0.0
    if rules.cong:
        fine = amount_at(rules.cong.fine, players)
        cong = fine + items * (rules.cong.items_times or 1) + (rules.cong.times or 0) * (cards + items)
    return max(cards + thoi + place, cong + place)


# --- the rake ---


def check_rake(rake: float) -> Fraction:
    """Return a rake as a fraction of what a winner gets."""
    number = isinstance(rake, int | float | Fraction) and not isinstance(rake, bool)
    if not number or not math.isfinite(rake) or not 0 <= rake <= 1:
        raise wrong("rake", rake, "must be from 0 to 1 of what a winner gets, such as 0.05 (5 %)")
    return Fraction(str(rake)) if isinstance(rake, float) else Fraction(rake)


def rake_rows(prices: Prices, rake: Fraction) -> list[Row]:
    """Return per pattern what the winner receives, what the house takes and what is left; the whole list at the end."""
    losers, someone = prices.players - 1, sum(prices.probabilities, Fraction(0))
    each = zip(prices.listed, prices.prices, prices.probabilities, strict=True)
    wins = [(entry.id, price * losers, p) for entry, price, p in each]
    rows = []
    for pattern, amount, p in [*wins, (None, prices.paid * losers / someone if someone else None, someone)]:
        house = (amount or 0) * p * rake * DEALS
        rows.append(RAKE.row(list=prices.which, pattern=pattern, house_per_1000=house,
                             loss_per_1000=house / prices.players, **_split(amount, rake)))  # fmt: skip
    return rows


def _split(amount: Fraction | float | None, rake: Fraction) -> Row:
    """Return what the winner receives, what the house takes of it, what is left."""
    return {} if amount is None else {"received": amount, "house": amount * rake, "left": amount * (1 - rake)}


def game_rake_rows(sample: Sample, policies: tuple[str, ...], rake: Fraction) -> list[Row]:
    """Return per seat what the house takes of what it is ahead at the end of a game, and last of the whole table."""
    seats = [_seat(sample, [seat], rake) | {"seat": seat, "policy": policy} for seat, policy in enumerate(policies)]
    return [*seats, _seat(sample, list(range(sample.players)), rake)]


def _seat(sample: Sample, seats: list[int], rake: Fraction) -> Row:
    won, wins = (values[:, seats].sum(axis=1) for values in (sample.won, sample.wins))
    taken, net = won * float(rake), sample.money[:, seats].sum(axis=(1, 2))
    received = float(won.sum()) / 2 / float(wins.sum()) if wins.any() else None
    return GAME_RAKE.row(
        wins=float(wins.sum()) / sample.games, house_per_1000=sample.per_game(taken * DEALS / 2),
        net_per_1000=sample.per_game((net - taken) * DEALS / 2 / len(seats)), **_split(received, rake),
    )  # fmt: skip
