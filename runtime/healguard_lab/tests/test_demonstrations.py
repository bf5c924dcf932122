"""The six demonstrations are labelled by execution as they say."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from healguard_lab.tests.conftest import PROJECT, Laboratory

DEMONSTRATIONS = sorted((PROJECT / "controlled-cases" / "demo").glob("*/case.toml"))
FOLDERS = [path.parent for path in DEMONSTRATIONS]
NAMES = [folder.name for folder in FOLDERS]


def document(folder: Path) -> dict:
    return tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))


def site_of(folder: Path, sites: Path) -> Path:
    return sites / document(folder)["repository"] / "site-packages"


def test_there_are_three_packages_with_one_unsafe_and_one_safe_case_each() -> None:
    found = sorted(
        (document(folder)["repository"], document(folder)["label"]) for folder in FOLDERS
    )
    assert found == [
        (package, label)
        for package in ("boltons", "prettytable", "werkzeug")
        for label in ("safe", "unsafe")
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_execution_agrees_with_the_label_under_both_hash_seeds(
    folder: Path, sites: Path, run_label: Laboratory
) -> None:
    outcomes = [
        run_label(folder, "--site", site_of(folder, sites), "--hash-seed", seed) for seed in (0, 1)
    ]
    for outcome in outcomes:
        assert outcome.status == 0, outcome
        assert outcome.report["executed"] == document(folder)["label"]
        assert outcome.outcomes == ["finished"] * 4
    assert outcomes[0].report == outcomes[1].report


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_flipped_label_is_detected(
    folder: Path, sites: Path, run_label: Laboratory, tmp_path: Path
) -> None:
    copied = tmp_path / folder.name
    shutil.copytree(folder, copied)
    says = document(folder)["label"]
    flipped = {"safe": "unsafe", "unsafe": "safe"}[says]
    text = (folder / "case.toml").read_text(encoding="utf-8")
    text = text.replace(f'label = "{says}"', f'label = "{flipped}"')
    (copied / "case.toml").write_text(text, encoding="utf-8")
    outcome = run_label(copied, "--site", site_of(folder, sites))
    assert outcome.status == 1
    assert outcome.report["executed"] == says
    assert outcome.report["agrees"] is False


def test_the_unsafe_file_write_differs_in_the_text_that_is_stored(
    sites: Path, run_label: Laboratory
) -> None:
    folder = PROJECT / "controlled-cases" / "demo" / "prettytable-report-file-unsafe"
    outcome = run_label(folder, "--site", site_of(folder, sites))
    first, second = outcome.report["difference"]["seen"]
    assert first["operation"] == second["operation"] == "archive.store"
    assert list(first["differs"]) == list(second["differs"]) == ["argument text"]
    assert "n/a" in second["differs"]["argument text"]


def test_labelling_leaves_the_case_folder_as_it_was(
    sites: Path, run_label: Laboratory, tmp_path: Path
) -> None:
    folder = PROJECT / "controlled-cases" / "demo" / "prettytable-report-file-safe"
    copied = tmp_path / "case"
    shutil.copytree(folder, copied)
    before = sorted(copied.rglob("*"))
    run_label(copied, "--site", site_of(folder, sites))
    assert sorted(copied.rglob("*")) == before
