"""Records each run of a statement that a comment protects.

A call of the laboratory is put before the statement. It reads the names and the
attributes that the statement loads, without running anything.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

from healguard_lab.healing_weave import HOOK, is_woven, template
from healguard_lab.journal import ABSENT, Journal
from healguard_lab.protections import Statement
from healguard_lab.value_digest import instance_attributes

INNER_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class StatementWatch:
    """Writes the events of protected statements."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._chains: list[tuple[str, tuple[str, ...]]] = []

    def add(self, tree: ast.Module, path: Path, statements: Iterable[Statement]) -> None:
        """Put a call before each of the statements that lie in this file."""
        lines = {entry.line: entry.name for entry in statements if entry.path == path}
        _Inserter(self, lines).visit(tree)
        ast.fix_missing_locations(tree)

    def register(self, name: str, statement: ast.stmt) -> int:
        """Remember what a statement loads; the number stands for it at run time."""
        self._chains.append((name, tuple(sorted(set(loaded_chains(statement))))))
        return len(self._chains) - 1

    def runs(self, number: int) -> None:
        """A protected statement is about to run in the calling frame."""
        name, chains = self._chains[number]
        frame = sys._getframe(1)
        hook = sys.getprofile()
        sys.setprofile(None)
        try:
            scopes = (frame.f_locals, frame.f_globals)
            watched = {f"reads {chain}": follow(chain, scopes) for chain in chains}
            self._journal.event(name, watched)
        finally:
            sys.setprofile(hook)


class _Inserter(ast.NodeTransformer):
    """Finds the statements by their first line."""

    def __init__(self, watch: StatementWatch, lines: dict[int, str]) -> None:
        self.watch = watch
        self.lines = lines

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            name = self.lines.get(node.lineno)
            if name is None or is_woven(node):
                return node
            number = self.watch.register(name, node)
            return [*template(f"{HOOK}.runs({number})", node), node]
        return self.generic_visit(node)


def loaded_chains(node: ast.AST) -> Iterator[str]:
    """Names and dotted attributes that a statement loads, the longest of each."""
    chain = dotted(node)
    if chain is not None:
        loads = isinstance(node.ctx, ast.Load)
        chain = chain if loads else chain.rpartition(".")[0]
        if chain:
            yield chain
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from loaded_chains(node.func.value)
        children: Iterable[ast.AST] = [*node.args, *node.keywords]
    else:
        children = ast.iter_child_nodes(node)
    inner = set(bound_inside(node)) if isinstance(node, INNER_SCOPES) else set()
    for child in children:
        for found in loaded_chains(child):
            if found.split(".")[0] not in inner:
                yield found


def bound_inside(node: ast.AST) -> Iterator[str]:
    """Names that a lambda or comprehension binds for itself."""
    for part in ast.walk(node):
        if isinstance(part, ast.arg):
            yield part.arg
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def dotted(node: ast.AST) -> str | None:
    """A name or a chain of attributes of a name, as text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner is not None else None
    return None


def follow(chain: str, scopes: Iterable[dict[str, object]]) -> object:
    """The value of a chain as far as it can be read without running anything."""
    first, *rest = chain.split(".")
    for scope in scopes:
        if first in scope:
            value = scope[first]
            break
    else:
        return ABSENT
    for name in rest:
        if isinstance(value, types.ModuleType):
            attributes = value.__dict__
        else:
            attributes = dict(instance_attributes(value))
        if name not in attributes:
            return value
        value = attributes[name]
    return value
