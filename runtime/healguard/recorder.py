"""Runs a program under watch, and writes a snapshot when it dies of an exception."""

from __future__ import annotations

import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from healguard import rawread
from healguard.bounds import Bounds
from healguard.capture import Run, capture
from healguard.output import write_atomically
from healguard.program import Module, Script, Unusable, execute, program_traceback

# How a program may end on purpose.
_NO_CRASHES = (SystemExit, KeyboardInterrupt)


class Recorder:
    """Writes the snapshot of one program.

    The crash of a thread is written when it happens, since the program lives on; a crash of the main
    thread after it is what the program died of and takes its place.
    """

    def __init__(self, output: str, bounds: Bounds, redacted: bool) -> None:
        self._output = output
        self._bounds = bounds
        self._redacted = redacted
        self._directory = os.getcwd()
        self._process = os.getpid()
        self._thread_hook = threading.excepthook
        self._lock = threading.Lock()
        self._crashed = False

    def run(self, program: Script | Module) -> None:
        """Run a program to its end. An exception that ends it comes out, and shows no frame of ours."""
        threading.excepthook = self._on_thread_crash(program)
        try:
            execute(program.prepare())
        except Unusable:
            raise
        except BaseException as error:
            sys.excepthook = _hook_without_us(sys.excepthook)
            if rawread.descends(type(error), _NO_CRASHES[0]) or _is_interrupt(error):
                self._say_nothing_happened()
            else:
                self._record(error, program_traceback(error), program)
            raise
        self._say_nothing_happened()

    def _on_thread_crash(self, program: Script | Module) -> Callable[[Any], None]:
        """Return a hook for threads that records the first crash and then does what was done before."""

        def hook(args: Any) -> None:
            error = args.exc_value
            ended_on_purpose = any(args.exc_type is kind for kind in _NO_CRASHES)
            if error is not None and not ended_on_purpose and not self._crashed:
                self._record(error, args.exc_traceback, program)
            self._thread_hook(args)

        return hook

    def _record(
        self,
        error: BaseException,
        traceback: types.TracebackType | None,
        program: Script | Module,
    ) -> None:
        """Write the snapshot. Whatever goes wrong is said, and leaves the program's end as it was."""
        if os.getpid() != self._process:  # a child that the program forked
            return
        run = Run(program.command, self._directory, program.name)
        with self._lock:
            hook = threading.excepthook
            threading.excepthook = self._thread_hook  # the program's own view of its heap
            try:
                pieces = capture(error, traceback, run, self._bounds, self._redacted)
                write_atomically(self._output, pieces)
            except OSError as failure:
                say(f"cannot write {self._output}: {failure.strerror}")
            except MemoryError:
                say("not enough memory for a snapshot")
            except Exception as failure:
                say(f"no snapshot, because of a defect of healguard: {failure!r}")
            else:
                self._crashed = True
                say(f"the crash was written to {self._output}")
            finally:
                threading.excepthook = hook

    def _say_nothing_happened(self) -> None:
        if not self._crashed and os.getpid() == self._process:
            say("the program did not crash: no snapshot was written")


def say(message: str) -> None:
    """Write one line to standard error, if there is one."""
    stream = sys.__stderr__
    try:
        if stream is not None:
            stream.write(f"healguard: {message}\n")
            stream.flush()
    except (OSError, ValueError):
        return


def _is_interrupt(error: BaseException) -> bool:
    return rawread.descends(type(error), KeyboardInterrupt)


def _hook_without_us(hook: Callable[..., Any]) -> Callable[..., None]:
    """Return an exception hook that calls `hook` with the program's part of the traceback."""

    def without_us(
        kind: type[BaseException], error: BaseException, traceback: types.TracebackType | None
    ) -> None:
        own = program_traceback(error)
        rawread.set_exception_traceback(error, own)
        sys.last_traceback = own
        sys.excepthook = hook
        hook(kind, error, own)

    return without_us
