"""Source lines of the program, to turn byte columns into character columns."""

from __future__ import annotations

import tokenize
import types
from itertools import islice


class Sources:
    """Reads source files once. A file that cannot be read has no lines."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str | None:
        """Return a line without its line break, or None."""
        lines = self._lines.get(path)
        if lines is None:
            lines = self._lines[path] = _read(path)
        return lines[number - 1].rstrip("\r\n") if 0 < number <= len(lines) else None

    def column(self, path: str, line: int, byte_offset: int) -> int:
        """Return the column, in characters from 1, of a UTF-8 byte offset in a line.

        Without the source the text before it is taken to be ASCII.
        """
        text = self.line(path, line)
        if text is None or text.isascii():
            return byte_offset + 1
        return len(text.encode("utf-8", "replace")[:byte_offset].decode("utf-8", "replace")) + 1

    def width(self, path: str, line: int) -> int:
        """Return the number of characters in a line, 0 where it is unknown."""
        return len(self.line(path, line) or "")

    def position(self, code: types.CodeType, lasti: int, line: int, path: str) -> dict[str, int]:
        """Return the range of the expression at an instruction; the whole `line` if that is unknown."""
        positions = code.co_positions()
        found = next(islice(positions, max(lasti, 0) // 2, None), (None,) * 4)
        if None in found:
            return {
                "line": line,
                "column": 1,
                "end_line": line,
                "end_column": self.width(path, line) + 1,
            }
        first, last, column, end_column = found
        return {
            "line": first,
            "column": self.column(path, first, column),
            "end_line": last,
            "end_column": self.column(path, last, end_column),
        }


def _read(path: str) -> list[str]:
    if path.startswith("<"):
        return []
    try:
        with tokenize.open(path) as file:
            return file.readlines()
    except (OSError, SyntaxError, UnicodeError, LookupError, ValueError):
        return []
