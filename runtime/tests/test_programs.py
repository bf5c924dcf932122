"""Crashes as they happen: whole small programs, and what a snapshot must say about each."""


def test_a_shop_with_dataclasses_and_enums(crash):
    snapshot = crash(
        """
        from dataclasses import dataclass, field
        from enum import Enum

        class State(Enum):
            OPEN = "open"
            PAID = "paid"

        @dataclass
        class Line:
            name: str
            price: float | None = None

        @dataclass
        class Order:
            lines: list[Line] = field(default_factory=list)
            state: State = State.OPEN

            def total(self):
                return sum(line.price for line in self.lines)

        def checkout(order):
            amount = order.total()
            order.state = State.PAID

        checkout(Order([Line("tea", 2.5), Line("cup")]))
        """,
        objects=600,
    )
    assert snapshot.exception["type"] == "builtins.TypeError"
    order = snapshot.local_object("order", frame=1)
    assert order["type"] == "main.Order"
    lines = snapshot.attribute(order, "lines")["items"]
    assert [snapshot.object(line)["attributes"] for line in lines] == [
        {"name": "tea", "price": {"float": "2.5"}},
        {"name": "cup", "price": None},
    ]
    state = snapshot.attribute(order, "state")
    assert state["attributes"]["_name_"] == "OPEN"
    members = snapshot.object(state["class"])["attributes"]
    assert members["OPEN"] == order["attributes"]["state"]


def test_an_alias_is_one_object(crash):
    snapshot = crash(
        """
        class Account:
            def __init__(self, owner): self.owner, self.log = owner, []
        SHARED = []
        def fail(account):
            log = account.log
            SHARED.append(account)
            return log[0]
        fail(Account("eve"))
        """
    )
    account = snapshot.local("account")
    assert snapshot.object(account)["attributes"]["log"] == snapshot.local("log")
    assert snapshot.global_object("SHARED")["items"] == [account]


def test_a_package_with_relative_imports_and_module_state(workshop, crash):
    workshop.write("shop/__init__.py", "from .checkout import pay\n")
    workshop.write("shop/state.py", "RATES = {'eur': 1}\nCOUNT = 0\n")
    workshop.write(
        "shop/checkout.py",
        """
        from . import state
        from .state import RATES
        def pay(amount, currency):
            return amount * RATES[currency]
        """,
    )
    snapshot = crash("import shop\nshop.pay(5, 'usd')\n", objects=400)
    assert [f["module"] for f in snapshot.frames] == ["shop.checkout", "main"]
    rates = snapshot.global_value("RATES", "shop.checkout")
    assert snapshot.global_value("RATES", "shop.state") == rates
    assert snapshot.object(rates)["entries"] == [["eur", 1]]
    assert snapshot.global_object("state", "shop.checkout")["name"] == "shop.state"
    assert snapshot.modules["shop.state"]["file"] == str(workshop.folder / "shop" / "state.py")


def test_a_with_block_is_on_the_way_out(crash):
    snapshot = crash(
        """
        class Transaction:
            def __init__(self): self.open = False
            def __enter__(self): self.open = True; return self
            def __exit__(self, *args): self.open = False
        def transfer(amount):
            with Transaction() as transaction:
                return amount["value"]
        transfer({})
        """
    )
    assert [f["function"] for f in snapshot.frames] == ["transfer", "<module>"]
    assert snapshot.local_object("transaction")["attributes"] == {"open": False}


def test_a_context_manager_made_of_a_generator(crash):
    snapshot = crash(
        """
        import contextlib
        @contextlib.contextmanager
        def session(name):
            rows = [name]
            yield rows
        def load():
            with session("a") as rows:
                return rows[3]
        load()
        """
    )
    assert [f["function"] for f in snapshot.frames] == ["load", "<module>"]
    assert snapshot.local_object("rows")["items"] == ["a"]


def test_decorators_and_closures_on_the_stack(crash):
    snapshot = crash(
        """
        import functools
        def retried(times):
            def decorate(function):
                @functools.wraps(function)
                def wrapper(*args):
                    return function(*args)
                return wrapper
            return decorate
        @retried(3)
        def parse(text):
            return int(text)
        parse("x1")
        """
    )
    parse, wrapper, _ = snapshot.frames
    assert wrapper["function"] == "retried.<locals>.decorate.<locals>.wrapper"
    function = snapshot.object(wrapper["cells"]["function"])
    assert (function["qualname"], function["first_line"]) == ("parse", parse["first_line"])
    assert snapshot.object(wrapper["locals"]["args"])["items"] == ["x1"]
    assert snapshot.attribute(snapshot.global_object("parse"), "__wrapped__") == function


def test_a_property_and_an_inherited_method(crash):
    snapshot = crash(
        """
        class Shape:
            def describe(self): return f"{self.area:.2f}"
        class Square(Shape):
            def __init__(self, side): self._side = side
            @property
            def area(self): return self._side ** 2 / 0
        Square(3).describe()
        """
    )
    assert [f["function"] for f in snapshot.frames][:2] == ["Square.area", "Shape.describe"]
    assert snapshot.local("self") == snapshot.local("self", frame=1)
    square = snapshot.object(snapshot.local_object("self")["class"])
    assert snapshot.attribute(square, "area")["kind"] == "property"


def test_a_registry_of_callbacks(crash):
    snapshot = crash(
        """
        from functools import partial
        HANDLERS = {}
        def register(name):
            return lambda f: HANDLERS.setdefault(name, f)
        @register("sum")
        def add(a, b): return a + b
        class Box:
            def put(self, x): return x
        HANDLERS["half"] = partial(add, 1)
        HANDLERS["box"] = Box().put
        HANDLERS["half"]("x")
        """
    )
    entries = snapshot.global_object("HANDLERS")["entries"]
    handlers = {name: value["ref"] for name, value in entries}
    records = {name: snapshot.object({"ref": ref}) for name, ref in handlers.items()}
    assert {name: record["kind"] for name, record in records.items()} == {
        "sum": "function",
        "half": "partial",
        "box": "method",
    }
    assert records["half"]["function"] == {"ref": handlers["sum"]}


def test_a_namedtuple_in_a_queue(crash):
    snapshot = crash(
        """
        from collections import namedtuple, deque
        Job = namedtuple("Job", "name size")
        def work(queue):
            job = queue.popleft()
            return job.size / 0
        work(deque([Job("a", 1), Job("b", 2)]))
        """
    )
    job = snapshot.local_object("job")
    assert (job["type"], job["layout"], job["items"]) == ("main.Job", "tuple", ["a", 1])
    rest = snapshot.local_object("queue")["items"]
    assert [snapshot.object(item)["items"] for item in rest] == [["b", 2]]


def test_a_generator_pipeline(crash):
    snapshot = crash(
        """
        def read(lines):
            for line in lines:
                yield line.strip()
        def numbers(lines):
            for text in read(lines):
                yield int(text)
        def total(lines):
            result = 0
            for number in numbers(lines):
                result += number
            return result
        total(["1", "2", "x"])
        """
    )
    assert [f["function"] for f in snapshot.frames] == ["numbers", "total", "<module>"]
    assert snapshot.local("text") == "x"
    assert snapshot.local("result", frame=1) == 3


def test_a_library_that_calls_back(crash):
    snapshot = crash(
        """
        import json
        class Money:
            def __init__(self, amount): self.amount = amount
        def encode(value):
            return value.amount / 0
        json.dumps({"price": Money(3)}, default=encode)
        """,
        objects=400,
    )
    functions = [f["function"] for f in snapshot.frames]
    assert functions[0] == "encode"
    assert "JSONEncoder.encode" in functions
    assert snapshot.frames[1]["module"] == "json.encoder"
    assert snapshot.local_object("value")["attributes"] == {"amount": 3}


def test_a_class_with_slots_and_a_descriptor(crash):
    snapshot = crash(
        """
        class Positive:
            def __set_name__(self, owner, name): self.name = "_" + name
            def __get__(self, obj, owner=None): return getattr(obj, self.name)
            def __set__(self, obj, value):
                if value < 0: raise ValueError(value)
                setattr(obj, self.name, value)
        class Stock:
            __slots__ = ("_count",)
            count = Positive()
        stock = Stock()
        stock.count = 4
        stock.count = -1
        """
    )
    assert snapshot.frames[0]["function"] == "Positive.__set__"
    assert snapshot.local_object("obj")["attributes"] == {"_count": 4}
    assert snapshot.local_object("self")["attributes"] == {"name": "_count"}


def test_an_abstract_class_and_super(crash):
    snapshot = crash(
        """
        from abc import ABC, abstractmethod
        class Base(ABC):
            def __init__(self, options): self.options = options
            @abstractmethod
            def load(self): ...
            def run(self): return self.load()
        class Loader(Base):
            def __init__(self, options):
                super().__init__(options)
                self.cache = {}
            def load(self): return self.cache[self.options["key"]]
        Loader({"key": "k"}).run()
        """
    )
    assert [f["function"] for f in snapshot.frames] == ["Loader.load", "Base.run", "<module>"]
    cls = snapshot.object(snapshot.local_object("self")["class"])
    assert snapshot.object(cls["metaclass"])["qualname"] == "ABCMeta"
    names = [snapshot.object(entry)["qualname"] for entry in cls["mro"]]
    assert names == ["Loader", "Base", "ABC", "object"]


def test_a_database_that_refuses(crash):
    snapshot = crash(
        """
        import sqlite3
        def store(connection, rows):
            with connection:
                connection.executemany("insert into t values (?, ?)", rows)
        connection = sqlite3.connect(":memory:")
        connection.execute("create table t (a integer primary key, b text)")
        store(connection, [(1, "a"), (1, "b")])
        """
    )
    assert snapshot.exception["type"] == "sqlite3.IntegrityError"
    assert snapshot.local_object("connection")["kind"] == "opaque"
    assert len(snapshot.local_object("rows")["items"]) == 2


def test_a_worker_thread_with_a_lock(crash):
    snapshot = crash(
        """
        import threading
        class Counter:
            def __init__(self): self.lock, self.values = threading.Lock(), {}
            def add(self, name):
                with self.lock:
                    self.values[name] += 1
        counter = Counter()
        worker = threading.Thread(target=counter.add, args=("hits",), name="worker-7")
        worker.start()
        worker.join()
        """,
        objects=400,
    )
    assert [f["function"] for f in snapshot.frames][:2] == ["Counter.add", "Thread.run"]
    assert snapshot.attribute(snapshot.local_object("self"), "values")["entries"] == []


def test_marks_of_healguard_are_seen_on_functions(crash):
    snapshot = crash(
        """
        import healguard
        @healguard.protected(arguments=["amount"], reason="moves money")
        def charge(customer, amount): pass
        def fail():
            pay = charge
            1 / 0
        fail()
        """
    )
    marks = snapshot.attribute(snapshot.local_object("pay"), "__healguard__")
    mark = snapshot.object(marks["items"][0])
    assert mark["type"] == "healguard.marks.Protection"
    assert mark["attributes"]["reason"] == "moves money"
