"""The notation that people type: games lose nothing in it; whatever a file says is settled, or its fault is named."""

import json
import re
from pathlib import Path

import pytest
from follow import follow
from hypothesis import given, settings
from hypothesis import strategies as st

import tlsim
from tlsim.cards import format_cards, strip_marks
from tlsim.records.game_files import settle_lines
from tlsim.records.model import RecordError
from tlsim.records.referee import Settlement
from tlsim.records.sheet import Evening, fewest_payments
from tlsim.records.text import Notation
from tlsim.records.words import in_english, statements

DOCS = Path(__file__).parents[1] / "docs" / "records.md"
PRESETS = tlsim.list_rules()


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


EVENING = blocks("text")[0]


def settled(text, rules=None):
    return list(settle_lines(text.splitlines(), "evening.txt", rules))


def all_but_source(record):
    return {key: value for key, value in record.items() if key != "source"}


def written(records, rules):
    notation = Notation()
    return "".join(notation.write(record, rules) for record in records)


@pytest.mark.parametrize("preset", PRESETS)
def test_games_lose_nothing(preset):
    """At every number of seats, by other policies at each: by chance nearly all that can be written down happens."""
    rules = tlsim.load_rules(preset)
    turns = range(rules.deal.min_players, rules.deal.max_players + 1)
    for players, policies in zip(turns, ("random", "smart", "random", "lowest"), strict=False):
        records = tlsim.play(rules, games=24, players=players, policies=policies, seed=5, match_length=12)
        text = written(records, rules)
        games = settled(text)
        assert len(games) == len(records)
        for record, (where, game) in zip(records, games, strict=True):
            assert not isinstance(game, RecordError), (where, game)
            assert all_but_source(game.record) == all_but_source(record)
        assert written([game.record for _, game in games], rules) == text


VARIANTS = {
    "chops after a pass": ("zing", {"chop.after_pass": ["tu_quy", "bon_doi_thong"], "chop.free_4dt_mode": "none"}),
    "four pairs in turn": ("zing", {"chop.free_4dt_mode": "after_pass_in_turn"}),
    "a pass does not lock": ("luckywin", {"turn.pass_locks": False}),
    "chops let all back in": ("luckywin", {"turn.pass_reset_on_chop": True}),
    "stuck leaders": ("luckywin", {"finish.on_two": "forbid"}),
    "a lot for the leader": ("luckywin", {"lead.opening_fallback": "random"}),
    "barred winners": ("luckywin", {"toi_trang.bars_last_winner": True}),
    "threes left": ("hue", {"residual.quad3_residual": "remaining_threes"}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_games_of_other_rules_lose_nothing(name):
    preset, changes = VARIANTS[name]
    rules = tlsim.load_rules(preset).replace(changes)
    for players in (2, 3, 4):
        records = tlsim.play(rules, games=60, players=players, policies="random", seed=8, match_length=6)
        games = settled(written(records, rules))
        assert [all_but_source(game.record) for _, game in games] == [all_but_source(record) for record in records]


def test_a_free_chop_and_passes_before_it_keep_their_order():
    """Chi has been asked before Dũng chops, or not: both are legal, and the text says which it was."""
    names, hands = ("An", "Bình", "Chi", "Dũng"), ["2S 3S 3C", "2C 2D 8S", "2H 9C TC", "4S 4C 5S 5C 6S 6C 7S 7C"]
    rest = [card for card in format_cards((1 << 52) - 1).split() if card not in " ".join(hands).split()]
    rest = rest[::3] + rest[1::3] + rest[2::3]
    dealt = [hand.split() + [rest.pop() for _ in range(13 - len(hand.split()))] for hand in hands]
    for passes in (0, 1, 2):
        told = ["An 2S", *(f"{name} -" for name in names[1 : 1 + passes])]
        told += [f"Dũng {'' if passes == 2 else '!'}{hands[3]}"]
        text = ["rules luckywin", f"players {' '.join(names)}", "game leader An", *told]
        text += [f"hand {name} {' '.join(hand)}" for name, hand in zip(names, dealt, strict=True)]
        [(_, fault)] = settled("\n".join(text))
        # who has not been asked before the chop is asked after it
        assert "plays ends after 5 decisions, before the game is over; it is the turn of Dũng, to lead" in str(fault)


def test_an_evening_by_hand():
    """A chopped pair of black 2s (1), and places; a tới trắng (1 each); three cóng (2) with a 2 each (½ or 1)."""
    games = [game for _, game in settled(EVENING)]
    assert [game.net for game in games] == [(-0.5, -1, -0.5, 2), (-1, -1, 3, -1), (8.5, -2.5, -3, -3)]
    assert games[0].places == (3, 0, 2, 1)
    assert [game.record["opening"] for game in games] == [True, False, True]
    assert games[1].record["leader"] == 3
    assert games[0].record["source"]["names"] == ["An", "Bình", "Chi", "Dũng"]


def test_the_sheet_of_the_evening():
    evening = Evening()
    for where, game in settled(EVENING):
        evening.add(where, game)
    assert [[row[name] for name in ("An", "Bình", "Chi", "Dũng")] for row in evening.running] == [
        [-0.5, -1, -0.5, 2], [-1.5, -2, 2.5, 1], [7, -4.5, -0.5, -2],
    ]  # fmt: skip
    assert sorted((row["from"], row["to"], row["amount"]) for row in evening.payments()) == [
        ("Bình", "An", 4.5), ("Chi", "An", 0.5), ("Dũng", "An", 2),
    ]  # fmt: skip


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=6))
def test_payments_settle_all_and_none_fewer_would_do(scores):
    scores = [*scores, -sum(scores)]
    named = {f"P{at}": score for at, score in enumerate(scores)}
    payments = fewest_payments(named)
    for payer, receiver, amount in payments:
        assert amount > 0
        named[payer] += amount
        named[receiver] -= amount
    assert not any(named.values())
    people = [score for score in scores if score]
    assert len(payments) == len(people) - most_groups(tuple(people))


def most_groups(scores):
    """Try all ways to part people into groups that sum to zero: whom the first one goes with."""
    if not scores:
        return 0
    best = 0
    for some in range(1 << len(scores) - 1):
        group = [scores[0], *(score for at, score in enumerate(scores[1:]) if some >> at & 1)]
        rest = tuple(score for at, score in enumerate(scores[1:]) if not some >> at & 1)
        if sum(group) == 0:
            best = max(best, 1 + most_groups(rest))
    return best


def test_points_are_not_owed():
    evening = Evening()
    for where, game in settled(EVENING.replace("luckywin", "luckywin_points").replace("result", "# result")):
        evening.add(where, game)
    assert evening.payments() == []
    assert evening.unpayable == ["điểm"]


VIETNAMESE = {
    "rules ": "luật ", "players ": "người chơi ", "game opening": "ván khởi đầu", "\ngame": "\nván",
    "left ": "còn ", "result ": "kết quả ", "hand ": "bài ", " calls sanh_rong": " báo sảnh rồng",
}  # fmt: skip


@pytest.mark.parametrize("marks", [True, False])
def test_keywords_in_vietnamese(marks):
    """With marks and without; players whose names look like keywords are still players."""
    text, names = EVENING, {"An": "An", "Bình": "Vân", "Chi": "Con", "Dũng": "Đạt"}
    for english, own in VIETNAMESE.items():
        text = text.replace(english, own if marks else strip_marks(own))
    for old, new in names.items():
        text = re.sub(rf"\b({old}|{strip_marks(old).lower()})\b", new, text)
    games, plain = list(settled(text)), list(settled(EVENING))
    assert len(plain) == 3
    for (_, one), (_, other) in zip(games, plain, strict=True):
        assert isinstance(one, Settlement), str(one)
        assert one.record["source"]["names"] == [*names.values()]
        assert one.net == other.net


@pytest.mark.parametrize(
    ("words", "english"),
    [
        ("An báo sâm", "An calls sâm"), ("an bao sam", "an calls sam"),
        ("An nộp AH 2S cho Chi", "An gives AH 2S to Chi"),
        ("An 3S như tứ quý", "An 3S as quad"),
        ("ván đi đầu An đổi chiều cấm Chi", "game leader An reversed barred Chi"),
        ("Bình bỏ lượt", "Bình pass"), ("đặt cong.fine còn", "set cong.fine còn"), ("Dat 3S", "Dat 3S"),
        ("ĐẠT 3S", "ĐẠT 3S"), ("đặt a 3", "set a 3"), ("kết quả An +2", "result An +2"),
    ],
)  # fmt: skip
def test_a_statement_in_english(words, english):
    (said,) = statements(words, "x", 1)
    assert " ".join(word.text for word in in_english(said, ["An", "Bình", "Chi", "Đạt"])) == english


FAULTS = [
    ("Chi 7D 7H", "Chi 6D 6C", "6♦ is there already, with Chi on line 6", "!4S"),
    ("Chi 7D 7H", "Chi 7D 7X", "cannot read '7X' as a card", "7X"),
    ("Chi 7D 7H", "Chu 7D 7H", "'Chu' is no player; they are An, Bình, Chi, Dũng; did you mean 'Chi'?", "Chu"),
    ("Chi 9D 9H\nChi KD KH", "Chi 9D KH\nChi KD 9H", "Chi, 9♦ K♥: these cards make no combination (", "9D KH"),
    ("Bình JC; An QC", "An QC; Bình JC", "An, Q♣: this does not beat the set on the table (001#R28, C2)", "QC;"),
    ("An KS KC\n", "An TS TC\n", "10♠ is there already, with An on line 9", "10S 10C"),
    ("Bình 5D 5H; Chi", "An 5D 5H; Chi", "An has 15 cards in all; luckywin deals 13", "game opening"),
    ("Dũng 3D;", "Chi 3D;", "Chi has 14 cards in all", "game opening"),
    ("Bình 4D 4H; Chi 7D 7H", "Chi 7D 7H; Bình 4D 4H", "Bình, 4♦ 4♥: this seat has passed and is locked", "4D 4H; An"),
    ("Dũng !4S", "Dũng 4S", "Dũng, 4♠ 4♣ 5♠ 5♣ 6♦ 6♥ 7♠ 7♣: this is a free chop, which needs the mark !", "4S 4C"),
    ("result An -½", "result An -1", "An -1: by the rules it is -0.5", "-1 Bình"),
    ("result An -½", "result An -0.3", "'-0.3' is no amount in steps of ½", "-0.3"),
    ("left Bình 3H 6S", "left Bình 3H", "Bình has 12 cards in all; luckywin deals 13", "Bình 3H 6C"),
    ("game opening", "game", "no game goes before it here; or write 'game opening', or 'game leader An'", "game"),
    ("game opening", "game leader", "says nothing of a game, or lacks a name", "leader"),
    ("rules luckywin", "rules lucky", "'lucky' is no rule set of tlsim; did you mean 'luckywin'?", "lucky"),
    ("players An Bình", "players An An", "'An' is there twice", "An Chi"),
    ("players An Bình", "players An game", "'game' cannot be a name", "game Chi"),
    ("players An Bình", "players 3S Bình", "'3S' cannot be a name", "3S Bình"),
    ("Chi calls sanh_rong", "Chi calls sau_doi", "'sau_doi': Chi holds sanh_rong, the strongest", "sau_doi"),
    ("Chi calls sanh_rong", "Chi calls sanh_rong; Chi calls toi_trang", "a seat calls twice", "toi_trang"),
    ("Chi calls sanh_rong", "Chi calls sanh_rong; An calls sanh_rong", "An holds no tới trắng", "sanh_rong"),
    ("Chi calls sanh_rong", "Chi calls sanh_rong\nAn calls sam", "luckywin knows toi_trang alone", "sam"),
    ("game opening", "game opening reversed", "direction = -1: turns go the other way (001#R27", "game opening"),
    ("Chi 10H\n", "\n", "before the game is over; it is the turn of Chi, to lead: legal: single T", "JD"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words", "pointed"), FAULTS)
def test_a_fault_is_named_with_line_and_word(old, new, words, pointed):
    assert old in EVENING
    text = EVENING.replace(old, new, 1)
    faults = [str(game) for _, game in settled(text) if isinstance(game, RecordError)]
    assert faults
    first = faults[0].splitlines()
    found = re.match(r"evening\.txt:(\d+): ", first[0])
    assert words in faults[0]
    line = text.splitlines()[int(found[1]) - 1]
    assert first[1].strip() == line.strip()
    if pointed:
        assert first[1][first[2].index("^") :].startswith(pointed)


def test_a_game_after_one_with_faults_says_why_it_is_not_settled():
    games = settled(EVENING.replace("Chi 7D 7H", "Chi 7D 7X"))
    assert "it follows from the game on line 5, which has faults" in str(games[1][1])
    assert [isinstance(game, RecordError) for _, game in games] == [True, True, True]


@pytest.mark.parametrize(("old", "new"), [
    ("rules luckywin", "rules lucky"), ("players An Bình", "players An An"),
    ("rules luckywin", "rules luckywin\nset cong.fine x"),
])  # fmt: skip
def test_a_wrong_line_that_stands_for_all_games_is_one_fault(old, new):
    """What follows from it is not told again, game by game."""
    assert len(settled(EVENING)) == 3
    (only,) = settled(EVENING.replace(old, new, 1))
    assert isinstance(only[1], RecordError)


def test_rules_are_named_by_their_label_too():
    for name in ("LuckyWin", "tiến lên miền nam (LuckyWin)"):
        found = [game.net for _, game in settled(EVENING.replace("rules luckywin", f"luật {name}"))]
        assert found == [game.net for _, game in settled(EVENING)]


def test_names_are_read_with_and_without_marks():
    text = EVENING.replace("An", "Hùng").replace("an 3s", "HÙNG 3s").replace("; an 2s", "; hùng 2s")
    text = text.replace("Chi", "Hưng").replace("chi", "hưng")
    assert [game.net for _, game in settled(text)] == [game.net for _, game in settled(EVENING)]
    faults = [str(game) for _, game in settled(text.replace("HÙNG 3s", "hung 3s")) if isinstance(game, RecordError)]
    assert "'hung' may be Hùng or Hưng; write it with its marks" in faults[0]


def test_an_evening_that_begins_in_the_middle_says_what_it_takes_as_written():
    middle = EVENING[: EVENING.index("game opening")] + EVENING[EVENING.index("game\nChi") :].replace(
        "game\nChi", "game leader Dũng\nChi"
    )
    text = "who leads, and what else depends on the game before, is taken as it is written: that game is not told"
    assert [game.notices for _, game in settled(middle)] == [(f"evening.txt:5: {text}",), ()]
    again = settled(EVENING.replace("game\nChi calls", "game leader Bình\nChi calls"))
    assert again[1][1].notices == ("evening.txt:22: begins anew; after the game before it would be led by Dũng",)
    assert settled(EVENING.replace("game\nChi calls", "game leader Dũng\nChi calls"))[1][1].notices == ()


def test_set_changes_a_clause_until_rules_are_given_again():
    changed = settled(EVENING.replace("players An", "set cong.fine 5\nplayers An"))
    assert changed[2][1].net == (17.5, -5.5, -6, -6)
    rules = changed[2][1].rules
    assert settled(written([game.record for _, game in changed], rules))[2][1].net == (17.5, -5.5, -6, -6)
    fault = settled(EVENING.replace("players An", "set cong.fin 5\nplayers An"))
    assert "did you mean" in str(fault[0][1])
    assert all(isinstance(game, RecordError) for _, game in fault)  # of rules that are not known nothing is settled


def test_both_forms_of_json_are_read():
    records = [game.record for _, game in settled(EVENING)]
    nets = [game.net for _, game in settled(EVENING)]
    for text in (
        json.dumps(records, indent=2, ensure_ascii=False),
        json.dumps(records),
        "[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n",
        "\n".join(json.dumps(record, indent=1) for record in records),
        "\n".join(map(json.dumps, records)),
    ):
        assert [game.net for _, game in settled(text)] == nets
        assert [game.record for _, game in settle_lines([line.encode() for line in text.splitlines()], "f")] == records
    assert "the array is not closed" in str(settled(json.dumps(records)[:-1])[-1][1])
    cut = settled(json.dumps(records, indent=1)[:-400])
    assert [isinstance(game, RecordError) for _, game in cut] == [False, False, True]
    assert "no JSON" in str(cut[-1][1])


def test_a_lone_game_in_python():
    text = EVENING[: EVENING.index("game\nChi")]
    assert tlsim.settle(text).net == (-0.5, -1, -0.5, 2)
    with pytest.raises(RecordError, match="holds 3 games; it must be one"):
        tlsim.settle(EVENING)
    with pytest.raises(RecordError, match="record:9: 5♦ is there already"):
        tlsim.settle(text.replace("Bình 4D", "Bình 5D"))


GAMES = {
    preset: written(tlsim.play(preset, games=2, policies="random", seed=6, match_length=2), tlsim.load_rules(preset))
    for preset in PRESETS
} | {"evening": EVENING}  # fmt: skip


def struck(data, text):
    """Do something to a file: to a letter, a word, a line, or two of them."""
    unit = data.draw(st.sampled_from(["letter", "word", "line"]))
    parts = {
        "letter": list,
        "word": lambda all_: re.split(r"(\s+)", all_),
        "line": lambda all_: re.split(r"(\n)", all_),
    }[unit](text)
    if not text:
        return text
    at, other = (data.draw(st.integers(0, len(parts) - 1)) for _ in range(2))
    match data.draw(st.sampled_from(["cut", "double", "swap", "change", "end"])):
        case "cut":
            del parts[at]
        case "double":
            parts.insert(other, parts[at])
        case "swap":
            parts[at], parts[other] = parts[other], parts[at]
        case "change":
            parts[at] = data.draw(
                st.sampled_from([parts[other], "-", "!", ";", "#", "game", "left", "3S", "P0", "as quad"])
                | st.text(max_size=3)
            )
        case "end":
            del parts[at:]
    return "".join(parts)


@settings(max_examples=400)
@given(data=st.data())
def test_whatever_is_done_to_a_file_it_is_settled_or_its_fault_is_named(data):
    text = data.draw(st.sampled_from(sorted(GAMES.values())))
    for _ in range(data.draw(st.integers(1, 3))):
        text = struck(data, text)
    for where, game in settled(text):
        if isinstance(game, RecordError):
            for fault in game.faults:
                place, *shown = fault.split("\n")
                found = re.match(r"evening\.txt:(\d+): \S", place)
                assert found
                assert int(found[1]) <= text.count("\n") + 1
                assert all(line.isprintable() for line in (place, *shown))
                if shown:
                    line, caret = shown
                    assert caret.strip() == "^"
                    assert len(caret) <= len(line) + 1
        else:
            assert re.fullmatch(r"evening\.txt:\d+", where)
            follow(game.rules, game.record)


@pytest.mark.parametrize("word", ["-", "—", "pass", "BỎ", "qua"])
def test_words_of_a_pass(word):
    told = EVENING.replace("Chi 7D 7H; An", f"Chi 7D 7H; Dũng {word}; An", 1)
    assert told != EVENING
    assert [game.record for _, game in settled(told)] == [game.record for _, game in settled(EVENING)]
