"""Writes controlled cases as folders."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class WrittenOperation:
    """A protected operation; `arguments` is None where all of them are watched."""

    name: str
    arguments: Sequence[int] | None = None


@dataclass(frozen=True)
class WrittenCase:
    """A case whose program is one file and perhaps more; the first healing is `heal.py`."""

    identifier: str
    family: str
    label: str
    title: str
    source: str
    line: int
    function: str
    exception: str
    resume: str
    healings: Sequence[str]
    operations: Sequence[WrittenOperation]
    endorsements: Sequence[tuple[str, str]] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write the folder of the case."""
        for name, text in self.texts().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def texts(self) -> dict[str, str]:
        """Names and texts of the files of the case."""
        first, *others = self.healings
        alternatives = {f"alternatives/{i}.py": text for i, text in enumerate(others, start=1)}
        return {
            **self.files,
            "main.py": self.source,
            "heal.py": first,
            **alternatives,
            "protect.toml": self.protect_text(),
            "case.toml": self.case_text(list(alternatives)),
        }

    def protect_text(self) -> str:
        """The text of `protect.toml`."""
        tables = [operation_text(operation) for operation in self.operations]
        tables += [
            f"[[endorsement]]\nname = {quoted(name)}\nmode = {quoted(mode)}\n"
            for name, mode in self.endorsements
        ]
        return "\n".join(["schema = 1\n", *tables])

    def case_text(self, alternatives: Sequence[str]) -> str:
        """The text of `case.toml`."""
        names = ", ".join(quoted(name) for name in alternatives)
        return f"""\
schema = 1
id = {quoted(self.identifier)}
family = {quoted(self.family)}
label = {quoted(self.label)}
repository = ""
title = {quoted(self.title)}

[program]
entry = "main.py"

[crash]
file = "main.py"
line = {self.line}
function = {quoted(self.function)}
exception = {quoted(self.exception)}

[heal]
code = "heal.py"
resume = {quoted(self.resume)}
alternatives = [{names}]
"""


def operation_text(operation: WrittenOperation) -> str:
    """One `[[operation]]` of `protect.toml`."""
    text = f"[[operation]]\nname = {quoted(operation.name)}\n"
    if operation.arguments is not None:
        text += f"arguments = {list(operation.arguments)}\n"
    return text


def quoted(text: str) -> str:
    """Text as a TOML string."""
    return json.dumps(text, ensure_ascii=False)
