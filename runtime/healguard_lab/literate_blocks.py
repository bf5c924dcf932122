"""Reads the program blocks of a Markdown file, with the heading and family they stand under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FAMILIES = (
    "local-flow",
    "skipped-statement",
    "sibling-attribute",
    "container-key",
    "container-position",
    "alias",
    "call-chain",
    "method-dispatch",
    "closure-cell",
    "module-global",
    "branch-implicit",
    "infeasible-path",
    "loop-carried",
    "exception-path",
    "generator-iterator",
    "endorsement",
    "object-protocol",
    "callback-registry",
    "library-roundtrip",
)
LANGUAGE = "python"

FENCE = re.compile(r"^(`{3,})\s*([^`\s]*)\s*$")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
FAMILY = re.compile(r"^Family:\s*(.*?)\s*$")


class MalformedError(Exception):
    """Something in a Markdown file cannot be used; the text says where, what, and the mend."""

    def __init__(self, path: Path, line: int, what: str, mend: str) -> None:
        super().__init__(f"{path}:{line}: {what}; {mend}")


@dataclass(frozen=True)
class Block:
    """One fenced Python block; `line` is that of its first line of text."""

    path: Path
    line: int
    heading: str
    family: str
    text: str

    def error(self, line: int, what: str, mend: str) -> MalformedError:
        """A complaint about a line of the block, the first being 1."""
        return MalformedError(self.path, self.line + line - 1, what, mend)


@dataclass
class _Place:
    """Where in a file the reader is."""

    path: Path
    heading: str = ""
    family: str = FAMILIES[0]
    fence: str = ""
    language: str = ""
    opened: int = 0
    lines: list[str] = field(default_factory=list)


def read_blocks(path: Path) -> tuple[list[Block], list[MalformedError]]:
    """The Python blocks of a Markdown file, and what is wrong around them."""
    errors: list[MalformedError] = []
    return list(_walk(path, errors)), errors


def _walk(path: Path, errors: list[MalformedError]) -> Iterator[Block]:
    place = _Place(path)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if place.fence and line.rstrip() == place.fence:
            yield from _closed(place, errors)
        elif place.fence:
            place.lines.append(line)
        else:
            _outside(place, number, line, errors)
    if place.fence:
        errors.append(
            MalformedError(path, place.opened, "this block does not end", f"add {place.fence}")
        )


def _outside(place: _Place, number: int, line: str, errors: list[MalformedError]) -> None:
    """Take in a line that belongs to no block."""
    if fence := FENCE.match(line):
        place.fence, place.language = fence.groups()
        place.opened, place.lines = number, []
    elif heading := HEADING.match(line):
        place.heading = heading.group(1)
    elif family := FAMILY.match(line):
        place.family = family.group(1)
        if place.family not in FAMILIES:
            what = f"unknown family `{place.family}`"
            errors.append(
                MalformedError(place.path, number, what, f"use one of {', '.join(FAMILIES)}")
            )


def _closed(place: _Place, errors: list[MalformedError]) -> Iterator[Block]:
    """The block that ends here, if it is Python."""
    place.fence = ""
    if place.language != LANGUAGE:
        return
    if not place.heading:
        errors.append(
            MalformedError(
                place.path, place.opened, "a block stands under no heading", "write one above it"
            )
        )
        return
    text = "\n".join([*place.lines, ""])
    yield Block(place.path, place.opened + 1, place.heading, place.family, text)
