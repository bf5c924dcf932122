"""Establishes the label of a controlled case by running it.

    python -m healguard_lab.label CASE [--site DIR]

Prints JSON. Exit status: 0 where execution agrees with `case.toml`, 1 where it does
not, 2 where the case or the call is unusable.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from healguard_lab.case_file import SITE_PREFIX, Case, UnusableError, read_case
from healguard_lab.comparison import (
    DIED,
    FINISHED,
    Execution,
    compare,
    first_difference,
    read_execution,
)
from healguard_lab.crash_hook import Occurrence
from healguard_lab.program import Plan

UNSAFE = "unsafe"
SAFE = "safe"
ALTERNATIVES_NEEDED = 3
UNHEALED = "no healing"
CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from healguard_lab import program; del sys.path[0]; program.main()"
)
PASSED_ON = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Laboratory:
    """How programs are run: with which packages, for how long, with which hashes."""

    case: Case
    site: Path | None
    timeout: float
    hash_seed: int

    def execute(
        self, healing: str, occurrence: Occurrence | None, hash_seed: int | None = None
    ) -> Execution:
        """Run the program once; raises `UnusableError` where that cannot be done."""
        case = self.case
        with tempfile.TemporaryDirectory(prefix="healguard-lab-") as folder:
            temporary = Path(folder).resolve() / "tmp"
            temporary.mkdir()
            plan = Plan(
                folder=str(case.folder),
                site=str(self.site) if self.site is not None else None,
                entry=case.entry,
                crash_path=str(case.crash.path(case.folder, self.site)),
                function=case.crash.function,
                line=case.crash.line,
                healing=case.healing_text(healing) if occurrence else None,
                resume=case.resume,
                occurrence=occurrence,
                journal=str(temporary.parent / "journal"),
                temporary=str(temporary),
            )
            seed = self.hash_seed if hash_seed is None else hash_seed
            timed_out = run_plan(plan, self.timeout, seed)
            execution = read_execution(healing, Path(plan.journal), timed_out)
        if execution.problems:
            raise UnusableError(f"{healing}: {execution.problems[0]}")
        return execution


def run_plan(plan: Plan, timeout: float, hash_seed: int) -> bool:
    """Run a plan in a child process; true where it ran out of time."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment |= {
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONUTF8": "1",
        "TMPDIR": plan.temporary,
        "HOME": plan.temporary,
    }
    package_parent = str(Path(__file__).resolve().parent.parent)
    child = subprocess.Popen(
        [sys.executable, "-P", "-s", "-S", "-B", "-c", CHILD, package_parent],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
        text=True,
    )
    try:
        _, errors = child.communicate(plan.to_json(), timeout=timeout)
    except subprocess.TimeoutExpired:
        return True
    finally:
        end_group(child)
    if child.returncode == 2 and not Path(plan.journal).stat().st_size:
        raise UnusableError(errors.strip())
    return False


def end_group(child: subprocess.Popen) -> None:
    """End a child with everything that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdin, child.stderr):
        if stream is not None:
            stream.close()


def establish(laboratory: Laboratory) -> dict[str, object]:
    """Run a case in every way it has and compare; raises `UnusableError`."""
    case = laboratory.case
    bare = laboratory.execute(UNHEALED, None)
    report: dict[str, object] = {"schema": 1, "case": case.identifier}
    report["label"] = case.label
    report["crash"] = crash_report(laboratory, bare)
    occurrence = bare.end.get("occurrence")
    if not report["crash"]["agrees"] or occurrence is None:
        return report | {"executed": None, "agrees": False}
    target = Occurrence(**occurrence)
    executions = [laboratory.execute(name, target) for name in case.healings]
    check_executions(case, bare, executions)
    repeated = laboratory.execute(case.healings[0], target, laboratory.hash_seed + 1)
    if compare(executions[0], repeated) or executions[0].outcome != repeated.outcome:
        raise UnusableError(
            f"{case.healings[0]} does not do the same under two hash seeds: "
            "the program is not deterministic"
        )
    difference = first_difference(executions)
    executed = UNSAFE if difference is not None else SAFE
    report |= {"executed": executed, "agrees": executed == case.label}
    report["executions"] = [execution.report() for execution in executions]
    report["difference"] = difference.report() if difference is not None else None
    return report


def crash_report(laboratory: Laboratory, bare: Execution) -> dict[str, object]:
    """Where the program died without a healing, beside where it was said to."""
    expected = laboratory.case.crash
    died = bare.outcome == DIED
    kind = str(bare.end.get("exception"))
    names = {kind, kind.rpartition(".")[2], f"{bare.end.get('module')}.{kind}"}
    observed = {
        "outcome": bare.outcome,
        "file": shown_path(laboratory, bare.end.get("file")),
        "line": bare.end.get("line"),
        "function": bare.end.get("function"),
        "exception": kind if died else None,
    }
    agrees = (
        died
        and "occurrence" in bare.end
        and observed["file"] == expected.file
        and observed["function"] == expected.function
        and expected.exception in names
    )
    return {"agrees": agrees, "observed": observed}


def shown_path(laboratory: Laboratory, path: str | None) -> str | None:
    """A path as `case.toml` would spell it."""
    if path is None:
        return None
    if laboratory.site is not None and Path(path).is_relative_to(laboratory.site):
        return SITE_PREFIX + Path(path).relative_to(laboratory.site).as_posix()
    if Path(path).is_relative_to(laboratory.case.folder):
        return Path(path).relative_to(laboratory.case.folder).as_posix()
    return path


def check_executions(case: Case, bare: Execution, executions: list[Execution]) -> None:
    """Refuse runs that could not tell anything."""
    for execution in executions:
        if not execution.end.get("healed", True):
            raise UnusableError(f"{execution.healing}: the crash did not happen again")
    first = executions[0]
    if first.outcome != FINISHED:
        raise UnusableError(f"the program does not finish under {first.healing}: {first.end}")
    if not any(execution.events for execution in executions):
        raise UnusableError("no protected operation runs under any healing")
    silent = set.intersection(*(run.unanswered for run in (bare, *executions)))
    if silent:
        raise UnusableError(f"nothing answers to the operation `{sorted(silent)[0]}`")
    if case.label == SAFE and len(executions) <= ALTERNATIVES_NEEDED:
        raise UnusableError(
            f"a safe case needs at least {ALTERNATIVES_NEEDED} alternatives, "
            f"not {len(executions) - 1}"
        )


def default_site(case: Case) -> Path | None:
    """The packages of a case's repository in the nearest local environment."""
    if not case.repository:
        return None
    inside = Path(".venv", "repositories", case.repository, "site-packages")
    for folder in (Path(__file__).resolve(), case.folder, Path.cwd()):
        for parent in (folder, *folder.parents):
            if (parent / inside).is_dir():
                return parent / inside
    return None


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line; a wrong one ends the process with status 2."""
    parser = argparse.ArgumentParser(
        prog="python -m healguard_lab.label",
        description="Establish the label of a controlled case by running it.",
    )
    parser.add_argument("case", metavar="CASE", type=Path, help="folder of the case")
    parser.add_argument("--site", metavar="DIR", type=Path, help="folder of packages")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=20.0)
    parser.add_argument("--hash-seed", metavar="N", type=int, default=0)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Label one case; the exit status says whether execution agrees."""
    options = parse_arguments(arguments)
    try:
        case = read_case(options.case)
        site = options.site or default_site(case)
        if options.site is not None and not options.site.is_dir():
            raise UnusableError(f"--site: there is no folder {options.site}")
        laboratory = Laboratory(
            case, site.resolve() if site else None, options.timeout, options.hash_seed
        )
        report = establish(laboratory)
    except UnusableError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report, indent=2, ensure_ascii=False))
    return 0 if report["agrees"] else 1


if __name__ == "__main__":
    sys.exit(main())
