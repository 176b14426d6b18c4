"""Faults that no single value shows: what the parts of a rule set say about each other.

The checks read the plain tree, so they work beside faults elsewhere in the file; a value of a wrong kind is skipped
here, the schema names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from tlsim.cards import N_CARDS, count_cards
from tlsim.catalogue import N_
from tlsim.errors import Fault, Sentence
from tlsim.rules.keypath import LISTS, Path, Tree, at, entries_of, spell
from tlsim.rules.schema import InstantWinEntry, ToiTrang
from tlsim.rules.schema_values import MOST_PLAYERS

SETTLEMENTS = ("count_cards", "place_transfers", "place_points")
_WORDS = {*ToiTrang.model_fields, *InstantWinEntry.model_fields, "add", "remove", "both", "above", "below", "list"}
_NEEDS_PRICES = ("chop", "count_cards", "thoi")
_NEEDED_BY_LEAD = {
    "cong_streak": ("lead", "cong_streak"),
    "den_payer": ("den_cong",),
    "sam_caller": ("bao_sam",),
}
# tables by number of players whose rows name every place
_ROWS: dict[Path, str] = {("place_points",): "points", ("president", "titles"): "titles"}

Found = tuple[Path, Fault]


def check(tree: Tree) -> Iterator[Found]:
    """Yield the faults between the parts of a resolved tree, each with its path."""
    yield from _deal(tree)
    yield from _settlement(tree)
    yield from _lead(tree)
    yield from _by_players(tree)
    yield from _patterns(tree)
    yield from _president(tree)


def unplayable(tree: Tree) -> Iterator[Found]:
    """Yield what keeps whole games of a valid rule set from being played; its odds can be computed all the same."""
    yield from _titles(tree)
    yield from _revolution(tree)
    yield from _calls(tree)


def _found(path: Path, value: Any, message: str) -> Found:
    return path, Fault(spell(path), value, message)


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _table_sizes(tree: Tree) -> range:
    """Return the numbers of players that the set is for, empty where `_deal` or the schema has a fault to tell."""
    low, high = (_whole(at(tree, ("deal", key))) for key in ("min_players", "max_players"))
    cards = _whole(at(tree, ("deal", "hand_size"))) or 1
    if low is None or high is None or not 2 <= low <= high <= MOST_PLAYERS or high * cards > N_CARDS:
        return range(0)
    return range(low, high + 1)


def _deal(tree: Tree) -> Iterator[Found]:
    low, high = (_whole(at(tree, ("deal", key))) for key in ("min_players", "max_players"))
    size = at(tree, ("deal", "hand_size"))
    if low is not None and high is not None and low > high:
        yield _found(("deal", "min_players"), low, Sentence("must not be above deal.max_players = {high}", high=high))
    if high is not None and (cards := _whole(size)) is not None and 0 < cards <= 26 < cards * high - 26:
        most = N_CARDS // cards
        text = Sentence("{high} players × {cards} cards need {needed}, the deck has 52; at most {most} players can "
                        "play", high=high, cards=cards, needed=high * cards, most=most)  # fmt: skip
        yield _found(("deal", "max_players"), high, text)
    if size == "all" and at(tree, ("deal", "uneven_deal")) is None and any(N_CARDS % n for n in _table_sizes(tree)):
        yield _found(("deal", "uneven_deal"), None, "is needed: the deck cannot be dealt evenly to every table")


def _settlement(tree: Tree) -> Iterator[Found]:
    given = [key for key in SETTLEMENTS if tree.get(key) not in (None, False)]
    if len(given) != 1:
        text = N_("a game is settled by exactly one of {names}; this set has none of them; switch one off by `= false`")
        if given:
            text = N_("a game is settled by exactly one of {names}; this set has {given}; switch one off by `= false`")
        fault = Sentence(text, names=", ".join(SETTLEMENTS), given=" and ".join(given))
        yield _found((given[-1] if given else SETTLEMENTS[0],), None, fault)
    if tree.get("prices") in (None, False):
        for key in _NEEDS_PRICES:
            if tree.get(key) not in (None, False):
                yield _found(("prices",), None, Sentence("is needed by {key}", key=key))
        if at(tree, ("cong", "items")) is True:
            yield _found(("prices",), None, "is needed by cong.items")


def _lead(tree: Tree) -> Iterator[Found]:
    order = at(tree, ("lead", "next"))
    for index, word in enumerate(order if isinstance(order, list) else ()):
        needed = _NEEDED_BY_LEAD.get(word) if isinstance(word, str) else None
        if needed and at(tree, needed) in (None, False):
            yield _found(("lead", "next", index), word, Sentence("needs {needed}, which this set does not have",
                                                                 needed=spell(needed)))  # fmt: skip


def _by_players(tree: Tree) -> Iterator[Found]:
    sizes = _table_sizes(tree)
    tables: list[Path] = [("toi_trang", name, i, "pays") for name in LISTS for i in range(len(entries_of(tree, name)))]
    tables += [("toi_trang", "instant_pay"), ("cong", "fine"), *_ROWS, ("place_transfers",), ("president", "exchange")]
    for path in tables:
        table = at(tree, path)
        missing = [n for n in sizes if str(n) not in table] if isinstance(table, dict) else []
        if missing:
            text = Sentence("says nothing for {players} players; deal allows {least} … {most}",
                            players=", ".join(map(str, missing)), least=sizes[0], most=sizes[-1])  # fmt: skip
            yield _found(path, None, text)
    for path, what in _ROWS.items():
        table = at(tree, path)
        for players, row in table.items() if isinstance(table, dict) else ():
            if isinstance(row, list) and players.isdecimal() and len(row) != int(players):
                yield _found((*path, players), row, Sentence("must list {players} {what}, the first place first",
                                                             players=players, what=what))  # fmt: skip
    yield from _transfers(tree)


def _transfers(tree: Tree) -> Iterator[Found]:
    table = tree.get("place_transfers")
    for players, rows in table.items() if isinstance(table, dict) else ():
        for index, row in enumerate(rows if isinstance(rows, list) and players.isdecimal() else ()):
            ends = [_whole(at(row, (key,))) for key in ("from_place", "to_place")]
            if None not in ends and (ends[0] == ends[1] or not all(1 <= (end or 0) <= int(players) for end in ends)):
                text = Sentence("must go between two different places from 1 to {players}", players=players)
                yield _found(("place_transfers", players, index), row, text)


def _patterns(tree: Tree) -> Iterator[Found]:
    size = at(tree, ("deal", "hand_size"))
    smallest = _whole(size) if size != "all" else min((N_CARDS // n for n in _table_sizes(tree)), default=None)
    given = {name: [(at(entry, ("id",)), at(entry, ("all_of",))) for entry in entries_of(tree, name)] for name in LISTS}
    for name, other in (LISTS, LISTS[::-1]):
        for index, (ident, conditions) in enumerate(given[name]):
            path: Path = ("toi_trang", name, index)
            if isinstance(ident, str) and ident in [before for before, _ in given[name][:index]]:
                text = Sentence("is there twice in toi_trang.{name}; each pattern has an id of its own", name=name)
                yield _found((*path, "id"), ident, text)
            elif isinstance(ident, str) and any(ident == i and conditions != c for i, c in given[other]):
                yield _found((*path, "id"), ident, Sentence("names another pattern in toi_trang.{other}; one id is "
                                                            "one pattern", other=other))  # fmt: skip
            if isinstance(ident, str) and ident in _WORDS:
                text = Sentence("is a word of rule files (toi_trang.{word}); choose another id", word=ident)
                yield _found((*path, "id"), ident, text)
            if smallest is not None:
                yield from _too_big(path, entries_of(tree, name)[index], smallest)
    if at(tree, ("toi_trang", "opening_list_mode")) == "one_list" and entries_of(tree, "opening"):
        text = Sentence("must be empty: with opening_list_mode = 'one_list' toi_trang.regular serves every game")
        yield _found(("toi_trang", "opening"), None, text)


def _too_big(path: Path, entry: Any, hand_size: int) -> Iterator[Found]:
    try:
        pattern = InstantWinEntry.model_validate(entry)
    except ValidationError:
        return  # the schema tells
    conditions = pattern.all_of
    if pattern.disjoint and (least := sum(condition.least_cards for condition in conditions)) > hand_size:
        text = Sentence("needs {cards} without a card in common, a hand has {hand_size} (deal.hand_size)",
                        cards=count_cards(least), hand_size=hand_size)  # fmt: skip
        yield _found((*path, "disjoint"), True, text)
    for index, condition in enumerate(conditions):
        if condition.least_cards > hand_size:
            text = Sentence("needs {cards}, a hand has {hand_size} (deal.hand_size)",
                            cards=count_cards(condition.least_cards), hand_size=hand_size)  # fmt: skip
            yield _found((*path, "all_of", index), None, text)


def _exchanges(tree: Tree) -> Iterator[tuple[Path, int | None, Any]]:
    """Yield the rows of exchanges: path, number of players (None: all), row."""
    table = at(tree, ("president", "exchange"))
    lists = table if isinstance(table, dict) else {None: table}
    for players, rows in lists.items():
        path: Path = ("president", "exchange", *(() if players is None else (players,)))
        for index, row in enumerate(rows if isinstance(rows, list) else ()):
            yield (*path, index), int(players) if players is not None and players.isdecimal() else None, row


def _president(tree: Tree) -> Iterator[Found]:
    titles = at(tree, ("president", "titles"))
    for path, number, row in _exchanges(tree):
        for key in ("from_title", "to_title"):
            title = at(row, (key,))
            for players, names in titles.items() if isinstance(titles, dict) else ():
                asked = isinstance(title, str) and isinstance(names, list) and number in (None, _whole_text(players))
                if asked and title not in names:
                    text = Sentence("is no title at {players} players (president.titles.{players})", players=players)
                    yield _found((*path, key), title, text)
        both = [at(row, (key,)) for key in ("from_title", "to_title")]
        if isinstance(both[0], str) and both[0] == both[1]:
            yield _found(path, both[0], "must go from one title to another")
    yield from _given_up(tree)


def _whole_text(value: str) -> int | None:
    return int(value) if value.isdecimal() else None


def _given_up(tree: Tree) -> Iterator[Found]:
    """Yield exchanges in which a title gives more cards than it is dealt."""
    size = at(tree, ("deal", "hand_size"))
    given: dict[tuple[int | None, str], int] = {}
    for path, number, row in _exchanges(tree):
        sizes = _table_sizes(tree) if number is None else (number,)
        dealt = _whole(size) if size != "all" else min((N_CARDS // n for n in sizes), default=None)
        title, cards = at(row, ("from_title",)), _whole(at(row, ("cards",)))
        if not isinstance(title, str) or cards is None or dealt is None:
            continue
        given[number, title] = given.get((number, title), 0) + cards
        if given[number, title] > dealt:
            text = Sentence("{title} would give {cards}; a hand has {dealt} (deal.hand_size)", title=title,
                            cards=count_cards(given[number, title]), dealt=dealt)  # fmt: skip
            yield _found((*path, "cards"), cards, text)


def _titles(tree: Tree) -> Iterator[Found]:
    """Yield what would leave seats without a place, where places give titles."""
    if tree.get("president") in (None, False):
        return
    for name in ("toi_trang", "ket_3_bich", "dut_3_bich", "den_ca_lang", "bao_sam", "den_bao"):
        if tree.get(name) not in (None, False):
            yield _found(
                (name,), None, "cannot be with [president]: the game might end before every seat has its place"
            )
    for path, wrong in (
        (("end_condition",), "first_out"),
        (("finish", "on_two"), "forbid"),
        (("cong", "method"), "whole_table"),
    ):
        if at(tree, path) == wrong:
            yield _found(path, wrong, "cannot be with [president]: every seat needs a place, which gives its title")


def _revolution(tree: Tree) -> Iterator[Found]:
    """Yield what cannot be where the order of the cards turns over: it is for sets of one rank alone."""
    if at(tree, ("president", "revolution")) is not True:
        return
    for path in (("combinations", "straight"), ("combinations", "pair_run"), ("chop",), ("residual",)):
        if at(tree, path) not in (None, False):
            text = N_("cannot be where a quad turns the order over; switch it off, or president.revolution")
            yield _found(path, None, text)
    for path, needed in ((("combinations", "suit_match"), "off"), (("finish", "on_two"), "allow")):
        value = at(tree, path)
        if isinstance(value, str) and value not in (needed, "forbid"):
            text = Sentence("must be {needed!r} where a quad turns the order over (president.revolution)",
                            needed=needed)  # fmt: skip
            yield _found(path, value, text)


def _calls(tree: Tree) -> Iterator[Found]:
    """Yield what calls of Sâm and đền báo need: one winner whom all others pay, or money by place."""
    for name in ("bao_sam", "den_bao"):
        if tree.get(name) in (None, False) or (name == "den_bao" and tree.get("place_transfers") not in (None, False)):
            continue
        if at(tree, ("end_condition",)) == "last_one":
            text = Sentence("must be 'first_out' with [{name}]: there is one winner, and all others pay him", name=name)
            yield _found(("end_condition",), "last_one", text)
        if tree.get("count_cards") in (None, False):
            text = Sentence("is needed by bao_sam: losers pay the winner for their cards")
            other = Sentence("is needed by den_bao, or place_transfers: losers pay the winner for their cards")
            yield _found(("count_cards",), None, text if name == "bao_sam" else other)
    yield from _times(tree)
    if at(tree, ("finish", "on_two")) == "counts_last" and at(tree, ("end_condition",)) == "first_out":
        text = Sentence("needs a game that goes on to the last (end_condition = 'last_one'): else who goes out on a 2 "
                        "pays nothing and the others pay; or 'forbid', or finish.two_fine")  # fmt: skip
        yield _found(("finish", "on_two"), "counts_last", text)


def _times(tree: Tree) -> Iterator[Found]:
    """Yield what cóng that counts several times cannot be with."""
    if at(tree, ("cong", "times")) is None:
        return
    if tree.get("count_cards") in (None, False):
        yield _found(("count_cards",), None, "is needed by cong.times: a cóng seat pays for its cards")
    if at(tree, ("cong", "items")) is True:
        yield _found(("cong", "items"), True, "must be false with cong.times, which counts heo and hàng already")
    if at(tree, ("cong", "method")) == "whole_table":
        yield _found(("cong", "method"), "whole_table", "must be 'per_player' with cong.times")
