"""Grows text from templates: fills holes until none is left."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Protocol

from healguard_lab.random_programs.expression_grammar import CONVERSIONS, EXPRESSIONS, LEAVES
from healguard_lab.random_programs.scope import Scope, Variable
from healguard_lab.random_programs.statement_grammar import PAYMENTS, STATEMENTS
from healguard_lab.random_programs.templates import BOUND_NAMES, Template, modules_in

HOLE = re.compile(r"<(\w+)(?::([\w,]+))?>")
BLOCKS = re.compile(r"<(block|loop)[:>]")
DEPTH = 3
BLOCK_DEPTH = 3
TRIES = 30
LEAF_CHANCE = 0.4
BODY_COUNTS = (0, 0, 1)
FILLINGS = (0.1, 0.5, 1.0)
CONSTANTS = (0, 1, 1, 2, 2, 3, 4, 5, 7, -1, -2)
KEYS = ('"a"', '"b"')
PLACES = (
    ("<set:int>", 6),
    ("<var:obj>.n", 4),
    ("<var:obj>.m", 1),
    ("<var:ints>[0]", 2),
    ('<var:table>["a"]', 2),
    ("<cls>.count", 1),
)


Core = Callable[[Scope], list[str]]


class NoFitError(Exception):
    """A template asks for what is not there."""


class Declared(Protocol):
    """The declarations of a program, made when they are asked for."""

    def name(self, head: str, argument: str, scope: Scope) -> str:
        """The name, or the template of a call, that a hole asks for; raises `NoFitError`."""


class Growth:
    """Writes expressions and statements of one program at random."""

    def __init__(self, chance: random.Random, payments: int, modules: frozenset[str]) -> None:
        self.chance = chance
        self.modules = modules
        self.filling = chance.choice(FILLINGS)
        self.payments = payments
        self.declared: Declared | None = None
        self._names = 0
        self._fitting: dict[tuple, tuple[list[Template], list[int]]] = {}

    def fresh(self, kind: str) -> str:
        """A name that the program does not have."""
        self._names += 1
        return f"{kind}{self._names}"

    def may_use(self, text: str) -> bool:
        """Whether the program has the modules that a text names."""
        return modules_in(text) <= self.modules

    def choose(self, templates: Sequence[Template], scope: Scope) -> Template:
        """One of the templates that may stand here, by weight."""
        key = (id(templates), scope.flags)
        if key not in self._fitting:
            given = scope.flags | self.modules
            fitting = [one for one in templates if one.needs <= given]
            self._fitting[key] = fitting, list(accumulate(one.weight for one in fitting))
        fitting, totals = self._fitting[key]
        return self.chance.choices(fitting, cum_weights=totals)[0]

    def expression(self, kind: str, scope: Scope, depth: int = DEPTH) -> str:
        """An expression of a kind."""
        return self.tracked_expression(kind, scope, depth)[0]

    def tracked_expression(self, kind: str, scope: Scope, depth: int) -> tuple[str, bool]:
        """An expression of a kind, and whether it reads a hot variable."""
        if self.chance.random() < (scope.heat if depth <= 1 else scope.heat / 3):
            converted = self.converted(kind, scope)
            if converted is not None:
                return converted, True
        for _ in range(TRIES):
            is_leaf = kind in LEAVES and (depth <= 0 or self.chance.random() < LEAF_CHANCE)
            templates = LEAVES[kind] if is_leaf else EXPRESSIONS[kind]
            template = self.choose(templates, scope)
            try:
                filling = Filling(self, scope, depth)
                return filling.fill(template.text), filling.hot
            except NoFitError:
                continue
        raise NoFitError(kind)

    def converted(self, kind: str, scope: Scope) -> str | None:
        """An expression of a kind made of one hot variable, if there is one."""
        forms = [
            form.replace("@", variable.name)
            for variable in scope.variables
            if variable.hot and (form := conversion(variable.kind, kind))
        ]
        return Filling(self, scope, 1).fill(self.chance.choice(forms)) if forms else None

    def leaf(self, kind: str, scope: Scope) -> tuple[str, bool]:
        """An expression without brackets or quotes, for the inside of an f-string."""
        known = scope.of_kind(kind)
        if known:
            variable = self.pick(known, scope)
            return variable.name, variable.hot
        if kind == "int":
            return str(self.chance.choice(CONSTANTS)), False
        raise NoFitError(kind)

    def pick(self, variables: Sequence[Variable], scope: Scope) -> Variable:
        """One of the variables; where it is warm, rather a hot one."""
        hot = [variable for variable in variables if variable.hot]
        if hot and self.chance.random() < scope.heat:
            return self.chance.choice(hot)
        return self.chance.choice(variables)

    def statement(self, scope: Scope) -> list[str]:
        """The lines of a statement."""
        pays = self.payments > 0 and self.chance.random() < scope.pay
        return self.payment(scope) if pays else self.from_templates(STATEMENTS, scope)

    def payment(self, scope: Scope) -> list[str]:
        """The lines of a statement that runs the protected operation."""
        self.payments -= 1
        return self.from_templates(PAYMENTS, scope)

    def from_templates(self, templates: Sequence[Template], scope: Scope) -> list[str]:
        """The lines of a statement that one of the templates gives."""
        for _ in range(TRIES):
            template = self.choose(templates, scope)
            if scope.depth >= BLOCK_DEPTH and BLOCKS.search(template.text):
                continue
            try:
                return self.lines(template.text, scope)
            except NoFitError:
                continue
        return ["pass"]

    def lines(self, text: str, scope: Scope, core: Core | None = None) -> list[str]:
        """The lines that a template of a statement gives; raises `NoFitError`."""
        filling = Filling(self, scope, DEPTH - 1, is_statement=True, core=core)
        filled = filling.fill(text)
        filling.settle()
        return [line for line in filled.split("\n") if not line.isspace()]

    def block(self, scope: Scope, count: int) -> list[str]:
        """Several statements, whose variables are known in `scope` afterwards."""
        return [line for _ in range(count) for line in self.statement(scope)]

    def some(self, scope: Scope, counts: Sequence[int]) -> list[str]:
        """A number of statements, fewer in a program with little filling."""
        drawn = range(self.chance.choice(counts))
        return self.block(scope, sum(self.chance.random() < self.filling for _ in drawn))


class Filling:
    """One template in the course of being filled."""

    def __init__(
        self,
        growth: Growth,
        scope: Scope,
        depth: int,
        *,
        is_statement: bool = False,
        core: Core | None = None,
    ) -> None:
        self.growth = growth
        self.inner_lines = core
        self.outer = scope
        self.scope = scope
        self.depth = depth
        self.is_statement = is_statement
        self.hot = False
        self.names: list[str] = []
        self.declared: list[Variable] = []
        self.bound: list[Variable] = []
        self.loose: set[str] = set()
        self.changed: list[Variable] = []
        self.replaced: list[Variable] = []

    def fill(self, text: str) -> str:
        """The text with every hole filled; raises `NoFitError`."""
        parts, end = [], 0
        for hole in HOLE.finditer(text):
            parts.append(text[end : hole.start()])
            if "\n" in parts[-1]:
                self.show_bound()
            end = hole.end()
            column = hole.start() - (text.rfind("\n", 0, hole.start()) + 1)
            parts.append(self.filled(hole.group(1), hole.group(2) or "", column))
            for variable in self.bound:
                variable.hot = variable.hot or self.hot
        return "".join([*parts, text[end:]])

    def settle(self) -> None:
        """Let what the statement did be known outside."""
        for variable in self.replaced:
            variable.hot = self.hot
        for variable in self.changed:
            variable.hot = variable.hot or self.hot
        for variable in self.declared:
            variable.hot = self.hot
            self.outer.add(variable)

    def filled(self, head: str, argument: str, column: int) -> str:
        """The text for one hole."""
        if head.isdigit():
            return self.names[int(head) - 1]
        action = ACTIONS.get(head)
        if action is not None:
            return action(self, argument, column)
        if head in EXPRESSIONS:
            return self.expression(head, argument)
        return self.fill(self.growth.declared.name(head, argument, self.scope))

    def expression(self, kind: str, argument: str) -> str:
        """An expression, which may use names that the template binds."""
        if argument == "leaf":
            text, hot = self.growth.leaf(kind, self.scope)
        else:
            scope = self.with_bound(argument) if argument else self.scope
            text, hot = self.growth.tracked_expression(kind, scope, self.depth - 1)
        self.hot = self.hot or hot
        return text

    def with_bound(self, names: str) -> Scope:
        """The scope inside a lambda, a comprehension or a function."""
        scope = self.scope.with_flags(drop=("flat", "top"))
        for name in names.split(","):
            scope.add(Variable(name, BOUND_NAMES[name], False, self.hot), writable=False)
        return scope

    def remember(self, name: str) -> str:
        """Keep a name for holes that repeat it."""
        self.names.append(name)
        return name

    def let(self, kind: str, _: int) -> str:
        """A new variable for what follows the statement."""
        variable = Variable(self.growth.fresh(kind), kind, self.outer.in_module)
        self.declared.append(variable)
        return self.remember(variable.name)

    def bind(self, kind: str, _: int) -> str:
        """A new variable for the rest of the template."""
        real = "int" if kind == "count" else kind
        variable = Variable(self.growth.fresh(kind), real, self.outer.in_module, self.hot)
        self.bound.append(variable)
        if kind != "count":
            self.loose.add(variable.name)
        return self.remember(variable.name)

    def show_bound(self) -> None:
        """Let the template's own variables be known: what binds them ends with its line."""
        if self.bound and self.bound[-1] not in self.scope.variables:
            self.scope = self.scope.inner()
            for variable in self.bound:
                self.scope.add(variable, writable=variable.name in self.loose)

    def existing(self, kind: str, _: int) -> str:
        """A variable that there is."""
        variable = self.one_of(self.scope.of_kind(kind))
        if self.is_statement:
            self.changed.append(variable)
        else:
            self.hot = self.hot or variable.hot
        return self.remember(variable.name)

    def assigned(self, kind: str, _: int) -> str:
        """A variable that is assigned."""
        variable = self.one_of(self.scope.assignable(kind))
        self.replaced.append(variable)
        return self.remember(variable.name)

    def freed(self, kind: str, _: int) -> str:
        """A declaration of a variable from outside of a nested function."""
        outside = self.outer.assignable(kind)
        variable = self.one_of([one for one in outside if one.name not in BOUND_NAMES])
        self.changed.append(variable)
        self.remember(variable.name)
        return f"{'global' if variable.is_global else 'nonlocal'} {variable.name}"

    def place(self, kind: str, column: int) -> str:
        """Something that is assigned to."""
        if kind != "int":
            return self.assigned(kind, column)
        texts, weights = zip(*PLACES, strict=True)
        for _ in range(TRIES):
            text = self.growth.chance.choices(texts, weights)[0]
            try:
                return HOLE.sub(lambda hole: self.filled(hole[1], hole[2] or "", 0), text)
            except NoFitError:
                continue
        return self.let(kind, column)

    def one_of(self, variables: Sequence[Variable]) -> Variable:
        """One of the variables; raises `NoFitError` where there is none."""
        if not variables:
            raise NoFitError
        return self.growth.pick(variables, self.scope)

    def constant(self, _: str, __: int) -> str:
        """A number."""
        return str(self.growth.chance.choice(CONSTANTS))

    def key(self, _: str, __: int) -> str:
        """A key that every table has."""
        if self.growth.chance.random() < 0.8:
            return self.growth.chance.choice(KEYS)
        return f'"ab"[{self.expression("int", "leaf")} % 2]'

    def block(self, argument: str, column: int, flags: Iterable[str] = ()) -> str:
        """Statements, indented as the hole is."""
        scope = self.block_scope(argument, flags)
        count = self.growth.chance.choice((1, 1, 1, 2))
        return indented(self.growth.block(scope, count), column)

    def loop(self, argument: str, column: int) -> str:
        """Statements that may end the loop they stand in."""
        return self.block(argument, column, flags=("loop",))

    def core(self, argument: str, column: int) -> str:
        """The statements that the template is built around."""
        return indented(self.inner_lines(self.block_scope(argument)), column)

    def block_scope(self, argument: str, flags: Iterable[str] = ()) -> Scope:
        """The scope of statements, which know the names that are given."""
        self.show_bound()
        both = self.scope.flags | set(flags)
        scope = self.scope.inner(depth=self.scope.depth + 1, flags=both)
        for name in argument.split(",") if argument else ():
            scope.add(Variable(name, BOUND_NAMES[name], False, self.hot))
        return scope

    def body(self, argument: str, column: int) -> str:
        """Statements at the beginning of a function; perhaps none."""
        scope = self.block_scope(argument)
        return indented(self.growth.some(scope, BODY_COUNTS), column)


def conversion(kind: str, wanted: str) -> str | None:
    """How a value of one kind gives one of another, if it does."""
    return "@" if kind == wanted else CONVERSIONS.get(kind, {}).get(wanted)


def indented(lines: Iterable[str], column: int) -> str:
    """Lines for a hole that stands in a column."""
    return ("\n" + " " * column).join(lines)


ACTIONS: dict[str, Callable[[Filling, str, int], str]] = {
    "let": Filling.let,
    "in": Filling.bind,
    "var": Filling.existing,
    "set": Filling.assigned,
    "free": Filling.freed,
    "place": Filling.place,
    "const": Filling.constant,
    "key": Filling.key,
    "block": Filling.block,
    "loop": Filling.loop,
    "core": Filling.core,
    "body": Filling.body,
}
