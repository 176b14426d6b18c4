"""Faults in words: those of single values, and what the parts of a rule set say about each other.

The checks read the plain tree, so they work beside faults elsewhere in the file; a value of a wrong kind is skipped
here, the schema names it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

from pydantic import ValidationError

from tlsim.cards import N_CARDS, count_cards
from tlsim.catalogue import N_
from tlsim.errors import Fault, Sentence, reason, suggestion
from tlsim.folders import brought
from tlsim.patterns import AnyCondition, least_cards
from tlsim.rules.keypath import LISTS, Path, Tree, at, entries_of, model_at, read_path, spell
from tlsim.rules.schema import InstantWinEntry, ToiTrang
from tlsim.rules.schema_values import MOST_PLAYERS

SETTLEMENTS = ("count_cards", "place_transfers", "place_points")
_WORDS = {*ToiTrang.model_fields, *InstantWinEntry.model_fields, "add", "remove", "both", "above", "below", "list"}
_NEEDED_BY_LEAD = {"cong_streak": ("lead", "cong_streak"), "den_payer": ("den_cong",), "sam_caller": ("bao_sam",)}
# tables by number of players whose rows name every place
_ROWS: dict[Path, str] = {("place_points",): "points", ("president", "titles"): "titles"}

TOGETHER = brought("rules/together.toml")
"""What clauses say about each other, where it takes no more than their values."""

Found = tuple[Path, Fault]


def check(tree: Tree) -> Iterator[Found]:
    """Yield the faults between the parts of a resolved tree, each with its path."""
    for look in (_deal, _settlement, _lead, _by_players, _patterns, _president):
        yield from look(tree)


def unplayable(tree: Tree) -> Iterator[Found]:
    """Yield what keeps whole games of a valid rule set from being played; its odds can be computed all the same."""
    return _beside(tree, "unplayable")


def _beside(tree: Tree, kind: str) -> Iterator[Found]:
    for path, value, why in together(tree, kind):
        yield read_path(path), Fault(path, None if isinstance(value, dict | list) else value, why)


def together(tree: Tree, kind: str) -> Iterator[tuple[str, Any, Sentence]]:
    """Yield the clauses that cannot be, or cannot matter, beside others: key path, value, why; see `TOGETHER`."""
    for each in TOGETHER[kind]:
        where = {path: at(tree, read_path(path)) for path in each["where"]}
        if not all(_holds(where[path], wanted) for path, wanted in each["where"].items()):
            continue
        words = {path.rpartition(".")[2]: value for path, value in where.items()} | each.get("words", {})
        why = Sentence(each["why"], **words)
        there = ((path, at(tree, read_path(path))) for path in each.get("clauses", ()))
        off = (None,) if kind == "moot" else (None, False)
        yield from ((path, value, why) for path, value in there if value not in off)
        if "lacking" in each:
            yield each["lacking"], None, why


def _holds(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return wanted == (value not in (None, False, 0))
    return value in wanted if isinstance(wanted, list) else value == wanted


def _found(path: Path, value: Any, message: str, /, **values: Any) -> Found:
    return path, Fault(spell(path), value, Sentence(message, **values))


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _on(tree: Tree, *path: str) -> bool:
    """Whether a table is there, and not switched off."""
    return at(tree, path) not in (None, False)


def _table_sizes(tree: Tree) -> range:
    """Return the numbers of players that the set is for, empty where `_deal` or the schema has a fault to tell."""
    low, high = (_whole(at(tree, ("deal", key))) for key in ("min_players", "max_players"))
    cards = _whole(at(tree, ("deal", "hand_size"))) or 1
    if low is None or high is None or not 2 <= low <= high <= MOST_PLAYERS or high * cards > N_CARDS:
        return range(0)
    return range(low, high + 1)


def _smallest_hand(tree: Tree, sizes: range | tuple[int, ...]) -> int | None:
    size = at(tree, ("deal", "hand_size"))
    return _whole(size) if size != "all" else min((N_CARDS // n for n in sizes), default=None)


def _deal(tree: Tree) -> Iterator[Found]:
    low, high = (_whole(at(tree, ("deal", key))) for key in ("min_players", "max_players"))
    size = at(tree, ("deal", "hand_size"))
    if low is not None and high is not None and low > high:
        yield _found(("deal", "min_players"), low, "must not be above deal.max_players = {high}", high=high)
    if high is not None and (cards := _whole(size)) is not None and 0 < cards <= 26 < cards * high - 26:
        text = N_("{high} players × {cards} cards need {needed}, the deck has 52; at most {most} players can play")
        told = {"high": high, "cards": cards, "needed": high * cards, "most": N_CARDS // cards}
        yield _found(("deal", "max_players"), high, text, **told)
    if size == "all" and at(tree, ("deal", "uneven_deal")) is None and any(N_CARDS % n for n in _table_sizes(tree)):
        yield _found(("deal", "uneven_deal"), None, "is needed: the deck cannot be dealt evenly to every table")


def _settlement(tree: Tree) -> Iterator[Found]:
    given = [key for key in SETTLEMENTS if _on(tree, key)]
    if len(given) != 1:
        text = N_("a game is settled by exactly one of {names}; this set has none of them; switch one off by `= false`")
        if given:
            text = N_("a game is settled by exactly one of {names}; this set has {given}; switch one off by `= false`")
        path = (given or SETTLEMENTS)[-1 if given else 0]
        yield _found((path,), None, text, names=", ".join(SETTLEMENTS), given=" and ".join(given))
    yield from _beside(tree, "impossible")


def _lead(tree: Tree) -> Iterator[Found]:
    order = at(tree, ("lead", "next"))
    for index, word in enumerate(order if isinstance(order, list) else ()):
        needed = _NEEDED_BY_LEAD.get(word) if isinstance(word, str) else None
        if needed and not _on(tree, *needed):
            yield _found(("lead", "next", index), word, "needs {needed}, which this set does not have",
                         needed=spell(needed))  # fmt: skip


def _by_players(tree: Tree) -> Iterator[Found]:
    sizes = _table_sizes(tree)
    tables: list[Path] = [("toi_trang", name, i, "pays") for name in LISTS for i in range(len(entries_of(tree, name)))]
    tables += [("toi_trang", "instant_pay"), ("cong", "fine"), *_ROWS, ("place_transfers",), ("president", "exchange")]
    for path in tables:
        table = at(tree, path)
        missing = [n for n in sizes if str(n) not in table] if isinstance(table, dict) else []
        if missing:
            text = N_("says nothing for {players} players; deal allows {least} … {most}")
            yield _found(path, None, text, players=", ".join(map(str, missing)), least=sizes[0], most=sizes[-1])
    for path, what in _ROWS.items():
        table = at(tree, path)
        for players, row in table.items() if isinstance(table, dict) else ():
            if isinstance(row, list) and players.isdecimal() and len(row) != int(players):
                text = N_("must list {players} {what}, the first place first")
                yield _found((*path, players), row, text, players=players, what=what)
    table = tree.get("place_transfers")
    for players, rows in table.items() if isinstance(table, dict) else ():
        for index, row in enumerate(rows if isinstance(rows, list) and players.isdecimal() else ()):
            ends = [_whole(at(row, (key,))) for key in ("from_place", "to_place")]
            if None not in ends and (ends[0] == ends[1] or not all(1 <= (end or 0) <= int(players) for end in ends)):
                text = N_("must go between two different places from 1 to {players}")
                yield _found(("place_transfers", players, index), row, text, players=players)


def _patterns(tree: Tree) -> Iterator[Found]:
    smallest = _smallest_hand(tree, _table_sizes(tree))
    given = {name: [(at(entry, ("id",)), at(entry, ("all_of",))) for entry in entries_of(tree, name)] for name in LISTS}
    for name, other in (LISTS, LISTS[::-1]):
        for index, (ident, conditions) in enumerate(given[name]):
            path: Path = ("toi_trang", name, index)
            if isinstance(ident, str) and ident in [before for before, _ in given[name][:index]]:
                text = N_("is there twice in toi_trang.{name}; each pattern has an id of its own")
                yield _found((*path, "id"), ident, text, name=name)
            elif isinstance(ident, str) and any(ident == i and conditions != c for i, c in given[other]):
                text = N_("names another pattern in toi_trang.{other}; one id is one pattern")
                yield _found((*path, "id"), ident, text, other=other)
            if isinstance(ident, str) and ident in _WORDS:
                text = N_("is a word of rule files (toi_trang.{word}); choose another id")
                yield _found((*path, "id"), ident, text, word=ident)
            if smallest is not None:
                yield from _too_big(path, entries_of(tree, name)[index], smallest)
    if at(tree, ("toi_trang", "opening_list_mode")) == "one_list" and entries_of(tree, "opening"):
        text = N_("must be empty: with opening_list_mode = 'one_list' toi_trang.regular serves every game")
        yield _found(("toi_trang", "opening"), None, text)


def _too_big(path: Path, entry: Any, hand_size: int) -> Iterator[Found]:
    try:
        pattern = InstantWinEntry.model_validate(entry)
    except ValidationError:
        return  # the schema tells
    least = [least_cards(condition) for condition in pattern.all_of]
    if pattern.disjoint and sum(least) > hand_size:
        text = N_("needs {cards} without a card in common, a hand has {hand_size} (deal.hand_size)")
        yield _found((*path, "disjoint"), True, text, cards=count_cards(sum(least)), hand_size=hand_size)
    for index, cards in enumerate(least):
        if cards > hand_size:
            text = N_("needs {cards}, a hand has {hand_size} (deal.hand_size)")
            yield _found((*path, "all_of", index), None, text, cards=count_cards(cards), hand_size=hand_size)


def _president(tree: Tree) -> Iterator[Found]:
    """Yield exchanges between titles that are not there, or in which a title gives more cards than it is dealt."""
    titles, table = at(tree, ("president", "titles")), at(tree, ("president", "exchange"))
    lists = table if isinstance(table, dict) else {None: table}
    for players, rows in lists.items():
        number = int(players) if players is not None and players.isdecimal() else None
        path: Path = ("president", "exchange", *(() if players is None else (players,)))
        dealt = _smallest_hand(tree, _table_sizes(tree) if number is None else (number,))
        given: dict[str, int] = {}
        for index, row in enumerate(rows if isinstance(rows, list) else ()):
            yield from _wrong_titles(row, (*path, index), number, titles if isinstance(titles, dict) else {})
            title, cards = at(row, ("from_title",)), _whole(at(row, ("cards",)))
            if not isinstance(title, str) or cards is None or dealt is None:
                continue
            given[title] = given.get(title, 0) + cards
            if given[title] > dealt:
                text = N_("{title} would give {cards}; a hand has {dealt} (deal.hand_size)")
                told = count_cards(given[title])
                yield _found((*path, index, "cards"), cards, text, title=title, cards=told, dealt=dealt)


def _wrong_titles(row: Any, path: Path, number: int | None, titles: Tree) -> Iterator[Found]:
    both = {key: at(row, (key,)) for key in ("from_title", "to_title")}
    for key, title in both.items():
        for players, names in titles.items():
            whole = isinstance(names, list) and players.isdecimal() and len(names) == int(players)
            if whole and number in {None, len(names)} and isinstance(title, str) and title not in names:
                text = N_("is no title at {players} players (president.titles.{players})")
                yield _found((*path, key), title, text, players=players)
    if isinstance(both["from_title"], str) and both["from_title"] == both["to_title"]:
        yield _found(path, both["from_title"], "must go from one title to another")


# Keys of a file that are worked off before the schema sees it.
FILE_KEYS: dict[Path, tuple[str, ...]] = {(): ("extends", "set", "sources"), ("toi_trang",): ("add", "remove")}
KINDS = [repr(*get_args(form.model_fields["kind"].annotation)) for form in get_args(AnyCondition)]
EXTEND = Sentence('; extends = "…" takes over what another rule set says')
_TAGS = ("union_tag_not_found", "union_tag_invalid")
SAID = brought("rules/faults.toml")


def in_words(detail: Any, tree: Tree | None = None, path: Path = ()) -> str:
    """Return what is wrong with a value, of whatever pydantic says."""
    if look := _LOOKED_INTO.get(detail["type"]):
        return look(detail, {} if tree is None else tree, path)
    said = SAID.get(detail["type"], SAID["other"])
    number = int(detail["ctx"][said["number"]]) if "number" in said else 0
    return Sentence(said.get("one", said["says"]) if number == 1 else said["says"], number=number)


def faults_of(error: ValidationError, tree: Tree) -> list[tuple[Path, Fault]]:
    """Return the faults of a validated tree, each with its path in the tree."""
    found = []
    for detail in error.errors(include_url=False):
        path = _path(detail["loc"], tree, detail["type"])
        value = None if detail["type"] == "missing" else at(tree, path)
        known = detail["type"] == "too_short" and isinstance(value, list) and len(value) >= detail["ctx"]["min_length"]
        if not known:  # a list is called too short where its entries have faults of their own
            found.append((path, Fault(spell(path), value, in_words(detail, tree, path))))
    return found


def _path(loc: tuple[int | str, ...], tree: Any, kind: str) -> Path:
    """Drop from pydantic's location what is not in the tree: tags of unions and names of validators."""
    path: list[int | str] = []
    node = tree
    for step in loc:
        inside = isinstance(step, int) and step < len(node) if isinstance(node, list) else False
        if inside or (isinstance(node, dict) and step in node):
            path.append(step)
            node = node[step]
    if kind == "missing":
        path.append(loc[-1])
    elif kind in _TAGS and isinstance(node, dict):
        path.append("kind")
    return tuple(path)


def _wrong_kind(_detail: Any, tree: Tree, path: Path) -> str:
    kind = at(tree, path)
    if kind is None:
        return Sentence("is missing; it must be one of {names}", names=", ".join(KINDS))
    return _one_of(KINDS, kind)


def _one_of(allowed: Any, value: Any) -> str:
    near = suggestion(value, [word.strip("'") for word in allowed]) if isinstance(value, str) else ""
    text = "must be one of {names}{near}" if len(allowed) > 1 else N_("must be {names}{near}")
    return Sentence(text, names=", ".join(allowed), near=near)


def _missing(_detail: Any, tree: Tree, path: Path) -> str:
    table = model_at(tree, path[:-1])
    field = table.model_fields.get(str(path[-1])) if table else None
    words = re.findall(r"Literal\[([^\]]*)\]", str(field.annotation)) if field else []
    allowed = Sentence("; allowed: {words}", words=", ".join(words)) if words else ""
    return Sentence("is missing{allowed}{extend}", allowed=allowed, extend="" if path[1:] else EXTEND)


def _unknown_key(_detail: Any, tree: Tree, path: Path) -> str:
    table = model_at(tree, path[:-1])
    keys = [*table.model_fields, *FILE_KEYS.get(path[:-1], ())] if table else []
    here = Sentence("; keys here: {keys}", keys=", ".join(keys)) if keys else ""
    return Sentence("unknown key{near}", near=suggestion(str(path[-1]), keys) or here)


_LOOKED_INTO: dict[str, Callable[[Any, Tree, Path], str]] = {
    "value_error": lambda detail, _tree, _path: reason(detail["ctx"]["error"]),
    "literal_error": lambda it, tree, path: _one_of(re.findall(r"'[^']*'|\d+", it["ctx"]["expected"]), at(tree, path)),
    **dict.fromkeys(_TAGS, _wrong_kind),
    "missing": _missing,
    "extra_forbidden": _unknown_key,
}
