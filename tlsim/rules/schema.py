"""What a rule set says: one table per subject, every value checked.

A table that may be missing is a rule that not every game has: without ``[bao_sam]`` nobody can call Sâm. A file
switches off an inherited one by ``bao_sam = false``. The ids behind the defaults (``B6``, ``M12`` …) and what each
value means stand in the comments; which value a preset has, and why, stands in its file.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, PlainSerializer, Tag

from tlsim.cards import card_name
from tlsim.patterns import Pattern, Table, Text, as_tuple, read_card
from tlsim.rules.schema_values import BY_PLAYERS, MOST_PLAYERS, OFF, Amount, Bomb, LongBomb, Money, Ordered, Players

Card = Annotated[int, BeforeValidator(read_card), PlainSerializer(card_name)]
"""A card number 0 … 51, written ``"3S"``."""
Unordered = (*Ordered, AfterValidator(lambda values: tuple(sorted(values))))
"""Marks of a list whose order does not matter; nothing twice."""
FILLED = (Field(min_length=1), *BY_PLAYERS)
"""Marks of a table keyed by number of players that is not empty."""
Target = Literal["heo", "doi_heo", "ba_doi_thong", "tu_quy", "bon_doi_thong"]


def _hand_size(value: object) -> object:
    if value == "all" or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 26):
        return value
    raise ValueError("must be a whole number of cards, 1 … 26, or 'all' to deal the whole deck")


class Deal(Table):
    """Who plays with how many cards; cards not dealt are set aside."""

    hand_size: Annotated[int | Literal["all"], BeforeValidator(_hand_size)]
    min_players: Annotated[int, Field(ge=2, le=MOST_PLAYERS)]
    max_players: Annotated[int, Field(ge=2, le=MOST_PLAYERS)]
    uneven_deal: Literal["rotating_dealer", "fixed_dealer"] | None = None  # who gets the odd cards (L1)


class Turn(Table):
    """Direction and passing."""

    direction: Literal["counter_clockwise", "clockwise"]  # of the first game of a match (M18)
    alternate_direction_each_hand: bool  # B6
    pass_locks: bool  # a pass holds until the trick ends (D1)
    pass_reset_on_chop: bool  # a chop lets passed players back in (D1)


Entitled = Literal["den_payer", "cong_streak", "sam_caller", "winner", "last_place"]


class Lead(Table):
    """Who leads, and with what."""

    opening_card: Card
    opening_must_include: bool  # the first play of an opening game holds the opening card (B8)
    opening_fallback: Literal["lowest_must_include", "lowest_free", "random"]  # opening card not dealt (B2)
    next: Annotated[tuple[Entitled, ...], Field(min_length=1), *Ordered]  # the first that the last game has
    cong_streak: Annotated[int, Field(ge=2, le=10)] | None = None  # so many games cóng in a row give the lead


class Straights(Table):
    """Straights of single cards."""

    min_length: Annotated[int, Field(ge=3, le=13)]
    low: bool  # A-2-3 and 2-3-4 are the lowest (C9); otherwise 2 is never in a straight (C7)
    longer_beats: bool  # C2


class PairRuns(Table):
    """Đôi thông: runs of consecutive pairs, never with a 2 (C7, C8)."""

    min_length: Annotated[int, Field(ge=3, le=6)]
    long_runs: Literal["as_ordinary", "superset_of_4"]  # what 5 and 6 pairs can do (C6)
    three: Literal["ordinary", "trump"]  # 3 pairs beyond the chop table; trump: on any set without a 2 (J6)


class Combinations(Table):
    """What may be played; singles, pairs, triples and quads always may."""

    compare: Literal["top_card", "top_rank"]  # the suit of the strongest card breaks ties, or never counts
    suit_match: Literal["off", "north", "match_first_card_only"]  # J7
    straight: Annotated[Straights | None, OFF] = None
    pair_run: Annotated[PairRuns | None, OFF] = None


class Finish(Table):
    """The last play of a hand."""

    on_two: Literal["allow", "counts_last", "forbid"]  # J8, K10
    on_two_in_straight: bool  # a straight with a 2 may end the hand all the same (K10)
    with_hang: bool  # a bomb may be the last play (C12)
    two_fine: Money | None = None  # who goes out on a 2 pays this to each of the others (on_two = "allow")
    double: Annotated[tuple[LongBomb, ...], *Unordered] | None = None  # who goes out first by one is paid double


class Prices(Table):
    """What a card or bomb costs, both when it rots and when it is chopped."""

    rac: Money = 0.0  # a card without a price of its own, where cards are counted
    heo_bich: Money
    heo_chuon: Money
    heo_ro: Money
    heo_co: Money
    ba_doi_thong: Money
    tu_quy: Money
    bon_doi_thong: Money


class ChopBy(Table):
    """What a chop costs beyond the price of what is chopped, by the bomb that chops."""

    ba_doi_thong: Money | None = None
    tu_quy: Money | None = None
    bon_doi_thong: Money | None = None
    nam_doi_thong: Money | None = None
    sau_doi_thong: Money | None = None


class ChopPrices(ChopBy):
    """Prices of chopped cards and bombs where they differ from ``[prices]``.

    A pair or three 2s without a price of their own cost the sum of their cards, 5 and 6 pairs what 4 pairs cost.
    """

    heo_bich: Money | None = None
    heo_chuon: Money | None = None
    heo_ro: Money | None = None
    heo_co: Money | None = None
    doi_heo: Money | None = None
    ba_heo: Money | None = None


Targets = Annotated[tuple[Target, ...], *Unordered]
Bombs = Annotated[tuple[Bomb, ...], *Unordered]


class ChopTable(Table):
    """Which bomb chops what; of its own kind a bomb chops the lower ones."""

    ba_doi_thong: Targets
    tu_quy: Targets
    bon_doi_thong: Targets


class Chop(Table):
    """Chặt: bombs on twos and on bombs, and the money for it."""

    beats: ChopTable
    triple2_beaten_by: Annotated[tuple[LongBomb, ...], *Unordered]  # C13; nam_doi_thong: 5 pairs or more
    after_pass: Bombs  # may chop in turn after a pass (D2); 4 pairs only what free_targets names
    free_4dt_mode: Literal["any_time", "after_pass_in_turn", "none"]  # D3
    free_targets: Targets  # what 4 pairs may chop freely
    chain: Literal["last_pays_sum", "each_pays_own", "doubling", "doubling_links"]  # E2
    chain_includes_overlaid_twos: bool  # E3
    finisher_void_scope: Literal["none", "chain_if_last_victim_out", "link"]  # the chopped play was the last (E5)
    pay_same_class: bool  # E6
    pay_led_hang: bool  # E6
    four_twos_price: Literal["heo_sum", "quad"]  # C14
    four_pairs_bonus: Money  # each pays the holder of an unplayed 4ĐT (J6)
    prices: ChopPrices = ChopPrices()
    by: Annotated[ChopBy | None, OFF] = None


class InstantWinEntry(Pattern):
    """A pattern of a tới trắng list and what each loser pays for it."""

    pays: Amount | None = None  # default: toi_trang.instant_pay
    count_heo: bool = False  # đếm heo is charged for it where toi_trang.count_heo is on
    source: Text | None = None


Entries = Annotated[tuple[InstantWinEntry, ...], Field(max_length=60), BeforeValidator(as_tuple)]


class ToiTrang(Table):
    """Instant wins; each list runs from the strongest pattern to the weakest (M20)."""

    declare: Literal["optional", "automatic"]  # F7
    opening_list_mode: Literal["exclusive", "additional", "one_list"]  # F1; one_list: regular serves every game
    priority: Literal["strength", "turn"]  # several holders: the strongest, ties by turn, or the nearest (F5)
    opening_priority: Literal["strength", "turn"]
    instant_pay: Amount  # from each loser, for a pattern without a price of its own (F8)
    count_heo: bool  # đếm heo is played (F9)
    after_instant_win: Literal["opening_hand", "winner_leads"]  # B4
    bars_last_winner: bool  # the winner by tới trắng has none in the next game (003#R42)
    opening: Entries = ()
    regular: Entries = ()


class CountCards(Table):
    """Đếm lá: losers pay the winner for the cards that they hold."""

    items: Literal["replace", "add"]  # a price of its own stands for the card count, or on top of it (H5, K11)


class Transfer(Table):
    """One payment between two places."""

    from_place: Annotated[int, Field(ge=1, le=MOST_PLAYERS)]
    to_place: Annotated[int, Field(ge=1, le=MOST_PLAYERS)]
    pays: Money


PlaceTransfers = Annotated[dict[Players, Annotated[tuple[Transfer, ...], BeforeValidator(as_tuple)]], *FILLED]
PlacePoints = Annotated[dict[Players, Annotated[tuple[Money, ...], BeforeValidator(as_tuple)]], *FILLED]


class Thoi(Table):
    """Twos and bombs left in the hand at the end."""

    payer: Literal["last", "losers"]  # H2
    receiver: Literal["above_last", "first"]  # H3
    hang: bool  # bombs rot too, not only twos
    hang_partition: Literal["max_total", "greedy"]  # how bombs are found in a hand (H4)
    ba_bich: Money  # 3♠ left by the last player (002#R51)


class Cong(Table):
    """Cóng: no card played when the first player goes out."""

    fine: Amount
    items: bool  # heo and hàng are charged on top
    times: Annotated[int, Field(ge=1, le=10)] | None = None  # the cards are counted too (thối with them), so many times
    items_times: Annotated[int, Field(ge=1, le=10)] | None = None  # heo and hàng on top, so many times
    method: Literal["per_player", "whole_table"]  # whole_table: one cóng counts as all (001#R56)
    payee: Literal["on_behalf", "to_each"]  # whole_table: shares of the others go to the catcher, or to them (G7)


class DenCong(Table):
    """Who pays for a whole cóng table because he could have played."""

    method: Literal["sole_holder", "first_in_order"]  # G4
    scan: Literal["seat_first", "play_first"]  # G4
    min_opponents: Annotated[int, Field(ge=1, le=MOST_PLAYERS)]  # G5


class Ket3Bich(Table):
    """Going out with 3♠ alone, and blocking it."""

    pays: Money
    block_pays: Money
    window: Literal["response", "none"]  # may the others block? (I1)
    single_only: bool  # I1
    block_payees: Literal["active", "not_passed", "laid_card", "blocker_only"]  # I2
    after_block: Literal["hand_ends", "continue"]  # I3


class Dut3Bich(Table):
    """Đút 3 bích: going out with 3♠ makes all that are left last."""

    first_pays: Money
    second_pays: Money
    dut_second_payee: Literal["third_to_second", "both_to_first"]  # J4


class Residual(Table):
    """What the rest of a bomb can still do in an opening game after the opening card is gone (M11)."""

    quad3_residual: Literal["3S_alone", "remaining_threes", "none"]  # J2
    pair_run_4: bool  # the 6s of 3-4-5-6 keep the power of the four pairs (J3)


class DenCaLang(Table):
    """Being beaten one play before shutting out the table."""

    pays: Money  # to each house
    hand_ends: bool  # J9


class BaoSam(Table):
    """Calling Sâm: the caller leads and must not be beaten once."""

    pays: Money  # each opponent, on success
    fail_pays: Money
    fail_multiplier: Literal["opponents", "players"]  # K3
    fail_payee: Literal["blocker", "each_opponent"]  # K3
    items: bool  # heo and hàng on top of a success (K2)
    chop_money: bool  # K4


class DenBao(Table):
    """Trách nhiệm, báo 1: the seat before a player with one card must hold it with his highest.

    He pays the first player out what the others would pay him: cards, thối, cóng, and money by place.
    """

    min_active: Annotated[int, Field(ge=2, le=MOST_PLAYERS)]  # K9
    requires_effect: bool  # K9


Title = Literal["tong_thong", "pho_tong_thong", "thuong_dan", "can_ngheo", "dan_ngheo"]


class Exchange(Table):
    """Cards given up to a title, and as many of any kind returned."""

    from_title: Title
    to_title: Title
    cards: Annotated[int, Field(ge=1, le=10)]


def _is_table(value: object) -> str:
    players = isinstance(value, dict) or (isinstance(value, tuple) and bool(value) and isinstance(value[0], tuple))
    return "table" if players else "list"


ExchangeList: TypeAlias = Annotated[tuple[Exchange, ...], Field(max_length=6), BeforeValidator(as_tuple)]
Exchanges: TypeAlias = Annotated[
    Annotated[ExchangeList, Tag("list")] | Annotated[dict[Players, ExchangeList], *FILLED, Tag("table")],
    Discriminator(_is_table),
]


class President(Table):
    """Titles, exchange, revolution."""

    revolution: bool
    titles: Annotated[dict[Players, Annotated[tuple[Title, ...], *Ordered]], *FILLED]  # best place first
    exchange: Exchanges  # in every game, or by number of players
    exchange_tie: Literal["lowest_suit_first", "highest_suit_first"]  # L13


class Fair(Table):
    """What the prices were made with, and are held against; no outcome depends on it."""

    method: Literal["reordered", "proportional", "logarithmic", "none"] | None = None  # default proportional
    cap: Money | None = None  # highest price: one that stands there is not too cheap
    units: Literal["half", "whole"] = "half"  # steps of prices
    judge_from: Annotated[float, Field(ge=0, le=1)] | None = None  # rarer patterns are not judged


class RuleSet(Table):
    """A whole rule set, as its file says it."""

    name: Text
    label: Text
    unit: Literal["cược", "lá", "điểm"]
    match_length: Annotated[int, Field(ge=1, le=1000)]
    hand_counts_public: bool  # of what is shown; no outcome depends on it (A4, M19)
    end_condition: Literal["first_out", "last_one"]  # A1, A2
    deal: Deal
    turn: Turn
    lead: Lead
    combinations: Combinations
    finish: Finish
    prices: Annotated[Prices | None, OFF] = None
    chop: Annotated[Chop | None, OFF] = None
    toi_trang: Annotated[ToiTrang | None, OFF] = None
    count_cards: Annotated[CountCards | None, OFF] = None
    place_transfers: Annotated[PlaceTransfers | None, OFF] = None
    place_points: Annotated[PlacePoints | None, OFF] = None
    thoi: Annotated[Thoi | None, OFF] = None
    cong: Annotated[Cong | None, OFF] = None
    den_cong: Annotated[DenCong | None, OFF] = None
    ket_3_bich: Annotated[Ket3Bich | None, OFF] = None
    dut_3_bich: Annotated[Dut3Bich | None, OFF] = None
    residual: Annotated[Residual | None, OFF] = None
    den_ca_lang: Annotated[DenCaLang | None, OFF] = None
    bao_sam: Annotated[BaoSam | None, OFF] = None
    den_bao: Annotated[DenBao | None, OFF] = None
    president: Annotated[President | None, OFF] = None
    fair: Annotated[Fair | None, OFF] = None
