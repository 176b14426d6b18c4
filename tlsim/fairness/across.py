"""Findings on whole games held against other play: which of them stay, and which turn with who plays."""

from collections.abc import Iterator, Mapping, Sequence

from tlsim.columns import Row
from tlsim.fairness.plays import Played
from tlsim.fairness.verdicts import ACROSS, Verdict
from tlsim.terms import term

STATES = ("finding", "open", "none")  # open: more games may make it a finding
LONG = {"expert": 10, "rollout": 1000}  # policies that think long, and by how many times fewer games they play


def games_of(policies: str, games: int) -> int:
    """Return how many games policies play that are only held against others."""
    return max(1, games // max((part for name, part in LONG.items() if name in policies), default=1))


def across_rows(played: Sequence[Played], lang: str) -> list[Row]:
    """Return for each topic, and each way to play, whether there is a finding, and whether that turns."""
    return [
        {"topic": topic, "policies": policies, "finding": state == "finding", "state": state, "turns": turns(states),
         "figure": verdict.figure, "threshold": verdict.threshold, "sentence": verdict.sentence(lang)}
        for topic, states, said in _topics(played)
        for (policies, state), verdict in zip(states.items(), said, strict=True)
    ]  # fmt: skip


def turns(states: Mapping[str, str]) -> bool:
    """Whether what is a finding among some is surely none among others."""
    return {"finding", "none"} <= set(states.values())


def across_said(played: Sequence[Played], lang: str) -> list[str]:
    """Return in words which findings stay, and which turn."""
    lines = []
    for topic, states, _ in _topics(played):
        names = {state: ", ".join(name for name, own in states.items() if own == state) for state in STATES}
        found = set(states.values())
        key = "turns" if turns(states) else found.pop() if len(found) == 1 else "open_" + min(found - {"open"})
        mark = "▲ " if turns(states) else "– "
        lines.append(mark + term(f"across_{key}", lang).format(topic=term(f"across_{topic}", lang), **names))
    return lines


def _topics(played: Sequence[Played]) -> Iterator[tuple[str, dict[str, str], list[Verdict]]]:
    """Yield each topic, what it is by who plays, one of `STATES`, and the first verdict of each."""
    for topic, says in ACROSS.items():
        found = {each.policies: said for each in played if (said := tuple(says(each)))}
        if len(found) > 1:
            states = {name: _state(said) for name, said in found.items()}
            yield topic, states, [said[0] for said in found.values()]


def _state(said: Sequence[Verdict]) -> str:
    return "finding" if any(v.finding for v in said) else "open" if any(v.open for v in said) else "none"
