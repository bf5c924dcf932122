import subprocess
import sys
from pathlib import Path

import pytest

from healguard import Endorsement, Protection, endorses, protected

RUNTIME = Path(__file__).parent.parent


def test_bare_protected_returns_the_very_function():
    def charge(amount):
        return amount

    assert protected(charge) is charge
    (mark,) = charge.__healguard__
    assert (mark.arguments, mark.receiver, mark.reads, mark.reason) == (None, True, True, "")


def test_protected_keeps_its_arguments():
    @protected(arguments=["amount", 0], receiver=False, reads=False, reason="moves money")
    def charge(amount):
        return amount

    (mark,) = charge.__healguard__
    assert isinstance(mark, Protection)
    assert mark.arguments == ("amount", 0)
    assert (mark.receiver, mark.reads, mark.reason) == (False, False, "moves money")
    assert charge(3) == 3


@pytest.mark.parametrize("mode", ["returns", "guards"])
def test_endorses_keeps_its_mode(mode):
    @endorses(mode=mode)
    def check(amount):
        return amount

    (mark,) = check.__healguard__
    assert isinstance(mark, Endorsement)
    assert mark.mode == mode


def test_a_function_can_carry_both_marks():
    @protected
    @endorses
    def check():
        return None

    assert [type(mark) for mark in check.__healguard__] == [Endorsement, Protection]


def test_methods_of_every_kind_can_be_marked():
    class Account:
        @protected
        @staticmethod
        def audit():
            return "audit"

        @protected
        @classmethod
        def open(cls):
            return cls

        @protected
        def pay(self):
            return self

    assert Account.audit() == "audit"
    assert Account.open() is Account
    for name in ("audit", "open", "pay"):
        assert len(getattr(Account, name).__healguard__) == 1


def test_marking_a_subclass_leaves_the_base_class_alone():
    @protected(reason="base")
    class Base:
        pass

    @protected(reason="derived")
    class Derived(Base):
        pass

    assert [mark.reason for mark in Base.__healguard__] == ["base"]
    assert [mark.reason for mark in Derived.__healguard__] == ["derived"]


@pytest.mark.parametrize("arguments", ["amount", [None], [1.5], [True]])
def test_watched_arguments_that_are_no_names_or_positions_are_refused(arguments):
    with pytest.raises(TypeError):
        protected(arguments=arguments)


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="'returns' or 'guards'"):
        endorses(mode="sometimes")


@pytest.mark.parametrize("target", [len, 3, "charge"])
def test_what_cannot_carry_a_mark_is_refused_with_advice(target):
    with pytest.raises(TypeError, match=r"healguard"):
        protected(target)


def test_importing_the_package_imports_nothing_else():
    code = (
        "import sys; before = set(sys.modules); import healguard; "
        "print(sorted(name for name in set(sys.modules) - before if 'healguard' not in name))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=RUNTIME, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
