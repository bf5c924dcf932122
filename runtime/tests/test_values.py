import pytest


def value_of(crash, expression, before=""):
    """The snapshot of a crash where a local `thing` has the value of an expression."""
    return crash(f"{before}\ndef fail():\n    thing = {expression}\n    1 / 0\nfail()\n")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("None", None),
        ("True", True),
        ("-5", -5),
        ("2**63 - 1", 2**63 - 1),
        ("-2**63", -(2**63)),
        ("2**63", {"int": str(2**63)}),
        ("-10**100", {"int": "-1" + "0" * 100}),
        ("1.5", {"float": "1.5"}),
        ("-0.0", {"float": "-0.0"}),
        ("float('nan')", {"float": "nan"}),
        ("float('-inf')", {"float": "-inf"}),
        ("1e400 * 2j", {"complex": "(nan+infj)"}),
        ("'äöü日本\\n\\0'", "äöü日本\n\0"),
        ("'\\U0001f600'", "\U0001f600"),
        ("b'\\x00\\xff'", {"bytes": "00ff"}),
        ("...", {"ellipsis": True}),
        ("NotImplemented", {"notimplemented": True}),
        ("'x' * 5000", {"cut": "str", "length": 5000, "prefix": "x" * 4096}),
        ("b'x' * 5000", {"cut": "bytes", "length": 5000, "prefix": "78" * 4096}),
        ("'ab\\ud800c'", {"cut": "str", "length": 4, "prefix": "ab"}),
        ("1 << 100_000", {"cut": "int", "length": 100_001, "prefix": "0x8000000000000000"}),
        ("-(1 << 100_000)", {"cut": "int", "length": 100_001, "prefix": "-0x8000000000000000"}),
    ],
)
def test_a_scalar_stands_inline(crash, expression, value):
    assert value_of(crash, expression).local("thing") == value


@pytest.mark.parametrize(
    ("expression", "kind", "items"),
    [
        ("[1, 'a']", "list", [1, "a"]),
        ("(1, None)", "tuple", [1, None]),
        ("{3, 1, 2}", "set", [1, 2, 3]),
        ("frozenset('ba')", "frozenset", ["a", "b"]),
        ("collections.deque([1, 2], maxlen=5)", "deque", [1, 2]),
    ],
)
def test_a_container_has_its_items(crash, expression, kind, items):
    record = value_of(crash, expression, "import collections").local_object("thing")
    assert (record["kind"], record["items"]) == (kind, items)
    if kind == "deque":
        assert record["attributes"] == {"maxlen": 5}


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("{'b': 1, 'a': 2}", "builtins.dict"),
        ("collections.OrderedDict([('b', 1), ('a', 2)])", "collections.OrderedDict"),
        ("collections.defaultdict(list, b=1, a=2)", "collections.defaultdict"),
        ("types.MappingProxyType({'b': 1, 'a': 2})", "builtins.mappingproxy"),
    ],
)
def test_a_mapping_has_its_entries_in_order(crash, expression, kind):
    snapshot = value_of(crash, expression, "import collections, types")
    record = snapshot.local_object("thing")
    assert (record["kind"], record["type"], record["layout"]) == ("dict", kind, "dict")
    assert record["entries"] == [["b", 1], ["a", 2]]
    if "default" in kind:
        assert snapshot.attribute(record, "default_factory")["qualname"] == "list"


def test_an_ordered_dict_has_the_order_that_moves_gave_it(crash):
    before = "import collections\nod = collections.OrderedDict(a=1, b=2)\nod.move_to_end('a')"
    assert value_of(crash, "od", before).local_object("thing")["entries"] == [["b", 2], ["a", 1]]


def test_a_counter_is_an_instance_with_the_layout_of_a_dict(crash):
    record = value_of(crash, "collections.Counter('aab')", "import collections").local_object(
        "thing"
    )
    assert (record["kind"], record["type"], record["layout"]) == (
        "instance",
        "collections.Counter",
        "dict",
    )
    assert record["entries"] == [["a", 2], ["b", 1]]


@pytest.mark.parametrize(
    ("base", "argument", "value"),
    [
        ("int", "7", 7),
        ("str", "'text'", "text"),
        ("float", "1.5", {"float": "1.5"}),
        ("bytes", "b'a'", {"bytes": "61"}),
        ("complex", "2j", {"complex": "2j"}),
    ],
)
def test_an_instance_of_a_subclass_of_a_value_type_keeps_the_value(crash, base, argument, value):
    before = (
        f"class Own({base}):\n    __str__ = __repr__ = __int__ = __float__ = __bytes__ = None\n"
    )
    record = value_of(crash, f"Own({argument})", before).local_object("thing")
    assert (record["kind"], record["layout"], record["value"]) == ("instance", base, value)


def test_instances_tell_class_attributes_and_the_resolution_order(crash):
    snapshot = value_of(
        crash,
        "B(1)",
        """
class A:
    limit = 3
    def f(self): pass
class B(A):
    def __init__(self, x): self.x = x
""",
    )
    record = snapshot.local_object("thing")
    assert record["attributes"] == {"x": 1}
    cls = snapshot.object(record["class"])
    names = [snapshot.object(entry)["qualname"] for entry in cls["mro"]]
    assert names == ["B", "A", "object"]
    base = snapshot.object(cls["bases"][0])
    assert base["attributes"]["limit"] == 3
    function = snapshot.attribute(base, "f")
    assert (function["qualname"], function["first_line"]) == ("A.f", 4)
    assert base["file"] == function["file"]


def test_methods_and_builtins_are_named_by_what_defines_them(crash):
    snapshot = value_of(
        crash,
        "[L().append, len, dict.fromkeys, 'a'.join, L.append, [].__len__, math.sqrt, object.__repr__, L().m]",
        "import math\nclass L(list):\n    def m(self): pass",
    )
    records = list(map(snapshot.object, snapshot.local_object("thing")["items"]))
    assert [record.get("name") for record in records[:-1]] == [
        "builtins.list.append",
        "builtins.len",
        "builtins.dict.fromkeys",
        "builtins.str.join",
        "builtins.list.append",
        "builtins.list.__len__",
        "math.sqrt",
        "builtins.object.__repr__",
    ]
    assert records[3]["self"] == "a"
    assert snapshot.object(records[0]["self"])["type"] == "main.L"
    assert "self" not in records[1]
    assert records[-1]["kind"] == "method"
    assert snapshot.object(records[-1]["function"])["qualname"] == "L.m"


def test_what_wraps_a_function_leads_to_it(crash):
    snapshot = value_of(
        crash,
        "[P.__dict__[n] for n in 'pscq']",
        """
class P:
    @property
    def p(self): pass
    @staticmethod
    def s(): pass
    @classmethod
    def c(cls): pass
    q = property(None, lambda self, v: None)
""",
    )
    p, s, c, q = map(snapshot.object, snapshot.local_object("thing")["items"])
    assert snapshot.object(p["get"])["qualname"] == "P.p"
    assert (p["set"], q["get"]) == (None, None)
    assert snapshot.object(s["function"])["qualname"] == "P.s"
    assert (c["kind"], snapshot.object(c["function"])["qualname"]) == ("classmethod", "P.c")


def test_a_function_has_defaults_closure_and_attributes(crash):
    snapshot = value_of(
        crash,
        "outer(5)",
        """
def outer(n):
    def f(a, b=1, *, c="x", d): return n
    f.note = "kept"
    return f
""",
    )
    record = snapshot.local_object("thing")
    assert record["defaults"] == [1]
    assert record["keyword_defaults"] == {"c": "x"}
    assert record["closure"] == {"n": 5}
    assert record["attributes"] == {"note": "kept"}
    assert snapshot.object(record["cell_refs"]["n"])["contents"] == 5


def test_a_partial_has_its_function_and_arguments(crash):
    snapshot = value_of(crash, "functools.partial(int, 'ff', base=16)", "import functools")
    record = snapshot.local_object("thing")
    assert (record["arguments"], record["keywords"]) == (["ff"], {"base": 16})
    assert snapshot.object(record["function"])["qualname"] == "int"


def test_a_suspended_generator_has_its_place_and_locals(crash):
    snapshot = value_of(
        crash,
        "[started(), g(2), ended()]",
        """
def g(n):
    m = n + 1
    yield m
def started():
    it = g(1)
    next(it)
    return it
def ended():
    it = g(3)
    list(it)
    return it
""",
    )
    started, fresh, ended = map(snapshot.object, snapshot.local_object("thing")["items"])
    assert (started["function"], started["line"], started["suspended"]) == ("g", 4, True)
    assert (started["column"], started["end_line"], started["end_column"]) == (5, 4, 12)
    assert started["locals"] == {"n": 1, "m": 2}
    assert (started["started"], fresh["started"]) == (True, False)
    assert (fresh["suspended"], fresh["locals"]) == (True, {"n": 2})
    assert (ended["suspended"], ended["line"], ended["locals"]) == (False, None, {})


def test_an_object_of_c_code_shows_what_it_refers_to(crash):
    snapshot = value_of(crash, "[iter([5, 6]), range(2, 9, 3), bytearray(b'ab')]")
    iterator, numbers, data = map(snapshot.object, snapshot.local_object("thing")["items"])
    assert iterator["kind"] == "opaque"
    assert snapshot.object(iterator["referents"][0])["items"] == [5, 6]
    assert numbers["attributes"] == {"start": 2, "stop": 9, "step": 3}
    assert data["value"] == {"bytes": "6162"}


def test_an_instance_with_state_in_c_code_is_cut(crash):
    before = "import datetime\nclass Day(datetime.date):\n    pass"
    record = value_of(crash, "Day(2020, 1, 2)", before).local_object("thing")
    assert (record["kind"], record["layout"], record["cut"]) == ("instance", "datetime.date", True)


def test_a_traceback_that_is_held_does_not_bring_the_live_stack_into_the_heap(crash):
    snapshot = crash(
        """
        def fail():
            try:
                1 / 0
            except ZeroDivisionError as error:
                held = error.__traceback__
            {}["x"]
        fail()
        """
    )
    record = snapshot.local_object("held")
    assert (record["kind"], record["referents"], record["cut"]) == ("opaque", [], True)


def test_an_exception_in_a_local_has_its_fields(crash):
    snapshot = value_of(crash, "OSError(2, 'gone', '/x')")
    attributes = snapshot.local_object("thing")["attributes"]
    assert (attributes["errno"], attributes["strerror"], attributes["filename"]) == (
        2,
        "gone",
        "/x",
    )


@pytest.mark.parametrize(
    ("statement", "kind", "message"),
    [
        ("{}['a']", "builtins.KeyError", "'a'"),
        ("[].pop()", "builtins.IndexError", "pop from empty list"),
        ("open('/nothing/here')", "builtins.FileNotFoundError", None),
        ("b'\\xff'.decode()", "builtins.UnicodeDecodeError", None),
        ("import nothing.here", "builtins.ModuleNotFoundError", "No module named 'nothing'"),
        ("raise ValueError", "builtins.ValueError", ""),
        ("raise ValueError('a', 1)", "builtins.ValueError", "('a', 1)"),
        ("assert 0, [1]", "builtins.AssertionError", "[1]"),
        ("object().x", "builtins.AttributeError", "'object' object has no attribute 'x'"),
        ("next(iter([]))", "builtins.StopIteration", ""),
    ],
)
def test_an_exception_has_its_type_and_the_text_that_python_prints(crash, statement, kind, message):
    exception = crash(statement).exception
    assert exception["type"] == kind
    if message is not None:
        assert exception["message"] == message


def test_cause_and_context_follow_each_once(crash):
    exception = crash(
        """
        try:
            try:
                {}["first"]
            except KeyError as first:
                raise ValueError("second") from first
        except ValueError:
            raise TypeError("third")
        """
    ).exception
    assert exception["message"] == "third"
    assert exception["cause"] is None
    second = exception["context"]
    assert second["message"] == "second"
    assert second["cause"]["message"] == "'first'"
    assert second["context"] is None


def test_a_long_chain_of_exceptions_ends_cut(crash):
    exception = crash(
        """
        error = ValueError(0)
        for number in range(1, 500):
            after = ValueError(number)
            after.__cause__ = error
            error = after
        raise error
        """
    ).exception
    depth = 0
    while exception["cause"] is not None:
        exception = exception["cause"]
        depth += 1
    assert depth < 50
    assert exception["cut"] is True


def test_an_exception_group_holds_its_exceptions(crash):
    snapshot = crash("raise ExceptionGroup('several', [ValueError(1), KeyError('k')])")
    assert snapshot.exception["message"] == "several (2 sub-exceptions)"
    group = snapshot.object(snapshot.exception["attributes"]["exceptions"])
    assert [snapshot.object(item)["type"] for item in group["items"]] == [
        "builtins.ValueError",
        "builtins.KeyError",
    ]


def test_notes_are_attributes(crash):
    snapshot = crash("e = ValueError()\ne.add_note('seen')\nraise e\n")
    notes = snapshot.object(snapshot.exception["attributes"]["__notes__"])
    assert notes["items"] == ["seen"]
