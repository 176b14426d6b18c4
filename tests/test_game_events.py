"""What `simulate` counts, against the slow twin led through the same games."""

from collections import Counter

import naive_game
import pytest
from naive_game import HEO, PASS, bomb_class, chops, has_two

import tlsim
from tlsim.cards import hand_of

# Presets whose chops, cóng or endings differ, each by policies that do different things.
PLAYED = [
    ("doithuong", "lowest"), ("doithuong", "smart,random,random,smart"), ("luckywin", "random"),
    ("luckywin_cong_table", "smart,random,random,smart"), ("hue", "smart,random,random,smart"),
    ("da_nang", "random"), ("mien_bac", "smart,random,random,smart"),
]  # fmt: skip
TARGETS = {("single", 12): "heo", ("pair", 12): "doi_heo", ("triple", 12): "ba_heo"}


class Counting(naive_game.Game):
    """The twin, that counts what happens."""

    def __init__(self, *arguments, seen, **more):
        self.seen = seen
        super().__init__(*arguments, **more)

    def _link(self, seat, combo):
        if chops(self.rules, combo, self.top):
            target = TARGETS.get((self.top.kind, self.top.rank)) or bomb_class(self.rules, self.top)
            self.seen[f"chop_{bomb_class(self.rules, combo) or 'bon_doi_thong'}_{target}"] += 1
        super()._link(seat, combo)

    def _settle_chain(self):
        scope = self.rules.chop.finisher_void_scope if self.rules.chop else "none"
        self.seen["void_chain"] += scope == "chain_if_last_victim_out" and bool(
            self.chain and self.chain[-1].victim_out
        )
        super()._settle_chain()

    def _pay_chain(self, chain):
        if chain:
            self.seen[f"chain_of_{min(len(chain), 6)}"] += 1
        super()._pay_chain(chain)

    def _went_out(self, seat, combo):
        self.seen["out_on_two"] += has_two(combo.cards)
        super()._went_out(seat, combo)

    def _success_of_3_spades(self):
        self.seen["ket_3_bich_made"] += 1
        super()._success_of_3_spades()

    def _blocked(self, *arguments):
        self.seen["ket_3_bich_blocked"] += 1
        super()._blocked(*arguments)


def lead(game, plays):
    """Lead the twin through the plays of a record."""
    at = 0
    while game.asked:
        seat, what = game.asked
        at += sum(play.get("stuck", False) for play in plays[at : at + 1])
        entry = plays[at] if at < len(plays) else None
        if what == "lead" and game.history and not game.hands[game.history[-1][0]]:
            game.seen["huong_sai"] += 1
        if what == "free" and not (entry and entry["seat"] == seat and entry.get("interrupt")):
            game.choose(PASS)
            continue
        cards = hand_of(" ".join(entry["cards"])) if entry["cards"] else 0
        game.choose(naive_game.Play(cards, entry.get("as")) if cards else PASS)
        game.seen["free_chop"] += entry.get("interrupt", False)
        at += 1


def count_rotten(record, seen):
    """Count the 2s and the 3♠ of those who pay for them, from what is left of their hands."""
    left = [hand_of(" ".join(hand)) for hand in record["hands"]]
    played = set()
    for play in record["plays"]:
        left[play["seat"]] &= ~hand_of(" ".join(play["cards"])) if play["cards"] else -1
        played |= {play["seat"]} if play["cards"] else set()
    reasons = {(transfer["from"], transfer["reason"]) for transfer in record["transfers"]}
    for_all = any(reason == "den_cong" for _, reason in reasons)
    for seat, hand in enumerate(left):
        if (seat, "thoi") in reasons or (for_all and seat not in played):
            for suit, name in enumerate(HEO):
                seen[f"thoi_{name}"] += hand >> 48 + suit & 1
        seen["thoi_ba_bich"] += (seat, "thui_3_bich") in reasons


@pytest.mark.parametrize(("name", "policies"), PLAYED)
def test_events_are_those_of_the_twin(name, policies):
    rules = tlsim.load_rules(name)
    plain, seen = rules.replace("toi_trang", False), Counter()
    for record in tlsim.play(rules, games=120, seed=17, policies=policies):
        count_rotten(record, seen)
        if record["calls"]:
            seen["toi_trang"] += 1
            continue
        hands = [hand_of(" ".join(hand)) for hand in record["hands"]]
        game = Counting(plain, hands, record["leader"], record["opening"], record["direction"], seen=seen)
        lead(game, record["plays"])
        if game.cong:
            seen[f"cong_{('one', 'two', 'three')[len(game.cong) - 1]}"] += 1
        seen["den_cong"] += game.den_payer is not None
    rows = {row["event"]: row for row in tlsim.simulate(rules, games=120, seed=17, policies=policies).rows("events")}
    unpriced = {"thoi_ba_doi_thong", "thoi_tu_quy", "thoi_bon_doi_thong"}  # see test_leftover
    counted = [name for name in rows if name.startswith(("chop_", "chain_", "thoi_")) and name not in unpriced]
    counted += ["void_chain", "free_chop", "huong_sai", "out_on_two", "toi_trang", "den_cong"]
    counted += ["cong_one", "cong_two", "cong_three", "ket_3_bich_made", "ket_3_bich_blocked"]
    assert {name: rows[name]["count"] for name in counted} == {name: seen[name] for name in counted}
    assert rows["ket_3_bich_tried"]["count"] == seen["ket_3_bich_made"] + seen["ket_3_bich_blocked"]


def test_opening_and_regular_games_apart():
    """The rates are those of the games of each kind, and the means weigh up to the whole."""
    stats = tlsim.simulate("luckywin", games=2400, seed=3)
    records = tlsim.play("luckywin", games=2400, seed=3)
    opening = [record for record in records if record["opening"]]
    event = next(row for row in stats.rows("events") if row["event"] == "opening_games")
    assert event["count"] == len(opening)
    for seat, row in enumerate(stats.rows("seats")):
        assert row["opening_mean"] * len(opening) == pytest.approx(sum(record["net"][seat] for record in opening))
        whole = row["opening_mean"] * len(opening) + row["regular_mean"] * (2400 - len(opening))
        assert whole == pytest.approx(row["mean"] * 2400)
    instant = next(row for row in stats.rows("events") if row["event"] == "toi_trang")
    assert instant["per_opening_game"] * len(opening) == pytest.approx(sum(bool(record["calls"]) for record in opening))
    for distance, row in enumerate(stats.rows("roles")):
        seats = [(r["leader"] + r["direction"] * distance) % 4 for r in records]
        assert row["mean"] * 2400 == pytest.approx(sum(r["net"][s] for r, s in zip(records, seats, strict=True)))
        first = sum(r["places"][0] == s for r, s in zip(records, seats, strict=True))
        assert row["place_1"] * 2400 == pytest.approx(first)


def test_the_error_of_a_kind_of_games_is_that_of_a_ratio():
    """Against the delta method over matches, worked out from the records."""
    stats, records = tlsim.simulate("doithuong", games=1200, seed=8), tlsim.play("doithuong", games=1200, seed=8)
    won, played = [0.0] * 100, [0] * 100
    for record in records:
        if not record["opening"]:
            won[record["source"]["match"]] += record["net"][2]
            played[record["source"]["match"]] += 1
    ratio = sum(won) / sum(played)
    residual = sum((w - ratio * n) ** 2 for w, n in zip(won, played, strict=True)) * 100 / 99
    row = stats.rows("seats")[2]
    assert row["regular_mean"] == pytest.approx(ratio)
    assert row["regular_std_error"] == pytest.approx(residual**0.5 / sum(played))


def test_hands_that_hold_a_pattern_are_as_many_as_counted_exactly():
    """Of 1.2 million hands; false alarm: 10 patterns at 5 standard errors, under 6e-6; a share 10 % off would show."""
    stats = tlsim.simulate("luckywin", games=300_000, policies="lowest", seed=12)
    rows = [row for row in stats.rows("toi_trang") if row["list"] == "regular"]
    assert rows
    for row in rows:
        hands = row["hands"] / row["per_hand"] if row["per_hand"] else 0
        expected = row["exact_per_hand"] * hands
        assert abs(row["hands"] - expected) < 5 * (expected * 1.2) ** 0.5 + 5
        assert row["count"] <= row["hands"]
