"""The heap graph of a snapshot: objects by number, captured in order of importance within bounds."""

from __future__ import annotations

import json
from typing import Any

from healguard import scalars
from healguard.bounds import Account, Bounds, Full
from healguard.classfacts import ClassTable
from healguard.describe import Describer
from healguard.identity import Identities
from healguard.kinds import CODE_KINDS, kind_of
from healguard.modulenames import ModuleNames
from healguard.redact import Redactor
from healguard.schedule import CODE_LANE, Lane, Schedule

# What a number promises of the file: its record, if only the type and the place of definition are kept.
PROMISED_BYTES = 640


def dump(document: Any) -> str:
    """Return compact JSON in ASCII."""
    return json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


class Heap:
    """Numbers objects in the order in which they are met, and captures them lane by lane.

    Every number that `value` hands out has a record in `records`: whole, marked cut, or, for what the
    bounds left out, only its kind and type.
    """

    def __init__(
        self,
        bounds: Bounds,
        account: Account,
        names: ModuleNames,
        redactor: Redactor,
        directory: str,
    ) -> None:
        self.bounds = bounds
        self.redactor = redactor
        self.classes = ClassTable()
        self.identities = Identities(self.classes, names, directory)
        self.names = names
        self.cut = False
        self.schedule = Schedule(bounds.objects)
        self._account = account
        self._numbering = Account(2 * bounds.objects)
        self._describer = Describer(self)
        self._numbers: dict[int, int] = {}
        self._objects: list[object] = []  # by number - 1; keeps identities valid
        self._texts: list[str | None] = []
        self._lanes: list[Lane | None] = []  # None: mentioned, not to be captured
        self._secret: set[int] = set()
        self._modules: dict[int, tuple[dict, Lane]] = {}
        self._dictionaries: dict[int, int] = {}  # identity of a `__dict__`: that of its object

    # --- values -----------------------------------------------------------------------------------

    def value(self, obj: object, lane: Lane, secret: bool = False) -> Any:
        """Return the Value of an object met in `lane`: inline, or a reference to be captured.

        Below a `secret` name, texts and numbers are redacted, and so are those inside plain containers.
        Raises `Full` where no further object can be numbered.
        """
        if secret:
            redacted = scalars.redact(obj, self.redactor)
            if redacted is not scalars.NOT_SCALAR:
                return redacted
        inline = scalars.encode(obj, self.bounds.text, self.redactor)
        if inline is not scalars.NOT_SCALAR:
            if scalars.is_cut(inline):
                self.cut = True
            return inline
        number = self._number(obj)
        self._queue(number, obj, lane)
        if secret:
            self._make_secret(number, obj)
        return {"ref": number}

    def named(self, name: str, obj: object, lane: Lane, secret: bool = False) -> Any:
        """Return the Value of what is held under a name, which may tell that it is a secret."""
        return self.value(obj, lane, secret or self.redactor.is_secret_name(name))

    def mention(self, obj: object) -> Any:
        """Return the Value of an object whose contents are of no interest."""
        inline = scalars.encode(obj, self.bounds.text, self.redactor)
        return {"ref": self._number(obj)} if inline is scalars.NOT_SCALAR else inline

    def has_numbers(self, amount: int) -> bool:
        """Tell whether `amount` more objects can be numbered."""
        return self._numbering.has(amount) and self._account.has(amount * PROMISED_BYTES)

    def _number(self, obj: object) -> int:
        known = self._numbers.get(id(obj))
        if known is not None:
            return known
        if not (self._numbering.has(1) and self._account.take(PROMISED_BYTES)):
            self.cut = True
            raise Full
        self._numbering.take(1)
        self._objects.append(obj)
        self._texts.append(None)
        self._lanes.append(None)
        number = self._numbers[id(obj)] = len(self._objects)
        return number

    def _queue(self, number: int, obj: object, lane: Lane) -> None:
        if self._lanes[number - 1] is not None:
            return
        kind = kind_of(obj, self.classes.facts(type(obj)))
        place = CODE_LANE[lane] if kind in CODE_KINDS else lane
        self._lanes[number - 1] = place
        self.schedule.push(number, place)

    def _make_secret(self, number: int, obj: object) -> None:
        """Redact the contents of a plain container, also when it was captured before."""
        if number in self._secret or not self._describer.holds_secrets(obj):
            return
        self._secret.add(number)
        if self._texts[number - 1] is not None:
            self._capture(number)

    # --- modules ----------------------------------------------------------------------------------

    def want_module(self, namespace: dict, lane: Lane) -> None:
        """Note that the globals of a module are of interest."""
        self._modules.setdefault(id(namespace), (namespace, lane))

    def wanted_modules(self, lane: Lane) -> list[dict]:
        """Return, and forget, the modules wanted in `lane`."""
        wanted = [namespace for namespace, place in self._modules.values() if place is lane]
        for namespace in wanted:
            self._modules[id(namespace)] = (namespace, Lane.LOCALS)  # asked for once
        return wanted

    # --- dictionaries -----------------------------------------------------------------------------

    def note_dictionary(self, namespace: dict, obj: object) -> None:
        """Note that a dict is the `__dict__` of an object."""
        self._dictionaries[id(namespace)] = id(obj)

    def dictionaries(self, modules: dict[str, dict]) -> str:
        """Return which dicts that were met by themselves are the attributes of an object or a module."""
        numbers = self._numbers
        known = [
            [numbers[namespace], {"ref": numbers[owner]}]
            for namespace, owner in self._dictionaries.items()
            if namespace in numbers and owner in numbers
        ]
        known += [
            [numbers[id(namespace)], name]
            for name, namespace in modules.items()
            if id(namespace) in numbers
        ]
        text = dump(sorted(known, key=lambda pair: pair[0]))
        if self._account.take(len(text)):
            return text
        self.cut = True
        return "[]"

    # --- capture ----------------------------------------------------------------------------------

    def begin(self, lane: Lane) -> None:
        """Open a lane's share of the bounds."""
        self.schedule.start(lane)
        for account in (self._account, self._numbering):
            if lane is Lane.REST:
                account.open_all()
            else:
                account.open_half()

    def drain(self, lane: Lane) -> None:
        """Capture what is queued in `lane`, and what that leads to in the same lane."""
        while (number := self.schedule.take(lane)) is not None:
            self._capture(number)
        self.schedule.finish(lane)

    def _capture(self, number: int) -> None:
        """Describe one object, if its record fits into the file."""
        obj = self._objects[number - 1]
        lane = self._lanes[number - 1]
        if lane is None:
            lane = Lane.REST
        text = dump(self._describer.describe(obj, lane, number in self._secret))
        previous = self._texts[number - 1]
        cost = len(text) - (PROMISED_BYTES if previous is None else len(previous))
        if cost > 0 and not self._account.take(cost):
            self.cut = True
            text = self._stub(obj) if previous is None else previous
        elif cost <= 0:
            self._account.give_back(-cost)
        self._texts[number - 1] = text

    def _stub(self, obj: object) -> str:
        """Return the record of an object whose contents are left out."""
        record = self.identities.identity(obj)
        record["cut"] = True
        text = dump(record)
        if len(text) > PROMISED_BYTES - 16:
            text = dump({"kind": record["kind"], "type": "<long name>", "cut": True})
        return text

    def records(self) -> list[tuple[int, str]]:
        """Return the record of every object, cleansed of secrets that were met later than it."""
        written: list[tuple[int, str]] = []
        while len(written) < len(self._objects):
            number = len(written) + 1
            written.append((number, self._record(number)))
        return written

    def _record(self, number: int) -> str:
        text = self._texts[number - 1]
        if text is None:
            self.cut = self.cut or self._lanes[number - 1] is not None
            return self._stub(self._objects[number - 1])
        if self.redactor.is_leaked_in(text):
            self._capture(number)
            return self._texts[number - 1] or self._stub(self._objects[number - 1])
        return text
