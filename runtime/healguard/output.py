"""Writes a file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable


def check_writable(path: str) -> str | None:
    """Return why a file cannot be written at this path, or None."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        return "it is a folder"
    if not os.path.isdir(folder):
        return f"there is no folder {folder}"
    return None if os.access(folder, os.W_OK) else f"the folder {folder} cannot be written to"


def write_atomically(path: str, pieces: Iterable[str]) -> None:
    """Write ASCII text beside `path` and move it there. Only the user may read it.

    Raises `OSError`; what was at `path` before is then still there.
    """
    temporary = f"{path}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(temporary, flags, 0o600)
        # Bytes: a text file would look its codec up in an import system that the program may have broken.
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(piece.encode("ascii") for piece in pieces)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
