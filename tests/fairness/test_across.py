"""Findings held against other play: which stay, which turn, and what too few games leave open."""

import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness import verdicts
from tlsim.fairness.verdicts import games_of, turns
from tlsim.questions.fair import Fair
from tlsim.questions.how import How
from tlsim.questions.kept import list_runs

QUIET = How(threads=1, progress=lambda *_: None)


@pytest.fixture(scope="module")
def fairness():
    return tlsim.payout_fairness("luckywin", games=480, policies="lowest", across="lowest,random,smart", players=3)


def test_every_topic_is_asked_of_every_policy(fairness):
    rows = fairness.rows("across")
    assert [(row["topic"], row["policies"]) for row in rows] == [
        (topic, name) for topic in ("leads", "spread", "bombs") for name in ("lowest", "random", "smart")
    ]
    own = {row["kind"]: row for row in fairness.rows("game_verdicts", "en")}
    leads = [row for row in fairness.rows("across", "en") if row["topic"] == "leads"]
    assert leads[0]["sentence"] == own["leads"]["sentence"]
    assert leads[0]["figure"] == own["leads"]["figure"]
    assert len({row["figure"] for row in leads}) == 3


def test_others_are_played_as_if_asked_alone(fairness):
    alone = tlsim.payout_fairness("luckywin", games=480, policies="smart", players=3)
    sentence = next(row["sentence"] for row in alone.rows("game_verdicts", "en") if row["kind"] == "leads")
    found = [row for row in fairness.rows("across", "en") if (row["topic"], row["policies"]) == ("leads", "smart")]
    assert found[0]["sentence"] == sentence


@pytest.mark.parametrize(("states", "turned", "said"), [
    ({"a": "finding", "b": "none"}, True, "▲ leading: turns with who plays. A finding among a, none among b"),
    ({"a": "finding", "b": "finding"}, False, "– leading: a finding among a, b alike"),
    ({"a": "none", "b": "none"}, False, "– leading: no finding among a, b"),
    ({"a": "open", "b": "open"}, False, "– leading: too few games to tell"),
    ({"a": "finding", "b": "open"}, False, "– leading: a finding among a; too few games to tell among b"),
    ({"a": "open", "b": "none"}, False, "– leading: no finding among b; too few games to tell among a"),
    ({"a": "finding", "b": "open", "c": "none"}, True,
     "▲ leading: turns with who plays. A finding among a, none among c"),
])  # fmt: skip
def test_what_is_said(states, turned, said, monkeypatch):
    monkeypatch.setattr(verdicts, "_topics", lambda _played: [("leads", states, [])])
    assert turns(states) is turned
    assert verdicts.across_said((), "en") == [said]


@pytest.mark.parametrize(("value", "error", "finding", "more"), [
    (1.0, 0.1, True, False), (0.6, 0.1, True, False), (0.6, 0.2, False, True), (0.2, 0.1, False, True),
    (0.05, 0.1, False, False), (-0.7, 0.1, True, False), (-0.4, 0.1, False, True),
])  # fmt: skip
def test_what_more_games_may_make_a_finding_is_open(value, error, finding, more):
    """Beyond 0.5 and four standard errors from 0 is a finding; what may still lie beyond 0.5 is open."""
    from tlsim.fairness.verdicts import _beyond

    (verdict,) = _beyond("leads", value, error, 0.5)
    assert (verdict.finding, verdict.open) == (finding, more)


def test_an_expert_plays_a_tenth():
    assert [games_of(name, 24_000) for name in ("smart", "expert", "rollout[n=20]", "lowest")] == [
        24_000, 2_400, 24, 24_000,
    ]  # fmt: skip


def test_nothing_is_played_where_nobody_asks():
    assert Fair("luckywin", games=48).others == []
    assert Fair("luckywin", games=48, policies="lowest", across="lowest, smart,smart").others == ["smart"]
    assert "across" not in tlsim.payout_fairness("luckywin", games=0, across="smart").views
    with pytest.raises(UsageError, match="must be one of"):
        Fair("luckywin", games=48, across="lowest,nobody")


def test_its_runs_are_kept_apart(tmp_path):
    store, asked = tmp_path / "runs.db", Fair("luckywin", games=48, players=2, policies="lowest", across="smart")
    first = asked.judged(How(threads=1, progress=lambda *_: None, store=store))
    assert first.rows("across")
    assert first.page("fair").complete
    labels = {row["label"] for row in list_runs(store)}
    assert {"fair luckywin, leading", "fair luckywin, leading, smart"} <= labels
    again = asked.judged(How(threads=1, progress=lambda *_: None, store=store))
    assert again.rows("across") == first.rows("across")
