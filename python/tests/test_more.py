"""Derivatives, recordings, regulators, pages, robots from keywords."""

import gc
import json
import os
import pickle
import threading
from html import unescape
from pathlib import Path

import numpy as np
import pylegwork as lw
import pytest

LENGTHS = {"base_radius": 0.2, "platform_radius": 0.045, "arm": "350 mm", "forearm": 0.8}


def test_derivatives_of_many_states_are_those_of_each() -> None:
    robot = lw.load("delta-industrial")
    rng = np.random.default_rng(3)
    poses = np.array([0.0, 0.0, -0.8]) + rng.uniform(-0.1, 0.1, (50, 3))
    velocity = rng.uniform(-1, 1, (50, 3))
    effort = robot.inverse_dynamics(poses, velocity)
    many = robot.forward_dynamics_derivatives(poses, velocity, effort)
    assert many.pose.shape == many.effort.shape == (50, 3, 3)
    for k in (0, 17, 49):
        one = robot.forward_dynamics_derivatives(poses[k], velocity[k], effort[k])
        assert all(np.array_equal(a, b[k]) for a, b in zip(one, many))
    step = 1e-6 * np.eye(3)
    for k in range(3):
        more = robot.forward_dynamics(poses + step[k], velocity, effort).platform
        less = robot.forward_dynamics(poses - step[k], velocity, effort).platform
        assert np.allclose(many.pose[:, :, k], (more - less) / 2e-6, rtol=1e-5, atol=1e-4)
    found, marks = robot.forward_dynamics_derivatives(
        [[0.0, 0.0, -0.8], [0.0, 0.0, -9.0]], None, [0.0, 0.0, 0.0], return_marks=True
    )
    assert marks.tolist() == [lw.Mark.ANSWERED, lw.Mark.UNREACHABLE] and np.isnan(found.pose[1]).all()
    with pytest.raises(lw.InvalidInput):
        robot.forward_dynamics_derivatives(poses, velocity, effort[:, :2])
    with pytest.raises(lw.OutOfReach):
        robot.inverse_dynamics_derivatives([0, 0, -9])


def test_a_robot_with_more_motors_than_freedoms_says_so() -> None:
    redundant = [name for name in lw.robots() if len(lw.load(name).joints) != len(lw.load(name).freedoms)]
    for name in redundant:
        robot = lw.load(name)
        if robot.has_masses:
            with pytest.raises(lw.InvalidInput, match="as many motors as freedoms"):
                robot.inverse_dynamics_derivatives(np.tile(robot.home, (3, 1)))


def test_a_recording_becomes_tables_over_the_same_memory(tmp_path: Path) -> None:
    pandas, pyarrow, polars = map(pytest.importorskip, ("pandas", "pyarrow", "polars"))
    request = {"task": "simulate", "robot": "five-bar", "duration": 0.2, "out": str(tmp_path / "run.parquet")}
    result, (recording,) = lw.record(request)
    assert result.time == 0.2 and recording.rows == 21 and recording.ending
    again = lw.read_recording(tmp_path / "run.parquet")
    assert again.columns == recording.columns
    assert all(np.array_equal(again[name], recording[name], equal_nan=True) for name in recording)
    with pytest.raises(ValueError):
        recording["t"][0] = 1.0
    arrow = pyarrow.table(recording)
    for name in recording:
        buffer = arrow[name].chunk(0).buffers()[1]
        assert buffer.address == recording[name].__array_interface__["data"][0]
        assert arrow.schema.field(name).metadata[b"unit"].decode() == recording.units[name]
    for table in (recording.to_polars(), polars.DataFrame(recording)):
        assert table.columns == list(recording) and table["t"][-1] == 0.2
    frame = recording.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.attrs["units"]["t"] == "s"
    assert np.shares_memory(frame["t"].to_numpy(), recording["t"])
    assert "<table>" in recording._repr_html_() and "<table>" in result._repr_html_()
    copied = pickle.loads(pickle.dumps(recording))
    assert copied.columns == recording.columns and np.array_equal(copied["t"], recording["t"])
    # The arrays live on without the recording.
    time = lw.record({**request, "out": None}).recording["t"]
    gc.collect()
    assert time[-1] == 0.2
    with pytest.raises(lw.FileFault, match="nowhere"):
        lw.read_recording(tmp_path / "nowhere.parquet")
    with pytest.raises(lw.Error, match="recordings"):
        lw.record({"task": "check", "robot": "five-bar", "states": 5})


def test_plots() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    recording = lw.record({"task": "simulate", "robot": "five-bar", "duration": 0.05}).recording
    figure = recording.plot()
    assert len(figure.axes) == len({column.unit for column in recording.columns[1:]})


def test_a_linear_model_for_python_control() -> None:
    control = pytest.importorskip("control")
    linear = lw.load("delta-industrial").linearize()
    system = linear.to_control()
    assert isinstance(system, control.StateSpace)
    assert system.nstates == 6 and system.ninputs == 3
    with pytest.raises(AttributeError, match="linearize"):
        lw.load("five-bar").check(states=5).to_control()


def test_a_regulator_in_a_loop_of_its_own_does_what_it_does_in_ours() -> None:
    robot = lw.load("delta-industrial")
    regulator = robot.regulator()
    state = regulator.target(0.0)
    pose, velocity = np.array(state.pose), np.zeros(3)
    steps = 10
    worst = 0.0
    for k in range(int(0.1 / regulator.period)):
        time = k * regulator.period
        q = robot.inverse_kinematics(pose)
        effort = regulator.step(time, q)
        assert np.isfinite(effort).all()
        worst = max(worst, float(abs(q - regulator.reference(time)).max()))
        for _ in range(steps):
            h = regulator.period / steps
            velocity = velocity + h * robot.forward_dynamics(pose, velocity, effort).platform
            pose = pose + h * velocity
    assert regulator.fault is None and worst < 0.02, worst
    assert robot.inverse_dynamics(*regulator.target(0.05)).shape == (3,)
    regulator.reset()
    with pytest.raises(lw.InvalidInput, match="3 numbers"):
        regulator.step(0.0, [1.0, 2.0])
    with pytest.raises(lw.InvalidInput, match="time"):
        regulator.step(np.nan, [1.0, 2.0, 3.0])
    # A measurement that cannot be: the safe command, and a word about it.
    assert np.isfinite(regulator.step(0.0, [np.nan, 0.0, 0.0])).all()
    assert regulator.fault is not None and regulator.fault[0] == 0.0
    with pytest.raises(lw.InvalidRequest):
        robot.regulator(nonsense=1)
    with pytest.raises(lw.Error):
        lw.load("delta-industrial").regulator(path="no path")


def test_regulators_of_several_threads_do_not_mix() -> None:
    robot = lw.load("five-bar")
    regulators = [robot.regulator() for _ in range(4)]
    expected = [regulators[0].reference(0.01 * k) for k in range(50)]
    wrong: list[int] = []

    def ask(number: int) -> None:
        for k in range(50):
            # Two threads share one regulator.
            if not np.array_equal(regulators[number // 2].reference(0.01 * k), expected[k]):
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_page_in_a_notebook(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    lw.load("five-bar").simulate(duration=0.05, report=str(page))
    shown = lw.Page(page)._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts"') and "&lt;html" in shown and "<script" not in shown


def test_the_studio_in_a_notebook(tmp_path: Path) -> None:
    mine = lw.robot("delta", geometry=LENGTHS, name="mine")
    try:
        studios = [lw.Studio(), lw.Studio("five-bar"), lw.Studio(lw.load("gough-stewart")), lw.Studio(mine)]
    except lw.InvalidRequest as error:
        # Built without the page: it says what to do. Where the page is known to be there it must be in the package.
        assert "LEGWORK_HAS_STUDIO" not in os.environ
        assert "without the studio" in str(error) and "studio.sh" in (error.hint or "")
        return
    for studio, name in zip(studios, [None, "five-bar", "gough-stewart", "mine"]):
        shown = studio._repr_html_()
        # A frame of its own, which may run and save, and nothing else; what is in it is the page to the letter.
        assert shown.startswith('<iframe sandbox="allow-scripts allow-downloads" style="') and "<script" not in shown
        file = tmp_path / "studio.html"
        studio.save(file)
        page = file.read_text(encoding="utf-8")
        assert unescape(shown.split('srcdoc="', 1)[1].rsplit('"', 1)[0]) == page
        settings = json.loads(page.split('id="settings">', 1)[1].split("<", 1)[0])
        robot = settings["robot"]
        assert (robot and robot["name"]) == name and (name or "its own robot") in repr(studio)
        assert name != "mine" or "mine" in robot["text"]
        assert file.stat().st_size < 3e6
    with pytest.raises(lw.InvalidRobot, match="five-bar"):
        lw.Studio("five-baar")


def test_robots_from_keywords() -> None:
    ours = lw.robot("delta", geometry=LENGTHS, name="mine")
    theirs = lw.load("delta-industrial")
    assert ours.name == "mine" and not ours.has_masses
    pose = [0.1, -0.05, -0.8]
    assert np.array_equal(ours.inverse_kinematics(pose), theirs.inverse_kinematics(pose))
    with pytest.raises(lw.InvalidRobot, match="did you mean"):
        lw.robot("delta", geometry={**LENGTHS, "fore_arm": np.float32(1.0)})
    assert lw.robot("delta", geometry=LENGTHS, name="Größe 🤖").name == "Größe 🤖"
    with pytest.raises(lw.InvalidRobot, match="cannot hold"):
        lw.robot("delta", geometry={"arm": object()})


def test_progress_by_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    lw.load("five-bar").check(states=50, progress=True)
    assert "%|" in capsys.readouterr().err


def test_callbacks_that_fail_in_records() -> None:
    def angry(done: float, what: str) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError):
        lw.record({"task": "simulate", "robot": "gough-stewart", "duration": 20.0}, progress=angry)


def test_orientations_that_are_none_are_refused() -> None:
    hexapod, delta = lw.load("gough-stewart"), lw.load("delta-industrial")
    turn = hexapod.rotation([0, 0, 0.8, 0.1, 0.2, 0.3])
    assert np.allclose(hexapod.pose([0, 0, 0.8], rotation=turn), [0, 0, 0.8, 0.1, 0.2, 0.3])
    for matrix, words in (
        (-np.eye(3), "it mirrors"),
        (2 * np.eye(3), "no rotation"),
        (np.nan * np.eye(3), "is NaN"),
    ):
        with pytest.raises(lw.InvalidInput, match=words):
            hexapod.pose([0, 0, 0.8], rotation=matrix)
    with pytest.raises(lw.InvalidInput, match="two orientations"):
        hexapod.pose([0, 0, 0.8], rotation=turn, quaternion=[1, 0, 0, 0])
    # A platform that does not turn has one orientation, which may be said.
    assert np.array_equal(delta.pose([0, 0, -0.8], rotation=np.eye(3)), [0, 0, -0.8])
    for given in ({"rotation": turn}, {"quaternion": [0, 0, 0, 1]}, {"rotation": [1.0, 0.0]}):
        with pytest.raises(lw.InvalidInput, match="does not turn"):
            delta.pose([0, 0, -0.8], **given)
