"""Ports and flows of the models, for the perturbation test: a second, simple reading of the notation.

A *location* is a concrete place in the inputs or outputs of one call: a base ("self", "arg0", "arg:key", "result") and
steps: ("item", 3), ("value", key), ("key", key), ("member",) for what a set holds, ("attr", name), ("shape",) of a sequence,
("order",) for which keys a mapping has, in which order.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

ARROW = re.compile(r"^(.*?)\s*(->|~>)\s*(.*)$")


# Steps to the shape of a sequence, a mapping, a set.
SHAPES = {("shape",), ("order",), ("member",)}


class Location(NamedTuple):
    """A concrete place."""

    base: str
    steps: tuple = ()

    def __truediv__(self, step):
        return Location(self.base, (*self.steps, step))


@dataclass(frozen=True)
class Port:
    """A base with the steps of the notation behind it."""

    base: str
    path: tuple

    @staticmethod
    def parse(text):
        base, *path = re.findall(r"[^.()]+(?:\([^()]*\))?", text.strip())
        if base == "world":
            return Port(f"world.{path[0]}", ())
        return Port(base, tuple(path))

    def starts_at(self, base, parameters):
        """Whether a concrete base belongs to the base of the port."""
        if self.base == "args":
            return base.startswith("arg")
        if self.base == "kwargs":
            return base.startswith("arg:") and base[4:] not in parameters
        if self.base.startswith("arg:") and self.base[4:] in parameters.positional:
            return base == f"arg{parameters.positional.index(self.base[4:])}"
        if self.base.endswith("+") and base.startswith("arg") and base[3:].isdigit():
            return int(base[3:]) >= int(self.base[3:-1])
        return self.base == base

    def reads(self, location, parameters):
        """Whether the port depends on a change at a location: the location is the port, a prefix of it, or below `.deep`."""
        if not self.starts_at(location.base, parameters):
            return False
        for wanted, actual in zip(self.path, location.steps, strict=False):
            if wanted in ("deep", "nested"):
                return True
            if not step_matches(wanted, actual):
                return False
            if wanted == "shape" and actual[0] == "key":
                # Any part of a key decides which keys there are.
                return True
        covered = len(self.path) >= len(location.steps)
        return covered or (bool(self.path) and self.path[-1] in ("deep", "nested"))

    def holds(self, location, parameters):
        """Whether a location is the port or lies below it."""
        if (
            not self.starts_at(location.base, parameters)
            or "type" in self.path
            or "shape" in self.path[:-1]
        ):
            return False
        for place, wanted in enumerate(self.path):
            if wanted in ("deep", "nested"):
                return True
            if place >= len(location.steps) or not step_matches(
                wanted, location.steps[place]
            ):
                return False
        return True


def step_matches(wanted, actual):
    """Whether a step of the notation includes a concrete step."""
    kind = actual[0]
    if wanted == "items":
        return kind in ("item", "value", "member")
    if wanted == "keys":
        return kind == "key"
    if wanted == "each":
        return kind in ("item", "key", "member", "order")
    if wanted == "shape":
        # A changed key or member of a set changes which there are.
        return kind in ("shape", "key", "member", "order")
    if wanted.startswith("item("):
        return actual == ("item", int(wanted[5:-1]))
    if wanted.startswith("attr("):
        return actual == ("attr", wanted[5:-1])
    return False


class Parameters:
    """The parameters of an entry."""

    def __init__(self, listed):
        self.positional, self.others = [], []
        into = self.positional
        for name in listed or []:
            if name.startswith("*"):
                into = self.others
            elif name != "/":
                into.append(name)

    def __contains__(self, name):
        return name in self.positional or name in self.others


@dataclass(frozen=True)
class Flow:
    """From one port to another; `alias` for `->`; `by_hook` when only a method of a user class can bring it about, `callee`
    when only a callback can."""

    source: Port
    alias: bool
    target: Port
    by_hook: bool = False
    callee: Port | None = None

    def concerns(self, source):
        """Hooks concern objects of user classes, by their attributes. Of built-in objects the flows alone must speak."""
        return not self.by_hook or any(step[0] == "attr" for step in source.steps)


class Model:
    """What the perturbation test needs to know of an entry: everything in it as flows."""

    def __init__(self, entry):
        self.entry = entry
        self.parameters = Parameters(entry.get("parameters"))
        self.flows = []
        self.learn(entry)

    def learn(self, entry):
        """Takes over the flows of an entry, or of a part of one."""
        self.flows += [read_flow(text) for text in entry.get("flows", [])]
        for text in entry.get("calls", []):
            self.flows += flows_of_call(text)
        self.flows += flows_of_copies(entry.get("copies"))
        for port in map(Port.parse, entry.get("shuffles", [])):
            items = Port(port.base, (*port.path, "items"))
            self.flows.append(Flow(items, True, items))
        targets = [flow.target for flow in self.flows] + [Port("result", ())]
        for text in entry.get("hooks", []):
            self.flows += flows_of_hook(text, targets)

    def keep_to(self, bases):
        """Forgets the callbacks that a call with these arguments does not have, and learns what holds without others."""
        for more in self.entry.get("unless", []):
            given = Port.parse(more["given"])
            if not any(
                given.starts_at(base, self.parameters) and value is not None
                for base, value in bases.items()
            ):
                self.learn(more)

        def is_given(flow):
            callee = flow.callee
            return callee is None or any(
                callee.starts_at(base, self.parameters) for base in bases
            )

        self.flows = list(filter(is_given, self.flows))

    def ports(self, key):
        return [Port.parse(text) for text in self.entry.get(key, [])]

    def explains(self, source, target):
        """Whether a change at one location may be seen at another."""
        if self.keeps(source, target):
            return True
        if any(self.explains(source, place) for place in self.originals(target)):
            return True
        return any(
            flow.target.holds(target, self.parameters)
            and flow.concerns(source)
            and (
                flow.source.reads(source, self.parameters)
                or self.carries(flow, source, target)
            )
            for flow in self.flows
        )

    def originals(self, target):
        """The same place in the arguments that the result may be: it shows what happened to them."""
        if target.base != "result":
            return []
        itself = [
            flow.source.base
            for flow in self.flows
            if flow.alias and flow.target == Port("result", ()) and not flow.source.path
        ]
        return [
            Location(base, target.steps)
            for base in itself
            if base == "self" or base[3:].isdigit()
        ]

    def keeps(self, source, target):
        """What a place held before is still there, unless the entry clears it; so is the shape of a container."""
        if source.base != target.base or any(
            port.holds(target, self.parameters) for port in self.ports("clears")
        ):
            return False
        if source.steps == target.steps[: len(source.steps)]:
            return True
        *holder, last = target.steps or ((),)
        within = list(source.steps[: len(holder)]) == holder and len(
            source.steps
        ) > len(holder)
        return (
            within
            and last in SHAPES
            and source.steps[len(holder)][0] in ("shape", "order", "member", "key")
        )

    def carries(self, flow, source, target):
        """An alias brings what is below its source, too, to the same place below its target."""
        if not flow.alias or not flow.source.holds(source, self.parameters):
            return False
        if {"deep", "nested"} & {*flow.source.path, *flow.target.path}:
            return True
        below = source.steps[len(flow.source.path) :]
        return target.steps[len(flow.target.path) :][: len(below)] == below

    def shares(self, source, target):
        """Whether the object at one location may be the object at another."""
        if any(self.shares(source, place) for place in self.originals(target)):
            return True
        return any(
            flow.alias
            and flow.target.holds(target, self.parameters)
            and flow.source.holds(source, self.parameters)
            for flow in self.flows
        )

    def brings(self, target):
        """Whether some object of the inputs may be at a location, or above it."""
        return any(
            flow.alias and flow.target.holds(target, self.parameters)
            for flow in self.flows
        )


def read_flow(text):
    source, arrow, target = ARROW.match(text).groups()
    return Flow(Port.parse(source), arrow == "->", Port.parse(target))


def split_call(text):
    """The callee, the argument ports, the arrow and the target (None without an arrow) of a callback or hook."""
    arrow = ARROW.match(text)
    call, kind, target = arrow.groups() if arrow else (text, None, None)
    call = call.strip()
    arguments = []
    if call.endswith(")"):
        depth, start = 0, len(call)
        for start in range(len(call) - 1, -1, -1):
            depth += (call[start] == ")") - (call[start] == "(")
            if depth == 0:
                break
        inner = call[start + 1 : -1]
        arguments = [
            part.strip().lstrip("*~")
            for part in inner.split(",")
            if part.strip() not in ("", "_")
        ]
        call = call[:start]
    return call, [Port.parse(argument) for argument in arguments], kind, target


def flows_of_call(text):
    """A callback may return what it gets, or something computed from it."""
    callee, arguments, kind, target = split_call(text)
    called = Port.parse(callee)
    computed = [
        Port(port.base, (*port.path, "deep"))
        for port in arguments
        if not port.base.startswith("world")
    ]
    flows = []
    if called.path and called.path[-1].startswith("attr("):
        # A method may keep what it gets in its object.
        flows += [
            Flow(port, True, Port(called.base, called.path[:-1]), callee=called)
            for port in [*arguments, *computed]
        ]
    if target is not None:
        destination = Port.parse(target)
        flows += [
            Flow(port, kind == "->", destination, callee=called)
            for port in [*arguments, called]
        ]
        flows += [Flow(port, False, destination, callee=called) for port in computed]
    return flows


def flows_of_hook(text, targets):
    """A hook depends on its object and its arguments, and may influence every target of the entry."""
    callee, arguments, kind, target = split_call(text)
    owner = Port.parse(callee.rpartition(".")[0])
    if target is not None:
        targets = [Port.parse(target)]
    return [
        Flow(
            Port(port.base, (*port.path, "deep")),
            kind == "->",
            destination,
            by_hook=True,
        )
        for port in [owner, *arguments]
        for destination in targets
    ]


def flows_of_copies(copies):
    """A deep copy depends on everything, a shallow one shares what the original holds."""
    if copies is None:
        return []
    source, result = Port.parse(copies["from"]), Port("result", ())
    if copies["deep"]:
        return [Flow(Port(source.base, (*source.path, "deep")), False, result)]
    shared = [
        Flow(Port(source.base, (*source.path, step)), True, Port("result", (step,)))
        for step in ("items", "keys", "attr(value)")
    ]
    shape = Flow(
        Port(source.base, (*source.path, "shape")), False, Port("result", ("shape",))
    )
    return [Flow(source, False, result), shape, *shared]
