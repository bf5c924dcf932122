import json

import pytest

BIG = """
    import sys
    class Node:
        def __init__(self, number):
            self.number = number
            self.next = None
    class Order:
        rate = 3
        def total(self): return self.lines / 0
        def __init__(self):
            self.lines = 4
            self.node = first = Node(0)
            for number in range(5000):
                first.next = Node(number)
                first = first.next
            self.wide = [Node(n) for n in range(5000)]
    LIMIT = {"a": 1}
    def run(order): return order.total()
    run(Order())
"""


def captured(document):
    return [record for record in document["objects"].values() if "class" in record]


@pytest.mark.parametrize("objects", [1, 10, 100, 1000])
def test_no_more_objects_are_captured_than_allowed(crash, objects):
    document = crash(BIG, objects=objects).document
    assert len(captured(document)) <= objects
    assert len(document["objects"]) <= 2 * objects
    assert document["cut"] is True
    assert len(document["frames"]) == 3


def test_a_huge_structure_in_a_local_starves_neither_classes_nor_globals(crash):
    snapshot = crash(BIG, objects=400)
    order = snapshot.object(snapshot.local("self"))
    cls = snapshot.object(order["class"])
    assert cls["attributes"]["rate"] == 3
    assert snapshot.attribute(cls, "total")["qualname"] == "Order.total"
    assert snapshot.global_object("LIMIT")["entries"] == [["a", 1]]


def test_locals_are_captured_to_their_ends_before_globals(crash):
    snapshot = crash(
        """
        class Node:
            def __init__(self, below): self.below = below
        GLOBALS = [[n] for n in range(1_000)]
        def fail():
            top = Node([Node((Node({"k": Node([Node(None)])}),))])
            1 / 0
        fail()
        """,
        objects=100,
    )
    record, depth = snapshot.local_object("top"), 0
    while record["kind"] != "instance" or record["attributes"]["below"] is not None:
        assert "cut" not in record
        part = record.get("attributes") or {
            "below": (record.get("items") or record["entries"][0])[-1]
        }
        record, depth = snapshot.object(part["below"]), depth + 1
    assert depth == 8
    assert snapshot.global_object("GLOBALS")["cut"] is True


def test_what_is_left_out_is_known_by_its_type(crash):
    document = crash(BIG, objects=100).document
    stubs = [record for record in document["objects"].values() if "class" not in record]
    assert all(record["cut"] is True for record in stubs)
    assert {"main.Node"} <= {record["type"] for record in stubs}


def test_a_small_program_is_captured_whole(crash):
    document = crash("def fail(x):\n    return x / 0\nfail([1])\n", objects=20_000).document
    assert document["cut"] is False


def test_a_long_container_is_cut_and_says_so(crash):
    snapshot = crash(
        """
        def fail():
            numbers = list(range(1000))
            pairs = dict.fromkeys(range(1000))
            members = set(range(1000))
            1 / 0
        fail()
        """,
        options=["--max-items", "10"],
    )
    numbers, pairs, members = map(snapshot.local_object, ("numbers", "pairs", "members"))
    assert (numbers["items"], numbers["cut"]) == (list(range(10)), True)
    assert ([key for key, _ in pairs["entries"]], pairs["cut"]) == (list(range(10)), True)
    # Which ten of a set come first depends on hashes.
    assert (members["items"], members["cut"]) == ([], True)


def test_texts_are_kept_up_to_the_limit(crash):
    snapshot = crash(
        "def fail():\n    a, b = 'x' * 20, 'y' * 21\n    1 / 0\nfail()\n",
        options=["--max-text", "20"],
    )
    assert snapshot.local("a") == "x" * 20
    assert snapshot.local("b") == {"cut": "str", "length": 21, "prefix": "y" * 20}
    assert snapshot.document["cut"] is True


@pytest.mark.parametrize(
    "data",
    [
        "['\\U0001f600' * 4000 for _ in range(3000)]",
        "{n: b'\\xff' * 4000 for n in range(3000)}",
        "[[str(i) * 900] for i in range(9000)]",
        "[10 ** 900 + i for i in range(9000)]",
    ],
)
def test_the_file_is_never_larger_than_allowed(workshop, data):
    workshop.write("main.py", f"def fail():\n    data = {data}\n    1 / 0\nfail()\n")
    run = workshop.run("main.py", options=["--max-bytes", "262144"], objects=20_000)
    snapshot = workshop.snapshot(run)
    assert workshop.output.stat().st_size <= 262_144
    assert snapshot.document["cut"] is True
    assert [frame["function"] for frame in snapshot.frames] == ["fail", "<module>"]


def test_the_largest_container_of_texts_ends_where_a_record_must(workshop):
    workshop.write("main.py", "def fail():\n    data = ['x' * 4096] * 10_000\n    1 / 0\nfail()\n")
    snapshot = workshop.snapshot(workshop.run("main.py"))
    record = snapshot.local_object("data")
    assert record["cut"] is True
    assert len(record["items"]) <= 1_025


def test_a_stack_deeper_than_allowed_says_how_many_frames_are_missing(workshop):
    workshop.write(
        "main.py",
        """
        import sys
        sys.setrecursionlimit(40_000)
        def down(depth):
            if depth == 12_000: 1 / 0
            down(depth + 1)
        down(0)
        """,
    )
    run = workshop.run("main.py", objects=10)
    document = json.loads(workshop.output.read_text())
    assert run.returncode == 1
    assert len(document["frames"]) + document["frames_omitted"] == 12_002
    assert document["frames"][0]["locals"] == {"depth": 12_000}
    assert document["cut"] is True


def test_a_module_is_whole_or_not_there(workshop, crash):
    workshop.write("wide.py", "\n".join(f"v{n} = [{n}]" for n in range(500)))
    snapshot = crash("import wide\ndef fail():\n    1 / 0\nfail()\n", objects=60)
    assert "wide" not in snapshot.modules
    assert snapshot.global_object("wide")["name"] == "wide"
    whole = crash("import wide\ndef fail():\n    1 / 0\nfail()\n", objects=5_000)
    assert sum(name.startswith("v") for name in whole.modules["wide"]["globals"]) == 500


@pytest.mark.skipif(__import__("os").name != "posix", reason="resource limits")
def test_when_memory_runs_out_the_program_ends_as_it_would_have(workshop):
    workshop.write(
        "main.py",
        """
        import resource
        def fail():
            data = [str(n) * 400 for n in range(20_000)]
            used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + 3_000_000, used + 3_000_000))
            1 / 0
        fail()
        """,
    )
    run = workshop.run("main.py", objects=20_000)
    assert run.returncode == 1
    assert "ZeroDivisionError" in run.stderr
    if workshop.output.exists():
        assert workshop.snapshot(run).frames[0]["function"] == "fail"
    else:
        assert "healguard: not enough memory for a snapshot" in run.stderr
