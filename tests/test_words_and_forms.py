"""How small things are said and written: numbers, terms, key paths, values; one example of each form."""

from fractions import Fraction

from tlsim.catalogue import local, say, told
from tlsim.cli.flags import chosen_hands
from tlsim.cli.running import Done
from tlsim.columns import Column, frame
from tlsim.engine.run import Until
from tlsim.errors import UsageError
from tlsim.patterns import is_pattern_word
from tlsim.questions.how import Shares
from tlsim.questions.playing import replay
from tlsim.records.sheet import fewest_payments
from tlsim.records.text import Notation
from tlsim.records.words import plain as unmarked
from tlsim.records.words import statements
from tlsim.rules import load_rules, moot, parse_setting
from tlsim.rules.keypath import overlap, read_path, spell, targets, write_value
from tlsim.rules.schema_values import amount_at
from tlsim.show.formats import _spreadsheet_cell, plain
from tlsim.show.numbers import amount, between, general, one_in, percent, plus_minus, probability, with_error
from tlsim.terms import (
    distance_name,
    event_name,
    find_pattern,
    known_term,
    quantity_name,
    reason_name,
    term,
    term_of,
)

INFINITE = float("inf")


def test_sentences():
    assert (say("Number of seats.", "en"), say("{n} seats.", "en", n=4)) == ("Number of seats.", "4 seats.")
    assert local("1,720.5", "vi") == "1.720,5"
    assert local("-3.2e-09", "vi") == "-3,2e-09"
    assert local("1,720.5", "en") == "1,720.5"
    assert told(UsageError("deals = {deals}: must be over 0", deals=-1), "en") == "deals = -1: must be over 0"


def test_probabilities():
    assert (probability(0.00448), probability(3.194e-9), probability(0.0)) == ("0.004480", "3.194e-09", "0")


def test_errors():
    found = (plus_minus(0.0123), plus_minus(2.1e-5), plus_minus(182.4), plus_minus(None))
    assert found == (" ± 0.012", " ± 2.1e-05", " ± 182", "")
    assert (with_error(12.345, 0.123), with_error(3.0, None)) == ("12.35 ± 0.12", "3")
    assert (with_error(0.12345, 0.0123, "+"), with_error(-3.0, None, "+")) == ("+0.123 ± 0.012", "-3")


def test_one_in():
    assert (one_in(223.43), one_in(1720.44), one_in(5.5e7), one_in(INFINITE)) == ("223.4", "1,720", "55,000,000", "∞")


def test_amounts():
    assert (amount(5.512), amount(1016432.4), amount(0.7234)) == ("5.51", "1,016,432", "0.723")
    assert (amount(2e-5), amount(INFINITE)) == ("2e-05", "∞")


def test_general_numbers():
    assert (general(0.5), general(1234.5678), general(12345678.9)) == ("0.5", "1,234.57", "12,345,679")
    assert (general(-0.25, "+"), general(-INFINITE)) == ("-0.25", "-∞")


def test_shares():
    found = (percent(0.25315, 0.0012), percent(0.25), percent(0.00001234), percent(-0.031, None, "+"))
    assert found == ("25.31 ± 0.12%", "25.00%", "0.0012%", "-3.10%")


def test_intervals():
    found = (between(1.23456, 1.34567), between(-0.5, 12.0, "+"), between(0.00123, 0.00145))
    assert found == ("1.235 … 1.346", "-0.5 … +12.0", "0.001230 … 0.001450")


def test_values_in_files():
    assert plain([2**60, Fraction(1, 3), float("nan"), 0.5]) == ["1152921504606846976", "1/3", None, 0.5]
    assert (_spreadsheet_cell(-0.5), _spreadsheet_cell("=1+1"), _spreadsheet_cell("-")) == ("-0,5", "'=1+1", "'-")
    assert write_value({"size": 2, "of": ["3", True]}) == '{ size = 2, of = ["3", true] }'


def test_terms():
    assert (term("pair_run", "vi"), term("pair_run", "en")) == ("đôi thông", "pair run")
    assert (known_term("pair_run", "en"), known_term("a_pattern_of_ones_own")) == ("pair run", None)
    assert (term_of("view_seats", "en"), term_of("mean", "en", points=True)) == ("By seat: money per game", "mean")
    assert term_of("view_seats", "en", points=True) == "By seat: points per game"


def test_names():
    assert event_name("chop_tu_quy_doi_heo", "vi") == "tứ quý chặt đôi heo"
    assert (event_name("chain_of_2", "en"), event_name("thoi_heo_co", "vi")) == ("chain of 2 chops", "thối heo cơ")
    assert (reason_name("den_bao", "vi"), reason_name("sam", "en")) == ("đền báo", "Sâm")
    assert (distance_name(0, "en"), distance_name(2, "en")) == ("leads", "+2")
    assert (quantity_name("seat_0", "vi"), quantity_name("wins_tu_quy_2", "en")) == ("nhà 0", "wins by Four 2s")
    assert quantity_name("someone", "en") == "someone has one"


def test_a_pattern_is_found_by_what_people_call_it():
    named = {"tu_quy_2": "Tứ quý heo", "nam_doi_mot_sam": "5 đôi + 1 sám"}
    found = [find_pattern(text, named) for text in ("tu quy heo", "Four 2s", "5 đôi + 1 sám")]
    assert found == ["tu_quy_2", "tu_quy_2", "nam_doi_mot_sam"]
    assert (is_pattern_word("tu_quy_2"), is_pattern_word("3S 4S")) == (True, False)


def test_key_paths():
    assert spell(("toi_trang", "regular", 3, "pays")) == "toi_trang.regular[3].pays"
    assert spell(("set", "cong.fine")) == 'set."cong.fine"'
    assert read_path("toi_trang.regular[sau_doi].pays") == ("toi_trang", "regular", "[sau_doi]", "pays")
    assert (overlap(("cong",), ("cong", "fine")), overlap(("cong", "items"), ("cong", "fine"))) == (True, False)
    pattern = {"id": "sau_doi", "pays": 2}
    found = targets({"toi_trang": {"opening": [pattern], "regular": [pattern]}}, "toi_trang.sau_doi.pays")
    assert found == [("toi_trang", "opening", 0, "pays"), ("toi_trang", "regular", 0, "pays")]
    assert (parse_setting("cong.fine=20"), parse_setting("toi_trang.declare = automatic")) == (
        ("cong.fine", 20), ("toi_trang.declare", "automatic"),
    )  # fmt: skip


def test_rules():
    tong_thong, sam_loc, zing = map(load_rules, ("tong_thong", "sam_loc", "zing"))
    assert (tong_thong.hand_sizes(5), sam_loc.hand_sizes(3)) == ((11, 11, 10, 10, 10), (10, 10, 10))
    assert tong_thong.seat_sizes(5) == (10, 11, 11, 10, 10)
    assert tong_thong.seat_sizes(5, game=3) == (11, 10, 10, 10, 11)
    assert [(row.from_title, row.to_title, row.cards) for row in tong_thong.exchanges(4)] == [
        ("dan_ngheo", "tong_thong", 2), ("can_ngheo", "pho_tong_thong", 1),
    ]  # fmt: skip
    assert [fault.where for fault in sam_loc.replace("end_condition", "last_one").unplayable()] == ["end_condition"] * 2
    fined = zing.replace("cong.fine", 3)
    assert (fined.cited("cong.fine"), fined.cited("turn.pass_locks")) == (
        "cong.fine, set by hand", "inherited: 001#R30, D1",
    )  # fmt: skip
    assert dict(moot(zing))["cong.payee"] == "cong.method is 'per_player': everybody pays for himself"
    assert (amount_at(2.0, 4), amount_at(((2, 1.0), (4, 3.0)), 4)) == (2.0, 3.0)


def test_a_frame_has_whole_numbers():
    found = frame([{"seat": 0, "mean": None}], [Column("seat", "index"), Column("mean", "money")])
    assert found.dtypes.astype(str).tolist() == ["Int64", "float64"]


def test_a_time_is_shared():
    shares = Shares(Until(max_time=60.0), runs=3)
    assert shares.next().max_time == 20.0
    shares.took(10.0)  # it was done sooner
    assert shares.next().max_time == 25.0


def test_what_is_not_complete_was_ended():
    class Result:
        complete = False

    assert isinstance(Done.of(Result).ended, KeyboardInterrupt)


def test_a_game_is_written_as_people_type_it():
    record = replay("luckywin", seed=7, match=0, game=0, policies="lowest")
    text = Notation().write(record, load_rules("luckywin"))
    begins = ["rules luckywin", "players P0 P1 P2 P3", "", "game opening", "P3 3S; P0 3C; P1 4D; P2 5C; P3"]
    assert [line[:30] for line in text.splitlines()[:5]] == begins


def test_what_people_type():
    assert unmarked("Dũng") == "dung"
    read = statements("An QS; Chi !2S  # so it was", "evening.txt", 7)
    assert [[word.text for word in words] for words in read] == [["An", "QS"], ["Chi", "!", "2S"]]
    assert chosen_hands(("0:3S 3C", "2:tu_quy_2")) == {0: "3S 3C", 2: "tu_quy_2"}
    assert fewest_payments({"An": 5, "Bình": -2, "Chi": 2, "Dũng": -5}) == [("Dũng", "An", 5), ("Bình", "Chi", 2)]
