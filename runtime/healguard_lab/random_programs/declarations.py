"""The functions, classes and other declarations of a program, made when they are used."""

from __future__ import annotations

from dataclasses import dataclass, field

from healguard_lab.random_programs.declaration_grammar import (
    BASE_CLASS,
    BASE_DATACLASS,
    CONSTRUCTOR,
    EXTRAS,
    MEMBERS,
    OF_ONE,
    OF_TWO,
    PARAMETERS,
    SIGNATURES,
    TOGETHER,
)
from healguard_lab.random_programs.growth import DEPTH, Growth, NoFitError, indented
from healguard_lab.random_programs.scope import Scope, Variable

FUNCTION_LIMIT = 3
MEMBER_LIMIT = 4
EXTRA_LIMIT = 3
GENERATOR_LIMIT = 1
REUSE_CHANCE = 0.6
OVERRIDE_CHANCE = 0.3
DATACLASS_CHANCE = 0.5
DECORATED_CHANCE = 0.15
GLOBAL_CHANCE = 0.3
EXTRA_RANK = 2
BASE = "Base"
HIERARCHIES = (
    {},
    {"Left": "Base"},
    {"Left": "Base", "Right": "Base"},
    {"Left": "Base", "Right": "Left"},
    {"Left": "Base", "Right": "Base", "Both": "Left, Right"},
)


@dataclass(frozen=True)
class Function:
    """A function of the program; a body calls only what has a lower rank."""

    name: str
    signature: str
    rank: int


@dataclass
class Declarations:
    """What a program declares. `world` is the scope of its global variables."""

    growth: Growth
    world: Scope
    bases: dict[str, str] = field(init=False)
    functions: list[Function] = field(default_factory=list)
    generators: list[Function] = field(default_factory=list)
    members: dict[str, int] = field(default_factory=dict)
    extras: dict[str, int] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    extra_texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bases = self.growth.chance.choice(HIERARCHIES)
        self.growth.declared = self

    def name(self, head: str, argument: str, scope: Scope) -> str:
        """The name, or the template of a call, that a hole asks for; raises `NoFitError`."""
        if head == "cls":
            return self.growth.chance.choice([BASE, *self.bases])
        if head == "m":
            return self.member(argument, scope.rank)
        if head == "extra":
            return self.extra(argument, scope.rank)
        if head == "gen":
            return f"{self.generator(scope.rank).name}(<int>)"
        if head == "func1":
            return self.function(OF_ONE, scope.rank).name
        if head == "func2":
            return self.function(OF_TWO, scope.rank).name
        function = self.function(tuple(SIGNATURES), scope.rank)
        forms = [form for form in SIGNATURES[function.signature] if self.growth.may_use(form)]
        form = self.growth.chance.choice(forms)
        return form.replace("<f>", function.name)

    def member(self, name: str, rank: int) -> str:
        """Let classes have a member that is called from a rank; its name, if it has to be said."""
        is_full = len(self.members) >= MEMBER_LIMIT and name not in self.members
        if is_full or rank <= 0 or rank <= self.members.setdefault(name, rank - 1):
            raise NoFitError
        if name in TOGETHER:
            self.members.setdefault(TOGETHER[name], rank - 1)
        return "" if name.startswith("__") else name

    def extra(self, name: str, rank: int) -> str:
        """Let the program have a declaration that is used from a rank; its name."""
        is_full = len(self.extras) >= EXTRA_LIMIT and name not in self.extras
        if is_full or rank <= self.extras.get(name, 0) or not self.growth.may_use(EXTRAS[name]):
            raise NoFitError
        if name not in self.extras:
            self.extras[name] = min(rank - 1, EXTRA_RANK)
            self.extra_texts.append(self.filled(EXTRAS[name], self.extras[name]))
        return name

    def function(self, signatures: tuple[str, ...], rank: int) -> Function:
        """A function with one of the signatures that may be called from a rank."""
        known = [
            function
            for function in self.functions
            if function.rank < rank and function.signature in signatures
        ]
        full = len(self.functions) >= FUNCTION_LIMIT
        if known and (full or self.growth.chance.random() < REUSE_CHANCE):
            return self.growth.chance.choice(known)
        if full or rank <= 0:
            raise NoFitError
        return self.declare_function(self.growth.chance.choice(signatures), rank - 1)

    def declare_function(self, signature: str, rank: int) -> Function:
        """A function that the program did not have."""
        chance = self.growth.chance
        function = Function(self.growth.fresh("f"), signature, rank)
        scope = self.world.body(rank, parameters(signature), ("function",))
        decorator = ""
        if chance.random() < DECORATED_CHANCE and rank > 0:
            decorator = f"@{self.extra(chance.choice(('logged', 'doubled')), rank)}\n"
        header = self.filled(f"def {function.name}({signature}):", 0)
        lines = [
            *self.globals_line(scope),
            *self.growth.some(scope, (0, 1, 1, 2)),
        ]
        lines.append(f"return {self.growth.expression('int', scope, DEPTH - 1)}")
        self.texts.append(f"{decorator}{header}\n    {indented(lines, 4)}\n")
        self.functions.append(function)
        return function

    def globals_line(self, scope: Scope) -> list[str]:
        """Perhaps a declaration that lets a body assign a global variable."""
        known = [v for v in scope.of_kind("int") if v.is_global]
        if not known or self.growth.chance.random() > GLOBAL_CHANCE:
            return []
        variable = self.growth.chance.choice(known)
        scope.writable.add(variable.name)
        return [f"global {variable.name}"]

    def generator(self, rank: int) -> Function:
        """A generator function that may be called from a rank."""
        known = [function for function in self.generators if function.rank < rank]
        full = len(self.generators) >= GENERATOR_LIMIT
        if known and (full or self.growth.chance.random() < REUSE_CHANCE):
            return self.growth.chance.choice(known)
        if full or rank <= 0:
            raise NoFitError
        generator = Function(self.growth.fresh("walk"), "p", rank - 1)
        scope = self.world.body(rank - 1, parameters("p"), ("yields",))
        scope = scope.inner(pay=0)
        lines = [f"yield {self.growth.expression('int', scope, 1)}", *self.growth.block(scope, 1)]
        self.texts.append(f"def {generator.name}(p):\n    {indented(lines, 4)}\n")
        self.generators.append(generator)
        return generator

    def filled(self, text: str, rank: int) -> str:
        """A template of a declaration, filled."""
        return "\n".join(self.growth.lines(text, self.world.body(rank, ())))

    def class_texts(self) -> list[str]:
        """The classes, with every member that something asked for."""
        bodies: dict[str, list[str]] = {name: [] for name in (BASE, *self.bases)}
        done: list[str] = []
        while len(done) < len(self.members):
            name = next(name for name in self.members if name not in done)
            done.append(name)
            bodies[BASE].append(self.member_text(name))
            for kind in self.bases:
                if self.growth.chance.random() < OVERRIDE_CHANCE:
                    bodies[kind].append(self.member_text(name))
        for kind in self.bases:
            if self.growth.chance.random() < OVERRIDE_CHANCE:
                bodies[kind].insert(0, self.method_text(CONSTRUCTOR, 0))
        is_data = (
            "dataclasses" in self.growth.modules and self.growth.chance.random() < DATACLASS_CHANCE
        )
        texts = [self.filled(BASE_DATACLASS if is_data else BASE_CLASS, 0) + members(bodies[BASE])]
        for kind, bases in self.bases.items():
            inside = members(bodies[kind]) or "\n    pass\n"
            texts.append(f"class {kind}({bases}):{inside}")
        return texts

    def member_text(self, name: str) -> str:
        """One definition of a member."""
        return self.method_text(MEMBERS[name], self.members[name])

    def method_text(self, text: str, rank: int) -> str:
        """A method from its template."""
        own = [Variable("self", "obj", False)] if "(self" in text else []
        scope = self.world.body(rank, own)
        scope.writable.clear()
        return "\n".join(self.growth.lines(text, scope))


def parameters(signature: str) -> list[Variable]:
    """The variables that the parameters of a function are."""
    names = [part.split("=")[0] for part in signature.split(", ")]
    return [
        Variable(name.strip("*"), PARAMETERS[name], False) for name in names if name in PARAMETERS
    ]


def members(texts: list[str]) -> str:
    """Members of a class, below its header."""
    return "".join("\n" + indented_text(text) for text in texts)


def indented_text(text: str) -> str:
    """A member's text inside its class."""
    return "".join(f"    {line}".rstrip() + "\n" for line in text.rstrip("\n").split("\n"))
