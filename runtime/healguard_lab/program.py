"""One run of a case's program in a process of its own, as a plan describes it."""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import json
import os
import site
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from healguard_lab.case_file import UnusableError, read_text
from healguard_lab.crash_hook import CrashHook, Occurrence, innermost_own
from healguard_lab.healing_weave import HOOK, Woven, weave
from healguard_lab.journal import Journal
from healguard_lab.native_watch import replace_native
from healguard_lab.operation_watch import OperationWatch
from healguard_lab.protections import Protections, read_protections
from healguard_lab.statement_watch import StatementWatch
from healguard_lab.value_digest import Digester


@dataclass(frozen=True)
class Plan:
    """What to run and how; it travels between processes as JSON.

    `healing` is the text of the healing, None where the crash is only counted; then
    `occurrence` is None too.
    """

    folder: str
    site: str | None
    entry: str
    crash_path: str
    function: str
    line: int
    healing: str | None
    resume: str
    occurrence: Occurrence | None
    journal: str
    temporary: str

    def to_json(self) -> str:
        """The plan as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """The plan that `to_json` wrote."""
        values = json.loads(text)
        occurrence = values.pop("occurrence")
        return cls(occurrence=Occurrence(**occurrence) if occurrence else None, **values)


@dataclass
class Sources:
    """Rewritten modules by the path they are loaded from."""

    trees: dict[str, ast.Module] = field(default_factory=dict)

    def code(self, path: str) -> types.CodeType | None:
        """The rewritten code of a file; None where the file runs as it is."""
        tree = self.trees.get(os.path.realpath(path))
        return compile(tree, path, "exec", dont_inherit=True) if tree else None


class _RewrittenLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from its rewritten tree."""

    sources: Sources

    def get_code(self, fullname: str) -> types.CodeType | None:
        return self.sources.code(self.get_filename(fullname))


class _RewrittenFinder(importlib.machinery.PathFinder):
    """Finds modules where Python does, and loads the rewritten ones differently."""

    sources: Sources

    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: object = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        spec = super().find_spec(fullname, path, target)
        origin = spec.origin if spec is not None else None
        if origin is not None and os.path.realpath(origin) in cls.sources.trees:
            loader = _RewrittenLoader(fullname, origin)
            loader.sources = cls.sources
            spec.loader = loader
        return spec


class _TemporaryNames:
    """Names for temporary files that are the same in every run."""

    def __init__(self) -> None:
        self._count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self._count += 1
        return f"{self._count:08}"


def run(plan: Plan) -> None:
    """Run the program of a plan to its end, and record what it does."""
    roots = [root for root in (plan.folder, plan.site) if root is not None]

    def is_own(path: str) -> bool:
        return any(path.startswith(root + os.sep) for root in roots)

    digester = Digester(is_own, plan.temporary)
    journal = Journal(Path(plan.journal), digester)
    protections = read_protections(Path(plan.folder))
    prepare_interpreter(plan)
    woven = weave(
        read_text(Path(plan.crash_path)),
        plan.crash_path,
        plan.function,
        plan.line,
        plan.healing,
        plan.resume,
    )
    crash = CrashHook(woven.candidates, is_own, plan.occurrence)
    statements = StatementWatch(journal)
    sources = rewritten_sources(plan, woven, protections, statements)
    install_hooks(crash, statements, sources)
    operations = list(protections.operations.values())
    watch = OperationWatch(operations, journal, is_own)
    for name in replace_native(operations, journal):
        watch.settled(name)
    watch.start()
    report = run_entry(plan, sources, crash, is_own)
    journal.end(report | {"healed": crash.healed, "resumed": crash.resumed})
    for name in watch.unresolved():
        journal.unanswered(name)


def prepare_interpreter(plan: Plan) -> None:
    """Make the process look like `python main.py` in the case folder."""
    site.setquit()
    site.sethelper()
    site.setcopyright()
    sys.dont_write_bytecode = True
    os.environ["PYTHONHASHSEED"] = "0"  # what the program sees is the same under every seed
    tempfile.tempdir = plan.temporary
    tempfile._name_sequence = _TemporaryNames()
    sys.argv = [plan.entry]
    entry = Path(plan.folder, plan.entry)
    sys.path.insert(0, str(entry.parent))
    if plan.site is not None:
        sys.path.append(plan.site)
    os.chdir(plan.folder)


def rewritten_sources(
    plan: Plan, woven: Woven, protections: Protections, watch: StatementWatch
) -> Sources:
    """The trees of the crashing file and of those with protected statements."""
    trees = {os.path.realpath(plan.crash_path): woven.tree}
    for path in {statement.path for statement in protections.statements}:
        key = os.path.realpath(path)
        if key not in trees:
            trees[key] = ast.parse(read_text(path), str(path))
        watch.add(trees[key], path, protections.statements)
    return Sources(trees)


def install_hooks(crash: CrashHook, watch: StatementWatch, sources: Sources) -> None:
    """Let rewritten modules be found, and find the laboratory."""
    hooks = types.SimpleNamespace(
        passes=crash.passes,
        caught=crash.caught,
        resumes=crash.resumes,
        runs=watch.runs,
    )
    setattr(builtins, HOOK, hooks)
    _RewrittenFinder.sources = sources
    position = sys.meta_path.index(importlib.machinery.PathFinder)
    sys.meta_path.insert(position, _RewrittenFinder)


def run_entry(
    plan: Plan, sources: Sources, crash: CrashHook, is_own: Callable[[str], bool]
) -> dict[str, object]:
    """Run the entry module as `__main__` and say how it ended."""
    path = str(Path(plan.folder, plan.entry))
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__builtins__ = builtins
    sys.modules["__main__"] = module
    try:
        code = sources.code(path) or compile(read_text(Path(path)), path, "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except SystemExit as stop:
        return {"outcome": "finished", "detail": f"exit status {stop.code!r}"[:200]}
    except BaseException as error:
        return death(error, crash, is_own)
    return {"outcome": "finished", "detail": ""}


def death(
    error: BaseException, crash: CrashHook, is_own: Callable[[str], bool]
) -> dict[str, object]:
    """How and where the program died."""
    entry = innermost_own(error.__traceback__, is_own)
    kind = type(error)
    report: dict[str, object] = {
        "outcome": "died",
        "exception": kind.__qualname__,
        "module": kind.__module__,
    }
    if entry is not None:
        code = entry.tb_frame.f_code
        report |= {
            "file": code.co_filename,
            "line": entry.tb_lineno,
            "function": code.co_qualname,
        }
    occurrence = crash.occurrence_of(error)
    if occurrence is not None:
        report["occurrence"] = asdict(occurrence)
    return report


def main() -> None:
    """Run the plan that standard input holds; a refusal goes to standard error."""
    plan = Plan.from_json(sys.stdin.read())
    try:
        run(plan)
    except UnusableError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
