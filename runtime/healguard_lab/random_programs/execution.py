"""Runs a case in a forked child: its crash for a snapshot, and all of its healings.

No interpreter is started. The healings are woven into the program together and chosen at
run time, so that the program is compiled once.
"""

from __future__ import annotations

import builtins
import json
import os
import resource
import signal
import sys
import textwrap
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from healguard.bounds import Bounds
from healguard.capture import Run, capture
from healguard.program import Script, execute, program_traceback
from healguard_lab.case_file import Case, UnusableError, read_case
from healguard_lab.comparison import DIED, FINISHED, Execution, first_difference
from healguard_lab.crash_hook import CrashHook, Occurrence
from healguard_lab.healing_weave import HOOK, RETURNED, Woven, weave
from healguard_lab.journal import Journal
from healguard_lab.label import SAFE, UNHEALED, UNSAFE
from healguard_lab.operation_watch import OperationWatch
from healguard_lab.program import death
from healguard_lab.protections import Operation, read_protections
from healguard_lab.value_digest import Digester

SECONDS = 1.0
# What waits for ever uses no processor time.
WAITING_SECONDS = 60.0
MEMORY = 2 << 30
SNAPSHOT = "crash.json"
NO_TEMPORARY = "<no temporary folder>"


@dataclass(frozen=True)
class Finding:
    """What the executions of a case showed: its label, and in what they differ or how they ended."""

    label: str
    detail: dict[str, object]


def run_case(folder: Path, snapshot_for: Sequence[str] = (SAFE, UNSAFE)) -> Finding:
    """Run a case; raises `UnusableError` where its executions cannot tell anything.

    A snapshot is taken where the label is one of those named.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        answer_and_end(writer, folder, snapshot_for)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise UnusableError(f"{folder}: the program does not end in time: {status}")
    report = json.loads(answer)
    if "refused" in report:
        raise UnusableError(report["refused"])
    return Finding(**report)


def answer_and_end(writer: int, folder: Path, snapshot_for: Sequence[str]) -> None:
    """Write a finding or a refusal, and end this process without any farewell."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, WAITING_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    status = 1
    try:
        report = observed(read_case(folder), snapshot_for)
        status = 0
    except UnusableError as error:
        report, status = {"refused": str(error)}, 0
    finally:
        if status == 0:
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(json.dumps(report).encode())
        os._exit(status)


def observed(case: Case, snapshot_for: Sequence[str]) -> dict[str, object]:
    """The finding about a case as a report; raises `UnusableError`."""
    enter(case.folder)
    laboratory = Laboratory.of(case)
    bare = laboratory.execute(UNHEALED, 0, None)
    target = fatal_occurrence(case, bare)
    executions = [
        laboratory.execute(name, number, target) for number, name in enumerate(case.healings)
    ]
    check(executions)
    difference = first_difference(executions)
    label = SAFE if difference is None else UNSAFE
    if label in snapshot_for:
        write_snapshot(case)
    detail = {
        "events": [len(execution.events) for execution in executions],
        "died": sum(execution.outcome == DIED for execution in executions),
        "difference": None if difference is None else difference.report(),
    }
    return {"label": label, "detail": detail}


def enter(folder: Path) -> None:
    """Make this process look like one that runs the program of a folder."""
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDWR), sys.__stderr__.fileno())
    sys.dont_write_bytecode = True
    sys.argv = ["main.py"]


def write_snapshot(case: Case) -> None:
    """Run the program as it is, and write the snapshot of its crash."""
    try:
        execute(Script(case.entry, []).prepare())
    except Exception as error:
        error = error.with_traceback(error.__traceback__.tb_next)
        run = Run([case.entry], os.getcwd(), Path(case.entry).stem)
        pieces = capture(error, program_traceback(error), run, Bounds())
        Path(SNAPSHOT).write_text("".join(pieces), encoding="ascii")
    else:
        raise UnusableError("the program does not crash")


class Recording(Journal):
    """A journal in memory."""

    def __init__(self, digester: Digester) -> None:
        super().__init__(Path(os.devnull), digester)
        self.entries: list[dict] = []

    def _write(self, entry: dict) -> None:
        self.entries.append(entry)


@dataclass(frozen=True)
class Laboratory:
    """A program with all of its healings, compiled."""

    path: str
    woven: Woven
    code: types.CodeType
    operations: Sequence[Operation]
    is_own: Callable[[str], bool]

    @classmethod
    def of(cls, case: Case) -> Laboratory:
        """The laboratory for a case; raises `UnusableError`."""
        path = str(case.folder / case.entry)
        source = case.healing_text(case.entry)
        crash = case.crash
        healing = chosen_healing([case.healing_text(name) for name in case.healings], case.resume)
        woven = weave(source, path, crash.function, crash.line, healing, case.resume)
        code = compile(woven.tree, path, "exec", dont_inherit=True)
        operations = list(read_protections(case.folder).operations.values())
        root = str(case.folder) + os.sep
        return cls(path, woven, code, operations, lambda file: file.startswith(root))

    def execute(self, name: str, number: int, target: Occurrence | None) -> Execution:
        """Run the program with one of its healings, or without any where there is no target."""
        journal = Recording(Digester(self.is_own, NO_TEMPORARY))
        crash = CrashHook(self.woven.candidates, self.is_own, target)
        hooks = types.SimpleNamespace(
            passes=crash.passes, caught=crash.caught, resumes=crash.resumes, number=number
        )
        setattr(builtins, HOOK, hooks)
        watch = OperationWatch(self.operations, journal, self.is_own)
        watch.start()
        try:
            end = self.run(crash)
        finally:
            sys.setprofile(None)
        execution = Execution(name, outcome=str(end["outcome"]))
        execution.end = end | {"healed": crash.healed or target is None}
        for entry in journal.entries:
            if "problem" in entry:
                raise UnusableError(f"{name}: {entry['problem']}")
            execution.events.append(entry)
        return execution

    def run(self, crash: CrashHook) -> dict[str, object]:
        """Run the module and say how it ended."""
        module = types.ModuleType("__main__")
        module.__file__ = self.path
        module.__builtins__ = builtins
        sys.modules["__main__"] = module
        try:
            exec(self.code, module.__dict__)
        except BaseException as error:
            return death(error, crash, self.is_own)
        return {"outcome": FINISHED}


def chosen_healing(healings: Sequence[str], resume: str) -> str:
    """One healing that does what the one of the current number does."""
    parts = [
        f"if {HOOK}.number == {number}:\n{textwrap.indent(text, '    ')}"
        for number, text in enumerate(healings)
    ]
    if resume == "return":
        parts.append(f"{RETURNED} = {RETURNED}\n")
    return "".join(parts)


def fatal_occurrence(case: Case, bare: Execution) -> Occurrence:
    """Which occurrence of the exception is the crash; raises `UnusableError`."""
    end = bare.end
    expected = ("main.py", case.crash.function, case.crash.exception)
    seen = (Path(str(end.get("file"))).name, end.get("function"), end.get("exception"))
    if bare.outcome != DIED or seen != expected or "occurrence" not in end:
        raise UnusableError(f"the program does not crash where it should: {end}")
    return Occurrence(**end["occurrence"])


def check(executions: Sequence[Execution]) -> None:
    """Refuse executions that cannot tell anything."""
    if not all(execution.end["healed"] for execution in executions):
        raise UnusableError("the crash did not happen again")
    if not any(execution.events for execution in executions):
        raise UnusableError("no protected operation runs under any healing")
