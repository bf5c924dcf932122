"""Markdown programs become cases, and what cannot become one is refused in one sentence."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from healguard_lab import literate
from healguard_lab.case_file import read_case
from healguard_lab.literate_program import CRASH_LINE, PREAMBLE

TOPIC = """\
# A topic

## The rest of a starred target

Family: container-position

```python
first, *rest = [0, x]
pay(rest[0])  # reaches
```

```python
first, *rest = [0, x]
pay(first)  # safe
```
"""

Outcome = tuple[int, str, str]


@pytest.fixture
def convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Write a Markdown file and convert it: exit status, output, messages."""

    def run(text: str, *options: str) -> Outcome:
        path = tmp_path / "topic.md"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        status = literate.main([str(path), "--output", str(tmp_path / "cases"), *options])
        captured = capsys.readouterr()
        return status, captured.out, captured.err.replace(f"{tmp_path}/", "")

    return run


@pytest.fixture
def one(tmp_path: Path, convert: Callable[..., Outcome]) -> Callable[[str], Path]:
    """The folder of the one case that a block gives."""

    def run(block: str) -> Path:
        status, _, errors = convert(f"## It\n\n```python\n{textwrap.dedent(block)}```\n")
        assert (status, errors) == (0, "")
        (folder,) = (tmp_path / "cases").iterdir()
        return folder

    return run


def test_every_block_becomes_a_case(tmp_path: Path, convert: Callable[..., Outcome]) -> None:
    assert convert(TOPIC) == (0, "2 programs: 1 reach, 1 safe\n", "")
    names = {path.name for path in (tmp_path / "cases").iterdir()}
    unsafe = "topic-the-rest-of-a-starred-target-1-unsafe"
    assert names == {unsafe, "topic-the-rest-of-a-starred-target-2-safe"}
    folder = tmp_path / "cases" / unsafe
    source = (folder / "main.py").read_text()
    assert source.startswith(PREAMBLE + CRASH_LINE + "first, *rest")
    case = read_case(folder)
    assert source.splitlines()[case.crash.line - 1] == CRASH_LINE.rstrip()
    assert (case.label, case.crash.function, case.resume) == ("unsafe", "<module>", "retry")
    values = [case.healing_text(name) for name in case.healings]
    assert values == [f'state["k"] = {value}\n' for value in (1, 2, 0, -7)]
    assert 'family = "container-position"' in (folder / "case.toml").read_text()
    assert 'title = "The rest of a starred target"' in (folder / "case.toml").read_text()


def test_directives_change_the_case(one: Callable[[str], Path]) -> None:
    folder = one(
        """\
        # heal: y = VALUE
        # heal: healed_return = [y, VALUE]
        # values: "a" | "b" | "VALUE" | "d|e"
        # resume: return
        # protect: builtins.print
        # endorse: main.check guards
        def check(x):
            return state["k"]


        pay(check(0))  # reaches
        """
    )
    case = read_case(folder)
    assert case.resume == "return"
    assert case.healing_text("heal.py") == 'y = "a"\nhealed_return = [y, "a"]\n'
    assert case.healing_text("alternatives/2.py").startswith('y = "VALUE"\n')
    assert case.healing_text("alternatives/3.py").startswith('y = "d|e"\n')
    assert case.crash.function == "check"
    protect = (folder / "protect.toml").read_text()
    assert 'name = "builtins.print"' in protect
    assert 'name = "main.check"\nmode = "guards"' in protect


def test_the_crash_is_the_innermost_statement(one: Callable[[str], Path]) -> None:
    folder = one(
        """\
        class Box:
            def load(self):
                def inner():
                    if True:
                        return (
                            1 + state["k"]
                        )
                return inner()


        # state["k"] in a comment and "state['k']" in a string do not count
        pay(Box().load())  # reaches
        """
    )
    case = read_case(folder)
    assert case.crash.function == "Box.load.<locals>.inner"
    lines = (folder / "main.py").read_text().splitlines()
    assert lines[case.crash.line - 1].strip() == "return ("


def test_a_mark_chooses_among_several_crash_expressions(one: Callable[[str], Path]) -> None:
    folder = one(
        """\
        def load(default=0):
            return state["k"]  # crashes


        y = load()
        pay(state["k"])  # reaches
        """
    )
    assert read_case(folder).crash.function == "load"


def test_a_mark_may_stand_on_another_statement_with_its_exception(
    one: Callable[[str], Path],
) -> None:
    folder = one(
        """\
        # exception: ZeroDivisionError
        # heal: d = VALUE
        # values: 1 | 2 | 3 | 4
        d = 0
        y = 1 / d  # crashes
        pay(y)  # reaches
        """
    )
    case = read_case(folder)
    assert (folder / "main.py").read_text().splitlines()[case.crash.line - 1].startswith("y = ")


def test_files_go_with_the_programs_of_their_heading(
    tmp_path: Path, convert: Callable[..., Outcome]
) -> None:
    text = """\
    ## First
    ```python
    # file: shop/prices.py
    rate = 2
    ```
    ```python
    from shop import prices

    pay(x * prices.rate)  # reaches
    ```
    ## Second
    ```python
    pay(1)  # safe
    ```
    """
    assert convert(text)[0] == 0
    cases = tmp_path / "cases"
    assert (cases / "topic-first-1-unsafe" / "shop" / "prices.py").read_text() == "rate = 2\n"
    assert not (cases / "topic-second-1-safe" / "shop").exists()


def test_a_label_in_a_string_does_not_count(one: Callable[[str], Path]) -> None:
    folder = one('pay("  # reaches", "# safe")  # safe\n')
    assert read_case(folder).label == "safe"


def test_only_restricts_and_earlier_cases_are_replaced(
    tmp_path: Path, convert: Callable[..., Outcome]
) -> None:
    convert(TOPIC)
    assert convert(TOPIC, "--only", "2-safe")[1] == "1 programs: 0 reach, 1 safe\n"
    assert len(list((tmp_path / "cases").iterdir())) == 1


def test_labels_are_compared_with_executions(convert: Callable[..., Outcome]) -> None:
    assert convert(TOPIC, "--label")[::2] == (0, "")
    status, output, _ = convert(TOPIC.replace("pay(first)", "pay(rest)"), "--label")
    assert status == 1
    assert "topic.md:14: labelled safe, executions show reaches: {" in output
    assert "1 of 2 labels agree" in output


def test_a_wrong_crash_is_a_disagreement(convert: Callable[..., Outcome]) -> None:
    text = "## A\n\n```python\n1 / 0\npay(state['k'])  # reaches\n```\n"
    status, output, _ = convert(text, "--label")
    assert status == 1
    assert "topic.md:5: labelled reaches, the crash is another one" in output


REFUSALS = {
    "no label": ("pay(x)\n", 4, "no label"),
    "a label on a line of its own": ("# reaches\npay(x)\n", 4, "no label"),
    "two labels": ("pay(x)  # reaches\npay(1)  # safe\n", 5, "a second label"),
    "an unknown directive": ("# resum: skip\npay(x)  # safe\n", 4, "did you mean `resume`?"),
    "an empty directive": ("# heal:\npay(x)  # safe\n", 4, "says nothing"),
    "an unknown resume mode": ("# resume: stop\npay(x)  # safe\n", 4, "use one of retry"),
    "an unknown endorsement mode": ("# endorse: main.f is\npay(x)  # safe\n", 4, "returns, guards"),
    "a directive below code": ("y = 1\n# heal: y = VALUE\npay(x)  # safe\n", 5, "too late"),
    "three values": ("# values: 1 | 2 | 3\npay(x)  # safe\n", 4, "only 3 values"),
    "values of two types": ("# values: 1 | 2 | 3 | ''\npay(x)  # safe\n", 4, "int, str"),
    "a value that is no expression": ("# values: 1 | 2 | 3 | )\npay(x)  # safe\n", 4, "`)`"),
    "healings that are all the same": ("# heal: y = 1\npay(x)  # safe\n", 4, "all healings"),
    "a healing that is no Python": ("# heal: y = (VALUE\npay(x)  # safe\n", 4, "no Python"),
    "a return without a value": ("# resume: return\npay(x)  # safe\n", 4, "healed_return"),
    "a syntax error": ("y = 1\npay(x  # reaches\n", 5, "syntax error"),
    "a return outside a function": ("y = 1\nreturn pay(x)  # reaches\n", 5, "syntax error"),
    "several crash expressions": (
        'y = state["k"]\nz = state["k"]\npay(y)  # reaches\n',
        5,
        "# crashes",
    ),
    "a mark without a crash": ("y = 1  # crashes\npay(x)  # safe\n", 4, 'no `state["k"]`'),
    "two marks": ("y = 1  # crashes\nx = 1  # crashes\npay(x)  # safe\n", 5, "keep one"),
    "a crash in a lambda": ('pay((lambda: state["k"])())  # reaches\n', 4, "lambda"),
    "a file outside the folder": ("# file: ../a.py\ny = 1\n", 4, "no path inside"),
    "a file that every case has": ("# file: heal.py\ny = 1\n", 4, "every case has"),
    "a label in a file": ("# file: a.py\ny = 1  # safe\n", 5, "a label in a file"),
    "a syntax error in a file": ("# file: a.py\ny =\n", 5, "syntax error"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_malformed_blocks_are_refused(
    name: str, tmp_path: Path, convert: Callable[..., Outcome]
) -> None:
    block, line, text = REFUSALS[name]
    good = "## Good\n```python\npay(x)  # reaches\n```\n"
    status, output, errors = convert(f"## It\n\n```python\n{block}```\n{good}")
    assert (status, output) == (2, "")
    assert errors.startswith(f"topic.md:{line}: ")
    assert text in errors
    assert len(errors.splitlines()) == 1
    assert not (tmp_path / "cases").exists()


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("## A\nFamily: alia\n", 2, "unknown family `alia`"),
        ("## A\n```python\npay(x)  # safe\n", 2, "does not end"),
        ("```python\npay(x)  # safe\n```\n", 1, "under no heading"),
    ],
)
def test_malformed_surroundings_are_refused(
    text: str, line: int, complaint: str, convert: Callable[..., Outcome]
) -> None:
    status, _, errors = convert(text)
    assert status == 2
    assert errors.startswith(f"topic.md:{line}: ")
    assert complaint in errors


def test_ids_are_unique(convert: Callable[..., Outcome]) -> None:
    block = "```python\npay(x)  # safe\n```\n"
    status, _, errors = convert(f"## A b\n{block}## Other\n{block}## A-b\n{block}")
    assert status == 2
    assert "topic.md:11: the id `topic-a-b-1-safe` is that of topic.md:3" in errors


def test_a_folder_with_other_files_is_left_alone(
    tmp_path: Path, convert: Callable[..., Outcome]
) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "notes").write_text("mine")
    status, _, errors = convert(TOPIC)
    assert status == 2
    assert "notes is no case" in errors
    assert (tmp_path / "cases" / "notes").read_text() == "mine"


def test_the_readme_of_a_folder_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "README.md").write_text("```python\nno label\n```\n")
    (tmp_path / "topic.md").write_text(TOPIC)
    assert literate.main([str(tmp_path), "--output", str(tmp_path / "cases")]) == 0
    assert "2 programs" in capsys.readouterr().out


def test_a_path_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert literate.main([str(tmp_path / "none.md"), "--output", str(tmp_path / "cases")]) == 2
    assert "none.md" in capsys.readouterr().err


def test_the_preamble_is_as_documented() -> None:
    readme = Path(literate.__file__).parents[2] / "tests" / "literate" / "README.md"
    documented = readme.read_text(encoding="utf-8").split("\n```python\n")[1].split("```")[0]
    assert ast.dump(ast.parse(PREAMBLE + CRASH_LINE)) == ast.dump(ast.parse(documented))
