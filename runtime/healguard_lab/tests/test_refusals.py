"""What cannot be trusted is refused, and the text says why."""

from __future__ import annotations

from pathlib import Path

from healguard_lab.tests.conftest import Laboratory

PROGRAM = """
def charge(amount):
    pass

def pay(cart):
    total = cart["total"]  # crash
    charge(1)

pay({})
"""
HEALING = 'cart["total"] = VALUE'


def test_a_crash_somewhere_else_is_a_disagreement(try_case: Laboratory) -> None:
    outcome = try_case(PROGRAM.replace("pay({})", "1 / 0"), HEALING, function="pay", says="safe")
    assert outcome.status == 1
    assert outcome.report["executed"] is None
    assert outcome.report["crash"]["observed"]["exception"] == "ZeroDivisionError"


def test_another_exception_than_the_one_named_is_a_disagreement(try_case: Laboratory) -> None:
    outcome = try_case(PROGRAM, HEALING, function="pay", exception="ValueError", says="safe")
    assert outcome.status == 1
    assert outcome.report["crash"]["observed"]["exception"] == "KeyError"


def test_a_program_that_does_not_die_is_a_disagreement(try_case: Laboratory) -> None:
    outcome = try_case(
        PROGRAM.replace("pay({})", "pay({'total': 1})"), HEALING, function="pay", says="safe"
    )
    assert outcome.status == 1
    assert outcome.report["crash"]["observed"]["outcome"] == "finished"


def test_a_safe_case_with_two_alternatives_is_unusable(try_case: Laboratory) -> None:
    outcome = try_case(PROGRAM, HEALING, function="pay", says="safe", values=("1", "2", "3"))
    assert outcome.status == 2
    assert "at least 3 alternatives" in outcome.errors


def test_an_operation_that_does_not_exist_is_unusable(try_case: Laboratory) -> None:
    protect = '[[operation]]\nname = "main.charge"\n[[operation]]\nname = "main.chrage"\n'
    outcome = try_case(PROGRAM, HEALING, function="pay", says="safe", protect=protect)
    assert outcome.status == 2
    assert "main.chrage" in outcome.errors


def test_an_argument_that_does_not_exist_is_unusable(try_case: Laboratory) -> None:
    protect = '[[operation]]\nname = "main.charge"\narguments = ["sum"]\n'
    outcome = try_case(PROGRAM, HEALING, function="pay", says="safe", protect=protect)
    assert outcome.status == 2
    assert "main.charge has no argument 'sum'" in outcome.errors


def test_a_program_that_depends_on_the_hash_seed_is_unusable(try_case: Laboratory) -> None:
    source = PROGRAM.replace("charge(1)", "charge(hash('text'))")
    outcome = try_case(source, HEALING, function="pay", says="safe")
    assert outcome.status == 2
    assert "not deterministic" in outcome.errors


def test_a_healing_under_which_the_program_does_not_finish_is_unusable(
    try_case: Laboratory,
) -> None:
    outcome = try_case(PROGRAM, 'cart["other"] = VALUE', function="pay", says="safe")
    assert outcome.status == 2
    assert "does not finish under heal.py" in outcome.errors


def test_a_program_that_runs_out_of_time_counts_up_to_there(try_case: Laboratory) -> None:
    source = PROGRAM.replace("charge(1)", "charge(1)\n    while total == 2: pass\n    charge(2)")
    outcome = try_case(source, HEALING, function="pay", says="safe", options=("--timeout", "3"))
    assert outcome.status == 0
    assert outcome.outcomes == ["finished", "timeout", "finished", "finished"]


def test_a_program_that_runs_nothing_protected_is_unusable(try_case: Laboratory) -> None:
    outcome = try_case(PROGRAM.replace("charge(1)", "pass"), HEALING, function="pay", says="safe")
    assert outcome.status == 2
    assert "no protected operation" in outcome.errors


def test_an_unknown_key_is_refused_with_its_line_and_the_nearest(try_case: Laboratory) -> None:
    protect = '[[operation]]\nname = "main.charge"\nargument = [0]\n'
    outcome = try_case(PROGRAM, HEALING, function="pay", protect=protect)
    assert outcome.status == 2
    assert "protect.toml:4: unknown key `argument`" in outcome.errors
    assert "`arguments`" in outcome.errors


def test_a_folder_without_a_case_is_refused(tmp_path: Path, run_label: Laboratory) -> None:
    outcome = run_label(tmp_path)
    assert outcome.status == 2
    assert "case.toml" in outcome.errors
