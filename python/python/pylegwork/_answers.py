"""Answers of several arrays."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Mark(IntEnum):
    """Whether a state of a batch has an answer, or what kind of error it has."""

    ANSWERED = 0
    NOT_FINITE = 1
    NOT_A_ROTATION = 2
    NOT_A_FREEDOM = 3
    UNREACHABLE = 4
    SERIAL_SINGULARITY = 5
    PARALLEL_SINGULARITY = 6
    NO_MASS = 7
    OTHER = 8


class Joint(NamedTuple):
    """An actuated joint; its numbers count at the joint, behind the gear."""

    name: str
    #: Of its value: rad or m.
    unit: str
    #: Of its effort: N m or N.
    effort_unit: str
    min: float | None
    max: float | None
    max_effort: float | None
    max_speed: float | None
    #: Turns of the motor for one turn of the joint.
    gear_ratio: float


class JointSolution(NamedTuple):
    """One answer of the inverse kinematics."""

    #: The working mode.
    mode: str
    #: Joint values [rad or m].
    q: Array
    #: The joints that are outside their limits, from 0.
    outside_limits: tuple[int, ...]


class PlatformSolution(NamedTuple):
    """One answer of the forward kinematics."""

    #: The assembly mode: `below`, or its number.
    mode: str
    pose: Array
    #: How far the joints are off.
    residual: float


class Singularity(NamedTuple):
    """How far poses are from singularities: 0 is singular, 1 is best; the condition number is 1 or more."""

    serial: Array
    parallel: Array
    condition: Array


class ForwardDynamics(NamedTuple):
    """Accelerations of the freedoms of the platform and of the joints."""

    platform: Array
    joint: Array


class ForwardDerivatives(NamedTuple):
    """Derivatives of the accelerations of the platform's freedoms, a row for each."""

    pose: Array
    velocity: Array
    effort: Array
    wrench: Array


class InverseDerivatives(NamedTuple):
    """Derivatives of the efforts of the motors, a row for each."""

    pose: Array
    velocity: Array
    acceleration: Array
    wrench: Array


class Target(NamedTuple):
    """Where the platform should be."""

    pose: Array
    velocity: Array
    acceleration: Array


class Energies(NamedTuple):
    """Energies of the whole robot [J]."""

    kinetic: Array
    potential: Array


class LegForces(NamedTuple):
    """What each leg does to the platform [N]."""

    force: Array
    axial: Array


for _class in (
    Mark, Joint, JointSolution, PlatformSolution, Singularity, ForwardDynamics, Energies, LegForces,
    ForwardDerivatives, InverseDerivatives, Target,
):  # fmt: skip
    _class.__module__ = "pylegwork"
