"""How large a snapshot may become, and the account of what has been used."""

from __future__ import annotations

DEFAULT_OBJECTS = 20_000
DEFAULT_TEXT = 4_096
DEFAULT_ITEMS = 10_000
DEFAULT_BYTES = 64 * 1024 * 1024
DEFAULT_FRAMES = 10_000
# Characters of all texts in one container: what a record may need in memory while it is written.
RECORD_TEXT = 4 * 1024 * 1024


class Bounds:
    """The limits of one snapshot.

    `objects`: objects captured with their contents; as many again may be named without them. `text`:
    characters of a string, bytes of a bytes object, digits of an integer. `items`: items of one container.
    `bytes`: size of the file, never exceeded. `frames`: frames of the stack.
    """

    __slots__ = ("bytes", "frames", "items", "objects", "text")

    def __init__(
        self,
        objects: int = DEFAULT_OBJECTS,
        text: int = DEFAULT_TEXT,
        items: int = DEFAULT_ITEMS,
        size: int = DEFAULT_BYTES,
        frames: int = DEFAULT_FRAMES,
    ) -> None:
        self.objects = objects
        self.text = text
        self.items = items
        self.bytes = size
        self.frames = frames

    def shrunk(self) -> Bounds:
        """Return limits a sixteenth of these, for another try when memory ran out."""
        return Bounds(
            objects=max(self.objects // 16, 1),
            text=max(self.text // 16, 16),
            items=max(self.items // 16, 1),
            size=max(self.bytes // 16, 64 * 1024),
            frames=self.frames,
        )


class Full(Exception):  # noqa: N818 - a signal to whoever fills a container, not an error
    """A bound was reached: the container that is being written ends here, marked cut."""


class Account:
    """What is used of something limited: bytes of the file, numbers of objects.

    Use is shared out over the lanes of the capture: a lane opens at most half of what is left.
    """

    __slots__ = ("_ceiling", "_limit", "used")

    def __init__(self, limit: int) -> None:
        self._limit = self._ceiling = limit
        self.used = 0

    def open_half(self) -> None:
        """Allow half of what is left to be used."""
        self._ceiling = self.used + (self._limit - self.used) // 2

    def open_all(self) -> None:
        """Allow all that is left to be used."""
        self._ceiling = self._limit

    def has(self, amount: int) -> bool:
        """Tell whether `amount` may be used."""
        return self.used + amount <= self._ceiling

    def take(self, amount: int) -> bool:
        """Use `amount`, or return False and use nothing where that is not allowed."""
        if not self.has(amount):
            return False
        self.used += amount
        return True

    def give_back(self, amount: int) -> None:
        """Return what was promised and not needed."""
        self.used -= amount
