"""Finds the entry of an operator for operands of given classes, as the analyser does, and the function that applies it."""

import operator

from model_names import MISSING

# Operator: the special method behind it, and the function of the module `operator`.
OPERATORS = {
    "+": ("__add__", operator.add),
    "-": ("__sub__", operator.sub),
    "*": ("__mul__", operator.mul),
    "/": ("__truediv__", operator.truediv),
    "//": ("__floordiv__", operator.floordiv),
    "%": ("__mod__", operator.mod),
    "**": ("__pow__", operator.pow),
    "<<": ("__lshift__", operator.lshift),
    ">>": ("__rshift__", operator.rshift),
    "&": ("__and__", operator.and_),
    "|": ("__or__", operator.or_),
    "^": ("__xor__", operator.xor),
    "+=": ("__iadd__", operator.iadd),
    "*=": ("__imul__", operator.imul),
    "|=": ("__ior__", operator.ior),
    "==": ("__eq__", operator.eq),
    "!=": ("__ne__", operator.ne),
    "<": ("__lt__", operator.lt),
    "<=": ("__le__", operator.le),
    ">": ("__gt__", operator.gt),
    ">=": ("__ge__", operator.ge),
    "[]": ("__getitem__", operator.getitem),
    "[]=": ("__setitem__", operator.setitem),
    "del []": ("__delitem__", operator.delitem),
    "unary -": ("__neg__", operator.neg),
    "unary +": ("__pos__", operator.pos),
    "unary ~": ("__invert__", operator.invert),
}


def ancestry(library, owner):
    """The declared classes that a class of the interpreter is or inherits from, nearest first."""
    declared = {
        library.find(name): name
        for name, entry in library.entries.items()
        if not entry.get("family")
    }
    found = [declared[base] for base in owner.__mro__ if base in declared]
    families = [
        base
        for name in found
        for base in library.entries[name].get("bases", [])
        if base not in found
    ]
    return [
        *found[:-1],
        *dict.fromkeys(families),
        *families_above(library, families),
        *found[-1:],
    ]


def families_above(library, families):
    return [
        base for name in families for base in library.entries[name].get("bases", [])
    ]


def find_entry(library, files, symbol, operands):
    """The `[[operator]]` entry of the nearest bases, else the special method of the left operand, else the plain operator."""
    classes = [[*ancestry(library, type(operand)), "*"] for operand in operands[:2]]
    entries = [
        entry
        for data in files
        for entry in data.get("operator", [])
        if symbol in entry["operators"]
    ]
    for left in classes[0]:
        for right in classes[1] if len(classes) > 1 else [None]:
            for entry in entries:
                if left in entry["left"] and (
                    right is None or right in entry.get("right", [])
                ):
                    return entry
    functions = {
        name: entry
        for data in files
        for entry in data.get("function", [])
        for name in entry["names"]
    }
    for name in classes[0]:
        if (entry := functions.get(f"{name}.{OPERATORS[symbol][0]}")) is not None:
            return entry
    if (
        symbol.endswith("=")
        and symbol[:-1] in OPERATORS
        and symbol not in ("==", "<=", ">=")
    ):
        return find_entry(library, files, symbol[:-1], operands)
    return MISSING


def check_in_place(library, files, report):
    """A class with a modelled operator whose augmented form changes the object has that form modelled, too."""
    functions = {
        name
        for data in files
        for entry in data.get("function", [])
        for name in entry["names"]
    }
    by_class = [entry for data in files for entry in data.get("operator", [])]
    for name, entry in library.entries.items():
        owner = MISSING if entry.get("family") else library.find(name)
        for symbol, (method, _) in OPERATORS.items():
            in_place = f"__i{method[2:]}"
            if owner is MISSING or not hasattr(owner, in_place):
                continue
            bases = ancestry(library, owner)

            def is_modelled(special, written, bases=bases):
                by_method = any(f"{base}.{special}" in functions for base in bases)
                return by_method or any(
                    written in other["operators"] and set(bases) & set(other["left"])
                    for other in by_class
                )

            if is_modelled(method, symbol) and not is_modelled(in_place, f"{symbol}="):
                report(
                    f"{name}: `{symbol}` is modelled, and `{symbol}=`, which changes the object, is not"
                )
