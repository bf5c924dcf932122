"""Makes the document `crash.json` from an exception that nothing caught.

The order of capture is that of `healguard.schedule`; the order of the file is that of its schema.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from typing import Any

from healguard import rawread
from healguard.bounds import Account, Bounds, Full
from healguard.exceptions import ExceptionWriter
from healguard.heap import Heap, dump
from healguard.modulenames import ModuleNames
from healguard.quiet import quiet
from healguard.redact import Redactor
from healguard.scalars import plain_text
from healguard.schedule import Lane
from healguard.stack import FrameWriter, stack_of

SCHEMA = 1
# Kept for the exception, which is written last: a share of the file, and never more than it needs.
_EXCEPTION_SHARE = 8
_TRIES = 3
_HEADER_BYTES = 64 * 1024
# Names in a module that the import system put there; their objects are named, not captured.
_IMPORT_NAMES = frozenset({"__builtins__", "__doc__", "__loader__", "__spec__"})


class Run:
    """How the program was started: what the snapshot says about it besides its state."""

    __slots__ = ("command", "directory", "main_name")

    def __init__(self, command: list[str], directory: str, main_name: str) -> None:
        self.command = command
        self.directory = directory
        self.main_name = main_name


def capture(
    error: BaseException,
    traceback: types.TracebackType | None,
    run: Run,
    bounds: Bounds,
    redacted: bool = True,
) -> list[str]:
    """Return the snapshot of a crash as pieces of JSON text.

    `traceback` begins at the outermost frame of the program. No code of the program runs. Where memory
    runs out, or redaction made the file larger than its limit, a smaller snapshot is tried. Raises
    `MemoryError` when the smallest does not do either.
    """
    limit = bounds.bytes
    for _ in range(_TRIES):
        try:
            with quiet():
                pieces = Capture(run, bounds, Redactor(redacted)).document(error, traceback)
        except MemoryError:
            bounds = bounds.shrunk()
            continue
        if sum(map(len, pieces)) <= limit:
            return pieces
        bounds = bounds.shrunk()
    raise MemoryError


class Capture:
    """One snapshot in the making."""

    def __init__(self, run: Run, bounds: Bounds, redactor: Redactor) -> None:
        self._run = run
        self._bounds = bounds
        self._redactor = redactor
        self._reserve = bounds.bytes // _EXCEPTION_SHARE
        self._account = Account(bounds.bytes - self._reserve)
        self._names = ModuleNames(run.main_name)
        self._heap = Heap(bounds, self._account, self._names, redactor, run.directory)
        self._frame_writer = FrameWriter(self._heap)
        self._written: list[tuple[types.TracebackType, dict[str, Any]]] = []
        self._modules: dict[str, tuple[dict, str]] = {}

    def document(self, error: BaseException, traceback: types.TracebackType | None) -> list[str]:
        """Capture everything in the order of importance, and return the text of the file."""
        heap = self._heap
        entries = stack_of(traceback)
        stack = entries[: self._bounds.frames]
        heap.begin(Lane.LOCALS)
        frames = self._frames(entries, stack)
        exception = self._exception(error)
        heap.drain(Lane.LOCALS)
        heap.begin(Lane.CODE)
        heap.drain(Lane.CODE)
        heap.begin(Lane.GLOBALS)
        for entry in stack:
            self._module(entry.tb_frame.f_globals, Lane.GLOBALS)
        heap.drain(Lane.GLOBALS)
        heap.begin(Lane.GLOBAL_CODE)
        heap.drain(Lane.GLOBAL_CODE)
        heap.begin(Lane.MODULES)
        self._wanted(Lane.MODULES)
        heap.drain(Lane.MODULES)
        heap.begin(Lane.REST)
        self._own_modules()
        self._rest()
        # A secret may have been met after something that contains it was written.
        frames = [self._cleansed_frame(position, text) for position, text in enumerate(frames)]
        exception = self._cleansed_exception(error, exception)
        modules = [self._cleansed_module(name) for name in self._modules]
        loaded = self._loaded()
        omitted = len(entries) - len(frames)
        records = heap.records()
        namespaces = {name: namespace for name, (namespace, _) in self._modules.items()}
        dictionaries = heap.dictionaries(namespaces)
        return list(
            self._pieces(exception, frames, omitted, loaded, modules, records, dictionaries)
        )

    def _loaded(self) -> str:
        """Return the names of everything that was imported, or of nothing where they do not fit."""
        names = (self._names.label(module.name) for module in self._names.loaded())
        text = dump(sorted({plain_text(name, self._bounds.text) for name in names}))
        if self._account.take(len(text)):
            return text
        self._heap.cut = True
        return "[]"

    def _own_modules(self) -> None:
        """Capture the modules of the program that no function led to: code may import from them again."""
        for module in self._names.loaded():
            file = rawread.text_or_none(rawread.lookup(module.namespace, "__file__"))
            if module.executed and file is not None and self._is_own(file):
                self._module(module.namespace, Lane.REST)

    def _is_own(self, file: str) -> bool:
        """Whether a file lies below the folder that the program was started in, packages apart."""
        path = os.path.join(self._run.directory, file)
        return path.startswith(self._run.directory + os.sep) and "-packages" + os.sep not in path

    def _rest(self) -> None:
        """Follow modules and references until nothing is left of either, or of the budget."""
        while self._heap.schedule.left > 0:
            before = self._heap.schedule.left
            self._wanted(Lane.REST)
            self._heap.drain(Lane.REST)
            if self._heap.schedule.left == before:
                return

    # --- parts ------------------------------------------------------------------------------------

    def _header(self) -> dict[str, Any]:
        limit = self._bounds.text
        arguments = [plain_text(argument, limit) for argument in self._run.command]
        return {
            "schema": SCHEMA,
            "python": {
                "version": ".".join(map(str, sys.version_info[:3])),
                "implementation": sys.implementation.name,
            },
            "command": self._redactor.cleanse_command(arguments),
            "directory": plain_text(self._run.directory, limit),
            "search_path": [
                plain_text(os.path.join(self._run.directory, entry), limit)
                for entry in _search_path()
            ],
        }

    def _frames(
        self, entries: list[types.TracebackType], stack: list[types.TracebackType]
    ) -> list[str]:
        """Return the records of frames, without variables where these do not fit any more."""
        texts = []
        for position, entry in enumerate(stack):
            outer = entries[position + 1] if position + 1 < len(entries) else None
            fields = self._frame_writer.write(entry, outer)
            self._written.append((entry, fields))
            text = dump(self._frame_writer.with_variables(entry, fields))
            if not self._account.take(len(text) + 1):
                self._heap.cut = True
                text = dump({**fields, "locals": {}, "cells": {}, "cut": True})
                if not self._account.take(len(text) + 1):
                    break
            texts.append(text)
        return texts

    def _cleansed_frame(self, position: int, text: str) -> str:
        if not self._redactor.is_leaked_in(text):
            return text
        return dump(self._frame_writer.with_variables(*self._written[position]))

    def _exception(self, error: BaseException) -> str:
        """Return the record of the exception, by its type alone where it is larger than its share."""
        document = ExceptionWriter(self._heap).write(error)
        text = dump(document)
        if len(text) > self._reserve - _HEADER_BYTES:
            self._heap.cut = True
            kept = {"type": document["type"], "message": document["message"][:1_000]}
            text = dump({**kept, "attributes": {}, "cause": None, "context": None, "cut": True})
        return text

    def _cleansed_exception(self, error: BaseException, text: str) -> str:
        return self._exception(error) if self._redactor.enabled else text

    def _wanted(self, lane: Lane) -> None:
        for namespace in self._heap.wanted_modules(lane):
            self._module(namespace, lane)

    def _module(self, namespace: dict, lane: Lane) -> None:
        """Capture the globals of a module whole, or leave the module out.

        Only modules with Python source have globals that a reader of source can use; those of C code
        are left out, and so is a namespace that is not a plain dict.
        """
        name = self._names.name_of(namespace)
        if name in self._modules or type(namespace) is not dict:
            return
        entries, complete = rawread.named_entries(namespace)
        file = rawread.text_or_none(dict(entries).get("__file__"))
        has_source = lane is Lane.GLOBALS or (file is not None and file.endswith((".py", ".pyw")))
        if not has_source:
            return
        room = complete and self._heap.has_numbers(len(entries)) and self._heap.schedule.charge()
        text = self._module_text(name, entries, file, lane) if room else None
        if text is None or not self._account.take(len(text) + len(dump(name)) + 2):
            self._heap.cut = True
            return
        self._modules[name] = (namespace, text)

    def _module_text(
        self, name: str, entries: list[tuple[str, Any]], file: str | None, lane: Lane
    ) -> str | None:
        """Return a module's record, or None when a name or the numbers do not allow it to be whole."""
        heap = self._heap
        values = {}
        try:
            for key, value in entries:
                if not key.isascii() and plain_text(key, len(key)) != key:
                    return None
                named = key in _IMPORT_NAMES
                values[key] = heap.mention(value) if named else heap.named(key, value, lane)
        except Full:
            return None
        path = None if file is None else heap.identities.path(file)
        return dump({"file": path, "globals": values})

    def _cleansed_module(self, name: str) -> tuple[str, str]:
        namespace, text = self._modules[name]
        if self._redactor.is_leaked_in(text):
            entries = rawread.named_entries(namespace)[0]
            file = rawread.text_or_none(dict(entries).get("__file__"))
            text = self._module_text(name, entries, file, Lane.REST) or text
        return name, text

    # --- assembly ---------------------------------------------------------------------------------

    def _pieces(
        self,
        exception: str,
        frames: list[str],
        omitted: int,
        loaded: str,
        modules: list[tuple[str, str]],
        records: list[tuple[int, str]],
        dictionaries: str,
    ) -> Iterator[str]:
        yield dump(self._header())[:-1]
        yield ',"exception":' + exception
        yield ',"frames":[' + ",\n".join(frames) + "]"
        if omitted:
            yield f',"frames_omitted":{omitted}'
        yield ',\n"loaded":' + loaded
        yield ',\n"modules":{'
        yield ",\n".join(f"{dump(name)}:{text}" for name, text in modules)
        yield '},\n"objects":{'
        yield ",\n".join(f'"{number}":{text}' for number, text in records)
        yield '},"dictionaries":' + dictionaries
        yield ',"cut":' + ("true" if self._heap.cut or omitted else "false") + "}\n"


def _search_path() -> list[str]:
    """Return the strings in `sys.path`, whatever the program made of it."""
    path = sys.path
    return [entry for entry in path if type(entry) is str] if type(path) is list else []
