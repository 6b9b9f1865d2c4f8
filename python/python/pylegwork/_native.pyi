from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from ._answers import (
    Energies,
    ForwardDerivatives,
    ForwardDynamics,
    InverseDerivatives,
    Joint,
    LegForces,
    Singularity,
    Target,
)
from ._tasks import Progress, Result

_Array = npt.NDArray[np.float64]
_Marks = npt.NDArray[np.uint8]

__version__: str

def robots() -> list[str]: ...
def load(name_or_path: str | os.PathLike[str]) -> Robot: ...
def _reopened(request: str) -> Robot: ...
def marks() -> list[tuple[str, int]]: ...
def tasks() -> list[str]: ...
def program(words: list[str]) -> int: ...
_Recording = tuple[list[tuple[str, str, str | None]], list[_Array], dict[str, str], str]

def run_request(
    text: str, format: str, progress: Progress | None, note: Callable[[str], object]
) -> str: ...
def record_request(
    text: str, format: str, progress: Progress | None, note: Callable[[str], object]
) -> tuple[str, list[_Recording]]: ...
def read_recording(path: str) -> _Recording: ...
def studio_page(robot: Robot | None) -> str | None: ...
def without_studio() -> str: ...
def regulator(text: str) -> Regulator: ...

class Regulator:
    @property
    def period(self) -> float: ...
    @property
    def duration(self) -> float: ...
    @property
    def fault(self) -> tuple[float, str] | None: ...
    def step(self, time: float, q: npt.ArrayLike, qd: npt.ArrayLike | None = None) -> _Array: ...
    def reference(self, time: float) -> _Array: ...
    def target(self, time: float) -> Target: ...
    def reset(self) -> None: ...

class Robot:
    @classmethod
    def from_toml(cls, text: str, name: str = "robot.toml") -> Robot: ...
    @property
    def name(self) -> str: ...
    @property
    def joints(self) -> tuple[Joint, ...]: ...
    @property
    def freedoms(self) -> tuple[str, ...]: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def home(self) -> _Array: ...
    @property
    def has_masses(self) -> bool: ...
    @property
    def payload(self) -> float: ...
    @property
    def working_mode(self) -> str: ...
    def with_payload(self, payload: float) -> Robot: ...
    def with_working_mode(self, working_mode: str) -> Robot: ...
    def pose(
        self,
        position: npt.ArrayLike,
        *,
        quaternion: npt.ArrayLike | None = None,
        rotation: npt.ArrayLike | None = None,
    ) -> _Array: ...
    # A list of JointSolution for one pose, a list of such lists for many.
    def all_inverse_kinematics(self, pose: npt.ArrayLike) -> list[Any]: ...
    # A list of PlatformSolution for one row, a list of such lists for many.
    def all_forward_kinematics(self, q: npt.ArrayLike) -> list[Any]: ...
    @overload
    def rotation(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def rotation(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def inverse_kinematics(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def inverse_kinematics(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def forward_kinematics(
        self,
        q: npt.ArrayLike,
        *,
        near: npt.ArrayLike | None = None,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def forward_kinematics(
        self,
        q: npt.ArrayLike,
        *,
        near: npt.ArrayLike | None = None,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def jacobian(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def jacobian(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def singularity(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> Singularity: ...
    @overload
    def singularity(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[Singularity, _Marks]: ...
    @overload
    def inverse_dynamics(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        acceleration: npt.ArrayLike | None = None,
        wrench: npt.ArrayLike | None = None,
        out: _Array | None = None,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def inverse_dynamics(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        acceleration: npt.ArrayLike | None = None,
        wrench: npt.ArrayLike | None = None,
        out: _Array | None = None,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def forward_dynamics(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None,
        effort: npt.ArrayLike,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[False] = False,
    ) -> ForwardDynamics: ...
    @overload
    def forward_dynamics(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None,
        effort: npt.ArrayLike,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[True],
    ) -> tuple[ForwardDynamics, _Marks]: ...
    @overload
    def forward_dynamics_derivatives(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None,
        effort: npt.ArrayLike,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[False] = False,
    ) -> ForwardDerivatives: ...
    @overload
    def forward_dynamics_derivatives(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None,
        effort: npt.ArrayLike,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[True],
    ) -> tuple[ForwardDerivatives, _Marks]: ...
    @overload
    def inverse_dynamics_derivatives(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        acceleration: npt.ArrayLike | None = None,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[False] = False,
    ) -> InverseDerivatives: ...
    @overload
    def inverse_dynamics_derivatives(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        acceleration: npt.ArrayLike | None = None,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[True],
    ) -> tuple[InverseDerivatives, _Marks]: ...
    @overload
    def mass_matrix(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def mass_matrix(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def platform_mass_matrix(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def platform_mass_matrix(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def coriolis(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def coriolis(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def gravity(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[False] = False,
    ) -> _Array: ...
    @overload
    def gravity(
        self,
        pose: npt.ArrayLike,
        *,
        return_marks: Literal[True],
    ) -> tuple[_Array, _Marks]: ...
    @overload
    def energies(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[False] = False,
    ) -> Energies: ...
    @overload
    def energies(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[True],
    ) -> tuple[Energies, _Marks]: ...
    @overload
    def leg_forces(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        acceleration: npt.ArrayLike | None = None,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[False] = False,
    ) -> LegForces: ...
    @overload
    def leg_forces(
        self,
        pose: npt.ArrayLike,
        velocity: npt.ArrayLike | None = None,
        acceleration: npt.ArrayLike | None = None,
        wrench: npt.ArrayLike | None = None,
        *,
        return_marks: Literal[True],
    ) -> tuple[LegForces, _Marks]: ...
    def simulate(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def follow(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def identify(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def excite(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def plan(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def size(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def map(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def linearize(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def sensitivity(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def calibrate(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def regulator(self, **keys: Any) -> Regulator: ...
    def check(self, *, progress: Progress | bool | None = None, **keys: Any) -> Result: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...
