"""Laying a rule file over its parent: tables, ``set``, ``toi_trang.add`` and ``remove``, sources."""

import copy
from dataclasses import dataclass, field
from typing import Any

from tlsim.catalogue import N_
from tlsim.errors import Fault, Sentence, UsageError, either, suggestion
from tlsim.rules import keypath as k
from tlsim.rules.keypath import LISTS, Path, Tree, at, spell
from tlsim.rules.ruleset import Rules, pattern_at

INHERITED = "inherited: "
_LIST_WORDS = (*LISTS, "both")


@dataclass
class Draft:
    """A rule file laid over its parent, not yet validated."""

    file: str
    tree: Tree
    sources: dict[str, str]
    faults: list[Fault] = field(default_factory=list)
    written: dict[Path, Path] = field(default_factory=dict)  # where a value stands in the file, if not at its path
    stated: set[Path] = field(default_factory=set)  # values that the file itself gives
    orphan: bool = False
    order: dict[str, int] = field(default_factory=dict)  # every place of the file, and how far down it stands

    def wrong(self, where: str, value: Any, text: str, /, **values: Any) -> None:
        """Note a fault."""
        self.faults.append(Fault(where, value, Sentence(text, **values)))

    def place(self, fault: Fault) -> int:
        """Return how far down in the file a fault stands; what the file does not say comes last."""
        end = len(fault.where)
        for _ in range(k.MOST_STEPS):
            if end <= 0 or fault.where[:end] in self.order:
                break
            end = max(fault.where.rfind(".", 0, end), fault.where.rfind("[", 0, end))
        return self.order.get(fault.where[: max(end, 0)], len(self.order))

    def as_written(self, path: Path, fault: Fault) -> Fault:
        """Return a fault with the place where the file has the value."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.written:
                where = spell((*self.written[path[:length]], *path[length:]))
                return Fault(where, fault.value, fault.message)
        return fault


def places(tree: Tree) -> dict[str, int]:
    """Return every place of a file and its number, from the top down."""
    return {spell(path): number for number, path in enumerate(k.nodes(tree))}


def lay_over(parent: Rules | None, own: Tree, file: str, order: dict[str, int]) -> Draft:
    """Lay what a file says over its parent."""
    draft = Draft(file, {}, {}, order=order)
    own_sources = _own_sources(own.pop("sources", {}), draft)
    settings = own.pop("set", {})
    lists = own.get("toi_trang")
    added, removed = (lists.pop(key, []) if isinstance(lists, dict) else [] for key in ("add", "remove"))
    base: Tree = copy.deepcopy(parent._tree) if parent else {}  # noqa: SLF001 (the same package)
    for entry in (entry for name in LISTS for entry in k.entries_of(base, name) if "source" in entry):
        entry["source"] = _inherited(entry["source"])
    draft.tree = k.merge(base, own)
    draft.stated = {path for path, _ in k.leaves(own)}
    stated = [*(path for path, _ in k.leaves(own)), *_apply_settings(settings, draft)]
    draft.stated = set(stated)
    _remove(removed, draft)
    _add(added, draft)
    before = {name: at(base, ("toi_trang", name)) for name in LISTS}
    stated += [("toi_trang", name) for name in LISTS if at(draft.tree, ("toi_trang", name)) != before[name]]
    draft.sources = _sources(parent, own_sources, stated, str(draft.tree.get("name")))
    return draft


def _inherited(source: str) -> str:
    return source if source.startswith((INHERITED, "invented: ")) else INHERITED + source


def _own_sources(given: Any, draft: Draft) -> dict[str, str]:
    if not isinstance(given, dict):
        draft.wrong("sources", given, "must be a table of key paths and texts")
        return {}
    sources = {}
    for path, text in k.leaves(given):
        key = ".".join(map(str, path))
        if problem := k.unknown_path(key) or (None if isinstance(text, str) else N_("must be text in quotes")):
            draft.wrong(spell(("sources", key)), text, problem)
        else:
            sources[key] = text
    return sources


def _sources(parent: Rules | None, own: dict[str, str], stated: list[Path], name: str) -> dict[str, str]:
    """Return the source of every clause: the file's own, then the parent's, marked as inherited."""
    restated = {spell(path) for path in stated}
    inherited = parent._sources if parent else {}  # noqa: SLF001 (the same package)
    kept = {
        key: _inherited(text)
        for key, text in inherited.items()
        if not any(key == over or key.startswith(f"{over}.") for over in (*own, *restated))
    }
    for key in restated:
        steps = key.split(".")
        above = [".".join(steps[:n]) for n in range(len(steps), 0, -1)]
        kept[key] = next((own[path] for path in above if path in own), f"set in {name}")
    return kept | own


def _apply_settings(settings: Any, draft: Draft) -> list[Path]:
    """Apply ``set."key.path" = value``; return the paths set."""
    if not isinstance(settings, dict):
        draft.wrong("set", settings, 'must be lines such as set."cong.fine" = 20')
        return []
    done = []
    for key, value in settings.items():
        try:
            paths = k.targets(draft.tree, key)
            for path in paths:
                _refuse_twice(path, draft)
                k.put(draft.tree, path, value)
        except UsageError as error:
            draft.wrong(spell(("set", key)), value, error.sentence)
            continue
        for path in paths:
            draft.written[path] = ("set", key)
            if entry := pattern_at(draft.tree, path):
                entry["source"] = f"set in {draft.tree.get('name')}"
            else:
                done += [(*path, *below) for below, _ in k.leaves(value)]
    return done


def _refuse_twice(path: Path, draft: Draft) -> None:
    """Refuse a clause that the file gives already, or a part of it, or what it is a part of."""
    for other in draft.stated | set(draft.written):
        own_list = pattern_at(draft.tree, path) is not None and len(other) == len(path[:2])  # which says nothing of it
        if k.overlap(other, path) and not (own_list and at(draft.tree, path) is None):
            where = spell(draft.written.get(other, other))
            raise UsageError("{where} stands in this file, too; say it once", where=where)


def _remove(removed: Any, draft: Draft) -> None:
    if not isinstance(removed, list):
        draft.wrong("toi_trang.remove", removed, "must be a list of pattern ids, such as ['sau_doi']")
        return
    for index, ident in enumerate(removed):
        ids = k.pattern_ids(draft.tree)
        if ident not in ids:
            near = suggestion(ident, ids) if isinstance(ident, str) else ""
            draft.wrong(f"toi_trang.remove[{index}]", ident, "there is no such pattern{near}", near=near)
        for name in LISTS:
            if entries := k.entries_of(draft.tree, name):
                draft.tree["toi_trang"][name] = [entry for entry in entries if at(entry, ("id",)) != ident]


def _add(added: Any, draft: Draft) -> None:
    if not isinstance(added, list):
        draft.wrong("toi_trang.add", added, "must be a list of patterns: [[toi_trang.add]]")
        return
    laid: dict[int, int] = {}  # number of a pattern in the file, by the table that it became
    for index, given in enumerate(added):
        if not isinstance(given, dict):
            draft.wrong(f"toi_trang.add[{index}]", given, "must be a table: [[toi_trang.add]]")
            continue
        entry = dict(given)
        names, side, ident = _place(entry, index, draft)
        lists = draft.tree.setdefault("toi_trang", {})
        for name in names:
            if isinstance(lists, dict) and lists.get(name) is None:
                lists[name] = []
            entries = k.entries_of(draft.tree, name)  # what stands there and is no list is named by the schema
            at_ids = [at(other, ("id",)) for other in entries]
            entries.insert(at_ids.index(ident) + (side == "below") if ident in at_ids else len(entries), entry)
        laid[id(entry)] = index
    for name in LISTS:
        for position, entry in enumerate(k.entries_of(draft.tree, name)):
            if id(entry) in laid:
                draft.written[("toi_trang", name, position)] = ("toi_trang", "add", laid[id(entry)])


def _place(entry: Tree, index: int, draft: Draft) -> tuple[tuple[str, ...], str, Any]:
    """Take out of an added pattern where it goes: lists, side, id of the neighbour (``None``: weakest)."""
    where, one_list = f"toi_trang.add[{index}]", at(draft.tree, ("toi_trang", "opening_list_mode")) == "one_list"
    word = entry.pop("list", "regular")
    if word not in _LIST_WORDS:
        near = suggestion(word, _LIST_WORDS) if isinstance(word, str) else ""
        allowed = ", ".join(map(repr, _LIST_WORDS))
        draft.wrong(f"{where}.list", word, "must be one of {names}{near}", names=allowed, near=near)
        word = "regular"
    names = ("regular",) if one_list else LISTS if word == "both" else (word,)
    given = {side: entry.pop(side) for side in ("above", "below") if side in entry}
    if len(given) == 2:
        draft.wrong(f"{where}.below", given["below"], "above and below stand together; give one of them")
    side, ident = next(iter(given.items()), ("below", None))
    ids = k.pattern_ids(draft.tree, names)
    if given and ident not in ids:
        near = suggestion(ident, ids) if isinstance(ident, str) else ""
        known = near or Sentence("; it has {names}", names=", ".join(ids) or Sentence("none"))
        text = N_("there is no such pattern in toi_trang.{lists}{known}")
        draft.wrong(f"{where}.{side}", ident, text, lists=either(names), known=known)
    return names, side, ident
