"""Public functions made of questions: their signature is the question's fields, then how it is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from inspect import Parameter, Signature
from typing import Any, TypeVar

from tlsim.questions.question import How, Question

R = TypeVar("R")
_PLAIN = ("executor", "threads", "progress")  # which may stand without their names, after the question's own


def asks(kind: type[Question[Any]], *before: str, runs: bool = True) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return what makes a public function of ``f(question, how)``, or of ``f(question)`` where nothing is run.

    Parameters
    ----------
    kind
        The question.
    before
        What the function takes before it, of its own.
    runs
        Whether it is run, so that the function also takes what `How` has.

    Examples
    --------
    >>> from tlsim import simulate
    >>> import inspect
    >>> list(inspect.signature(simulate).parameters)[:6]
    ['rules', 'games', 'players', 'policies', 'match_length', 'seed']
    """
    asked = [
        Parameter(f.name, Parameter.KEYWORD_ONLY if f.kw_only else Parameter.POSITIONAL_OR_KEYWORD, annotation=f.type,
                  default=f.default if f.metadata["option"].default is not ... else Parameter.empty)
        for f in fields(kind)  # type: ignore[arg-type]
        if "option" in f.metadata
    ]  # fmt: skip
    how = [
        Parameter(f.name, Parameter.POSITIONAL_OR_KEYWORD if f.name in _PLAIN else Parameter.KEYWORD_ONLY,
                  annotation=f.type, default=f.default)
        for f in fields(How)
        if runs
    ]  # fmt: skip
    own = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in before]
    signature = Signature(sorted([*own, *asked, *how], key=lambda p: p.kind))
    names = {f.name for f in fields(How)}

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def public(*args: Any, **kwargs: Any) -> R:
            given = signature.bind(*args, **kwargs).arguments
            first = [given.pop(name) for name in before]
            way = {key: given.pop(key) for key in [*given] if runs and key in names}
            return function(*first, kind(**given), *([How(**way)] if runs else []))

        public.__signature__ = signature  # type: ignore[attr-defined]
        return public

    return decorate
