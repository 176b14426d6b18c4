"""Options: each declared once; its flag, its words, its default and its check are the same wherever it is asked for."""

import inspect
import re
from fractions import Fraction

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlsim
from tlsim.catalogue import LANGUAGES, ask, local, say
from tlsim.cli import COMMANDS
from tlsim.cli import tlsim as group
from tlsim.cli.flags import Flag, chosen_hands
from tlsim.errors import UsageError
from tlsim.numerals import (
    claim,
    cost_move,
    decimal,
    duration,
    part_of_one,
    positive,
    price,
    shard,
    share,
    size,
    tolerance,
)  # fmt: skip
from tlsim.options import MOST_DEALS, MOST_GAMES, MOST_SEED, OPTIONS
from tlsim.questions.fair import Fair
from tlsim.questions.games import Games, Money
from tlsim.questions.hand import Hand
from tlsim.questions.odds import Odds
from tlsim.questions.playing import Played, Replayed

QUESTIONS = {"odds": Odds, "simulate": Games, "play": Played, "replay": Replayed, "hand": Hand, "fair": Fair}


def commands(found=group, name="tlsim"):
    """Yield every command with its name, those of groups too."""
    context = click.Context(found)
    for each in found.list_commands(context):
        command = found.get_command(context, each)
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {each}")
        else:
            yield f"{name} {each}", command


EVERY = dict(commands())
FLAGS = [
    (name, flag) for name, command in EVERY.items() for flag in command.params
    if isinstance(flag, Flag) and not flag.hidden
]  # fmt: skip


@pytest.fixture
def spoken():
    yield ask
    ask(None)


# What is declared


def test_every_option_has_words():
    for name, option in OPTIONS.items():
        assert option.help.endswith((".", ")", "].")), name
        assert option.help[0].isupper() or option.help.startswith(("1", "T")), name
        assert option.flags.startswith("--"), name
        assert option.metavar, name
        assert option.group, name


def test_a_default_passes_its_own_check_and_is_a_choice():
    """Where it is a value: what is none says that somebody else decides."""
    for name, option in OPTIONS.items():
        if option.default is not None:
            assert option.check(name, option.default) == option.default, name
            assert not option.choices or option.default in option.choices, name


# What a command makes of it


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_help_says_what_it_is_and_what_it_is_by_default(lang, spoken):
    spoken(lang)
    for name, flag in FLAGS:
        option, where = flag.option, (name, flag.name)
        written, help_text = flag.get_help_record(click.Context(click.Command("x")))
        assert option.flags.partition("/")[0] in written, where
        assert say(option.help, lang).split()[0] in help_text, where
        if option.usual:
            assert say(option.usual, lang) in help_text, where
        elif option.read is not None and option.default not in (None, (), ""):
            shown = local(f"{option.default:,}", lang) if isinstance(option.default, int) else str(option.default)
            assert f": {shown}]" in help_text, where


def test_the_flag_has_the_default_of_the_option():
    for name, flag in FLAGS:
        if not flag.multiple and flag.option.read is not None:
            assert flag.default == flag.option.default, (name, flag.name)
        assert flag.multiple == flag.option.many, (name, flag.name)


def test_one_name_means_one_thing():
    """A flag of a name has the same reading in every command that has it."""
    first = {}
    for name, flag in FLAGS:
        twin = first.setdefault(flag.name, flag)
        assert twin.option.read is flag.option.read or flag.name in {"opening", "deals"}, (name, flag.name)
        assert twin.opts == flag.opts or flag.name in {"opening", "deals", "hands"}, (name, flag.name)


@pytest.mark.parametrize("command", QUESTIONS)
def test_every_field_of_a_question_is_a_flag_of_its_command_with_the_same_default(command):
    flags = {flag.name: flag for name, flag in FLAGS if name == f"tlsim {command}"}
    for key, option in QUESTIONS[command].options().items():
        if (command, key) == ("hand", "hand"):
            continue  # an argument
        assert flags[key].option == option
        assert flags[key].default in (option.default, None)


def test_the_default_policy_is_smart_everywhere():
    for kind in (Games, Played, Replayed, Hand, Fair, Money):
        assert kind.options()["policies"].default == "smart"
    record = tlsim.replay("luckywin", match=0, game=0)
    assert record["source"]["policies"] == ["smart"] * 4


def test_the_options_of_a_question_are_the_arguments_of_its_function():
    names = list(inspect.signature(tlsim.simulate).parameters)
    assert names[:6] == ["rules", "games", "players", "policies", "match_length", "seed"]


def test_no_flag_of_a_command_stands_twice():
    for name, command in EVERY.items():
        written = [word for param in command.params for word in (*param.opts, *param.secondary_opts)]
        assert len(set(written)) == len(written), name


def test_every_command_is_here():
    assert {name.split()[1] for name in EVERY} == set(COMMANDS)


# Checks


WRONG = {
    "deals": (0, -1, 1.5, True, "5", MOST_DEALS + 1), "games": (0, 1.0, MOST_GAMES + 1), "hand_size": (0, 52),
    "seed": (-1, 1.0, MOST_SEED + 1, True), "opening": (1, "yes"), "opening_list": (1, "both"),
    "tolerance": (0.5, True, "2", float("nan")), "rotate": (1,), "lang": ("fr", "VI"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_check_names_the_option_and_its_value(name, value):
    option = OPTIONS[name]
    with pytest.raises(UsageError) as caught:
        option.check(option.name, value)
    assert str(caught.value).startswith(f"{option.name} = {value!r}: must be ")


# Readings


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e6", 10**6), ("1E+6", 10**6), ("10M", 10**7), ("5k", 5000), ("2G", 2 * 10**9), ("2b", 2 * 10**9),
        ("10_000_000", 10**7), ("5,000", 5000), ("10,000,000", 10**7), ("10.000.000", 10**7), ("-3", -3), (" 12 ", 12),
        ("2.5e6", 2_500_000), ("2,5e6", 2_500_000), ("1,000.0", 1000), ("1.000,0", 1000), (str(MOST_SEED), MOST_SEED),
    ],
)  # fmt: skip
def test_sizes(text, number):
    assert size(text) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2,5M", "'2,5M' may mean 2500000 or 25000000; write 2500000 or 25000000"),
        ("2.5M", "'2.5M' may mean 2500000 or 25000000; write 2500000 or 25000000"),
        ("1.500", "'1.500' may mean 1.5 or 1500; write 1500"),
        ("1.5k", "'1.5k' may mean 1500 or 15000; write 1500 or 15000"),
        ("0.01k", "'0.01k' may mean 10 or 1000; write 10 or 1000"),
    ],
)
def test_what_may_mean_two_things_is_refused_and_both_are_named(text, said):
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        size(text)


@pytest.mark.parametrize("text", [
    "", "many", "1.5", "1,5", "10,5", "0,005", "1,00,000", "1,500,5", "1e-3", "1e999999999", "--3", "1 000",
    "x" * 10_000, "0x10",
])  # fmt: skip
def test_what_is_no_size(text):
    with pytest.raises(UsageError, match="is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M"):
        size(text)


@given(st.integers(0, 10**15))
def test_a_size_is_read_as_it_is_written(number):
    for text in (f"{number}", f"{number:_}", f"{number:,}"):
        assert size(text) == number
    if number >= 10**6:
        assert size(f"{number:,}".replace(",", ".")) == number


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text):
    for read in (size, positive, share, part_of_one, decimal, duration, shard):
        try:
            read(text)
        except UsageError as error:
            assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (share, "1%", 0.01), (share, "0.25", 0.25), (part_of_one, "5%", 0.05), (part_of_one, "1", 1.0),
        (decimal, "inf", float("inf")), (duration, "1h30m", 5400.0), (duration, "0.5s", 0.5), (duration, "90", 90.0),
        (shard, "2/4", (2, 4)), (positive, "5k", 5000), (share, "2.5 %", 0.025), (duration, "10m", 600.0),
        (cost_move, "+15%", (0.0, 0.15)), (cost_move, "-10%", (0.1, 0.0)), (cost_move, "0.05", (0.05, 0.05)),
        (price, "sanh_rong=20", ("sanh_rong", 20.0)), (price, "opening.Tứ quý 2 = 2.5", ("opening.Tứ quý 2", 2.5)),
        (tolerance, "3", ("all", 3.0)), (tolerance, "muoi_hai_dong_chat=1e6", ("muoi_hai_dong_chat", 1e6)),
        (claim, "1/1000 ván", (Fraction(1, 1000), "game")), (claim, "0,5% game", (Fraction(1, 200), "game")),
        (claim, "1 trong 2.000.000 bài", (Fraction(1, 2_000_000), "hand")),
        (share, "0,25", 0.25), (share, "2,5%", 0.025), (part_of_one, "0,05", 0.05), (cost_move, "+2,5%", (0.0, 0.025)),
        (decimal, "2,5", 2.5), (decimal, "0,005", 0.005), (decimal, "1.234,5", 1234.5), (decimal, "1,234.5", 1234.5),
        (price, "sanh_rong=2,5", ("sanh_rong", 2.5)), (tolerance, "2,5", ("all", 2.5)),
        (duration, "1,5h", 5400.0), (duration, "1h0m5", 3605.0), (share, "1e-6", 1e-6),
    ],
)  # fmt: skip
def test_other_readings(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (part_of_one, "5", "must be from 0% to 100%"), (part_of_one, "-5%", "must be from 0% to 100%"),
        (positive, "0", "must be a whole number over 0"), (share, "x", "write it as 1% or 0.01"),
        (duration, "soon", "write it as 90, 90s, 10m or 1h30m"), (duration, "", "is not a time"),
        (shard, "0/4", "1/4 … 4/4"), (shard, "5/4", "1/4 … 4/4"), (decimal, "x", "is not a number"),
        (part_of_one, "x", "write it as 1% or 0.01"), (decimal, "1.500", "may mean 1.5 or 1500"),
        (decimal, "2,5,5", "is not a number"), (duration, "1,5,5h", "is not a time"),
    ],
)  # fmt: skip
def test_other_readings_that_are_refused(read, text, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        read(text)


def test_hands_of_seats():
    assert chosen_hands(("0:3S 3C", "2:tu_quy_2")) == {0: "3S 3C", 2: "tu_quy_2"}
    assert chosen_hands(()) is None
    for wrong, said in (("0", "a seat, a colon"), ("x:3S", "a seat, a colon"), ("0:", "names no cards")):
        with pytest.raises(UsageError, match=said):
            chosen_hands((wrong,))
    with pytest.raises(UsageError, match="seat 0 is there twice"):
        chosen_hands(("0:3S", "0:4S"))
