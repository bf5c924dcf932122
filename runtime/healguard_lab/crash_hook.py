"""What a woven program asks at run time, to tell the crash from other exceptions."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from healguard_lab.healing_weave import Candidate


@dataclass(frozen=True)
class Occurrence:
    """The crash among everything that the watched statements raise.

    A statement may raise, and be survived, before it kills the program: `count` says
    which of its exceptions is the fatal one, the first being 1.
    """

    candidate: int
    count: int


class CrashHook:
    """Sees each exception that a watched statement raises in its own frame.

    Without a `target` it only counts. With one it lets the healing run, once.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        is_own: Callable[[str], bool],
        target: Occurrence | None,
    ) -> None:
        self._candidates = candidates
        self._is_own = is_own
        self._target = target
        self._seen: list[tuple[BaseException, Occurrence]] = []
        self._counts = [0] * len(candidates)
        self._pending = False
        self.healed = False
        self.resumed = False

    def passes(self, number: int) -> bool:
        """Whether the current exception goes on as if nothing were woven."""
        exception = sys.exc_info()[1]
        if exception is None or self.healed or not self._raised_by(number, exception):
            return True
        if any(known is exception for known, _ in self._seen):
            return True
        self._counts[number] += 1
        occurrence = Occurrence(number, self._counts[number])
        self._seen.append((exception, occurrence))
        if occurrence != self._target:
            return True
        self.healed = self._pending = True
        self._seen.clear()
        return False

    def caught(self, number: int) -> bool:
        """Whether the crash of this statement was caught and is to be healed now."""
        healing = self._pending and number == self._target.candidate
        if healing:
            self._pending = False
        return healing

    def resumes(self, number: int) -> None:
        """The healing ran to its end."""
        self.resumed = self.resumed or number == self._target.candidate

    def occurrence_of(self, exception: BaseException) -> Occurrence | None:
        """Which occurrence an exception was, if a watched statement raised it."""
        for known, occurrence in self._seen:
            if known is exception:
                return occurrence
        return None

    def _raised_by(self, number: int, exception: BaseException) -> bool:
        """Whether the statement itself failed, not one inside or a frame below."""
        entry = exception.__traceback__
        if entry is None or entry.tb_lineno not in self._candidates[number].header:
            return False
        below = entry.tb_next
        while below is not None:
            if self._is_own(below.tb_frame.f_code.co_filename):
                return False
            below = below.tb_next
        return True


def innermost_own(
    traceback: types.TracebackType | None, is_own: Callable[[str], bool]
) -> types.TracebackType | None:
    """The deepest entry of a traceback that lies in the program or its packages."""
    found = None
    while traceback is not None:
        if is_own(traceback.tb_frame.f_code.co_filename):
            found = traceback
        traceback = traceback.tb_next
    return found
