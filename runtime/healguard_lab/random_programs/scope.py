"""What is known at a point of a program that is being written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace


@dataclass
class Variable:
    """A variable; `hot` says that it probably depends on healed state."""

    name: str
    kind: str
    is_global: bool
    hot: bool = False


@dataclass(frozen=True)
class Scope:
    """Where text is written: what is visible, and what may be done.

    A body calls only what has a lower `rank`, so that every program ends. `heat` is the
    chance that a hot variable is preferred, `pay` that a statement pays. `flags` are the
    conditions of templates that hold here.
    """

    rank: int
    heat: float
    pay: float
    flags: frozenset[str]
    in_module: bool
    depth: int = 0
    variables: list[Variable] = field(default_factory=list)
    writable: set[str] = field(default_factory=set)

    def inner(self, **changes: object) -> Scope:
        """A scope in which new variables do not show outside."""
        copies = {"variables": list(self.variables), "writable": set(self.writable)}
        return replace(self, **{**copies, **changes})

    def with_flags(self, *, add: Iterable[str] = (), drop: Iterable[str] = ()) -> Scope:
        """An inner scope with other flags."""
        return self.inner(flags=(self.flags | set(add)) - set(drop))

    def body(self, rank: int, variables: Iterable[Variable], flags: Iterable[str] = ()) -> Scope:
        """The scope of a function of the program, which sees its parameters and globals."""
        own = list(variables)
        hidden = {variable.name for variable in own}
        outside = [v for v in self.variables if v.is_global and v.name not in hidden]
        return replace(
            self,
            rank=rank,
            flags=frozenset(flags) | {"flat"},
            in_module=False,
            depth=1,
            variables=outside + own,
            writable=hidden,
        )

    def add(self, variable: Variable, writable: bool = True) -> None:
        """Make a variable known from here on."""
        self.variables.append(variable)
        if writable:
            self.writable.add(variable.name)

    def of_kind(self, kind: str) -> list[Variable]:
        """The visible variables of a kind."""
        return [variable for variable in self.variables if variable.kind == kind]

    def assignable(self, kind: str) -> list[Variable]:
        """The variables of a kind that may be assigned here."""
        return [variable for variable in self.of_kind(kind) if variable.name in self.writable]
