"""A record under construction: what does not fit any more is left out, and the record says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from healguard import scalars
from healguard.bounds import RECORD_TEXT, Full
from healguard.schedule import MODULE_LANE, Lane

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from healguard.heap import Heap


class Record:
    """The fields of one object, in the order of the file, all values met in one lane.

    Used as a context: reaching a bound inside ends the record there, marked cut.
    """

    def __init__(self, heap: Heap, identity: dict[str, Any], lane: Lane, secret: bool) -> None:
        self.heap = heap
        self.fields = identity
        self.lane = lane
        self.module_lane = MODULE_LANE[lane]
        self.secret = secret
        self._is_cut = False
        self._text_left = RECORD_TEXT

    def __enter__(self) -> Record:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if kind is not Full:
            return False
        self.cut(by_bound=True)
        return True

    def cut(self, by_bound: bool = False) -> None:
        """Say that the record does not hold all that the object does, because of a bound or otherwise."""
        self._is_cut = True
        self.heap.cut = self.heap.cut or by_bound

    def finish(self) -> dict[str, Any]:
        """Return the fields as they are written."""
        if self._is_cut:
            self.fields["cut"] = True
        return self.fields

    def put(self, field: str, obj: object, lane: Lane | None = None) -> None:
        """Set a field to the Value of an object."""
        secret = self.secret and field == "value"
        self.fields[field] = self.heap.value(obj, self.lane if lane is None else lane, secret)

    def spend(self, value: Any) -> Any:
        """Return a Value that is about to be written, or raise `Full` when the texts are too many."""
        if type(value) is str:
            self._text_left -= len(value)
        elif type(value) is dict and "bytes" in value:
            self._text_left -= len(value["bytes"])
        if self._text_left < 0:
            raise Full
        return value

    def mapping(self, field: str) -> _Mapping:
        """Begin a field that maps names to Values."""
        target = self.fields[field] = {}
        return _Mapping(self, target)

    def sequence(self, field: str) -> _Sequence:
        """Begin a field that lists Values."""
        target = self.fields[field] = []
        return _Sequence(self, target)

    def pairs(self, field: str) -> _Pairs:
        """Begin a field that lists pairs of key and Value."""
        target = self.fields[field] = []
        return _Pairs(self, target)


class _Mapping:
    def __init__(self, record: Record, target: dict[str, Any]) -> None:
        self._record = record
        self._target = target

    def add(self, name: str, obj: object, lane: Lane | None = None) -> None:
        """Add a Value; a name that JSON cannot carry is left out."""
        record = self._record
        if scalars.has_surrogate(name) or len(name) > record.heap.bounds.text:
            record.cut(by_bound=True)
            return
        place = record.lane if lane is None else lane
        self._target[name] = record.spend(record.heap.named(name, obj, place, record.secret))

    def update(self, entries: Iterable[tuple[str, object]]) -> None:
        """Add several Values."""
        for name, obj in entries:
            self.add(name, obj)


class _Sequence:
    def __init__(self, record: Record, target: list[Any]) -> None:
        self._record = record
        self._target = target

    def add(self, obj: object, name: str | None = None) -> None:
        """Add a Value, which a named field of a tuple may hold."""
        record = self._record
        secret = record.secret or (name is not None and record.heap.redactor.is_secret_name(name))
        self._target.append(record.spend(record.heap.value(obj, record.lane, secret)))


class _Pairs:
    def __init__(self, record: Record, target: list[Any]) -> None:
        self._record = record
        self._target = target

    def add(self, key: object, obj: object) -> None:
        """Add a pair. A key that is a name tells whether the value is a secret.

        Keys of a container that is secret itself are kept where they look like names of fields.
        """
        record = self._record
        name = _key_name(key)
        hide_key = record.secret and not (name is not None and name.isalpha() and len(name) < 24)
        written = record.heap.value(key, record.lane, hide_key)
        if name is None:
            value = record.heap.value(obj, record.lane, record.secret)
        else:
            value = record.heap.named(name, obj, record.lane, record.secret)
        self._target.append([record.spend(written), record.spend(value)])


def _key_name(key: object) -> str | None:
    """Return a key that may name what it holds: `os.environ` has its names as bytes."""
    if type(key) is str and len(key) <= 256:
        return key
    return key.decode("latin-1") if type(key) is bytes and len(key) <= 256 else None
