"""usage: python_speed.py FOLDER: one inverse dynamics from platform motion, by pylegwork and by Pinocchio, in one run.

FOLDER is what `cargo run --example exchange` wrote; pylegwork and the packages of requirements.txt are installed. On one core:
`OPENBLAS_NUM_THREADS=1 RAYON_NUM_THREADS=1`. The same robots and states, the same numbers to 1e-9 (it exits with 1 otherwise), and what a call takes from Python. What Pinocchio has
no call for, the projection on the loops, is done with NumPy as in exchange.py; `tree` is its share of rnea, crba and Jacobians alone.
"""

import json
import os
import sys
import timeit

import numpy as np
import pylegwork as lw
from exchange import Pinocchio


def best(call, number, repeat=30):
    """Seconds of a call, best of many short runs, so that a busy machine has a quiet moment among them; an empty one subtracted."""
    empty = min(timeit.repeat(lambda: None, number=number, repeat=repeat))
    return (min(timeit.repeat(call, number=number, repeat=repeat)) - empty) / number


def main():
    folder, fine = sys.argv[1], True
    print(f"{'robot':<18} {'differs by':>10} {'legwork':>10} {'in a batch':>10} {'Pinocchio':>10} {'tree':>10}")
    for name in ("delta-industrial", "gough-stewart"):
        data = json.load(open(os.path.join(folder, name + ".json")))
        freedoms, robot, judge = data["freedoms"], lw.load(name), Pinocchio(folder, name, data)
        worst = 0.0
        for state in data["states"]:
            pose = robot.pose(state["position"], rotation=state["rotation"])
            twist, acceleration = (np.array(state[key])[freedoms] for key in ("twist", "acceleration"))
            q = judge.from_names(dict(zip(data["names"], state["joints"])))
            ours = robot.inverse_dynamics(pose, twist, acceleration)
            theirs = judge.efforts(q, freedoms, twist, acceleration)[0]
            worst = np.maximum(worst, np.abs(ours - theirs).max() / np.abs(theirs).max())
        fine &= bool(worst <= 1e-9)
        many = [np.tile(row, (100_000, 1)) for row in (pose, twist, acceleration)]

        def tree():
            judge.set(q, np.zeros(judge.nv))
            judge.mass(), judge.bias()

        seconds = (
            best(lambda: robot.inverse_dynamics(pose, twist, acceleration), 10_000),
            best(lambda: robot.inverse_dynamics(*many), 1) / 100_000,
            best(lambda: judge.efforts(q, freedoms, twist, acceleration), 50),
            best(tree, 100),
        )
        print(f"{name:<18} {worst:>10.1e} " + " ".join(f"{figure * 1e6:>7.3f} µs" for figure in seconds), flush=True)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
