"""Writes the live stack of a random program, from the crash outwards to the module."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from healguard_lab.random_programs.declarations import Declarations
from healguard_lab.random_programs.growth import (
    DEPTH,
    TRIES,
    Filling,
    Growth,
    NoFitError,
)
from healguard_lab.random_programs.healings import Healing, planned_healing
from healguard_lab.random_programs.scope import Scope
from healguard_lab.random_programs.stack_grammar import (
    CRASH,
    CRASH_AS_INT,
    CRASH_AS_IT_IS,
    LINKS,
    USES,
    WRAPS,
    Link,
)

RANK = 4
DIRECT_CHANCE = 0.5
RETURN_HEAT = 0.9
CARRY = "<place:int> = <int>"
# What a skipped statement would have bound, so that what follows can run.
STALE = {
    "int": "4",
    "str": '"c"',
    "ints": "[4, 1]",
    "table": '{"a": 4, "b": 1}',
    "pair": "(4, 1)",
    "bag": "{4}",
    "obj": "Base(4)",
    "objs": "[Base(4)]",
    "fn": "abs",
}


@dataclass
class Stack:
    """The levels of the stack, written innermost first.

    `kind` is that of the crash expression, `hot` whether what the level inside gives
    probably depends on healed state.
    """

    growth: Growth
    declarations: Declarations
    resume: str
    kind: str
    warmth: float
    hot: bool = True
    texts: list[str] = field(default_factory=list)
    instances: list[str] = field(default_factory=list)
    healing: Healing | None = None

    def write(self, depth: int) -> str:
        """Write `depth` levels; the template of a call of the outermost one."""
        call = ""
        for level in range(depth):
            call = self.write_level(self.chosen_link(is_innermost=level == 0), call)
        return call

    def chosen_link(self, is_innermost: bool) -> Link:
        """How a level is written; one that the healing leaves has to return an int."""
        returns = is_innermost and self.resume == "return"
        links = [
            link
            for link in LINKS
            if (not returns or "function" in link.flags) and self.growth.may_use(link.needed)
        ]
        return self.growth.chance.choices(links, [link.weight for link in links])[0]

    def write_level(self, link: Link, call: str) -> str:
        """Write a level around a call of the one inside; the template of its own call."""
        name = self.growth.fresh("Go" if "class <NAME>" in link.text else "go")
        base = self.declarations.world.body(RANK, ())

        def core(scope: Scope) -> list[str]:
            inside = scope.with_flags(add=("top", *link.flags))
            return [*self.declarations.globals_line(inside), *self.body(inside, link.end, call)]

        lines = self.growth.lines(link.text.replace("<NAME>", name).rstrip("\n"), base, core)
        self.texts.append("\n".join(lines) + "\n")
        form = self.growth.choose(link.calls, base).text.replace("<NAME>", name)
        if "<made>" in form:
            self.instances.append(f"made{name} = {name}(<const>)")
        return form.replace("<made>", f"made{name}")

    def body(self, scope: Scope, end: str, call: str) -> list[str]:
        """Statements before the call or the crash, it, and statements after it."""
        before = self.growth.some(cold(scope), (0, 0, 1))
        use = self.wrapped_use(scope, call)
        after = self.growth.some(scope, (0, 1, 1, 2))
        filling = Filling(self.growth, replace(scope, heat=RETURN_HEAT * self.warmth), DEPTH)
        filled = filling.fill(end)
        self.hot = filling.hot or self.resume == "return"
        return [*before, *use, *after, filled]

    def wrapped_use(self, scope: Scope, call: str) -> list[str]:
        """A statement with the call, or the crash, perhaps inside another statement."""

        def use(inside: Scope) -> list[str]:
            return self.use(inside, call)

        for _ in range(TRIES):
            template = self.growth.choose(WRAPS, scope).text
            if template == "<core>":
                break
            try:
                return self.growth.lines(template, scope, use)
            except NoFitError:
                continue
        return use(scope)

    def use(self, scope: Scope, call: str) -> list[str]:
        """A statement with the call or, where there is none, with the crash."""
        for _ in range(TRIES):
            template = self.use_template(scope, call)
            known = scope.inner()
            filling = Filling(self.growth, scope, DEPTH - 1, is_statement=True)
            filling.hot = self.hot if call else self.resume == "retry"
            try:
                lines = filling.fill(template).split("\n")
            except NoFitError:
                continue
            filling.settle()
            stale = [] if call else self.heal(filling, known)
            return [*stale, *lines, *self.carried(scope, lines[-1])]
        raise NoFitError

    def carried(self, scope: Scope, before: str) -> list[str]:
        """Perhaps a statement that stores a hot value where it is known outside of the block."""
        is_hot = any(variable.hot for variable in scope.variables)
        leaves = before.startswith("return")
        if leaves or not is_hot or self.growth.chance.random() > self.warmth:
            return []
        return self.growth.lines(CARRY, replace(scope, heat=1.0))

    def use_template(self, scope: Scope, call: str) -> str:
        """The template of a statement, the call or the crash put in."""
        chance = self.growth.chance
        if call:
            return self.growth.choose(USES, scope).text.replace("<CALL>", call)
        if self.kind != "int" and chance.random() < DIRECT_CHANCE:
            text = self.growth.choose(CRASH_AS_IT_IS, scope).text.replace("KIND", self.kind)
            return text.replace("<CALL>", CRASH)
        crash = chance.choice(CRASH_AS_INT[self.kind])
        return self.growth.choose(USES, scope).text.replace("<CALL>", crash)

    def heal(self, filling: Filling, seen: Scope) -> list[str]:
        """Plan the healing; the lines that bind what a skipped statement would have bound."""
        stale = filling.declared if self.resume == "skip" else []
        for variable in stale:
            seen.add(variable)
        targets = [*stale, *filling.replaced]
        self.healing = planned_healing(self.growth.chance, self.resume, self.kind, seen, targets)
        return [
            f"{variable.name} = {STALE[variable.kind]}"
            for variable in stale
            if variable.kind in STALE
        ]


def cold(scope: Scope) -> Scope:
    """The same scope before the crash, where nothing is healed yet."""
    return replace(scope, heat=0.0, pay=scope.pay / 4)
