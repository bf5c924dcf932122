"""Values digest by type and state."""

from __future__ import annotations

import collections
import enum
import io
import sqlite3
import types

import pytest

from healguard_lab.value_digest import Digester


class Node:
    def __init__(self, value: object) -> None:
        self.value = value
        self.next = self


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self, left: object) -> None:
        self.left = left


class Loud:
    """Raises whenever its code runs."""

    def __init__(self) -> None:
        object.__setattr__(self, "held", 1)

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(name)

    __eq__ = __hash__ = __repr__ = __len__ = __iter__ = __reduce_ex__ = __getattribute__


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Names(dict):
    pass


def digest(value: object, temporary: str = "/tmp/of-this-run") -> str:
    return Digester(lambda path: path == __file__, temporary).digest(value)


def generator(value: object):
    yield value


def started(value: object):
    running = generator(value)
    next(running)
    return running


def database(rows: list[tuple[int]]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (a)")
    connection.executemany("insert into t values (?)", rows)
    return connection


MAKERS = {
    "int": (lambda x: x),
    "text": (lambda x: f"text {x}"),
    "list": (lambda x: [x, 3]),
    "nested": (lambda x: {"a": [(x,)]}),
    "dict key": (lambda x: {x: 1}),
    "subclass of dict": (lambda x: Names(a=x)),
    "set": (lambda x: {x, 10, 20}),
    "object": (lambda x: Node(x)),
    "slots": (lambda x: Slotted(x)),
    "exception": (lambda x: ValueError(x)),
    "function default": (lambda x: lambda y=x: y),
    "closure": (lambda x: lambda: x),
    "generator": (lambda x: started(x)),
    "iterator": (lambda x: iter([x])),
    "memory file": (lambda x: io.StringIO(str(x))),
    "deque": (lambda x: collections.deque([x])),
    "namespace": (lambda x: types.SimpleNamespace(a=x)),
    "database": (lambda x: database([(x,)])),
    "enum": (lambda x: Color(x)),
    "bound method": (lambda x: Node(x).__init__),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_equal_states_digest_alike_and_different_ones_differ(kind: str) -> None:
    make = MAKERS[kind]
    assert digest(make(1)) == digest(make(1))
    assert digest(make(1)) != digest(make(2))


DIFFERENT = [
    1,
    1.0,
    True,
    "1",
    b"1",
    (1,),
    [1],
    {1},
    frozenset([1]),
    Names(),
    {},
    None,
    Node,
    Node(1),
]


def test_values_of_different_types_all_differ() -> None:
    assert len({digest(value) for value in DIFFERENT}) == len(DIFFERENT)


def test_the_order_of_sets_and_dicts_does_not_count_that_of_lists_does() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest(collections.OrderedDict(a=1, b=2)) != digest(collections.OrderedDict(b=2, a=1))
    assert digest([1, 2]) != digest([2, 1])


def test_shared_parts_count_by_value_not_by_identity() -> None:
    shared = [1]
    assert digest([shared, shared]) == digest([[1], [1]])


def test_cycles_end_and_their_shape_counts() -> None:
    first, second = Node(1), Node(1)
    assert digest(first) == digest(second)
    first.next = Node(1)
    assert digest(first) != digest(second)


def test_a_long_chain_does_not_exhaust_the_stack() -> None:
    def chain(last: object) -> list:
        for _ in range(20_000):
            last = [last]
        return last

    assert digest(chain(1)) != digest(chain(2))


def test_reading_a_value_runs_none_of_its_code() -> None:
    value = Loud()
    before = digest(value)
    object.__setattr__(value, "held", 2)
    assert digest(value) != before


def test_class_attributes_of_the_program_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(Node(1))
    monkeypatch.setattr(Node, "rate", 5, raising=False)
    assert digest(Node(1)) != before


def test_the_folder_for_temporary_files_does_not_count() -> None:
    assert digest("/a/file", "/a") == digest("/b/file", "/b")
    assert digest(b"/a/file", "/a") == digest(b"/b/file", "/b")
    assert digest("/a/file", "/a") != digest("/a/other", "/a")
