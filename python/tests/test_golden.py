"""Numbers that legwork did not make (golden/README.md), through Python."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pylegwork as lw

GOLDEN = Path(__file__).parents[2] / "golden"
#: The robot of a file is built in with the same numbers.
BUILT_IN = {
    "delta_industrial": "delta-industrial",
    "gough_stewart": "gough-stewart",
    "space_radial": "space-radial",
    "space_table1": "space-table1",
    "c5": "c5",
    "hexa": "hexa",
    "linear_delta": "linear-delta",
    "fivebar": "five-bar",
    "rrr3": "planar-3rrr",
}


def robot_of(name: str, parameters: dict[str, Any]) -> lw.Robot:
    if name in BUILT_IN:
        return lw.load(BUILT_IN[name])
    p = parameters
    assert name == "delta_ngoc" and p["g"] == 9.81
    return lw.Robot.from_toml(
        f"""
        family = "delta"
        name = "{name}"
        gravity = {p["g"]}
        geometry = {{ base_radius = {p["RA"]}, platform_radius = {p["RB"]}, arm = {p["LA"]}, forearm = {p["LB"]} }}
        [mass]
        platform = {p["m_n"]}
        payload = {p["m_payload"]}
        arm = {p["m_br"]}
        elbow = {p["m_c"]}
        forearm = {p["m_ab"]}
        [motor]
        rotor_inertia = {p["I_m"]}
        """
    )


def agrees(found: npt.ArrayLike, printed: npt.ArrayLike) -> bool:
    """To 1e-10 of the largest number: rounding, times the condition of the postures. Fails on NaN."""
    found, printed = np.asarray(found), np.asarray(printed)
    return found.shape == printed.shape and bool(np.abs(found - printed).max() <= 1e-10 * np.abs(printed).max())


@pytest.mark.parametrize("name", [*BUILT_IN, "delta_ngoc"])
def test_golden_states(name: str) -> None:
    file = json.loads((GOLDEN / f"{name}.json").read_text())
    assert file["format"] == "legwork-golden-1"
    robot, states = robot_of(name, file["parameters"]), file["states"]
    assert len(states) == 20

    def rows(*keys: str) -> npt.NDArray[np.float64]:
        def value(state: Any) -> Any:
            for key in keys:
                state = state[key]
            return state

        return np.array([value(state) for state in states])

    def pose(platform: dict[str, Any]) -> npt.ArrayLike:
        if "rotation" in platform:
            return robot.pose(platform["position"], rotation=platform["rotation"])
        return [*platform["position"], *([platform["angle"]] if "angle" in platform else [])]

    poses = np.array([pose(state["platform"]) for state in states])
    velocity, acceleration = rows("platform", "twist"), rows("platform", "acceleration")
    assert agrees(robot.inverse_kinematics(poses), rows("joint", "q"))
    assert agrees(robot.inverse_dynamics(poses, velocity, acceleration), rows("effort"))
    assert agrees(
        robot.inverse_dynamics(poses, velocity, acceleration, rows("external", "wrench")), rows("external", "effort")
    )
    forward = robot.forward_dynamics(poses, velocity, rows("forward", "effort"))
    assert agrees(forward.platform, rows("forward", "platform_acceleration"))
    assert agrees(forward.joint, rows("forward", "qdd"))
    assert agrees(robot.mass_matrix(poses), rows("mass_matrix"))
    assert agrees(robot.coriolis(poses, velocity), rows("coriolis_effort"))
    assert agrees(robot.gravity(poses), rows("gravity_effort"))
    assert agrees(robot.jacobian(poses), rows("jacobian"))
    assert agrees(robot.energies(poses, velocity).kinetic, rows("kinetic_energy"))
    # And each state alone.
    for number, state in enumerate(states):
        found = robot.inverse_dynamics(poses[number], velocity[number], acceleration[number])
        assert agrees(found, state["effort"])


def test_every_simple_golden_file_is_read() -> None:
    simple = {
        file.stem for file in GOLDEN.glob("*.json") if json.loads(file.read_text()).get("format") == "legwork-golden-1"
    }
    assert simple == {*BUILT_IN, "delta_ngoc"}


def test_the_library_judges_golden_files_itself() -> None:
    assert lw.run({"task": "check", "golden": GOLDEN / "gough_stewart.json"}).holds is True
