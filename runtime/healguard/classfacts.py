"""What the snapshot needs to know about a class, found out once per class."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable
from typing import Any

from healguard import rawread

GETSET = types.GetSetDescriptorType
MEMBER = types.MemberDescriptorType

# Fields of C exceptions that are chained or bound elsewhere in the document, or are the dict itself.
_EXCEPTION_PLUMBING = frozenset(
    {"__dict__", "__traceback__", "__context__", "__cause__", "__suppress_context__"}
)
UNKNOWN_MODULE = "<unknown>"


class ClassFacts:
    """Facts about one class.

    `layout` is the C class that fixes how its instances lie in memory, `None` for a plain object.
    `dict_getter` reads the instance dict, `fields` the slots and C fields, by name.
    `hidden` says that an instance may hold attributes that no descriptor reaches any more.
    """

    __slots__ = (
        "compiled",
        "dict_getter",
        "entries",
        "fields",
        "hidden",
        "kind",
        "layout",
        "module",
        "mro",
        "qualname",
        "shadowed_dict",
        "studied",
    )

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.entries = rawread.class_entries(kind)
        self.compiled = rawread.is_compiled(kind, self.entries)
        self.mro = rawread.mro_of(kind)
        self.qualname = rawread.exact_value(rawread.type_qualname(kind), str)
        self.module = self._module()
        self.layout: type | None = None
        self.dict_getter: Callable[[object], dict] | None = None
        self.fields: dict[str, Any] = {}
        self.hidden = False
        self.shadowed_dict = False
        self.studied = False

    def _module(self) -> str:
        """Return the module the class names as its own.

        A class of the program that claims `builtins` would pass for a built-in: it is not believed.
        """
        if self.compiled and not rawread.type_flags(self.kind) & rawread.HEAP_TYPE:
            return rawread.text_or_none(rawread.type_module(self.kind)) or UNKNOWN_MODULE
        claimed = rawread.text_or_none(self.entries.get("__module__"))
        if claimed is None or (claimed == "builtins" and not self.compiled):
            return UNKNOWN_MODULE
        return claimed


class ClassTable:
    """The facts of every class met, by the class's identity."""

    def __init__(self) -> None:
        self._facts: dict[int, ClassFacts] = {}

    def facts(self, kind: type) -> ClassFacts:
        """Return the facts of a class."""
        known = self._own(kind)
        if not known.studied:
            known.studied = True
            self._study(known)
        return known

    def _study(self, facts: ClassFacts) -> None:
        """Find the layout, the fields and the instance dict along the resolution order."""
        for ancestor in facts.mro:
            own = self._own(ancestor)
            if own.compiled:
                if facts.layout is None and rawread.has_own_layout(ancestor):
                    facts.layout = ancestor
                self._compiled_fields(facts, own)
                continue
            self._python_fields(facts, own)
        if facts.shadowed_dict and facts.dict_getter is None:
            facts.hidden = True

    def _own(self, ancestor: type) -> ClassFacts:
        """Return what a class says by itself. Ancestors are not followed: a chain may be deep."""
        known = self._facts.get(id(ancestor))
        if known is None:
            known = self._facts[id(ancestor)] = ClassFacts(ancestor)
        return known

    @staticmethod
    def _python_fields(facts: ClassFacts, own: ClassFacts) -> None:
        """Take the slots and the dict that a class statement gave to instances."""
        genuine = {}
        for name, value in own.entries.items():
            kind = type(value)
            if kind is MEMBER and value.__objclass__ is own.kind:
                genuine[value.__name__] = value
            elif kind is GETSET and value.__objclass__ is own.kind and value.__name__ == "__dict__":
                facts.dict_getter = facts.dict_getter or value.__get__
            elif name == "__dict__":
                facts.shadowed_dict = True
        for name, descriptor in genuine.items():
            facts.fields.setdefault(name, descriptor)
        if not _declared_slots(own) <= genuine.keys():
            facts.hidden = True

    @staticmethod
    def _compiled_fields(facts: ClassFacts, own: ClassFacts) -> None:
        """Take the fields that a C class exposes: members, and accessors known to be harmless."""
        # An accessor is C code that might do anything; these are known to read memory only.
        reads_memory = own.kind is deque or (
            own.module == "builtins" and rawread.descends(own.kind, BaseException)
        )
        for name, value in own.entries.items():
            kind = type(value)
            if name == "__dict__" and (kind is GETSET or kind is MEMBER):
                facts.dict_getter = facts.dict_getter or value.__get__
            elif name in _EXCEPTION_PLUMBING or name.startswith("__"):
                continue
            elif kind is MEMBER or (kind is GETSET and reads_memory):
                facts.fields.setdefault(name, value)


def _declared_slots(facts: ClassFacts) -> set[str]:
    """Return the names, as stored, of the slots that a class body declared."""
    slots = facts.entries.get("__slots__")
    kind = type(slots)
    if kind is str:
        names = [slots]
    elif kind is tuple or kind is list:
        names = [name for name in slots if type(name) is str]
    elif kind is dict:
        names = [name for name, _ in rawread.named_entries(slots)[0]]
    else:
        return set()
    return {_mangled(name, facts.kind) for name in names} - {"__dict__", "__weakref__"}


def _mangled(name: str, kind: type) -> str:
    """Return a slot's name as the class body's name mangling left it."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    owner = rawread.exact_value(type.__dict__["__name__"].__get__(kind), str).lstrip("_")
    return f"_{owner}{name}" if owner else name
