"""The live stack of random programs: how it is called, and what its calls are used for.

<CALL> is the crash expression, or a call of the next level; <core> are the statements of
the next level, or those that use it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from healguard_lab.random_programs.templates import Template, lines, paragraphs

CRASH = 'state["k"]'
CRASH_AS_INT = {
    "int": [CRASH],
    "str": [f"len({CRASH})", f"int({CRASH} == <str>)", f'{CRASH}.count("a")'],
    "ints": [f"{CRASH}[0]", f"sum({CRASH})", f"len({CRASH})", f"max({CRASH})"],
    "table": [f'{CRASH}["a"]', f"sum({CRASH}.values())", f"len({CRASH})"],
}
CRASH_AS_IT_IS = paragraphs("""
3* <let:KIND> = <CALL>

<set:KIND> = <CALL>

pay(<CALL>)

<let:KIND>, <let:int> = <CALL>, <int>
""")
# What is done with the crash expression, or with a call that leads to it.
USES = paragraphs("""
6* <let:int> = <CALL>

3* <let:int> = <CALL> + <int>

3* <set:int> = <CALL>

4* <place:int> = <CALL>

2* <place:int> += <CALL>

<var:obj>.n = <CALL>

<var:obj>.n, <let:int> = <int>, <CALL>

<var:ints>.append(<CALL>)

<var:ints>[0] = <CALL>

<var:table>[<key>] = <CALL>

<var:table>.update(b=<CALL>)

<let:int>, <let:int> = <CALL>, <int>

<let:ints> = [<int>, <CALL>]

<let:pair> = (<CALL>, <int>)

<let:table> = {"a": <CALL>, "b": <int>}

<let:bag> = {<CALL>, <const>}

<let:obj> = <cls>(<CALL>)

<let:objs> = [<obj>, <cls>(<CALL>)]

<let:str> = str(<CALL>)

<let:fn> = functools.partial(<func2>, <CALL>)

<let:fn> = lambda p, q=<CALL>: p + q

<let:int> = (<let:int> := <CALL>) + <int>

<let:int> = <call> + <CALL>

2* if <CALL> > <int>:
    <block>
else:
    <block>

if <CALL>:
    <block>

for <in:int> in range(<CALL> % 4):
    <block>

for <in:int> in [<CALL>, <int>]:
    <block>

while <CALL> > <int>:
    <block>
    break
else:
    <block>

match <CALL>:
    case 0 | 1:
        <block>
    case <in:int>:
        <block>

2* pay(<CALL>)

pay(<int>, <CALL>)

<let:int> = <func1>(<CALL>)

<var:obj>.<m:put>(<CALL>)

setattr(<var:obj>, "m", <CALL>)

assert <CALL> < 10000

<extra:mutate>(<var:ints>, <CALL>)

<m:__setitem__><var:obj>[<int>] = <CALL>

<m:__enter__>with <cls>(<CALL>) as <in:obj>:
    <block>

with <extra:scope>(<CALL>) as <in:int>:
    <block>

def <let:fn>(p, q=<CALL>):
    return <int:p,q>

<CALL>

[function] return <CALL>

[function] return <CALL> + <int>

[function] return <call> - <CALL>

[yields] 3* yield <CALL>
""")
# Around a use; the program stands in there when it dies.
WRAPS = paragraphs("""
9* <core>

2* for <in:int> in range(2):
    <core>
    <loop>

for <in:int> in <ints>[:3]:
    <core>
    <loop>
else:
    <block>

for <in:obj> in <objs>[:3]:
    <core>
    <loop>

for <in:str>, <in:int> in <table>.items():
    <core>

for <in:int>, <in:int> in zip(<ints>, range(2)):
    <core>
    <loop>

<in:count> = 2
while <1> > 0:
    <1> -= 1
    <core>
    <loop>

try:
    <core>
    <block>
finally:
    <block>

try:
    <core>
    <block>
except ValueError:
    <block>

try:
    <core>
    if <cond>:
        raise <extra:Problem>(<int>)
    <block>
except Problem as error:
    <place:int> = error.code

try:
    <core>
    <place:int> = <int> // <int>
except ZeroDivisionError:
    <block>
else:
    <block>

try:
    raise <extra:Problem>(<int>)
except Problem as error:
    <core>
    <place:int> = error.code

try:
    <block>
finally:
    <core>
    <block>

<m:__enter__>with <obj> as <in:obj>:
    <core>
    <block>

with <extra:scope>(<int>) as <in:int>:
    <core>
    <block>

with contextlib.suppress(ValueError):
    <core>
    <extra:check>(<int>)
    <block>

if len(<ints>) > 0:
    <core>
    <block>
else:
    <block>

if <cond>:
    <core>
else:
    <block>

match <pair>:
    case (<in:int>, *_):
        <core>
        <block>
""")


@dataclass(frozen=True)
class Link:
    """How one level of the stack is written and called.

    `text` defines <NAME> around <core>; the body ends in `end`. `calls` give an int, some of
    them on <made>, an instance that exists when the module's code begins.
    """

    text: str
    calls: list[Template]
    end: str = "return <int>"
    flags: tuple[str, ...] = ("function",)
    weight: int = 1

    @property
    def needed(self) -> str:
        """A text with the modules that the level cannot do without."""
        return self.text if len(self.calls) > 1 else self.text + self.calls[0].text


def method(header: str, calls: str, **others: object) -> Link:
    """A level that is a method of a class of its own."""
    known = [name for name in ("self", "p") if re.search(rf"[(,] ?{name}\b", header)]
    above = "".join(f"    {line}\n" for line in header.split("\n"))
    text = f"class <NAME>(Base):\n{above}        <core:{','.join(known)}>\n"
    return Link(text, lines(calls), **others)


LINKS = [
    Link(
        "def <NAME>(p):\n    <core:p>\n",
        lines("""
            8* <NAME>(<int>)
            <NAME>(p=<int>)
            list(map(<NAME>, <ints>))[0]
            sum(map(<NAME>, <ints>))
            sorted(<ints>, key=<NAME>)[0]
            max(<ints>, key=<NAME>)
            [<NAME>(p) for p in <ints>][-1]
            sum(<NAME>(p) for p in <ints>)
            sum({p: <NAME>(p) for p in <ints>}.values())
            functools.partial(<NAME>, <int>)()
            (lambda p: <NAME>(p) + <int:p>)(<int>)
            <extra:apply>(<NAME>, <int>)
            {"go": <NAME>}["go"](<int>)
            next(map(<NAME>, <ints>))
            len([p for p in <ints> if <NAME>(p) > <int:p>])
            int(any(<NAME>(p) > <int> for p in <ints>))
            functools.reduce(lambda p, q: p + <NAME>(q), <ints>, <int>)
            (<int> + <NAME>(<int>))
            max(<int>, <NAME>(<int>))
            (<NAME>(<int>) if <cond> else <int>)
            <NAME>(*[<int>])
            """),
        weight=10,
    ),
    Link(
        "def <NAME>(p, q=<const>):\n    <core:p,q>\n",
        lines("""
            <NAME>(<int>)
            <NAME>(<int>, <int>)
            <NAME>(<int>, q=<int>)
            <NAME>(*<pair>)
            <NAME>(q=<int>, **{"p": <int>})
            functools.reduce(<NAME>, [*<ints>, <int>])
            functools.partial(<NAME>, q=<int>)(<int>)
            """),
        weight=4,
    ),
    Link(
        "def <NAME>(o, p):\n    <core:o,p>\n",
        lines("""
            3* <NAME>(<var:obj>, <int>)
            <NAME>(<obj>, <int>)
            sum(<NAME>(o, <int>) for o in <objs>)
            """),
        weight=3,
    ),
    Link(
        "def <NAME>(r):\n    <core:r>\n",
        lines("""
            3* <NAME>(<var:ints>)
            <NAME>(<ints>)
            max(map(<NAME>, <rows>))
            """),
        weight=3,
    ),
    Link(
        "def <NAME>(p):\n    <core:p>\n",
        lines("""
            3* sum(<NAME>(<int>))
            next(<NAME>(<int>))
            list(<NAME>(<int>))[0]
            [p + 1 for p in <NAME>(<int>)][0]
            max(<NAME>(<int>), default=<int>)
            sum(p * q for p, q in zip(<NAME>(<int>), <ints>))
            sum(map(lambda p: <int:p>, <NAME>(<int>)))
            """),
        end="yield <int>",
        flags=("yields",),
        weight=3,
    ),
    Link(
        "@<extra:logged>\ndef <NAME>(p):\n    <core:p>\n",
        lines("<NAME>(<int>)\n<NAME>(p=<int>)"),
        weight=2,
    ),
    Link(
        "def <NAME>(p):\n    kept = <int:p>\n\n    def inner(q):\n        nonlocal kept\n"
        "        <core:q,kept>\n\n    result = inner(<int:p>)\n    <block:p,kept,result>\n"
        "    return <int:p,kept,result>\n",
        lines("<NAME>(<int>)"),
        weight=3,
    ),
    Link(
        "class <NAME>Base(Base):\n    def step(self, p):\n        <core:self,p>\n\n\n"
        "class <NAME>(<NAME>Base):\n    def step(self, p):\n        <block:self,p>\n"
        "        result = super().step(<int:self,p>)\n        <block:self,p,result>\n"
        "        return <int:self,result>\n",
        lines("<made>.step(<int>)\n<NAME>(<int>).step(<int>)"),
        weight=2,
    ),
    method(
        "def step(self, p):",
        """
        3* <made>.step(<int>)
        <NAME>(<int>).step(<int>)
        <NAME>.step(<made>, <int>)
        functools.partial(<made>.step, <int>)()
        list(map(<made>.step, <ints>))[0]
        getattr(<made>, "step")(<int>)
        <extra:apply>(<made>.step, p=<int>)
        """,
        weight=6,
    ),
    method("@property\ndef level(self):", "<made>.level\n<NAME>(<int>).level", weight=2),
    method("@classmethod\ndef step(cls, p):", "<NAME>.step(<int>)"),
    method("def __call__(self, p):", "<made>(<int>)\nsum(map(<made>, <ints>))"),
    method("def __getitem__(self, p):", "<made>[<int>]"),
    method("def __add__(self, p):", "(<made> + <int>)"),
    method("def __radd__(self, p):", "(<int> + <made>)\nsum([<made>], <int>)"),
    method("def __neg__(self):", "(-<made>)"),
    method("def __int__(self):", "int(<made>)"),
    method(
        "def __index__(self):", "(<ints> * 9)[<made> % 3]", end="return abs(<int>) % 3", flags=()
    ),
    method("def __len__(self):", "len(<made>)", end="return abs(<int>) % 5", flags=()),
    method(
        "def __bool__(self):", "(<int> if <made> else <int>)", end="return bool(<cond>)", flags=()
    ),
    method("def __contains__(self, p):", "int(<int> in <made>)", end="return <cond>", flags=()),
    method("def __eq__(self, p):", "int(<made> == <int>)", end="return <cond>", flags=()),
    method("def __lt__(self, p):", "int(<made> < <int>)", end="return <cond>", flags=()),
    method(
        "def __str__(self):", "len(str(<made>))\nlen(f'{<made>}')", end="return <str>", flags=()
    ),
    method(
        'def __getattr__(self, name):\n    if name != "ghost":\n        raise AttributeError(name)',
        "<made>.ghost",
        flags=(),
        weight=2,
    ),
    method(
        "def __iter__(self):", "sum(<made>)\n[*<made>][0]", end="yield <int>", flags=("yields",)
    ),
    method(
        "def __init__(self, p):\n    super().__init__(p)",
        "<NAME>(<int>).n",
        end="self.m = <int>",
        flags=(),
    ),
    method("def __format__(self, spec):", "len(f'{<made>:>3}')", end="return <str>", flags=()),
    method("def __hash__(self):", "len({<made>, <int>})", end="return abs(<int>)", flags=()),
    method("@staticmethod\ndef step(p):", "<NAME>.step(<int>)\n<made>.step(<int>)"),
    method("def __next__(self):", "next(<made>)"),
    method(
        "def __setattr__(self, name, value):\n    super().__setattr__(name, value)\n"
        '    if name != "extra":\n        return',
        "<extra:assign>(<made>, <int>)",
        end="pass",
        flags=(),
    ),
    method("def __new__(cls, p):", "<NAME>(<int>).n", end="return super().__new__(cls)", flags=()),
    Link(
        "class <NAME>(dict):\n    def __missing__(self, key):\n        <core>\n",
        lines('<NAME>(a=<int>)["zz"]\n<NAME>(<table>)[<str>]'),
    ),
    Link(
        "class <NAME>(Base):\n    def __enter__(self):\n        <core:self>\n\n"
        "    def __exit__(self, *details):\n        self.m += 0\n        <body:self>\n",
        lines("<extra:enter>(<made>)"),
    ),
    Link(
        "class <NAME>(Base):\n    def __enter__(self):\n        return self.n\n\n"
        "    def __exit__(self, *details):\n        <core:self>\n",
        lines("<extra:enter>(<made>)"),
        end="self.m = <int>",
        flags=(),
    ),
    Link(
        "class <NAME>(Base):\n    @property\n    def part(self):\n        return self.n\n\n"
        "    @part.setter\n    def part(self, p):\n        <core:self,p>\n\n"
        "    def step(self, p):\n        self.part = p\n        return self.m\n",
        lines("<made>.step(<int>)"),
        end="self.m = <int>",
        flags=(),
    ),
    Link(
        "class <NAME>Field:\n    def __get__(self, o, kind=None):\n        <core:o>\n\n\n"
        "class <NAME>(Base):\n    field = <NAME>Field()\n",
        lines("<NAME>(<int>).field\n<made>.field"),
    ),
    Link(
        "def <NAME>(p):\n    if p > 0:\n        return <NAME>(p - 1) + <int:p>\n    <core:p>\n",
        lines("<NAME>(<int> % 3)\n<NAME>(2)"),
        weight=2,
    ),
    Link(
        "@functools.lru_cache(maxsize=None)\ndef <NAME>(p):\n    <core:p>\n",
        lines("<NAME>(<int>)"),
    ),
    Link(
        "def <NAME>(p, q):\n    <core:p,q>\n",
        lines("sorted(<ints>, key=functools.cmp_to_key(<NAME>))[0]"),
    ),
    Link(
        "def <NAME>(p):\n    <core:p>\n",
        lines("sum(<extra:relay>(<NAME>(<int>)))"),
        end="yield <int>",
        flags=("yields",),
    ),
    Link(
        "@contextlib.contextmanager\ndef <NAME>(p):\n    <core:p>\n",
        lines("<extra:enter>(<NAME>(<int>))"),
        end="yield <int>",
        flags=(),
    ),
]
