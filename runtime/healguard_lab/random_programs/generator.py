"""Puts a random program together."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from healguard_lab.literate_program import statements
from healguard_lab.random_programs.declarations import Declarations
from healguard_lab.random_programs.growth import Growth, NoFitError
from healguard_lab.random_programs.scope import Scope
from healguard_lab.random_programs.stack import RANK, Stack, cold
from healguard_lab.random_programs.templates import MODULES, modules_in

WORD = re.compile(r"\w+")
DEFINED = re.compile(r"^(?:(?:def|class) )?(\w+)", re.MULTILINE)
CRASH_TEXT = re.compile(r"""state\[["']k["']\]""")
PAY = '''\
def pay(*amounts, **options):
    """The protected operation."""
'''
READING_PAY = '''\
def pay(*amounts, **options):
    """The protected operation."""
    return <var:int>
'''
READING_CHANCE = 0.1
FIRST_ARGUMENT_CHANCE = 0.1
RESUMES = {"retry": 6, "skip": 3, "return": 2}
KINDS = {"int": 8, "str": 1, "ints": 1, "table": 1}
DEPTHS = {0: 4, 1: 4, 2: 4, 3: 2, 4: 1}
HEATS = (0.3, 0.6, 0.8, 0.95)
PAY_CHANCE = 0.25
PAYMENTS = (0, 0, 0, 1, 2)
LAST_PAYMENT_CHANCE = 0.9
MODULE_CHANCE = 0.06
WORLD = (
    "<let:int> = <const>",
    "<let:int> = <const>",
    "<let:int> = <const>",
    "<let:ints> = [<const>, <const>, 3]",
    "<let:ints> = [<const>]",
    '<let:table> = {"a": <const>, "b": <const>}',
    '<let:str> = "a1"',
    "<let:rows> = [<var:ints>, [<const>]]",
    "<let:pair> = (<const>, <const>)",
)
OBJECTS = (
    "<let:obj> = <cls>(<const>)",
    "<let:obj> = <cls>(<const>, m=<const>)",
    "<let:obj> = <var:obj>",
    "<let:objs> = [<var:obj>, <cls>(<const>)]",
    "<var:obj>.peer = <var:obj>",
    "<var:obj>.xs = <var:ints>",
)


class UnfitError(Exception):
    """What was written is no program with one crash."""


@dataclass(frozen=True)
class RandomProgram:
    """A program with its healings; the crash is on `line` of `function`."""

    source: str
    line: int
    function: str
    resume: str
    healings: tuple[str, ...]
    watched: tuple[int, ...] | None


def random_program(chance: random.Random) -> RandomProgram:
    """A program; raises `UnfitError` where chance made none."""
    try:
        return Assembly(chance).program()
    except NoFitError as error:
        raise UnfitError from error


def weighted(chance: random.Random, weights: dict) -> object:
    """One of the keys, by weight."""
    return chance.choices(list(weights), list(weights.values()))[0]


class Assembly:
    """The parts of one program."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        modules = frozenset(name for name in MODULES if chance.random() < MODULE_CHANCE)
        self.growth = Growth(chance, chance.choice(PAYMENTS), modules)
        self.resume = weighted(chance, RESUMES)
        self.kind = weighted(chance, KINDS)
        self.depth = max(weighted(chance, DEPTHS), self.resume == "return")
        self.heat = chance.choice(HEATS)

    def program(self) -> RandomProgram:
        """The whole program; raises `UnfitError` or `NoFitError`."""
        growth = self.growth
        scope = Scope(RANK, 0.0, 0.0, frozenset({"flat", "top"}), in_module=True)
        declarations = Declarations(growth, scope)
        values = self.filled(WORLD, scope, 6)
        objects = self.filled(OBJECTS, scope, 4)
        declarations.world = scope.inner(heat=self.heat, pay=PAY_CHANCE / 4)
        pay = "\n".join(growth.lines(self.pay_template(), scope))
        stack = Stack(growth, declarations, self.resume, self.kind, min(1.0, 2 * self.heat))
        module = self.module_lines(stack, scope)
        classes = declarations.class_texts()
        instances = [line for text in stack.instances for line in growth.lines(text, scope)]
        pieces = [
            *values,
            *declarations.extra_texts,
            *classes,
            *declarations.texts,
            *stack.texts,
            *objects,
            *instances,
        ]
        body = "".join(f"{line}\n" for line in module)
        return self.finished([*needed(pieces, pay + body), body], pay, stack)

    def filled(self, templates: tuple[str, ...], scope: Scope, least: int) -> list[str]:
        """Some of the templates, in order; at least the first few."""
        count = self.chance.randint(least, len(templates))
        return [line for text in templates[:count] for line in self.growth.lines(text, scope)]

    def pay_template(self) -> str:
        """The protected operation, which sometimes reads a global variable."""
        return READING_PAY if self.chance.random() < READING_CHANCE else PAY

    def module_lines(self, stack: Stack, scope: Scope) -> list[str]:
        """The code of the module: before the call or the crash, it, and after it."""
        call = stack.write(self.depth)
        warm = replace(scope, heat=self.heat, pay=PAY_CHANCE)
        before = self.growth.some(cold(warm), (0, 1, 1))
        use = stack.wrapped_use(warm, call)
        after = self.growth.some(warm, (1, 2, 3))
        pays = self.chance.random() < LAST_PAYMENT_CHANCE
        hottest = replace(warm, heat=min(1.0, 1.5 * self.heat))
        last = self.growth.payment(hottest) if pays else []
        return [*before, *use, *after, *last]

    def finished(self, pieces: list[str], pay: str, stack: Stack) -> RandomProgram:
        """The program of its pieces, with its imports; raises `UnfitError`."""
        text = "\n".join(pieces)
        imports = "".join(f"import {name}\n" for name in sorted(modules_in(text)))
        source = "".join(spaced([imports, "state = {}\n", pay, *pieces]))
        line, function = crash_place(source)
        healings = stack.healing.texts(self.chance, source)
        first_only = self.chance.random() < FIRST_ARGUMENT_CHANCE
        watched = (0,) if first_only else None
        return RandomProgram(source, line, function, self.resume, tuple(healings), watched)


def needed(pieces: list[str], text: str) -> list[str]:
    """The pieces that a text uses, directly or through other pieces, in their order."""
    kept: set[int] = set()
    words = set(WORD.findall(text))
    while True:
        more = {
            number
            for number, piece in enumerate(pieces)
            if number not in kept and not words.isdisjoint(DEFINED.findall(piece))
        }
        if not more:
            return [pieces[number] for number in sorted(kept)]
        kept |= more
        words.update(word for number in more for word in WORD.findall(pieces[number]))


def spaced(pieces: list[str]) -> Iterator[str]:
    """Pieces of a module, with empty lines around definitions."""
    before = ""
    for piece in pieces:
        if ("\n    " in piece and before) or "\n    " in before:
            yield "\n\n"
        if piece:
            yield piece.rstrip("\n") + "\n"
        before = piece


def crash_place(source: str) -> tuple[int, str]:
    """Line and function of the statement with the crash; raises `UnfitError`."""
    found = list(CRASH_TEXT.finditer(source))
    if len(found) != 1:
        raise UnfitError("the program does not have one crash")
    line = source.count("\n", 0, found[0].start()) + 1
    around = [place for place in statements(ast.parse(source)) if place.covers(line)]
    if not around[-1].crashes or around[-1].inner_frame:
        raise UnfitError("the crash has no statement of its own")
    return around[-1].node.lineno, around[-1].function
