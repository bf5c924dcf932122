import sys

import pytest


def spans(snapshot, folder):
    """The source text that each frame's position covers, innermost first."""
    texts = []
    for frame in snapshot.frames:
        lines = (folder / frame["file"]).read_text(encoding="utf-8").splitlines()
        if frame["line"] == frame["end_line"]:
            texts.append(lines[frame["line"] - 1][frame["column"] - 1 : frame["end_column"] - 1])
        else:
            texts.append(lines[frame["line"] - 1][frame["column"] - 1 :])
    return texts


def test_frames_stand_innermost_first_with_names_lines_and_kinds(workshop, crash):
    snapshot = crash(
        """
        class Cart:
            def total(self):
                return self.items["x"]

            def __init__(self):
                self.items = {}

        def run():
            return Cart().total()

        run()
        """
    )
    told = [(f["function"], f["first_line"], f["line"], f["kind"]) for f in snapshot.frames]
    assert told == [
        ("Cart.total", 3, 4, "function"),
        ("run", 9, 10, "function"),
        ("<module>", told[2][1], 12, "module"),
    ]
    assert {f["module"] for f in snapshot.frames} == {"main"}
    assert spans(snapshot, workshop.folder) == ['self.items["x"]', "Cart().total()", "run()"]


def test_columns_count_characters_and_not_bytes(workshop, crash):
    snapshot = crash('ä = {}; ö = "日本" + ä["ü"] + "é"\n')
    assert spans(snapshot, workshop.folder) == ['ä["ü"]']


def test_an_expression_over_several_lines_has_both_ends(workshop, crash):
    snapshot = crash(
        """
        value = int(
            "no number",
        )
        """
    )
    (frame,) = snapshot.frames
    assert (frame["line"], frame["end_line"], frame["end_column"]) == (2, 4, 2)


def test_without_column_information_the_whole_line_is_told(workshop, crash):
    snapshot = crash("x = 1 / 0\n", environment={"PYTHONNODEBUGRANGES": "1"})
    assert spans(snapshot, workshop.folder) == ["x = 1 / 0"]


def test_locals_are_those_at_the_raise(crash):
    snapshot = crash(
        """
        def fail(a, *rest, key=3, **more):
            b = a * 2
            later = b / 0
            never = 1

        fail(5, 6, key="k", other=None)
        """
    )
    assert snapshot.frames[0]["locals"].keys() == {"a", "rest", "key", "more", "b"}
    assert snapshot.local("b") == 10
    assert snapshot.local_object("rest")["items"] == [6]
    assert snapshot.local_object("more")["entries"] == [["other", None]]


def test_a_finally_block_that_changes_a_local_shows_its_change(crash):
    snapshot = crash(
        """
        def fail():
            step = "body"
            try:
                1 / 0
            finally:
                step = "finally"

        fail()
        """
    )
    assert snapshot.local("step") == "finally"


def test_variables_of_a_module_body_are_its_globals_only(crash):
    snapshot = crash("x = 5\n1 / 0\n")
    assert snapshot.frames[0]["locals"] == {}
    assert snapshot.global_value("x") == 5


def test_cells_hold_what_the_variables_hold_and_are_shared(crash):
    snapshot = crash(
        """
        def outer(start):
            total = start
            unset: int
            def add(amount):
                nonlocal total
                total += amount
                return total / 0
            def read():
                return unset
            add(2)
            unset = 1

        outer(5)
        """
    )
    inner, outer, _ = snapshot.frames
    assert inner["cells"] == {"total": 7}
    assert inner["locals"] == {"amount": 2}
    assert outer["cells"] == {"total": 7}
    assert outer["cell_refs"].keys() == {"total", "unset"}
    assert inner["cell_refs"]["total"] == outer["cell_refs"]["total"]
    function = snapshot.object(outer["locals"]["add"])
    assert function["cell_refs"]["total"] == outer["cell_refs"]["total"]
    assert function["closure"] == {"total": 7}
    assert snapshot.object(outer["cell_refs"]["unset"]).get("contents") is None


def test_a_local_that_holds_a_cell_leaves_the_identity_of_cells_open(crash):
    snapshot = crash(
        """
        from types import CellType
        def outer(shared):
            decoy = CellType(1)
            def inner():
                return shared / 0
            return inner()

        outer(4)
        """
    )
    assert snapshot.frames[1]["cells"] == {"shared": 4}
    assert "cell_refs" not in snapshot.frames[1]


def test_a_class_body_shows_its_namespace_and_the_variables_around_it(crash):
    snapshot = crash(
        """
        def make(size):
            class Table:
                rows = size + 1
                cells = rows / 0

        make(3)
        """
    )
    frame = snapshot.frames[0]
    assert (frame["kind"], frame["function"]) == ("class", "make.<locals>.Table")
    assert frame["locals"]["rows"] == 4
    assert frame["cells"] == {"size": 3}


def test_a_class_body_with_a_namespace_of_the_program_is_cut_and_runs_nothing(crash):
    snapshot = crash(
        """
        from collections.abc import MutableMapping
        class Space(MutableMapping):
            def __init__(self): self.d = {}
            def __getitem__(self, key): return self.d[key]
            def __setitem__(self, key, value): self.d[key] = value
            def __delitem__(self, key): del self.d[key]
            def __iter__(self): print("asked"); return iter(self.d)
            def __len__(self): print("asked"); return len(self.d)
        class Meta(type):
            @classmethod
            def __prepare__(cls, *args): return Space()
        class Odd(metaclass=Meta):
            x = 1 / 0
        """
    )
    assert snapshot.frames[0]["cut"] is True
    assert snapshot.run.stdout == ""


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("(lambda x: x / 0)(1)", "lambda"),
        ("list(i / 0 for i in [1])", "generator"),
        (
            "def g():\n    yield 1 / 0\nnext(g())",
            "generator",
        ),
        ("exec('1 / 0')", "module"),
    ],
)
def test_each_kind_of_code_is_named(crash, source, kind):
    assert crash(source).frames[0]["kind"] == kind


def test_a_comprehension_shows_its_variables_where_it_has_a_frame(crash):
    snapshot = crash(
        """
        def halves(values):
            return [value / 0 for value in values]

        halves([7])
        """
    )
    frame = snapshot.frames[0]
    if sys.version_info < (3, 12):
        assert (frame["kind"], snapshot.local("value")) == ("comprehension", 7)
    else:  # inlined, and its variable is gone when the function is left
        assert (frame["function"], list(frame["locals"])) == ("halves", ["values"])


def test_a_comprehension_in_a_module_body_leaves_the_globals_to_the_module(crash):
    snapshot = crash("x = 1\nr = [value / 0 for value in [7]]\n")
    assert snapshot.frames[-1]["locals"] == {}
    assert snapshot.global_value("x") == 1


def test_code_run_with_locals_of_its_own_shows_these(crash):
    snapshot = crash("exec('y = x + 1; y / 0', {'__name__': 'm', 'x': 5}, {'z': 3})")
    assert snapshot.frames[0]["locals"] == {"z": 3, "y": 6}
    assert snapshot.global_value("x", "m") == 5


def test_an_exception_raised_again_in_its_frame_shows_where_it_came_from(crash):
    snapshot = crash(
        """
        def inner():
            1 / 0

        def outer():
            try:
                inner()
            except ZeroDivisionError as error:
                raise error

        outer()
        """
    )
    told = [(frame["function"], frame["line"]) for frame in snapshot.frames]
    assert told == [("inner", 3), ("outer", 7), ("<module>", 11)]
    assert not any("carried" in frame for frame in snapshot.frames)


def test_an_exception_that_a_future_carried_is_marked_where_it_changed_stacks(crash):
    snapshot = crash(
        """
        from concurrent.futures import ThreadPoolExecutor
        def work():
            return 1 / 0
        with ThreadPoolExecutor() as pool:
            pool.submit(work).result()
        """
    )
    told = {frame["function"]: frame.get("carried") for frame in snapshot.frames}
    assert told["work"] is None
    assert told["_WorkItem.run"] == "certain"
    assert told["Future.result"] is None


def test_an_asyncio_crash_shows_coroutines_and_that_a_task_carried_it(crash):
    snapshot = crash(
        """
        import asyncio
        async def inner(x):
            await asyncio.sleep(0)
            return x / 0
        async def main():
            y = 3
            return await inner(y)
        asyncio.run(main())
        """
    )
    inner, main = snapshot.frames[:2]
    assert (inner["function"], inner["kind"]) == ("inner", "coroutine")
    assert (main["function"], main["locals"]) == ("main", {"y": 3})
    assert main["carried"] == ("possible" if sys.version_info < (3, 12) else "certain")
    assert snapshot.frames[-1]["function"] == "<module>"


def test_a_generator_is_called_by_who_iterates_it(crash):
    snapshot = crash(
        """
        def numbers():
            yield 1
            1 / 0
        def run():
            for number in numbers():
                seen = number
        run()
        """
    )
    assert [frame["function"] for frame in snapshot.frames] == ["numbers", "run", "<module>"]
    assert not any("carried" in frame for frame in snapshot.frames)


def test_an_import_that_fails_is_a_plain_call_without_frames_of_the_import_system(workshop, crash):
    workshop.write("config.py", "LIMIT = {}['limit']\n")
    snapshot = crash("import config\n")
    assert [frame["module"] for frame in snapshot.frames] == ["config", "main"]
    assert not any("carried" in frame for frame in snapshot.frames)
    assert snapshot.global_value("__name__", "config") == "config"


def test_a_recursion_error_shows_every_frame(crash):
    snapshot = crash(
        """
        def down(depth):
            return down(depth + 1)
        down(0)
        """,
        objects=50,
    )
    assert snapshot.exception["type"] == "builtins.RecursionError"
    assert len(snapshot.frames) > 900
    assert snapshot.frames[-2]["locals"] == {"depth": 0}
    assert snapshot.frames[0]["locals"] == {"depth": len(snapshot.frames) - 2}


def test_an_error_in_c_code_stands_at_the_call(workshop, crash):
    snapshot = crash('x = sorted([3, "a"], key=None)\n')
    assert spans(snapshot, workshop.folder) == ['sorted([3, "a"], key=None)']


def test_a_callback_from_c_code_is_a_frame_of_its_own(crash):
    snapshot = crash("def key(item):\n    return item / 0\n\nsorted([1, 2], key=key)\n")
    assert [frame["function"] for frame in snapshot.frames] == ["key", "<module>"]


def test_a_crash_in_a_thread_is_written_and_the_program_goes_on(workshop):
    workshop.write(
        "main.py",
        """
        import threading
        def work(item):
            return item / 0
        thread = threading.Thread(target=work, args=(4,))
        thread.start()
        thread.join()
        print("on", threading.excepthook.__name__)
        """,
    )
    run = workshop.run("main.py")
    assert run.returncode == 0
    assert run.stdout.startswith("on")
    assert "Exception in thread" in run.stderr
    snapshot = workshop.snapshot(run)
    assert snapshot.frames[0]["function"] == "work"
    assert snapshot.local("item") == 4
    assert snapshot.frames[-1]["function"] == "Thread._bootstrap_inner"


def test_the_crash_of_the_main_thread_takes_the_place_of_a_threads(crash):
    snapshot = crash(
        """
        import threading
        thread = threading.Thread(target=lambda: {}["thread"])
        thread.start()
        thread.join()
        {}["main"]
        """
    )
    assert snapshot.exception["message"] == "'main'"


def test_code_without_a_file_keeps_its_made_up_name(crash):
    snapshot = crash(
        "exec(compile('def f():\\n  1/0\\nf()', '<made up>', 'exec'), {'__name__': 'm'})"
    )
    assert snapshot.frames[0]["file"] == "<made up>"
    assert snapshot.frames[0]["module"] == "m"
    assert snapshot.global_value("__name__", "m") == "m"


def test_two_namespaces_with_one_name_are_told_apart(crash):
    snapshot = crash(
        """
        one, two = {"__name__": "same"}, {"__name__": "same"}
        exec("def fail(): 1 / 0", one)
        exec("def call(f): f()", two)
        two["call"](one["fail"])
        """
    )
    names = [frame["module"] for frame in snapshot.frames]
    assert sorted(names[:2]) == ["same", "same#2"]
    assert set(names) <= set(snapshot.modules)
