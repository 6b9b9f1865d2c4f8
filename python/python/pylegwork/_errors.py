"""The exceptions: the library's own words, its way out, and the numbers in them."""

from __future__ import annotations


class Error(Exception):
    """Every error of pylegwork. Its text has all three parts, one on a line."""

    #: What is wrong.
    message: str
    #: Why, where the message does not say it itself.
    cause: str | None
    #: A way out, where there is one.
    hint: str | None

    def __init__(self, message: str, cause: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, cause, hint)
        self.message, self.cause, self.hint = message, cause, hint

    def __str__(self) -> str:
        lines = [self.message]
        if self.cause is not None:
            lines.append(f"cause: {self.cause}")
        if self.hint is not None:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class InvalidInput(Error, ValueError):
    """Arguments that cannot be: a wrong number of numbers, NaN, a motion that the platform cannot make."""

    #: Which number of its list, from 0.
    component: int | None = None
    #: Its value.
    value: float | None = None


class InvalidRobot(Error, ValueError):
    """A robot file that is not there, cannot be read, or describes no robot."""


class NoMasses(Error):
    """The question needs masses, and the robot has geometry only, or too few."""


class OutOfReach(Error):
    """A pose that the robot does not reach."""

    #: Which leg, from 0.
    leg: int | None = None
    #: What is missing [m], where the robot knows it in metres.
    missing: float | None = None
    #: What should not be negative, without a unit, where it does not.
    margin: float | None = None
    #: The name of the passive joint of a mechanism.
    joint: str | None = None
    #: Where that would be [rad or m].
    value: float | None = None


class Singular(Error):
    """A leg is stretched or folded, or the motors do not hold the platform."""

    #: Which leg, from 0; none if it is the platform.
    leg: int | None = None
    #: How far it is from singular, without a unit.
    margin: float | None = None


class NoSolution(Error):
    """Forward kinematics found no pose."""


class InvalidRequest(Error, ValueError):
    """A request that cannot be: an unknown key, a number out of its range, parts that contradict each other."""

    #: Which field.
    field: str | None = None
    #: Its value, in SI.
    value: float | None = None


class FileFault(Error):
    """A file that cannot be read or written."""

    #: Which one.
    path: str | None = None


class TaskFailed(Error):
    """A task that has no result."""


class Cancelled(Error):
    """A task that was cancelled. Raised in a progress callback, it cancels the task."""

    def __init__(self, message: str = "cancelled", cause: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, cause, hint)


for _class in list(Error.__subclasses__()) + [Error]:
    _class.__module__ = "pylegwork"
