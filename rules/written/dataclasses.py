"""The module dataclasses. The methods of data classes are written for each class; the decorator itself is taken apart elsewhere."""

import copy


class FrozenInstanceError(AttributeError):
    pass


class _MISSING_TYPE:
    pass


MISSING = _MISSING_TYPE()


class _Left:
    """What stands for an argument that is not given."""


LEFT = _Left()


class Field:
    def __init__(
        self, default, default_factory, init, repr, hash, compare, metadata, kw_only
    ):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = metadata
        self.kw_only = kw_only


def field(
    *,
    default=MISSING,
    default_factory=MISSING,
    init=True,
    repr=True,
    hash=None,
    compare=True,
    metadata=None,
    kw_only=MISSING,
):
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def fields(class_or_instance):
    return tuple(class_or_instance.__dataclass_fields__.values())


def is_dataclass(obj):
    cls = obj if isinstance(obj, type) else type(obj)
    return hasattr(cls, "__dataclass_fields__")


def asdict(obj, *, dict_factory=dict):
    return obj._written_asdict(_inner, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    return obj._written_astuple(_inner, tuple_factory)


def _inner(value):
    if hasattr(value, "_written_asdict"):
        return value._written_asdict(_inner, dict)
    # What containers hold is copied; a data class in there is taken to stay one.
    return copy.deepcopy(value)
