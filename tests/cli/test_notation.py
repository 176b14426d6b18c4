"""The commands that read and write the notation."""

import json
import re
from pathlib import Path

import pytest

import tlsim
from tlsim import terms

DOCS = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
TEXT = re.search(r"^```text\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)[1]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "evening.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_fault_that_the_docs_show(run, file):
    shown = re.findall(r"^```text\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)[1]
    file.write_text(TEXT.replace("; Dũng !4S", "; Dũng 4S"), encoding="utf-8")
    assert run("settle", str(file))[2].startswith(shown)


def test_one_form_turns_into_the_other(run, file):
    status, lines, err = run("settle", str(file), "--format", "jsonl")
    assert (status, err) == (0, "")
    assert [json.loads(line)["net"] for line in lines.splitlines()] == [
        [-0.5, -1, -0.5, 2], [-1, -1, 3, -1], [8.5, -2.5, -3, -3],
    ]  # fmt: skip
    file.with_suffix(".jsonl").write_text(lines, encoding="utf-8")
    status, text, err = run("settle", str(file.with_suffix(".jsonl")), "--format", "notation")
    assert (status, err) == (0, "")
    assert "players An Bình Chi Dũng" in text
    file.write_text(text, encoding="utf-8")
    assert run("settle", str(file), "--format", "jsonl") == (0, lines, "")
    assert run("settle", str(file), "--format", "notation") == (0, text, "")


@pytest.mark.parametrize(("lang", "half"), [("vi", "0,5"), ("en", "0.5")])
def test_people_read_names_and_decimals_in_their_way(run, file, lang, half):
    """In the text of a game and in the tables of the referee; files have seats and points."""
    text = run("replay", str(file), "--lang", lang)[1]
    assert re.search(r"^  > An: 3♠ 3♣$", text, re.MULTILINE)
    assert f"Chi → An: {half} cược" in text
    assert f"An -{half}  Bình -1  Chi -{half}  Dũng +2" in text
    assert f"{terms.term('places_word', lang)}: Dũng An Chi Bình\n" in text
    later = run("replay", str(file), "--line", "22", "--lang", lang)[1]
    assert f"  Chi: {'Sảnh rồng' if lang == 'vi' else 'Dragon straight'}\n" in later
    tables = run("settle", str(file), "--lang", lang)[1]
    assert re.search(rf"Dũng An Chi Bình +-{half} +-1 +-{half} +\+2$", tables, re.MULTILINE)
    assert re.search(rf"Chi +An +{half} ", tables)
    assert re.search(r"^An +3 ", tables, re.MULTILINE)
    for said in (text, later, tables):
        assert not re.search(rf"\b{terms.term('seat_word', lang)}\b", said)
    rows = json.loads(run("settle", str(file), "--lang", lang, "--format", "json")[1])["tables"]
    assert rows["games"][0]["places"] == "3 0 2 1"
    assert [row["seat"] for row in rows["scores"]] == [0, 1, 2, 3]
    assert {"game": 0, "from": 2, "to": 0, "amount": 0.5, "reason": "place"} in rows["transfers"]


def test_who_sat_on_one_seat_after_another_is_named(run, file):
    last = TEXT.partition("\nan 3s")[2].replace("chi ", "lan ")
    file.write_text(f"{TEXT}\nplayers An Bình Lan Dũng\ngame opening\nan 3s{last}", encoding="utf-8")
    out = run("settle", str(file), "--lang", "en")[1]
    assert re.search(r"^Chi +3 ", out, re.MULTILINE)
    assert re.search(r"^Lan +1 ", out, re.MULTILINE)
    assert re.search(r"^ +3 +\d+ +An Bình Lan Dũng ", out, re.MULTILINE)
    scores = json.loads(run("settle", str(file), "--format", "json")[1])["tables"]["scores"]
    assert [(row["seat"], row["player"], row["games"]) for row in scores] == [
        (0, "An", 4), (1, "Bình", 4), (2, "Chi", 3), (3, "Dũng", 4), (2, "Lan", 1),
    ]  # fmt: skip


LAST = TEXT.partition("\nan 3s")[2]


def test_scores_and_payments_are_of_people_whatever_their_seats(run, file):
    """A second line of players, in other seats and letters: who sat where is no matter for who owes whom."""
    moved = LAST.replace("chi ", "an ").replace("binh ", "chi ").replace("an 2s", "BINH 2s")
    file.write_text(f"{TEXT}\nplayers binh CHI an dũng\ngame opening\nbinh 3s{moved}", encoding="utf-8")
    tables = json.loads(run("settle", str(file), "--sheet", "--format", "json")[1])["tables"]
    before = {"An": 7, "Bình": -4.5, "Chi": -0.5, "Dũng": -2}
    net = dict(
        zip(("Bình", "Chi", "An", "Dũng"), (tables["games"][3][f"net {seat}"] for seat in range(4)), strict=True)
    )
    assert net["Bình"] > 0
    total = {name: before[name] + net[name] for name in before}
    assert {row["player"]: row["net"] for row in tables["scores"]} == total
    assert {row["player"]: row["seat"] for row in tables["scores"]} == {
        "An": None,
        "Bình": None,
        "Chi": None,
        "Dũng": 3,
    }
    owed = dict.fromkeys(total, 0)
    for row in tables["payments"]:
        owed[row["from"]] -= row["amount"]
        owed[row["to"]] += row["amount"]
    assert owed == total
    assert " / " not in run("settle", str(file), "--sheet", "--lang", "en")[1]


def test_one_name_of_a_unit_that_means_two_things_is_not_added(run, file):
    """A cược of luckywin is a whole game, one of doithuong a card (RULES.md 5.4); so with points and titles."""
    other = f"rules doithuong\nplayers Chi Bình An Dũng\ngame leader Chi\nchi 3s{LAST.replace('chi ', 'x ')}"
    other = other.replace("an 2s", "chi 2s").replace("x 3D", "an 3D")
    file.write_text(f"{TEXT}\n{other}", encoding="utf-8")
    out = run("settle", str(file), "--sheet", "--format", "json")[1]
    tables = json.loads(out)["tables"]
    assert {row["unit"] for row in tables["scores"]} == {"cược (ăn bét)", "cược (đếm lá)"}
    assert {row["player"]: row["net"] for row in tables["scores"] if "ăn bét" in row["unit"]} == {
        "An": 7, "Bình": -4.5, "Chi": -0.5, "Dũng": -2,
    }  # fmt: skip
    for unit in ("cược (ăn bét)", "cược (đếm lá)"):
        paid = sum(row["amount"] for row in tables["payments"] if row["unit"] == unit)
        assert paid == sum(max(0, row["net"]) for row in tables["scores"] if row["unit"] == unit) > 0
    assert tables["running"][3]["Bình"] != tables["running"][2]["Bình"] == -4.5
    assert "one name of a unit means two things here" in run("settle", str(file), "--lang", "en")[1]
    status, out, err = run("settle", str(file), "--stake", "5000", "--lang", "en")
    assert (status, out) == (2, "")
    assert "these games are in cược (ăn bét), cược (đếm lá)" in err


def test_a_line_that_is_there_twice_is_one_fault(run, file):
    line = "an 3s 4s 5s 6s 7s 8s 9s 10s js qs ks as; an 2s\n"
    file.write_text(TEXT.replace(line, line * 2), encoding="utf-8")
    faults = [said for said in run("settle", str(file), "--lang", "en")[2].splitlines() if "is there already" in said]
    assert len(faults) == 2  # one for each play of the line
    assert "3♠ is there already, with An on line 30; so are 4♠ 5♠ 6♠" in faults[0]


def test_the_sheet(run, file):
    status, out, err = run("settle", str(file), "--sheet", "--stake", "5000", "--format", "json")
    assert (status, err) == (0, "")
    tables = json.loads(out)["tables"]
    last = {"game": 2, "line": 29, "unit": "cược", "An": 7, "Bình": -4.5, "Chi": -0.5, "Dũng": -2}
    assert {key: value for key, value in tables["running"][-1].items() if "×" not in key} == last
    assert tables["running"][-1]["Bình × 5,000"] == -22500
    assert {"from": "Bình", "to": "An", "amount": 4.5, "unit": "cược", "amount × 5,000": 22500} in tables["payments"]
    assert len(tables["payments"]) == 3
    assert re.search(r"Bình +An +4.5 ", run("settle", str(file), "--sheet", "--lang", "en")[1])
    assert run("settle", str(file), "--sheet", "--format", "notation")[0] == 2
    file.write_text(TEXT.replace("luckywin", "luckywin_points").replace("result", "# result"), encoding="utf-8")
    assert "scores (điểm) do not sum to zero" in run("settle", str(file), "--sheet", "--lang", "en")[1]


def test_what_is_played_is_written_and_settled(run, tmp_path):
    status, text, _ = run("play", "--rules", "hue", "--players", "3", "--games", "12", "--format", "notation")
    assert status == 0
    path = tmp_path / "games.txt"
    path.write_text(text, encoding="utf-8")
    status, out, err = run("settle", str(path), "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [record["net"] for record in records] == [record["net"] for record in tlsim.play("hue", 12, 3)]
    status, text, _ = run(
        "play", "--set", "cong.fine=20", "--set", "toi_trang.declare=automatic", "--format", "notation"
    )
    path.write_text(text, encoding="utf-8")
    assert "set cong.fine 20" in text
    assert run("settle", str(path))[0] == 0


def test_a_game_of_a_file_is_shown(run, file):
    status, out, _ = run("replay", str(file), "--line", "30", "--format", "jsonl")
    assert (status, json.loads(out)["net"]) == (0, [8.5, -2.5, -3, -3])
    assert json.loads(run("replay", str(file), "--format", "jsonl")[1])["net"] == [-0.5, -1, -0.5, 2]
    assert "luckywin, game 0/1" in run("replay", str(file), "--line", "22", "--lang", "en")[1]
    for words, fault in (
        (["--line", "1"], "there is no game on line 1"),
        (["--match", "1"], "a game of a FILE is chosen by --line"),
        (["--rules", "hue"], "these are not the rules 'hue' that were asked for"),
    ):
        status, out, err = run("replay", str(file), *words)
        assert (status > 0, out) == (True, "")
        assert fault in err
    assert run("replay", "--game", "1")[0] == 2
    assert run("replay", "no-such-file")[0] == 2


def test_a_game_of_standard_input_is_shown(run, file, monkeypatch):
    """The last game, too, for which the number of lines is asked: they are there but once."""
    for line, status in ((len(TEXT.splitlines()), 0), (len(TEXT.splitlines()) + 1, 2)):
        with file.open(encoding="utf-8") as typed:
            monkeypatch.setattr("sys.stdin", typed)
            assert run("replay", "-", "--line", str(line))[0] == status


def test_deals_of_a_notation(run, file):
    status, out, err = run("play", "--rules", "zing", "--deal", str(file), "--policies", "lowest")
    assert (status, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["rules"] for record in records] == ["zing"] * 3
    assert records[2]["hands"][0] == ["3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "2S"]
    file.write_text(TEXT.replace("Chi 7D", "Chi 7X"), encoding="utf-8")
    status, out, err = run("play", "--rules", "zing", "--deal", str(file))
    assert (status, out) == (1, "")
    assert "evening.txt:6: cannot read '7X' as a card" in err


def test_the_bad_card_is_pointed_at(run, tmp_path):
    file = tmp_path / "evening.txt"
    head = "rules zing\nplayers An Bình\ngame leader An\n"
    for play, bad in (
        ("An 3 bích 4 rô 5 xo", "5 xo"),
        ("An heo cơ át xanh", "át xanh"),
        ("An 3S 4\u200bS", "4\u200bS"),
    ):
        file.write_text(f"{head}{play}\n", encoding="utf-8")
        status, _, err = run("settle", file)
        said, shown, caret = err.splitlines()[:3]
        assert status == 1
        assert f"cannot read {bad!r} as a card" in said
        assert " in '" not in said
        assert caret.index("^") == shown.index(bad.replace("\u200b", "\N{REPLACEMENT CHARACTER}"))
