"""One robot, many threads."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pylegwork as lw


@pytest.mark.parametrize("name", ["delta-industrial", "gough-stewart", "hexa", "3-rps"])
def test_a_robot_used_from_several_threads_gives_the_same_bits(name: str) -> None:
    robot = lw.load(name)
    rng = np.random.default_rng(7)
    poses = robot.home + rng.uniform(-0.005, 0.005, (400, len(robot.home)))
    if name == "3-rps":
        poses[:, 3] = 0.0
    efforts, q = robot.inverse_dynamics(poses), robot.inverse_kinematics(poses)
    assert np.isfinite(efforts).all() and np.isfinite(q).all()

    def work(seed: int) -> bool:
        order = np.random.default_rng(seed).permutation(len(poses))
        same = np.array_equal(robot.inverse_dynamics(poses[order]), efforts[order])
        for number in order[:50]:
            same &= np.array_equal(robot.inverse_dynamics(poses[number]), efforts[number])
            same &= np.array_equal(robot.inverse_kinematics(poses[number]), q[number])
            try:
                robot.inverse_kinematics(poses[number] * np.nan)
                same = False
            except lw.Error:
                pass
        return bool(same)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(24)))


def test_one_out_in_many_threads_is_an_answer_or_an_error() -> None:
    robot = lw.load("delta-industrial")
    pose, out = np.array([0.1, -0.05, -0.8]), np.zeros(3)
    expected = robot.inverse_dynamics(pose)

    def work(_: int) -> bool:
        for _ in range(500):
            try:
                robot.inverse_dynamics(pose, out=out)
            except lw.InvalidInput:
                continue
        return bool(np.array_equal(out, expected))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


def test_tasks_side_by_side() -> None:
    robot = lw.load("delta-industrial")
    expected = robot.simulate(duration=0.2).to_dict()
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda _: robot.simulate(duration=0.2).to_dict(), range(12)))
    assert all(result == expected for result in results)


FORKED = """
import multiprocessing
import numpy as np
import pylegwork as lw

robot = lw.load("gough-stewart")
poses = np.tile(robot.home, (20_000, 1))
expected = robot.inverse_dynamics(poses)
lw.load("five-bar").map(quantities=["condition"])
regulator = lw.load("five-bar").regulator()


def ask(number):
    assert np.array_equal(robot.inverse_dynamics(poses), expected)
    assert lw.load("five-bar").map(quantities=["condition"]).task == "map"
    try:
        regulator.reference(0.0)
    except lw.InvalidInput as error:
        assert "forked" in str(error)
        return number
    return -1


with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(ask, range(4)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    command = [sys.executable, "-c", FORKED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 and done.stdout.strip() == "[0, 1, 2, 3]", done.stderr
