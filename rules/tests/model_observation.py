"""What can be seen of values before and after a call: snapshots, their differences, identities, classes."""

import collections
import re
import types

from model_ports import SHAPES, Location
from model_values import Box, attributes, children


def snapshot(value, depth=8):
    """A picture of a value that later changes do not touch: (kind, content)."""
    if depth == 0:
        return ("deep", None)
    if isinstance(value, dict):
        return (
            "dict",
            [(key, snapshot(item, depth - 1)) for key, item in value.items()],
        )
    if isinstance(value, (set, frozenset)):
        return ("set", sorted(map(repr, value)))
    if isinstance(value, (list, tuple, collections.deque, bytearray, memoryview)):
        return ("sequence", [snapshot(item, depth - 1) for item in value])
    if parts := attributes(value):
        content = [("class", ("leaf", type(value).__qualname__))]
        return (
            "object",
            content
            + [(name, snapshot(item, depth - 1)) for name, item in parts.items()],
        )
    return ("leaf", leaf(value))


def leaf(value):
    """Text of a value without parts; without addresses."""
    if isinstance(value, re.Match):
        return repr((value.re.pattern, value.string, value.span(), value.groups()))
    if hasattr(value, "hexdigest"):
        return value.hexdigest()
    if callable(value) or isinstance(value, types.ModuleType):
        return getattr(value, "__qualname__", type(value).__qualname__)
    return f"{type(value).__qualname__} {re.sub(' at 0x[0-9a-f]+', '', repr(value))}"


def snapshot_inputs(inputs):
    return {base: snapshot(value) for base, value in inputs.items()}


def differences(location, one, other):
    """The outermost locations at which two snapshots differ."""
    if one == other:
        return
    kind, content = one
    if kind != other[0] or kind in ("leaf", "deep"):
        yield location
    elif kind == "set":
        yield location / ("member",)
    elif kind == "sequence":
        if len(content) != len(other[1]):
            yield location / ("shape",)
        for place, (left, right) in enumerate(zip(content, other[1], strict=False)):
            yield from differences(location / ("item", place), left, right)
    else:
        left, right = dict(content), dict(other[1])
        step = "value" if kind == "dict" else "attr"
        if list(left) != list(right):
            yield location / ("order",)
        for key in left.keys() & right.keys():
            yield from differences(location / (step, key), left[key], right[key])


def at(location, tree):
    """The part of a snapshot at a location; None where there is none."""
    for kind, *argument in location.steps:
        if tree is None or kind in ("shape", "order", "member"):
            return tree
        if tree[0] == "sequence":
            tree = tree[1][argument[0]] if argument[0] < len(tree[1]) else None
        elif tree[0] in ("dict", "object"):
            tree = dict(tree[1]).get(argument[0])
        else:
            return None
    return tree


def is_untouched(target, before, after, changed_before, changed_after):
    """Whether a place of the inputs differs only because the change was made there: neither run touched it."""
    if target.steps and target.steps[-1] in SHAPES:
        holder = Location(target.base, target.steps[:-1])
        return keys(at(holder, before)) == keys(at(holder, after)) and keys(
            at(holder, changed_before)
        ) == keys(at(holder, changed_after))
    return at(target, before) == at(target, after) and at(target, changed_before) == at(
        target, changed_after
    )


def keys(tree):
    """The shape of a snapshot."""
    if tree is None or tree[0] in ("leaf", "deep", "set"):
        return tree
    return len(tree[1]) if tree[0] == "sequence" else [key for key, _ in tree[1]]


def sizes(location, tree):
    """Every container in a snapshot with its number of elements."""
    kind, content = tree
    if kind in ("sequence", "dict", "set"):
        yield location, len(content)
    if kind == "sequence":
        for place, item in enumerate(content):
            yield from sizes(location / ("item", place), item)
    elif kind == "dict":
        for key, item in content:
            yield from sizes(location / ("value", key), item)


def mutable_objects(inputs):
    """Every object that can be changed, by identity: itself, and all locations at which it is."""
    found = {}

    def visit(location, value, above):
        if id(value) in above or len(location.steps) > 6:
            return
        if isinstance(
            value,
            (list, dict, set, collections.deque, bytearray, Box, types.SimpleNamespace),
        ):
            found.setdefault(id(value), (value, set()))[1].add(location)
        for step, part in children(value):
            visit(location / step, part, above | {id(value)})

    for base, value in inputs.items():
        visit(Location(base), value, frozenset())
    return found
