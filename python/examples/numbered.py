"""Numbered examples, the same as `crates/legwork/examples/numbered.rs`: both print the same numbers, to the last digit."""

from __future__ import annotations

from typing import Any

import numpy as np

import pylegwork as lw


def show(number: str, what: str, numbers: Any) -> None:
    """A line for a list of numbers, as Rust prints them."""

    def digits(value: float) -> str:
        mantissa, exponent = f"{value:.17e}".split("e")
        return f"{mantissa}e{int(exponent)}"

    print(f"{number} {what}: {' '.join(digits(float(value)) for value in np.ravel(numbers))}")


def main() -> None:
    """All of them."""
    robot = lw.load("delta-industrial")
    at = [0.1, -0.05, -0.8]
    velocity, acceleration = [1.0, 0.0, 0.0], [0.0, 0.0, 5.0]

    # 1 Where are the motors, and where are they in the other working modes?
    show("1.1", "joints", robot.inverse_kinematics(at))
    for solution in robot.all_inverse_kinematics(at):
        show("1.2", solution.mode, solution.q)

    # 2 Where is the platform?
    q = robot.inverse_kinematics(at)
    show("2.1", "position", robot.forward_kinematics(q))
    show("2.2", "Jacobian", robot.jacobian(at))
    show("2.3", "condition", robot.singularity(at).condition)

    # 3 What must the motors give, and what happens if they give it?
    effort = robot.inverse_dynamics(at, velocity, acceleration)
    show("3.1", "efforts", effort)
    show("3.2", "accelerations of the joints", robot.forward_dynamics(at, velocity, effort).joint)
    show("3.3", "mass matrix", robot.mass_matrix(at))
    show("3.4", "energies", robot.energies(at, velocity))

    # 4 How do they change?
    slopes = robot.forward_dynamics_derivatives(at, velocity, effort)
    show("4.1", "accelerations by pose", slopes.pose)
    show("4.2", "accelerations by velocity", slopes.velocity)
    show("4.3", "accelerations by efforts", slopes.effort)
    show("4.4", "efforts by pose", robot.inverse_dynamics_derivatives(at, velocity, acceleration).pose)

    # 5 A robot that turns.
    hexapod = lw.load("gough-stewart")
    show("5.1", "forces", hexapod.gravity(hexapod.home))
    slopes = hexapod.forward_dynamics_derivatives(hexapod.home, None, hexapod.gravity(hexapod.home))
    show("5.2", "accelerations by pose", slopes.pose)

    # 6 In time.
    run = lw.record({"task": "simulate", "robot": robot, "duration": 0.1})
    show("6.1", "time", run.result.time)
    show("6.2", "x", run.recording["x"])

    # 7 A regulator in a loop of its own: one sample.
    regulator = lw.load("delta-direct-drive").regulator()
    show("7.1", "reference", regulator.reference(0.1))
    show("7.2", "target", regulator.target(0.1).pose)


if __name__ == "__main__":
    main()
