import pytest

SOURCE = """
    import enum, functools, re
    class Colour(enum.Enum):
        RED = 1
        BLUE = 2
    class Item:
        def __init__(self, name): self.name = name
    def one(): pass
    def two(): pass
    NAMES = {"pear", "fig", "lime", "kiwi", "plum"}
    MIXED = {1, "a", 2.5, None, b"x", (1, "t"), (0, "s"), frozenset({"q", "r"}), True}
    CODE = {one, two, Item, Colour, int}
    THINGS = {Item("a"), Item("b"), Item("c"), Colour.RED, Colour.BLUE}
    def fail():
        local = {name: {name, name + "x", name * 2} for name in sorted(NAMES)}
        1 / 0
    fail()
"""


@pytest.mark.parametrize("objects", [200, 20_000])
def test_two_runs_give_the_same_file_whatever_the_hash_seed(workshop, objects):
    texts = []
    for seed in ("1", "2", "77"):
        workshop.write("main.py", SOURCE)
        workshop.run("main.py", environment={"PYTHONHASHSEED": seed}, objects=objects)
        texts.append(workshop.output.read_text())
    assert texts[0] == texts[1] == texts[2]


def test_objects_are_numbered_in_the_order_of_the_stack(crash):
    snapshot = crash(
        """
        def inner(a, b):
            1 / 0
        def outer(c):
            inner([1], [2])
        outer([3])
        """
    )
    assert snapshot.local("a") == {"ref": 1}
    assert snapshot.local("b") == {"ref": 2}
    assert snapshot.local("c", frame=1) == {"ref": 3}
