"""What a robot is."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import pylegwork as lw

DELTA = """
family = "delta"
name = "mine"
[geometry]
base_radius = "200 mm"
platform_radius = "45 mm"
arm = "350 mm"
forearm = "800 mm"
"""


def test_every_built_in_robot_loads_and_stands_at_home() -> None:
    assert len(lw.robots()) == len(set(lw.robots())) > 40
    for name in lw.robots():
        robot = lw.load(name)
        assert robot.name == name
        assert robot.home.shape == (len(robot.coordinates),)
        q = robot.inverse_kinematics(robot.home)
        assert q.shape == (len(robot.joints),)
        assert np.isfinite(q).all(), name


def test_joints_have_units_and_limits() -> None:
    joint = lw.load("irb360-1600").joints[0]
    assert (joint.name, joint.unit, joint.effort_unit) == ("q1", "rad", "N m")
    slide = lw.load("linear-delta").joints[2]
    assert (slide.name, slide.unit, slide.effort_unit) == ("q3", "m", "N")


def test_a_robot_from_a_file_and_from_its_text_is_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(DELTA)
    pose = [0.1, -0.05, -0.8]
    from_text = lw.Robot.from_toml(DELTA)
    for robot in (lw.load(file), lw.load(str(file))):
        assert robot.name == from_text.name == "mine"
        assert np.array_equal(robot.inverse_kinematics(pose), from_text.inverse_kinematics(pose))


def test_payload_and_working_mode_make_another_robot() -> None:
    robot = lw.load("delta-industrial")
    heavy = robot.with_payload(3.0)
    assert (robot.payload, heavy.payload) == (1.0, 3.0)
    # The platform carries 2 kg more: the power of its weight is that of the motors.
    pose, g = [0.1, -0.05, -0.8], 9.81
    more = heavy.gravity(pose) - robot.gravity(pose)
    assert np.allclose(np.linalg.solve(robot.jacobian(pose).T, more), [0, 0, 2.0 * g], atol=1e-10)
    other = robot.with_working_mode("in")
    assert other.working_mode == "in-in-in"
    assert np.array_equal(other.inverse_kinematics(pose), robot.all_inverse_kinematics(pose)[-1].q)


def test_a_robot_survives_pickle_and_copy() -> None:
    robot = lw.load("delta-industrial").with_payload(2.5).with_working_mode("out-in-out")
    pose, velocity = [0.1, -0.05, -0.8], [0.3, 0.2, -0.1]
    for twin in (pickle.loads(pickle.dumps(robot)), copy.deepcopy(robot)):
        assert (twin.payload, twin.working_mode) == (2.5, "out-in-out")
        assert np.array_equal(twin.inverse_dynamics(pose, velocity), robot.inverse_dynamics(pose, velocity))


def test_words() -> None:
    robot = lw.Robot.from_toml(DELTA.replace('"mine"', '"a<b>&c"'))
    assert "3 joints" in repr(robot)
    html = robot._repr_html_()
    assert html.startswith("<pre>a&lt;b&gt;&amp;c")
    assert "<b>" not in html


def test_poses_from_quaternions_and_matrices() -> None:
    robot = lw.load("gough-stewart")
    angles = [0.1, -0.2, 0.3]
    matrix = robot.rotation([0.0, 0.0, 0.8, *angles])
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-15)
    assert np.allclose(robot.pose([0, 0, 0.8], rotation=matrix.ravel()), [0, 0, 0.8, *angles], atol=1e-15)
    assert np.allclose(robot.pose([0, 0, 0.8], rotation=matrix), [0, 0, 0.8, *angles], atol=1e-15)
    # A quarter turn about z is yaw.
    half = np.sqrt(0.5)
    pose = robot.pose([0, 0, 0.8], quaternion=[half, 0, 0, half])
    assert np.allclose(pose, [0, 0, 0.8, 0, 0, np.pi / 2], atol=1e-15)
    with pytest.raises(lw.InvalidInput, match="has the length 2"):
        robot.pose([0, 0, 0.8], quaternion=[2, 0, 0, 0])


def test_marks_are_those_of_the_library() -> None:
    from pylegwork import _native

    names = {"".join(word.title() for word in mark.name.split("_")): mark.value for mark in lw.Mark}
    assert names == dict(_native.marks())
