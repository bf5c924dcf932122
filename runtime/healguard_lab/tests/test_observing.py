"""Protected operations of every kind are seen, by value, whoever calls them."""

from __future__ import annotations

import pytest

from healguard_lab.tests.conftest import Laboratory

HEALING = 'cart["total"] = VALUE'


def operation(name: str, more: str = "") -> str:
    return f'[[operation]]\nname = "{name}"\n{more}\n'


def after_crash(body: str, before: str = "") -> str:
    """A program that crashes in `pay` and goes on with `body` once it is healed."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f'{before}\ndef pay(cart):\n    total = cart["total"]  # crash\n{lines}\npay({{}})\n'


OPERATIONS = {
    "builtin function": ("builtins.print", "print(total)", ""),
    "function in C": ("math.sqrt", "math.sqrt(total)", "import math"),
    "function of the library": ("os.getenv", "os.getenv(str(total))", "import os"),
    "function of posix": (
        "os.mkdir",
        "os.mkdir(f'{tempfile.mkdtemp()}/{total}')",
        "import os, tempfile",
    ),
    "opened file": (
        "open",
        "open(f'{tempfile.mkdtemp()}/{total}', 'w').close()",
        "import tempfile",
    ),
    "path": (
        "pathlib.Path.write_text",
        "pathlib.Path(tempfile.mkdtemp(), 'a').write_text(str(total))",
        "import pathlib, tempfile",
    ),
    "method of a type in C": (
        "sqlite3.Connection.execute",
        "sqlite3.connect(':memory:').execute('select ?', (total,))",
        "import sqlite3",
    ),
    "receiver in C": (
        "sqlite3.Connection.commit",
        "c = sqlite3.connect(':memory:')\nc.execute(f'create table t{total} (a)')\nc.commit()",
        "import sqlite3",
    ),
    "subprocess": (
        "subprocess.run",
        "subprocess.run([sys.executable, '-c', '', str(total)])",
        "import subprocess, sys",
    ),
    "constructor": (
        "main.Order",
        "Order(total)",
        "class Order:\n    def __init__(self, amount): self.amount = amount",
    ),
    "constructor of a dataclass": (
        "main.Order",
        "Order(total)",
        "import dataclasses\n@dataclasses.dataclass\nclass Order:\n    amount: int",
    ),
    "pattern": (
        "main.Shop.*",
        "Shop.sell(total)",
        "class Shop:\n    @staticmethod\n    def sell(x): pass",
    ),
    "inherited method": (
        "main.Card.charge",
        "Card().charge(total)",
        "class Base:\n    def charge(self, x): pass\nclass Card(Base): pass",
    ),
    "decorated function": (
        "main.charge",
        "charge(total)",
        "def twice(f):\n    def w(*a):\n        f(*a)\n        f(*a)\n    return w\n"
        "@twice\ndef charge(x): pass",
    ),
    "function called through a registry": (
        "main.charge",
        "REGISTRY['charge'](total)",
        "REGISTRY = {}\ndef register(f):\n    REGISTRY[f.__name__] = f\n    return f\n"
        "@register\ndef charge(x): pass",
    ),
    "factory": (
        "main.charge",
        "charge(total)",
        "def make():\n    def inner(x): pass\n    return inner\ncharge = make()",
    ),
    "bound method under a name of its own": (
        "main.charge",
        "charge(total)",
        "class Till:\n    def put(self, x): pass\ncharge = Till().put",
    ),
    "callable object": (
        "main.charge",
        "charge(total)",
        "class Till:\n    def __call__(self, x): pass\ncharge = Till()",
    ),
    "generator": ("main.charge", "list(charge(total))", "def charge(x):\n    yield x\n    yield x"),
    "property": (
        "main.Order.price",
        "Order(total).price",
        "class Order:\n    def __init__(self, x): self.x = x\n    @property\n    def price(self): return 1",
    ),
}


CALLED_TWICE = ("decorated function", "function of posix")  # the latter by `mkdtemp` too


@pytest.mark.parametrize("kind", OPERATIONS)
def test_an_operation_is_seen_with_its_values(kind: str, try_case: Laboratory) -> None:
    name, body, before = OPERATIONS[kind]
    outcome = try_case(after_crash(body, before), HEALING, function="pay", protect=operation(name))
    assert outcome.status == 0, outcome
    assert len(outcome.digests) == 4
    calls = 2 if kind in CALLED_TWICE else 1
    assert [run["events"] for run in outcome.report["executions"]] == [calls] * 4


@pytest.mark.parametrize("kind", OPERATIONS)
def test_an_operation_that_gets_other_values_is_the_same_each_time(
    kind: str, try_case: Laboratory
) -> None:
    name, body, before = OPERATIONS[kind]
    outcome = try_case(
        after_crash(body.replace("total", "8"), before),
        HEALING,
        function="pay",
        says="safe",
        protect=operation(name),
    )
    assert outcome.status == 0, outcome
    assert len(outcome.digests) == 1


def test_only_watched_arguments_count(try_case: Laboratory) -> None:
    source = after_crash("charge('someone', total)", "def charge(customer, amount): pass")
    for arguments, says in (('["customer"]', "safe"), ("[0]", "safe"), ("[1]", "unsafe")):
        outcome = try_case(
            source,
            HEALING,
            function="pay",
            says=says,
            protect=operation("main.charge", f"arguments = {arguments}"),
        )
        assert outcome.status == 0, arguments


def test_a_receiver_counts_by_its_state_unless_it_is_not_watched(try_case: Laboratory) -> None:
    before = "class Till:\n    def __init__(self, x): self.x = x\n    def close(self): pass"
    source = after_crash("Till(total).close()", before)
    for receiver, says in (("true", "unsafe"), ("false", "safe")):
        outcome = try_case(
            source,
            HEALING,
            function="pay",
            says=says,
            protect=operation("main.Till.close", f"receiver = {receiver}"),
        )
        assert outcome.status == 0, receiver


def test_what_a_body_reads_counts_unless_it_is_not_watched(try_case: Laboratory) -> None:
    before = "RATE = 1\nOTHER = 1\ndef charge(amount):\n    return amount * RATE"
    body = "global RATE\nRATE = total\ncharge(3)"
    for reads, says in (("true", "unsafe"), ("false", "safe")):
        outcome = try_case(
            after_crash(body, before),
            HEALING,
            function="pay",
            says=says,
            protect=operation("main.charge", f"reads = {reads}"),
        )
        assert outcome.status == 0, reads
    outcome = try_case(
        after_crash(body.replace("RATE", "OTHER"), before),
        HEALING,
        function="pay",
        says="safe",
        protect=operation("main.charge"),
    )
    assert outcome.status == 0


def test_of_a_module_that_a_body_names_only_the_named_parts_count(try_case: Laboratory) -> None:
    before = "import settings\ndef charge(amount):\n    return amount * settings.rate"
    for name, says in (("rate", "unsafe"), ("limit", "safe")):
        outcome = try_case(
            after_crash(f"settings.{name} = total\ncharge(3)", before),
            HEALING,
            function="pay",
            says=says,
            protect=operation("main.charge"),
            modules={"settings.py": "rate = 1\nlimit = 1\n"},
        )
        assert outcome.status == 0, name


def test_a_cell_that_a_body_reads_counts(try_case: Laboratory) -> None:
    before = "def make(rate):\n    def charge(amount): return amount * rate\n    return charge"
    outcome = try_case(
        after_crash("make(total)(3)", before),
        HEALING,
        function="pay",
        protect=operation("main.make.<locals>.charge"),
    )
    assert outcome.status == 0
    assert list(outcome.report["difference"]["seen"][0]["differs"]) == ["reads rate"]


def test_an_operation_that_only_some_healings_reach_makes_a_difference(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        after_crash("charge(1)\nif total > 2:\n    charge(1)", "def charge(amount): pass"),
        HEALING,
        function="pay",
        protect=operation("main.charge"),
    )
    assert outcome.status == 0
    assert outcome.report["difference"]["event"] == 1
    assert outcome.report["difference"]["seen"][0] is None


def test_functions_and_statements_are_protected_by_comments(try_case: Laboratory) -> None:
    function = after_crash("charge(total)", "def charge(amount):  # healguard: protected\n    pass")
    statement = after_crash("held = [0]\nheld[0] = total  # healguard: protected\nheld = 1")
    for source in (function, statement):
        outcome = try_case(source, HEALING, function="pay", protect="")
        assert outcome.status == 0, outcome


def test_a_protected_statement_counts_only_by_what_it_loads(try_case: Laboratory) -> None:
    before = "class Order:\n    paid = 0\nbook = []"
    for name, says in (("total", "unsafe"), ("note", "safe")):
        body = (
            "order = Order()\norder.total = total\norder.note = 'x'\n"
            f"book.append(order.{name})  # healguard: protected"
        )
        outcome = try_case(
            after_crash(body, before), HEALING, function="pay", says=says, protect=""
        )
        assert outcome.status == 0, name


def test_temporary_names_and_hash_order_make_no_difference(try_case: Laboratory) -> None:
    body = "charge(tempfile.mkdtemp())\ncharge({'a', 'b', 'c', 'd'})\ncharge({object: 1, 'k': 2})"
    outcome = try_case(
        after_crash(body, "import tempfile\ndef charge(amount): pass"),
        HEALING,
        function="pay",
        says="safe",
        protect=operation("main.charge"),
    )
    assert outcome.status == 0
