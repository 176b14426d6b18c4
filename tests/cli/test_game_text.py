"""Games to be read: who leads, titles, exchange, calls of Sâm, the order turned over, in both languages."""

import naive_game
import pytest
from naive_game import PASS

import tlsim
from tlsim.cards import hand_of
from tlsim.records.text import as_text

PRESETS = [
    "doithuong",
    "luckywin",
    "luckywin_cong_table",
    "zing",
    "hue",
    "da_nang",
    "mien_bac",
    "sam_loc",
    "tong_thong",
]


def mask(names):
    return hand_of(" ".join(names)) if names else 0


def leads_of(record, rules):
    """Numbers of the plays that lead a trick, as the slow twin goes through a record."""
    plain = rules.replace("toi_trang", False)
    hands = [mask(hand) for hand in record["hands"]]
    game = naive_game.Game(
        plain, hands, record["leader"], record["opening"], record["direction"], titles=record.get("titles")
    )
    caller = next((call["seat"] for call in record["calls"]), None)
    gifts = record.get("exchange") or []
    returns = gifts[len(gifts) // 2 :]
    at, found = 0, []
    while game.asked:
        seat, what = game.asked
        if what == "sam":
            game.choose(naive_game.YES if seat == caller else naive_game.NO)
            continue
        if what == "return":
            game.choose(naive_game.Play(mask(returns.pop(0)["cards"])))
            continue
        at += sum(play.get("stuck", False) for play in record["plays"][at : at + 1])
        entry = record["plays"][at] if at < len(record["plays"]) else None
        if what == "free" and not (entry and entry["seat"] == seat and entry.get("interrupt")):
            game.choose(PASS)
            continue
        found += [at] if what == "lead" else []
        cards = mask(entry["cards"])
        game.choose(naive_game.Play(cards, entry.get("as")) if cards else PASS)
        at += 1
    return found


@pytest.mark.parametrize("policies", ["smart", "random"])
@pytest.mark.parametrize("name", PRESETS)
def test_leads_are_marked(name, policies):
    rules = tlsim.load_rules(name)
    for record in tlsim.play(rules, games=24, seed=21, policies=policies):
        if any(call["call"] == "toi_trang" for call in record["calls"]):
            continue
        start = 1 + record["players"] + len(record.get("exchange") or []) + len(record["calls"])
        start += bool(record.get("titles")) + (record.get("barred") is not None)
        lines = as_text(record, rules, "en").splitlines()[start : start + len(record["plays"])]
        assert [at for at, line in enumerate(lines) if line.startswith("  > ")] == leads_of(record, rules)


CHOPS = """rules doithuong
players An Bình Chi Dũng
game leader An
An 2S; Dũng 5S 5C 5D 5H; Bình 6S 6C 6D 6H
Bình 7S
Bình 7C 7D
Bình 8S 8C 8D
Bình 9S 10S JS
left An 3S 3C 3D 3H 4S 4C 4D 4H 7H 8H 9C 9D; Dũng 9H 10C 10D 10H JC JD JH QS QC
"""


def test_passes_forgotten_after_a_chop():
    """A house rule: a chop clears all passes, so what Bình lays on it is no lead; his next set is one."""
    forgotten = tlsim.load_rules("doithuong").replace("turn.pass_reset_on_chop", True)
    record = tlsim.settle(CHOPS, forgotten).record
    lines = as_text(record, forgotten, "en").splitlines()
    assert [line.split(": ")[1] for line in lines if line.startswith("  > ")][:3] == ["2♠", "7♠", "7♣ 7♦"]


def test_titles_and_exchange():
    rules = tlsim.load_rules("tong_thong")
    record = tlsim.play(rules, games=4, players=5, policies="smart", seed=11)[1]
    first, last = record["titles"][0], record["titles"][-1]
    for lang, title, gives, returns in (
        ("vi", "Tổng thống", "nhà {} nộp cho nhà {}", "nhà {} trả lại nhà {}"),
        ("en", "President", "seat {} gives up to seat {}", "seat {} returns to seat {}"),
    ):
        text = as_text(record, rules, lang)
        seat = tlsim.terms.term("seat_word", lang)
        assert f": {seat} {first} {title}, " in text
        assert f"{seat} {last} {tlsim.terms.term('dan_ngheo', lang)}\n" in text
        for gift, words in zip(record["exchange"], [gives, gives, returns, returns], strict=True):
            line = next(line for line in text.splitlines() if words.format(gift["from"], gift["to"]) in line)
            assert mask([line.partition(": ")[2]]) == mask(gift["cards"])
    opening = as_text(tlsim.play(rules, games=4, seed=11)[0], rules, "en")
    assert "titles" not in opening
    assert "gives up" not in opening


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_the_order_turns_over_and_back(lang):
    rules = tlsim.load_rules("tong_thong")
    words = {"vi": ("đảo chiều: lá nhỏ", "đảo chiều trở lại"), "en": ("order turned over", "order turned back")}[lang]
    quads, seen = 0, [0, 0]
    for record in tlsim.play(rules, games=400, policies="smart", seed=11):
        lines = [line for line in as_text(record, rules, lang).splitlines() if any(word in line for word in words)]
        played = [play for play in record["plays"] if len(play["cards"]) == 4]
        assert [mask([line.partition(": ")[2].partition("  [")[0]]) for line in lines] == [
            mask(play["cards"]) for play in played
        ]
        assert [words[at % 2] in line for at, line in enumerate(lines)] == [True] * len(lines)
        quads += len(played)
        seen = [n + sum(word in line for line in lines) for n, word in zip(seen, words, strict=True)]
    assert quads == sum(seen)
    assert all(seen)
    off = rules.replace("president.revolution", False)
    records = tlsim.play(off, games=100, policies="random", seed=11)
    assert not any(word in as_text(record, off, lang) for record in records for word in words)


@pytest.mark.parametrize(
    ("lang", "call", "paid", "barred"),
    [
        ("vi", "nhà {}: báo Sâm", ("(Sâm)", "(Sâm bị chặn)"), "nhà {} không được tới trắng"),
        ("en", "seat {}: calls Sâm", ("(Sâm)", "(Sâm blocked)"), "seat {} may not have an instant win"),
    ],
)
def test_calls_of_sam(lang, call, paid, barred):
    rules, seen = tlsim.load_rules("sam_loc"), set()
    for record in tlsim.play(rules, games=1200, policies="smart[sam=1],smart,smart,smart", seed=11):
        text = as_text(record, rules, lang)
        callers = [entry["seat"] for entry in record["calls"] if entry["call"] == "sam"]
        assert [f"  {call.format(seat)}" in text.splitlines() for seat in range(4)] == [
            seat in callers for seat in range(4)
        ]
        reasons = {transfer["reason"] for transfer in record["transfers"]}
        assert [word in text for word in paid] == ["sam" in reasons, "sam_blocked" in reasons]
        assert (barred.format(record["barred"]) in text) == (record["barred"] is not None)
        seen |= reasons | ({"barred"} if record["barred"] is not None else set())
    assert seen >= {"sam", "sam_blocked", "barred", "toi_trang"}


def test_stuck_seats_and_reasons_are_in_words():
    rules = tlsim.load_rules("sam_loc")
    records = tlsim.play(rules, games=2400, policies="random", seed=1)
    stuck = next(record for record in records if any(play.get("stuck") for play in record["plays"]))
    assert ": treo\n" in as_text(stuck, rules, "vi")
    paid = next(record for record in records if any(entry["reason"] == "den_bao" for entry in record["transfers"]))
    assert "(đền báo)" in as_text(paid, rules, "vi")


@pytest.mark.parametrize("command", ["play", "replay"])
def test_on_the_command_line(run, command):
    more = ["--games", "4", "--format", "text"] if command == "play" else ["--match", "0", "--game", "1"]
    status, out, _ = run(command, "--rules", "tong_thong", "--seed", "3", "--lang", "vi", *more)
    rules = tlsim.load_rules("tong_thong")
    records = tlsim.play(rules, games=4, seed=3)
    assert status == 0
    assert out == "".join(as_text(record, rules, "vi") for record in (records if command == "play" else records[1:2]))
