"""Robots from keywords: the keys of a robot file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import InvalidRobot
from ._native import Robot


def robot(family: str, *, name: str = "robot", **keys: Any) -> Robot:
    """A robot of a family from the keys of its file: tables are dictionaries, numbers are SI or texts with a unit.

    >>> import pylegwork as lw
    >>> lengths = {"base_radius": 0.2, "platform_radius": 0.045, "arm": "350 mm", "forearm": "800 mm"}
    >>> lw.robot("delta", geometry=lengths).inverse_kinematics([0.1, -0.05, -0.8]).round(4)
    array([0.2987, 0.6272, 0.4853])
    >>> lw.robot("delta", geometry={**lengths, "arn": 1})
    Traceback (most recent call last):
        ...
    pylegwork.InvalidRobot: ...
    """
    table = {"name": name, "family": family, **keys}
    text = "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items() if value is not None)
    return Robot.from_toml(text, f"{name}.toml")


robot.__module__ = "pylegwork"


def _key(key: object) -> str:
    return str(key) if re.fullmatch(r"[A-Za-z0-9_-]+", str(key)) else _quoted(str(key))


def _quoted(text: str) -> str:
    """A text of TOML: as in JSON, but every letter as it is, and DEL is not one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """A value as TOML on one line."""
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return {"inf": "inf", "-inf": "-inf", "nan": "nan"}.get(repr(value), repr(value))
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        items = (f"{_key(key)} = {_value(item)}" for key, item in value.items() if item is not None)
        return "{ " + ", ".join(items) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise InvalidRobot(f"a robot cannot hold a value of type `{type(value).__name__}`: {value!r}")
