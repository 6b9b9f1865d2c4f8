"""Exceptions have the library's words and numbers."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import pylegwork as lw

POINTS_ONLY = """
family = "delta"
name = "bare"
[geometry]
base_radius = "200 mm"
platform_radius = "45 mm"
arm = "350 mm"
forearm = "800 mm"
"""


def test_a_leg_that_is_too_short_says_by_how_much() -> None:
    robot = lw.load("delta-industrial")
    with pytest.raises(lw.OutOfReach) as refused:
        robot.inverse_kinematics([0.0, 0.0, -1.2])
    error = refused.value
    assert error.leg == 0
    # The leg is stretched from the motor at 200 mm to the platform joint at 45 mm, 1200 mm below; it has 1150 mm.
    assert error.missing == pytest.approx((0.155**2 + 1.2**2) ** 0.5 - 1.15, abs=1e-12)
    assert str(error).startswith("out of reach: leg 1 is ")
    assert error.hint is not None and f"hint: {error.hint}" in str(error)


def test_legs_of_the_engine_have_a_margin() -> None:
    with pytest.raises(lw.OutOfReach) as refused:
        lw.load("hexa").inverse_kinematics([0.0, 0.0, -9.0])
    assert refused.value.leg == 0
    assert refused.value.missing is None
    assert refused.value.margin is not None and refused.value.margin < 0.0


def test_a_number_that_is_none_is_named() -> None:
    with pytest.raises(lw.InvalidInput) as refused:
        lw.load("gough-stewart").inverse_dynamics([0.0, 0.0, 0.8], [0.0, float("inf"), 0.0])
    assert (refused.value.component, refused.value.value) == (1, float("inf"))
    assert isinstance(refused.value, ValueError)


def test_a_robot_without_masses() -> None:
    robot = lw.Robot.from_toml(POINTS_ONLY)
    assert not robot.has_masses
    for pose in ([0.0, 0.0, -0.8], [[0.0, 0.0, -0.8]] * 3):
        for call in (robot.inverse_dynamics, robot.mass_matrix, robot.gravity, robot.energies, robot.leg_forces):
            with pytest.raises(lw.NoMasses, match="`bare` has geometry only"):
                call(pose)
            with pytest.raises(lw.NoMasses):
                call(pose, return_marks=True)
    with pytest.raises(lw.NoMasses):
        robot.with_payload(1.0)
    assert robot.jacobian([0.0, 0.0, -0.8]).shape == (3, 3)


def test_files_that_are_no_robots(tmp_path: Path) -> None:
    with pytest.raises(lw.InvalidRobot, match="delta-industrial"):
        lw.load("delta-industral")
    with pytest.raises(lw.InvalidRobot):
        lw.load(tmp_path / "nothing.toml")
    with pytest.raises(lw.InvalidRobot, match="forarm") as refused:
        lw.Robot.from_toml(POINTS_ONLY.replace("forearm", "forarm"), "mine.toml")
    assert "mine.toml" in str(refused.value)


def test_variants_that_cannot_be() -> None:
    robot = lw.load("delta-industrial")
    with pytest.raises(lw.InvalidInput, match="a payload of -1 kg"):
        robot.with_payload(-1.0)
    with pytest.raises(lw.InvalidInput, match="`sideways` is no working mode"):
        robot.with_working_mode("sideways")
    with pytest.raises(TypeError):
        robot.with_payload("1 kg")  # type: ignore[arg-type]


def test_singular_poses() -> None:
    # Fichter's singularity: a hexapod whose platform is turned by a quarter about the vertical.
    robot, turned = lw.load("gough-stewart"), [0.0, 0.0, 0.8, 0.0, 0.0, np.pi / 2]
    with pytest.raises(lw.Singular, match="the motors do not hold the platform") as refused:
        robot.inverse_dynamics(turned)
    assert refused.value.leg is None
    assert refused.value.margin is not None and abs(refused.value.margin) < 1e-12
    assert robot.inverse_dynamics([turned, robot.home.tolist()], return_marks=True)[1].tolist() == [
        lw.Mark.PARALLEL_SINGULARITY,
        lw.Mark.ANSWERED,
    ]
    # A five-bar between its motors, 0.1 m from each: arms of 0.25 m and rods of 0.35 m are folded.
    with pytest.raises(lw.Singular, match="leg 1 is singular") as folded:
        lw.load("five-bar").inverse_dynamics([0.0, 0.0])
    assert folded.value.leg == 0


def test_a_platform_that_does_not_turn() -> None:
    with pytest.raises(lw.InvalidInput, match="does not turn"):
        lw.load("delta-industrial").inverse_kinematics([0.0, 0.0, -0.8, 0.0, 0.0, 0.1])


def test_errors_survive_pickle() -> None:
    with pytest.raises(lw.OutOfReach) as refused:
        lw.load("delta-industrial").inverse_kinematics([0.0, 0.0, -9.0])
    twin = pickle.loads(pickle.dumps(refused.value))
    assert type(twin) is lw.OutOfReach
    assert (str(twin), twin.leg, twin.missing) == (str(refused.value), refused.value.leg, refused.value.missing)


def test_every_exception_is_an_error() -> None:
    for name in lw.__all__:
        thing = getattr(lw, name)
        if isinstance(thing, type) and issubclass(thing, BaseException):
            assert issubclass(thing, lw.Error)
            assert thing.__module__ == "pylegwork"
