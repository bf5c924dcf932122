"""Lets the program import the standard library as if we had not done so before it.

A module that is loaded already hides a module of the program with the same name: a program with a
`json.py` of its own beside it must get that one. So what our own imports loaded is taken out of
`sys.modules` again; we keep using our references.
"""

from __future__ import annotations

import sys
from collections.abc import Set

# State that must exist once in a process stays: ours, threads, and what C code keeps for itself.
_KEPT = frozenset({"healguard", "threading", "signal"})


def forget_imports(loaded_before: Set[str]) -> None:
    """Remove from `sys.modules` the modules with Python source that were not in it before.

    What `python -m` itself loads (`runpy` and a part of `importlib`) was there before us and stays.
    """
    for name, module in list(sys.modules.items()):
        if name in loaded_before or name.partition(".")[0] in _KEPT:
            continue
        spec = getattr(module, "__spec__", None)
        origin = getattr(spec, "origin", None) or ""
        if origin.endswith(".py") or origin == "frozen":
            del sys.modules[name]
