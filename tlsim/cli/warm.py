"""``tlsim warm``: compile all that may be needed, once for this machine."""

from __future__ import annotations

import time

import click


@click.command()
@click.option("--child", is_flag=True, hidden=True)
def warm(*, child: bool) -> None:
    """Compile everything now, for containers, clusters and tests.

    Kernels are compiled on first use and kept in the cache folder (TLSIM_CACHE_DIR); this compiles all of them, as many
    at once as there are cores, and says how long each part took.
    """
    from tlsim import warm as parts

    if child:
        parts.serve()
        return
    begin = time.perf_counter()
    parts.ready(*parts.PARTS)
    for name, took in parts.seconds().items():
        click.echo(f"{name:<10}{took:7.2f} s")
    click.echo(f"all parts are ready after {time.perf_counter() - begin:.1f} s", err=True)
