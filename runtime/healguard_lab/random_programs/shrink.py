"""Makes the program of a case smaller while executions and a command say the same about it."""

from __future__ import annotations

import ast
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from healguard_lab.case_file import UnusableError, read_case
from healguard_lab.case_writer import WrittenCase, WrittenOperation
from healguard_lab.label import SAFE, UNSAFE
from healguard_lab.protections import read_protections
from healguard_lab.random_programs.execution import run_case
from healguard_lab.random_programs.generator import UnfitError, crash_place
from healguard_lab.random_programs.reductions import reductions

COMMAND_SECONDS = 120

Smaller = Callable[[WrittenCase, int], Iterator[tuple[int, WrittenCase]]]


@dataclass(frozen=True)
class Criterion:
    """What has to stay true: the label by execution, and a command that exits with 0.

    A program that reaches nothing has to finish: one that dies early shows little.
    """

    label: str
    command: tuple[str, ...]

    def holds(self, folder: Path) -> bool:
        """Whether it is true of the case in a folder, which gets its snapshot."""
        try:
            finding = run_case(folder, (self.label,))
            if finding.label != self.label or (self.label == SAFE and finding.detail["died"]):
                return False
            finished = subprocess.run(
                [*self.command, str(folder)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=COMMAND_SECONDS,
                check=False,
            )
        except (UnusableError, subprocess.TimeoutExpired):
            return False
        return finished.returncode == 0


def shrink(folder: Path, command: str, label: str = UNSAFE) -> WrittenCase:
    """Make the case in a folder as small as it gets; raises `UnusableError`."""
    criterion = Criterion(label, tuple(shlex.split(command)))
    if not criterion.holds(folder.resolve()):
        raise UnusableError(
            f"{folder}: the label is not {label}, or the command does not exit with 0"
        )
    case = replace(written_case(folder), label=label)
    with tempfile.TemporaryDirectory(prefix="healguard-shrink-") as temporary:
        trial = Trial(criterion, Path(temporary).resolve() / "trial", case)
        while trial.improves(smaller_programs) or trial.improves(smaller_healings):
            continue
    for path in folder.glob("alternatives/*"):
        path.unlink()
    trial.case.write(folder)
    criterion.holds(folder.resolve())
    return trial.case


def written_case(folder: Path) -> WrittenCase:
    """The case in a folder; raises `UnusableError`."""
    case = read_case(folder)
    operations = read_protections(case.folder).operations.values()
    return WrittenCase(
        identifier=case.identifier,
        family="local-flow",
        label=case.label,
        title="A random program, made small.",
        source=case.healing_text(case.entry),
        line=case.crash.line,
        function=case.crash.function,
        exception=case.crash.exception,
        resume=case.resume,
        healings=[case.healing_text(name) for name in case.healings],
        operations=[WrittenOperation(one.name, one.arguments) for one in operations],
    )


@dataclass
class Trial:
    """The smallest case so far, and a folder to try smaller ones in."""

    criterion: Criterion
    folder: Path
    case: WrittenCase

    def improves(self, smaller: Smaller) -> bool:
        """Take on smaller cases as long as there are any; whether there was one."""
        before = self.case
        first, found = 0, True
        while found or first:
            first = first if found else 0
            found = False
            for number, candidate in smaller(self.case, first):
                if self.accepts(candidate):
                    first, found = number, True
                    break
        return self.case is not before

    def accepts(self, candidate: WrittenCase) -> bool:
        """Whether a case will do; then it is the smallest one."""
        shutil.rmtree(self.folder, ignore_errors=True)
        candidate.write(self.folder)
        if not self.criterion.holds(self.folder):
            return False
        self.case = candidate
        return True


def smaller_programs(case: WrittenCase, first: int) -> Iterator[tuple[int, WrittenCase]]:
    """The case with smaller programs, numbered from a number on."""
    for number, source in reductions(case.source, first):
        try:
            line, function = crash_place(source)
        except (UnfitError, SyntaxError):
            continue
        yield number, replace(case, source=source, line=line, function=function)


def smaller_healings(case: WrittenCase, first: int) -> Iterator[tuple[int, WrittenCase]]:
    """The case with fewer healings, or shorter ones, numbered from a number on."""
    shorter = [*fewer_healings(case), *shorter_healings(case)]
    for number in range(first, len(shorter)):
        yield number, replace(case, healings=shorter[number])


def fewer_healings(case: WrittenCase) -> Iterator[list[str]]:
    """The healings without one of the alternatives: two of them show a flow, all show that none is."""
    if case.label == UNSAFE and len(case.healings) > 2:
        for position in range(1, len(case.healings)):
            yield [*case.healings[:position], *case.healings[position + 1 :]]


def shorter_healings(case: WrittenCase) -> Iterator[list[str]]:
    """The healings without one of their statements."""
    trees = [ast.parse(text).body for text in case.healings]
    for position in range(len(trees[0]) if len(trees[0]) > 1 else 0):
        yield [without(tree, position) for tree in trees]


def without(statements: list[ast.stmt], position: int) -> str:
    """The text of a healing without one of its statements."""
    rest = statements[:position] + statements[position + 1 :]
    return "".join(f"{ast.unparse(statement)}\n" for statement in rest)
