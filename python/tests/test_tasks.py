"""Tasks: requests, results, progress and cancelling."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pylegwork as lw

#: Hours of work.
LONG: dict[str, Any] = {"task": "check", "robot": "delta-industrial", "states": 1_000_000_000}


def test_every_task_of_the_library_has_its_method() -> None:
    # A report is made of recordings, without a robot.
    assert {task for task in lw.tasks() if not hasattr(lw.Robot, task)} == {"report"}


def test_a_request_in_all_its_forms(tmp_path: Path) -> None:
    request = {"task": "simulate", "robot": "delta-industrial", "duration": 0.1}
    toml = "task = 'simulate'\nrobot = 'delta-industrial'\nduration = '100 ms'\n"
    (tmp_path / "run.toml").write_text(toml)
    (tmp_path / "run.json").write_text(json.dumps(request))
    expected = lw.run(request).to_dict()
    assert expected["time"] == 0.1
    for given in (toml, json.dumps(request), tmp_path / "run.toml", str(tmp_path / "run.json")):
        assert lw.run(given).to_dict() == expected
    robot = lw.load("delta-industrial")
    assert robot.simulate(duration=0.1).to_dict() == expected
    assert lw.run({**request, "robot": robot}).to_dict() == expected
    assert robot.simulate(duration=np.float64(0.1), force=np.zeros(3)).to_dict()["time"] == 0.1


def test_the_robot_of_a_method_is_the_one_asked() -> None:
    robot = lw.load("delta-industrial").with_payload(3.0)
    heavy = robot.simulate(duration=0.1)
    named = lw.run({"task": "simulate", "robot": {"name": "delta-industrial", "payload": 3.0}, "duration": 0.1})
    assert heavy.to_dict() == named.to_dict()
    assert heavy.largest_kinetic_energy != lw.load("delta-industrial").simulate(duration=0.1).largest_kinetic_energy


def test_results_have_attributes_and_arrays() -> None:
    robot = lw.load("delta-industrial")
    start: dict[str, Any] = {"from": [0.05, 0.0, -0.8]}  # a word of Python itself
    run = robot.simulate(duration=0.1, sample=0.01, keep_samples=True, **start)
    assert run.task == "simulate" and run["task"] == "simulate"
    rows = run.samples.rows
    assert isinstance(rows, np.ndarray) and rows.shape == (run.samples_taken, len(run.samples.columns))
    assert np.array_equal(rows[0, 1:4], [0.05, 0.0, -0.8])
    assert rows.tolist() == run.to_dict()["samples"]["rows"]
    assert set(run) == set(run.to_dict())
    assert "samples" in dir(run)
    with pytest.raises(AttributeError, match="this result has no `sample`; it has"):
        run.sample  # noqa: B018
    json.dumps(run.to_dict())


def test_each_task_gives_a_result(tmp_path: Path) -> None:
    robot = lw.load("delta-industrial")
    assert robot.check(states=20).holds is True
    field = robot.map(quantities=["condition"], x="-0.1..0.1/5", y="-0.1..0.1/5")
    assert field.rows.shape == (25, 1)
    # The eighth of 25 poses: x is the faster one.
    pose = [0.0, -0.05, field.fixed.z]
    assert field.rows[7, 0] == pytest.approx(float(robot.singularity(pose).condition), rel=1e-12)
    poles = robot.linearize()
    assert poles.task == "linearize"
    quick = lw.load("delta-direct-drive")
    assert quick.plan(limits={"torque_limit": 8.0}).cycle_time > 0.0
    assert quick.follow().task == "follow"
    assert quick.size().task == "size"
    assert quick.sensitivity().task == "sensitivity"


def test_what_a_request_cannot_say() -> None:
    robot = lw.load("delta-industrial")
    with pytest.raises(lw.InvalidRequest, match="unknown word `duraton`, did you mean `duration`"):
        robot.simulate(duraton=1.0)
    with pytest.raises(lw.InvalidRequest, match="`duration` is -1; it must be larger than zero") as refused:
        robot.simulate(duration=-1.0)
    assert (refused.value.field, refused.value.value) == ("duration", -1.0)
    with pytest.raises(lw.InvalidRequest, match="there is no task `simulat`"):
        lw.run({"task": "simulat"})
    with pytest.raises(lw.InvalidRequest, match="`robot` is known already"):
        robot.simulate(robot="hexa")
    with pytest.raises(lw.InvalidRequest, match="`duration` is nan"):
        robot.simulate(duration=float("nan"))
    with pytest.raises(lw.InvalidRequest, match="a value of type `object`"):
        robot.simulate(duration=object())
    with pytest.raises(lw.FileFault) as missing:
        lw.run("no-such-file.toml")
    assert missing.value.path == "no-such-file.toml"
    with pytest.raises(lw.InvalidRobot):
        lw.run({"task": "check", "robot": "no-such-robot"})
    with pytest.raises(TypeError):
        lw.run(5)  # type: ignore[arg-type]


def test_notes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="pylegwork"):
        lw.load("delta-industrial").map(quantities=["condition"])
    said = [record.getMessage() for record in caplog.records if record.name == "pylegwork"]
    assert len(said) == 1 and said[0].startswith("a map of 1681 poses")


def test_progress_is_told_in_the_thread_of_the_caller() -> None:
    told: list[tuple[float, str, int]] = []
    robot = lw.load("delta-industrial")
    robot.check(states=3000, progress=lambda done, what: told.append((done, what, threading.get_ident())))
    assert told
    assert all(0.0 <= done <= 1.0 and isinstance(what, str) for done, what, _ in told)
    assert {thread for *_, thread in told} == {threading.get_ident()}


def test_an_exception_in_a_callback_ends_the_task() -> None:
    def broken(done: float, what: str) -> None:
        raise LookupError(f"at {done >= 0.0}")

    with pytest.raises(LookupError, match="at True"):
        lw.run(LONG, progress=broken)

    def enough(done: float, what: str) -> None:
        raise lw.Cancelled

    with pytest.raises(lw.Cancelled):
        lw.run(LONG, progress=enough)
    with pytest.raises(TypeError):
        lw.run(LONG, progress=5)  # type: ignore[arg-type]
    # The next task is not touched by it.
    assert lw.load("hexa").simulate(duration=0.05).time == 0.05


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_a_task() -> None:
    script = f"""
import os, signal, pylegwork as lw
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt(done, what, sent=[]):
    if not sent:
        sent.append(True)
        os.kill(os.getpid(), signal.SIGINT)
try:
    lw.run({LONG!r}, progress=interrupt)
except KeyboardInterrupt:
    print("interrupted", lw.load("five-bar").check(states=5).holds)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "interrupted True\n"


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_without_a_callback_ends_a_task() -> None:
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            lw.run(LONG)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, previous)


def test_other_threads_work_during_a_task() -> None:
    # A task that only ends when another thread has run Python: held, the interpreter would never let it.
    ended = threading.Event()

    def stop(done: float, what: str) -> None:
        if ended.is_set():
            raise lw.Cancelled

    other = threading.Timer(0.05, ended.set)
    other.start()
    with pytest.raises(lw.Cancelled):
        lw.run(LONG, progress=stop)
    other.join()


def test_a_file_is_written_and_run_again(tmp_path: Path) -> None:
    robot, out = lw.load("delta-industrial"), tmp_path / "swing.csv"
    first = robot.simulate(duration=0.1, out=out)
    assert out.exists()
    # A recording carries the request that made it, without the file it wrote.
    again = lw.run(out).to_dict()
    assert first.to_dict() == {**again, "out": str(out)}


def test_a_number_that_is_none_is_named() -> None:
    for value in (float("nan"), np.float64("inf")):
        with pytest.raises(lw.InvalidRequest, match=r"`duration` is (nan|inf), and not a finite number"):
            lw.load("five-bar").simulate(duration=value)
    with pytest.raises(lw.InvalidRequest, match=r"`limits\.torque_limit\.1` is nan"):
        lw.load("five-bar").plan(limits={"torque_limit": np.array([1.0, np.nan])})
    holds_itself: dict[str, object] = {"task": "check"}
    holds_itself["robot"] = holds_itself
    with pytest.raises(lw.InvalidRequest, match="not a request"):
        lw.run(holds_itself)
