"""Runs a program in this process as `python main.py` or `python -m module` would."""

from __future__ import annotations

import builtins
import importlib.util
import io
import os
import sys
import types
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path

from healguard import rawread

MAIN = "__main__"


class Unusable(Exception):  # noqa: N818 - a diagnostic for the user, shown as it is
    """The program cannot be started; the message says why, `status` how to exit."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


class Script:
    """A program given as a file."""

    def __init__(self, path: str, arguments: list[str]) -> None:
        self.command = [path, *arguments]
        self.name = Path(path).stem
        self._path = path
        self._arguments = arguments

    def prepare(self) -> types.CodeType:
        """Set up `sys` and `__main__`, and return the code to run.

        Raises `Unusable` for a file that cannot be read or is no Python.
        """
        file = os.path.abspath(self._path)  # as the interpreter does it, links kept
        code = _compiled(self._path, file)
        sys.argv[:] = self.command
        _enter_path(os.path.dirname(os.path.realpath(file)))
        _install_main(file, SourceFileLoader(MAIN, file), package=None, spec=None)
        return code


class Module:
    """A program given by the name of a module or package."""

    def __init__(self, name: str, arguments: list[str]) -> None:
        self.command = ["-m", name, *arguments]
        self.name = MAIN  # until the module that it means is found
        self._wanted = name
        self._arguments = arguments

    def prepare(self) -> types.CodeType:
        """Set up `sys` and `__main__`, and return the code to run.

        Imports the packages that the module is in: what they raise is the program's own crash. Raises
        `Unusable` for a module that does not exist or has no code.
        """
        sys.argv[:] = ["-m", *self._arguments]
        _enter_path(os.getcwd())
        spec = self._spec()
        try:
            code = spec.loader.get_code(spec.name)
        except SyntaxError as error:
            raise Unusable(_syntax_message(error), status=1) from None
        if code is None:
            raise Unusable(f"module {spec.name} has no Python code to run", status=1)
        sys.argv[0] = spec.origin or spec.name
        self.name = spec.name
        _install_main(spec.origin, spec.loader, package=spec.parent, spec=spec)
        return code

    def _spec(self) -> ModuleSpec:
        """Return the spec of the module, or of `__main__` in the package."""
        name = self._wanted
        spec = _find(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = _find(f"{name}.{MAIN}")
            if spec is None:
                raise Unusable(f"{name} is a package without a {MAIN} module", status=1)
        if spec is None:
            raise Unusable(f"no module named {name}", status=1)
        if spec.loader is None or not hasattr(spec.loader, "get_code"):
            raise Unusable(f"module {name} cannot be run", status=1)
        return spec


def execute(code: types.CodeType) -> None:
    """Run the program's code in `__main__`. What it raises comes out."""
    exec(code, sys.modules[MAIN].__dict__)


def program_traceback(error: BaseException) -> types.TracebackType | None:
    """Return the traceback of an exception without the frames that started the program."""
    traceback = rawread.exception_traceback(error)
    while traceback is not None and _is_ours(traceback.tb_frame):
        traceback = traceback.tb_next
    return traceback


def _is_ours(frame: types.FrameType) -> bool:
    """Tell whether a frame belongs to this package or to what Python starts it with."""
    filename = frame.f_code.co_filename
    return (
        os.path.dirname(filename) == _HERE
        or filename in ("<frozen runpy>", _UTIL)
        or filename.startswith("<frozen importlib")
    )


_HERE = os.path.dirname(__file__)
_UTIL = importlib.util.find_spec.__code__.co_filename


def _find(name: str) -> ModuleSpec | None:
    """Find a module; a parent package that does not exist makes it missing, not broken."""
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(f"{missing}."):
            return None
        raise
    except ValueError as error:
        raise Unusable(f"{name!r} is no name of a module: {error}", status=1) from None


def _compiled(shown: str, file: str) -> types.CodeType:
    """Compile a script, with a diagnostic for each reason why that does not work."""
    if os.path.isdir(file):
        raise Unusable(f"{shown} is a folder: name the file to run, or use -m for a package")
    try:
        with io.open_code(file) as stream:
            source = stream.read()
    except OSError as error:
        raise Unusable(f"cannot read {shown}: {error.strerror}") from None
    try:
        return compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Unusable(_syntax_message(error), status=1) from None
    except ValueError as error:  # null bytes, in CPython 3.11
        raise Unusable(f"{shown} is not Python: {error}", status=1) from None
    except (RecursionError, MemoryError):
        raise Unusable(f"{shown} is nested too deeply to be compiled", status=1) from None


def _syntax_message(error: SyntaxError) -> str:
    place = ":".join(str(part) for part in (error.filename, error.lineno, error.offset) if part)
    return f"{place}: {type(error).__name__}: {error.msg}: nothing was run"


def _enter_path(folder: str) -> None:
    """Let the program import from a folder first, unless Python was told not to (`-P`)."""
    if not sys.flags.safe_path:
        sys.path.insert(0, folder)


def _install_main(file: str | None, loader: object, package: str | None, spec: object) -> None:
    """Put a fresh `__main__` in the place of the one that started us."""
    module = types.ModuleType(MAIN)
    module.__dict__.update(
        __loader__=loader,
        __package__=package,
        __spec__=spec,
        __builtins__=builtins,
        __file__=file,
        __cached__=None if spec is None else spec.cached,
    )
    if sys.version_info < (3, 14):
        vars(module)["__annotations__"] = {}
    sys.modules[MAIN] = module
