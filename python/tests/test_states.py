"""One state and many, shapes, strides and types."""

from pathlib import Path
from typing import Any, Callable

import numpy as np
import numpy.typing as npt
import pytest

import pylegwork as lw

Array = npt.NDArray[np.float64]
ROBOTS = ["delta-industrial", "gough-stewart", "five-bar", "planar-3rrr", "hexa", "3-rps", "two-deltas"]
SEED = 1998


class Subclass(np.ndarray):
    """An array that may mean something else by its memory."""


def motion(robot: lw.Robot, count: int, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Poses near home and motions."""
    poses = robot.home + rng.uniform(-0.01, 0.01, (count, len(robot.home)))
    if robot.name == "3-rps":
        poses[:, 3] = 0.0  # its yaw follows
    if robot.name == "two-deltas":
        poses[:, 3] = 0.0  # its roll follows
    velocity, acceleration, wrench = rng.uniform(-1.0, 1.0, (3, count, len(robot.freedoms)))
    return poses, velocity, acceleration, wrench


def flat(answer: Any) -> list[Array]:
    return list(answer) if isinstance(answer, tuple) else [answer]


@pytest.mark.parametrize("name", ROBOTS)
def test_a_batch_is_its_states_one_by_one(name: str) -> None:
    robot = lw.load(name)
    rng = np.random.default_rng(SEED)
    pose, velocity, acceleration, wrench = motion(robot, 50, rng)
    effort = rng.uniform(-1.0, 1.0, (50, len(robot.joints)))
    calls: list[tuple[Callable[..., Any], tuple[Array, ...]]] = [
        (robot.rotation, (pose,)),
        (robot.inverse_kinematics, (pose,)),
        (robot.jacobian, (pose,)),
        (robot.singularity, (pose,)),
        (robot.inverse_dynamics, (pose,)),
        (robot.inverse_dynamics, (pose, velocity)),
        (robot.inverse_dynamics, (pose, velocity, acceleration)),
        (robot.inverse_dynamics, (pose, velocity, acceleration, wrench)),
        (robot.forward_dynamics, (pose, velocity, effort)),
        (robot.forward_dynamics, (pose, velocity, effort, wrench)),
        (robot.mass_matrix, (pose,)),
        (robot.platform_mass_matrix, (pose,)),
        (robot.coriolis, (pose, velocity)),
        (robot.gravity, (pose,)),
        (robot.energies, (pose, velocity)),
        (robot.leg_forces, (pose, velocity, acceleration, wrench)),
    ]
    for call, arguments in calls:
        whole, marks = call(*arguments, return_marks=True)
        assert marks.dtype == np.uint8 and marks.shape == (50,)
        assert not marks.any(), call
        for number in range(50):
            alone = call(*(argument[number] for argument in arguments))
            for one, all_of_them in zip(flat(alone), flat(whole)):
                assert one.dtype == np.float64
                assert np.isfinite(one).all()
                assert np.array_equal(one, all_of_them[number]), call


@pytest.mark.parametrize("name", ROBOTS)
def test_forward_kinematics_goes_back(name: str) -> None:
    robot = lw.load(name)
    pose = motion(robot, 20, np.random.default_rng(SEED))[0]
    pose = np.vstack([pose, robot.home])
    q = robot.inverse_kinematics(pose)
    found, marks = robot.forward_kinematics(q, return_marks=True)
    assert found.shape == pose.shape and not marks.any()
    # 1e-9: where Newton's method stops, times the condition of the robots. What a mechanism's other coordinates
    # are follows, so joints are compared.
    assert np.abs(robot.inverse_kinematics(found) - q).max() < 1e-9
    assert np.array_equal(robot.forward_kinematics(q[3]), found[3])
    near = robot.forward_kinematics(q[3], near=pose[3])
    assert np.abs(robot.inverse_kinematics(near) - q[3]).max() < 1e-9


@pytest.mark.parametrize("name", ["delta-industrial", "gough-stewart", "five-bar"])
def test_the_equation_of_motion_holds(name: str) -> None:
    robot = lw.load(name)
    pose, velocity, acceleration, wrench = motion(robot, 20, np.random.default_rng(SEED))
    effort = robot.inverse_dynamics(pose, velocity, acceleration, wrench)
    back = robot.forward_dynamics(pose, velocity, effort, wrench)
    # 1e-9: rounding, times the condition of mass matrices (10^3) and of Jacobians.
    assert np.abs(back.platform - acceleration).max() < 1e-9
    parts = np.einsum("nij,nj->ni", robot.mass_matrix(pose), back.joint)
    parts += robot.coriolis(pose, velocity) + robot.gravity(pose)
    parts -= np.einsum("nij,ni->nj", robot.jacobian(pose), wrench)
    assert np.abs(parts - effort).max() < 1e-9


def test_all_solutions() -> None:
    robot = lw.load("delta-industrial")
    poses = np.array([[0.1, -0.05, -0.8], [0.0, 0.0, -9.0], [0.0, 0.0, -0.9]])
    lists = robot.all_inverse_kinematics(poses)
    assert [len(one) for one in lists] == [8, 0, 8]
    assert [one.mode for one in robot.all_inverse_kinematics(poses[0])] == [one.mode for one in lists[0]]
    assert np.array_equal(lists[2][0].q, robot.inverse_kinematics(poses[2]))
    with pytest.raises(lw.OutOfReach):
        robot.all_inverse_kinematics(poses[1])
    below, above = robot.all_forward_kinematics(lists[0][0].q)
    assert np.allclose(below.pose, poses[0], atol=1e-14)
    assert above.pose[2] > below.pose[2]
    assert len(robot.all_forward_kinematics([lists[0][0].q, lists[2][0].q])) == 2


def test_a_state_without_an_answer() -> None:
    robot = lw.load("delta-industrial")
    poses = np.array([[0.1, -0.05, -0.8], [0.0, 0.0, -9.0], [np.nan, 0.0, -0.8], [0.0, 0.0, -0.9]])
    expected = [lw.Mark.ANSWERED, lw.Mark.UNREACHABLE, lw.Mark.NOT_FINITE, lw.Mark.ANSWERED]
    for call in (robot.inverse_kinematics, robot.jacobian, robot.inverse_dynamics, robot.gravity, robot.mass_matrix):
        answer, marks = call(poses, return_marks=True)
        assert marks.tolist() == expected
        assert np.isnan(answer[1:3]).all() and np.isfinite(answer[[0, 3]]).all()
        # The same without marks, and for one state with them.
        assert np.array_equal(call(poses), answer, equal_nan=True)
        alone, mark = call(poses[1], return_marks=True)
        assert mark == lw.Mark.UNREACHABLE and np.isnan(alone).all()
        with pytest.raises(lw.OutOfReach):
            call(poses[1])
        with pytest.raises(lw.InvalidInput, match="is NaN"):
            call(poses[2])


def test_what_holds_every_number_is_taken() -> None:
    robot = lw.load("delta-industrial")
    pose = np.array([0.125, -0.0625, -0.75])  # exact in float32 too
    velocity = np.array([1.0, 2.0, -3.0])
    expected = robot.inverse_dynamics(pose, velocity)
    unaligned = np.frombuffer(b"\0" + pose.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not unaligned.flags.aligned
    records = np.zeros(3, dtype=[("a", "u1"), ("x", "f8")])
    records["x"] = pose
    read_only = pose.copy()
    read_only.flags.writeable = False
    for given in [
        pose.tolist(),
        tuple(pose),
        pose[::-1].copy()[::-1],
        np.column_stack([pose, pose])[:, 0],
        pose.astype(np.float32),
        pose.astype(np.longdouble),
        pose.astype(">f8"),
        unaligned,
        records["x"],
        read_only,
    ]:
        for speed in (velocity, [1, 2, -3], velocity.astype(np.int8), velocity.astype(np.float16)):
            assert np.array_equal(robot.inverse_dynamics(given, speed), expected)


def test_many_rows_of_any_order() -> None:
    robot = lw.load("gough-stewart")
    poses = robot.home + np.random.default_rng(SEED).uniform(-0.05, 0.05, (30, 6))
    expected = robot.inverse_dynamics(poses)
    wide = np.zeros((60, 12))
    wide[::2, ::2] = poses
    for given in (np.asfortranarray(poses), wide[::2, ::2], poses[::-1][::-1], poses.tolist(), poses.view(Subclass)):
        assert np.array_equal(robot.inverse_dynamics(given), expected)
    # More rows than are asked together.
    many = np.tile(poses, (1200, 1))
    answer = robot.inverse_dynamics(many)
    assert np.array_equal(answer.reshape(1200, 30, 6), np.broadcast_to(expected, (1200, 30, 6)))


def test_one_row_stands_for_all() -> None:
    robot = lw.load("delta-industrial")
    rng = np.random.default_rng(SEED)
    pose, velocity, acceleration, _ = motion(robot, 7, rng)
    expected = robot.inverse_dynamics(pose, np.tile(velocity[0], (7, 1)), acceleration)
    assert np.array_equal(robot.inverse_dynamics(pose, velocity[0], acceleration), expected)
    expected = robot.inverse_dynamics(np.tile(pose[0], (7, 1)), velocity)
    assert np.array_equal(robot.inverse_dynamics(pose[0], velocity), expected)
    effort = [1.0, 2.0, 3.0]
    answer = robot.forward_dynamics(pose, None, effort)
    assert np.array_equal(answer.joint[2], robot.forward_dynamics(pose[2], None, effort).joint)


def test_no_rows() -> None:
    robot = lw.load("delta-industrial")
    assert robot.inverse_dynamics(np.zeros((0, 3))).shape == (0, 3)
    assert robot.jacobian(np.zeros((0, 3))).shape == (0, 3, 3)
    assert robot.forward_kinematics(np.zeros((0, 3))).shape == (0, 3)
    answer, marks = robot.energies(np.zeros((0, 3)), return_marks=True)
    assert answer.kinetic.shape == marks.shape == (0,)
    with pytest.raises(lw.InvalidInput, match="`pose` needs 3 numbers"):
        robot.inverse_dynamics(np.zeros((0, 4)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([0.1, 0.2], "`pose` needs 3 numbers, X Y Z, and 2 are given"),
        ([], "`pose` needs 3 numbers"),
        (0.5, "`pose` has 0 dimensions"),
        (np.zeros((2, 2, 3)), "`pose` has 3 dimensions"),
        ([[0.1, 0.2, -0.8], [0.1]], "`pose` is no array of numbers"),
        (["a", "b", "c"], "`pose` is an array of <U1"),
        ("0.1 0.2 -0.8", "`pose` is an array of <U"),
        (np.array([1j, 0, 0]), "`pose` is an array of complex128"),
        ([True, False, True], "`pose` is an array of bool"),
        ([None, 0.0, 0.0], "`pose` is an array of object"),
        ({"x": 1}, "`pose` is an array of object"),
        (None, "`pose` is an array of object"),
        ([10**400, 0, 0], "`pose` is an array of object"),
        (np.ma.masked_array([0.1, 0.0, -0.8], mask=[True, False, False]), "`pose` is a masked array"),
        ([float("inf"), 0.0, -0.8], "component 1 of the position is inf"),
        ([1e200, 0.0, -0.8], ""),
    ],
)
def test_what_is_no_pose_is_refused(given: Any, words: str) -> None:
    robot = lw.load("delta-industrial")
    with pytest.raises(lw.Error) as refused:
        robot.inverse_dynamics(given)
    assert words in str(refused.value)


def test_rows_that_do_not_go_together_are_refused() -> None:
    robot = lw.load("delta-industrial")
    poses = np.tile([0.1, -0.05, -0.8], (5, 1))
    with pytest.raises(lw.InvalidInput, match="`pose` has 5 rows and `velocity` has 4"):
        robot.inverse_dynamics(poses, np.zeros((4, 3)))
    with pytest.raises(lw.InvalidInput, match="`pose` has 5 rows and `effort` has 2"):
        robot.forward_dynamics(poses, None, np.zeros((2, 3)))
    with pytest.raises(lw.InvalidInput, match="efforts: 3 numbers expected, 4 given"):
        robot.forward_dynamics(poses, None, np.zeros(4))
    with pytest.raises(lw.InvalidInput, match="3 numbers expected, 4 given"):
        robot.forward_kinematics(np.zeros((2, 4)))
    with pytest.raises(lw.InvalidInput, match="`velocity` needs 3 numbers, VX VY VZ, and 6 are given"):
        robot.coriolis(poses, np.zeros(6))


def test_out_takes_the_answer() -> None:
    robot = lw.load("delta-industrial")
    pose = np.array([0.1, -0.05, -0.8])
    poses = np.tile(pose, (5, 1))
    one, many = np.zeros(3), np.zeros((5, 3))
    assert robot.inverse_dynamics(pose, out=one) is one
    assert np.array_equal(one, robot.inverse_dynamics(pose))
    assert robot.inverse_dynamics(poses, out=many) is many
    assert np.array_equal(many, robot.inverse_dynamics(poses))
    many[:] = 0.0
    answer, marks = robot.inverse_dynamics(poses, out=many, return_marks=True)
    assert answer is many and marks.tolist() == [0] * 5
    assert np.array_equal(many, robot.inverse_dynamics(poses))


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(4),
        np.zeros(3, dtype=np.float32),
        np.zeros(6)[::2],
        np.zeros((1, 3)),
        [0.0, 0.0, 0.0],
        np.frombuffer(bytes(24), dtype=np.float64),
        "x",
    ],
)
def test_an_out_that_cannot_take_it_is_refused(out: Any) -> None:
    robot = lw.load("delta-industrial")
    with pytest.raises(lw.InvalidInput, match=r"`out` must be .* of shape \(3,\)"):
        robot.inverse_dynamics([0.1, -0.05, -0.8], out=out)
    with pytest.raises(lw.InvalidInput, match=r"`out` must be .* of shape \(2, 3\)"):
        robot.inverse_dynamics([[0.1, -0.05, -0.8]] * 2, out=out)


def test_an_out_of_other_order_or_of_an_argument_is_refused() -> None:
    robot = lw.load("delta-industrial")
    poses = np.tile([0.1, -0.05, -0.8], (5, 1))
    for out in (np.zeros((5, 3), order="F"), np.zeros((3, 5)), poses):
        before = out.copy()
        with pytest.raises(lw.InvalidInput, match="`out` must be"):
            robot.inverse_dynamics(poses, out=out)
        assert np.array_equal(out, before)
    # One row is read before it is written.
    expected = robot.inverse_dynamics(poses[0])
    assert np.array_equal(robot.inverse_dynamics(poses[0], out=poses[0]), expected)


def test_a_platform_that_stands_turned() -> None:
    file = Path(__file__).parents[2] / "crates" / "legwork-model" / "robots" / "custom-delta.toml"
    turned = file.read_text(encoding="utf-8").replace("[home]\n", "[home]\norientation = [0, 0, '5 deg']\n")
    robot = lw.Robot.from_toml(turned)
    assert robot.coordinates == ("x", "y", "z")
    assert robot.rotation(robot.home)[1, 0] == pytest.approx(np.sin(np.radians(5.0)), abs=1e-15)
    poses = robot.home + np.random.default_rng(SEED).uniform(-0.01, 0.01, (9, 3))
    efforts, marks = robot.inverse_dynamics(poses, return_marks=True)
    assert not marks.any()
    for pose, effort in zip(poses, efforts):
        assert np.array_equal(robot.inverse_dynamics(pose), effort)
