"""`Training`: what `tlsim.train` returns: how well a network plays, round by round."""

from dataclasses import dataclass
from typing import Any

from tlsim.columns import Row, declared
from tlsim.results.result import RunResult

CURVE = declared("train.curve")


@dataclass(frozen=True)
class Training(RunResult):
    """How a network was taught.

    View ``curve``, a row for each time its strength was measured: ``round`` of lessons; ``answers`` played out up to
    there; ``foreseen``, the share of what answers brought that the network foresaw; ``against`` whom one expert seat
    played, seats taken in turn over the same deals; its ``mean`` money above the mean of the table, per game, with its
    ``std_error``; ``games``; ``seconds`` of teaching.
    """

    curve: tuple[Row, ...]
    path: str
    weights_digest: str

    VIEWS = (CURVE,)

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        return self.provenance.as_dict() | {"path": self.path, "weights": self.weights_digest}

    def _curve(self) -> list[Row]:
        return [dict(row) for row in self.curve]
