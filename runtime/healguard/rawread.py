"""Reads of objects that run no code of the program.

An ordinary `obj.name`, `len(obj)`, `obj == other`, `isinstance(obj, cls)` or `{cls: …}[type(obj)]` may
call a method that the program defined, on the object, on its class, or on its metaclass. What is here
calls the C accessor of the exact built-in type instead, tests types by identity, and never looks a
key up in a dict of the program (a key with an `__eq__` of its own may sit in the same slot): it walks
the dict.
"""

from __future__ import annotations

import gc
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
IMMUTABLE_TYPE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE

type_dict = type.__dict__["__dict__"].__get__
type_mro = type.__dict__["__mro__"].__get__
type_bases = type.__dict__["__bases__"].__get__
type_flags = type.__dict__["__flags__"].__get__
type_qualname = type.__dict__["__qualname__"].__get__
type_module = type.__dict__["__module__"].__get__
type_basicsize = type.__dict__["__basicsize__"].__get__
type_itemsize = type.__dict__["__itemsize__"].__get__

module_dict = types.ModuleType.__dict__["__dict__"].__get__

function_code = types.FunctionType.__dict__["__code__"].__get__
function_globals = types.FunctionType.__dict__["__globals__"].__get__
function_closure = types.FunctionType.__dict__["__closure__"].__get__
function_defaults = types.FunctionType.__dict__["__defaults__"].__get__
function_keyword_defaults = types.FunctionType.__dict__["__kwdefaults__"].__get__
function_dict = types.FunctionType.__dict__["__dict__"].__get__

cell_contents = types.CellType.__dict__["cell_contents"].__get__

exception_traceback = BaseException.__dict__["__traceback__"].__get__
set_exception_traceback = BaseException.__dict__["__traceback__"].__set__
exception_cause = BaseException.__dict__["__cause__"].__get__
exception_context = BaseException.__dict__["__context__"].__get__
exception_args = BaseException.__dict__["args"].__get__
exception_suppresses_context = BaseException.__dict__["__suppress_context__"].__get__

_BINARY_DESCRIPTORS = tuple(
    type(sample)
    for sample in (
        object.__dict__["__repr__"],  # wrapper_descriptor
        list.__dict__["append"],  # method_descriptor
        dict.__dict__["fromkeys"],  # classmethod_descriptor
    )
)
_BASE_SIZE = type_basicsize(object)


def _frame_proxy_type() -> type:
    """Return the type of a function frame's `f_locals`: a proxy from CPython 3.13 on, else dict."""
    frames = (lambda: (yield))()
    kind = type(frames.gi_frame.f_locals)
    frames.close()
    return kind


FRAME_LOCALS = _frame_proxy_type()


def is_any(kind: type, candidates: tuple[type, ...]) -> bool:
    """Tell whether `kind` is one of `candidates`, by identity (`in` would call a metaclass)."""
    return any(kind is candidate for candidate in candidates)


def mro_of(kind: type) -> tuple[type, ...]:
    """Return the method resolution order of a class, even of one that is not finished."""
    return type_mro(kind) or (kind,)


def descends(kind: type, ancestor: type) -> bool:
    """Tell whether `ancestor` is in the method resolution order of `kind`."""
    return any(entry is ancestor for entry in mro_of(kind))


def is_class(obj: object) -> bool:
    """Tell whether the object is a class, whatever its metaclass says."""
    return descends(type(obj), type)


def is_exception(obj: object) -> bool:
    """Tell whether the object is an exception, whatever its `__class__` says."""
    return descends(type(obj), BaseException)


def named_entries(mapping: dict, limit: int | None = None) -> tuple[list[tuple[str, Any]], bool]:
    """Return the entries of a dict whose keys are exact strings, and whether these are all of them."""
    entries = []
    complete = True
    try:
        for key, value in islice(dict.items(mapping), limit):
            if type(key) is str:
                entries.append((key, value))
            else:
                complete = False
    except RuntimeError:  # another thread changed the dict under the walk
        complete = False
    return entries, complete and (limit is None or dict.__len__(mapping) <= limit)


def lookup(mapping: dict, name: str) -> Any:
    """Return the value under an exact string key, or None: a walk, not a hash look-up."""
    for key, value in named_entries(mapping)[0]:
        if key == name:
            return value
    return None


def text_or_none(value: Any) -> str | None:
    """Return the value when it is an exact string."""
    return value if type(value) is str else None


def class_entries(kind: type) -> dict[str, Any]:
    """Return a copy of the class's own attributes, those with exact string names."""
    entries = {}
    for key, value in types.MappingProxyType.items(type_dict(kind)):
        if type(key) is str:
            entries[key] = value
    return entries


def is_compiled(kind: type, entries: dict[str, Any]) -> bool:
    """Tell whether a class was made by C code rather than by a class statement or `type(…)`.

    Only C code makes types that are not on the heap, that are immutable, or that own wrappers of C
    slots and C methods.
    """
    flags = type_flags(kind)
    if not flags & HEAP_TYPE or flags & IMMUTABLE_TYPE:
        return True
    return any(
        is_any(type(value), _BINARY_DESCRIPTORS) and value.__objclass__ is kind
        for value in entries.values()
    )


def has_own_layout(kind: type) -> bool:
    """Tell whether instances of a C class hold more than a plain `object` does."""
    return type_basicsize(kind) > _BASE_SIZE or type_itemsize(kind) != 0


def slot_value(descriptor: Any, obj: object) -> tuple[bool, Any]:
    """Read a slot by its C member descriptor; the first item is False where it is unset."""
    try:
        return True, descriptor.__get__(obj)
    except (AttributeError, TypeError, SystemError):
        return False, None


def cell_value(cell: types.CellType) -> tuple[bool, Any]:
    """Read a cell; the first item is False where it is empty."""
    try:
        return True, cell_contents(cell)
    except ValueError:
        return False, None


def exact_value(obj: object, kind: type) -> Any:
    """Return the built-in value inside an instance of a subclass of `kind`, as an exact built-in."""
    return _EXACT[id(kind)](obj)


_EXACT = {
    id(str): str.__str__,
    id(int): int.__index__,
    id(float): float.__float__,
    id(complex): complex.__pos__,
    id(bytes): lambda obj: bytes.__getitem__(obj, slice(None)),
    id(bytearray): lambda obj: bytes(bytearray.__getitem__(obj, slice(None))),
}
VALUE_LAYOUTS = (str, int, float, complex, bytes, bytearray)

_ITERATORS = {
    id(list): (list.__iter__, list.__len__),
    id(tuple): (tuple.__iter__, tuple.__len__),
    id(set): (set.__iter__, set.__len__),
    id(frozenset): (frozenset.__iter__, frozenset.__len__),
    id(deque): (deque.__iter__, deque.__len__),
}
ITEM_LAYOUTS = (list, tuple, set, frozenset, deque)
SET_LAYOUTS = (set, frozenset)
ENTRY_LAYOUTS = (dict, OrderedDict, defaultdict)


def items_of(obj: object, layout: type, limit: int) -> tuple[list[Any], bool]:
    """Return up to `limit` items of a list, tuple, set, frozenset or deque, and whether these are all."""
    iterate, length = _ITERATORS[id(layout)]
    try:
        items = list(islice(iterate(obj), limit))
    except RuntimeError:  # changed by another thread during the walk
        return [], False
    return items, length(obj) <= limit


def entries_of(obj: object, layout: type, limit: int) -> tuple[list[tuple[Any, Any]], bool]:
    """Return up to `limit` entries of a dict, in its order, and whether this is all of it.

    An OrderedDict keeps an order of its own, which only look-ups by key can follow: that is done where
    no key can run code, else the order is that of insertion and the entries count as incomplete.
    """
    entries = []
    try:
        for entry in islice(dict.items(obj), limit):
            entries.append(entry)
    except RuntimeError:
        return entries, False
    complete = dict.__len__(obj) <= limit
    if layout is not OrderedDict:
        return entries, complete
    if not complete or not all(is_any(type(key), (str, int, bytes)) for key, _ in entries):
        return entries, False
    try:
        return list(OrderedDict.items(obj)), True
    except (RuntimeError, KeyError):
        return entries, False


def mapping_entries(obj: types.MappingProxyType) -> dict | None:
    """Return the dict behind a mapping proxy, or None where it wraps something else."""
    for referent in gc.get_referents(obj):
        if descends(type(referent), dict):
            return referent
    return None


def frame_variables(frame: types.FrameType) -> list[tuple[str, Any]] | None:
    """Return what `f_locals` of a frame holds, or None where that is a mapping of the program's own."""
    namespace = frame.f_locals
    kind = type(namespace)
    if kind is FRAME_LOCALS and kind is not dict:
        return [(key, value) for key, value in namespace.items() if type(key) is str]
    if descends(kind, dict):
        return named_entries(namespace)[0]
    return None


def walk_traceback(traceback: types.TracebackType | None) -> Iterator[types.TracebackType]:
    """Yield the entries of a traceback, outermost first."""
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next
