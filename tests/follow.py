"""The slow twin led through records, game after game of a match: what carries over is checked too."""

from __future__ import annotations

from collections import Counter

import naive_game

from tlsim.cards import hand_of


def mask(cards):
    return hand_of(" ".join(cards)) if cards else 0


def transfers_of(record):
    return sorted((entry["from"], entry["to"], entry["amount"], entry["reason"]) for entry in record["transfers"])


def calls_of(record):
    return {(call["seat"], call["call"], call.get("pattern")) for call in record["calls"]}


def answer(record, game, returns):
    """What a record answers to the question that the twin asks."""
    seat, what = game.asked
    called = {(call["seat"], call["call"]) for call in record["calls"]}
    if what in ("sam", "declare"):
        yes = (seat, "sam" if what == "sam" else "toi_trang") in called
        return naive_game.YES if yes else naive_game.NO
    if what == "return":
        gift = returns.pop(0)
        assert gift["from"] == seat
        return naive_game.Play(mask(gift["cards"]))
    at = len(game.plays)
    entry = record["plays"][at] if at < len(record["plays"]) else {"seat": -1, "cards": []}
    play = naive_game.Play(mask(entry["cards"]), entry.get("as"))
    if what == "free":
        mine = entry["seat"] == seat and play.cards and (entry.get("interrupt") or game.is_legal(play))
        return play if mine else naive_game.PASS
    assert entry["seat"] == seat
    return play


def follow(rules, record, streaks=None):
    """Play a record on the twin and compare all that both say; return the twin's game."""
    game = naive_game.Game(
        rules, [mask(hand) for hand in record["hands"]], record["leader"], record["opening"], record["direction"],
        record.get("barred"), streaks, record.get("titles"),
    )  # fmt: skip
    gifts = record.get("exchange") or []
    returns = gifts[len(gifts) // 2 :]
    while game.asked:
        game.choose(answer(record, game, returns))
    written = naive_game.record_of(game)
    for key in ("plays", "places", "net", "points", "exchange", "titles", "barred"):
        assert (written.get(key) or None) == (record.get(key) or None), (key, record["source"])
    assert transfers_of(written) == transfers_of(record)
    assert calls_of(written) == calls_of(record)
    return game


def follow_matches(rules, records):
    """Play whole matches on the twin; every game starts from what the twin says of the game before."""
    fired, before = Counter(), None
    for record in records:
        streaks = None
        if record["source"]["game"]:
            streaks = before.next_streaks
            assert record["opening"] == before.next_opening
            assert record["opening"] or record["leader"] == before.next_leader
            assert record.get("barred") == before.next_barred
            assert record["direction"] == before.next_direction
            assert record.get("titles") == (None if before.next_titles is None else list(before.next_titles))
        before = follow(rules, record, streaks)
        fired += before.fired
        fired[f"ended {before.ended}"] += 1
    return fired
