"""Compares the class of a result, and of the fresh objects inside it, with what the model says."""

import collections.abc
import datetime
import decimal
import fractions
import inspect
import uuid

from model_ports import Location

VALUES = (
    int, float, complex, str, bytes, range, type(None), type(NotImplemented), decimal.Decimal, fractions.Fraction, datetime.date, datetime.time,
    datetime.timedelta, datetime.tzinfo, uuid.UUID,
)  # fmt: skip


def check_result(library, model, own_class, outcome):
    """Problems with the class of the result and of its fresh items."""
    expression = model.entry.get("result", "")
    location = Location("result")
    if model.brings(location) or model.entry.get("copies"):
        return []
    if outcome.result is None:
        return (
            []
            if not expression or model.entry.get("or_none")
            else ["the result is None, against `result`"]
        )
    if not expression:
        return [
            f"the result is a fresh {type(outcome.result).__qualname__}, and `result` is empty"
        ]
    loose = bool(model.entry.get("or_subclass"))
    return list(
        mismatches(
            library, model, Fresh(expression, own_class), outcome, location, loose
        )
    )


class Fresh:
    """A class expression: its name, and the expressions of keys and items."""

    def __init__(self, text, own_class):
        name, bracket, inner = text.strip().partition("[")
        self.name = own_class if name == "@" else name
        self.keys, self.items, self.positions = None, None, None
        if bracket:
            keys, items = split(inner.removesuffix("]"), ":"), None
            items = split(keys[-1], ",")
            self.keys = fresh_or_none(keys[0], own_class) if len(keys) == 2 else None
            parsed = [fresh_or_none(item, own_class) for item in items]
            self.items, self.positions = (
                (parsed[0], None) if len(parsed) == 1 else (None, parsed)
            )

    def item(self, place):
        """The expression of the item at a position."""
        if self.positions is not None:
            return self.positions[place] if place < len(self.positions) else None
        return self.items


def fresh_or_none(text, own_class):
    return None if text.strip() == "_" else Fresh(text, own_class)


def split(text, separator):
    """Splits outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def mismatches(library, model, fresh, outcome, location, loose):
    """Walks the result: iterators themselves are judged by class, what they yielded by their items."""
    if not is_instance(library, fresh.name, outcome.result, loose):
        yield f"{location.steps} of the result is a {type(outcome.result).__qualname__}, not {fresh.name}"
    yield from item_mismatches(library, model, fresh, outcome.content, location, loose)


def item_mismatches(library, model, fresh, content, location, loose):
    if isinstance(content, dict):
        parts = [
            (location / ("value", key), fresh.items, item)
            for key, item in content.items()
        ]
        parts += [(location / ("key", key), fresh.keys, key) for key in content]
    elif isinstance(content, (list, tuple, collections.deque)):
        parts = [
            (location / ("item", place), fresh.item(place), item)
            for place, item in enumerate(content)
        ]
    elif isinstance(content, (set, frozenset)):
        parts = [(location / ("member",), fresh.items, item) for item in content]
    else:
        parts = []
    for place, expected, part in parts:
        if model.brings(place):
            continue
        if expected is None:
            if fresh.name not in (
                "builtins.unknown",
                "builtins.data",
                "re.found",
                "builtins.bytearray",
            ):
                yield f"{place.steps} of the result is a fresh {type(part).__qualname__} that no class is said for"
        elif not is_instance(library, expected.name, part, loose):
            yield f"{place.steps} of the result is a {type(part).__qualname__}, not {expected.name}"
        else:
            yield from item_mismatches(library, model, expected, part, place, loose)


def is_instance(library, name, value, loose):
    """Whether a declared class, or family, is the class of a value."""
    if name == "builtins.unknown":
        return True
    if name == "builtins.value":
        return isinstance(value, VALUES)
    if name == "builtins.iterator":
        return isinstance(value, (collections.abc.Iterator, list))
    entry = library.entries[name]
    if entry.get("family"):
        members = map(library.find, library.descendants(name))
        return any(
            inspect.isclass(member) and type(value) is member for member in members
        )
    found = library.find(name)
    return isinstance(value, found) if loose else type(value) is found
