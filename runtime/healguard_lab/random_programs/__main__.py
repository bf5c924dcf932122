"""Random programs from the command line.

    python -m healguard_lab.random_programs --seed S --first I --count N --output DIR
    python -m healguard_lab.random_programs --shrink FOLDER --still COMMAND

The first call writes a case folder for each program, with a snapshot of its crash in
`crash.json`, and prints a line of JSON for each. The second one makes the program of a
folder smaller, as long as executions show its label (`unsafe`, if `--label` does not say
otherwise) and the command, given a folder, exits with 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from healguard_lab.case_file import UnusableError
from healguard_lab.label import SAFE, UNSAFE
from healguard_lab.random_programs.production import produce
from healguard_lab.random_programs.shrink import shrink


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line; a wrong one ends the process with status 2."""
    parser = argparse.ArgumentParser(
        prog="python -m healguard_lab.random_programs",
        description="Write random programs with their labels, or make one smaller.",
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0)
    parser.add_argument("--first", metavar="I", type=int, default=0)
    parser.add_argument("--count", metavar="N", type=int, default=1)
    parser.add_argument("--output", metavar="DIR", type=Path)
    parser.add_argument("--shrink", metavar="FOLDER", type=Path)
    parser.add_argument("--still", metavar="COMMAND")
    parser.add_argument("--label", choices=(UNSAFE, SAFE), default=UNSAFE)
    options = parser.parse_args(arguments)
    if (options.output is None) == (options.shrink is None):
        parser.error("give --output DIR, or --shrink FOLDER")
    if (options.shrink is None) != (options.still is None):
        parser.error("--shrink FOLDER and --still COMMAND go together")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks for; 2 where that cannot be done."""
    options = parse_arguments(arguments)
    try:
        if options.shrink is not None:
            print(shrink(options.shrink, options.still, options.label).source)
            return 0
        for index in range(options.first, options.first + options.count):
            report = produce(options.seed, index, options.output).report()
            print(json.dumps(report), flush=True)
    except (UnusableError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
