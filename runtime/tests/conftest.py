"""Runs programs under the snapshot runner in a process of their own, and reads what it wrote."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import jsonschema
import pytest

RUNTIME = Path(__file__).parent.parent
SCHEMA = json.loads((RUNTIME / "crash.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

# Few objects keep the validation short; tests that need more say so.
FEW = 150


class Snapshot:
    """A crash.json, and how the program that it is of ended."""

    def __init__(self, document, text, run):
        self.document = document
        self.text = text
        self.run = run
        self.frames = document["frames"]
        self.modules = document["modules"]
        self.exception = document["exception"]

    def object(self, value):
        """The record of the object that a Value refers to."""
        return self.document["objects"][str(value["ref"])]

    def local(self, name, frame=0):
        """The Value of a local, or what is in a cell."""
        record = self.frames[frame]
        return {**record["locals"], **record["cells"]}[name]

    def local_object(self, name, frame=0):
        """The record of the object that a local holds."""
        return self.object(self.local(name, frame))

    def attribute(self, record, name):
        """The record of the object that an attribute holds."""
        return self.object(record["attributes"][name])

    def global_value(self, name, module=None):
        """The Value of a global of a module, by default that of the outermost frame."""
        return self.modules[module or self.frames[-1]["module"]]["globals"][name]

    def global_object(self, name, module=None):
        """The record of the object that a global holds."""
        return self.object(self.global_value(name, module))


class Workshop:
    """A folder in which programs are written and run."""

    def __init__(self, folder):
        self.folder = folder
        self.output = folder / "out" / "crash.json"
        self.output.parent.mkdir()

    def write(self, name, source):
        """Write a file of the program."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return path

    def plain(self, *command, environment=None):
        """Run a program with the interpreter alone."""
        return self._process([*command], environment)

    def run(self, *command, options=(), environment=None, objects=FEW):
        """Run a program under the snapshot runner."""
        own = ["-m", "healguard.snapshot", "--output", str(self.output)]
        if objects is not None:
            own += ["--max-objects", str(objects)]
        return self._process([*own, *options, "--", *command], environment)

    def crash(self, source, *arguments, **how):
        """Write main.py, run it, and return its snapshot; fail where there is none."""
        self.write("main.py", source)
        return self.snapshot(self.run("main.py", *arguments, **how))

    def snapshot(self, run):
        """Return the snapshot that a run wrote, checked against the schema."""
        assert self.output.exists(), run.stderr
        text = self.output.read_text(encoding="ascii")
        document = json.loads(text)
        VALIDATOR.validate(document)
        check_references(document)
        return Snapshot(document, text, run)

    def _process(self, arguments, environment):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(RUNTIME), **(environment or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )


def check_references(document):
    """Every reference leads to an object, and every frame's module is a name."""
    pending = [document["exception"], document["frames"], document["modules"], document["objects"]]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if set(part) == {"ref"}:
                assert str(part["ref"]) in document["objects"]
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)


@pytest.fixture
def workshop(tmp_path):
    return Workshop(tmp_path)


@pytest.fixture
def crash(workshop):
    return workshop.crash
