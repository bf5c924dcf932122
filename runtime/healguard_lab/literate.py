"""Makes controlled cases of the programs in Markdown files, and checks their labels.

    python -m healguard_lab.literate FILE_OR_DIR... --output DIR
    python -m healguard_lab.literate FILE_OR_DIR... --label [--jobs N]

Exit status: 0 where all is well, 1 where executions disagree with a label, 2 where a
block or the call is unusable; then nothing is written.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from healguard_lab.case_file import UnusableError, read_case
from healguard_lab.case_writer import WrittenCase, WrittenOperation
from healguard_lab.label import Laboratory, establish
from healguard_lab.literate_blocks import MalformedError, read_blocks
from healguard_lab.literate_program import Program, file_of, program_of

LEFT_OUT = "README.md"
TIMEOUT = 20.0
WORDS = {"unsafe": "reaches", "safe": "safe"}


def markdown_files(paths: Sequence[Path]) -> list[Path]:
    """The Markdown files that the paths name; raises `UnusableError`."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files.extend(sorted(found for found in path.rglob("*.md") if found.name != LEFT_OUT))
        elif path.is_file():
            files.append(path)
        else:
            raise UnusableError(f"{path}: there is no such file or folder")
    return files


def read_programs(files: Sequence[Path]) -> tuple[list[Program], list[MalformedError]]:
    """The programs of Markdown files, and everything that is wrong in them."""
    programs: list[Program] = []
    errors: list[MalformedError] = []
    for path in files:
        found, wrong = programs_of_file(path)
        programs.extend(found)
        errors.extend(wrong)
    return programs, [*errors, *repeated(programs)]


def programs_of_file(path: Path) -> tuple[list[Program], list[MalformedError]]:
    """The programs of one file; those of one heading share the files written before them."""
    blocks, errors = read_blocks(path)
    programs: list[Program] = []
    files: dict[str, str] = {}
    heading, number = "", 0
    for block in blocks:
        if block.heading != heading:
            heading, number, files = block.heading, 0, {}
        try:
            file = file_of(block)
            if file is not None:
                files[file[0]] = file[1]
                continue
            number += 1
            prefix = f"{path.stem}-{slug(heading)}-{number}"
            programs.append(program_of(block, prefix, files))
        except MalformedError as error:
            errors.append(error)
    return programs, errors


def slug(heading: str) -> str:
    """A heading as part of a name."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def repeated(programs: Sequence[Program]) -> list[MalformedError]:
    """Complaints about programs whose name another one has."""
    known: dict[str, Program] = {}
    errors = []
    for program in programs:
        first = known.setdefault(program.identifier, program)
        if first is not program:
            what = f"the id `{program.identifier}` is that of {first.block.path}:{first.block.line}"
            errors.append(program.block.error(1, what, "give one of them another heading"))
    return errors


def write_cases(programs: Sequence[Program], output: Path) -> None:
    """Write every program as a case folder below `output`; raises `UnusableError`.

    Cases that were written there before are replaced.
    """
    if output.exists() and not output.is_dir():
        raise UnusableError(f"{output}: not a folder")
    earlier = list(output.iterdir()) if output.exists() else []
    for path in earlier:
        if not (path / "case.toml").is_file():
            raise UnusableError(f"{output}: {path.name} is no case; give a folder for cases alone")
    for path in earlier:
        shutil.rmtree(path)
    for program in programs:
        written_case(program).write(output / program.identifier)


def written_case(program: Program) -> WrittenCase:
    """A program as a case."""
    directives = program.directives
    return WrittenCase(
        identifier=program.identifier,
        family=program.block.family,
        label=program.label,
        title=program.block.heading,
        source=program.source,
        line=program.crash_line,
        function=program.function,
        exception=directives.exception,
        resume=directives.resume,
        healings=directives.healings,
        operations=[WrittenOperation(name) for name in ("main.pay", *directives.protect)],
        endorsements=directives.endorse,
        files=program.files,
    )


def check_labels(programs: Sequence[Program], folder: Path, jobs: int) -> int:
    """Label every case by execution, print what disagrees, and return how many do."""
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda program: disagreement(program, folder), programs)
        count = 0
        for program, text in zip(programs, results, strict=True):
            if text is not None:
                count += 1
                print(f"{program.block.path}:{program.label_line}: {text}", flush=True)
    return count


def disagreement(program: Program, folder: Path) -> str | None:
    """How the executions of a case differ from its label; None where they agree."""
    said = f"labelled {WORDS[program.label]}"
    try:
        case = read_case(folder / program.identifier)
        report = establish(Laboratory(case, None, TIMEOUT, 0))
    except UnusableError as error:
        return f"{said}, executions cannot tell: {error}"
    if report["agrees"]:
        return None
    if report["executed"] is None:
        return f"{said}, the crash is another one: {json.dumps(report['crash']['observed'])}"
    shown = f"{said}, executions show {WORDS[report['executed']]}"
    return f"{shown}: {detail(report)}"


def detail(report: dict) -> str:
    """What the executions did."""
    if report["difference"] is not None:
        return json.dumps(report["difference"], ensure_ascii=False)
    return "; ".join(
        f"{run['healing']} {run['outcome']} with {run['events']} events"
        for run in report["executions"]
    )


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line; a wrong one ends the process with status 2."""
    parser = argparse.ArgumentParser(
        prog="python -m healguard_lab.literate",
        description="Make controlled cases of the programs in Markdown files.",
    )
    parser.add_argument("paths", metavar="FILE_OR_DIR", type=Path, nargs="+")
    parser.add_argument("--output", metavar="DIR", type=Path, help="write the cases here")
    parser.add_argument("--label", action="store_true", help="check every label by execution")
    parser.add_argument("--jobs", metavar="N", type=int, default=2)
    parser.add_argument("--only", metavar="TEXT", default="", help="only ids that hold TEXT")
    options = parser.parse_args(arguments)
    if options.output is None and not options.label:
        parser.error("give --output DIR, or --label")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Write and check cases; the exit status says whether labels agree."""
    options = parse_arguments(arguments)
    try:
        programs, errors = read_programs(markdown_files(options.paths))
        if errors:
            for error in errors:
                print(error, file=sys.stderr)
            return 2
        programs = [program for program in programs if options.only in program.identifier]
        if options.output is not None:
            write_cases(programs, options.output)
    except (UnusableError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    unsafe = sum(program.label == "unsafe" for program in programs)
    print(f"{len(programs)} programs: {unsafe} reach, {len(programs) - unsafe} safe", flush=True)
    return report_labels(programs, options) if options.label else 0


def report_labels(programs: Sequence[Program], options: argparse.Namespace) -> int:
    """Check the labels of programs and say how many disagree."""
    with tempfile.TemporaryDirectory(prefix="healguard-literate-") as temporary:
        folder = options.output or Path(temporary)
        if options.output is None:
            write_cases(programs, folder)
        wrong = check_labels(programs, folder, max(1, options.jobs))
    print(f"{len(programs) - wrong} of {len(programs)} labels agree with executions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
