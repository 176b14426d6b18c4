"""``tlsim warm``: compile all that may be needed, once for this machine."""

import time

from tlsim import warm as parts
from tlsim.catalogue import say
from tlsim.cli.flags import Given, command
from tlsim.columns import Table, declared
from tlsim.options import Option
from tlsim.show.numbers import local

PARTS = declared("warm.parts")
_CHILD = Option("child", "", False, None, hidden=True)


@command("warm", None, _CHILD, shows=("lang", "format", "out"))
def warm(given: Given) -> None:
    """Answer ``tlsim warm``."""
    if given["child"]:
        parts.serve()
        return
    begin = time.perf_counter()
    parts.ready(*parts.PARTS)
    rows = [{"part": name, "seconds": took} for name, took in parts.seconds().items()]
    took = local(f"{time.perf_counter() - begin:.1f}", given.lang)
    note = say("All parts are ready after {seconds} s.", given.lang, seconds=took)
    given.show_tables(Table(PARTS, rows), notes=[note])
