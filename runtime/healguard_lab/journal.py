"""The record of one run: an event a line, written before the operation runs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from healguard_lab.value_digest import Digester, TooLargeError, hashed

ABSENT = "<absent>"


class Journal:
    """Writes events and the end of a run to a file, surviving a sudden death."""

    def __init__(self, path: Path, digester: Digester) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._digester = digester
        self._busy = False
        self._problems: set[str] = set()

    @property
    def busy(self) -> bool:
        """Whether an event is being written: what runs then is the laboratory."""
        return self._busy

    def event(self, operation: str, watched: Mapping[str, object]) -> None:
        """Write one protected operation with the values it is watched by."""
        self._busy = True
        try:
            parts = [
                [label, self._digester.digest(value), self._digester.preview(value)]
                for label, value in watched.items()
            ]
        except TooLargeError as error:
            self.problem(f"{operation}: {error}")
            return
        finally:
            self._busy = False
        flat = [text for label, digest, _ in parts for text in (label, digest)]
        digest = hashed(operation, *flat).hex()
        self._write({"operation": operation, "digest": digest, "watched": parts})

    def problem(self, text: str) -> None:
        """Write, once, why the record of this run cannot be relied on."""
        if text not in self._problems:
            self._problems.add(text)
            self._write({"problem": text})

    def unanswered(self, name: str) -> None:
        """Write that nothing in this run answered to the name of an operation."""
        self._write({"unanswered": name})

    def end(self, report: Mapping[str, object]) -> None:
        """Write how the program ended."""
        self._write({"end": report})

    def _write(self, entry: Mapping[str, object]) -> None:
        os.write(self._file, json.dumps(entry).encode() + b"\n")
