"""The frames of a crash: where each one stood, what it held, and how the exception came to it.

The traceback of an exception that nothing caught starts at the outermost frame, so it is the stack as
it was live. Its frames are unwound by the time they are read: a variable has the value that it had at
the raise, unless a `finally` block, an `except` clause that raised again, or the exit of a `with` block
changed it on the way out. Objects changed by such code show the change too. From CPython 3.12 on a list,
set or dict comprehension has no frame of its own, and its variables are gone by then.
"""

from __future__ import annotations

import gc
import types
from typing import Any

from healguard import rawread
from healguard.describe_code import closure
from healguard.heap import Heap
from healguard.record import Record
from healguard.schedule import Lane
from healguard.sources import Sources

CO_OPTIMIZED, CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x1, 0x20, 0x80, 0x200
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
_RESUMABLE = ("generator", "coroutine", "async_generator")


def stack_of(traceback: types.TracebackType | None) -> list[types.TracebackType]:
    """Return the live stack, innermost first.

    Where a frame caught the exception and raised it again, the traceback has the frame twice in a row:
    the inner entry is kept, at which the frame had called what raised first.
    """
    stack: list[types.TracebackType] = []
    for entry in rawread.walk_traceback(traceback):
        if stack and stack[-1].tb_frame is entry.tb_frame:
            stack[-1] = entry
        else:
            stack.append(entry)
    stack.reverse()
    return stack


def frame_kind(code: types.CodeType) -> str:
    """Return what kind of code a frame runs."""
    if code.co_name == "<lambda>":
        return "lambda"
    if code.co_name in _COMPREHENSIONS:
        return "comprehension"
    for flag, kind in (
        (CO_ASYNC_GENERATOR, "async_generator"),
        (CO_COROUTINE, "coroutine"),
        (CO_GENERATOR, "generator"),
    ):
        if code.co_flags & flag:
            return kind
    if code.co_flags & CO_OPTIMIZED:
        return "function"
    return "module" if code.co_name == "<module>" else "class"


def carried(entry: types.TracebackType, outer: types.TracebackType) -> str | None:
    """Tell whether the exception came to the outer frame by another way than unwinding.

    A future or task keeps an exception and raises it again in whoever asks for the result: then the
    outer frame did not call the inner one. `"certain"`, `"possible"` or, for a plain call, None.
    CPython 3.11 forgets who resumed a generator or coroutine, so there it may be only possible.
    """
    caller = entry.tb_frame.f_back
    kind = frame_kind(entry.tb_frame.f_code)
    if caller is None:
        if kind == "generator":
            return None
        return "possible" if kind in _RESUMABLE else "certain"
    while caller is not None and caller is not outer.tb_frame:
        if not caller.f_code.co_filename.startswith("<frozen importlib"):
            return "certain"
        caller = caller.f_back
    return None if caller is not None else "certain"


class FrameWriter:
    """Writes the frames of one crash."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self._sources = Sources()

    def write(
        self, entry: types.TracebackType, outer: types.TracebackType | None
    ) -> dict[str, Any]:
        """Return the record of a frame; `outer` is the next frame of the stack."""
        frame = entry.tb_frame
        code = frame.f_code
        place = self._heap.identities.code_place(code)
        fields: dict[str, Any] = {
            "file": place["file"],
            "module": self._heap.names.name_of(frame.f_globals),
            "function": place["qualname"],
            "first_line": place["first_line"],
            "kind": frame_kind(code),
            **self._position(entry, place["file"]),
        }
        how = None if outer is None else carried(entry, outer)
        if how is not None:
            fields["carried"] = how
        return fields

    def with_variables(self, entry: types.TracebackType, fields: dict[str, Any]) -> dict[str, Any]:
        """Return a frame's record with its locals and cells added."""
        record = Record(self._heap, dict(fields), Lane.LOCALS, secret=False)
        record.fields |= {"locals": {}, "cells": {}}
        with record:
            variables = frame_locals(entry.tb_frame)
            if variables is None:
                record.cut()
                variables = []
            code = entry.tb_frame.f_code
            # A class body has names of its own beside the variables that it sees of its function.
            in_cells = _cell_names(code) if code.co_flags & CO_OPTIMIZED else []
            record.mapping("locals").update(
                (name, value) for name, value in variables if name not in in_cells
            )
            self._cells(entry.tb_frame, dict(variables), record)
        return record.finish()

    def _cells(self, frame: types.FrameType, variables: dict[str, Any], record: Record) -> None:
        """Record cells by identity where CPython tells it, else what is in them."""
        names = _cell_names(frame.f_code)
        cells = frame_cells(frame, variables)
        if cells:
            closure(record, tuple(cells), tuple(cells.values()), "cells")
            if len(cells) == len(names):
                return
        contents = record.mapping("cells") if not cells else None
        for name in names:
            if contents is not None and name in variables:
                contents.add(name, variables[name])

    def _position(self, entry: types.TracebackType, path: str) -> dict[str, int]:
        """Return the range of the failing or calling expression; the whole line if that is unknown."""
        code = entry.tb_frame.f_code
        line = entry.tb_lineno or code.co_firstlineno
        return self._sources.position(code, entry.tb_lasti, line, path)


def frame_locals(frame: types.FrameType) -> list[tuple[str, Any]] | None:
    """Return the variables of a frame, or None where they are in a mapping of the program's own.

    Those of a module body are its globals and not repeated.
    """
    variables = rawread.frame_variables(frame)
    is_module = frame_kind(frame.f_code) == "module" and frame.f_locals is frame.f_globals
    return [] if is_module else variables


def frame_cells(frame: types.FrameType, variables: dict[str, Any]) -> dict[str, types.CellType]:
    """Return the cells of an unwound frame by variable, as far as they can be told for certain.

    The garbage collector sees what a frame refers to, in the order of its variables: arguments that are
    cells, other cell variables, then free variables. This is believed only where the number of cells fits
    and each holds what the variable of that name holds.
    """
    code = frame.f_code
    names = _cell_names(code)
    if not names:
        return {}
    cells = [obj for obj in gc.get_referents(frame) if type(obj) is types.CellType]
    if len(cells) != len(names):
        return {}
    named = dict(zip(names, cells, strict=True))
    if code.co_flags & CO_OPTIMIZED:
        for name, cell in named.items():
            filled, value = rawread.cell_value(cell)
            if filled != (name in variables) or (filled and value is not variables[name]):
                return {}
    return named


def _cell_names(code: types.CodeType) -> list[str]:
    """Return the names of a code's cell and free variables in the order of the frame."""
    arguments = [name for name in code.co_varnames if name in code.co_cellvars]
    others = [name for name in code.co_cellvars if name not in arguments]
    return [*arguments, *others, *code.co_freevars]
