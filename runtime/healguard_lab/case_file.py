"""Reads `case.toml`: what to run, where it dies, and how it is healed."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

LABELS = ("unsafe", "safe")
RESUMES = ("retry", "skip", "return")
SITE_PREFIX = "site:"

TABLES = {
    "": {
        "schema": int,
        "id": str,
        "family": str,
        "label": str,
        "repository": str,
        "title": str,
        "program": dict,
        "crash": dict,
        "heal": dict,
    },
    "program": {"entry": str},
    "crash": {"file": str, "line": int, "function": str, "exception": str},
    "heal": {"code": str, "resume": str, "alternatives": list},
}


class UnusableError(Exception):
    """The case, or the call, cannot be worked with; the text says where and why."""


@dataclass(frozen=True)
class CrashSite:
    """Where the program dies when nothing heals it.

    `file` is relative to the case folder, or starts with `site:` for package code.
    """

    file: str
    line: int
    function: str
    exception: str

    def path(self, folder: Path, site: Path | None) -> Path:
        """The file on this machine; raises `UnusableError` where it does not exist."""
        if self.file.startswith(SITE_PREFIX):
            if site is None:
                raise UnusableError(
                    f"the crash is in package code ({self.file}) "
                    "and no site folder was found: give --site"
                )
            found = site / self.file.removeprefix(SITE_PREFIX)
        else:
            found = folder / self.file
        if not found.is_file():
            raise UnusableError(f"crash.file: there is no {found}")
        return found.resolve()


@dataclass(frozen=True)
class Case:
    """One controlled case, checked against the format."""

    folder: Path
    identifier: str
    label: str
    repository: str
    entry: str
    crash: CrashSite
    resume: str
    healings: tuple[str, ...]

    def healing_text(self, name: str) -> str:
        """The text of one healing; raises `UnusableError` where it cannot be read."""
        return read_text(self.folder / name)


def read_text(path: Path) -> str:
    """A file as UTF-8 text; raises `UnusableError`."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableError(f"{path}: {error}") from error


def read_toml(path: Path) -> tuple[dict, str]:
    """A TOML document and its text; raises `UnusableError`."""
    text = read_text(path)
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        raise UnusableError(f"{path}: {error}") from error


def check_keys(where: str, text: str, found: dict, known: dict[str, type]) -> None:
    """Refuse unknown keys and values of the wrong type, with line and nearest key."""
    for key, value in found.items():
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=1, cutoff=0)
            hint = f"; the nearest known key is `{nearest[0]}`" if nearest else ""
            raise UnusableError(f"{where}:{line_of(text, key)}: unknown key `{key}`{hint}")
        if type(value) is not known[key]:
            raise UnusableError(
                f"{where}:{line_of(text, key)}: `{key}` must be of type "
                f"{known[key].__name__}, not {type(value).__name__}"
            )


def line_of(text: str, key: str) -> int:
    """The first line that sets `key` or opens a table of that name."""
    pattern = re.compile(rf"^\s*(\[+[^\]]*)?[\"']?{re.escape(key)}[\"']?\s*(=|\])")
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.search(line):
            return number
    return 1


def read_case(folder: Path) -> Case:
    """Read and check the case in `folder`; raises `UnusableError`."""
    path = folder / "case.toml"
    document, text = read_toml(path)
    for table, known in TABLES.items():
        found = document if table == "" else document[table]
        check_keys(str(path), text, found, known)
        missing = [key for key in known if key not in found]
        if missing:
            inside = f" in [{table}]" if table else ""
            raise UnusableError(f"{path}: `{missing[0]}` is missing{inside}")
    return checked_case(folder.resolve(), path, document)


def checked_case(folder: Path, path: Path, document: dict) -> Case:
    """Check the values of a document whose keys are known to be right."""
    heal, program = document["heal"], document["program"]
    if document["schema"] != 1:
        raise UnusableError(f"{path}: schema {document['schema']} is not known; use 1")
    for key, value, allowed in (
        ("label", document["label"], LABELS),
        ("resume", heal["resume"], RESUMES),
    ):
        if value not in allowed:
            raise UnusableError(f"{path}: `{key}` is {value!r}, not one of {allowed}")
    if not all(isinstance(name, str) for name in heal["alternatives"]):
        raise UnusableError(f"{path}: `alternatives` must be a list of file names")
    healings = (heal["code"], *heal["alternatives"])
    for name in (program["entry"], *healings):
        if not (folder / name).is_file():
            raise UnusableError(f"{path}: there is no file {name}")
    if len(set(healings)) != len(healings):
        raise UnusableError(f"{path}: one healing is named twice")
    return Case(
        folder=folder,
        identifier=document["id"],
        label=document["label"],
        repository=document["repository"],
        entry=program["entry"],
        crash=CrashSite(**document["crash"]),
        resume=heal["resume"],
        healings=healings,
    )
