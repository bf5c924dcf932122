"""Declarations of random programs: functions, classes with their members, and what else is used."""

from __future__ import annotations

from healguard_lab.random_programs.templates import BOUND_NAMES

EXTRAS = {
    "Clone": """\
class Clone:
    def __init__(self, p):
        self.p = p

    @property
    def twin(self):
        return type(self)(self.p + <int:leaf>)

    def __copy__(self):
        return Clone(self.p - <int:leaf>)

    def __deepcopy__(self, memo):
        return Clone(self.p * 2)
""",
    "Flag": """\
class Flag:
    def __init__(self, p):
        self.p = p

    def __bool__(self):
        return self.p > <const>
""",
    "Gone": """\
class Gone:
    last = <const>

    def __init__(self, p):
        self.p = p

    def __delattr__(self, name):
        Gone.last = self.p

    def __delitem__(self, p):
        Gone.last = self.p + p
""",
    "Inner": """\
class Inner:
    class Deep:
        def __init__(self, p):
            self.p = p + Inner.rate

    rate = <const>
    for step in range(2):
        rate += step
""",
    "Kinds": """\
class Kinds:
    known = [<const>]

    def __init_subclass__(cls, level=<const>, **options):
        super().__init_subclass__(**options)
        Kinds.known.append(level)
""",
    "Meta": """\
class Meta(type):
    def __new__(meta, name, bases, members):
        members["twice"] = members["p"] * 2
        return super().__new__(meta, name, bases, members)
""",
    "Rank": """\
class Rank:
    def __init__(self, p):
        self.p = p

    def __lt__(self, other):
        return self.p % 5 < other.p % 5

    def __gt__(self, other):
        return self.p > other.p
""",
    "Same": """\
class Same:
    def __init__(self, p):
        self.p = p

    def __eq__(self, other):
        return self.p == other.p

    def __hash__(self):
        return 1
""",
    "Shape": """\
class Shape(collections.namedtuple("Sides", "x y")):
    def area(self):
        return self.x * self.y
""",
    "Span": """\
class Span:
    def __init__(self, p):
        self.p = p

    def __len__(self):
        return 3

    def __getitem__(self, p):
        if isinstance(p, slice):
            return self.p + (p.stop or 0)
        if p >= 3:
            raise IndexError(p)
        return self.p + p
""",
    "Text": """\
class Text:
    def __init__(self, p):
        self.p = p

    def __str__(self):
        return "s" * (self.p % 3)

    def __repr__(self):
        return f"<{self.p}>"

    def __format__(self, spec):
        return spec + str(self.p)
""",
    "Total": """\
class Total:
    def __init__(self, p):
        self.p = p

    def __matmul__(self, p):
        return self.p * 2 + p

    def __or__(self, p):
        return max(self.p, p)

    def __divmod__(self, p):
        return self.p - p

    def __abs__(self):
        return self.p % 4

    def __round__(self, digits=None):
        return self.p + 1

    def __invert__(self):
        return -self.p

    def __rsub__(self, p):
        return p - self.p

    def __index__(self):
        return self.p % 3 + 1

    def __iadd__(self, p):
        return Total(self.p + p)
""",
    "ask": """\
class Answer:
    def __init__(self, p):
        self.p = p

    def __await__(self):
        got = yield self.p
        return got


async def ask(p):
    first = await Answer(p)
    return first + <int:p>
""",
    "cached": """\
class Lazy:
    def __init__(self, p):
        self.p = p

    @functools.cached_property
    def level(self):
        return self.p + <int:leaf>


def cached(p):
    lazy = Lazy(p)
    first = lazy.level
    lazy.p = <int:p>
    return first + lazy.level
""",
    "context": """\
def context(p):
    try:
        try:
            raise ValueError(p)
        except ValueError:
            raise KeyError(<int:p>)
    except KeyError as error:
        return error.__context__.args[0]
""",
    "described": """\
@functools.singledispatch
def described(p):
    return <const>


@described.register
def _(p: int):
    return p + <int:p>


@described.register(str)
def _(p):
    return len(p)
""",
    "drive": """\
def drive(task):
    try:
        p = task.send(None)
        task.send(p + <int:leaf>)
    except StopIteration as stop:
        return stop.value
    return <const>
""",
    "final": """\
def final(p):
    for step in range(3):
        try:
            if step > p:
                return step
        finally:
            if <cond:p>:
                break
    return <int:p>
""",
    "grouped": """\
def grouped(p):
    found = <const>
    try:
        raise ExceptionGroup("g", [ValueError(p), KeyError(2)])
    except* ValueError as group:
        found += group.exceptions[0].args[0]
    except* KeyError:
        found += 1
    return found
""",
    "sized": """\
def sized(p):
    size = p % 4
    rows = [[0] * size for _ in range(2)]
    return len(rows[0]) + <int:leaf>
""",
    "stopped": """\
def stopped(p):
    def inner():
        yield 1
        return p + <int:leaf>

    walk = inner()
    try:
        while True:
            next(walk)
    except StopIteration as stop:
        return stop.value
""",
    "Guard": """\
class Guard:
    def __init__(self, p):
        self.p = p

    def __enter__(self):
        return self.p

    def __exit__(self, kind, error, traceback):
        return self.p > <const> and kind is ValueError
""",
    "Holder": """\
class Field:
    def __get__(self, o, kind=None):
        return o.plain + <const>

    def __set__(self, o, value):
        o.plain = value - <int:leaf>


class Holder:
    field = Field()

    def __init__(self, p):
        self.plain = p
""",
    "Pack": """\
class Pack(list):
    @property
    def total(self):
        return sum(self)

    def append(self, item):
        super().append(item + <int:leaf>)
""",
    "Proxy": """\
class Proxy:
    def __init__(self, target):
        object.__setattr__(self, "target", target)

    def __getattr__(self, name):
        return getattr(self.target, name)

    def __setattr__(self, name, value):
        setattr(self.target, name, value)
""",
    "Registry": """\
class Registry:
    known = {"x": abs}
""",
    "Till": """\
class Till:
    def __init__(self, p):
        self.p = p

    def pay(self, p):
        pay(p, self.p)

    def keep(self, p):
        self.p += p
""",
    "Walk": """\
class Walk:
    def __init__(self, p):
        self.left = 3
        self.p = p

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        self.p += <int:leaf>
        return self.p
""",
    "averager": """\
def averager(p):
    while True:
        got = yield p
        if got is None:
            return
        p = p + got
""",
    "assign": """\
def assign(o, p):
    o.extra = p
    return o.n
""",
    "cells": """\
def cells(kept):
    def read(p):
        return kept + p

    def write(p):
        nonlocal kept
        kept = <int:p>
        return kept

    return read, write
""",
    "counter": """\
def counter(kept):
    def step(p=1):
        nonlocal kept
        kept += p
        return kept

    return step
""",
    "enter": """\
def enter(manager):
    with manager as got:
        result = got + 0
    return result
""",
    "relay": """\
def relay(walk):
    yield <const>
    result = yield from walk
    return result
""",
    "rescued": """\
def rescued(p):
    try:
        if <cond:p>:
            raise ValueError(p)
        return <int:p>
    except ValueError as error:
        return error.args[0]
    finally:
        <block:p>
""",
    "Box": """\
class Box(dict):
    def __missing__(self, key):
        return len(key) + <int>
""",
    "Problem": """\
class Problem(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code
""",
    "adder": """\
def adder(p):
    return lambda q: <int:p,q>
""",
    "check": """\
def check(p):
    if <cond:p>:
        raise ValueError(p)
    return p
""",
    "scope": """\
@contextlib.contextmanager
def scope(p):
    <body:p>
    yield <int:p>
    <block:p>
""",
    "mutate": """\
def mutate(r, p):
    r[0] = <int:p>
    r.append(<int:p>)
""",
    "touch": """\
def touch(o, p):
    o.n = <int:p,o>
    o.xs.append(<int:p,o>)
    return o
""",
    "swap": """\
def swap(o, other):
    o.n, other.n = other.n, o.n
    o.m = <int:o>
""",
    "spend": """\
def spend(p, q=<const>):
    <block:p,q>
    pay(<int:p,q>)
    return <int:p,q>
""",
    "apply": """\
def apply(f, *args, **kwargs):
    return f(*args, **kwargs)
""",
    "order": """\
def order(p):
    if <cond:p>:
        return pay(<const>)
    <block:p>
    return None
""",
    "fold": """\
def fold(p):
    if p <= 0:
        return <int>
    <body>
    return fold(p - 1) + <int:p>
""",
    "payer": """\
def payer(p):
    def inner(q):
        pay(<int:p,q>)
        return q

    return inner
""",
    "logged": """\
def logged(f):
    def inner(*args, **kwargs):
        <block>
        result = f(*args, **kwargs)
        <block>
        return result + <int>

    return inner
""",
    "doubled": """\
def doubled(f):
    def inner(*args, **kwargs):
        return <int> + f(*args, **kwargs) * 2

    return inner
""",
}

MEMBERS = {
    "get": "def get(self):\n    <body>\n    return <int>\n",
    "put": "def put(self, p):\n    self.n = <int:p>\n    <body:p>\n",
    "mix": "def mix(self, p, q=<const>):\n    <body:p,q>\n    return <int:p,q>\n",
    "calc": "@staticmethod\ndef calc(p):\n    return <int:p>\n",
    "make": "@classmethod\ndef make(cls, p):\n    return cls(<int:p>)\n",
    "size": "@property\ndef size(self):\n    <body>\n    return <int>\n",
    "spend": "def spend(self, p):\n    <body:p>\n    pay(<int:p>)\n",
    "__getitem__": "def __getitem__(self, p):\n    return <int:p>\n",
    "__setitem__": "def __setitem__(self, p, q):\n    self.m = <int:p,q>\n    <body:p,q>\n",
    "__call__": "def __call__(self, p):\n    <body:p>\n    return <int:p>\n",
    "__len__": "def __len__(self):\n    return abs(<int>) % 5\n",
    "__iter__": "def __iter__(self):\n    yield <int>\n    <body>\n    yield from self.xs[:3]\n",
    "__add__": "def __add__(self, p):\n    <body:p>\n    return <int:p>\n",
    "__radd__": "def __radd__(self, p):\n    return p - <int:p>\n",
    "__neg__": "def __neg__(self):\n    return <int>\n",
    "__iadd__": "def __iadd__(self, p):\n    self.n += <int:p>\n    return self\n",
    "__getattr__": """\
def __getattr__(self, name):
    if name != "ghost":
        raise AttributeError(name)
    return self.m + <const>
""",
    "__str__": "def __str__(self):\n    return <str>\n",
    "__contains__": "def __contains__(self, p):\n    return <cond:p>\n",
    "__bool__": "def __bool__(self):\n    return bool(<cond>)\n",
    "__eq__": "def __eq__(self, other):\n    return self.n == other.n\n",
    "__lt__": "def __lt__(self, other):\n    return self.m < other.m\n",
    "__enter__": "def __enter__(self):\n    <body>\n    return self\n",
    "__exit__": "def __exit__(self, *details):\n    self.m += 0\n    <body>\n",
}
TOGETHER = {"__enter__": "__exit__"}

BASE_CLASS = """\
class Base:
    count = <const>
    shared = [<const>]

    def __init__(self, n, m=<const>):
        self.n = n
        self.m = m
        self.xs = [n, m]
        self.label = "b"
        self.peer = None
        self.hook = abs
"""
BASE_DATACLASS = """\
@dataclasses.dataclass(eq=False)
class Base:
    n: int
    m: int = <const>
    xs: list = dataclasses.field(default_factory=lambda: [3, 1])
    label: str = "b"
    peer: object = None
    hook: object = abs
    count = <const>
    shared = [<const>]
"""
CONSTRUCTOR = """\
def __init__(self, p, m=<const>):
    super().__init__(p - <int:leaf>, m)
    self.m = p + <int:leaf>
"""

SIGNATURES = {
    "p": ["<f>(<int>)"],
    "p, q": [
        "<f>(<int>, <int>)",
        "<f>(q=<int>, p=<int>)",
        "<f>(*<pair>)",
        '<f>(**{"p": <int>, "q": <int>})',
        "functools.partial(<f>, <int>)(<int>)",
        "<f>(*[<int>], **dict(q=<int>))",
    ],
    "p, q=<const>": ["<f>(<int>)", "<f>(<int>, <int>)", "<f>(<int>, q=<int>)"],
    "p, *rest": ["<f>(<int>, <int>, <int>)", "<f>(*<ints>)", "<f>(<int>)"],
    "p, **named": ["<f>(<int>, a=<int>)", "<f>(<int>, **<table>)"],
    "p, *, q=<const>": ["<f>(<int>, q=<int>)", "<f>(<int>)"],
    "p, r=[<const>]": ["<f>(<int>)", "<f>(<int>, <ints>)"],
    "r": ["<f>(<ints>)", "<f>(<var:ints>)"],
    "o": ["<f>(<obj>)", "<f>(<var:obj>)"],
    "o, p": ["<f>(<obj>, <int>)", "<f>(p=<int>, o=<var:obj>)"],
    "f, p": ["<f>(<fn>, <int>)"],
}
OF_ONE = ("p", "p, q=<const>", "p, *rest", "p, **named", "p, *, q=<const>", "p, r=[<const>]")
OF_TWO = ("p, q", "p, q=<const>")
PARAMETERS = {**BOUND_NAMES, "*rest": "seq", "**named": "named", "f": "fn"}
