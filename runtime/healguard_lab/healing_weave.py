"""Weaves a healing into the function that crashes, by rewriting its source tree.

The failing statement S becomes

    try:
        S
    except BaseException:
        if not <this is the crash>: raise
    if <the crash was caught>:
        the healing
        S  |  nothing  |  return healed_return       (retry, skip, return)

so that the healing runs in the scope of the frame and really rebinds its locals.
Names that the healing assigns and the function does not have are its own; they are
renamed, so that no name of the function changes its scope.
"""

from __future__ import annotations

import ast
import copy
import symtable
from collections.abc import Iterator
from dataclasses import dataclass

from healguard_lab.case_file import UnusableError

HOOK = "__healguard_lab__"
RETURNED = "healed_return"
MODULE = "<module>"
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
COMPREHENSION_NODES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
HEALING_STATEMENTS = (
    ast.Assign,
    ast.AugAssign,
    ast.Delete,
    ast.If,
    ast.For,
    ast.Pass,
    ast.Expr,
)


@dataclass(frozen=True)
class Candidate:
    """A statement that starts on the line of the crash.

    `header` holds the lines on which the statement itself runs, without the lines
    of the statements inside it.
    """

    number: int
    header: frozenset[int]


@dataclass(frozen=True)
class Woven:
    """A module ready to compile, and the statements that are watched in it."""

    tree: ast.Module
    candidates: tuple[Candidate, ...]


def weave(
    source: str,
    path: str,
    function: str,
    line: int,
    healing: str | None,
    resume: str,
) -> Woven:
    """Rewrite a module so that the statements on `line` of `function` can be healed.

    Without a healing the statements are only watched. Raises `UnusableError` where the
    source, the function, the statement or the healing does not fit.
    """
    try:
        tree = ast.parse(source, path)
        scope = scope_of(tree, function, line)
        names = scope_names(source, path, function, scope)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise UnusableError(f"{path}: {error}") from error
    check_resume(function, scope, resume)
    body = healing_body(healing, names, scope, resume) if healing is not None else None
    weaver = _Weaver(line, body, resume)
    weaver.rewrite(scope)
    if not weaver.candidates:
        raise UnusableError(f"{path}:{line}: no statement of {function} starts on this line")
    ast.fix_missing_locations(tree)
    return Woven(tree, tuple(weaver.candidates))


def scope_of(tree: ast.Module, function: str, line: int) -> ast.AST:
    """The function, class or module of that qualified name that holds the line."""
    if any(part in COMPREHENSIONS for part in function.split(".")):
        raise UnusableError(
            f"the crash is in the comprehension frame {function}; "
            "a healing can only be woven into a function, a class body or a module"
        )
    if "<lambda>" in function.split("."):
        raise UnusableError(f"the crash is in a lambda ({function}); it has no statements")
    if function == MODULE:
        return tree
    for name, node in named_scopes(tree, ()):
        if name == function and node.lineno <= line <= (node.end_lineno or line):
            return node
    raise UnusableError(f"no function {function} holds line {line}")


def named_scopes(node: ast.AST, path: tuple[str, ...]) -> Iterator[tuple[str, ast.AST]]:
    """Every function and class below a node, with its qualified name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield ".".join([*path, child.name]), child
            yield from named_scopes(child, (*path, child.name))
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield ".".join([*path, child.name]), child
            yield from named_scopes(child, (*path, child.name, "<locals>"))
        else:
            yield from named_scopes(child, path)


def scope_names(source: str, path: str, function: str, scope: ast.AST) -> frozenset[str] | None:
    """The names that are bound in the scope; None where every name is (a module)."""
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    table = symtable.symtable(source, path, "exec")
    found = symbol_table(table, scope, function.replace(".<locals>", "").split("."))
    return frozenset(
        symbol.get_name()
        for symbol in found.get_symbols()
        if symbol.is_local() or symbol.is_declared_global() or symbol.is_nonlocal()
    )


def symbol_table(
    table: symtable.SymbolTable, scope: ast.AST, names: list[str]
) -> symtable.SymbolTable:
    """The symbol table of a function, found by its names and its line."""
    tables = [table]
    for name in names:
        tables = [
            child
            for parent in tables
            for child in parent.get_children()
            if child.get_name() == name
        ]
    decorators = getattr(scope, "decorator_list", [])
    lines = {scope.lineno, *(decorator.lineno for decorator in decorators)}
    for candidate in tables:
        if candidate.get_lineno() in lines:
            return candidate
    raise UnusableError(f"the function {'.'.join(names)} has no symbol table")


def check_resume(function: str, scope: ast.AST, resume: str) -> None:
    """Refuse a return where there is nothing to return from."""
    if resume != "return":
        return
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        raise UnusableError(f"resume is `return`, and {function} is no function")
    if isinstance(scope, ast.AsyncFunctionDef) and yields(scope):
        raise UnusableError(f"{function} is an async generator; it cannot return a value")


def yields(scope: ast.AST) -> bool:
    """Whether a function itself holds a `yield`."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(scope))


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Every node below a scope that belongs to no scope inside it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, SCOPES):
            yield from own_nodes(child)


def healing_body(
    healing: str, names: frozenset[str] | None, scope: ast.AST, resume: str
) -> list[ast.stmt]:
    """The statements of a healing, its own names renamed; raises `UnusableError`."""
    try:
        tree = ast.parse(healing, "<healing>")
    except (SyntaxError, ValueError, RecursionError) as error:
        raise UnusableError(f"the healing does not parse: {error}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, HEALING_STATEMENTS):
            raise UnusableError(
                f"line {node.lineno} of the healing: {type(node).__name__} is not part of HealCore"
            )
    if resume == "return" and not assigns_returned(tree.body):
        raise UnusableError(f"the healing must end with an assignment to {RETURNED}")
    if names is not None:
        own = (bound_names(tree) - names) | {RETURNED}
        tree = _Renamer(own).visit(tree)
    return tree.body


def assigns_returned(body: list[ast.stmt]) -> bool:
    """Whether the last statement assigns the value to return."""
    return (
        bool(body)
        and isinstance(body[-1], ast.Assign)
        and any(
            isinstance(target, ast.Name) and target.id == RETURNED for target in body[-1].targets
        )
    )


def bound_names(tree: ast.Module) -> frozenset[str]:
    """The names that a healing binds in the scope it runs in."""
    bound: set[str] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        if isinstance(node, ast.comprehension):
            pending.extend([node.iter, *node.ifs])
        else:
            pending.extend(ast.iter_child_nodes(node))
    return frozenset(bound)


def own_name(name: str) -> str:
    """What a name of the healing is called in the function."""
    return f"__healguard_{name}__"


class _Renamer(ast.NodeTransformer):
    """Gives the healing's own names spellings that the function cannot have."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, COMPREHENSION_NODES):
            inner = {
                part.id
                for generator in node.generators
                for part in ast.walk(generator.target)
                if isinstance(part, ast.Name)
            }
            return _Renamer(self.names - inner).generic_visit(node)
        if isinstance(node, ast.Name) and node.id in self.names:
            node.id = own_name(node.id)
        return self.generic_visit(node)


class _Weaver:
    """Replaces the statements that start on one line of one scope."""

    def __init__(self, line: int, healing: list[ast.stmt] | None, resume: str) -> None:
        self.line = line
        self.healing = healing
        self.resume = resume
        self.candidates: list[Candidate] = []

    def rewrite(self, node: ast.AST) -> None:
        """Rewrite every block of statements that belongs to the scope."""
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, self.block(block))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self.rewrite(part)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        rewritten: list[ast.stmt] = []
        for statement in statements:
            header = header_lines(statement)
            if not isinstance(statement, SCOPES):
                self.rewrite(statement)
            if statement.lineno == self.line:
                rewritten.extend(self.watched(statement, header))
            else:
                rewritten.append(statement)
        return rewritten

    def watched(self, statement: ast.stmt, header: frozenset[int]) -> list[ast.stmt]:
        """The statement, watched, and healed where there is a healing."""
        number = len(self.candidates)
        self.candidates.append(Candidate(number, header))
        guard = template(
            f"try:\n pass\nexcept BaseException:\n if {HOOK}.passes({number}): raise",
            statement,
        )
        attempt = guard[0]
        assert isinstance(attempt, ast.Try)
        attempt.body = [statement]
        if self.healing is None:
            return guard
        healed = template(f"if {HOOK}.caught({number}):\n pass", statement)
        branch = healed[0]
        assert isinstance(branch, ast.If)
        branch.body = [placed(part, statement) for part in self.healing]
        branch.body.extend(template(f"{HOOK}.resumes({number})", statement))
        if self.resume == "retry":
            branch.body.append(copy.deepcopy(statement))
        elif self.resume == "return":
            branch.body.extend(template(f"return {own_name(RETURNED)}", statement))
        return [*guard, *healed]


def header_lines(statement: ast.stmt) -> frozenset[int]:
    """The lines of a statement on which no statement inside it lies."""
    lines = set(range(statement.lineno, (statement.end_lineno or 0) + 1))
    for inner in ast.walk(statement):
        if inner is not statement and isinstance(inner, ast.stmt):
            lines -= set(range(inner.lineno, (inner.end_lineno or 0) + 1))
    return frozenset(lines | {statement.lineno})


def placed(statement: ast.stmt, where: ast.stmt) -> ast.stmt:
    """A copy of a statement, marked as woven in, that stands where another begins."""
    moved = copy.deepcopy(statement)
    for node in ast.walk(moved):
        if isinstance(node, ast.stmt):
            node.woven = True
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = where.lineno
            node.col_offset = node.end_col_offset = where.col_offset
    return moved


def is_woven(statement: ast.stmt) -> bool:
    """Whether a statement was woven in rather than written in the program."""
    return getattr(statement, "woven", False)


def template(source: str, where: ast.stmt) -> list[ast.stmt]:
    """Statements of the laboratory, placed where another statement begins."""
    return [placed(part, where) for part in ast.parse(source).body]
