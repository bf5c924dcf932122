"""Keeps the program from running while its memory is read.

Garbage collection would call finalisers, a signal would call its handler, and a trace function would be
called for every line of ours. All that is held off in this thread. Audit hooks (`sys.addaudithook`)
cannot be. Nor can other threads: they go on as before, so what they change meanwhile may be seen before
or after the change, and a container that changed under a walk is cut.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_ENOUGH_DEPTH = 1_000


@contextmanager
def quiet() -> Iterator[None]:
    """Hold off everything that would run code of the program, and restore it afterwards."""
    collecting = gc.isenabled()
    depth = sys.getrecursionlimit()
    trace, profile = sys.gettrace(), sys.getprofile()
    gc.disable()
    sys.settrace(None)
    sys.setprofile(None)
    monitors = _stop_monitors()
    signals = _block_signals()
    sys.setrecursionlimit(max(depth, _ENOUGH_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(depth)
        if signals is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
        for tool, events in monitors.items():
            sys.monitoring.set_events(tool, events)
        sys.setprofile(profile)
        sys.settrace(trace)
        if collecting:
            gc.enable()


def _stop_monitors() -> dict[int, int]:
    """Switch off the events of `sys.monitoring` tools (CPython 3.12 on), and return what they were."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        return {}
    stopped = {}
    for tool in range(6):
        if monitoring.get_tool(tool) is not None:
            stopped[tool] = monitoring.get_events(tool)
            monitoring.set_events(tool, 0)
    return stopped


def _block_signals() -> set[signal.Signals] | None:
    """Block every signal in this thread, and return those blocked before; None where there is no way."""
    if not hasattr(signal, "pthread_sigmask"):
        return None
    return signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
