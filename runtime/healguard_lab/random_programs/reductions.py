"""Smaller versions of a program, by edits of its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

BLOCKS = ("body", "orelse", "finalbody")
OPTIONAL_BLOCKS = ("orelse", "finalbody")
# Parts of a node that may be fewer; what has to remain is found out by running the program.
LISTS = (
    "decorator_list",
    "bases",
    "args",
    "keywords",
    "handlers",
    "cases",
    "items",
    "ifs",
    "elts",
    "values",
    "names",
)
CONSTANTS = (0, 1)
WEIGHTS = {ast.Name: 2, ast.Pass: 0, ast.Load: 0, ast.Store: 0, ast.Del: 0}


@dataclass(frozen=True)
class Edit:
    """Another value for a field of a node."""

    node: ast.AST
    field: str
    value: object

    def applied(self, tree: ast.Module) -> str | None:
        """The source with this edit, which is undone again; None where there is no source."""
        before = getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        try:
            return ast.unparse(tree) + "\n"
        except (ValueError, AttributeError, IndexError):
            return None
        finally:
            setattr(self.node, self.field, before)


def size(source: str) -> int:
    """How large a program is; every reduction makes this smaller."""
    return sum(WEIGHTS.get(type(node), 1) for node in ast.walk(ast.parse(source)))


def reductions(source: str, first: int = 0) -> Iterator[tuple[int, str]]:
    """Numbered smaller versions of a program from a number on, those that leave out much first."""
    tree = ast.parse(source)
    largest = size(source)
    kinds = (fewer_statements, hoisted_blocks, fewer_parts, simpler_expressions)
    edits = (edit for kind in kinds for edit in kind(tree))
    for number, edit in enumerate(edits):
        text = edit.applied(tree) if number >= first else None
        if text is not None and is_smaller(text, largest):
            yield number, text


def is_smaller(source: str, largest: int) -> bool:
    """Whether a text is Python and smaller than what it comes from."""
    try:
        return size(source) < largest
    except SyntaxError:
        return False


def fewer_statements(tree: ast.Module) -> Iterator[Edit]:
    """Blocks without some of their statements, long runs first."""
    blocks = [
        (node, name)
        for node in ast.walk(tree)
        for name in BLOCKS
        if isinstance(getattr(node, name, None), list)
    ]
    longest = max((len(getattr(node, name)) for node, name in blocks), default=0)
    length = longest
    while length:
        for node, name in blocks:
            block = getattr(node, name)
            for start in range(0, len(block) - length + 1, max(1, length // 2)):
                rest = block[:start] + block[start + length :]
                empty = [] if name in OPTIONAL_BLOCKS or node is tree else [ast.Pass()]
                yield Edit(node, name, rest or empty)
        length //= 2


def hoisted_blocks(tree: ast.Module) -> Iterator[Edit]:
    """Compound statements replaced by one of their blocks."""
    for node in ast.walk(tree):
        for name in BLOCKS:
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            for position, statement in enumerate(block):
                for inner in inner_blocks(statement):
                    yield Edit(node, name, [*block[:position], *inner, *block[position + 1 :]])


def inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement that opens no scope."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return
    for part in (
        statement,
        *getattr(statement, "handlers", ()),
        *getattr(statement, "cases", ()),
    ):
        for name in BLOCKS:
            block = getattr(part, name, None)
            if isinstance(block, list) and block:
                yield block


def fewer_parts(tree: ast.Module) -> Iterator[Edit]:
    """Arguments, parameters, decorators, bases, handlers and the like, one less."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            yield from fewer_parameters(node)
            continue
        for name in LISTS:
            parts = getattr(node, name, None)
            for position in range(len(parts) if isinstance(parts, list) else 0):
                yield Edit(node, name, parts[:position] + parts[position + 1 :])


def fewer_parameters(node: ast.arguments) -> Iterator[Edit]:
    """A function's parameters, one less; a default goes before its parameter."""
    for name in ("defaults", "kw_defaults", "kwonlyargs", "args"):
        parts = getattr(node, name)
        for position in range(len(parts)):
            yield Edit(node, name, parts[:position] + parts[position + 1 :])
    for name in ("vararg", "kwarg"):
        if getattr(node, name) is not None:
            yield Edit(node, name, None)


def simpler_expressions(tree: ast.Module) -> Iterator[Edit]:
    """Expressions replaced by a part of themselves or by a constant."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if is_value(value):
                for simpler in simpler_than(value):
                    yield Edit(node, name, simpler)
            elif isinstance(value, list):
                yield from simpler_items(node, name, value)


def simpler_items(node: ast.AST, name: str, items: list) -> Iterator[Edit]:
    """The same for the expressions in a list."""
    for position, item in enumerate(items):
        if is_value(item):
            for simpler in simpler_than(item):
                yield Edit(node, name, [*items[:position], simpler, *items[position + 1 :]])


def is_value(node: object) -> bool:
    """Whether a part of the tree is an expression that is read, and may become smaller."""
    return (
        isinstance(node, ast.expr)
        and not isinstance(node, ast.Constant | ast.Starred | ast.JoinedStr | ast.FormattedValue)
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    )


def simpler_than(node: ast.expr) -> Iterator[ast.expr]:
    """Parts of an expression, and constants."""
    for child in ast.walk(node):
        if child is not node and isinstance(child, ast.expr):
            value = child.value if isinstance(child, ast.Starred) else child
            if isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
                yield value
    yield from (ast.Constant(constant) for constant in CONSTANTS)
