"""What an inverse dynamics costs from Python: one state, and a state of a batch. Prints, and judges nothing."""

from __future__ import annotations

import timeit

import numpy as np

import pylegwork as lw


def main(calls: int = 10_000, states: int = 100_000) -> None:
    """Best of thirty short runs for each, so that a busy machine has a quiet moment among them, the cost of calling an empty function subtracted."""
    print(f"{'robot':<18} {'one state':>12} {'with out=':>12} {'in a batch':>12}")
    for name in ("delta-industrial", "gough-stewart"):
        robot = lw.load(name)
        rng = np.random.default_rng(1998)
        pose = robot.home + 0.01
        velocity, acceleration = rng.uniform(-1.0, 1.0, (2, len(robot.freedoms)))
        out = np.zeros(len(robot.joints))
        empty = min(timeit.repeat(lambda: None, number=calls, repeat=30)) / calls
        alone = min(
            timeit.repeat(lambda: robot.inverse_dynamics(pose, velocity, acceleration), number=calls, repeat=30)
        )
        into = min(
            timeit.repeat(
                lambda: robot.inverse_dynamics(pose, velocity, acceleration, None, out), number=calls, repeat=30
            )
        )
        poses = pose + rng.uniform(-0.01, 0.01, (states, len(pose)))
        velocities, accelerations = rng.uniform(-1.0, 1.0, (2, states, len(robot.freedoms)))
        batch = min(
            timeit.repeat(lambda: robot.inverse_dynamics(poses, velocities, accelerations), number=1, repeat=30)
        )
        figures = (alone / calls - empty, into / calls - empty, batch / states)
        print(f"{name:<18} " + " ".join(f"{figure * 1e9:>9.0f} ns" for figure in figures))


if __name__ == "__main__":
    main()
