"""Records of data objects: instances, containers, methods, generators, and what C code made."""

from __future__ import annotations

import gc
import opcode
import types
import weakref
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from healguard import rawread
from healguard.classfacts import ClassFacts
from healguard.describe_code import CodeDescriber
from healguard.kinds import is_whole, layout_among, layout_name
from healguard.record import Record
from healguard.schedule import CONTENT_LANE, Lane
from healguard.setorder import stable_order
from healguard.sources import Sources

if TYPE_CHECKING:
    from healguard.heap import Heap

# Parts of the interpreter that would pull the live stack or the import system into the picture.
_PLUMBING = (types.FrameType, types.TracebackType, types.CodeType)
_PLAIN_CONTAINERS = (*rawread.ITEM_LAYOUTS, *rawread.ENTRY_LAYOUTS)

_method_self = types.MethodType.__dict__["__self__"].__get__
_method_function = types.MethodType.__dict__["__func__"].__get__
_weak_referent = weakref.ref.__call__
_partial_function = partial.__dict__["func"].__get__
_partial_arguments = partial.__dict__["args"].__get__
_partial_keywords = partial.__dict__["keywords"].__get__

_GENERATOR_FIELDS = {
    id(types.GeneratorType): ("gi_code", "gi_frame", "gi_running"),
    id(types.CoroutineType): ("cr_code", "cr_frame", "cr_running"),
    id(types.AsyncGeneratorType): ("ag_code", "ag_frame", "ag_running"),
}


class Describer:
    """Writes the record of an object, asking the heap for a Value of each thing that it holds."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self._code = CodeDescriber(heap)
        self._sources = Sources()
        self._contents = {
            "instance": self._instance,
            "opaque": self._opaque,
            "method": self._method,
            "partial": self._partial,
            "cell": self._cell,
            "generator": self._generator,
            "coroutine": self._generator,
            "dict": self._dict,
            **dict.fromkeys(("list", "tuple", "set", "frozenset", "deque"), self._items_only),
            **self._code.contents,
        }

    def describe(self, obj: object, lane: Lane, secret: bool) -> dict[str, Any]:
        """Return the record of an object; what does not fit is left out and the record marked cut."""
        facts = self._heap.classes.facts(type(obj))
        identity = self._heap.identities.identity(obj)
        record = Record(self._heap, identity, lane, secret)
        with record:
            record.put("class", facts.kind)
            self._contents[identity["kind"]](obj, facts, record)
        return record.finish()

    def holds_secrets(self, obj: object) -> bool:
        """Tell whether a secret name makes the contents of this object secret too."""
        facts = self._heap.classes.facts(type(obj))
        if rawread.is_any(facts.kind, _PLAIN_CONTAINERS) or facts.kind is bytearray:
            return True
        return layout_among(facts, rawread.VALUE_LAYOUTS) is not None

    def _instance(self, obj: object, facts: ClassFacts, record: Record) -> None:
        record.lane = CONTENT_LANE[record.lane]
        layout = layout_name(facts, self._heap.identities.dotted)
        if layout is not None:
            record.fields["layout"] = layout
        if not is_whole(facts):
            record.cut()
        self._attributes(obj, facts, record)
        value_layout = layout_among(facts, rawread.VALUE_LAYOUTS)
        item_layout = layout_among(facts, rawread.ITEM_LAYOUTS)
        if value_layout is not None:
            record.put("value", rawread.exact_value(obj, value_layout))
        elif item_layout is not None:
            self._items(obj, item_layout, facts, record)
        elif layout_among(facts, (dict,)) is not None:
            self._entries(obj, layout_among(facts, rawread.ENTRY_LAYOUTS) or dict, record)

    def _attributes(self, obj: object, facts: ClassFacts, record: Record) -> None:
        """Record slots and C fields, then the instance dict, which they take precedence over."""
        attributes = record.mapping("attributes")
        for name, descriptor in facts.fields.items():
            found, value = rawread.slot_value(descriptor, obj)
            if found:
                attributes.add(name, value)
        if rawread.descends(facts.kind, weakref.ref):
            # What it refers to is there as long as something else holds it.
            attributes.add("referent", _weak_referent(obj))
        entries, complete = self._instance_dict(facts, obj)
        if not complete:
            record.cut()
        for name, value in entries:
            if name not in facts.fields:
                attributes.add(name, value)

    def _items_only(self, obj: object, facts: ClassFacts, record: Record) -> None:
        record.lane = CONTENT_LANE[record.lane]
        if facts.kind is deque:
            self._attributes(obj, facts, record)
        self._items(obj, facts.kind, facts, record)

    def _items(self, obj: object, layout: type, facts: ClassFacts, record: Record) -> None:
        limit = self._heap.bounds.items
        items, complete = rawread.items_of(obj, layout, limit)
        if rawread.is_any(layout, rawread.SET_LAYOUTS):
            # A part of a set, chosen by hashes, would differ from run to run.
            items = stable_order(items, self._heap.identities) if complete else []
        if not complete:
            record.cut(by_bound=True)
        names = self._field_names(facts) if layout is tuple else ()
        sequence = record.sequence("items")
        for position, item in enumerate(items):
            sequence.add(item, names[position] if position < len(names) else None)

    def _field_names(self, facts: ClassFacts) -> tuple[str, ...]:
        """Return the field names of a namedtuple class: items are held under these names."""
        for ancestor in facts.mro:
            fields = self._heap.classes.facts(ancestor).entries.get("_fields")
            if type(fields) is tuple and all(type(name) is str for name in fields):
                return fields
        return ()

    def _dict(self, obj: object, facts: ClassFacts, record: Record) -> None:
        record.lane = CONTENT_LANE[record.lane]
        record.fields["layout"] = "dict"
        if facts.kind is types.MappingProxyType:
            mapping = rawread.mapping_entries(obj)
            if mapping is None:
                record.fields["entries"] = []
                record.cut()
                return
            self._entries(mapping, dict, record)
            return
        if facts.kind is not dict:
            self._attributes(obj, facts, record)
        self._entries(obj, facts.kind, record)

    def _entries(self, obj: object, layout: type, record: Record) -> None:
        entries, complete = rawread.entries_of(obj, layout, self._heap.bounds.items)
        if not complete:
            record.cut(by_bound=True)
        pairs = record.pairs("entries")
        for key, value in entries:
            pairs.add(key, value)

    def _opaque(self, obj: object, facts: ClassFacts, record: Record) -> None:
        if rawread.is_any(facts.kind, _PLUMBING):
            record.fields["referents"] = []
            record.cut()
            return
        record.lane = CONTENT_LANE[record.lane]
        if facts.kind is bytearray:
            record.put("value", rawread.exact_value(obj, bytearray))
        is_weak = rawread.descends(facts.kind, weakref.ref)
        if facts.fields or facts.dict_getter is not None or is_weak:
            self._attributes(obj, facts, record)
        referents = record.sequence("referents")
        for referent in gc.get_referents(obj):
            if referent is not facts.kind:
                referents.add(referent)

    def _method(self, obj: object, facts: ClassFacts, record: Record) -> None:
        record.put("self", _method_self(obj))
        record.put("function", _method_function(obj))

    def _partial(self, obj: object, facts: ClassFacts, record: Record) -> None:
        record.put("function", _partial_function(obj))
        arguments = record.sequence("arguments")
        for argument in tuple.__iter__(_partial_arguments(obj)):
            arguments.add(argument)
        entries, complete = rawread.named_entries(_partial_keywords(obj))
        if not complete:
            record.cut()
        record.mapping("keywords").update(entries)
        entries, complete = self._instance_dict(facts, obj)
        if entries:
            record.mapping("attributes").update(entries)

    def _cell(self, obj: types.CellType, facts: ClassFacts, record: Record) -> None:
        filled, contents = rawread.cell_value(obj)
        if filled:
            record.put("contents", contents)

    def _generator(self, obj: object, facts: ClassFacts, record: Record) -> None:
        """Record a generator or coroutine; one that may be resumed is `suspended` and has locals."""
        code_field, frame_field, running_field = _GENERATOR_FIELDS[id(facts.kind)]
        code = facts.entries[code_field].__get__(obj)
        frame = facts.entries[frame_field].__get__(obj)
        place = self._heap.identities.code_place(code)
        record.fields |= {
            "function": place["qualname"],
            "file": place["file"],
            "first_line": place["first_line"],
            "line": None if frame is None else frame.f_lineno,
            "suspended": frame is not None and not facts.entries[running_field].__get__(obj),
        }
        if frame is None:
            record.mapping("locals")
            return
        record.fields["started"] = _has_started(code, frame.f_lasti)
        record.fields |= self._sources.position(code, frame.f_lasti, frame.f_lineno, place["file"])
        self._heap.want_module(frame.f_globals, record.module_lane)
        variables = rawread.frame_variables(frame)
        if variables is None:
            record.cut()
        record.mapping("locals").update(variables or [])

    def _instance_dict(self, facts: ClassFacts, obj: object) -> tuple[list[tuple[str, Any]], bool]:
        """Return the entries of an instance's dict with string names, and whether these are all."""
        if facts.dict_getter is None:
            return [], True
        try:
            namespace = facts.dict_getter(obj)
        except (AttributeError, TypeError):
            return [], False
        if namespace is None:
            return [], True
        if not rawread.descends(type(namespace), dict):
            return [], False
        self._heap.note_dictionary(namespace, obj)
        return rawread.named_entries(namespace)


def _has_started(code: types.CodeType, lasti: int) -> bool:
    """Return whether a suspended body waits at a `yield` or `await`; else it has not begun."""
    return lasti >= 0 and opcode.opname[code.co_code[lasti]] in ("YIELD_VALUE", "SEND")
