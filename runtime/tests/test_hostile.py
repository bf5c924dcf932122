"""Programs whose objects fight back. Any method of theirs that runs says so on standard output."""

import textwrap

import pytest

LOUD = """
    def shout(name):
        def method(*args, **kwargs):
            print("ran", name)
            raise SystemExit(9)
        return method

    def boom():
        thing = make()
        return 1 / 0
"""
METHODS = [
    "__getattribute__",
    "__getattr__",
    "__repr__",
    "__str__",
    "__eq__",
    "__hash__",
    "__len__",
    "__iter__",
    "__bool__",
    "__contains__",
    "__getitem__",
    "__dir__",
    "__reduce__",
    "__reduce_ex__",
    "__sizeof__",
    "__format__",
    "__index__",
    "__int__",
    "__float__",
    "__call__",
    "__getstate__",
    "__copy__",
    "__deepcopy__",
    "__instancecheck__",
    "__fspath__",
]


def quiet_crash(crash, source, **how):
    """Crash, and check that nothing of the program ran afterwards."""
    snapshot = crash(textwrap.dedent(LOUD) + textwrap.dedent(source) + "\nboom()\n", **how)
    assert "ran" not in snapshot.run.stdout.split("watch", 1)[-1], snapshot.run.stdout
    return snapshot


@pytest.mark.parametrize(
    "base", ["object", "dict", "list", "tuple", "set", "str", "int", "Exception"]
)
def test_no_special_method_of_an_instance_runs(crash, base):
    snapshot = quiet_crash(
        crash,
        f"""
        class Trap({base}):
            pass
        thing_in_waiting = Trap()
        {base}.__name__
        if {base!r} not in ("str", "int", "tuple"):
            object.__setattr__(thing_in_waiting, "kept", 5)
        for name in {METHODS!r}:
            setattr(Trap, name, shout(name))
        def make(): return thing_in_waiting
        """,
    )
    record = snapshot.local_object("thing")
    assert (record["kind"], record["type"]) == ("instance", "main.Trap")


def test_no_garbage_collection_with_its_callbacks_and_finalisers_runs_meanwhile(crash):
    snapshot = quiet_crash(
        crash,
        """
        import gc, sys
        def watch(*args):
            frame = sys._getframe(1)
            while frame is not None:
                if frame.f_code.co_filename.endswith(("heap.py", "describe.py")):
                    print("ran", args)
                    return
                frame = frame.f_back
        class Trap:
            __del__ = watch
        gc.set_threshold(1)
        gc.callbacks.append(watch)
        def make():
            one = Trap()
            one.self = one
            return [Trap() for _ in range(50)]
        """,
    )
    assert len(snapshot.local_object("thing")["items"]) == 50


def test_items_of_containers_are_read_past_overridden_methods(crash):
    snapshot = quiet_crash(
        crash,
        """
        class D(dict):
            keys = items = values = get = __iter__ = __getitem__ = __len__ = __contains__ = shout("dict")
        class L(list):
            __iter__ = __getitem__ = __len__ = shout("list")
        class S(set):
            __iter__ = __len__ = __contains__ = shout("set")
        def make(): return [D(a=1), L([1, 2]), S({3})]
        """,
    )
    kept, items, members = map(snapshot.object, snapshot.local_object("thing")["items"])
    assert (kept["layout"], kept["entries"]) == ("dict", [["a", 1]])
    assert (items["layout"], items["items"]) == ("list", [1, 2])
    assert (members["layout"], members["items"]) == ("set", [3])


def test_the_class_that_an_object_claims_is_not_believed(crash):
    snapshot = quiet_crash(
        crash,
        """
        class Trap:
            @property
            def __class__(self): print("ran __class__"); return int
        def make(): return Trap()
        """,
    )
    assert snapshot.local_object("thing")["type"] == "main.Trap"


def test_a_metaclass_is_not_asked(crash):
    snapshot = quiet_crash(
        crash,
        """
        class Meta(type):
            def mro(cls): return [cls, object]
        class Trap(metaclass=Meta):
            limit = 3
        for name in ("__getattribute__ __instancecheck__ __subclasscheck__ __eq__ __hash__ __repr__ "
                     "__len__ __iter__ __bool__ __dir__ __call__").split():
            if name != "__call__":
                setattr(Meta, name, shout(name))
        def make(held=[object.__new__(Trap), Trap]): return held
        """,
    )
    instance, cls = map(snapshot.object, snapshot.local_object("thing")["items"])
    assert instance["type"] == "main.Trap"
    assert (cls["kind"], cls["qualname"], cls["attributes"]["limit"]) == ("class", "Trap", 3)
    assert snapshot.object(cls["metaclass"])["qualname"] == "Meta"


@pytest.mark.parametrize(
    "body",
    [
        "__dict__ = property(shout('__dict__'))",
        "__slots__ = ('__dict__', 'a')\n    a2 = property(shout('a2'))",
        "@property\n    def __dict__(self): print('ran __dict__'); return {}",
    ],
)
def test_an_instance_dict_behind_another_name_is_not_asked_for(crash, body):
    snapshot = quiet_crash(
        crash, f"class Trap:\n    {body}\ndef make():\n    t = Trap()\n    t.a = 4\n    return t\n"
    )
    record = snapshot.local_object("thing")
    assert record.get("cut") is True or record["attributes"]["a"] == 4


def test_a_dict_shadowed_in_a_subclass_is_read_through_its_base(crash):
    snapshot = quiet_crash(
        crash,
        """
        class Base: pass
        class Trap(Base):
            __dict__ = property(shout("__dict__"))
        def make():
            t = Trap()
            t.a = 4
            return t
        """,
    )
    record = snapshot.local_object("thing")
    assert record["attributes"] == {"a": 4}
    assert "cut" not in record


def test_slots_are_read_by_their_own_descriptors(crash):
    snapshot = quiet_crash(
        crash,
        """
        class Base:
            __slots__ = ("a", "__private", "unset")
        class Trap(Base):
            __slots__ = ("b",)
            a = property(shout("a"))
        def make():
            t = Trap()
            Base.a.__set__(t, 1)
            t._Base__private = 2
            t.b = 3
            return t
        """,
    )
    record = snapshot.local_object("thing")
    assert record["attributes"] == {"b": 3, "a": 1, "_Base__private": 2}
    assert "cut" not in record


def test_an_instance_whose_slot_descriptor_was_replaced_is_cut(crash):
    snapshot = quiet_crash(
        crash,
        """
        class Trap:
            __slots__ = ("a", "b")
        def make():
            t = Trap()
            t.a, t.b = 1, 2
            Trap.a = property(shout("a"))
            return t
        """,
    )
    record = snapshot.local_object("thing")
    assert (record["attributes"], record["cut"]) == ({"b": 2}, True)


def test_a_module_with_code_of_its_own_is_not_asked(crash):
    snapshot = quiet_crash(
        crash,
        """
        import sys, types
        class Trap(types.ModuleType):
            __getattr__ = __getattribute__ = __repr__ = shout("module")
        trap = Trap("trap")
        types.ModuleType.__dict__["__dict__"].__get__(trap)["x"] = 1
        sys.modules["trap"] = trap
        class NoModule:
            __getattr__ = __eq__ = __hash__ = shout("no module")
        sys.modules["nothing"] = NoModule()
        def make(): return trap
        """,
    )
    assert snapshot.local_object("thing")["name"] == "trap"


def test_a_lazy_module_stays_unloaded_and_its_globals_are_left_out(workshop, crash):
    workshop.write("late.py", "print('ran late')\nVALUE = 1\n")
    snapshot = quiet_crash(
        crash,
        """
        import importlib.util, sys
        spec = importlib.util.find_spec("late")
        loader = importlib.util.LazyLoader(spec.loader)
        spec.loader = loader
        late = importlib.util.module_from_spec(spec)
        sys.modules["late"] = late
        loader.exec_module(late)
        def make(): return late
        """,
        objects=20_000,
    )
    assert snapshot.local_object("thing")["cut"] is True
    assert "late" not in snapshot.modules


def test_keys_that_collide_with_names_are_not_compared(crash):
    snapshot = quiet_crash(
        crash,
        """
        class Key:
            def __init__(self, name): self.name = name
            def __hash__(self): return hash(self.name)
            def __eq__(self, other): print("ran __eq__"); return True
        class Trap: pass
        def make():
            t = Trap()
            t.__dict__[Key("a")] = 1
            globals()[Key("__file__")] = 2
            print("watch")
            return t
        """,
    )
    assert snapshot.local_object("thing")["cut"] is True


def test_trace_and_profile_functions_and_monitors_are_held_off(crash):
    snapshot = quiet_crash(
        crash,
        """
        import sys
        def make():
            print("watch")
            if hasattr(sys, "monitoring"):
                mon = sys.monitoring
                mon.use_tool_id(3, "trap")
                mon.register_callback(3, mon.events.PY_START, lambda code, *a: healguard(code, "monitor"))
                mon.set_events(3, mon.events.PY_START)
            sys.setprofile(lambda frame, *a: healguard(frame.f_code, "profile"))
            sys.settrace(lambda frame, *a: healguard(frame.f_code, "trace"))
        def healguard(code, name):
            if code.co_filename.endswith("heap.py"):
                print("ran", name)
        """,
    )
    assert snapshot.local("thing") is None


def test_a_signal_waits_until_memory_is_read(crash):
    quiet_crash(
        crash,
        """
        import signal
        def handler(number, frame):
            while frame is not None:
                if frame.f_code.co_filename.endswith(("heap.py", "describe.py")):
                    print("ran handler", flush=True)
                frame = frame.f_back
        def make():
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
            return [[number] for number in range(5_000)]
        """,
        objects=10_000,
    )


def test_the_text_of_an_exception_is_not_made_by_the_program(crash):
    snapshot = crash(
        """
        class Detail:
            def __str__(self): print("ran detail"); return "x"
            __repr__ = __str__
        class Trap(Exception):
            def __init__(self, *args):
                super().__init__(*args)
                self.code = 7
            @property
            def args(self): print("ran args")
            @property
            def __traceback__(self): print("ran traceback")
            @property
            def __cause__(self): print("ran cause")
        import sys
        sys.excepthook = lambda *a: None
        raise Trap("text", Detail())
        """
    )
    assert snapshot.run.stdout == ""
    assert snapshot.exception["message"] == "text, <main.Detail object>"
    assert snapshot.exception["attributes"]["code"] == 7
    assert snapshot.frames[0]["function"] == "<module>"


def test_a_huge_number_in_an_exception_does_not_hinder(crash):
    snapshot = crash("raise ValueError(10 ** 5000)")
    assert snapshot.exception["message"] == "<builtins.int object>"


def test_data_that_another_thread_changes_does_not_hinder(crash):
    snapshot = crash(
        """
        import threading
        shared = {}
        running = True
        def churn():
            n = 0
            while running:
                n += 1
                shared[n % 500] = n
                if n % 1000 == 0: shared.clear()
        thread = threading.Thread(target=churn, daemon=True)
        thread.start()
        1 / 0
        """,
        objects=3_000,
    )
    assert snapshot.global_object("shared")["kind"] == "dict"


def test_deep_and_cyclic_data_is_read_without_recursion(crash):
    snapshot = crash(
        """
        def fail():
            deep = []
            for _ in range(100_000): deep = [deep]
            ring = {}
            ring["self"] = ring
            1 / 0
        fail()
        """
    )
    ring = snapshot.local("ring")
    assert snapshot.object(ring)["entries"] == [["self", ring]]
    assert len(snapshot.local_object("deep")["items"]) == 1


def test_a_class_chain_deeper_than_the_recursion_limit_is_followed(crash):
    snapshot = crash(
        """
        kind = object
        for number in range(1500):
            kind = type("K", (kind,), {})
        kind.last = 1
        def fail():
            thing = kind()
            1 / 0
        fail()
        """,
        objects=400,
    )
    assert snapshot.local_object("thing")["type"] == "main.K"


def test_a_class_that_claims_to_be_a_builtin_is_not_named_like_one(crash):
    snapshot = crash(
        """
        class list(list):
            __module__ = "builtins"
        def fail():
            thing = list()
            1 / 0
        fail()
        """
    )
    assert snapshot.local_object("thing")["type"] == "<unknown>.list"


def test_names_that_a_function_claims_are_not_believed(crash):
    snapshot = crash(
        """
        import functools
        def inner(): pass
        @functools.wraps(inner)
        def wrapper(): pass
        wrapper.__module__ = "elsewhere"
        def fail():
            thing = wrapper
            1 / 0
        fail()
        """
    )
    record = snapshot.local_object("thing")
    assert (record["module"], record["qualname"]) == ("main", "wrapper")
    assert snapshot.attribute(record, "__wrapped__")["qualname"] == "inner"


def test_a_low_recursion_limit_does_not_hinder(crash):
    snapshot = crash("import sys\nsys.setrecursionlimit(40)\n1 / 0\n")
    assert snapshot.exception["type"] == "builtins.ZeroDivisionError"


def test_a_program_that_breaks_the_interpreters_lists_still_gets_a_snapshot(crash):
    snapshot = crash("import sys\nsys.path = None\nsys.modules = 5\nsys.argv = []\n1 / 0\n")
    assert snapshot.document["search_path"] == []
    assert snapshot.document["command"] == ["main.py"]
