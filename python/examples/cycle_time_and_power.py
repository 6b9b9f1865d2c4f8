"""The Pareto front of cycle time and motor power: motors and lengths of a Delta on its pick-and-place cycle.

    python cycle_time_and_power.py [designs along each parameter] [folder of the store]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import pylegwork as lw


def cycle(torque: float, arm: float) -> dict[str, float]:
    """The shortest cycle [s] with motors of this torque [N m], and the largest power that one of them gives [W]."""
    geometry = {"base_radius": 0.2, "platform_radius": 0.045, "arm": arm, "forearm": 0.8}
    mass = {"platform": 0.5, "payload": 1.0, "arm": 3.4 * arm, "elbow": 0.15, "forearm": 0.3}
    robot = lw.robot("delta", geometry=geometry, mass=mass, motor={"rotor_inertia": 0.02})
    plan = robot.plan(limits={"torque_limit": [torque]}, path=PATH)
    return {"cycle": plan.cycle_time, "power": max(abs(peak.power.value) for peak in plan.peaks)}


#: The path of the cycle: 25 mm up, 305 mm over, 25 mm down.
PATH = {"from": [-0.1525, 0.0, -0.8], "to": [0.1525, 0.0, -0.8], "lift": 0.025}


def front(cost: Any, gain: Any) -> Any:
    """The rows that no other beats in both."""
    order = np.lexsort((gain, cost))
    best = np.minimum.accumulate(gain[order])
    return order[np.r_[True, best[1:] < best[:-1]]]


def main(count: int = 20, store: str | None = None) -> Any:
    """The front, printed: rows of power, cycle, torque and arm."""
    designs = lw.grid(torque=np.linspace(15.0, 120.0, count), arm=np.linspace(0.25, 0.5, count))
    table = lw.sweep(cycle, designs, store=store, chunk=8).run(progress=True)
    names = ("power", "cycle", "torque", "arm")
    rows = np.array([table[name] for name in names]).T
    rows = rows[np.isfinite(rows).all(axis=1)]
    found = rows[front(rows[:, 0], rows[:, 1])]
    print(f"{len(rows)} of {table.rows} designs do the cycle; {len(found)} of them are on the front")
    print("power [W]  cycle [s]  torque [N m]  arm [m]")
    for power, time, torque, arm in found:
        print(f"{power:9.0f}  {time:9.3f}  {torque:12.1f}  {arm:7.3f}")
    return found


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 20, words[1] if len(words) > 1 else None)
