"""Lists small enough to count by hand.

``TINY``: one card each for two players, so a deal is one of 52 · 51 = 2,652 ordered pairs of cards. 3♠ is dealt in
2 · 51 = 102 of them; some 2 in 2652 − 48 · 47 = 396; both in 2 · 4 = 8. Under the priority of strength the stronger
pattern wins all deals in which it is held, the weaker one the rest of its own.
"""

import tomllib

DEALS = 52 * 51
SPADE, TWO, BOTH = 2 * 51, DEALS - 48 * 47, 2 * 4

TINY = """
extends = "luckywin"
name = "tiny"
label = "Bàn nhỏ"
[deal]
hand_size = 1
max_players = 2
[toi_trang]
priority = "strength"
opening_list_mode = "one_list"
opening = []
regular = [
  { id = "co_3_bich", label = "Có 3♠", pays = {spade}, all_of = [{ kind = "holds", cards = "3S" }] },
  { id = "co_heo", label = "Có heo", pays = {two}, all_of = [{ kind = "groups", size = 1, count = 1, ranks = ["2"] }] },
]
"""


def entries_of(rules):
    """Return the patterns of the regular list, as a file has them."""
    return tomllib.loads(rules.to_toml())["toi_trang"]["regular"]


def twice(rules, ident, first=False, pays=None):
    """Return rules whose regular list has a pattern once more, as ``nua``: right below itself, or first of all."""
    entries = entries_of(rules)
    at = [entry["id"] for entry in entries].index(ident)
    again = entries[at] | {"id": "nua", "label": "Nữa"} | ({} if pays is None else {"pays": pays})
    entries.insert(0 if first else at + 1, again)
    return rules.replace("toi_trang.regular", entries)
