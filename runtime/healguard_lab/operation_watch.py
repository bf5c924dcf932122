"""Records each call of a protected operation that has a Python body.

Bodies are recognised by their code object when they start to run, so it does not
matter through which name, registry, decorator or bound method they are called.
"""

from __future__ import annotations

import dis
import inspect
import sys
import threading
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from healguard_lab.journal import ABSENT, Journal
from healguard_lab.operation_names import (
    find,
    is_pattern,
    matches,
    module_of,
    python_body,
    raw_attribute,
    receives,
    wraps,
)
from healguard_lab.protections import Operation

RECEIVER_NAMES = ("self", "cls")
CONSTRUCTORS = ("__init__", "__new__")
SUSPENDABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class Body:
    """A code object that is the body of a protected operation."""

    operation: Operation
    name: str
    owner: type | None
    has_receiver: bool
    is_constructor: bool


class OperationWatch:
    """A profile hook that writes an event whenever a protected body starts."""

    def __init__(
        self,
        operations: list[Operation],
        journal: Journal,
        is_own: Callable[[str], bool],
    ) -> None:
        self._operations = {op.name: op for op in operations if not is_pattern(op)}
        self._patterns = [op for op in operations if is_pattern(op)]
        self._pending = dict(self._operations)
        self._journal = journal
        self._is_own = is_own
        self._bodies: dict[types.CodeType, list[Body]] = {}
        self.matched: set[str] = set()

    def start(self) -> None:
        """Watch from now on, in this thread and in those it starts."""
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    def unresolved(self) -> list[str]:
        """Operations that nothing in the program answered to."""
        names = set(self._pending) | {op.name for op in self._patterns}
        return sorted(names - self.matched)

    def settled(self, name: str) -> None:
        """Say that an operation is watched in another way."""
        self._pending.pop(name, None)
        self.matched.add(name)

    def _on_event(self, frame: types.FrameType, event: str, _: object) -> None:
        if event != "call" or self._journal.busy:
            return
        code = frame.f_code
        if code not in self._bodies:
            self._bodies[code] = list(self._named_bodies(frame))
        if self._pending:
            self._resolve_pending()
        for body in self._bodies[code]:
            if starts(frame):
                self._record(body, frame)

    def _named_bodies(self, frame: types.FrameType) -> Iterator[Body]:
        """The operations whose definition this code is, by module and name."""
        code = frame.f_code
        if not code.co_flags & inspect.CO_OPTIMIZED:
            return  # the body of a class or module: it runs under the name of what it defines
        module = module_of(str(frame.f_globals.get("__name__")))
        name = f"{module}.{code.co_qualname}"
        outer, _, last = name.rpartition(".")
        names = [outer, name] if last in CONSTRUCTORS else [name]
        for candidate in names:
            operation = self._operations.get(candidate) or self._pattern_for(candidate)
            if operation is None:
                continue
            self.settled(operation.name)
            self.settled(candidate)
            yield Body(
                operation,
                candidate,
                None,
                takes_receiver(name, code),
                candidate != name,
            )

    def _pattern_for(self, name: str) -> Operation | None:
        if name.endswith(">"):
            return None
        return next((op for op in self._patterns if matches(op.name, name)), None)

    def _resolve_pending(self) -> None:
        """Look for operations that are defined elsewhere than they are named."""
        for name, operation in list(self._pending.items()):
            found = find(name)
            code = python_body(found.value) if found is not None else None
            if found is None or code is None:
                continue
            if wraps(found.value, name):
                self.settled(name)
                continue
            constructor = isinstance(found.value, type)
            owner = found.value if constructor else found.owner
            body = Body(
                operation,
                name,
                owner if isinstance(owner, type) else None,
                receives(found.value, isinstance(owner, type)),
                constructor,
            )
            self.settled(name)
            if name not in {known.name for known in self._bodies.get(code, [])}:
                self._bodies.setdefault(code, []).append(body)

    def _record(self, body: Body, frame: types.FrameType) -> None:
        arguments = Arguments.of(frame, body.has_receiver)
        if body.owner is not None and body.has_receiver:
            receiver = arguments.receiver
            kind = receiver if isinstance(receiver, type) else type(receiver)
            if not issubclass(kind, body.owner):
                return
        watched: dict[str, object] = {}
        for key, value in arguments.watched(body.operation.arguments):
            if value is UNKNOWN:
                self._journal.problem(f"{body.name} has no argument {key!r}")
            else:
                watched[f"argument {key}"] = value
        if body.operation.receiver and body.has_receiver and not body.is_constructor:
            watched["receiver"] = arguments.receiver
        if body.operation.reads:
            for name, value in self._reads(frame):
                watched[f"reads {name}"] = value
        self._journal.event(body.name, watched)

    def _reads(self, frame: types.FrameType) -> Iterator[tuple[str, object]]:
        """The module globals and cells that a body names."""
        names = names_in(frame.f_code)
        for name in sorted(names.globals & frame.f_globals.keys()):
            value = frame.f_globals[name]
            if isinstance(value, types.ModuleType) and self._is_own(
                getattr(value, "__file__", None) or ""
            ):
                for part in sorted(names.attributes & value.__dict__.keys()):
                    yield f"{name}.{part}", value.__dict__[part]
            else:
                yield name, value
        cells = frame.f_locals
        for name in frame.f_code.co_freevars:
            yield name, cells.get(name, ABSENT)


UNKNOWN = object()


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call as its body receives them."""

    receiver: object
    positional: dict[str, object]
    keywords: dict[str, object]
    rest: tuple | None
    rest_name: str
    extra: dict | None
    extra_name: str

    @classmethod
    def of(cls, frame: types.FrameType, has_receiver: bool) -> Arguments:
        """Read the arguments of a frame that has just started."""
        code, values = frame.f_code, frame.f_locals
        names = list(code.co_varnames)
        count, only = code.co_argcount, code.co_kwonlyargcount
        positional = {name: values.get(name, ABSENT) for name in names[:count]}
        keywords = {name: values.get(name, ABSENT) for name in names[count : count + only]}
        rest_name = extra_name = ""
        following = count + only
        if code.co_flags & inspect.CO_VARARGS:
            rest_name, following = names[following], following + 1
        if code.co_flags & inspect.CO_VARKEYWORDS:
            extra_name = names[following]
        rest, extra = values.get(rest_name), values.get(extra_name)
        receiver = None
        if has_receiver and positional:
            receiver = positional.pop(next(iter(positional)))
        elif has_receiver and rest:
            receiver, rest = rest[0], rest[1:]
        return cls(receiver, positional, keywords, rest, rest_name, extra, extra_name)

    def watched(self, wanted: tuple[str | int, ...] | None) -> Iterator[tuple[str | int, object]]:
        """The wanted arguments; `UNKNOWN` where the body cannot have them."""
        if wanted is None:
            yield from self.positional.items()
            yield from self.keywords.items()
            if self.rest is not None:
                yield f"*{self.rest_name}", self.rest
            if self.extra is not None:
                yield f"**{self.extra_name}", self.extra
            return
        for key in wanted:
            yield key, self.at(key) if type(key) is int else self.called(str(key))

    def at(self, position: int) -> object:
        """The argument at a position, the receiver not counted."""
        values = [*self.positional.values(), *(self.rest or ())]
        if position < len(values):
            return values[position]
        return UNKNOWN if self.rest is None else ABSENT

    def called(self, name: str) -> object:
        """The argument of a name."""
        for values in (self.positional, self.keywords):
            if name in values:
                return values[name]
        if name == self.rest_name and self.rest is not None:
            return self.rest
        if self.extra is None:
            return UNKNOWN
        return self.extra if name == self.extra_name else self.extra.get(name, ABSENT)


@dataclass(frozen=True)
class Names:
    """Names that occur in a body: of globals, and of attributes."""

    globals: frozenset[str]
    attributes: frozenset[str]


_NAMES: dict[types.CodeType, Names] = {}


def names_in(code: types.CodeType) -> Names:
    """The names in a body and in the functions written inside it."""
    if code not in _NAMES:
        globals_, attributes = set(), set()
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                globals_.add(instruction.argval)
            elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                attributes.add(instruction.argval)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                inner = names_in(constant)
                globals_ |= inner.globals
                attributes |= inner.attributes
        _NAMES[code] = Names(frozenset(globals_), frozenset(attributes))
    return _NAMES[code]


def starts(frame: types.FrameType) -> bool:
    """Whether a body begins; a generator or coroutine also runs when it resumes."""
    if not frame.f_code.co_flags & SUSPENDABLE:
        return True
    position = frame.f_lasti
    code = frame.f_code.co_code
    return position < 0 or code[position + 1] & 0x3 == 0


def takes_receiver(name: str, code: types.CodeType) -> bool:
    """Whether the first parameter of a body is the object it is called on."""
    outer, _, last = name.rpartition(".")
    owner = find(outer)
    if owner is not None:
        return receives(raw_attribute(owner.value, last), isinstance(owner.value, type))
    first = code.co_varnames[:1] if code.co_argcount else ()
    return bool(first) and first[0] in RECEIVER_NAMES
