"""Cards as people write them, and hands of 52 bits (DESIGN §2, RULES §0)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import hand_set, mask_of

from tlsim.cards import (
    DECK,
    N_CARDS,
    card_name,
    cards_in,
    format_cards,
    hand_of,
    parse_cards,
    rank_of,
    strip_marks,
)
from tlsim.errors import CardError

S, C, D, H = range(4)


def card(rank, suit):
    return "3456789TJQKA2".index(rank) * 4 + suit


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("3S", [card("3", S)]),
        ("3s 3c 3d 3h", [0, 1, 2, 3]),
        ("2H", [51]),
        ("10♥", [card("T", H)]),
        ("T♥", [card("T", H)]),
        ("♥2♦2♣2♠2", [51, 50, 49, 48]),  # as the seeds write (000#R9)
        ("♥10 ♠10", [card("T", H), card("T", S)]),
        ("3♠4♣5♦", [0, 5, 10]),
        ("3♤4♧5♢6♡", [0, 5, 10, 15]),
        ("A♥\N{VARIATION SELECTOR-16} K♠\N{VARIATION SELECTOR-16}", [card("A", H), card("K", S)]),
        ("3S,3C;3D|3H", [0, 1, 2, 3]),
        ("[3S 4S 5S]", [0, 4, 8]),
        ("3S-4S-5S", [0, 4, 8]),
        ("3 bích, 10 cơ", [0, card("T", H)]),
        ("3 bich 10 co 4 rô 5 chuồn 6 tép 7 nhép", [0, 31, 6, 9, 13, 17]),
        ("A BÍCH", [card("A", S)]),
        ("3S4C10D10H", [0, 5, 30, 31]),
        ("S3C4", [0, 5]),
        ("  3S \n 4S\t", [0, 4]),
        ("", []),
        ("  ", []),
        ("heo cơ át bích già rô", [51, card("A", S), card("K", D)]),
        ("đầm chuồn, bồi tép; mười nhép ách rô", [card("Q", C), card("J", C), card("T", C), card("A", D)]),
        ("ba bích bốn bích tư rô năm cơ sáu cơ bảy cơ tám cơ chín cơ", [0, 4, 6, 11, 15, 19, 23, 27]),
        ("cơ heo, HAI BÍCH", [51, 48]),
        ("át♠ heo♥", [card("A", S), 51]),
        ("♥3 heo bích 7C", [3, 48, card("7", C)]),
        ("１０♥ Ｋｓ　３Ｓ", [card("T", H), card("K", S), 0]),  # full-width
        ("10❤\N{VARIATION SELECTOR-16} 3♠\N{VARIATION SELECTOR-15}", [card("T", H), 0]),  # as telephones write them
        ("3S\N{NO-BREAK SPACE}4S", [0, 4]),
    ],
)
def test_cards_are_read_as_people_write_them(text, cards):
    assert parse_cards(text) == cards


def test_decomposed_marks_are_read_like_composed_ones():
    import unicodedata

    text = "3 bích 4 rô 5 cơ 6 chuồn át bích già rô"
    assert parse_cards(unicodedata.normalize("NFD", text)) == parse_cards(text) == [0, 6, 11, 13, 44, 42]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3X", "cannot read '3X'"),
        ("1S", "cannot read '1S'"),
        ("11S", "cannot read '11S'"),
        ("3S 0H", "cannot read '0H'"),
        ("3 bích 4 rô 5 xo", "cannot read '5 xo'"),
        ("3 bích 4 rô xo 5 cơ", "cannot read 'xo'"),
        ("3S 5 4C", "cannot read '5'"),
        ("♥3 heo bích 5 xo", "cannot read '5 xo'"),
        ("ách 3S", "cannot read 'ách'"),
        ("ATS", "cannot read 'ATS'"),
        ("già Rồng", "cannot read 'Rồng'"),
        ("3S4C5X", "cannot read '5X'"),
        ("3S banana", "cannot read 'banana'"),
        ("3", "cannot read '3'"),
        ("S", "cannot read 'S'"),
        ("3S 3S", "card 3♠ is there twice"),
        ("3♠ 3 bích", "card 3♠ is there twice"),
        ("10D TD", "card 10♦ is there twice"),
    ],
)
def test_a_wrong_card_is_named(text, message):
    with pytest.raises(CardError, match=message):
        parse_cards(text)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("3А 4S", "U+0410 CYRILLIC CAPITAL LETTER A"),
        ("Α♠", "U+0391 GREEK CAPITAL LETTER ALPHA"),
        ("3S\N{ZERO WIDTH SPACE}4C", "U+200B ZERO WIDTH SPACE"),
        ("3\N{ZERO WIDTH JOINER}S", "U+200D ZERO WIDTH JOINER"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}3S", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("\N{ZERO WIDTH NO-BREAK SPACE}3S", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("3S \x00", "U+0000"),
        ("3\N{BLACK SPADE SUIT}\N{COMBINING ENCLOSING KEYCAP}", "U+20E3 COMBINING ENCLOSING KEYCAP"),
    ],
)
def test_a_letter_that_only_looks_like_another_is_named(text, sign):
    with pytest.raises(CardError, match=rf"cannot read .* \(it holds {re.escape(sign)}\); write"):
        parse_cards(text)


def test_marks_and_other_usual_letters_are_not_named():
    with pytest.raises(CardError, match="cannot read 'đỏ' as a card in 'đỏ'; write"):
        parse_cards("đỏ")


def test_a_message_about_a_long_text_stays_short():
    with pytest.raises(CardError) as caught:
        parse_cards("3S " * 10_000)
    assert len(str(caught.value)) < 300
    with pytest.raises(CardError) as caught:
        parse_cards("Z" * 1_000_000)
    assert len(str(caught.value)) < 400


def test_the_error_tells_the_allowed_ranks_and_suits():
    with pytest.raises(CardError, match=r"ranks 3 … 10 J Q K A 2; suits S ♠, C ♣, D ♦, H ♥"):
        parse_cards("joker")


@given(st.lists(st.integers(0, 51), unique=True), st.booleans())
def test_writing_and_reading_are_inverse(cards, symbols):
    hand = hand_of(cards)
    assert parse_cards(format_cards(hand, symbols)) == sorted(cards)
    assert hand_of(format_cards(hand, symbols)) == hand
    assert list(cards_in(hand)) == sorted(cards)
    assert format_cards(cards) == format_cards(hand)


@given(st.text("3456789TJQKA210scdhSCDH♠♣♦♥♡ ,;-[]bíchcơrôtépX\N{VARIATION SELECTOR-16}", max_size=20))
def test_any_text_is_read_or_refused_with_a_card_error(text):
    try:
        cards = parse_cards(text)
    except CardError:
        return
    assert len(set(cards)) == len(cards)
    assert all(0 <= c < 52 for c in cards)


@given(st.integers(0, DECK))
def test_the_bits_are_those_of_the_slow_twin(mask):
    assert mask_of(hand_set(mask)) == mask
    assert hand_of(mask) == mask
    text = format_cards(mask)
    assert mask_of(text) == mask  # the twin reads what tlsim writes


def test_all_52_names():
    names = [card_name(c) for c in range(N_CARDS)]
    assert names[:5] == ["3S", "3C", "3D", "3H", "4S"]
    assert names[-4:] == ["2S", "2C", "2D", "2H"]
    assert len(set(names)) == 52
    assert [mask_of(name) for name in names] == [1 << c for c in range(52)]
    assert card_name(51, symbols=True) == "2♥"
    assert card_name(card("T", H), symbols=True) == "10♥"


@pytest.mark.parametrize("bad", [-1, DECK + 1, 1 << 60])
def test_a_number_that_is_no_hand_is_refused(bad):
    with pytest.raises(CardError, match="is not a hand"):
        hand_of(bad)


@pytest.mark.parametrize("bad", [[52], [-1], [0, 99]])
def test_a_number_that_is_no_card_is_refused(bad):
    with pytest.raises(CardError, match="is not a card number"):
        hand_of(bad)


def test_a_card_twice_is_refused_in_numbers_too():
    with pytest.raises(CardError, match="3♠ is there twice"):
        hand_of([0, 5, 0])


@pytest.mark.parametrize(
    ("word", "rank"),
    [
        ("3", 0),
        (3, 0),
        ("10", 7),
        ("t", 7),
        ("J", 8),
        ("a", 11),
        ("2", 12),
        (2, 12),
        (" K ", 10),
        ("heo", 12),
        ("át", 11),
    ],
)
def test_ranks_are_read(word, rank):
    assert rank_of(word) == rank


@pytest.mark.parametrize("word", ["1", "11", "", "♠", "3S", 0, "joker"])
def test_a_wrong_rank_is_refused(word):
    with pytest.raises(CardError, match="is not a rank"):
        rank_of(word)


def test_marks_are_stripped():
    assert strip_marks("Đôi thông Huế") == "Doi thong Hue"


def test_each_word_may_have_an_order_of_its_own():
    assert parse_cards("♥3♦3 7C 10♠") == parse_cards("3H 3D 7C TS")
    with pytest.raises(CardError, match="'7X'"):
        parse_cards("♥3♦3 7X")
