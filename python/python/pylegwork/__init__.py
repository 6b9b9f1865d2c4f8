"""Parallel robots: kinematics, dynamics and tasks of the library legwork.

SI units and radians. A pose is a row of numbers, `Robot.coordinates` names them; every function takes one row `(n,)` or
many `(N, n)`. One state without an answer raises an exception; in a batch its row is NaN, and `return_marks=True` says why.

>>> import pylegwork as lw
>>> robot = lw.load("delta-industrial")
>>> robot.inverse_dynamics([0.1, -0.05, -0.8], velocity=[1.0, 0.0, 0.0]).shape
(3,)
>>> robot.inverse_dynamics([0.0, 0.0, -9.0])
Traceback (most recent call last):
    ...
pylegwork.OutOfReach: ...
"""

from ._answers import (
    Energies,
    ForwardDerivatives,
    ForwardDynamics,
    InverseDerivatives,
    Joint,
    JointSolution,
    LegForces,
    Mark,
    PlatformSolution,
    Singularity,
    Target,
)
from ._errors import (
    Cancelled,
    Error,
    FileFault,
    InvalidInput,
    InvalidRequest,
    InvalidRobot,
    NoMasses,
    NoSolution,
    OutOfReach,
    Singular,
    TaskFailed,
)
from ._native import Regulator, Robot, __version__, load, robots, tasks
from ._page import Page, Studio
from ._recording import Column, Recorded, Recording, read_recording
from ._robots import robot
from ._sweep import Sweep, Table, draws, grid, sweep
from ._tasks import Result, record, run

__all__ = [
    "Cancelled",
    "Column",
    "Energies",
    "Error",
    "FileFault",
    "ForwardDerivatives",
    "ForwardDynamics",
    "InvalidInput",
    "InvalidRequest",
    "InvalidRobot",
    "InverseDerivatives",
    "Joint",
    "JointSolution",
    "LegForces",
    "Mark",
    "NoMasses",
    "NoSolution",
    "OutOfReach",
    "Page",
    "PlatformSolution",
    "Recorded",
    "Recording",
    "Regulator",
    "Result",
    "Robot",
    "Singular",
    "Singularity",
    "Studio",
    "Sweep",
    "Table",
    "Target",
    "TaskFailed",
    "__version__",
    "draws",
    "grid",
    "load",
    "read_recording",
    "record",
    "robot",
    "robots",
    "run",
    "sweep",
    "tasks",
]
