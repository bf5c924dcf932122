"""Records each call of a protected operation that is written in C.

Such a call has no frame to look at, so the operation itself is replaced, before the
program starts, by a function that writes the event and then calls it: functions in
every module that holds them, methods in the dictionary of their type.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import replace

from healguard_lab.case_file import UnusableError
from healguard_lab.journal import ABSENT, Journal
from healguard_lab.operation_names import (
    Found,
    find,
    import_standard,
    is_native,
    is_pattern,
    python_body,
)
from healguard_lab.protections import Operation

FRAME_READERS = ("dir", "globals", "locals", "vars", "__import__", "super")
EVALUATORS = ("eval", "exec")


def replace_native(operations: list[Operation], journal: Journal) -> list[str]:
    """Replace the operations that are written in C; their names are returned.

    Raises `UnusableError` for what cannot be replaced.
    """
    replaced = []
    for operation in operations:
        import_standard(operation.name)
        for single in singles(operation):
            found = find(single.name)
            if found is None or python_body(found.value) is not None:
                continue
            replace_one(single, found, journal)
            replaced.extend([operation.name, single.name])
    return replaced


def singles(operation: Operation) -> Iterator[Operation]:
    """The operations written in C that a name, or a pattern, stands for."""
    if not is_pattern(operation):
        yield operation
        return
    prefix = operation.name.removesuffix(".*")
    owner = find(prefix)
    members = getattr(owner.value, "__dict__", {}) if owner is not None else {}
    for name, value in list(members.items()):
        if is_native(value) and not name.startswith("_"):
            yield replace(operation, name=f"{prefix}.{name}")


def replace_one(operation: Operation, found: Found, journal: Journal) -> None:
    """Put a recording function in the place of one operation."""
    value = found.value
    if not is_native(value) or found.name in FRAME_READERS:
        raise UnusableError(
            f"`{operation.name}` is a {type(value).__name__} without a Python body; "
            "the laboratory cannot observe it"
        )
    if isinstance(found.owner, type):
        wrapper: object = recording_method(operation, found, journal)
        if isinstance(value, types.ClassMethodDescriptorType):
            wrapper = classmethod(wrapper)
        set_in_type(found.owner, found.name, wrapper)
        return
    wrapper = recording_function(operation, value, journal)
    for module in list(sys.modules.values()):
        members = getattr(module, "__dict__", {})
        for name, held in list(members.items()):
            if held is value:
                members[name] = wrapper


def recording_function(operation: Operation, function: Callable, journal: Journal) -> Callable:
    """A function that writes the event and calls the original."""

    @functools.wraps(function)
    def protected(*args: object, **kwargs: object) -> object:
        record(operation, function, None, args, kwargs, journal)
        if operation.name in EVALUATORS and len(args) == 1 and not kwargs:
            caller = sys._getframe(1)
            return function(args[0], caller.f_globals, caller.f_locals)
        return function(*args, **kwargs)

    return protected


def recording_method(operation: Operation, found: Found, journal: Journal) -> Callable:
    """A method that writes the event and calls the original."""
    method, owner = found.value, found.owner
    original = method
    if isinstance(method, types.ClassMethodDescriptorType):

        def original(kind: type, *args: object, **kwargs: object) -> object:
            return method.__get__(None, kind)(*args, **kwargs)

    @functools.wraps(method)
    def protected(receiver: object, /, *args: object, **kwargs: object) -> object:
        kind = receiver if isinstance(receiver, type) else type(receiver)
        if issubclass(kind, owner):
            record(operation, method, receiver, args, kwargs, journal)
        return original(receiver, *args, **kwargs)

    return protected


def record(
    operation: Operation,
    function: object,
    receiver: object,
    args: tuple,
    kwargs: dict[str, object],
    journal: Journal,
) -> None:
    """Write the event of one call, unless the laboratory itself is calling."""
    if journal.busy:
        return
    hook = sys.getprofile()
    sys.setprofile(None)
    try:
        watched = watched_arguments(operation, function, receiver, args, kwargs)
        if operation.receiver and receiver is not None:
            watched["receiver"] = receiver
        journal.event(operation.name, watched)
    finally:
        sys.setprofile(hook)


def watched_arguments(
    operation: Operation,
    function: object,
    receiver: object,
    args: tuple,
    kwargs: dict[str, object],
) -> dict[str, object]:
    """The watched arguments of a call, by the names and positions that are wanted."""
    if operation.arguments is None:
        positional = {f"argument {index}": value for index, value in enumerate(args)}
        return positional | {f"argument {key}": kwargs[key] for key in sorted(kwargs)}
    named = dict(kwargs)
    order = parameter_names(function, receiver is not None)
    named |= dict(zip(order, args, strict=False))
    watched = {}
    for key in operation.arguments:
        if type(key) is int:
            name = order[key] if key < len(order) else None
            value = args[key] if key < len(args) else named.get(name, ABSENT)
        else:
            value = named.get(key, ABSENT)
        watched[f"argument {key}"] = value
    return watched


def parameter_names(function: object, has_receiver: bool) -> list[str]:
    """The positional parameters of a function, where it tells them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    bare = isinstance(function, types.MethodDescriptorType) and has_receiver
    positional = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    return [
        parameter.name
        for parameter in parameters[1 if bare else 0 :]
        if parameter.kind in positional
    ]


def set_in_type(owner: type, name: str, value: object) -> None:
    """Set an attribute of a class, of an immutable one through its dictionary."""
    try:
        type.__setattr__(owner, name, value)
    except TypeError:
        (members,) = gc.get_referents(owner.__dict__)
        members[name] = value
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))
