import os
import signal
import sys

import pytest

CRASH = """
    def fail():
        return {}["total"]

    fail()
"""


def test_the_traceback_is_the_one_that_python_prints(workshop):
    workshop.write("main.py", CRASH)
    plain = workshop.plain("main.py")
    watched = workshop.run("main.py")
    assert watched.returncode == plain.returncode == 1
    notice, traceback = watched.stderr.split("\n", 1)
    assert notice == f"healguard: the crash was written to {workshop.output}"
    assert traceback == plain.stderr


def test_output_of_the_program_comes_through(workshop):
    workshop.write("main.py", "print('before'); raise ValueError('x')")
    assert workshop.run("main.py").stdout == "before\n"


FACTS = """
    import sys
    import __main__
    print(sys.argv, sys.path[0])
    print(__name__, __file__, __package__, __spec__ and __spec__.name, type(__loader__).__name__)
    print(__main__.__dict__ is globals(), __builtins__.__name__, sorted(globals()))
    print(__doc__, __annotations__ if sys.version_info < (3, 14) else {})
"""


def test_a_script_sees_itself_as_python_would_show_it(workshop):
    workshop.write("main.py", FACTS)
    assert workshop.run("main.py", "a", "-b").stdout == workshop.plain("main.py", "a", "-b").stdout


@pytest.mark.parametrize("name", ["shop", "shop.tool"])
def test_a_module_sees_itself_as_python_would_show_it(workshop, name):
    workshop.write("shop/__init__.py", "")
    workshop.write("shop/__main__.py", FACTS)
    workshop.write("shop/tool.py", FACTS)
    plain, watched = workshop.plain("-m", name, "a"), workshop.run("-m", name, "a")
    assert plain.stdout
    assert watched.stdout == plain.stdout


def test_a_module_with_the_name_of_one_that_we_use_is_the_programs_own(workshop):
    for name in ("json", "argparse", "tokenize", "dataclasses"):
        workshop.write(f"{name}.py", "OWN = True")
    workshop.write(
        "main.py",
        "import json, argparse, tokenize, dataclasses\n"
        "print(json.OWN, argparse.OWN, tokenize.OWN, dataclasses.OWN)\n1 / 0\n",
    )
    run = workshop.run("main.py")
    assert run.stdout == "True True True True\n"
    assert workshop.snapshot(run).global_object("json")["name"] == "json"


def test_a_program_that_does_not_crash_leaves_no_file(workshop):
    workshop.write("main.py", "print('fine')")
    run = workshop.run("main.py")
    assert run.returncode == 0
    assert run.stderr == "healguard: the program did not crash: no snapshot was written\n"
    assert not workshop.output.exists()
    assert list(workshop.output.parent.iterdir()) == []


@pytest.mark.parametrize(("code", "status"), [("0", 0), ("3", 3), ("'no'", 1), ("None", 0)])
def test_leaving_by_sys_exit_is_no_crash_and_keeps_its_status(workshop, code, status):
    workshop.write("main.py", f"import sys\nsys.exit({code})")
    run = workshop.run("main.py")
    assert run.returncode == status
    assert "did not crash" in run.stderr
    assert not workshop.output.exists()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_is_no_crash_and_ends_the_process_as_python_does(workshop):
    workshop.write("main.py", "raise KeyboardInterrupt")
    run = workshop.run("main.py")
    assert run.returncode == workshop.plain("main.py").returncode == -signal.SIGINT
    assert "recorder" not in run.stderr
    assert not workshop.output.exists()


def test_a_syntax_error_in_the_script_is_one_diagnostic(workshop):
    workshop.write("main.py", "x = 1\nif x\n    pass\n")
    run = workshop.run("main.py")
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    assert line.startswith("healguard: ")
    assert "main.py:2:5: SyntaxError" in line
    assert "nothing was run" in line


def test_a_syntax_error_in_an_imported_module_is_a_crash_of_the_program(workshop):
    workshop.write("broken.py", "if x\n")
    snapshot = workshop.snapshot(_run(workshop, "import broken\n"))
    assert snapshot.exception["type"] == "builtins.SyntaxError"
    assert snapshot.exception["attributes"]["lineno"] == 1


def _run(workshop, source, *arguments, **how):
    workshop.write("main.py", source)
    return workshop.run("main.py", *arguments, **how)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([], "name the program to run after --"),
        (["-m"], "name the module to run after -m"),
        (["nothing.py"], "cannot read nothing.py: No such file or directory"),
        (["out"], "out is a folder"),
        (["-m", "nothing.here"], "no module named nothing.here"),
        (["-m", "out"], "out"),
    ],
)
def test_a_program_that_cannot_be_started_is_one_diagnostic(workshop, command, message):
    run = workshop.run(*command)
    assert run.returncode in (1, 2)
    assert message in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-objects", "0"], "0 is below 1"),
        (["--max-text", "many"], "invalid integer value"),
        (["--output", "missing/crash.json"], "there is no folder"),
        (["--output", "out"], "it is a folder"),
        (["--colour"], "unrecognized arguments"),
    ],
)
def test_a_wrong_option_stops_before_the_program_runs(workshop, options, message):
    workshop.write("main.py", "print('ran')")
    run = workshop.run("main.py", options=options)
    assert run.returncode == 2
    assert message in run.stderr
    assert run.stdout == ""


def test_the_output_is_found_again_when_the_program_changes_its_folder(workshop):
    workshop.write("main.py", "import os\nos.chdir('/')\n1 / 0\n")
    run = workshop.run("main.py", options=["--output", "out/crash.json"])
    snapshot = workshop.snapshot(run)
    assert snapshot.document["directory"] == str(workshop.folder)
    assert snapshot.frames[0]["file"] == str(workshop.folder / "main.py")


@pytest.mark.skipif(os.name != "posix", reason="permissions")
def test_only_the_user_can_read_the_snapshot(workshop, crash):
    crash("1 / 0")
    assert workshop.output.stat().st_mode & 0o777 == 0o600


def test_the_programs_own_exception_hook_is_called_with_its_own_frames(workshop):
    run = _run(
        workshop,
        """
        import sys, traceback
        def hook(kind, error, tb):
            print(kind.__name__, [frame.name for frame in traceback.extract_tb(tb)])
        sys.excepthook = hook
        def fail(): 1 / 0
        fail()
        """,
    )
    assert run.stdout == "ZeroDivisionError ['<module>', 'fail']\n"


def test_exit_handlers_run_after_a_crash(workshop):
    run = _run(workshop, "import atexit\natexit.register(print, 'bye')\n1 / 0\n")
    assert run.stdout == "bye\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_child_that_crashes_writes_no_snapshot(workshop):
    run = _run(
        workshop,
        """
        import os
        if os.fork() == 0:
            raise ValueError("child")
        os.wait()
        """,
    )
    assert not workshop.output.exists()
    assert run.returncode == 0
    assert "ValueError: child" in run.stderr


def test_an_exception_in_a_finaliser_is_no_crash(workshop):
    run = _run(
        workshop,
        """
        class Box:
            def __del__(self):
                1 / 0
        Box()
        print("on")
        """,
    )
    assert (run.returncode, run.stdout) == (0, "on\n")
    assert not workshop.output.exists()


def test_command_and_search_path_are_told(workshop, crash):
    document = crash("1 / 0", "--verbose", "x").document
    assert document["command"] == ["main.py", "--verbose", "x"]
    assert document["search_path"][0] == str(workshop.folder)
    assert document["python"]["version"] == ".".join(map(str, sys.version_info[:3]))


def test_a_package_run_with_m_has_the_name_of_its_main_module(workshop):
    workshop.write("shop/__init__.py", "")
    workshop.write("shop/prices.py", "def price(item):\n    return {}[item]\n")
    workshop.write("shop/__main__.py", "from .prices import price\nprice('tea')\n")
    snapshot = workshop.snapshot(workshop.run("-m", "shop"))
    assert [frame["module"] for frame in snapshot.frames] == ["shop.prices", "shop.__main__"]
    assert snapshot.document["command"] == ["-m", "shop"]


def test_a_package_that_crashes_while_it_is_imported_shows_no_frame_of_ours(workshop):
    workshop.write("shop/__init__.py", "LIMIT = {}['limit']\n")
    workshop.write("shop/__main__.py", "")
    snapshot = workshop.snapshot(workshop.run("-m", "shop"))
    assert [frame["module"] for frame in snapshot.frames] == ["shop"]
    assert snapshot.frames[0]["kind"] == "module"


def test_a_script_whose_name_is_taken_by_a_module_is_called_main(workshop):
    workshop.write("shop.py", "import shop\nif __name__ == '__main__':\n    shop.x = {}['a']\n")
    snapshot = workshop.snapshot(workshop.run("shop.py"))
    assert snapshot.frames[0]["module"] == "__main__"
    assert {"__main__", "shop"} <= set(snapshot.modules)


def test_snapshots_of_a_program_without_standard_error_do_no_harm(workshop):
    snapshot = workshop.snapshot(_run(workshop, "import sys\nsys.stderr = None\n1 / 0\n"))
    assert snapshot.exception["message"] == "division by zero"
