"""An order of set items that does not depend on hashes or addresses."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from healguard import rawread

if TYPE_CHECKING:
    from healguard.identity import Identities

_DEEPEST = 3


def stable_order(items: list[Any], identities: Identities) -> list[Any]:
    """Return the items sorted by type and content, as far as these tell them apart.

    Texts, numbers, functions, classes, tuples of these, and instances that differ in such attributes
    come in the same order in every run. What nothing tells apart stays in the order of the set.
    """
    return sorted(items, key=lambda item: _key(item, identities, _DEEPEST))


def _key(item: Any, identities: Identities, depth: int) -> str:
    kind = type(item)
    if kind is str:
        return f"str:{item}"
    if kind is int:
        return f"int:{len(hex(item)):08}:{item:x}"
    if kind is bytes:
        return f"bytes:{item.hex()}"
    if rawread.is_any(kind, (float, complex, bool, type(None))):
        return f"{kind.__name__}:{item!r}"
    if depth > 0:
        return f"{identities.dotted(kind)}:{_content(item, identities, depth - 1)}"
    return identities.dotted(kind)


def _content(item: Any, identities: Identities, depth: int) -> str:
    kind = type(item)
    if kind is tuple:
        return "|".join(_key(part, identities, depth) for part in item[:8])
    if kind is frozenset:
        return "|".join(sorted(_key(part, identities, depth) for part in item)[:8])
    if kind is types.FunctionType or rawread.is_class(item):
        return repr(sorted(identities.identity(item).items()))
    facts = identities.facts(kind)
    parts = []
    for name, descriptor in facts.fields.items():
        found, value = rawread.slot_value(descriptor, item)
        if found:
            parts.append(f"{name}={_key(value, identities, 0)}")
    if facts.dict_getter is not None:
        namespace = facts.dict_getter(item)
        if type(namespace) is dict:
            entries = rawread.named_entries(namespace)[0][:16]
            parts += [f"{name}={_key(value, identities, 0)}" for name, value in entries]
    return "|".join(parts)
