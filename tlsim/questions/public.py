"""Public functions made of questions: signature and documentation follow from the options, and from `How`."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import Field, fields
from functools import wraps
from inspect import Parameter, Signature
from typing import Any, TypeVar

from tlsim.questions.how import How
from tlsim.questions.question import Question

R = TypeVar("R")
_INTERRUPTED = "An interrupt (Ctrl-C) gives what was computed, with ``complete`` False."
_UNTIL = " The quantity is ``{}`` where it names none."
_WRONG = "If an argument is out of its allowed values; the message says which these are."
_FAULTS = "If a rule file has faults."
_BROKEN = "If the executor broke, or the store cannot be used; its ``result`` is the partial result."


def asks(kind: type[Question[Any]], *before: str, runs: bool = True) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return what makes a public function of ``f(question, how)``, or of ``f(question)`` where nothing is run.

    What it takes of its own stands ``before``, and in its docstring. The rest of its documentation is made here: all
    parameters, what it returns and what it raises, unless the docstring says that itself; a heading of its examples.
    """
    asked = [each for each in fields(kind) if "option" in each.metadata]  # type: ignore[arg-type]
    way = [*fields(How)] if runs else []
    kinds = {True: Parameter.KEYWORD_ONLY, False: Parameter.POSITIONAL_OR_KEYWORD}
    taken = [Parameter(name, kinds[False]) for name in before]
    taken += [Parameter(f.name, kinds[f.kw_only is True], annotation=f.type, default=f.default) for f in [*asked, *way]]
    taken.sort(key=lambda each: each.kind)
    signature, names = Signature(taken), {each.name for each in way}
    about = {each.name: _about(each, kind) for each in [*asked, *way]}

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def public(*args: Any, **kwargs: Any) -> R:
            given = signature.bind(*args, **kwargs).arguments
            first = [given.pop(name) for name in before]
            how = {key: given.pop(key) for key in [*given] if key in names}
            return function(*first, kind(**given), *([How(**how)] if runs else []))

        public.__signature__ = signature  # type: ignore[attr-defined]
        if function.__doc__:  # python -OO leaves it out
            answer = (function.__annotations__["return"], _INTERRUPTED if runs else "")
            faults = [("UsageError", _WRONG), ("RulesError", _FAULTS if "rules" in about else "")]
            faults.append(("RunError", _BROKEN if runs else ""))
            listed = [(each.name, about[each.name]) for each in taken if each.name in about]
            public.__doc__ = _whole(function.__doc__, listed, [answer], filter(all, faults))
        return public

    return decorate


def _about(each: Field[Any], kind: type[Question[Any]]) -> str:
    """Return what is said of a parameter: of how a question is run, or of an option."""
    about = str(each.metadata.get("about", ""))
    if each.name == "until" and kind.usual:
        about += _UNTIL.format(kind.usual)
    return about or each.metadata["option"].documented


def _whole(text: str, *listed: Iterable[tuple[str, str]]) -> str:
    """Return a docstring with its sections: what it has of its own, then what is listed for each."""
    headed = re.sub(r"\n\n(?=>>> )", "\n\nExamples\n--------\n", inspect.cleandoc(text), count=1)
    said, *parts = re.split(r"\n\n(?=[A-Z]\w+\n-+\n)", headed)
    own = {part.partition("\n")[0]: part for part in parts}
    sections = [said]
    for title, entries in zip(("Parameters", "Returns", "Raises"), listed, strict=True):
        begun = own.pop(title, f"{title}\n{'-' * len(title)}")
        known = re.findall(r"^\w.*", begun, re.MULTILINE)
        wrap = textwrap.TextWrapper(110, break_long_words=False, break_on_hyphens=False).wrap
        new = ("\n    ".join([name, *wrap(about)]) for name, about in entries if name not in known)
        sections.append("\n".join([begun, *new]))
    return "\n\n".join([*sections, *own.values()]) + "\n"
