"""The grammar of random programs, as templates by kind.

A kind is a type together with what every value of it can do, so that programs seldom die
of something else than their crash:

    int     an integer                    str     a string
    cond    something to branch on        ints    a list of integers, never empty
    seq     a tuple that may be empty     named   a dict that may be empty
    table   a dict that has "a" and "b"   pair    a tuple of two integers
    bag     a set of integers             rows    a list of lists, none of them empty
    obj     an instance of a class        objs    a list of objects, never empty
    fn      a function from int to int    it      an iterator over integers

Holes stand in angle brackets:

    <int>          an expression of a kind          <int:p,q>   … that may use these names too
    <int:leaf>     … without brackets or quotes     <block>     statements
    <loop>         statements of a loop             <body>      … perhaps none
    <let:int>      a new variable, known afterwards
    <in:int>       a new variable, known in the template from the next line on
    <var:ints>     a variable that there is         <set:int>   … that may be assigned here
    <place:int>    something to assign to: a variable, an attribute, an item
    <free:int>     a variable outside, declared `nonlocal` or `global`
    <1>            the first name that a hole of the template gave
    <const>        a number                         <key>       a key that every table has
    <cls>          a class                          <call>      a call that gives an int
    <func1>        a function of one integer        <func2>     a function of two integers
    <gen>          a call of a generator function   <m:get>     a member that classes now have
    <extra:Box>    a declaration of the program, by name

A template may begin with a condition on where it stands, `[loop]`, and with a weight, `3*`.
Names of one letter stand for a kind when they are bound by a template: p and q are int, s
is str, o is obj, r is ints.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MODULES = (
    "bisect",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "functools",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
)
MODULE_NAME = re.compile(rf"\b({'|'.join(MODULES)})\.")
HEADER = re.compile(r"^(?:\[(\w+)\] )?(?:(\d+)\* )?")


@dataclass(frozen=True)
class Template:
    """A text with holes, how often it is taken, and what has to hold where it stands."""

    text: str
    weight: int
    needs: frozenset[str]


def parsed(text: str) -> Template:
    """A template from its text with a header; it needs the modules that it names, too."""
    header = HEADER.match(text)
    where, weight = header.groups()
    needs = {where} if where else set()
    needs |= modules_in(text)
    return Template(text[header.end() :], int(weight or 1), frozenset(needs))


def modules_in(text: str) -> set[str]:
    """The modules of the standard library that a text names."""
    return set(MODULE_NAME.findall(text))


def lines(text: str) -> list[Template]:
    """A template a line."""
    return [parsed(line.strip()) for line in text.strip().splitlines()]


def paragraphs(text: str) -> list[Template]:
    """A template a paragraph."""
    return [parsed(part) for part in text.strip("\n").split("\n\n")]


BOUND_NAMES = {
    "p": "int",
    "q": "int",
    "s": "str",
    "o": "obj",
    "r": "ints",
    "self": "obj",
    "kept": "int",
    "result": "int",
}
