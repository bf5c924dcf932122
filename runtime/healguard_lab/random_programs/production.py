"""Makes case folders of random programs, each reproducible by seed and index."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from healguard_lab.case_file import UnusableError
from healguard_lab.case_writer import WrittenCase, WrittenOperation
from healguard_lab.label import SAFE, UNSAFE
from healguard_lab.random_programs.execution import Finding, run_case
from healguard_lab.random_programs.generator import RandomProgram, UnfitError, random_program

ATTEMPTS = 200
UNSAFE_CHANCE = 0.5
UNSAFE_ATTEMPTS = 6


@dataclass(frozen=True)
class Produced:
    """A random program in its folder, and what its executions showed."""

    index: int
    folder: Path
    resume: str
    finding: Finding
    attempts: int

    def report(self) -> dict[str, object]:
        """What a consumer is told about it."""
        return {
            "index": self.index,
            "folder": str(self.folder),
            "label": self.finding.label,
            "resume": self.resume,
            "attempts": self.attempts,
            "detail": self.finding.detail,
        }


def produce(seed: int, index: int, output: Path) -> Produced:
    """Write program number `index` of a seed below `output`."""
    folder = output / str(index)
    prefers_unsafe = random.Random(f"{seed}/{index}").random() < UNSAFE_CHANCE
    for attempt in range(ATTEMPTS):
        wanted = (UNSAFE,) if prefers_unsafe and attempt < UNSAFE_ATTEMPTS else (UNSAFE, SAFE)
        shutil.rmtree(folder, ignore_errors=True)
        chance = random.Random(f"{seed}/{index}/{attempt}")
        try:
            program = random_program(chance)
            case = written_case(program, f"random-{seed}-{index}")
            case.write(folder)
            finding = run_case(folder, wanted)
        except (UnfitError, UnusableError):
            continue
        if finding.label not in wanted:
            continue
        replace(case, label=finding.label).write(folder)
        return Produced(index, folder.resolve(), program.resume, finding, attempt + 1)
    raise UnusableError(f"program {index} of seed {seed}: no attempt of {ATTEMPTS} was a case")


def written_case(program: RandomProgram, identifier: str) -> WrittenCase:
    """A random program as a case whose label is not known yet."""
    return WrittenCase(
        identifier=identifier,
        family="local-flow",
        label=SAFE,
        title="A random program.",
        source=program.source,
        line=program.line,
        function=program.function,
        exception="KeyError",
        resume=program.resume,
        healings=program.healings,
        operations=[WrittenOperation("main.pay", program.watched)],
    )
