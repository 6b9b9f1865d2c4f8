"""What tolerances of lengths do to the position: Monte Carlo, and exact derivatives beside it.

    python tolerances.py [draws] [folder of the store]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import pylegwork as lw

POSE = [0.1, 0.0, -0.8]
NOMINAL = {"base_radius": 0.2, "platform_radius": 0.045, "arm": 0.35, "forearm": 0.8}
#: Standard deviation of each length [m]: all three legs are made alike.
SPREAD = 5e-5


def position(base_radius: float, platform_radius: float, arm: float, forearm: float) -> dict[str, float]:
    """Where the platform of the real robot is when the motors are where they should be for the nominal one [m]."""
    q = lw.robot("delta", geometry=NOMINAL).inverse_kinematics(POSE)
    lengths = {
        "base_radius": base_radius, "platform_radius": platform_radius, "arm": arm, "forearm": forearm
    }  # fmt: skip
    return dict(zip("xyz", lw.robot("delta", geometry=lengths).forward_kinematics(q).tolist()))


def main(count: int = 10_000, store: str | None = None) -> tuple[Any, Any]:
    """Standard deviations of x, y and z [m]: from the draws, and from the derivatives."""
    draws = lw.draws(count, seed=1998, **{name: (length, SPREAD) for name, length in NOMINAL.items()})
    table = lw.sweep(position, draws, store=store, chunk=250).run(progress=True)
    drawn = np.array([table[name].std() for name in "xyz"])
    # Exact: the derivative of the position by each length, at the nominal one.
    parameters = lw.robot("delta", geometry=NOMINAL).sensitivity(of="shift", pose=POSE).parameters
    slopes = np.array([parameter.slopes for parameter in parameters])
    exact = SPREAD * np.sqrt((slopes**2).sum(axis=0))
    print("standard deviation [µm]      x       y       z")
    print("Monte Carlo            ", *(f"{1e6 * value:7.2f}" for value in drawn))
    print("exact derivatives      ", *(f"{1e6 * value:7.2f}" for value in exact))
    return drawn, exact


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 10000, words[1] if len(words) > 1 else None)
