"""Deals that let rare clauses fire: hands of up to four seats, of which the first few play; the first seat leads.

Each has the beginnings of the names of the clauses that it is for (`clause_counts`). Played by the policy `lowest` and
often enough by chance, each of these clauses fires under rules under which it can.
"""

from __future__ import annotations

from typing import NamedTuple

from tlsim.cards import DECK, cards_in, hand_of


class Aimed(NamedTuple):
    """A deal, and how its game begins.

    ``opening``: an opening game, led by whom the rules say. ``caller``: who calls Sâm, nobody before him does.
    ``streaks``: of the seats, games of cóng in a row. ``exchange``: a President game with titles, the first seat last.
    """

    hands: tuple[str, str, str, str]
    clauses: tuple[str, ...]
    opening: bool = False
    caller: int | None = None
    streaks: tuple[int, int, int, int] = (0, 0, 0, 0)
    exchange: bool = False

    def hands_of(self, players: int) -> list[int]:
        """The hands of so many seats; a fifth has two of the lowest cards left, no 3."""
        hands = [hand_of(text) for text in self.hands[:players]]
        while len(hands) < players:
            spare = [card for card in cards_in(DECK & ~sum(hands)) if card > 3][:2]
            hands.append(sum(1 << card for card in spare))
        return hands

    def streaks_of(self, players: int) -> tuple[int, ...]:
        return (*self.streaks, *[0] * players)[:players]

    def titles_of(self, players: int) -> tuple[int, ...] | None:
        """The places of the game before, best first."""
        return tuple(range(players))[::-1] if self.exchange else None


A_5, A_9, A_7, A_K = ("5S 5C 5D 5H", "9S 9C 9D 9H", "7S 7C 7D 7H", "KS KC KD KH")
RUN_5, RUN_9 = "5S 5C 6S 6C 7S 7C 8S 8C", "9S 9C TS TC JS JC QS QC"
PAIRS_3, PAIRS_5 = "4C 4D 5C 5D 6C 6D", "3S 3H 4S 4H 5S 5H 6S 6H 7S 7H"

AIMED = (
    # Sets on sets
    Aimed(
        ("3S 3C 4S 4C 5S 5C AS", "3D 3H 4D 4H 5D 5H AC", "7S 8C", "7D 8D"), ("C1 pair_run", "C16 3 pairs on 3", "M12")
    ),
    Aimed(
        ("3S 3C 4S 4C 5S 5C 6S 6C 7S 7C KS", "3D 3H 4D 4H 5D 5H 6D 6H 7D 7H KC", "8S 9C", "8D 9D"),
        ("C6 five", "J7 pair_run"),
    ),
    Aimed(
        ("3S 3C 4S 4C 5S 5C KS", "6D 6H 7D 7H 8D 8H 9D 9H TD TH KC", "JS JC JD JH 3D", "4D 8S"),
        ("C6 five", "C6 longer"),
    ),
    Aimed(
        ("5S 5C 6S 6C 7S 7C 8S 8C 9S 9C KS", "5D 5H 6D 6H 7D 7H 8D 8H 9D 9H TD TH KC", "3S QS QC QD QH", "3C 4C"),
        ("C6 five", "C6 longer"),
    ),
    Aimed(("5S 6S 7S 7C", "8S 9S TS 4D", "JS QS KS 3D", "5D 6D"), ("C2", "J7", "C1 straight")),
    Aimed(("5S 6C 7D 8D", "5D 6H 7H 3C", "5H 6D 7C 9S TS", "4D 8C"), ("C1 straight", "C2")),
    Aimed(("7S 7C KS", "7D 7H KC", "4S 4C 9D", "4D 4H 9S"), ("C1 pair",)),
    Aimed(("5S 5C KS", "9S 9C KD", "TD TH 4S", "8C 8D"), ("J7 pair",)),
    Aimed(("2S 2C 4D", "2D 2H 5D", f"{A_7} 9S", "8S 9D"), ("J7 pair of 2s on 2s", "E3", "C21")),
    Aimed(("4S 4C 4D KS", "5S 5C 5D KC", "8S 9S", "8C 9C"), ("C4",)),
    Aimed(("AS 2S 3S 4S KD", "3C 4C 5C 6C", "5D 6D 7D KH", "4H 5H 6H"), ("C9", "C10", "K10", "C2", "C1 straight")),
    Aimed(("AS 2S 3S", "4C 5C", "5D 7D", "4H 6H"), ("K10 out", "C9")),
    # Twos
    Aimed(("2S 2C 4S 4C 4D 4H", f"{RUN_5} 3D", f"{A_K} 3S", f"{RUN_9} 3C"), ("C16", "D4", "E", "M3", "M21")),
    Aimed(("2C 2D 8S 8C 8D 8H", f"{A_K} 3D", f"{RUN_9} 3C", "4S 5D"), ("C16", "D4", "E", "M3", "M21")),
    Aimed(("2D 2H 4D", f"{A_9} 3D", f"{RUN_5} 3C", f"{A_K} 4S"), ("C16", "D4", "E", "M3", "M21")),
    Aimed(("2S 2C 4D", f"{A_7} 3D", f"{A_9} 3C", f"{A_K} 4S"), ("E", "M3", "C16 quad on two 2s")),
    Aimed(
        ("2S 2C 4D", f"{RUN_5} 3D", "3S 4S", "4C 9H"), ("C16 4 pairs on two 2s", "D4", "E4 two 2s, black", "M21", "D5")
    ),
    Aimed(
        ("2D 2H 4D", "3S 4S", f"{RUN_5} 3D", "4C 9H"), ("C16 4 pairs on two 2s", "D4", "E4 two 2s, red", "M21", "D5")
    ),
    Aimed(("2D 2H 4D", f"{RUN_5} 3D", "3S 4S", "4C 9H"), ("E4 two 2s, red",)),
    Aimed(("2S 2D 4D", f"{RUN_5} 3D", "3S 4S", "4C 9H"), ("E4 two 2s, mixed",)),
    Aimed(("2S 4D", f"{RUN_5} 3D", "3S 4S", "4C 9H"), ("C16", "D4", "M21", "D5")),
    Aimed(("2S 4D", "3S 4S", f"{RUN_5} 3D", "4C 9H"), ("C16", "D4", "M21", "D5")),
    Aimed(("2S 8S 8C 8D 8H", "2H 5S 5C 5D 5H", "4C 7D", "4S 9S"), ("E3",)),
    Aimed(("2S 2C 8S 8C 8D 8H", "2D 2H 3S", "4C 7D", "4S 9S"), ("E3", "J7")),
    Aimed(
        ("2S 2C 2D 2H 4D", f"{RUN_5} 3D", "6D 6H 7D 7H 8D 8H 4S", f"{RUN_9} 4C"), ("C13", "C14", "C16 3 pairs on quad")
    ),
    Aimed(("2S 2C 2D 4D", f"{A_5} 3D", f"{RUN_9} 4C", "4S 4H"), ("C13", "N5 three 2s chopped by tu")),
    Aimed(("2S 2C 2D 4D", "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C", "4C 4H", "TS JS"), ("C13",)),
    # Long runs of pairs: on three 2s, on each other, and as the last play
    Aimed(
        ("2S 2C 2D 3S 4S", f"{PAIRS_3} 9S", "7S 8S 9C", "TS JS QS"), ("N3 a chop by ba", "N4 own price of three", "N5")
    ),
    Aimed(("2S 2C 2D 3S 4S", f"{PAIRS_3} 7C 7D 9S", "8S 9C", "TS JS QS"), ("N3 a chop by bon", "N5")),
    Aimed(("2S 2C 2D 3S 4S", f"{PAIRS_3} 7C 7D 8C 8D 9S", "9C KC", "TS JS QS"), ("N3 a chop by nam", "N5")),
    Aimed(("2S 2C 2D 3S 4S", f"{PAIRS_3} 7C 7D 8C 8D 9C 9D TS", "TC KC", "JS QS"), ("N3 a chop by sau", "N5")),
    Aimed(
        (f"{PAIRS_5} KS", f"{PAIRS_3} 7C 7D 8C 8D AS", "9C KC", "TS JS QS"), ("N3 a chop by nam", "N4 own price of 5")
    ),
    Aimed((f"{PAIRS_5} KS", "9S 9C 9D 9H AS", "TC KC", "JS QS"), ("N4 own price of 5",)),
    Aimed((f"{PAIRS_5} 8S 8H KS", f"{PAIRS_3} 7C 7D 8C 8D 9C 9D AS", "TC KC", "JS QS"), ("N3 a chop by sau", "N4 own")),
    *(
        Aimed((f"3C {run}", f"KC 2C 2D {A_9}", "KD AD 2H", "KH AH AC"), ("N9",))
        for run in (A_5, f"{PAIRS_3}", f"{PAIRS_3} 7C 7D", f"{PAIRS_3} 7C 7D 8C 8D", f"{PAIRS_5} 8S 8H")
    ),
    Aimed(("3C 4S 4D 4H 4C", "KC 3S 2D 6S 6C 7S 7C 8S 8C", "KD AD 2H", "KH AH AC"), ("N9 doubled", "N10")),
    Aimed(("9S 5S 5C 5D 5H", "TS 4D", "4S 6S", "4C 6C"), ("N9 doubled: den",)),
    # Bombs on bombs
    Aimed(
        ("3S 3C 4S 4C 5S 5C AD", "6D 6H 7D 7H 8D 8H AS", f"{A_9} 4D", "TS TC JS JC QS QC KS KC"),
        ("C16", "D", "E", "M"),
    ),
    Aimed(("3S 3C 4S 4C 5S 5C AD", f"{A_9} 4D", "TS TC JS JC QS QC KS KC 4H", "6D 6H"), ("C16", "D", "E", "M")),
    Aimed(("3S 3C 4S 4C 5S 5C AD", "TS TC JS JC QS QC KS KC 4H", "6D 6H", "7S 8S"), ("C16", "D", "E6")),
    Aimed(("3S 3C 3D 3H AD", f"{RUN_5} AS", f"{RUN_9} AC", "4S 4C 4D 4H AH"), ("C16", "D", "E", "M")),
    Aimed(("3S 3C 3D 3H AD", "6D AS", f"{RUN_9} AC", "4S 4C 4D 4H AH"), ("C16", "D", "E", "M")),
    Aimed((f"{RUN_5} AD", f"{RUN_9} AS", "3S 3C 3D 3H AC", "4S 4C 4D 4H AH"), ("C16", "D", "E", "M")),
    Aimed((f"{RUN_5} AD", "3S AS", f"{RUN_9} 3D", "4S 4C 4D 4H AH"), ("C16", "D", "E", "M")),
    Aimed(("2S 4D TS TC TD TH", f"{A_7} {A_K}", "3S 5D", "3C 5H"), ("E2", "M3", "E6")),
    Aimed(("2S 2C TS TC TD TH 4D", f"{A_7} {A_K}", "3S 5D", "3C 5H"), ("E2 chain of 3",)),
    Aimed(("2S TS TC TD TH", f"{A_7} 3S", f"{A_9} 3D", f"{A_K} 3H"), ("E", "M3")),
    Aimed(("4D 7S 7C 7D 7H", "5S 9D", "5C TD", "5D JD"), ("C11", "C12")),
    Aimed(("7S 7C 7D 7H", "5S 9D", "5C TD", "5D JD"), ("C12",)),
    # Chops and going out; the policy `lowest` leads into them
    Aimed(("2S 4D", A_7, f"3D {A_9}", "3S 5C"), ("M1", "M2", "E")),
    Aimed(("2S 4D", "3S 5C", A_7, f"3D {A_9}"), ("M1", "M2", "E")),
    Aimed(("3S AS", "4S 2S", f"5S {A_7}", "6S KS"), ("M1", "M2", "E", "B9")),
    Aimed(("3S AS", "4S 2S 6D", f"5S {A_7}", "6S KS"), ("M1", "M2", "B9")),
    Aimed(("3S 2H", f"4S {A_7} 3D", f"5S {A_9} 3C", "6S 8S"), ("E5", "B9", "G8", "M5")),
    Aimed(("3S 2H", "4S 6S 6C 7S 7C 8S 8C 9S 9C 3D", "5S TS TC JS JC QS QC KS KC 3C", "6D 8D"), ("E5", "D4", "B9")),
    Aimed(("3S 3C 2H 2D", "4S 4C 6S 6C 7S 7C 8S 8C 9S 9C", "5S 5C TS TC JS JC QS QC KS KC", "6D 6H 8D"), ("E5", "D4")),
    Aimed(("3S 2H", "4S 5C", f"5S {A_9} 3C", f"6S {A_K} 8S"), ("E5", "B9")),
    Aimed((f"2S {A_9}", f"{A_7} 2H", f"3S {A_K}", "3C 4C"), ("G8", "E2")),
    Aimed(("3S 3C 3D 3H", f"4D {A_9}", f"5D {A_7}", f"6D {A_K}"), ("E5",)),  # where 3♠ in the last set may be beaten
    Aimed(("3S 3C 4S 4C 5S 5C", f"4D {A_9}", f"6D {A_7}", "8C TD"), ("E5",)),
    # Cóng and đền
    Aimed(("9S KH", "TS 4D", "4S 5S", "5C 6C"), ("G", "B7", "M6", "M9", "H7")),
    Aimed(("9S KH", "TS 4D", "TC 4C", "5C 5H"), ("G", "B7")),
    Aimed(("9S KH", "4D 5D", "TC 4C", "5C 5H"), ("G", "B7")),
    Aimed(("6S 6C 9S KH", "TS 4D", "7S 7C", "4S 5S"), ("G4",)),
    Aimed(("3S 9S", "TS 2S 2H", f"{A_5} 4D", "6C 6D 6H 6S 4C"), ("G", "M10", "M5")),
    Aimed(("2S", f"{A_5} 4D", "9S TD", "6C 8D"), ("M5", "G")),
    Aimed(("2S 9D", "2H 9S", "TS 8H", "6C 8D"), ("M5", "M13")),
    # What is left
    Aimed(("3S", "4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 7S 7C", "8S", "9S"), ("H4",)),
    Aimed(
        ("3S KH", "3D 4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 7S 7C", "9S AS", "TS AD"),
        ("H4", "H2", "H3"),
    ),
    Aimed(("3S AH", f"3D {RUN_5}", "9S 2S", "TS 2C"), ("H4", "J6 bonus")),
    Aimed(("4S AH", "3S 3C 3D 3H 9D", "TS 2S", "JS 2C"), ("J5", "N10")),
    Aimed(("4S AH", "3S 3C 3D 3H 9S", "TS 2S", "JS 2C"), ("J5", "N10")),
    # 3♠
    Aimed(("3S", "4S", "5S", "6S"), ("I", "M4")),
    Aimed(("3S 3C", "4S 4C", "5S 5C", "6S 6C"), ("I", "M4")),
    Aimed(("3S KS", "4S AS", "5S 9C", "6S 9D"), ("I", "M4", "J4")),
    Aimed(("4S KS", "3S AS", "5S 9C", "6S 9D"), ("J4",)),
    Aimed(("4S KH", "5D 3S AS", "6S 9C", "7S 9D"), ("J4", "H1")),
    Aimed(("3S KS", "4S 5C", "5S 9C", "6S 9D"), ("M11",)),
    Aimed(("3S 3C 3D 3H 5D", f"2S {A_7}", "4S 6S 9S", "4C 8S"), ("J2",), opening=True),
    Aimed(("3S 3C 3D 3H 5D", "2S KS", f"4S {A_7}", "4C 8S"), ("J2",), opening=True),
    Aimed(
        ("3S 3C 4S 4C 5S 5C 6S 6C 9D", "7S 7C 8S 8C 9S 9C TS TC KS KC KD KH", "4D JS", "4H JC"),
        ("J3",),
        opening=True,
    ),
    # Going out on a 2, the table
    Aimed(("2S 5D", "7S 7C 7D 7H 9D", "3S 4S", "3C 4C"), ("M13", "J9", "J8")),
    Aimed(("9S 2D", "TS 5C", "3S 4S", "3C 4C"), ("M13", "J9", "J8")),
    Aimed(("9S 5D", "TS 5C", "3S 4S", "3C 4C"), ("J9",)),
    Aimed(("2S", "2C", "2D", "2H"), ("K10", "M14", "J8", "B7 next leads: nobody")),
    Aimed(("5D 2S", "2C 2D", "6D 2H", "7D 8D"), ("K10", "M14", "J8")),
    # Sâm: the call
    Aimed(("KS AS", "4S 5C", "6S 7C", "8S 9C"), ("K1", "K2 Sâm", "B7 next leads: sam"), caller=0),
    Aimed(("4S 5C", "KS AS", "6S 7C", "8S 9C"), ("K1", "K2 Sâm", "B7 next leads: sam"), caller=1),
    Aimed(("KS KC AS AC", "2S 4S 5C", f"2C {A_7}", "2D 8S 9C"), ("K2",), caller=0),
    Aimed(("4S KS", "9S 5C", "6S 7C", "8S 9C"), ("K3 Sâm",), caller=0),
    Aimed(("4S KS", "9S", "6S", "8S"), ("K3 blocked",), caller=0),
    Aimed(("AS KS", "2S 3S 3C", "4C 5C", "4D 5D"), ("K3 a 2",), caller=0),
    Aimed(("3S 3C 4S 4C 5S 5C AD", f"{A_9} 4D", "6S 7C", "8S 8C"), ("K4",), caller=0),
    Aimed(("3S 3C 4S 4C 5S 5C AD", "6S 9D", f"{RUN_9} 4D", "6D 8C"), ("K14", "K4"), caller=0),
    Aimed(("3S 3C 4S 4C 5S 5C AD", f"{RUN_9} 4D", "6S 9D", "6D 8C"), ("K14", "K4"), caller=0),
    Aimed(("2S 4S", RUN_9, "3S 4C", "3D 4D"), ("K14",), caller=0),
    Aimed(("AS 2S", "3S 4S", "3C 4C", "3D 4D"), ("M14 caller is",), caller=0),
    Aimed(("3S 5S", "KS AS", "6C 7C", "8D 9D"), ("M14 caller leads",), opening=True, caller=1),
    # Sâm: the lead after games of cóng
    Aimed(("KS AS", "4S 4D", "6C 7C", "8D 9D"), ("B7 next leads: cong", "K8 of", "M16"), streaks=(1, 1, 1, 1)),
    Aimed(("KS AS", "4S 4D", "6C 7C", "8D 9D"), ("M16",), streaks=(2, 0, 0, 0)),
    Aimed(("KS AS", "4S 4D", "6C 7C", "8D 9D"), ("K8 a streak", "M16 a called"), caller=0, streaks=(0, 9, 9, 0)),
    # Sâm: one card left
    Aimed(("4S 9S KS", "TS", "5S 6S 2C", "7C 8C"), ("K9 đền báo, led", "K9 too few", "M15")),
    Aimed(("4S 9S KS", "AS", "5S 6S 2C", "7C 8C"), ("K9 his",)),
    Aimed(("3S 8C 2D 8D", "4S KS 6C", "TS", "5S 5C"), ("K9 đền báo", "K9 too few", "M15")),
    Aimed(("3C 3S 8C 2D", "4S KS 6C", "TS", "5S 5C"), ("M15 pays", "K9 too few")),
    Aimed(("5S 6S", "KS 3C", "KC 3D", "KD 4D"), ("K9 đền báo, passed", "M15 passed", "M15 is cóng")),
    Aimed(("5S 6S", "3S 3C", "3D 4C", "3H 4D"), ("K9 safe, could",)),
    Aimed(("5S 5C 6S", "3S 3C", "3D 4C", "3H 4D"), ("K9 safe, no",)),
    Aimed(("5S 8C", "4S KS", "AS", "6C 7C"), ("K9 safe, his",)),
    Aimed(("9S 8C", "AS", "5S 6C", "6D 7C"), ("K9 safe, his",)),
    Aimed(("3S 3C 4S 4C 5S 5C 6D KD", "TD", f"{A_9} 3D 8D", "3H 4H"), ("M15 chops",)),
    Aimed((f"{A_9} 3D 8D", "3S 3C 4S 4C 5S 5C TD", "3H 4H", "6D 7D"), ("M15 chops",)),
    # President
    Aimed(("2S AS AC 4S", "KS KC 5S", "9D 7D", "TS 6S 6C"), ("L13", "004#R1"), exchange=True),
    Aimed(("4S 5S 6S", "KS KC 5C", "9D 7D", "2S 2C 2D"), ("004#R16",), exchange=True),
    Aimed(("3S 3C 4S", "9D 7D", "KS KC", "2S 2C 2D"), ("004#R19",), opening=True),
    Aimed(("4S 4C 4D 4H KS KC QD", "5S 9S", "6S 9C TD", "7S 8S"), ("004#R2", "L11", "L12")),
    Aimed(("4S 4C 4D 4H KS", f"{A_7} 9S TS", "6S QC QD", "8S 8D"), ("004#R2", "L9", "L11", "M12")),
    Aimed((f"{A_9} KS", f"{A_7} AS TS", "6S QC QD", "4S 4C 4D 4H 8D"), ("004#R2", "L9")),
    Aimed(("4S 4C 4D 4H", "5S 9S", "6S 9C", "7S 8S"), ("L11", "L12")),
    # The opening
    Aimed(("4S 5S", "4C 5C", "4D 5D", "4H 5H"), ("B2",), opening=True),
    Aimed(("3S 3C 5S", "3D 5C", "3H 5D", "4H 5H"), ("B2", "B8"), opening=True),
)

# Two hands each that hold a pattern of tới trắng, by the pattern; the rest is dealt by chance.
PATTERN_HANDS = {
    "sanh_rong": ("3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH", "3C 4S 5H 6D 7C 8S 9H TD JC QS KH AD"),
    "sanh_rong_dong_hoa": ("3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
    "sau_doi_thong": ("4S 4C 5S 5C 6S 6C 7S 7C 8S 8H 9S 9C", "4D 4H 5D 5H 6D 6H 7D 7H 8D 8C 9D 9H"),
    "nam_doi_thong": ("TS TC JS JD QS QC KS KC AS AC", "TD TH JC JH QD QH KD KH AD AH"),
    "bon_bo_ba": ("4S 4C 4D 7S 7C 7D TS TC TD KS KC KD", "5S 5C 5D 8S 8C 8D JS JC JD 2S 2C 2D"),
    "bon_bo_ba_thong": ("4S 4C 4D 5S 5C 5D 6S 6C 6D 7S 7C 7D", "9S 9C 9D TS TC TD JS JC JD QS QC QD"),
    "ba_bo_ba_thong": ("4S 4C 4D 5S 5C 5D 6S 6C 6D", "9S 9C 9D TS TC TD JS JC JD"),
    "hai_tu_quy": ("4S 4C 4D 4H 9S 9C 9D 9H", "6S 6C 6D 6H QS QC QD QH"),
    "ba_tu_quy": ("4S 4C 4D 4H 8S 8C 8D 8H QS QC QD QH", "5S 5C 5D 5H 9S 9C 9D 9H KS KC KD KH"),
    "muoi_hai_dong_chat": ("3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2S", "3H 4H 5H 6H 7H 8H 9H TH JH QH KH 2H"),
    "muoi_hai_dong_mau": ("3S 4C 5S 6C 7S 8C 9S JC JS QC KS 2S", "3D 4H 5D 6H 7D 8H 9D JH JD QH KD 2D"),
    "tu_quy_2": ("2S 2C 2D 2H", "2S 2C 2D 2H"),
    "tu_quy_3": ("3S 3C 3D 3H", "3S 3C 3D 3H"),
    "sau_doi": ("3S 3D 5S 5C 7D 7H 9S 9H JS JC KD KH", "4S 4C 6D 6H 8S 8C TD TH QS QC AD AH"),
    "ba_doi_thong_3_bich": ("3S 3C 4S 4C 5S 5D", "3S 3H 4D 4H 5C 5H"),
    "bon_doi_thong_3_bich": ("3S 3C 4S 4C 5S 5C 6S 6D", "3S 3D 4D 4H 5C 5H 6S 6H"),
}

PATTERN_HANDS_OF_10 = {
    "tu_quy_3": ("3S 3C 3D 3H", "3S 3C 3D 3H"),
    "sanh_rong_3_q": ("3S 4C 5D 6H 7S 8C 9D TH JS QC", "3C 4S 5H 6D 7C 8S 9H TD JC QS"),
    "ba_doi_thong_3": ("3S 3H 4D 4H 5S 5C", "3C 3D 4S 4C 5D 5H"),
    "hai_tu_quy": ("4S 4C 4D 4H 9S 9C 9D 9H", "6S 6C 6D 6H QS QC QD QH"),
    "ba_bo_ba": ("4S 4C 4D 7S 7C 7D KS KC KD", "5S 5C 5D 8S 8C 8D 2S 2C 2D"),
    "sanh_rong": ("AS 2C 3D 4H 5S 6C 7D 8H 9S TC", "5C 6D 7H 8S 9C TD JH QS KC AD"),
    "muoi_dong_mau": ("3S 5C 6S 7C 8S TC JS JC QS KC", "4D 5H 6D 7H 8D 9D JH JD QD 2D"),
    "nam_doi": ("3S 3D 7D 7H 9S 9H JS JC KD KH", "4S 4C 6D 6H 8S 8C TD TH AD AH"),
    "tu_quy_2": ("2S 2C 2D 2H", "2S 2C 2D 2H"),
}


def pattern_hands(rules) -> dict[str, tuple[str, str]]:
    """Of hands as large as the rules deal them."""
    return PATTERN_HANDS_OF_10 if rules.deal.hand_size == 10 else PATTERN_HANDS
