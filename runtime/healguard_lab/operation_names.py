"""From dotted names to what they stand for in the running program."""

from __future__ import annotations

import contextlib
import fnmatch
import functools
import importlib
import sys
import types
from dataclasses import dataclass

from healguard_lab.protections import MAIN_MODULE, Operation

BUILTINS = "builtins"
NATIVE_FUNCTIONS = (types.BuiltinFunctionType, types.BuiltinMethodType)
NATIVE_METHODS = (types.MethodDescriptorType, types.ClassMethodDescriptorType)


@dataclass(frozen=True)
class Found:
    """An object under its name: `owner` is the class or module it was reached by."""

    owner: object
    name: str
    value: object


def module_of(name: str) -> str:
    """The name of a module as operations spell it."""
    return MAIN_MODULE if name == "__main__" else name


def import_standard(name: str) -> None:
    """Import the standard library's part of a name, so that it can be looked up."""
    parts = name.split(".")
    if parts[0] not in sys.stdlib_module_names:
        return
    for length in range(1, len(parts)):
        try:
            importlib.import_module(".".join(parts[:length]))
        except ImportError:
            return


def find(name: str) -> Found | None:
    """What a dotted name stands for now; None where it is not there (yet).

    Attributes are read from dictionaries, so that nothing of the program runs.
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        key = ".".join(parts[:length])
        module = sys.modules.get("__main__" if key == MAIN_MODULE else key)
        if isinstance(module, types.ModuleType):
            return walk(module, parts[length:])
    return walk(sys.modules[BUILTINS], parts)


def walk(module: types.ModuleType, parts: list[str]) -> Found | None:
    """Follow attributes from a module without running anything."""
    found = Found(None, module.__name__, module)
    for part in parts:
        value = raw_attribute(found.value, part)
        if value is None:
            return None
        found = Found(found.value, part, value)
    return found


def raw_attribute(owner: object, name: str) -> object | None:
    """An attribute of a module or class as it is stored, unbound."""
    if isinstance(owner, type):
        for base in owner.__mro__:
            if name in base.__dict__:
                return base.__dict__[name]
        return None
    return owner.__dict__.get(name) if isinstance(owner, types.ModuleType) else None


def python_body(value: object) -> types.CodeType | None:
    """The code that runs when a value is called, where it is Python."""
    if isinstance(value, (staticmethod, classmethod, types.MethodType)):
        return python_body(value.__func__)
    if isinstance(value, property):
        return python_body(value.fget)
    if isinstance(value, functools.partial):
        return python_body(value.func)
    if isinstance(value, types.FunctionType):
        return value.__code__
    if isinstance(value, type):
        constructor = raw_attribute(value, "__init__")
        if not isinstance(constructor, types.FunctionType):
            constructor = raw_attribute(value, "__new__")
        return python_body(constructor) if constructor is not None else None
    if isinstance(raw_attribute(type(value), "__call__"), types.FunctionType):
        return raw_attribute(type(value), "__call__").__code__
    return None


def receives(value: object, in_class: bool) -> bool:
    """Whether the body of a value takes a receiver as its first parameter."""
    if isinstance(value, staticmethod):
        return False
    if isinstance(value, functools.partial):
        return receives(value.func, False)
    return in_class if isinstance(value, types.FunctionType) else True


def wraps(value: object, name: str) -> bool:
    """Whether a function stands in for the one that was defined under `name`."""
    if not isinstance(value, types.FunctionType) or defined_as(value, name):
        return False
    inner = [getattr(value, "__wrapped__", None)]
    for cell in value.__closure__ or ():
        with contextlib.suppress(ValueError):
            inner.append(cell.cell_contents)
    return any(
        isinstance(function, types.FunctionType)
        and (defined_as(function, name) or wraps(function, name))
        for function in inner
        if function is not value
    )


def defined_as(function: types.FunctionType, name: str) -> bool:
    """Whether a function was written under this name."""
    module = module_of(str(function.__globals__.get("__name__")))
    return f"{module}.{function.__code__.co_qualname}" == name


def is_native(value: object) -> bool:
    """Whether a value is called without any Python body."""
    return isinstance(value, (*NATIVE_FUNCTIONS, *NATIVE_METHODS))


def is_pattern(operation: Operation) -> bool:
    """Whether a name stands for everything directly inside a module or class."""
    return operation.name.endswith(".*")


def matches(pattern: str, name: str) -> bool:
    """Whether a name is directly inside what `pattern` names."""
    return fnmatch.fnmatchcase(name, pattern) and "." not in name[len(pattern) - 1 :]
