"""The values that stand inline in a snapshot: None, numbers, texts, and what is left of long ones."""

from __future__ import annotations

import re
from typing import Any

from healguard.redact import Redactor

NOT_SCALAR = object()

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKED = {
    id(Ellipsis): {"ellipsis": True},
    id(NotImplemented): {"notimplemented": True},
}
# Only instances of these very types stand inline; those of their subclasses are objects.
_SECRET_KINDS = {id(kind): kind.__name__ for kind in (str, bytes, int, float, complex)}


def encode(obj: object, limit: int, redactor: Redactor) -> Any:
    """Return the inline form of a scalar, or NOT_SCALAR for anything else."""
    kind = type(obj)
    if kind is str:
        return _text(obj, limit, redactor)
    if kind is int:
        return _integer(obj, limit)
    if obj is None or obj is True or obj is False:
        return obj
    if kind is float:
        return {"float": repr(obj)}
    if kind is bytes:
        return _bytes(obj, limit, redactor)
    if kind is complex:
        return {"complex": repr(obj)}
    return _MARKED.get(id(obj), NOT_SCALAR)


def redact(obj: object, redactor: Redactor) -> Any:
    """Return the redacted form of a text or number, or NOT_SCALAR. None and booleans are no secrets."""
    name = _SECRET_KINDS.get(id(type(obj)))
    if name is None:
        return NOT_SCALAR
    if type(obj) is bytes:
        redactor.remember(obj[:4096].decode("latin-1"))
    elif type(obj) is str:
        redactor.remember(obj)
    elif type(obj) is int and obj.bit_length() < 256:
        redactor.remember(str(obj))
    return {"redacted": name}


def plain_text(text: str, limit: int) -> str:
    """Return a text for a field that holds a plain string: bounded, and free of lone surrogates.

    A lone surrogate has no UTF-8 form, and JSON readers in other languages refuse its escape.
    """
    if len(text) > limit:
        text = text[:limit] + "…"
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def has_surrogate(text: str) -> bool:
    """Tell whether a text contains a lone surrogate."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def is_cut(value: Any) -> bool:
    """Tell whether an inline form holds less than the value."""
    return type(value) is dict and "cut" in value


def _text(text: str, limit: int, redactor: Redactor) -> Any:
    if redactor.is_secret_text(text if len(text) <= limit else text[:limit]):
        return {"redacted": "str"}
    kept = text[:limit]
    broken = None if kept.isascii() else _SURROGATE.search(kept)
    if broken is not None:
        kept = kept[: broken.start()]
    if len(kept) == len(text):
        return text
    return {"cut": "str", "length": len(text), "prefix": kept}


def _integer(number: int, limit: int) -> Any:
    if _SMALLEST <= number <= _LARGEST:
        return number
    # 10 bits are a little more than 3 digits; beyond 4,300 digits CPython refuses to convert.
    bits = number.bit_length()
    if bits * 3 // 10 < min(limit, 4_000):
        return {"int": str(number)}
    leading = abs(number) >> (bits - 64)
    return {"cut": "int", "length": bits, "prefix": f"{'-' if number < 0 else ''}{leading:#x}"}


def _bytes(data: bytes, limit: int, redactor: Redactor) -> Any:
    kept = data[:limit]
    if redactor.is_secret_text(kept.decode("latin-1")):
        return {"redacted": "bytes"}
    if len(kept) == len(data):
        return {"bytes": data.hex()}
    return {"cut": "bytes", "length": len(data), "prefix": kept.hex()}
