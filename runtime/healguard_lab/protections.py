"""Which operations of a case are protected: its files, decorators and comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from healguard_lab.case_file import UnusableError, check_keys, read_text, read_toml

FILE_KEYS = {"schema": int, "presets": list, "operation": list, "endorsement": list}
OPERATION_KEYS = {
    "name": str,
    "arguments": list,
    "receiver": bool,
    "reads": bool,
    "reason": str,
}
ENDORSEMENT_KEYS = {"name": str, "mode": str, "reason": str}
COMMENT = re.compile(r"#\s*healguard:\s*(\w+)\s*$")
DECORATOR = "protected"
MAIN_MODULE = "main"


@dataclass(frozen=True)
class Operation:
    """A protected operation; `arguments` is None where all of them are watched."""

    name: str
    arguments: tuple[str | int, ...] | None = None
    receiver: bool = True
    reads: bool = True


@dataclass(frozen=True)
class Statement:
    """A protected statement: the line it starts on in a file of the case."""

    path: Path
    line: int
    name: str


@dataclass
class Protections:
    """Everything that is protected in one case."""

    operations: dict[str, Operation] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)


def read_protections(folder: Path) -> Protections:
    """What `protect.toml`, `pyproject.toml` and the sources of a case protect.

    Sources win over files. Raises `UnusableError`, also where nothing is protected.
    """
    found = Protections()
    for path, table in protection_tables(folder):
        document, text = table
        for operation in file_operations(path, text, document):
            found.operations[operation.name] = operation
    for path in sorted(folder.rglob("*.py")):
        if is_program_file(folder, path):
            add_from_source(found, folder, path)
    if not found.operations and not found.statements:
        raise UnusableError(f"{folder}: nothing is protected")
    return found


def is_program_file(folder: Path, path: Path) -> bool:
    """Whether a file is part of the program: healings are not."""
    inside = path.relative_to(folder)
    return inside.parts[0] not in ("alternatives", "heal.py")


def protection_tables(folder: Path) -> list[tuple[Path, tuple[dict, str]]]:
    """The tables that name operations, with the text they were read from."""
    tables = []
    project = folder / "pyproject.toml"
    if project.is_file():
        document, text = read_toml(project)
        inner = document.get("tool", {}).get("healcheck")
        if inner is not None:
            tables.append((project, (inner, text)))
    protect = folder / "protect.toml"
    if protect.is_file():
        tables.append((protect, read_toml(protect)))
    return tables


def file_operations(path: Path, text: str, document: dict) -> list[Operation]:
    """The operations of one table; raises `UnusableError`."""
    check_keys(str(path), text, document, FILE_KEYS)
    if document.get("schema") != 1:
        raise UnusableError(f"{path}: `schema = 1` is missing")
    if document.get("presets"):
        raise UnusableError(f"{path}: the laboratory knows no presets; name the operations instead")
    for entry in document.get("endorsement", []):
        check_keys(str(path), text, entry, ENDORSEMENT_KEYS)
    return [file_operation(path, text, entry) for entry in document.get("operation", [])]


def file_operation(path: Path, text: str, entry: dict) -> Operation:
    """One `[[operation]]`; raises `UnusableError`."""
    check_keys(str(path), text, entry, OPERATION_KEYS)
    if "name" not in entry:
        raise UnusableError(f"{path}: an operation has no `name`")
    arguments = entry.get("arguments")
    if arguments is not None:
        arguments = checked_arguments(f"{path}: `{entry['name']}`", arguments)
    return Operation(
        name=normal_name(entry["name"]),
        arguments=arguments,
        receiver=entry.get("receiver", True),
        reads=entry.get("reads", True),
    )


def checked_arguments(where: str, arguments: object) -> tuple[str | int, ...]:
    """Watched arguments as names and positions; raises `UnusableError`."""
    if not isinstance(arguments, list) or not all(
        (type(item) is str and item) or (type(item) is int and item >= 0) for item in arguments
    ):
        raise UnusableError(f"{where}: `arguments` must list names and positions")
    return tuple(arguments)


def normal_name(name: str) -> str:
    """One spelling for each operation: no `builtins.`, `main` for the entry."""
    if name.startswith("__main__."):
        return MAIN_MODULE + name.removeprefix("__main__")
    return name.removeprefix("builtins.")


def module_name(folder: Path, path: Path) -> str:
    """The dotted module name of a file of the case."""
    parts = list(path.relative_to(folder).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def add_from_source(found: Protections, folder: Path, path: Path) -> None:
    """Add what decorators and comments of one source file protect."""
    text = read_text(path)
    try:
        tree = ast.parse(text)
        comments = protected_comment_lines(text)
    except (SyntaxError, ValueError, tokenize.TokenError) as error:
        raise UnusableError(f"{path}: {error}") from error
    visitor = _SourceProtections(found, module_name(folder, path), path, comments)
    visitor.visit(tree)
    if visitor.comments:
        line = min(visitor.comments)
        raise UnusableError(f"{path}:{line}: this comment stands at the end of no statement")


def protected_comment_lines(text: str) -> set[int]:
    """Lines that end in the comment which protects what stands on them."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            match = COMMENT.search(token.string)
            if match and match.group(1) == DECORATOR:
                lines.add(token.start[0])
    return lines


class _SourceProtections(ast.NodeVisitor):
    """Walks a module, keeping the qualified name of where it is."""

    def __init__(self, found: Protections, module: str, path: Path, comments: set[int]) -> None:
        self.found = found
        self.module = module
        self.path = path
        self.comments = comments
        self.scope: list[str] = [module]

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.enter(node, [node.name])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.function(node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        name = ".".join([*self.scope, node.name])
        header_end = max(node.lineno, node.body[0].lineno - 1)
        commented = self.comments & set(range(node.lineno, header_end + 1))
        if commented:
            self.comments -= commented
            self.found.operations[name] = Operation(name)
        for decorator in node.decorator_list:
            operation = decorated_operation(self.path, name, decorator)
            if operation is not None:
                self.found.operations[name] = operation
        self.enter(node, [node.name, "<locals>"])

    def enter(self, node: ast.AST, names: list[str]) -> None:
        outside = self.scope
        self.scope = [*outside, *names]
        self.generic_visit(node)
        self.scope = outside

    def generic_visit(self, node: ast.AST) -> None:
        simple = isinstance(node, ast.stmt) and not hasattr(node, "body")
        if simple and node.end_lineno in self.comments:
            self.comments.discard(node.end_lineno)
            name = f"{self.module}:{node.lineno}"
            self.found.statements.append(Statement(self.path, node.lineno, name))
        super().generic_visit(node)


def decorated_operation(path: Path, name: str, node: ast.expr) -> Operation | None:
    """The operation that `@healguard.protected` or a call of it declares."""
    call = node if isinstance(node, ast.Call) else None
    target = ast.unparse(call.func if call else node)
    if target not in (f"healguard.{DECORATOR}", DECORATOR):
        return None
    where = f"{path}:{node.lineno}"
    try:
        given = {
            keyword.arg: ast.literal_eval(keyword.value)
            for keyword in (call.keywords if call else [])
        }
    except ValueError as error:
        raise UnusableError(f"{where}: the decorator needs literal arguments") from error
    unknown = set(given) - (set(OPERATION_KEYS) - {"name"})
    if unknown:
        raise UnusableError(f"{where}: unknown argument {sorted(map(str, unknown))[0]}")
    arguments = given.get("arguments")
    if arguments is not None:
        arguments = checked_arguments(where, list(arguments))
    return Operation(name, arguments, given.get("receiver", True), given.get("reads", True))
