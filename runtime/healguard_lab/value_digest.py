"""Values by type and state, deeply: equal values digest alike in every process.

Identity and addresses never count, sets and dicts count without their order, and a
cycle counts by the way back to where it closes. No code of the program runs while
a value is read.
"""

from __future__ import annotations

import collections
import contextlib
import enum
import hashlib
import io
import pathlib
import re
import sqlite3
import sys
import types
from collections.abc import Callable, Iterator

PREVIEW_LENGTH = 200
NODE_LIMIT = 500_000
RECURSION_LIMIT = 200_000
TEMPORARY = "<tmp>"

ATOMS = (bool, int, float, complex, type(None), type(Ellipsis), type(NotImplemented))
BASES: tuple[tuple[type, Callable[[object], object]], ...] = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (bytearray, lambda value: bytes(bytearray.__getitem__(value, slice(None)))),
    (list, lambda value: list.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (
        collections.OrderedDict,
        lambda value: list(collections.OrderedDict.items(value)),
    ),
    (dict, lambda value: _Bag(_Pair(pair) for pair in dict.items(value))),
    (set, lambda value: _Bag(set.__iter__(value))),
    (frozenset, lambda value: _Bag(frozenset.__iter__(value))),
    (collections.deque, lambda value: list(collections.deque.__iter__(value))),
    (BaseException, lambda value: BaseException.args.__get__(value)),
)


class TooLargeError(Exception):
    """A value has more parts than the laboratory is willing to look at."""


class _Bag(list):
    """Parts whose order does not count."""


class _Pair(tuple):
    """A key and its value."""


class Digester:
    """Digests values of one run.

    `is_own` tells whether a file belongs to the program or its packages: classes
    from there count with the data they hold, all others by name. `temporary` is the
    folder for temporary files, which may be called differently in each run.
    """

    def __init__(self, is_own: Callable[[str], bool], temporary: str) -> None:
        self._is_own = is_own
        self._temporary = temporary
        self._depths: dict[int, int] = {}
        self._closed: dict[int, bytes] = {}
        self._alive: list[object] = []

    def digest(self, value: object) -> str:
        """The digest of one value as hexadecimal text; raises `TooLargeError`."""
        self._depths, self._closed, self._alive = {}, {}, []
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            return self._node(value)[0].hex()
        finally:
            sys.setrecursionlimit(limit)
            self._depths, self._closed, self._alive = {}, {}, []

    def preview(self, value: object, depth: int = 4) -> str:
        """A short text for reports; it tells no two values apart that it must not."""
        if type(value) in ATOMS:
            return repr(value)
        for base, content in BASES[:5]:
            if issubclass(type(value), base):
                text = repr(content(value)).replace(self._temporary, TEMPORARY)
                return text if len(text) <= PREVIEW_LENGTH else text[:PREVIEW_LENGTH] + "…"
        if depth == 0:
            return f"<{type_name(type(value))}>"
        label, parts = self._shape(value)
        shown = [self._preview_part(part, depth - 1) for part in parts[:8]]
        if len(parts) > 8:
            shown.append("…")
        return f"{label}({', '.join(shown)})"[: 2 * PREVIEW_LENGTH]

    def _preview_part(self, part: object, depth: int) -> str:
        if isinstance(part, _Pair):
            key, value = part
            return f"{self.preview(key, depth)}: {self.preview(value, depth)}"
        if type(part) in (_Bag, list):
            inner = sorted(self._preview_part(item, depth) for item in part[:8])
            return "{" + ", ".join(inner) + "}"
        return self.preview(part, depth)

    def _node(self, value: object) -> tuple[bytes, int]:
        """Digest and the lowest depth that the value refers back to."""
        depth = len(self._depths)
        if type(value) in ATOMS:
            return hashed("atom", type(value).__name__, repr(value)), depth
        if type(value) is str:
            return hashed("str", value.replace(self._temporary, TEMPORARY)), depth
        if type(value) is bytes:
            return hashed(
                "bytes", value.replace(self._temporary.encode(), TEMPORARY.encode())
            ), depth
        key = id(value)
        if key in self._closed:
            return self._closed[key], depth
        if key in self._depths:
            return hashed("cycle", str(depth - self._depths[key])), self._depths[key]
        if len(self._alive) >= NODE_LIMIT:
            raise TooLargeError(f"a watched value has more than {NODE_LIMIT} parts")
        self._alive.append(value)
        self._depths[key] = depth
        label, parts = self._shape(value)
        digest, lowest = self._combine(label, parts)
        del self._depths[key]
        if lowest >= depth:
            self._closed[key] = digest
        return digest, lowest

    def _combine(self, label: str, parts: list) -> tuple[bytes, int]:
        """Digest of a label over parts, in order unless the parts are a bag."""
        digests, lowest = [], len(self._depths)
        for part in parts:
            if type(part) is _Pair:
                digest, low = self._combine("pair", list(part))
            elif type(part) is _Bag:
                digest, low = self._combine("bag", part)
            else:
                digest, low = self._node(part)
            digests.append(digest)
            lowest = min(lowest, low)
        if type(parts) is _Bag:
            digests.sort()
        return hashed(label, *digests), lowest

    def _shape(self, value: object) -> tuple[str, list]:
        """What a value consists of: its type's name and its parts."""
        kind = type(value)
        for known, shape in (
            (types.FunctionType, self._function),
            (types.ModuleType, lambda module: [module.__name__]),
            (type, self._class_data),
            (enum.Enum, lambda member: [member._name_]),
            (pathlib.PurePath, lambda path: [pathlib.PurePath.__str__(path)]),
        ):
            if issubclass(kind, known):
                label = type_name(value) if known is type else type_name(kind)
                return label, shape(value)
        parts: list = []
        for base, content in BASES:
            if issubclass(kind, base):
                inner = content(value)
                whole = type(inner) in (_Bag, str, int, float, bytes)
                parts.extend([inner] if whole else inner)
                break
        else:
            parts.extend(self._opaque(value))
        attributes = _Bag(_Pair(item) for item in instance_attributes(value))
        if attributes:
            parts.append(attributes)
        if self._owned_classes(kind):
            parts.extend(self._class_data(kind))
        return type_name(kind), parts

    def _function(self, function: types.FunctionType) -> list:
        """A function by name and by what it carries along."""
        cells = [cell_content(cell) for cell in function.__closure__ or ()]
        return [
            function.__module__,
            function.__qualname__,
            function.__defaults__,
            function.__kwdefaults__,
            *cells,
            dict(function.__dict__),
        ]

    def _owned_classes(self, kind: type) -> list[type]:
        return [
            base
            for base in kind.__mro__
            if self._is_own(getattr(sys.modules.get(base.__module__), "__file__", None) or "")
        ]

    def _class_data(self, kind: type) -> list:
        """The data attributes of the classes of the program among the bases."""
        if isinstance(kind, enum.EnumMeta):
            return []
        data = _Bag()
        for base in self._owned_classes(kind):
            for name, value in type.__getattribute__(base, "__dict__").items():
                if not is_dunder(name) and is_data(value):
                    data.append(_Pair((f"{base.__qualname__}.{name}", value)))
        return [data] if data else []

    def _opaque(self, value: object) -> list:
        """State of objects whose content lives outside Python attributes."""
        kind = type(value)
        if issubclass(kind, sqlite3.Connection):
            return database_state(value)
        if issubclass(kind, (io.StringIO, io.BytesIO)):
            return memory_file_state(value)
        if kind in (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.FileIO):
            return [str(value.name), str(value.mode)]
        if issubclass(kind, re.Pattern):
            return [value.pattern, value.flags]
        if issubclass(kind, types.MethodType):
            return [value.__func__, value.__self__]
        if issubclass(kind, types.BuiltinFunctionType):
            return [value.__qualname__, value.__self__]
        if issubclass(kind, types.MappingProxyType):
            return [_Bag(_Pair(pair) for pair in value.items())]
        if issubclass(kind, types.CellType):
            return [cell_content(value)]
        if issubclass(kind, types.GeneratorType):
            return generator_state(value)
        return reduced_state(value)


def hashed(*parts: str | bytes) -> bytes:
    """A digest over parts of known boundaries."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.digest()


def type_name(kind: type) -> str:
    """Module and qualified name; the entry of the program is module `main`."""
    module = kind.__module__
    return f"{'main' if module == '__main__' else module}.{kind.__qualname__}"


def is_dunder(name: str) -> bool:
    """Whether Python itself gives a name its meaning."""
    return name.startswith("__") and name.endswith("__")


def is_data(value: object) -> bool:
    """Whether a class attribute is data rather than behaviour."""
    return not (
        isinstance(value, (type, types.ModuleType))
        or any("__get__" in base.__dict__ for base in type(value).__mro__)
    )


def instance_attributes(value: object) -> Iterator[tuple[str, object]]:
    """Names and values in the instance's dictionary and slots, read directly."""
    for base in type(value).__mro__:
        members = type.__getattribute__(base, "__dict__")
        holder = members.get("__dict__")
        if isinstance(holder, types.GetSetDescriptorType):
            yield from holder.__get__(value).items()
            break
    for base in type(value).__mro__:
        for name, member in type.__getattribute__(base, "__dict__").items():
            if isinstance(member, types.MemberDescriptorType) and not is_dunder(name):
                with contextlib.suppress(AttributeError):
                    yield name, member.__get__(value)


def cell_content(cell: types.CellType) -> object:
    """What a closure cell holds; a marker where it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return "<empty cell>"


def generator_state(generator: types.GeneratorType) -> list:
    """Where a generator stands and the locals it holds there."""
    frame = generator.gi_frame
    if frame is None:
        return [generator.__qualname__, "finished"]
    return [generator.__qualname__, frame.f_lasti, dict(frame.f_locals)]


def memory_file_state(value: io.StringIO | io.BytesIO) -> list:
    """The whole content of a file in memory, and where it is read next."""
    base = io.StringIO if issubclass(type(value), io.StringIO) else io.BytesIO
    try:
        return [base.getvalue(value), base.tell(value)]
    except ValueError:
        return ["<closed>"]


def database_state(connection: sqlite3.Connection) -> list:
    """The rows that a connection sees, committed or not, read from a copy."""
    try:
        pages = sqlite3.Connection.serialize(connection)
        with contextlib.closing(sqlite3.connect(":memory:")) as copy:
            if pages:
                copy.deserialize(pages)
            return [*copy.iterdump(), connection.in_transaction]
    except (sqlite3.Error, AttributeError):
        return ["<unreadable database>"]


def reduced_state(value: object) -> list:
    """State of a built-in object through its type's own pickling protocol.

    Only protocols written in C are asked: a method of the program would run its
    code. Types without one count by their name.
    """
    for base in type(value).__mro__:
        if base is object:
            return []
        for name, arguments in (("__reduce_ex__", (2,)), ("__reduce__", ())):
            method = type.__getattribute__(base, "__dict__").get(name)
            if isinstance(method, types.MethodDescriptorType):
                try:
                    reduced = method(value, *arguments)
                except Exception:
                    return []
                return list(reduced) if isinstance(reduced, tuple) else [reduced]
    return []
