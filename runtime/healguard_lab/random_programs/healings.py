"""Healings of a random program: one text, and several values for it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from healguard_lab.random_programs.scope import Scope, Variable

PLACEHOLDER = re.compile(r"\bVALUE\b")
VALUE_COUNT = 6
VALUES = {
    "str": ('"a"', '""', '"b1"', '"zz-z"', '"1"', '"ab"', '"4"', '"aa1"'),
    "ints": ("[1]", "[2, 5]", "[0, 0, 7]", "[-3, 4]", "[3, 1]", "[0]", "[2, 1, 9, 3]"),
    "table": (
        '{"a": 1, "b": 2}',
        '{"a": 0, "b": 7}',
        '{"b": 3, "a": -2}',
        '{"a": 5, "b": 5, "c": 1}',
        '{"a": 2, "b": -9, "d": 4}',
        '{"a": 12, "b": 2}',
    ),
}
LEAST_USUAL = 4
USUAL = (0, 1, 2, 3, -1, -7, 50)
NUMBER = re.compile(r"-?\b\d+\b")
CRASHED = 'state["k"] = VALUE'
WRITES = {
    "int": ("{name} = VALUE", "{name} = VALUE", "{name} += VALUE"),
    "ints": ("{name}[0] = VALUE", "{name}.append(VALUE)", "{name} = [VALUE, 1]"),
    "table": ('{name}["a"] = VALUE', "{name}.update(b=VALUE)", '{name}["c"] = VALUE'),
    "obj": ("{name}.n = VALUE", "{name}.n = VALUE", "{name}.m = VALUE", "{name}.xs[0] = VALUE"),
    "objs": ("{name}[0].n = VALUE", "for each in {name}:\n    each.n = VALUE"),
    "pair": ("{name} = (VALUE, 2)",),
    "rows": ("{name}[0][0] = VALUE", "{name}[0].append(VALUE)"),
    "str": ("{name} = str(VALUE)",),
    "bag": ("{name}.add(VALUE)",),
}
CONDITIONAL = "if {name} > {constant}:\n    {healing}\nelse:\n    {healing}"
OTHER_CHANCE = {"retry": 0.3, "skip": 0.9, "return": 0.25}
CONDITIONAL_CHANCE = 0.06
CRASH_CHANCE = 0.5
STALE_CHANCE = 0.5


@dataclass(frozen=True)
class Healing:
    """The statements of the healings; each has VALUE where values of its kind go."""

    statements: tuple[tuple[str, str], ...]

    def texts(self, chance: random.Random, source: str) -> list[str]:
        """Several healings, in which every place has values of its own."""
        columns = [
            [PLACEHOLDER.sub(lambda _, value=value: value, text) for value in values]
            for text, kind in self.statements
            for values in [chosen_values(chance, kind, source)]
        ]
        return ["\n".join([*row, ""]) for row in zip(*columns, strict=True)]


def planned_healing(
    chance: random.Random, resume: str, kind: str, seen: Scope, stale: Sequence[Variable]
) -> Healing:
    """A healing of a crash where `seen` is visible; what it writes is hot from now on.

    `stale` are the variables that a skipped statement would have written.
    """
    statements = []
    if resume != "return" or chance.random() < CRASH_CHANCE:
        statements.append((CRASHED, kind))
    if chance.random() < OTHER_CHANCE[resume]:
        count = chance.choice((1, 1, 2))
        statements += [(other_write(chance, seen, stale), "int") for _ in range(count)]
    if resume == "return":
        statements.append(("healed_return = VALUE", "int"))
    return Healing(tuple(statements))


def other_write(chance: random.Random, seen: Scope, stale: Sequence[Variable]) -> str:
    """A line that heals something else than the crash expression."""
    known = [variable for variable in seen.variables if variable.kind in WRITES]
    if stale and chance.random() < STALE_CHANCE:
        known = [variable for variable in stale if variable.kind in WRITES] or known
    if not known:
        return 'state["j"] = VALUE'
    variable = chance.choice(known)
    forms = [form for form in WRITES[variable.kind] if not rebinds(form)]
    if variable.name in seen.writable:
        forms = list(WRITES[variable.kind])
    if not forms:
        return 'state["j"] = VALUE'
    variable.hot = True
    return perhaps_conditional(chance, chance.choice(forms).format(name=variable.name), seen)


def perhaps_conditional(chance: random.Random, line: str, seen: Scope) -> str:
    """The same line, seldom inside a branch."""
    numbers = [variable.name for variable in seen.of_kind("int")]
    if not numbers or "\n" in line or chance.random() > CONDITIONAL_CHANCE:
        return line
    name, constant = chance.choice(numbers), chance.choice(USUAL)
    return CONDITIONAL.format(name=name, constant=constant, healing=line)


def rebinds(form: str) -> bool:
    """Whether a write assigns the variable itself."""
    return form.startswith(("{name} =", "{name} +="))


def chosen_values(chance: random.Random, kind: str, source: str) -> list[str]:
    """Values of a kind; integers lie around the constants of the program."""
    if kind != "int":
        return chance.sample(VALUES[kind], VALUE_COUNT)
    constants = sorted({int(number) for number in NUMBER.findall(source)})
    near = [number + step for number in constants for step in (-1, 0, 1) if abs(number) < 1000]
    near = sorted(set(near) - set(USUAL))
    chosen = chance.sample(near, min(VALUE_COUNT - LEAST_USUAL, len(near)))
    chosen += chance.sample(USUAL, VALUE_COUNT - len(chosen))
    chance.shuffle(chosen)
    return [str(value) for value in chosen]
