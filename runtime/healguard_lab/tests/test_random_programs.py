"""Random programs are the same every time, of both labels, and their snapshots are good."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from healguard_lab.case_file import UnusableError, read_case
from healguard_lab.case_writer import WrittenCase, WrittenOperation
from healguard_lab.label import Laboratory, establish
from healguard_lab.random_programs import __main__ as command
from healguard_lab.random_programs.execution import run_case
from healguard_lab.random_programs.production import produce
from healguard_lab.random_programs.reductions import reductions, size

SEED = 7
SCHEMA = Path(__file__).resolve().parents[2] / "crash.schema.json"
NOISY = """\
state = {}


def pay(*amounts, **options):
    pass


def twice(amount, unused=3):
    for _ in range(2):
        amount += 0
    return amount * 2


class Box:
    def put(self, amount):
        self.amount = amount


box = Box()
if box:
    x = state["k"]
    box.put(twice(x) + 1)
y = [1, 2, 3]
try:
    pay(box.amount, y[0])
finally:
    pay(7)
"""


def noisy_case(source: str = NOISY) -> WrittenCase:
    return WrittenCase(
        identifier="noisy",
        family="local-flow",
        label="unsafe",
        title="A flow and much beside it.",
        source=source,
        line=1 + source.splitlines().index('    x = state["k"]'),
        function="<module>",
        exception="KeyError",
        resume="retry",
        healings=[f'state["j"] = 1\nstate["k"] = {value}\n' for value in (1, 2, 0, -7)],
        operations=[WrittenOperation("main.pay")],
    )


def files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "crash.json"
    }


def test_a_program_is_the_same_every_time_and_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--seed", str(SEED), "--first", "2", "--count", "2"]
    assert command.main([*options, "--output", str(tmp_path / "one")]) == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["index"] for report in reports] == [2, 3]
    alone = produce(SEED, 3, tmp_path / "two")
    assert files(alone.folder) == files(tmp_path / "one" / "3")
    assert reports[1]["label"] == alone.finding.label
    assert alone.report()["resume"] == read_case(alone.folder).resume


def test_both_labels_occur_and_programs_differ(tmp_path: Path) -> None:
    produced = [produce(SEED, index, tmp_path) for index in range(12)]
    assert {one.finding.label for one in produced} == {"unsafe", "safe"}
    assert len({(one.folder / "main.py").read_text() for one in produced}) == 12
    for one in produced:
        assert read_case(one.folder).label == one.finding.label


def test_labels_are_those_of_the_laboratory(tmp_path: Path) -> None:
    for index in range(2):
        one = produce(SEED, index, tmp_path)
        case = read_case(one.folder)
        assert establish(Laboratory(case, None, 20.0, 0))["agrees"]


def test_a_snapshot_is_as_the_schema_says(tmp_path: Path) -> None:
    one = produce(SEED, 0, tmp_path)
    snapshot = json.loads((one.folder / "crash.json").read_text())
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(snapshot)
    crash = read_case(one.folder).crash
    innermost = snapshot["frames"][0]
    assert innermost["function"] == crash.function
    assert innermost["file"] == str(one.folder / "main.py")
    assert innermost["line"] >= crash.line
    assert not any("healguard" in frame["file"] for frame in snapshot["frames"])


def test_executions_show_a_label_and_refuse_what_they_cannot_tell(tmp_path: Path) -> None:
    noisy_case().write(tmp_path / "flow")
    assert run_case(tmp_path / "flow").label == "unsafe"
    noisy_case(NOISY.replace("(box.amount, ", "(")).write(tmp_path / "none")
    assert run_case(tmp_path / "none").label == "safe"
    noisy_case(NOISY.replace("pay(box.amount, y[0])", "y[0]").replace("pay(7)", "y[1]")).write(
        tmp_path / "silent"
    )
    with pytest.raises(UnusableError, match="no protected operation"):
        run_case(tmp_path / "silent")
    noisy_case(NOISY.replace("y = [1", "while True: pass\ny = [1")).write(tmp_path / "endless")
    with pytest.raises(UnusableError, match="does not end"):
        run_case(tmp_path / "endless")


def test_the_shrinker_leaves_the_flow_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "case"
    noisy_case().write(folder)
    assert command.main(["--shrink", str(folder), "--still", "true"]) == 0
    source = (folder / "main.py").read_text()
    assert capsys.readouterr().out.strip() == source.strip()
    assert "twice" not in source
    assert "y" not in source.replace("pay", "")
    assert size(source) < size(NOISY) / 2
    case = read_case(folder)
    assert len(case.healings) == 2
    assert case.healing_text("heal.py") == "state['k'] = 1\n"
    assert run_case(folder).label == "unsafe"


def test_the_shrinker_refuses_what_is_not_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "case"
    noisy_case().write(folder)
    before = files(folder)
    assert command.main(["--shrink", str(folder), "--still", "false"]) == 2
    assert "does not exit with 0" in capsys.readouterr().err
    assert files(folder) == before


def test_reductions_are_smaller() -> None:
    assert all(size(source) < size(NOISY) for _, source in reductions(NOISY))


def test_a_call_without_a_purpose_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["--seed", "1"])
    assert "--output" in capsys.readouterr().err
