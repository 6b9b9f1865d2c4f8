"""The program `legwork`: `python -m pylegwork`, and the console script of the wheel."""

import os
import signal
import sys
from pathlib import Path

from ._native import program


def main() -> int:
    """Runs the program with the words of the command line; its exit code."""
    # Python would only note Ctrl-C until the program returns. The program has its own handlers while a task runs; before
    # and after, the signal ends it, as it does without Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The shared library, which `legwork export fmu` puts into a unit, lies beside this file.
    os.environ.setdefault("LEGWORK_LIBRARY", str(Path(__file__).resolve().parent))
    return program(["legwork", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
