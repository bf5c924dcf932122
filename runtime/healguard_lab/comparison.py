"""Compares what several runs did, and finds what depends on the healing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from healguard_lab.value_digest import hashed

FINISHED = "finished"
DIED = "died"
TIMEOUT = "timeout"


@dataclass
class Execution:
    """One run: its events in order, and how it ended."""

    healing: str
    events: list[dict] = field(default_factory=list)
    outcome: str = DIED
    end: dict = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    unanswered: set[str] = field(default_factory=set)

    @property
    def digest(self) -> str:
        """One digest over all events."""
        return hashed(*(event["digest"] for event in self.events)).hex()

    @property
    def complete(self) -> bool:
        """Whether the program came to its end, so that missing events count."""
        return self.outcome == FINISHED

    def report(self) -> dict[str, object]:
        """The execution as a verdict shows it."""
        report: dict[str, object] = {
            "healing": self.healing,
            "outcome": self.outcome,
            "events": len(self.events),
            "digest": self.digest,
        }
        if self.outcome == DIED:
            report["exception"] = self.end.get("exception", "process ended early")
            report["line"] = self.end.get("line")
            report["function"] = self.end.get("function")
        return report


@dataclass(frozen=True)
class Difference:
    """Two executions and the first event in which they differ."""

    first: Execution
    second: Execution
    index: int

    def report(self) -> dict[str, object]:
        """The difference as a verdict shows it."""
        return {
            "event": self.index,
            "executions": [self.first.healing, self.second.healing],
            "seen": [
                event_report(self.first, self.second, self.index),
                event_report(self.second, self.first, self.index),
            ],
        }


def event_report(execution: Execution, other: Execution, index: int) -> dict[str, object] | None:
    """One event, reduced to what the other execution did differently."""
    if index >= len(execution.events):
        return None
    event = execution.events[index]
    theirs = other.events[index] if index < len(other.events) else {"watched": []}
    same = {(label, digest) for label, digest, _ in theirs["watched"]}
    return {
        "operation": event["operation"],
        "differs": {
            label: preview
            for label, digest, preview in event["watched"]
            if (label, digest) not in same
        },
    }


def read_execution(healing: str, path: Path, timed_out: bool) -> Execution:
    """Read the record of a run; a last line that was cut off is left out."""
    execution = Execution(healing, outcome=TIMEOUT if timed_out else DIED)
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    for line in lines[:-1]:
        entry = json.loads(line)
        if "problem" in entry:
            execution.problems.append(entry["problem"])
        elif "unanswered" in entry:
            execution.unanswered.add(entry["unanswered"])
        elif "end" in entry:
            execution.end = entry["end"]
            if not timed_out:
                execution.outcome = entry["end"]["outcome"]
        else:
            execution.events.append(entry)
    return execution


def compare(first: Execution, second: Execution) -> Difference | None:
    """The first difference between two runs, within what both can tell."""
    shared = min(len(first.events), len(second.events))
    for index in range(shared):
        if first.events[index]["digest"] != second.events[index]["digest"]:
            return Difference(first, second, index)
    lengths_differ = len(first.events) != len(second.events)
    if lengths_differ and first.complete and second.complete:
        return Difference(first, second, shared)
    return None


def first_difference(executions: Sequence[Execution]) -> Difference | None:
    """The first pair of executions that differ."""
    for first, second in combinations(executions, 2):
        difference = compare(first, second)
        if difference is not None:
            return difference
    return None
