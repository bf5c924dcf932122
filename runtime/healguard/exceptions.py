"""The exception of a crash, with what caused it, without calling its `__str__`."""

from __future__ import annotations

from typing import Any

from healguard import rawread, scalars
from healguard.classfacts import ClassFacts
from healguard.heap import Heap
from healguard.record import Record
from healguard.schedule import Lane

_LONGEST_CHAIN = 24
_SAFE_DEPTH = 3
_SAFE_ITEMS = 64
_SCALARS = (str, int, float, bool, bytes, complex, type(None))
# What an AttributeError and a NameError keep for suggestions is no part of their text.
_NOT_IN_TEXT = frozenset({"obj"})


class ExceptionWriter:
    """Writes an exception and the exceptions behind it, each once."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self._written: set[int] = set()
        self._kept: list[BaseException] = []  # keeps identities valid

    def write(self, error: BaseException, depth: int = 0) -> dict[str, Any]:
        """Return the record of an exception.

        `cause` and `context` are None where there is none, where it stands elsewhere in the chain
        already, and, marked by `cut`, where the chain is too long.
        """
        self._written.add(id(error))
        self._kept.append(error)
        record = self._own(error)
        for field, getter in (
            ("cause", rawread.exception_cause),
            ("context", rawread.exception_context),
        ):
            behind = getter(error)
            record[field] = None
            if behind is None or id(behind) in self._written:
                continue
            if depth + 1 < _LONGEST_CHAIN:
                record[field] = self.write(behind, depth + 1)
            else:
                record["cut"] = self._heap.cut = True
        return record

    def _own(self, error: BaseException) -> dict[str, Any]:
        facts = self._heap.classes.facts(type(error))
        identity = {
            "type": self._heap.identities.dotted(facts.kind),
            "message": self._message(error),
        }
        record = Record(self._heap, identity, Lane.LOCALS, secret=False)
        record.fields["attributes"] = {}
        with record:
            attributes = record.mapping("attributes")
            for name, value in self._attributes(error):
                attributes.add(name, value)
        return record.finish()

    def _attributes(self, error: BaseException) -> list[tuple[str, Any]]:
        """Return the fields of the exception's C base, then what its dict holds."""
        facts = self._heap.classes.facts(type(error))
        entries = {}
        for name, descriptor in facts.fields.items():
            found, value = rawread.slot_value(descriptor, error)
            if found:
                entries[name] = value
        if facts.dict_getter is not None:
            namespace = facts.dict_getter(error)
            if type(namespace) is dict:
                for name, value in rawread.named_entries(namespace)[0]:
                    entries.setdefault(name, value)
        return list(entries.items())

    def _message(self, error: BaseException) -> str:
        """Return the text of the exception, made by C code from plain values, or from its arguments."""
        text = self._text_by_interpreter(error)
        if text is None:
            text = ", ".join(
                self._describe(argument) for argument in rawread.exception_args(error)[:_SAFE_ITEMS]
            )
        limit = self._heap.bounds.text
        return scalars.plain_text(self._heap.redactor.cleanse(text[: limit * 2]), limit)

    def _text_by_interpreter(self, error: BaseException) -> str | None:
        """Return `str(error)` where nothing but the interpreter's own code takes part in it."""
        facts = self._heap.classes.facts(type(error))
        for ancestor in facts.mro:
            own = self._heap.classes.facts(ancestor)
            method = own.entries.get("__str__")
            if method is None:
                continue
            if own.module != "builtins" or not own.compiled:
                return None
            if not all(is_plain(value, _SAFE_DEPTH) for _, value in self._fields(error, facts)):
                return None
            try:
                return method(error)
            except Exception:  # a number too long for a text, for one
                return None
        return None

    @staticmethod
    def _fields(error: BaseException, facts: ClassFacts) -> list[tuple[str, Any]]:
        """Return the fields that C code may put into the text."""
        hidden = _NOT_IN_TEXT
        if any(entry is BaseExceptionGroup for entry in facts.mro):
            hidden = hidden | {"args", "exceptions"}  # a group tells only how many there are
        found = [
            (name, *rawread.slot_value(descriptor, error))
            for name, descriptor in facts.fields.items()
            if name not in hidden
        ]
        return [(name, value) for name, is_set, value in found if is_set]

    def _describe(self, argument: object) -> str:
        if type(argument) is str:
            return argument
        if is_plain(argument, 0) and not (type(argument) is int and argument.bit_length() > 4096):
            return repr(argument)
        return f"<{self._heap.identities.dotted(type(argument))} object>"


def is_plain(value: object, depth: int) -> bool:
    """Tell whether making a text of a value runs no code of the program, and not much of any."""
    kind = type(value)
    if rawread.is_any(kind, _SCALARS):
        return True
    if depth == 0:
        return False
    if rawread.is_any(kind, (tuple, list)):
        return len(value) <= _SAFE_ITEMS and all(is_plain(item, depth - 1) for item in value)
    if kind is dict:
        return len(value) <= _SAFE_ITEMS and all(
            is_plain(key, depth - 1) and is_plain(item, depth - 1) for key, item in value.items()
        )
    return False
