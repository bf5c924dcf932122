"""`python -m healguard.snapshot --output crash.json -- main.py args…`.

Runs a program, and writes a snapshot of its state if it dies of an exception. The program's output,
traceback and exit status are its own. Exit status 2: the call was wrong and nothing was run.
"""

import sys

_LOADED_BEFORE = frozenset(sys.modules)
if not sys.flags.safe_path:
    # The folder that `-m` put here is the program's: it may have a `json.py` that is not ours to import.
    del sys.path[0]

import argparse  # noqa: E402 - what is imported from here on is hidden from the program
import os  # noqa: E402

from healguard import bounds, output  # noqa: E402
from healguard.isolation import forget_imports  # noqa: E402
from healguard.program import Module, Script, Unusable  # noqa: E402
from healguard.recorder import Recorder, say  # noqa: E402

_SMALLEST_FILE = 64 * 1024


def _at_least(smallest: int):
    """Return a parser of integers that refuses those below `smallest`."""

    def parse(text: str) -> int:
        number = int(text)
        if number < smallest:
            raise argparse.ArgumentTypeError(f"{number} is below {smallest}")
        return number

    parse.__name__ = "integer"
    return parse


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m healguard.snapshot",
        usage="%(prog)s --output FILE [options] -- main.py [argument …] | -- -m module [argument …]",
        description="Run a program, and write a snapshot of its state if it crashes.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--output", required=True, metavar="FILE", help="where to write the snapshot"
    )
    for option, smallest, default, text in (
        ("--max-objects", 1, bounds.DEFAULT_OBJECTS, "objects captured with their contents"),
        ("--max-text", 16, bounds.DEFAULT_TEXT, "characters kept of one text"),
        ("--max-items", 1, bounds.DEFAULT_ITEMS, "items kept of one container"),
        ("--max-bytes", _SMALLEST_FILE, bounds.DEFAULT_BYTES, "size of the file"),
    ):
        parser.add_argument(
            option,
            type=_at_least(smallest),
            default=default,
            metavar="N",
            help=f"{text} (default {default})",
        )
    parser.add_argument(
        "--no-redact", action="store_true", help="keep the values of names that look like secrets"
    )
    return parser


def _program(parser: argparse.ArgumentParser, command: list[str]) -> Script | Module:
    """Return the program that stands after `--`."""
    if not command:
        parser.error("name the program to run after --")
    first, *rest = command
    if first != "-m":
        return Script(first, rest)
    if not rest:
        parser.error("name the module to run after -m")
    return Module(rest[0], rest[1:])


def main(arguments: list[str]) -> None:
    """Run the program that the arguments name, and end as it ends."""
    parser = _parser()
    own, separator, command = arguments, [], []
    if "--" in arguments:
        split = arguments.index("--")
        own, separator, command = arguments[:split], ["--"], arguments[split + 1 :]
    options = parser.parse_args(own)
    program = _program(parser, command if separator else [])
    path = os.path.abspath(options.output)  # the program may change the directory
    obstacle = output.check_writable(path)
    if obstacle is not None:
        parser.error(f"cannot write {options.output}: {obstacle}")
    limits = bounds.Bounds(
        objects=options.max_objects,
        text=options.max_text,
        items=options.max_items,
        size=options.max_bytes,
    )
    recorder = Recorder(path, limits, redacted=not options.no_redact)
    forget_imports(_LOADED_BEFORE)
    try:
        recorder.run(program)
    except Unusable as error:
        say(str(error))
        sys.exit(error.status)


if __name__ == "__main__":
    main(sys.argv[1:])
