"""`Training`: what `tlsim.train` returns: how well a network plays, round by round."""

from dataclasses import dataclass
from typing import Any

from tlsim.columns import Row, declared
from tlsim.results.result import RunResult

CURVE = declared("train.curve")


@dataclass(frozen=True)
class Training(RunResult):
    """How a network was taught, and how well it plays."""

    curve: tuple[Row, ...]
    path: str
    weights_digest: str

    VIEWS = (CURVE,)

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        return self.provenance.as_dict() | {"path": self.path, "weights": self.weights_digest}

    def _curve(self) -> list[Row]:
        return [dict(row) for row in self.curve]
