"""The house rules of the docs: each is checked, played, settled, and judged where it has a list."""

import re
import tomllib
from pathlib import Path

import pytest

import tlsim
from tlsim.records.game_files import settle_lines
from tlsim.records.model import RecordError
from tlsim.records.text import Notation

DOCS = Path(__file__).parents[2] / "docs"
FILES = sorted((DOCS / "house_rules").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_house_rule_is_played_and_settled(file):
    rules = tlsim.load_rules(file)
    for players in range(rules.deal.min_players, rules.deal.max_players + 1):
        records = tlsim.play(rules, games=24, players=players, policies="random", seed=2)
        assert all(sum(record["net"]) == sum(record.get("points", ())) for record in records)
        notation = Notation()
        text = "".join(notation.write(record, rules) for record in records)
        games = [game for _, game in settle_lines(text.splitlines(), file.name, rules)]
        assert not any(isinstance(game, RecordError) for game in games)
        assert [list(game.net) for game in games] == [record["net"] for record in records]
        assert tlsim.simulate(rules, games=120, players=players, policies="smart").games == 120


@pytest.mark.parametrize(
    "file", [file for file in FILES if tlsim.load_rules(file).toi_trang], ids=lambda file: file.stem
)
def test_a_house_rule_is_judged(file):
    rules = tlsim.load_rules(file)
    odds = tlsim.exact_odds(rules, players=2).to_frame()
    assert len(odds) == len(rules.instant_wins(players=2))
    judged = tlsim.payout_fairness(rules, players=2, games=0)
    assert {row["pattern"] for row in judged.rows("prices")} >= {win.id for win in rules.instant_wins(players=2)}


def test_every_file_is_told_of():
    text = (DOCS / "house_rules.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+\.toml)` \|", text)) == {file.name for file in FILES}


def test_the_examples_of_the_page_are_rules():
    text = (DOCS / "house_rules.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == text.count("```toml") > 0
    for block in blocks:
        tomllib.loads(block)
