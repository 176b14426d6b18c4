"""`Rules`: a validated rule set, and what can be asked of it."""

import copy
import functools
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import PrivateAttr, ValidationError

from tlsim.cards import N_CARDS
from tlsim.errors import Fault, UsageError, joined, shorten, wrong
from tlsim.numerals import number
from tlsim.patterns import Pattern
from tlsim.rules.checks import Found, check, faults_of, unplayable
from tlsim.rules.keypath import LISTS, Path, Tree, at, clauses, differences, overlap, put, spell, targets, write_rules
from tlsim.rules.schema import Exchange, RuleSet
from tlsim.rules.schema_values import amount_at, half_units

Change = tuple[str, Any, Any]
_NAMES = {"name", "label", "hand_counts_public", "fair"}  # no game goes otherwise for these
BY_HAND = "set by hand"  # source of a changed clause
PATTERN_LISTS = {("toi_trang", name) for name in LISTS}


@dataclass(frozen=True)
class InstantWin:
    """A pattern of a tới trắng list with its price."""

    pattern: Pattern  # what a hand must hold
    pays: float  # by each loser, in the unit of the rule set
    count_heo: bool  # whether losers are charged for twos and bombs as well (đếm heo)
    source: str  # the rule that it comes from

    @property
    def id(self) -> str:
        """Id of the pattern."""
        return self.pattern.id

    @property
    def label(self) -> str:
        """Vietnamese name of the pattern, or its id."""
        return self.pattern.label or self.pattern.id

    @property
    def pays_half(self) -> int:
        """What each loser pays, in half units."""
        return half_units(self.pays)


class Rules(RuleSet):
    """A validated rule set: frozen, hashable, picklable.

    Its tables are attributes (``rules.deal.hand_size``, ``rules.cong.fine``); a table that the game does not have is
    ``None``. Get one from `load_rules`, change it by `replace`.
    """

    _tree: Tree = PrivateAttr(default_factory=dict)
    _sources: dict[str, str] = PrivateAttr(default_factory=dict)
    _stated: frozenset[str] = PrivateAttr(default=frozenset())

    def __hash__(self) -> int:
        return hash(self.digest)

    @functools.cached_property
    def digest(self) -> str:
        """Hex SHA-256 of what changes an outcome; names, labels and sources do not.

        >>> from tlsim.rules import load_rules
        >>> load_rules("zing").digest == load_rules("zing").replace("label", "Zing").digest
        True
        """
        text = json.dumps(self.outcome(), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def outcome(self) -> dict[str, Any]:
        """Return what of the rules changes an outcome, as plain values by table; what `digest` is of."""
        tree = self.model_dump(mode="json", exclude_none=True, include=set(RuleSet.model_fields) - _NAMES)
        for name in LISTS:
            for entry in tree.get("toi_trang", {}).get(name, ()):
                for key in ("id", "label", "source"):
                    entry.pop(key, None)
        return tree

    @property
    def family(self) -> str:
        """Style of payment: sums of two families must not be compared.

        ``"đếm lá"`` counts the cards left, ``"ăn bét"`` pays by place, ``"tổng thống"`` gives titles.
        """
        if self.president is not None:
            return "tổng thống"
        return "ăn bét" if self.count_cards is None else "đếm lá"

    def hand_sizes(self, players: int) -> tuple[int, ...]:
        """Return the number of cards of each seat, from the seat after the dealer on."""
        self.check_players(players)
        if self.deal.hand_size != "all":
            return (self.deal.hand_size,) * players
        each, odd = divmod(N_CARDS, players)
        return (each + 1,) * odd + (each,) * (players - odd)

    def seat_sizes(self, players: int, game: int = 0) -> tuple[int, ...]:
        """Return the number of cards of each seat; the game of a match says who deals (``deal.uneven_deal``)."""
        sizes = self.hand_sizes(players)
        dealer = game % players if self.deal.uneven_deal == "rotating_dealer" else 0
        return tuple(sizes[(seat - dealer - 1) % players] for seat in range(players))

    def dealer_of(self, hands: Sequence[int]) -> int:
        """Return the first dealer who could have dealt these cards, 52 bits a seat; seat 0 where none could."""
        held = tuple(map(int.bit_count, hands))
        fits = (all(map(int.__le__, held, self.seat_sizes(len(hands), dealer))) for dealer in range(len(hands)))
        return next((dealer for dealer, fit in enumerate(fits) if fit), 0)

    @property
    def stated(self) -> frozenset[str]:
        """Key paths that the file of the rules says itself, and does not take over."""
        return self._stated

    def unplayable(self) -> list[Fault]:
        """Return what keeps whole games from being played; odds can be computed all the same."""
        return [fault for _, fault in unplayable(self._tree)]

    def check_playable(self) -> None:
        """Raise `UsageError` with everything that keeps whole games from being played."""
        if found := self.unplayable():
            raise UsageError(joined(fault.sentence for fault in found))

    def check_players(self, players: int) -> None:
        """Raise `UsageError` unless so many can play."""
        low, high = self.deal.min_players, self.deal.max_players
        if isinstance(players, bool) or not isinstance(players, int) or not low <= players <= high:
            raise wrong("players", players, "{name} is for {low} to {high} players", name=self.name, low=low, high=high)

    def instant_wins(self, opening: bool = False, players: int | None = None) -> tuple[InstantWin, ...]:
        """Return the tới trắng patterns that count, the strongest first.

        Where the opening list is an addition to the regular one, it stands before it, as in the file; a pattern that
        is in both counts once.

        Parameters
        ----------
        opening
            Whether the game is an opening game (*ván khởi đầu*).
        players
            Number of players, which some prices depend on; by default as many as can play.

        Returns
        -------
        tuple of InstantWin
            Empty where the rules have no list for the question.

        Examples
        --------
        >>> from tlsim.rules import load_rules
        >>> [(win.id, win.pays) for win in load_rules("doithuong").instant_wins(opening=False)][:2]
        [('sanh_rong', 9.0), ('sau_doi_thong', 8.0)]
        """
        if players is not None:
            self.check_players(players)
        lists = self.toi_trang
        if lists is None:
            return ()
        first = lists.opening if opening and lists.opening_list_mode != "one_list" else ()
        alone, known = bool(opening and lists.opening_list_mode == "exclusive"), {entry.id for entry in first}
        entries = first + tuple(entry for entry in lists.regular if not alone and entry.id not in known)
        found, seats = list[InstantWin](), players or self.deal.max_players
        for entry in entries:
            pays = amount_at(lists.instant_pay if entry.pays is None else entry.pays, seats)
            found.append(InstantWin(entry, pays, lists.count_heo and entry.count_heo, entry.source or self.name))
        return tuple(found)

    def exchanges(self, players: int) -> tuple[Exchange, ...]:
        """Return the exchanges of cards before a game of Tổng thống, in their order."""
        rows: Any = self.president.exchange if self.president else ()
        by_players = rows and isinstance(rows[0], tuple)
        return tuple(dict(rows).get(players, ()) if by_players else rows)

    def priority(self, opening: bool = False) -> Literal["strength", "turn"]:
        """Return what decides between several holders of a tới trắng.

        ``"strength"``: the strongest pattern, equal ones by turn from the leader; ``"turn"``: the holder nearest to the
        leader, the leader himself first.

        >>> from tlsim.rules import load_rules
        >>> load_rules("sam_loc").priority(opening=True), load_rules("sam_loc").priority(opening=False)
        ('strength', 'turn')
        """
        if self.toi_trang is None:
            return "turn"
        return self.toi_trang.opening_priority if opening else self.toi_trang.priority

    def source_of(self, path: str) -> str | None:
        """Return where a clause comes from.

        >>> from tlsim.rules import load_rules
        >>> load_rules("doithuong").source_of("cong.fine")
        '000#R25, G2'
        """
        steps = targets(self._tree, path)[0]
        if entry := pattern_at(self._tree, steps):
            source = entry.get("source")
            return source if isinstance(source, str) else None
        prefixes = (spell(steps[:n]) for n in range(len(steps), 0, -1))
        return next((self._sources[prefix] for prefix in prefixes if prefix in self._sources), None)

    def cited(self, path: str) -> str:
        """Return what a message cites for a clause: where it comes from; its key where nobody says, or it was set."""
        source = self.source_of(path)
        return path if source is None else f"{path}, {source}" if source == BY_HAND else source

    def clauses(self) -> list[tuple[str, Any, str | None]]:
        """Return every clause: key path, value, source; the clauses of a pattern go by its id."""
        return [(path, value, self.source_of(path)) for path, value in clauses(self).items()]

    def replace(self, changes: str | Mapping[str, Any], value: Any = None) -> "Rules":
        """Return rules with one clause or several changed, validated.

        Parameters
        ----------
        changes
            A key path such as ``"cong.fine"`` or ``"toi_trang.sau_doi.pays"`` (in both lists where it is in both;
            ``"toi_trang.opening.sau_doi.pays"`` in one), or a mapping of such paths to values.
        value
            The value, where ``changes`` is a path.

        Returns
        -------
        Rules
            The changed rules; their name stays, their digest tells them apart.

        Raises
        ------
        UsageError
            If a path is unknown or a value not allowed.

        Examples
        --------
        >>> from tlsim.rules import load_rules
        >>> load_rules("doithuong").replace("toi_trang.declare", "automatic").toi_trang.declare
        'automatic'
        >>> load_rules("zing").replace("toi_trang.declare", "sometimes")
        Traceback (most recent call last):
        ...
        tlsim.errors.UsageError: toi_trang.declare = 'sometimes': must be one of 'optional', 'automatic'
        """
        changed = {changes: value} if isinstance(changes, str) else changes
        tree, sources, places = copy.deepcopy(self._tree), dict(self._sources), dict[Path, str]()
        for path, new in changed.items():
            try:
                found_at = targets(tree, path)
            except UsageError as error:
                raise UsageError("{path}: {problem}", path=path, problem=error.sentence) from None
            for place in found_at:
                if same := next((other for known, other in places.items() if overlap(known, place)), None):
                    raise UsageError("{path}: {other} is to be changed, too; say it once", path=path, other=same)
                places[place] = path
                put(tree, place, _plain(new))
                if entry := pattern_at(tree, place):  # which says itself where it comes from
                    entry["source"] = BY_HAND
                else:
                    sources[spell(place)] = BY_HAND
        rules, found = build(tree, sources)
        if rules is None:
            told = (replace(fault, where=places.get(path, fault.where)).sentence for path, fault in found)
            raise UsageError(joined(dict.fromkeys(told)))
        return rules

    def patterns(self, *which: str) -> dict[str, str]:
        """Return the patterns of some lists, by default of both, by their ids: what each is called."""
        lists = self.toi_trang
        entries = [entry for name in which or LISTS for entry in (getattr(lists, name) if lists else ())]
        return {entry.id: entry.label or entry.id for entry in entries}

    def to_toml(self, lang: str | None = None) -> str:
        """Return the resolved rules as a rule file, the source of each clause behind it.

        Parameters
        ----------
        lang
            Language in which a comment says what each clause means; default: no comments.
        """
        return write_rules(self._tree, self.source_of, lang)

    def describe_difference(self, other: "Rules") -> list[Change]:
        """Return what differs from other rules: key path, value here, value there.

        >>> from tlsim.rules import load_rules
        >>> zing = load_rules("zing")
        >>> zing.describe_difference(zing.replace("cong.fine", 3))
        [('cong.fine', 2.0, 3.0)]
        """
        return differences(self, other)


def pattern_at(tree: Tree, path: Path) -> Tree | None:
    """Return the pattern that a path leads into, if any."""
    entry = at(tree, path[:3]) if len(path) > 2 and path[:2] in PATTERN_LISTS else None
    return entry if isinstance(entry, dict) else None


def build(tree: Tree, sources: dict[str, str]) -> tuple[Rules | None, list[Found]]:
    """Validate a resolved tree; return the rules, or ``None`` and everything that is wrong."""
    found = list(check(tree))
    try:
        rules = Rules.model_validate(tree)
    except ValidationError as error:
        faults = faults_of(error, tree)
        told = {path for path, _ in faults} | {path[:-1] for path, _ in faults if int in map(type, path[-2:])}  # a line
        return None, faults + [(path, fault) for path, fault in found if path not in told]
    if found:
        return None, found
    rules._tree, rules._sources = tree, sources  # noqa: SLF001 (our own class)
    return rules, found


def _plain(value: Any) -> Any:
    """Take tuples and mappings as TOML would hold them."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``key=value`` as it stands on a command line; the value as in TOML, a bare word is text."""
    path, equals, word = text.partition("=")
    path, word = path.strip(), word.strip()
    if not (path and equals and word):
        raise UsageError("{text} is no setting; write key=value, such as cong.fine=20", text=shorten(text))
    plain = number(word)
    try:
        document = tomllib.loads(f"value = {word}")
    except (ValueError, RecursionError):
        document = {}
    if document.keys() == {"value"}:
        return path, document["value"]
    if plain is not None:
        return path, float(plain) if plain.denominator > 1 else int(plain)
    if word[0] in "[{\"'" or "\n" in word:
        raise UsageError("cannot read the value of {text}; write it as in TOML", text=shorten(text))
    return path, word
