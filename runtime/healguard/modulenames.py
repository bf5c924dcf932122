"""Names for the modules of a crashed program.

A snapshot knows a module by one name, and a name means one module. The program's own `__main__` goes
by the name of its file. Functions tell their module by the dict that their global names live in, which
cannot be forged, and not by `__module__`, which can. Namespaces that are no module of `sys.modules`
(`exec`, namedtuples) get a name of their own.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import NamedTuple

from healguard import rawread
from healguard.scalars import plain_text

MAIN = "__main__"
_LAZY_MODULE = importlib.util._LazyModule


class LoadedModule(NamedTuple):
    """An entry of `sys.modules`."""

    name: str
    namespace: dict
    executed: bool


class ModuleNames:
    """Names by the identity of the dict of globals."""

    def __init__(self, main_name: str) -> None:
        """Read `sys.modules`; `main_name` is wanted for `__main__` and kept unless it is taken."""
        self._names: dict[int, str] = {}
        self._namespaces: list[dict] = []  # keeps the identities valid
        self._taken: set[str] = set()
        loaded = self._loaded = _loaded_modules()
        main_dict = next((module.namespace for module in loaded if module.name == MAIN), None)
        others = [module for module in loaded if module.namespace is not main_dict]
        self._read(others)
        self.main_label = MAIN if main_name in self._taken else main_name
        if main_dict is not None:
            self._add(main_dict, self.main_label)

    def _read(self, modules: list[LoadedModule]) -> None:
        """Name each namespace as its module names itself, if it is loaded under that name as well."""
        keys: dict[int, list[str]] = {}
        for name, namespace, _ in modules:
            keys.setdefault(id(namespace), []).append(name)
        for _, namespace, _ in modules:
            if id(namespace) in self._names:
                continue
            names = keys[id(namespace)]
            own = rawread.text_or_none(rawread.lookup(namespace, "__name__"))
            self._add(namespace, own if own in names else names[0])

    def loaded(self) -> list[LoadedModule]:
        """Return everything that was imported."""
        return self._loaded

    def _add(self, namespace: dict, name: str) -> None:
        self._names[id(namespace)] = name
        self._namespaces.append(namespace)
        self._taken.add(name)

    def name_of(self, namespace: dict) -> str:
        """Return the name of the module whose globals this dict is."""
        known = self._names.get(id(namespace))
        if known is not None:
            return known
        claimed = rawread.text_or_none(rawread.lookup(namespace, "__name__")) or "<unnamed>"
        base = self.label(plain_text(claimed, 200))
        name = base
        count = 1
        while name in self._taken:
            count += 1
            name = f"{base}#{count}"
        self._add(namespace, name)
        return name

    def label(self, claimed: str) -> str:
        """Return a module name as the snapshot writes it: `__main__` by its file."""
        return self.main_label if claimed == MAIN else claimed


def is_lazy(kind: type) -> bool:
    """Tell whether a module of this type still waits to be executed, so that its globals mean nothing."""
    return any(entry is _LAZY_MODULE for entry in rawread.mro_of(kind))


def _loaded_modules() -> list[LoadedModule]:
    """Return the entries of `sys.modules`, without asking the modules themselves."""
    modules = sys.modules
    if not rawread.descends(type(modules), dict):
        return []
    return [
        LoadedModule(name, rawread.module_dict(module), not is_lazy(type(module)))
        for name, module in rawread.named_entries(modules)[0]
        if rawread.descends(type(module), types.ModuleType)
        and type(rawread.module_dict(module)) is dict
    ]
