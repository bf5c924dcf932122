"""Checks a server's name in a process of its own, so that a bad one cannot hurt the crawl."""

import subprocess
import sys

SCRIPT = "import sys; print(len(sys.argv[1]) < 80 and ' ' not in sys.argv[1])"


def check(server):
    done = subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT, server],
        capture_output=True,
        text=True,
        check=True,
    )
    if done.stdout.strip() == "True":
        return "well formed"
    return "malformed"
