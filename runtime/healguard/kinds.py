"""Which kind of object something is in a snapshot, decided by its exact type and layout."""

from __future__ import annotations

import types
from collections import OrderedDict, defaultdict, deque
from functools import partial
from typing import Any

from healguard import rawread
from healguard.classfacts import ClassFacts

_BY_EXACT_TYPE = {
    types.FunctionType: "function",
    types.MethodType: "method",
    types.BuiltinFunctionType: "builtin",
    types.WrapperDescriptorType: "builtin",
    types.MethodWrapperType: "builtin",
    types.MethodDescriptorType: "builtin",
    types.ClassMethodDescriptorType: "builtin",
    types.GetSetDescriptorType: "builtin",
    types.MemberDescriptorType: "builtin",
    property: "property",
    staticmethod: "staticmethod",
    classmethod: "classmethod",
    partial: "partial",
    types.CellType: "cell",
    types.GeneratorType: "generator",
    types.AsyncGeneratorType: "generator",
    types.CoroutineType: "coroutine",
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenset",
    deque: "deque",
    dict: "dict",
    OrderedDict: "dict",
    defaultdict: "dict",
    types.MappingProxyType: "dict",
    types.SimpleNamespace: "instance",
}
_KINDS = {id(kind): name for kind, name in _BY_EXACT_TYPE.items()}

CODE_KINDS = frozenset(
    ("class", "function", "builtin", "property", "staticmethod", "classmethod", "module")
)

# Layouts whose contents the snapshot captures in full.
_KNOWN_LAYOUTS = frozenset(
    id(kind)
    for kind in (
        *rawread.VALUE_LAYOUTS,
        *rawread.ITEM_LAYOUTS,
        *rawread.ENTRY_LAYOUTS,
        partial,
        property,
        types.SimpleNamespace,
    )
)


def kind_of(obj: object, facts: ClassFacts) -> str:
    """Return the kind of an object, given the facts of its type."""
    exact = _KINDS.get(id(facts.kind))
    if exact is not None:
        return exact
    if rawread.descends(facts.kind, type):
        return "class"
    if rawread.descends(facts.kind, types.ModuleType):
        return "module"
    if not facts.compiled or rawread.descends(facts.kind, BaseException):
        return "instance"
    return "instance" if layout_among(facts, rawread.ITEM_LAYOUTS) is not None else "opaque"


def layout_among(facts: ClassFacts, layouts: tuple[type, ...]) -> type | None:
    """Return the first of these layouts that instances of the class have, following the class's order."""
    if facts.layout is None:
        return None
    for ancestor in facts.mro:
        for layout in layouts:
            if ancestor is layout:
                return layout
    return None


def is_whole(facts: ClassFacts) -> bool:
    """Tell whether the attributes, items and value of an instance are all that it consists of."""
    if facts.hidden:
        return False
    layout = facts.layout
    if layout is None or id(layout) in _KNOWN_LAYOUTS:
        return True
    if rawread.descends(layout, BaseException):
        return rawread.text_or_none(rawread.type_module(layout)) == "builtins"
    return rawread.descends(layout, tuple) and facts.kind is layout


def layout_name(facts: ClassFacts, dotted: Any) -> str | None:
    """Return the name of an instance's layout: bare for built-in types, dotted for others."""
    if facts.layout is None:
        return None
    name = dotted(facts.layout)
    return name.removeprefix("builtins.").removeprefix("collections.")
