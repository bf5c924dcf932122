"""The order in which objects are captured, so that a bounded snapshot holds what matters most.

A static analysis that resumes at the crash needs, in this order: the locals and what they reach; the
classes and functions of these, for dispatch; the globals that the frames see; the code of those; and the
globals of the modules whose functions were met. Everything else comes last.

A lane may use at most half of what is left when its turn comes. What it could not finish waits in the
last lane, so a huge structure in a local starves nobody, and no budget is left unused.
"""

from __future__ import annotations

from collections import deque
from enum import IntEnum


class Lane(IntEnum):
    """Where an object stands in the order of capture."""

    LOCALS = 0
    CODE = 1
    GLOBALS = 2
    GLOBAL_CODE = 3
    MODULES = 4
    REST = 5


# By the lane that a reference is found in: the lane of a class or function that it leads to …
CODE_LANE = (Lane.CODE, Lane.CODE, Lane.GLOBAL_CODE, Lane.GLOBAL_CODE, Lane.MODULES, Lane.REST)
# … of what an object of that lane contains …
CONTENT_LANE = (Lane.LOCALS, Lane.CODE, Lane.GLOBALS, Lane.GLOBAL_CODE, Lane.REST, Lane.REST)
# … of the data in attributes of a class …
CLASS_DATA_LANE = (
    Lane.GLOBAL_CODE,
    Lane.GLOBAL_CODE,
    Lane.GLOBAL_CODE,
    Lane.GLOBAL_CODE,
    Lane.REST,
    Lane.REST,
)
# … and of the globals of a function's module.
MODULE_LANE = (Lane.MODULES, Lane.MODULES, Lane.REST, Lane.REST, Lane.REST, Lane.REST)


class Schedule:
    """Queues of object numbers, one a lane, under a common budget."""

    def __init__(self, budget: int) -> None:
        self.left = budget
        self._queues: tuple[deque[int], ...] = tuple(deque() for _ in Lane)
        self._allowance = 0

    def push(self, number: int, lane: Lane) -> None:
        """Queue an object."""
        self._queues[lane].append(number)

    def start(self, lane: Lane) -> None:
        """Begin a lane: it may use half of what is left, the last lane all of it."""
        self._allowance = self.left if lane is Lane.REST else (self.left + 1) // 2

    def take(self, lane: Lane) -> int | None:
        """Return the next object of a lane that was begun, or None when it is empty or used up."""
        queue = self._queues[lane]
        if not queue or self._allowance <= 0:
            return None
        self._allowance -= 1
        self.left -= 1
        return queue.popleft()

    def finish(self, lane: Lane) -> None:
        """End a lane: what is left in it waits for the last one."""
        if lane is not Lane.REST:
            self._queues[Lane.REST].extend(self._queues[lane])
            self._queues[lane].clear()

    def charge(self) -> bool:
        """Use one unit for something that is not queued; False when nothing is left."""
        if self.left <= 0:
            return False
        self.left -= 1
        self._allowance = min(self._allowance, self.left)
        return True
