"""Everything that the documents say runs."""

import ast
import doctest
import os
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pylegwork as lw
from pylegwork import _native, _tasks

PYTHON = Path(__file__).parents[1]
BOOK = PYTHON.parent / "book" / "src"


def run_examples(examples: doctest.DocTest) -> None:
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=flags)
    said: list[str] = []
    runner.run(examples, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def documented() -> list[tuple[str, str]]:
    things: list[tuple[str, Any]] = [("pylegwork", lw), ("run", _tasks.run), ("Robot", lw.Robot)]
    things += [(name, getattr(lw, name)) for name in lw.__all__ if name[0].islower() and name != "run"]
    things += [(name, getattr(lw, name)) for name in ("Page", "Recording", "Regulator", "Studio", "Sweep", "Table")]
    things += [(name, getattr(_native, name)) for name in ("load", "robots")]
    things += [(f"Robot.{name}", thing) for name, thing in vars(lw.Robot).items() if not name.startswith("_")]
    return [(name, thing.__doc__ or "") for name, thing in things]


@pytest.mark.parametrize(("name", "text"), documented())
def test_docstrings(name: str, text: str) -> None:
    assert text.strip(), f"{name} has no docstring"
    run_examples(doctest.DocTestParser().get_doctest(text, {}, name, None, None))


def test_there_are_examples() -> None:
    assert sum(">>>" in text for _, text in documented()) >= 15


def listings(file: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_ten_lines_of_the_readme_run() -> None:
    (first, *_) = listings(PYTHON / "README.md")
    assert len([line for line in first.splitlines() if line.strip()]) == 10
    exec(compile(first, "README.md", "exec"), {})


@pytest.mark.parametrize("file", [PYTHON / "README.md", BOOK / "python.md"], ids=lambda file: str(file.name))
def test_listings_run(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    found = listings(file)
    assert found
    for listing in found:
        exec(compile(listing, str(file), "exec"), names)


def test_the_licences_are_those_of_the_repository() -> None:
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (PYTHON / name).read_bytes() == (PYTHON.parent / name).read_bytes()


def test_the_tables_name_what_there_is() -> None:
    text = (BOOK / "python.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"`robot\.(\w+)", text)):
        assert hasattr(lw.Robot, name), name
    for name in set(re.findall(r"`lw\.(\w+)", text)):
        assert hasattr(lw, name), name


def test_the_stubs_are_those_of_the_extension() -> None:
    stubs = ast.parse((Path(lw.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))
    functions = {node.name for node in stubs.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in stubs.body if isinstance(node, ast.ClassDef)}
    public = {name for name in vars(_native) if not name.startswith("__")}
    assert functions | set(classes) == public
    for name, stub in classes.items():
        check_class(stub, getattr(_native, name))


def check_class(stub_class: ast.ClassDef, real_class: type) -> None:
    methods = {node.name: node for node in stub_class.body if isinstance(node, ast.FunctionDef)}
    assert {name for name in methods if not name.startswith("__")} == {
        name for name in vars(real_class) if not name.startswith("__")
    }
    # The arguments, in their order.
    for name, node in methods.items():
        signature = getattr(vars(real_class)[name], "__text_signature__", None)
        if signature is None:
            continue
        real = [word.strip().split("=")[0] for word in signature.strip("()").split(",")]
        real = [word.lstrip("$*") for word in real if word.strip() not in ("*", "/", "")]
        stub = [a.arg for a in [*node.args.args, *node.args.kwonlyargs]]
        stub += [node.args.kwarg.arg] if node.args.kwarg else []
        assert [word for word in real if word not in ("self", "cls")] == [
            word for word in stub if word not in ("self", "cls")
        ], name


def test_the_example_of_speed_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(PYTHON / "examples" / "speed.py"))
    example["main"](calls=10, states=1000)
    assert "gough-stewart" in capsys.readouterr().out


def test_the_numbered_examples_print_what_those_in_rust_print(capsys: pytest.CaptureFixture[str]) -> None:
    rust = os.environ.get("LEGWORK_NUMBERED")
    runpy.run_path(str(PYTHON / "examples" / "numbered.py"))["main"]()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 25 and not any("nan" in line for line in lines)
    if rust is None:
        pytest.skip("LEGWORK_NUMBERED names no program")
    theirs = subprocess.run([rust], check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines == theirs


def test_the_studies_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def main(name: str) -> Any:
        return runpy.run_path(str(PYTHON / "examples" / f"{name}.py"))["main"]

    table = main("motors_for_a_box")(6, str(tmp_path / "box"))
    reached = np.isfinite(table["torque"])
    assert 0 < reached.sum() < 36 and len(list((tmp_path / "box").glob("*.parquet"))) == 1
    drawn, exact = main("tolerances")(2000)
    # A standard deviation of n draws is known to 1/sqrt(2n), four times that is never.
    assert np.all(abs(drawn - exact) <= 4 / np.sqrt(2 * 2000) * exact + 1e-12)
    front = main("cycle_time_and_power")(3)
    assert np.all(np.diff(front[:, 0]) > 0) and np.all(np.diff(front[:, 1]) < 0)
