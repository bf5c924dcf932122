"""Sample values: how they are written, which places they have, and how one place is changed."""

import collections
import contextlib
import functools
import importlib
import itertools
import string
import types

from model_ports import SHAPES, Location

# How many elements of an iterator are looked at: some never end.
DRAWN = 12


class Box:
    """A mutable object of a user class, compared, ordered and shown by its value."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == getattr(other, "value", other)

    def __lt__(self, other):
        return self.value < getattr(other, "value", other)

    def __le__(self, other):
        return self.value <= getattr(other, "value", other)

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"Box({self.value!r})"

    def __add__(self, other):
        return Box(self.value + getattr(other, "value", other))

    def __radd__(self, other):
        return Box(other + self.value)

    def __bool__(self):
        return bool(self.value)


def first(value):
    """A callback that returns a part of its argument."""
    return value[0]


def pair(*values):
    """A callback that keeps its arguments."""
    return list(values)


def same(value):
    """A callback that returns its argument."""
    return value


def large(value):
    """A predicate."""
    return value > 2


def lowest(value):
    """A sort key that reverses the order."""
    return -value


# Arguments that few functions like.
ODD = (None, object(), [], {}, "odd", -1, 2.5, len, type)

NAMES = {
    "Box": Box,
    "first": first,
    "pair": pair,
    "same": same,
    "large": large,
    "lowest": lowest,
}


class Modules(dict):
    """Names of samples: the helpers above, builtins, else modules of the library."""

    def __missing__(self, name):
        if hasattr(importlib.import_module("builtins"), name):
            raise KeyError(name)
        return importlib.import_module(name)


def evaluate(text, name):
    """Positional and named arguments of a sample. `own` is the class of the entry: of the constructor, or of the member."""

    def capture(*positional, **named):
        return positional, named

    def own(*arguments):
        return getattr(importlib.import_module("builtins"), name.split(".")[1])(
            *arguments
        )

    return eval(f"capture({text})", Modules(NAMES, capture=capture, own=own))


def draw_out(result):
    """The result with iterators and views as lists of what they yield, also inside tuples and lists."""
    if isinstance(result, collections.abc.Iterator) and not hasattr(result, "read"):
        return [draw_out(item) for item in itertools.islice(result, DRAWN)]
    if isinstance(
        result,
        (
            collections.abc.KeysView,
            collections.abc.ValuesView,
            collections.abc.ItemsView,
        ),
    ):
        return list(result)
    if type(result) is tuple:
        return tuple(draw_out(item) for item in result)
    return result


# The attributes that samples look into, by class.
ATTRIBUTES = {
    Box: ("value",),
    BaseException: (
        "args", "code", "value", "name", "obj", "path", "msg", "errno", "strerror", "filename", "filename2", "__notes__",
    ),
    slice: ("start", "stop", "step"),
    property: ("fget", "fset", "fdel"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    functools.partial: ("func", "args", "keywords"),
    string.Template: ("template",),
    contextlib.closing: ("thing",),
    contextlib.nullcontext: ("enter_result",),
}  # fmt: skip


def attributes(value):
    """The attributes of a value that are looked into, with their names."""
    if isinstance(value, types.SimpleNamespace):
        return dict(vars(value))
    if hasattr(value, "getvalue"):
        return {"contents": value.getvalue(), "position": value.tell()}
    names = next(
        (names for owner, names in ATTRIBUTES.items() if isinstance(value, owner)), ()
    )
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def children(value):
    """The parts of a value with the steps to them."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield ("key", key), key
            yield ("value", key), item
    elif isinstance(value, (list, tuple, collections.deque)):
        for place, item in enumerate(value):
            yield ("item", place), item
    if not hasattr(value, "getvalue"):
        for name, item in attributes(value).items():
            yield ("attr", name), item


def is_container(value):
    return isinstance(value, (dict, list, set, frozenset, collections.deque, bytearray))


def shape_of(value):
    """The step to the shape of a container."""
    if isinstance(value, dict):
        return ("order",)
    return ("member",) if isinstance(value, (set, frozenset)) else ("shape",)


def places(inputs):
    """All places that can be changed: leaves, and the shapes of containers."""
    found = []

    def visit(location, value, seen):
        if id(value) in seen:
            return
        parts = list(children(value))
        if is_container(value):
            found.append(location / shape_of(value))
        if (
            not parts
            and not callable(value)
            and not isinstance(value, (set, frozenset))
        ):
            found.append(location)
        for step, part in parts:
            visit(location / step, part, seen | {id(value)})

    for base, value in inputs.items():
        visit(Location(base), value, frozenset())
    return found


def changes(inputs, location):
    """Other values for a place."""
    value = look_up(inputs, location)
    if location.steps and location.steps[-1] in SHAPES:
        return ["more", "fewer", "none"]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, value + 7, 0]
    if isinstance(value, float):
        return [value + 0.5, -value, 0.25]
    if isinstance(value, str):
        return [value + "z", value[1:], value.swapcase(), "7" + value, "q"]
    if isinstance(value, (bytes, bytearray)):
        kind = type(value)
        return [kind(value + b"z"), kind(value[1:]), kind(value.swapcase()), kind(b"7")]
    return []


def look_up(inputs, location):
    """The value at a location."""
    value = inputs[location.base]
    for kind, *argument in location.steps:
        if kind in ("item", "value"):
            value = value[argument[0]]
        elif kind == "key":
            value = argument[0]
        elif kind == "attr":
            value = getattr(value, argument[0])
    return value


def apply(inputs, location, change):
    """Puts a change into the inputs, rebuilding the tuples on the way; False if it cannot be put there."""

    def rebuilt(value, steps):
        if not steps:
            return change
        (kind, *argument), rest = steps[0], steps[1:]
        if (kind, *argument) in SHAPES:
            return reshaped(value, change)
        if kind == "attr":
            setattr(value, argument[0], rebuilt(getattr(value, argument[0]), rest))
        elif kind == "key":
            content = [
                (rebuilt(key, rest) if key == argument[0] else key, item)
                for key, item in value.items()
            ]
            value.clear()
            value.update(content)
        elif isinstance(value, tuple):
            items = list(value)
            items[argument[0]] = rebuilt(items[argument[0]], rest)
            return type(value)(items) if type(value) is tuple else type(value)(*items)
        else:
            value[argument[0]] = rebuilt(value[argument[0]], rest)
        return value

    try:
        inputs[location.base] = rebuilt(inputs[location.base], location.steps)
    except (TypeError, ValueError, AttributeError):
        return False
    return True


def reshaped(value, change):
    """The container with one more element, one fewer, or none. One more is an element that it has already, if it may."""
    if isinstance(value, dict):
        if change == "none":
            value.clear()
        elif change == "fewer":
            if value:
                del value[next(iter(value))]
        elif value:
            value["more" if isinstance(next(iter(value)), str) else 98] = next(
                iter(value.values())
            )
    elif isinstance(value, frozenset):
        return (
            frozenset([*value, 97])
            if change == "more"
            else frozenset(sorted(value, key=repr)[1:])
        )
    elif isinstance(value, set):
        if change == "more":
            value.add(97)
        elif value:
            value.discard(min(value, key=repr))
    elif change == "none":
        value.clear()
    elif value:
        if change == "more":
            value.append(value[-1])
        else:
            value.pop()
    return value
