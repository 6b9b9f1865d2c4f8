"""The program `legwork`: `python -m pylegwork`, and the console script of the wheel."""

import signal
import sys

from ._native import program


def main() -> int:
    """Runs the program with the words of the command line; its exit code."""
    # Python would only note Ctrl-C until the program returns. The program has its own handlers while a task runs; before
    # and after, the signal ends it, as it does without Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return program(["legwork", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
