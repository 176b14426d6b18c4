"""Telling how far a run is: the caller's function, or a bar in a terminal or a notebook."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from tlsim.catalogue import language
from tlsim.engine.run import Outcome
from tlsim.questions.question import Question
from tlsim.show.numbers import local, plus_minus, probability
from tlsim.terms import quantity_name, term

Progress: TypeAlias = Callable[[int, int, Any], None]
Tell: TypeAlias = Callable[[int, int, Any, float], None]
_SAY_EVERY = 1.0  # seconds between looks at the estimate, on the bar


def spoken_headline(question: Question[Any], result: Any, lang: str | None = None) -> str:
    """Return what a run shows of its result while it runs: one quantity with its error; nothing where there is none."""
    known = result.quantities() if question.headline else {}
    estimate, error = known.get(question.headline, (None, None))
    if estimate is None or estimate != estimate:  # noqa: PLR0124 (not a number)
        return ""
    spoken = language(lang)
    text = local(probability(estimate) + plus_minus(error), spoken)
    return f"{quantity_name(question.headline, spoken)} {text}"


@contextmanager
def told(progress: Progress | None, question: Question[Any]) -> Iterator[Tell]:
    """Give what reports progress: ``tell(done, total, tally, seconds)``."""
    if progress is not None:

        def call(done: int, total: int, tally: Any, seconds: float) -> None:
            progress(done, total, question.result(Outcome(tally, done == total, seconds)))

        yield call
        return
    unit = question.size if question.each == 1 else "matches"
    bar = _bar(total=question.wanted, desc=question.name, unit=f" {term(unit)}", unit_scale=True, delay=1, leave=False)
    said = 0.0

    def move(done: int, total: int, tally: Any, seconds: float) -> None:
        nonlocal said
        bar.total = total
        if seconds - said > _SAY_EVERY and not bar.disable:
            said = seconds
            headline = spoken_headline(question, question.result(Outcome(tally, False, seconds)))
            bar.set_postfix_str(headline, refresh=False)
        bar.update(done - bar.n)

    try:
        yield move
    finally:
        bar.close()


def _bar(**options: Any) -> Any:
    """Return a bar: of a notebook that can show one (unless ``TQDM_DISABLE=1``), else one of terminals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has no bar, which is no fault of its user
        from tqdm.auto import tqdm

    if not any(kind.__module__ == "tqdm.notebook" for kind in tqdm.__mro__):
        return tqdm(disable=None, **options)
    # The output of a notebook is no terminal, so the stream cannot say whether to show a bar.
    return tqdm(disable=bool(os.environ.get("TQDM_DISABLE")), **options)
