"""Decorators that mark protected operations and endorsements, and what they leave behind.

Nothing of the standard library is imported here: programs import this module in production.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

MODES = ("returns", "guards")


class Protection:
    """What `protected` says about an operation.

    `arguments`: the watched arguments by name or position, `None` for all of them; `receiver`: whether
    the object a method is called on is watched; `reads`: whether what the body reads is watched;
    `reason`: shown in reports.
    """

    __slots__ = ("arguments", "reads", "reason", "receiver")

    def __init__(
        self,
        arguments: "tuple[str | int, ...] | None" = None,
        receiver: bool = True,
        reads: bool = True,
        reason: str = "",
    ) -> None:
        self.arguments = arguments
        self.receiver = receiver
        self.reads = reads
        self.reason = reason

    def __repr__(self) -> str:
        return (
            f"Protection(arguments={self.arguments!r}, receiver={self.receiver!r}, "
            f"reads={self.reads!r}, reason={self.reason!r})"
        )


class Endorsement:
    """What `endorses` says about a check: its `mode`, `"returns"` or `"guards"`."""

    __slots__ = ("mode",)

    def __init__(self, mode: str = "returns") -> None:
        self.mode = mode

    def __repr__(self) -> str:
        return f"Endorsement(mode={self.mode!r})"


def protected(
    target: "Callable[..., Any] | None" = None,
    /,
    *,
    arguments: "Sequence[str | int] | None" = None,
    receiver: bool = True,
    reads: bool = True,
    reason: str = "",
) -> "Any":
    """Mark a function, method or class as an operation that healed state must not reach.

    Used bare (`@protected`) or with arguments (`@protected(arguments=["amount"])`). Returns the target
    itself. Raises `TypeError` for watched arguments that are neither names nor positions, and for a
    target that cannot carry a mark, such as a built-in.
    """
    mark = Protection(_watched(arguments), bool(receiver), bool(reads), str(reason))
    return _marker(mark) if target is None else _mark(target, mark)


def endorses(target: "Callable[..., Any] | None" = None, /, *, mode: str = "returns") -> "Any":
    """Mark a check whose outcome makes healed state acceptable.

    With `mode="returns"` its result is clean; with `mode="guards"` its arguments are clean on the paths
    where it returned (truthy, if it returns a bool). Returns the target itself. Raises `ValueError`
    for another mode and `TypeError` for a target that cannot carry a mark.
    """
    if mode not in MODES:
        raise ValueError(f"endorses(mode={mode!r}): the mode is 'returns' or 'guards'")
    mark = Endorsement(mode)
    return _marker(mark) if target is None else _mark(target, mark)


def _watched(arguments: "Sequence[str | int] | None") -> "tuple[str | int, ...] | None":
    """Check the watched arguments; a lone string is a mistake for a list of one."""
    if arguments is None:
        return None
    if isinstance(arguments, str):
        raise TypeError(f"protected(arguments={arguments!r}): give a list, [{arguments!r}]")
    watched = tuple(arguments)
    for argument in watched:
        if isinstance(argument, bool) or not isinstance(argument, (str, int)):
            raise TypeError(f"protected(): {argument!r} is neither a name nor a position")
    return watched


def _marker(mark: "Protection | Endorsement") -> "Callable[[Any], Any]":
    """Return the decorator that leaves `mark` on what it decorates."""

    def decorate(target: "Any") -> "Any":
        return _mark(target, mark)

    return decorate


def _mark(target: "Any", mark: "Protection | Endorsement") -> "Any":
    """Add `mark` to the marks of `target`, or of the function inside a static or class method."""
    carrier = target.__func__ if isinstance(target, (staticmethod, classmethod)) else target
    if not callable(carrier):
        raise TypeError(f"healguard marks functions, methods and classes, not {target!r}")
    # A class must not take over, and add to, what its base class carries.
    marks = vars(carrier).get("__healguard__", ()) if hasattr(carrier, "__dict__") else ()
    try:
        carrier.__healguard__ = (*marks, mark)
    except (AttributeError, TypeError):
        raise TypeError(f"healguard cannot mark {target!r}: name it in protect.toml") from None
    return target
