"""Tasks: a request in, a result out. What a request may say and what it means is the library's matter."""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import Any

import numpy as np

from . import _native
from ._errors import InvalidRequest
from ._recording import Recorded, Recording

#: Called with the share that is done, from 0 to 1, and what is going on.
Progress = Callable[[float, str], object]

_log = logging.getLogger("pylegwork")


class Result(Mapping[str, Any]):
    """A result, or a part of one: the library's own names as attributes and as keys.

    Lists of numbers are arrays, in which NaN stands for no number.
    """

    def __init__(self, table: dict[str, Any]) -> None:
        self._table = table
        self._shown: dict[str, Any] = {}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries, lists, numbers and texts; None stands for no number."""
        copied: dict[str, Any] = json.loads(json.dumps(self._table))
        return copied

    def __getitem__(self, key: str) -> Any:
        if key not in self._shown:
            self._shown[key] = _shown(self._table[key])
        return self._shown[key]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._table:
            return self[name]
        raise AttributeError(f"this result has no `{name}`; it has {', '.join(self._table)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._table]

    def _repr_html_(self) -> str:
        def cell(value: Any) -> str:
            if isinstance(value, float):
                return f"{value:.6g}"
            if isinstance(value, (str, int)) or value is None:
                return escape(str(value))
            return f"{len(value)} × …"

        rows = (f"<tr><th>{escape(key)}</th><td>{cell(value)}</td></tr>" for key, value in self._table.items())
        return f"<table>{''.join(rows)}</table>"

    def to_control(self) -> Any:
        """The linear model of `linearize` as a `StateSpace` of python-control."""
        if "A" not in self:
            raise AttributeError("only a result of `linearize` has the matrices of a linear model")
        import control

        names = {f"{kind}s": self._table[f"{kind}_names"] for kind in ("state", "input", "output")}
        return control.ss(self["A"], self["B"], self["C"], self["D"], **names)

    def __repr__(self) -> str:
        return f"<pylegwork.Result of {self._table.get('task', 'a part')}: {', '.join(self._table)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Result, (self._table,))


Result.__module__ = "pylegwork"


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return Result(value)
    if not isinstance(value, list) or not value:
        return value
    if all(_is_number(item) for item in value) and any(item is not None for item in value):
        return np.array([np.nan if item is None else item for item in value], dtype=np.float64)
    items = [_shown(item) for item in value]
    first = items[0]
    if isinstance(first, np.ndarray) and all(
        isinstance(item, np.ndarray) and item.shape == first.shape for item in items
    ):
        return np.array(items)
    return items


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, _native.Robot):
        return json.loads(value.__reduce__()[1][0])
    if isinstance(value, Mapping):
        return dict(value)
    raise InvalidRequest(f"a request cannot hold a value of type `{type(value).__name__}`: {value!r}")


def _not_finite(value: Any, path: tuple[str, ...]) -> tuple[tuple[str, ...], float] | None:
    """The first number that is none, and where it stands."""
    if len(path) > 50:  # a request that holds itself
        return None
    if isinstance(value, (float, np.floating)):
        return None if math.isfinite(value) else (path, float(value))
    if isinstance(value, Mapping):
        items = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, (list, tuple, np.ndarray)):
        items = [(str(place), item) for place, item in enumerate(value)]
    else:
        return None
    return next((odd for key, item in items if (odd := _not_finite(item, (*path, key))) is not None), None)


def _text(request: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(request), default=_plain, allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        if isinstance(error, InvalidRequest):
            raise
        odd = _not_finite(request, ()) if isinstance(error, ValueError) else None
        if odd is not None:
            raise InvalidRequest(f"`{'.'.join(odd[0])}` is {odd[1]}, and not a finite number") from None
        raise InvalidRequest("this is not a request", cause=str(error)) from None


def _run(text: str, form: str, progress: Progress | bool | None) -> Result:
    with _listener(progress) as listener:
        return Result(json.loads(_native.run_request(text, form, listener, _log.info)))


@contextmanager
def _listener(progress: Progress | bool | None) -> Iterator[Progress | None]:
    """The callback; for `True` a bar of tqdm, if it is there."""
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            yield None
            return
        with tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining} {postfix}") as bar:

            def show(done: float, what: str) -> None:
                bar.set_postfix_str(what, refresh=False)
                bar.update(done - bar.n)

            yield show


def _form(request: Mapping[str, Any] | str | os.PathLike[str]) -> tuple[str, str]:
    """The text of a request and what it is: JSON, TOML or the name of a file."""
    if isinstance(request, Mapping):
        return _text(request), "json"
    if isinstance(request, str):
        if request.lstrip().startswith("{"):
            return request, "json"
        return request, "toml" if "=" in request else "file"
    return os.fspath(request), "file"


def run(
    request: Mapping[str, Any] | str | os.PathLike[str], *, progress: Progress | bool | None = None
) -> Result:
    """Runs a request: a dictionary, a text in JSON or TOML, or the path of a request file or of a recording.

    A text with a `=` or a `{` in it is a request, any other is a path. Ctrl-C and an exception in `progress` cancel the
    task; `progress=True` shows a bar of tqdm. What should be known beside the result goes to the logger `pylegwork`.

    >>> import pylegwork as lw
    >>> lw.run({"task": "simulate", "robot": "delta-industrial", "duration": 0.1}).time
    0.1
    >>> lw.run("task = 'simulate'\\nduraton = '100 ms'")
    Traceback (most recent call last):
        ...
    pylegwork.InvalidRequest: this is not a request: line 2, column 1: unknown word `duraton`, did you mean `duration`?
    """
    return _run(*_form(request), progress)


def record(
    request: Mapping[str, Any] | str | os.PathLike[str], *, progress: Progress | bool | None = None
) -> Recorded:
    """Runs a request `simulate` or `follow` and gives its recording too, in memory.

    >>> import pylegwork as lw
    >>> run = lw.record({"task": "simulate", "robot": "five-bar", "duration": 0.1})
    >>> run.result.time, run.recording.rows > 10
    (0.1, True)
    """
    with _listener(progress) as listener:
        text, found = _native.record_request(*_form(request), listener, _log.info)
    recordings = tuple(Recording(*parts) for parts in found)
    if not recordings:
        raise InvalidRequest("this request makes no recording")
    return Recorded(Result(json.loads(text)), recordings)


def regulator_of(robot: str, keys: Mapping[str, Any] | None) -> _native.Regulator:
    """The regulator of a request `follow`."""
    return _native.regulator(_text({"task": "follow", "robot": json.loads(robot), **(keys or {})}))


def run_with_robot(
    task: str, robot: str, progress: Progress | bool | None, keys: Mapping[str, Any] | None
) -> Result:
    """Runs a task with a robot and the other keys of its request."""
    given = dict(keys or {})
    for key in ("task", "robot"):
        if key in given:
            raise InvalidRequest(f"`{key}` is known already", hint=f"leave it out, or use pylegwork.run with `{key}`")
    return _run(_text({"task": task, "robot": json.loads(robot), **given}), "json", progress)
