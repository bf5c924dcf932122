"""A healing runs in the crashed frame, and the frame goes on as it is told to."""

from __future__ import annotations

import pytest

from healguard_lab.case_file import UnusableError
from healguard_lab.healing_weave import weave
from healguard_lab.tests.conftest import Laboratory

CHARGE = """
def charge(amount):
    pass

"""


def seen(outcome) -> list[str]:
    return [event["differs"]["argument amount"] for event in outcome.report["difference"]["seen"]]


def test_a_retry_runs_the_failing_statement_again(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(cart):
    total = cart["total"] + 1  # crash
    charge(total)

pay({})
""",
        'cart["total"] = VALUE',
        function="pay",
    )
    assert outcome.status == 0
    assert seen(outcome) == ["2", "3"]


def test_a_skip_leaves_the_failing_statement_out(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(cart):
    total = 5
    total = cart["total"]  # crash
    charge(total)

pay({})
""",
        "total = total + VALUE",
        function="pay",
        resume="skip",
    )
    assert outcome.status == 0
    assert seen(outcome) == ["6", "7"]


def test_a_skip_reaches_nothing_where_the_local_is_written_later(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(cart):
    total = cart["total"]  # crash
    total = 9
    charge(total)

pay({})
""",
        "total = VALUE",
        function="pay",
        resume="skip",
        says="safe",
    )
    assert outcome.status == 0
    assert len(outcome.digests) == 1


def test_a_return_gives_the_healed_value_to_the_caller(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
def total_of(cart):
    total = cart["total"]  # crash
    charge(1000)
    return total

charge(total_of({}))
""",
        "healed_return = VALUE",
        function="total_of",
        resume="return",
    )
    assert outcome.status == 0
    assert seen(outcome) == ["1", "2"]


def test_a_healed_parameter_is_rebound_for_the_closures_that_hold_it(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(rate):
    later = lambda: rate
    rate + None  # crash
    charge(later())

pay(3)
""",
        "rate = VALUE",
        function="pay",
        exception="TypeError",
        resume="skip",
    )
    assert seen(outcome) == ["1", "2"]


def test_names_of_the_healing_do_not_hide_names_of_the_module(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
rate = 40

def pay(cart):
    before = rate
    cart["total"]  # crash
    charge(before + rate)

pay({})
""",
        'rate = VALUE\ncart["total"] = [rate for rate in range(rate)]',
        function="pay",
        says="safe",
    )
    assert outcome.status == 0
    assert outcome.outcomes == ["finished"] * 4


def test_the_crash_of_a_later_iteration_is_healed_and_the_loop_goes_on(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(prices, names):
    for name in names:
        price = prices[name]  # crash
        charge(price)

pay({"a": 10, "c": 30}, ["a", "b", "c"])
""",
        "prices[name] = VALUE",
        function="pay",
    )
    assert outcome.report["difference"]["event"] == 1
    assert [execution["events"] for execution in outcome.report["executions"]] == [3] * 4


def test_only_the_fatal_crash_is_healed_not_one_the_program_survives(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        CHARGE
        + """
def price_of(prices, name):
    return prices[name]  # crash

def pay(prices):
    try:
        amount = price_of(prices, "missing")
    except KeyError:
        amount = 7
    charge(amount)
    charge(price_of(prices, "other"))

pay({})
""",
        "prices[name] = VALUE",
        function="price_of",
    )
    assert outcome.report["difference"]["event"] == 1
    assert seen(outcome) == ["1", "2"]


def test_a_crash_in_a_try_block_is_healed_before_its_finally_runs(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(cart):
    try:
        amount = cart["total"]  # crash
    except ValueError:
        amount = 50
    finally:
        charge(cart.get("total"))
    charge(amount)

pay({})
""",
        'cart["total"] = VALUE',
        function="pay",
    )
    assert outcome.report["difference"]["event"] == 0
    assert [execution["events"] for execution in outcome.report["executions"]] == [2] * 4


def test_the_failing_header_of_a_compound_statement_is_retried_as_a_whole(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(cart):
    if cart["total"] > 2:  # crash
        charge("large")
    else:
        charge("small")

pay({})
""",
        'cart["total"] = VALUE',
        function="pay",
    )
    assert outcome.status == 0
    assert len(outcome.digests) == 2


def test_the_inner_of_two_recursive_frames_is_healed(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
def depth(tree, level):
    return 10 * level if level == 0 and tree["leaf"] else depth(tree, level - 1)  # crash

charge(depth({}, 3))
""",
        'tree["leaf"] = True\nlevel = VALUE',
        function="depth",
        values=("0", "1", "2", "3"),
        says="safe",
    )
    assert outcome.outcomes == ["finished"] * 4
    assert outcome.status == 0


def test_a_crash_in_module_code_is_healed_in_the_globals(try_case: Laboratory) -> None:
    outcome = try_case(
        CHARGE
        + """
prices = {}
total = prices["total"]  # crash
charge(total)
""",
        "total = VALUE",
        function="<module>",
        resume="skip",
    )
    assert seen(outcome) == ["1", "2"]


def test_a_healing_that_does_not_help_lets_only_the_common_prefix_count(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        CHARGE
        + """
def pay(cart):
    charge(1)
    amount = cart["total"] / cart["people"]  # crash
    charge(2)

pay({"total": 10})
""",
        'cart["people"] = VALUE',
        function="pay",
        values=("1", "0", "2", "3"),
        says="safe",
    )
    assert outcome.status == 0
    assert outcome.outcomes == ["finished", "died", "finished", "finished"]
    assert outcome.report["executions"][1]["exception"] == "ZeroDivisionError"


def test_a_crash_in_a_generator_is_healed_and_the_generator_goes_on(
    try_case: Laboratory,
) -> None:
    outcome = try_case(
        CHARGE
        + """
def amounts(prices):
    yield 1
    yield prices["b"]  # crash
    yield 3

for amount in amounts({}):
    charge(amount)
""",
        'prices["b"] = VALUE',
        function="amounts",
    )
    assert outcome.report["difference"]["event"] == 1
    assert [execution["events"] for execution in outcome.report["executions"]] == [3] * 4


def refusal(source: str, function: str, line: int, healing: str, resume: str = "retry") -> str:
    with pytest.raises(UnusableError) as refused:
        weave(source, "main.py", function, line, healing, resume)
    return str(refused.value)


def test_a_comprehension_frame_is_refused_with_its_name() -> None:
    text = refusal("x = [a.b for a in c]\n", "<listcomp>", 1, "pass")
    assert "comprehension frame <listcomp>" in text


def test_a_return_from_module_code_is_refused() -> None:
    assert "no function" in refusal("x = 1\n", "<module>", 1, "healed_return = 1", "return")


def test_a_return_without_a_value_is_refused() -> None:
    source = "def f():\n    pass\n"
    assert "healed_return" in refusal(source, "f", 2, "x = 1", "return")


@pytest.mark.parametrize("healing", ["import os", "def f(): pass", "while True: pass"])
def test_statements_outside_healcore_are_refused(healing: str) -> None:
    assert "not part of HealCore" in refusal("x = 1\n", "<module>", 1, healing)


def test_a_line_on_which_no_statement_starts_is_refused() -> None:
    source = "def f():\n    x = [\n        1,\n    ]\n"
    assert "no statement" in refusal(source, "f", 3, "pass")
