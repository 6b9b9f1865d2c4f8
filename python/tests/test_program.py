"""The program in the wheel: its words, its exit codes, its signals."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

SCRIPT = [str(Path(sys.executable).parent / "legwork")]
MODULE = [sys.executable, "-m", "pylegwork"]


def run(command: list[str], *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, *words], capture_output=True, text=True, timeout=300, **options)


@pytest.mark.parametrize("command", [SCRIPT, MODULE])
def test_it_answers_and_knows_its_words(command: list[str]) -> None:
    answer = run(command, "ik", "delta-industrial", "0.1", "-0.05", "-0.8", "--json")
    assert answer.returncode == 0 and "q" in json.loads(answer.stdout)
    refused = run(command, "ik", "delta-industrial", "0", "0", "-9")
    assert refused.returncode == 2 and refused.stderr.startswith("error: ") and not refused.stdout
    # A hint that is made of the words of the command line.
    hint = run(command, "simulate", "delta-industrial", "-from", "1")
    assert hint.returncode == 2 and "hint: an option has two dashes: `--from`" in hint.stderr
    assert run(command, "--version").stdout.startswith("legwork ")


def test_the_recording_says_what_started_it(tmp_path: Path) -> None:
    made = run(SCRIPT, "simulate", "delta-industrial", "--duration", "10ms", "--out", "a.csv", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    words = "legwork simulate delta-industrial --duration 10ms --out a.csv"
    assert any(words in file.read_text() for file in tmp_path.iterdir())


def test_a_unit_is_exported_with_the_library_of_the_wheel(tmp_path: Path) -> None:
    made = run(SCRIPT, "export", "fmu", "five-bar", "--json", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert Path(json.loads(made.stdout)["library"]).parent.name == "pylegwork"
    with zipfile.ZipFile(tmp_path / "five_bar.fmu") as unit:
        assert {"modelDescription.xml", "resources/model.json"} <= set(unit.namelist())
        binary = next(name for name in unit.namelist() if name.startswith("binaries/"))
        (tmp_path / "unit").write_bytes(unit.read(binary))
    # Another program than this interpreter can load it: it needs nothing of Python.
    load = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).fmi2GetVersion is not None)"
    loaded = run([sys.executable, "-c", load], str(tmp_path / "unit"))
    assert loaded.returncode == 0, loaded.stderr
    assert b"PyExc_" not in (tmp_path / "unit").read_bytes()
    # Elsewhere than where the variable says, it is not taken.
    empty = {**os.environ, "LEGWORK_LIBRARY": str(tmp_path)}
    refused = run(SCRIPT, "export", "fmu", "five-bar", cwd=tmp_path, env=empty)
    assert refused.returncode == 2 and f"it is not in {tmp_path}, nor in" in refused.stderr
    assert "hint: `pip install pylegwork`" in refused.stderr


def test_an_interrupted_program_ends_with_130() -> None:
    command = [*SCRIPT, "simulate", "gough-stewart", "--duration", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(2)
        program.send_signal(signal.SIGINT)
        # Before the program has its own handlers, the signal itself ends it.
        assert program.wait(120) in (130, -signal.SIGINT)


def test_a_closed_pipe_is_no_error() -> None:
    shell = f"{SCRIPT[0]} show gough-stewart | head -1; exit ${{PIPESTATUS[0]}}"
    assert run(["bash", "-c", shell]).returncode == 0
