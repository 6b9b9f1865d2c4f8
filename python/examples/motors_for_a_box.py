"""Link lengths with the smallest motors that still reach a box, all over it: a sweep over designs of a Delta.

    python motors_for_a_box.py [designs along each length] [folder of the store]
"""

from __future__ import annotations

import sys

import numpy as np

import pylegwork as lw

#: The corners of the box that must be reached [m], below the motors.
LOW, HIGH = np.array([-0.25, -0.25, -0.95]), np.array([0.25, 0.25, -0.75])
#: What the platform must do there: any of these accelerations [m/s2].
ACCELERATION = 30.0


def largest_torque(arm: float, forearm: float) -> dict[str, float]:
    """The largest torque [N m] over the box, weight and acceleration in the three directions together."""
    geometry = {"base_radius": 0.2, "platform_radius": 0.045, "arm": arm, "forearm": forearm}
    # Rods of one kind: their masses grow with their lengths.
    mass = {"platform": 0.5, "payload": 1.0, "arm": 3.4 * arm, "elbow": 0.15, "forearm": 0.375 * forearm}
    robot = lw.robot("delta", geometry=geometry, mass=mass)
    sides = [np.linspace(low, high, 5) for low, high in zip(LOW, HIGH)]
    poses = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 3)
    ways = ACCELERATION * np.vstack([np.eye(3), -np.eye(3)])
    torques = np.stack([robot.inverse_dynamics(poses, None, way) for way in ways])
    if not np.isfinite(torques).all():
        raise lw.OutOfReach(f"arm {arm} m, forearm {forearm} m: {np.isnan(torques[0, :, 0]).sum()} of 125 poses missing")
    return {"torque": float(abs(torques).max())}


def main(count: int = 100, store: str | None = None) -> lw.Table:
    """The best design, printed; the whole table."""
    designs = lw.grid(arm=np.linspace(0.1, 0.6, count), forearm=np.linspace(0.6, 1.2, count))
    table = lw.sweep(largest_torque, designs, store=store, chunk=64).run(progress=True)
    reached = np.isfinite(table["torque"])
    print(f"{reached.sum()} of {table.rows} designs reach the box")
    best = int(np.nanargmin(table["torque"]))
    arm, forearm, torque = (table[name][best] for name in ("arm", "forearm", "torque"))
    print(f"smallest motors: {torque:.2f} N m with an arm of {arm:.3f} m and a forearm of {forearm:.3f} m")
    return table


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 100, words[1] if len(words) > 1 else None)
