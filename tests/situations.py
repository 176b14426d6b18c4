"""What the tests of situations share: how a situation is written, and the engines that it is played on.

A situation is a deal, a list of moves and what comes before them; a test asks each engine whether a move may be played
then, what the game comes to, or who leads the next one. Moves are written "A 2H, B 4S 4C 5S 5C 6S 6C, C, D, A": seat
and cards, no cards is a pass; "D! …" is played out of turn or after a pass; "A 3S=quad" is what is left of a bomb in
Huế; "A #" is a leader who is stuck (Sâm). `line` writes passes that go without saying.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import naive
import naive_game
import numpy as np

import tlsim
from tlsim import load_rules
from tlsim.cards import DECK, card_name, cards_in, hand_of
from tlsim.engine.rule_numbers import game_row
from tlsim.kernels import row as c
from tlsim.kernels.policies import SCRIPT
from tlsim.kernels.table import play_script, table
from tlsim.records.model import Call, Entry, GameRecord, RecordError, read_record
from tlsim.records.referee import referee
from tlsim.records.settling import settle_all
from tlsim.records.start import strongest_patterns

SEATS = "ABCDE"


class Move(NamedTuple):
    seat: int
    cards: str = ""
    as_: str | None = None
    interrupt: bool = False
    stuck: bool = False


class Situation(NamedTuple):
    """A game up to some point; `declared` and `sam` are the seats that would call tới trắng and Sâm if asked."""

    rules: object
    hands: Sequence[int]
    leader: int = 0
    opening: bool = False
    moves: Sequence[Move] = ()
    declared: tuple[int, ...] = ()
    sam: tuple[int, ...] = ()
    direction: int = 1
    barred: int | None = None
    titles: tuple[int, ...] | None = None
    exchange: tuple[tuple[int, int, str], ...] = ()  # (from, to, cards): gifts up, then returns
    calls: tuple[dict, ...] | None = None  # what a record says, where it is not what follows from the hands

    def __repr__(self):
        return f"<{self.rules.name}, {len(self.hands)} players, {len(self.moves)} moves>"


class Outcome(NamedTuple):
    """What a whole game comes to, in units; payments are {(from, to, reason): amount} where an engine tells them."""

    net: tuple[float, ...]
    places: list[int]
    next_leader: int | None
    next_opening: bool
    payments: Mapping[tuple[int, int, str], float] | None = None


# Writing


def moves_of(text) -> list[Move]:
    """Read "A 2H, B! 4S 4C, C, A 3S=quad, D #"."""
    moves = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        word, _, cards = part.partition(" ")
        cards, _, as_ = cards.partition("=")
        stuck = cards.strip() == "#"
        moves.append(Move(SEATS.index(word[0]), "" if stuck else cards.strip(), as_ or None, word.endswith("!"), stuck))
    return moves


def hands_of(*texts):
    return [hand_of(text) for text in texts]


def line(text, hands, leader, direction=1, *, locks=True, stops=True) -> list[Move]:
    """Moves with the passes that go without saying.

    Whoever is asked before the next mover passes; "/" says that everybody passes and the trick closes; "A *" that A
    leads the cards that he has left one by one, the highest first, and everybody passes on each (on the last too, if
    the game does not stop with it).
    """
    walk = _Walk(list(hands), leader, direction, locks)
    for part in filter(None, (part.strip() for part in text.replace("/", ",/,").split(","))):
        if part == "/":
            walk.close()
        elif part.endswith("*"):
            walk.close()
            for card in reversed(list(cards_in(walk.left[SEATS.index(part[0])]))):
                if walk.owner is not None:
                    walk.close()
                walk.lay(Move(SEATS.index(part[0]), card_name(card)))
            if not stops and sum(map(bool, walk.left)) > 1:
                walk.close()
        else:
            walk.lay(*moves_of(part))
    return walk.moves


class _Walk:
    """Whose turn it is, as far as passing goes."""

    def __init__(self, left, leader, direction, locks):
        self.left, self.leads, self.direction, self.locks = left, leader, direction, locks
        self.owner = self.turn = None
        self.passed = set()
        self.moves = []

    def _after(self, seat):
        seats = [(seat + self.direction * step) % len(self.left) for step in range(1, len(self.left))]
        return [other for other in seats if self.left[other]]

    def _asked(self):
        if self.owner is None:
            return None
        return next((s for s in self._after(self.turn) if s not in self.passed and s != self.owner), None)

    def close(self):
        while (seat := self._asked()) is not None:
            self._pass(seat)
        if self.owner is not None:
            self.leads = self.owner if self.left[self.owner] else next(iter(self._after(self.owner)), None)
        self.owner, self.passed = None, set()

    def _pass(self, seat):
        self.moves.append(Move(seat))
        self.passed.add(seat)
        self.turn = seat

    def lay(self, move):
        if move.stuck:
            self.close()
            assert move.seat == self.leads, f"{move}, but {self.leads} leads"
            self.moves.append(move)
            self.leads = next(iter(self._after(move.seat)), None)
            return
        if not move.interrupt:
            while self.owner is not None and (seat := self._asked()) != move.seat:
                if seat is None:
                    self.close()
                else:
                    self._pass(seat)
            if self.owner is None:
                assert move.seat == self.leads, f"{move}, but {self.leads} leads"
        if not move.cards:
            self._pass(move.seat)
            return
        if not self.locks:
            self.passed = set()
        self.passed.discard(move.seat)
        self.moves.append(move)
        self.owner = self.turn = move.seat
        self.left[move.seat] &= ~hand_of(move.cards)


def deal(*texts, sizes, out="", good=lambda _: True):
    """Those hands, filled up in an order without meaning, if possible 2s last, so that `good` holds; without `out`."""
    given = hands_of(*texts) + [0] * (len(sizes) - len(texts))
    assert sum(map(int.bit_count, given)) == sum(given).bit_count(), "a card is in two hands"
    left = list(cards_in(DECK & ~sum(given) & ~hand_of(out)))
    for twos_last, shuffle in product((True, False), range(7, 53)):
        rest = sorted(left, key=lambda card: (twos_last and card < 48, card * shuffle % 53))
        hands = list(given)
        for seat, size in enumerate(sizes):
            while hands[seat].bit_count() < size:
                hands[seat] |= 1 << rest.pop()
        if good(hands):
            return hands
    raise AssertionError(f"no way to fill {texts}")


def holders(rules, hands, *, opening, barred=None) -> dict[int, str]:
    """Who holds a tới trắng, and the id of his strongest."""
    wins = rules.instant_wins(opening, len(hands))
    found = {}
    for seat, hand in enumerate(hands):
        at = naive.class_of([win.pattern for win in wins], hand, hand.bit_count()) if wins else 0
        if at and seat != barred:
            found[seat] = wins[at - 1].id
    return found


@lru_cache(maxsize=256)
def _changed(name, changes):
    return load_rules(name).replace(dict(changes)) if changes else load_rules(name)


def changed(name, changes=None):
    """A preset with clauses changed."""
    try:
        return _changed(name, tuple((changes or {}).items()))
    except TypeError:  # a list among the values
        return load_rules(name).replace(changes)


# Engines


class Twin:
    """The slow twin."""

    def legal(self, situation, move) -> bool:
        """Play the moves; may this one be played then?"""
        game = self._after(situation)
        while game.asked and game.asked[1] == "free":
            if move.interrupt and game.asked[0] == move.seat:
                return game.is_legal(_play(move))
            game.choose(naive_game.PASS)
        asked = game.asked is not None and game.asked[0] == move.seat and game.asked[1] in ("lead", "follow")
        return asked and not move.interrupt and not move.stuck and game.is_legal(_play(move))

    def outcome(self, situation) -> Outcome:
        """What a whole game comes to."""
        game = self._whole(situation)
        net = tuple(net / 2 for net in game.net)
        payments = {key: halves / 2 for key, halves in game.transfers.items() if halves}
        return Outcome(net, list(game.places), game.next_leader, game.next_opening, payments)

    def opening_leader(self, rules, hands) -> int:
        return naive_game.opening_leader(rules, hands)

    def accepts(self, situation) -> bool:
        """Whether leader, calls and exchange are as they must be."""
        try:
            game = self._begun(situation)
        except ValueError:
            return False
        s = situation
        drawn = not s.opening or s.rules.lead.opening_fallback == "random"
        if not drawn and s.leader != naive_game.opening_leader(s.rules, s.hands):
            return False
        return game is not None and (situation.calls is None or list(situation.calls) == game.calls)

    def follows(self, games) -> int | None:
        """Which of the games of a match is the first that cannot follow from those before it."""
        last, before = None, None
        for at, situation in enumerate(games):
            if last is not None:
                must = last.next_opening, last.next_direction, last.next_barred
                is_ = situation.opening, situation.direction, situation.barred
                leader = last.next_leader in (None, situation.leader)
                titles = situation.rules.president is None or list(situation.titles or ()) == last.next_titles
                if must != is_ or not leader or not titles:
                    return at
                before = getattr(last, "next_streaks", None)
            last = self._whole(situation, before)
        return None

    def _whole(self, situation, streaks=None) -> naive_game.Game:
        game = self._after(situation, streaks)
        while game.asked and game.asked[1] == "free":
            game.choose(naive_game.PASS)
        assert game.asked is None, f"the moves do not end the game: {game.asked}"
        self._compare_log(game, situation)
        return game

    def _begun(self, situation, streaks=None) -> naive_game.Game | None:
        """The game before its first play; None where cards are exchanged that need not be."""
        s = situation
        more = {"barred": s.barred, "titles": s.titles and list(s.titles), "streaks": streaks}
        more = {key: value for key, value in more.items() if value is not None}
        game = naive_game.Game(s.rules, s.hands, s.leader, s.opening, s.direction, **more)
        returns = [gift for gift in s.exchange if s.exchange.index(gift) >= len(s.exchange) // 2]
        while game.asked and game.asked[1] in ("declare", "sam", "return"):
            seat, what = game.asked
            if what == "return":
                mine = next((gift for gift in returns if gift[0] == seat), None)
                if mine is None:
                    raise ValueError("nothing is returned")
                returns.remove(mine)
                game.choose(naive_game.Play(hand_of(mine[2])))
            else:
                game.choose(naive_game.YES if seat in (s.sam if what == "sam" else s.declared) else naive_game.NO)
        if s.rules.president:
            found = [(gift["from"], gift["to"], hand_of(" ".join(gift["cards"]))) for gift in game.exchange or ()]
            told = [(giver, taker, hand_of(cards)) for giver, taker, cards in s.exchange]
            gifts = slice(len(found) // 2)  # of equal ranks in any suit (L13)
            if found[gifts.stop :] != told[gifts.stop :] or _by_rank(found[gifts]) != _by_rank(told[gifts]):
                return None
        return game

    def _after(self, situation, streaks=None) -> naive_game.Game:
        game = self._begun(situation, streaks)
        assert game is not None, "the exchange is not as it must be"
        for move in situation.moves:
            if move.stuck:
                continue  # it is not asked
            while game.asked and game.asked[1] == "free" and not (move.interrupt and game.asked[0] == move.seat):
                game.choose(naive_game.PASS)
            assert game.asked, f"the game is over before {move}"
            assert game.asked[0] == move.seat, f"{game.asked} is asked, not {move}"
            game.choose(_play(move))
        return game

    def _compare_log(self, game, situation):
        log = [(play["seat"], hand_of(" ".join(play["cards"])), play.get("stuck", False)) for play in game.plays]
        assert log == [(move.seat, hand_of(move.cards), move.stuck) for move in situation.moves]


def _by_rank(gifts):
    return [(giver, taker, [name[0] for name in naive_game.names_of(hand)]) for giver, taker, hand in gifts]


def _play(move) -> naive_game.Play:
    return naive_game.Play(hand_of(move.cards), move.as_)


class Records:
    """The compiled engine as the referee of records: whole hands alone, since a record is a whole game."""

    def legal(self, situation, move) -> bool:
        """Is this move taken after those?"""
        moves = [*situation.moves, move]
        error = self._fault(situation._replace(moves=moves))
        if error is None:
            return True
        assert error.decision is not None, error
        assert error.decision >= len(situation.moves), error
        return error.decision > len(situation.moves)

    def outcome(self, situation) -> Outcome:
        done = self._settled(situation)
        payments = {(pay["from"], pay["to"], pay["reason"]): pay["amount"] for pay in done.record["transfers"]}
        return Outcome(done.net, list(done.places), done.next_leader, done.next_opening, payments)

    def accepts(self, situation) -> bool:
        error = self._fault(situation)
        return error is None or error.decision is not None

    def follows(self, games) -> int | None:
        read = []
        for at, situation in enumerate(games):
            source = {"seed": 1, "match": 0, "game": at, "match_length": len(games)}
            source["policies"] = ["lowest"] * len(situation.hands)
            read.append((f"game {at}", read_record(record_of(situation) | {"source": source})))
        for at, (_, done) in enumerate(settle_all(read, games[0].rules)):
            if isinstance(done, RecordError):
                assert done.decision is None, done
                return at
        return None

    def _fault(self, situation):
        try:
            self._settled(situation)
        except RecordError as error:
            return error
        return None

    def _settled(self, situation):
        return tlsim.settle(record_of(situation), situation.rules)


def record_of(situation) -> dict:
    """The record of a situation."""
    s = situation
    record = {
        "format": "tlsim-game/1", "rules": s.rules.name, "players": len(s.hands), "opening": s.opening,
        "direction": s.direction, "leader": s.leader, "hands": [naive_game.names_of(hand) for hand in s.hands],
        "calls": _calls(s) if s.calls is None else list(s.calls), "plays": [_as_entry(move) for move in s.moves],
    }  # fmt: skip
    if s.barred is not None:
        record["barred"] = s.barred
    if s.titles is not None:
        record["titles"] = list(s.titles)
    if s.exchange:
        record["exchange"] = [
            {"from": giver, "to": taker, "cards": naive_game.names_of(hand_of(cards))}
            for giver, taker, cards in s.exchange
        ]
    return record


def _calls(s) -> list[dict]:
    """The accepted call of Sâm, then those of tới trắng."""
    order = [(s.leader + s.direction * step) % len(s.hands) for step in range(len(s.hands))]
    calls = [{"seat": seat, "call": "sam"} for seat in order if seat in s.sam][:1]
    held = holders(s.rules, s.hands, opening=s.opening, barred=s.barred)
    if s.rules.toi_trang and s.rules.toi_trang.declare == "optional":
        held = {seat: name for seat, name in held.items() if seat in s.declared}
    return calls + [{"seat": seat, "call": "toi_trang", "pattern": name} for seat, name in held.items()]


def _as_entry(move) -> dict:
    entry = {"seat": move.seat, "cards": naive_game.names_of(hand_of(move.cards))}
    if move.as_:
        entry["as"] = move.as_
    return entry | ({"interrupt": True} if move.interrupt else {}) | ({"stuck": True} if move.stuck else {})


class Rows:
    """The compiled engine itself, led by a script: hands of any size; who holds tới trắng is asked elsewhere."""

    def legal(self, situation, move) -> bool:
        game = self._run(situation, [*situation.moves, move])
        assert game[c.PLAYS] >= len(situation.moves), f"move {game[c.PLAYS]} is refused"
        return bool(game[c.PLAYS] > len(situation.moves))

    def outcome(self, situation) -> Outcome:
        """What a whole game comes to; with tới trắng the referee says it."""
        if situation.rules.toi_trang:
            done = self._refereed(situation)
            return Outcome(done.net, list(done.places), done.next_leader, done.next_opening)
        assert not situation.declared
        game = self._run(situation, situation.moves)
        assert game[c.FAULT] == c.FINE, f"move {game[c.PLAYS]} is refused: {game[c.FAULT]}"
        assert game[c.PLAYS] == len(situation.moves)
        net = tuple((game[c.NET : c.NET + len(situation.hands)] / 2).tolist())
        places = game[c.PLACES : c.PLACES + game[c.N_PLACES]].tolist()
        leader = int(game[c.NEXT_LEADER])
        return Outcome(net, places, leader if leader >= 0 else None, bool(game[c.NEXT_OPENING]))

    def opening_leader(self, rules, hands) -> int:
        game = game_row(rules, len(hands))
        game[c.DEALT : c.DEALT + len(hands)] = hands
        table(game, c.FIND_LEAD)
        return int(game[c.LEADER])

    def _refereed(self, situation):
        rules, hands, opening = situation.rules, situation.hands, situation.opening
        best = strongest_patterns(rules, hands, opening)
        callers = best if rules.toi_trang.declare == "automatic" else situation.declared
        ids = [win.id for win in rules.instant_wins(opening, len(hands))]
        calls = [Call(seat=seat, call="toi_trang", pattern=ids[best[seat]]) for seat in callers]
        plays = [Entry.model_construct(seat=m.seat, cards=hand_of(m.cards), as_=m.as_) for m in situation.moves]
        record = GameRecord.model_construct(
            rules=rules.name, players=len(hands), opening=opening, leader=situation.leader, hands=list(hands),
            calls=calls, plays=plays,
        )  # fmt: skip
        return referee(record, rules)

    def _run(self, situation, moves):
        rules, hands, opening = situation.rules, situation.hands, situation.opening
        game, players = game_row(rules, len(hands)), len(hands)
        game[c.DEALT : c.DEALT + players] = hands
        game[c.POLICY : c.POLICY + players] = SCRIPT
        dealt, required = sum(hands), 0
        if opening and rules.lead.opening_must_include:
            required = 1 << rules.lead.opening_card
            if not dealt & required:
                required = dealt & -dealt if rules.lead.opening_fallback == "lowest_must_include" else 0
        game[c.LEADER], game[c.OPENING], game[c.REQUIRED_FIRST] = situation.leader, opening, required
        play_script(game, np.array([_packed(move) for move in moves], np.int64))
        return game


def _packed(move) -> int:
    marks = {None: 0, "quad": c.AS_QUAD, "pair_run_4": c.AS_RUN_4}[move.as_] | (c.INTERRUPT if move.interrupt else 0)
    return move.seat << c.SEAT_SHIFT | hand_of(move.cards) | marks


def balanced(net, total=0) -> bool:
    """Whether the money of a game sums to nothing (or to the points of the places)."""
    return math.isclose(sum(net), total)
