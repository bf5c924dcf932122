"""Records of code objects: functions, classes, modules, and what wraps a function."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from healguard import rawread
from healguard.classfacts import ClassFacts
from healguard.modulenames import is_lazy
from healguard.record import Record
from healguard.schedule import CLASS_DATA_LANE

if TYPE_CHECKING:
    from collections.abc import Callable

    from healguard.heap import Heap

_NOT_RECORDED = frozenset({"__dict__", "__weakref__", "__doc__", "__module__"})
_CODE_TYPES = (types.FunctionType, property, staticmethod, classmethod)

_property_fields = tuple(
    (name, property.__dict__[field].__get__)
    for name, field in (("get", "fget"), ("set", "fset"), ("delete", "fdel"))
)
_static_function = staticmethod.__dict__["__func__"].__get__
_class_function = classmethod.__dict__["__func__"].__get__


class CodeDescriber:
    """Writes the kind-specific fields of code objects."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self.contents: dict[str, Callable[[Any, ClassFacts, Record], None]] = {
            "function": self._function,
            "class": self._class,
            "module": self._module,
            "builtin": self._builtin,
            "property": self._property,
            "staticmethod": self._wrapped,
            "classmethod": self._wrapped,
        }

    def _function(self, obj: types.FunctionType, facts: ClassFacts, record: Record) -> None:
        code = rawread.function_code(obj)
        self._heap.want_module(rawread.function_globals(obj), record.module_lane)
        closure(record, code.co_freevars, rawread.function_closure(obj) or (), "closure")
        defaults = rawread.function_defaults(obj) or ()
        names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
        sequence = record.sequence("defaults")
        for position, default in enumerate(tuple.__iter__(defaults)):
            sequence.add(default, names[position] if position < len(names) else None)
        self._named(record, "keyword_defaults", rawread.function_keyword_defaults(obj))
        self._named(record, "attributes", rawread.function_dict(obj))

    @staticmethod
    def _named(record: Record, field: str, namespace: dict | None) -> None:
        mapping = record.mapping(field)
        if namespace is not None and rawread.descends(type(namespace), dict):
            entries, complete = rawread.named_entries(namespace)
            if not complete:
                record.cut()
            mapping.update(entries)

    def _class(self, obj: type, facts: ClassFacts, record: Record) -> None:
        own = self._heap.classes.facts(obj)
        record.put("metaclass", facts.kind)
        for field, classes in (("bases", rawread.type_bases(obj)), ("mro", own.mro)):
            sequence = record.sequence(field)
            for entry in classes:
                sequence.add(entry)
        if own.compiled:
            return
        self._place(own, record)
        data_lane = CLASS_DATA_LANE[record.lane]
        attributes = record.mapping("attributes")
        for name, value in own.entries.items():
            if name not in _NOT_RECORDED:
                is_code = rawread.is_any(type(value), _CODE_TYPES)
                attributes.add(name, value, record.lane if is_code else data_lane)
        if len(own.entries) != len(rawread.type_dict(obj)):
            record.cut()  # attributes whose names are no strings

    def _place(self, own: ClassFacts, record: Record) -> None:
        """Set the file, found from a function of the class body, and the line where CPython keeps it."""
        prefix = own.qualname + "."
        for value in own.entries.values():
            if type(value) is types.FunctionType:
                code = rawread.function_code(value)
                if code.co_qualname.startswith(prefix):
                    record.fields["file"] = self._heap.identities.path(code.co_filename)
                    break
        line = own.entries.get("__firstlineno__")
        if type(line) is int:
            record.fields["first_line"] = line

    def _module(self, obj: types.ModuleType, facts: ClassFacts, record: Record) -> None:
        namespace = rawread.module_dict(obj)
        if type(namespace) is dict and not is_lazy(facts.kind):
            self._heap.want_module(namespace, record.module_lane)
        else:
            record.cut()

    def _builtin(self, obj: Any, facts: ClassFacts, record: Record) -> None:
        if "__self__" in facts.entries:
            owner = facts.entries["__self__"].__get__(obj)
            if owner is not None and not rawread.descends(type(owner), types.ModuleType):
                record.put("self", owner)

    def _property(self, obj: property, facts: ClassFacts, record: Record) -> None:
        for field, getter in _property_fields:
            record.put(field, getter(obj))

    def _wrapped(self, obj: Any, facts: ClassFacts, record: Record) -> None:
        getter = _static_function if facts.kind is staticmethod else _class_function
        record.put("function", getter(obj))


def closure(
    record: Record, names: tuple[str, ...], cells: tuple[types.CellType, ...], field: str
) -> None:
    """Set the contents of cells by variable, and references to the cells themselves.

    The contents are what a reader wants to know; two functions that share a variable share its cell.
    """
    contents = record.mapping(field)
    references = record.fields["cell_refs"] = {}
    for name, cell in zip(names, cells, strict=False):
        filled, value = rawread.cell_value(cell)
        if filled:
            contents.add(name, value)
        references[name] = record.heap.value(cell, record.lane)
