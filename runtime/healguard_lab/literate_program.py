"""Makes a program of a block: its directives, its label, and where it crashes."""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from healguard_lab.case_file import RESUMES
from healguard_lab.literate_blocks import Block

PREAMBLE = '''\
state = {}


def pay(*amounts, **options):
    """The protected operation."""


'''
CRASH_LINE = 'x = state["k"]\n'
LABELS = {"reaches": "unsafe", "safe": "safe"}
CRASHES = "crashes"
DEFAULT_HEALING = 'state["k"] = VALUE'
DEFAULT_VALUES = ("1", "2", "0", "-7")
VALUES_NEEDED = 4
ENDORSEMENT_MODES = ("returns", "guards")
DIRECTIVES = ("heal", "values", "resume", "exception", "protect", "endorse")
FILE_DIRECTIVE = "file"
OWN_FILES = ("main.py", "heal.py", "case.toml", "protect.toml", "alternatives")

DIRECTIVE = re.compile(r"^#\s*(\w+):\s*(.*?)\s*$")
PLACEHOLDER = re.compile(r"\bVALUE\b")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")
INNER_FRAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Directives:
    """What the comments at the top of a block ask for."""

    heal: list[str] = field(default_factory=list)
    values: tuple[str, ...] = DEFAULT_VALUES
    resume: str = "retry"
    exception: str = "KeyError"
    protect: list[str] = field(default_factory=list)
    endorse: list[tuple[str, str]] = field(default_factory=list)

    @property
    def healings(self) -> list[str]:
        """The text of every healing, the first of which heals."""
        template = "\n".join([*(self.heal or [DEFAULT_HEALING]), ""])
        return [PLACEHOLDER.sub(lambda _, value=value: value, template) for value in self.values]


@dataclass(frozen=True)
class Program:
    """One program with everything that its case folder needs.

    `label_line` is the line in the Markdown file on which the label stands.
    """

    identifier: str
    block: Block
    label: str
    label_line: int
    directives: Directives
    source: str
    crash_line: int
    function: str
    files: dict[str, str]


def file_of(block: Block) -> tuple[str, str] | None:
    """Path and text of a block that is one more file; raises `MalformedError`."""
    first, _, rest = block.text.partition("\n")
    found = DIRECTIVE.match(first)
    if found is None or found.group(1) != FILE_DIRECTIVE:
        return None
    path = PurePosixPath(found.group(2))
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise block.error(1, f"`{path}` is no path inside the program's folder", "name one")
    if path.parts[0] in OWN_FILES:
        raise block.error(1, f"`{path}` is a file that every case has", "use another name")
    if path.suffix == ".py":
        checked_syntax(block, rest, shift=1)
        for line, words in comment_words(rest):
            if LABELS.keys() & set(words):
                raise block.error(
                    line + 1, "a label in a file block", "put it into the program that follows"
                )
    return path.as_posix(), rest


def program_of(block: Block, prefix: str, files: dict[str, str]) -> Program:
    """The program of a block; raises `MalformedError`."""
    checked_syntax(block, block.text)
    directives = read_directives(block)
    label_line, label = the_label(block)
    places = [place for place in statements(ast.parse(block.text)) if place.crashes]
    marked = marked_line(block)
    lines_before = PREAMBLE.count("\n")
    if places or marked is not None:
        place = the_crash(block, places, marked, directives)
        source = PREAMBLE + block.text
        crash_line, function = place.node.lineno + lines_before, place.function
    else:
        source = PREAMBLE + CRASH_LINE + block.text
        crash_line, function = lines_before + 1, "<module>"
    checked_syntax(block, source, shift=block.text.count("\n") - source.count("\n"))
    return Program(
        identifier=f"{prefix}-{LABELS[label]}",
        block=block,
        label=LABELS[label],
        label_line=block.line + label_line - 1,
        directives=directives,
        source=source,
        crash_line=crash_line,
        function=function,
        files=dict(files),
    )


def checked_syntax(block: Block, text: str, shift: int = 0) -> None:
    """Refuse text that does not compile; `shift` leads from its lines to the block's."""
    try:
        compile(text, "<block>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        what = f"syntax error: {getattr(error, 'msg', error)}"
        raise block.error(line + shift, what, "write Python") from error


def read_directives(block: Block) -> Directives:
    """The comments at the top of a block; raises `MalformedError`."""
    found = Directives()
    top = 0
    for number, line in enumerate(block.text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            break
        top = number
        directive = DIRECTIVE.match(line)
        if directive is not None:
            add_directive(block, number, found, *directive.groups())
    refuse_late_directives(block, top)
    if found.resume == "return" and not (found.heal and "healed_return" in found.heal[-1]):
        raise block.error(
            1, "with `resume: return` the healing returns nothing", "end it in `healed_return = …`"
        )
    if not PLACEHOLDER.search("\n".join(found.heal or [DEFAULT_HEALING])):
        raise block.error(1, "all healings are the same", "write VALUE where they differ")
    for healing in found.healings:
        try:
            ast.parse(healing)
        except SyntaxError as error:
            raise block.error(1, f"the healing is no Python: {error.msg}", "mend it") from error
    return found


def add_directive(block: Block, line: int, found: Directives, name: str, text: str) -> None:
    """Take in one directive; raises `MalformedError`."""
    if name == FILE_DIRECTIVE:
        raise block.error(line, "`# file:` stands too late", "make it the first line of the block")
    if name not in DIRECTIVES:
        nearest = difflib.get_close_matches(name, DIRECTIVES, n=1, cutoff=0)
        raise block.error(line, f"unknown directive `{name}`", f"did you mean `{nearest[0]}`?")
    if not text:
        raise block.error(line, f"`# {name}:` says nothing", "write its value behind the colon")
    if name == "heal":
        found.heal.append(text)
    elif name == "values":
        found.values = checked_values(block, line, text)
    elif name == "resume":
        found.resume = one_of(block, line, name, text, RESUMES)
    elif name == "exception":
        found.exception = text
    elif name == "protect":
        found.protect.append(text)
    else:
        operation, _, mode = text.partition(" ")
        mode = one_of(block, line, "mode", mode.strip(), ENDORSEMENT_MODES)
        found.endorse.append((operation, mode))


def one_of(block: Block, line: int, name: str, text: str, allowed: tuple[str, ...]) -> str:
    """The text, which must be one of those allowed; raises `MalformedError`."""
    if text not in allowed:
        raise block.error(line, f"{name} is `{text}`", f"use one of {', '.join(allowed)}")
    return text


def checked_values(block: Block, line: int, text: str) -> tuple[str, ...]:
    """Values separated by bars; raises `MalformedError`."""
    values = tuple(value.strip() for value in text.split(" | "))
    if len(values) < VALUES_NEEDED:
        raise block.error(
            line, f"only {len(values)} values", f"give at least {VALUES_NEEDED}: A | B | C | D"
        )
    kinds = set()
    for value in values:
        try:
            ast.parse(value, mode="eval")
            kinds.add(type(ast.literal_eval(value)).__name__)
        except SyntaxError as error:
            raise block.error(line, f"`{value}` is no Python expression", "mend it") from error
        except ValueError:
            continue  # not a literal: its type shows when it runs
    if len(kinds) > 1:
        raise block.error(
            line, f"values of different types: {', '.join(sorted(kinds))}", "use one type"
        )
    return values


def refuse_late_directives(block: Block, top: int) -> None:
    """Refuse a directive below the top of a block, where it would be a mere comment."""
    for number, line in enumerate(block.text.split("\n"), start=1):
        directive = DIRECTIVE.match(line)
        if number > top and directive is not None and directive.group(1) in DIRECTIVES:
            raise block.error(
                number, f"`# {directive.group(1)}:` stands too late", "move it to the block's top"
            )


def comment_words(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines that end in comments behind code, and the comments' texts."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
            yield token.start[0], [part.strip() for part in token.string.split("#")]


def the_label(block: Block) -> tuple[int, str]:
    """Line and word of the one label of a block; raises `MalformedError`."""
    labels = [
        (line, word)
        for line, words in comment_words(block.text)
        for word in words
        if word in LABELS
    ]
    if not labels:
        raise block.error(
            1,
            "this program has no label",
            "end the line of the operation in `# reaches` or `# safe`",
        )
    if len(labels) > 1:
        raise block.error(labels[1][0], "a second label", "keep one")
    return labels[0]


def marked_line(block: Block) -> int | None:
    """The line that `# crashes` marks; raises `MalformedError`."""
    lines = [line for line, words in comment_words(block.text) if CRASHES in words]
    if len(lines) > 1:
        raise block.error(lines[1], "a second `# crashes`", "keep one")
    return lines[0] if lines else None


@dataclass(frozen=True)
class Place:
    """A statement and the qualified name of its scope."""

    node: ast.stmt
    function: str

    @cached_property
    def _frames(self) -> list[bool]:
        """For each crash expression of the statement itself, whether another frame runs it."""
        return [inside for node, inside in own_expressions(self.node) if is_crash(node)]

    @property
    def crashes(self) -> bool:
        """Whether a crash expression belongs to the statement itself."""
        return bool(self._frames)

    @property
    def inner_frame(self) -> bool:
        """Whether only a lambda or a comprehension inside the statement can crash."""
        return self.crashes and all(self._frames)

    def covers(self, line: int) -> bool:
        """Whether a line lies within the statement."""
        return self.node.lineno <= line <= (self.node.end_lineno or self.node.lineno)


def the_crash(
    block: Block, places: list[Place], marked: int | None, directives: Directives
) -> Place:
    """The statement that crashes; raises `MalformedError`."""
    if marked is not None:
        places = [place for place in places if place.covers(marked)]
        if not places and directives.exception != Directives.exception:
            every = statements(ast.parse(block.text))
            places = [place for place in every if place.covers(marked)]
        if not places:
            raise block.error(marked, 'no `state["k"]` on the line that crashes', "move the mark")
        latest = max(place.node.lineno for place in places)
        places = [place for place in places if place.node.lineno == latest]
    if len(places) > 1:
        raise block.error(
            places[1].node.lineno,
            'several statements have `state["k"]`',
            "end the line of the one that crashes in `# crashes`",
        )
    if places[0].inner_frame:
        raise block.error(
            places[0].node.lineno,
            "the crash is in a lambda or a comprehension, which no healing can be woven into",
            "move it into a statement",
        )
    return places[0]


def statements(tree: ast.AST, path: tuple[str, ...] = ()) -> Iterator[Place]:
    """Every statement below a node, outer ones first."""
    for name in BLOCKS:
        block = getattr(tree, name, ())
        for child in block if isinstance(block, list) else ():
            inner = path
            if isinstance(child, ast.stmt):
                yield Place(child, qualified(path))
            if isinstance(child, FUNCTIONS):
                inner = (*path, child.name, "<locals>")
            elif isinstance(child, ast.ClassDef):
                inner = (*path, child.name)
            yield from statements(child, inner)


def qualified(path: tuple[str, ...]) -> str:
    """The qualified name of the scope at the end of a path."""
    names = path[:-1] if path and path[-1] == "<locals>" else path
    return ".".join(names) or "<module>"


def own_expressions(node: ast.AST, inside: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Nodes of a statement without its inner statements, and whether another frame runs them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            continue
        yield child, inside
        if isinstance(child, INNER_FRAMES):
            yield from inner_expressions(child, inside)
        else:
            yield from own_expressions(child, inside)


def inner_expressions(node: ast.AST, inside: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Nodes of a lambda or comprehension: what is evaluated outside of its frame comes first."""
    outside = [node.args] if isinstance(node, ast.Lambda) else [node.generators[0].iter]
    for part in outside:
        yield part, inside
        yield from own_expressions(part, inside)
    for child in ast.walk(node):
        if child is not node and not any(child in ast.walk(part) for part in outside):
            yield child, True


def is_crash(node: ast.AST) -> bool:
    """Whether a node is the expression `state["k"]`."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "state"
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == "k"
    )
