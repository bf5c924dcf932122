"""Small cases written on the spot, and the packages of the demonstrations."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from healguard_lab import label

PROJECT = Path(__file__).resolve().parents[3]
INSTALL = PROJECT / "controlled-cases" / "install"
EXPOSING = ("1", "2", "3", "4")


@dataclass(frozen=True)
class Outcome:
    """What a call of the laboratory gave back."""

    status: int
    report: dict
    errors: str

    @property
    def digests(self) -> set[str]:
        return {execution["digest"] for execution in self.report["executions"]}

    @property
    def outcomes(self) -> list[str]:
        return [execution["outcome"] for execution in self.report["executions"]]


Laboratory = Callable[..., Outcome]


@pytest.fixture
def run_label(capsys: pytest.CaptureFixture[str]) -> Laboratory:
    def run(*arguments: object) -> Outcome:
        status = label.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        report = json.loads(captured.out) if captured.out else {}
        return Outcome(status, report, captured.err)

    return run


@pytest.fixture
def try_case(tmp_path: Path, run_label: Laboratory) -> Laboratory:
    """Write a case and label it.

    The crash is on the line of `source` that ends in `# crash`. `healing` holds VALUE
    where the healings differ.
    """

    def run(
        source: str,
        healing: str,
        *,
        function: str,
        exception: str = "KeyError",
        resume: str = "retry",
        says: str = "unsafe",
        protect: str = '[[operation]]\nname = "main.charge"\n',
        values: tuple[str, ...] = EXPOSING,
        modules: dict[str, str] | None = None,
        options: tuple[str, ...] = (),
    ) -> Outcome:
        source = textwrap.dedent(source)
        lines = source.splitlines()
        line = 1 + next(i for i, text in enumerate(lines) if text.endswith("# crash"))
        files = {name: textwrap.dedent(text) for name, text in (modules or {}).items()}
        files |= {"main.py": source, "protect.toml": f"schema = 1\n{protect}"}
        names = [f"alternatives/{number}.py" for number in range(1, len(values))]
        for name, value in zip(["heal.py", *names], values, strict=True):
            files[name] = textwrap.dedent(healing).replace("VALUE", value)
        files["case.toml"] = case_text(says, line, function, exception, resume, names)
        for name, text in files.items():
            path = tmp_path / "case" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return run_label(tmp_path / "case", *options)

    return run


def case_text(
    says: str, line: int, function: str, exception: str, resume: str, names: list[str]
) -> str:
    return f"""\
schema = 1
id = "a-case"
family = "local-flow"
label = "{says}"
repository = ""
title = "a case of a test"
[program]
entry = "main.py"
[crash]
file = "main.py"
line = {line}
function = "{function}"
exception = "{exception}"
[heal]
code = "heal.py"
resume = "{resume}"
alternatives = {json.dumps(names)}
"""


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the packages of every repository, installed if need be."""
    local = PROJECT / ".venv" / "repositories"
    if local.is_dir():
        return local
    environment = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, str(INSTALL), "--into", str(environment)], check=True)
    return environment / "repositories"
