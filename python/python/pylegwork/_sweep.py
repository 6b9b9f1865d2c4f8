"""Sweeps: one function at thousands of points, on the threads of this machine or on a cluster of dask.

A point is pure: what it gives depends on its parameters (and its seed) alone, so it may be computed twice, by anybody, and the
table is the same to the bit whoever computed what. A store on disk keeps what is done in Parquet parts; a sweep that was
killed goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import product
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._errors import Error, FileFault, InvalidInput
from ._identity import files, identity
from ._tasks import Progress, _listener, _text, run

#: What a point may give: a number, a truth or a text for each name.
Value = Union[float, int, bool, str]
Point = dict[str, Value]
Task = Callable[..., Mapping[str, Value]]

#: The column in which a point says why it has no answer.
ERROR = "error"
_POINT = "point"
_NAME = re.compile(r"part-(\d{8})-(\d{8})\.parquet")


class Table(Mapping[str, npt.NDArray[Any]]):
    """Columns of a sweep, a row for each point in the order of the points; `done` says which rows are there."""

    def __init__(self, columns: dict[str, npt.NDArray[Any]], done: npt.NDArray[np.bool_]) -> None:
        self._columns, self.done = columns, done

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many points there are."""
        return len(self.done)

    def to_pandas(self) -> Any:
        """As a table of pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_arrow(self) -> Any:
        """As a table of pyarrow."""
        import pyarrow

        return pyarrow.table({name: pyarrow.array(column.tolist()) for name, column in self._columns.items()})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def digest(self) -> str:
        """A hash of every bit of it."""
        found = hashlib.sha256()
        for name, column in self._columns.items():
            found.update(name.encode())
            found.update(json.dumps(column.tolist()).encode() if column.dtype == object else column.tobytes())
        return found.hexdigest()

    def __repr__(self) -> str:
        return f"<pylegwork.Table: {int(self.done.sum())} of {self.rows} points, {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(column[row]))}</td>" for column in self._columns.values()) + "</tr>"
            for row in range(min(self.rows, 20))
        )
        return f"<table><tr>{head}</tr>{body}</table><p>{int(self.done.sum())} of {self.rows} points</p>"


def grid(**values: Sequence[Value] | npt.NDArray[Any]) -> list[Point]:
    """Every combination of these values, the last name fastest.

    >>> import pylegwork as lw
    >>> len(lw.grid(arm=[0.2, 0.3], rod=[0.6, 0.7, 0.8]))
    6
    """
    lists = [[_plain(item) for item in items] for items in values.values()]
    return [dict(zip(values, items)) for items in product(*lists)]


def draws(count: int, seed: int = 0, **spreads: tuple[float, float]) -> list[Point]:
    """Random points of normal distributions (mean, standard deviation); a number of a point depends on the seed, the number of
    the point and the name alone.

    >>> import pylegwork as lw
    >>> lw.draws(3, seed=1, rod=(0.8, 1e-4))[2] == lw.draws(9, seed=1, rod=(0.8, 1e-4), arm=(0.2, 1e-4))[2] | {}
    False
    >>> lw.draws(3, seed=1, rod=(0.8, 1e-4))[2] == lw.draws(9, seed=1, rod=(0.8, 1e-4))[2]
    True
    """
    for name, spread in spreads.items():
        if np.shape(spread) != (2,):
            raise InvalidInput(f"`{name}` is {spread!r}; give (mean, standard deviation)")
    if count < 0 or seed < 0:
        raise InvalidInput(f"`count` is {count} and `seed` is {seed}; neither may be negative")
    names = {name: int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little") for name in spreads}
    return [
        {
            name: float(mean + spread * np.random.default_rng([seed, names[name], point]).standard_normal())
            for name, (mean, spread) in spreads.items()
        }
        for point in range(count)
    ]


def _plain(value: Any) -> Value:
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, (bool, int, float, str)):
        raise InvalidInput(f"a value of a sweep is a number or a text, not {type(value).__name__}: {value!r}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InvalidInput(f"a value of a sweep has 64 bits at most, not {value}", hint="give float(value)")
    return value


def _points(parameters: Any) -> list[Point]:
    if not isinstance(parameters, Mapping) and hasattr(parameters, "columns"):  # a table of pandas or polars
        parameters = {str(name): list(parameters[name]) for name in parameters.columns}
    if isinstance(parameters, Mapping):
        columns = {name: list(values) for name, values in parameters.items()}
        counts = {len(values) for values in columns.values()}
        if len(counts) > 1:
            raise InvalidInput("the columns of the parameters have different lengths", hint="lw.grid makes combinations")
        parameters = [dict(zip(columns, row)) for row in zip(*columns.values())]
    points = []
    for number, point in enumerate(parameters):
        if not isinstance(point, Mapping):
            raise InvalidInput(f"point {number} is no table of parameters: {point!r}", hint="lw.grid and lw.draws make points")
        points.append({name: _plain(value) for name, value in point.items()})
    for number, point in enumerate(points):
        if list(point) != list(points[0]):
            raise InvalidInput(f"point {number} has other names than point 0: {', '.join(point)}")
        if ERROR in point or _POINT in point:
            raise InvalidInput(f"`{ERROR}` and `{_POINT}` are columns of the table and cannot be parameters")
    return points


class _Request:
    """A request with `{name}` in the places of the parameters, as a function of a point; can be sent to a worker."""

    def __init__(self, request: Mapping[str, Any], take: Sequence[str]) -> None:
        self.request, self.take = dict(request), tuple(take)

    def __call__(self, **point: Value) -> dict[str, Value]:
        result = run(_filled(self.request, point))
        found: dict[str, Value] = {}
        for name in self.take:
            value: Any = result
            for key in name.split("."):
                try:
                    value = value[int(key)] if key.isdigit() else value[key]
                except (LookupError, TypeError):
                    there = f"it has {', '.join(value)}" if isinstance(value, Mapping) else f"it is {value!r}"
                    raise LookupError(f"`take` asks for `{name}`, and there is no `{key}`; {there}") from None
            found[name] = _plain(value)
        return found


def _filled(value: Any, point: Point) -> Any:
    if isinstance(value, Mapping):
        return {key: _filled(item, point) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_filled(item, point) for item in value]
    if isinstance(value, str):
        whole = re.fullmatch(r"\{(\w+)\}", value)
        if whole and whole[1] in point:
            return point[whole[1]]
        return re.sub(r"\{(\w+)\}", lambda found: str(point.get(found[1], found[0])), value)
    return value


def _compute(task: Task, first: int, points: list[Point], seed: int | None) -> tuple[int, list[Point]]:
    """The answers of a part. A point without one says why; what is wrong with the task itself is raised."""
    rows: list[Point] = []
    for number, point in enumerate(points, start=first):
        extra = {} if seed is None else {"seed": _seed(seed, number)}
        try:
            answer = task(**point, **extra)
        except Error as error:
            rows.append({ERROR: str(error)})
            continue
        if not isinstance(answer, Mapping):
            raise InvalidInput(f"the task gave {answer!r} at point {number}, and not a table of numbers and texts")
        for name in answer:
            if name in point or name in (ERROR, _POINT):
                raise InvalidInput(f"the task gives `{name}`, and the table has such a column already", hint="rename it")
        rows.append({name: _plain(value) for name, value in answer.items()})
    return first, rows


def _kind(value: Value) -> str:
    return "truths" if isinstance(value, bool) else "texts" if isinstance(value, str) else "numbers"


def _seed(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _identity(task: Task, points: list[Point], seed: int | None, chunk: int) -> dict[str, Any]:
    """What makes two sweeps one."""

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    if isinstance(task, _Request):
        read = files([task.request, list({value for point in points for value in point.values() if isinstance(value, str)})])
        about = json.dumps([json.loads(_text(task.request)), task.take, read], sort_keys=True)
    else:
        about = identity(task)
    return {
        "format": "pylegwork-sweep-2",
        "points": len(points),
        "parameters": digest(json.dumps(points)),
        "task": digest(about),
        "seed": seed,
        "chunk": chunk,
    }


class _Store:
    """Parts on disk. A part appears whole or not at all; parts of another sweep are refused."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise InvalidInput(f"{folder} is a file, and a store is a folder") from None
        text = json.dumps(dict(identity), indent=1, sort_keys=True)
        about = folder / "sweep.json"
        another = "choose another folder, or remove this one if it is not needed"
        if not about.exists():
            if next(folder.glob("part-*.parquet"), None) is not None:
                raise InvalidInput(f"{folder} holds parts, and nothing says of which sweep", hint=another)
            self._appear(about, text.encode())
        found = about.read_text(encoding="utf-8")
        if found != text:
            raise InvalidInput(f"{folder} holds another sweep: {_differences(found, identity)}", hint=another)
        for left in folder.glob(".*.partial"):
            left.unlink(missing_ok=True)

    def _appear(self, path: Path, content: bytes) -> None:
        # Again if another sweep that has just begun took what was not ready yet for left behind.
        for _ in range(10):
            beside = self.folder / f".{path.name}.{uuid.uuid4().hex}.partial"
            with open(beside, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.replace(beside, path)
            except FileNotFoundError:
                continue
            return
        raise FileFault(f"{path} cannot be written: what is written beside it disappears")

    def put(self, first: int, rows: list[Point]) -> None:
        import pyarrow
        import pyarrow.parquet

        columns = _columns(rows)
        table = pyarrow.table({_POINT: np.arange(first, first + len(rows)), **{n: c for n, c in columns.items()}})
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, sink)
        name = f"part-{first:08}-{first + len(rows):08}.parquet"
        self._appear(self.folder / name, sink.getvalue().to_pybytes())

    def parts(self) -> Iterator[tuple[int, list[Point]]]:
        import pyarrow
        import pyarrow.parquet

        for path in sorted(self.folder.glob("part-*.parquet")):
            place = _NAME.fullmatch(path.name)
            if place is None:
                continue
            try:
                rows = pyarrow.parquet.read_table(path).to_pylist()
            except (pyarrow.ArrowException, OSError):
                path.unlink(missing_ok=True)  # computed again
                continue
            for row in rows:
                row.pop(_POINT)
            yield int(place[1]), [{n: v for n, v in row.items() if v is not None} for row in rows]


def _differences(found: str, identity: Mapping[str, Any]) -> str:
    """What is not the same, in words."""
    words = {"points": "its points", "parameters": "their parameters", "task": "its task", "seed": "its seed"}
    try:
        there = dict(json.loads(found))
    except (ValueError, TypeError):
        return "its sweep.json cannot be read"
    other = [words.get(key, f"its {key}") for key in identity if there.get(key) != identity[key]]
    was = f" ({there['chunk']} there, {identity['chunk']} here)" if other == ["its chunk"] else ""
    return f"{' and '.join(other)} {'differs' if len(other) == 1 else 'differ'}{was}"


def _columns(rows: Sequence[Point | None]) -> dict[str, list[Any]]:
    """Columns in the order in which names are first seen; what a row does not have is None."""
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row or ()))
    names = dict.fromkeys([name for name in names if name != ERROR] + [name for name in names if name == ERROR])
    return {name: [None if row is None else row.get(name) for row in rows] for name in names}


def _array(values: list[Any]) -> npt.NDArray[Any]:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool} and None not in values:
        return np.array(values, dtype=np.bool_)
    if kinds == {int} and None not in values:
        return np.array(values, dtype=np.int64)
    if kinds and kinds <= {int, float}:
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(values, dtype=object)


class Sweep:
    """A sweep under way: iterate over it for the numbers of the points as they are done, or ask for its `table`."""

    def __init__(
        self, task: Task, points: list[Point], *, seed: int | None, chunk: int, store: _Store | None, client: Any
    ) -> None:
        self._task, self._points, self._seed, self._chunk = task, points, seed, chunk
        self._store, self._client = store, client
        self._rows: list[Point | None] = [None] * len(points)
        self._kinds: dict[str, str] = {}
        self._lock = threading.Lock()
        for first, rows in store.parts() if store else ():
            if first + len(rows) <= len(points):
                self._rows[first : first + len(rows)] = rows
        #: How many points were done already.
        self.resumed = sum(row is not None for row in self._rows)

    @property
    def table(self) -> Table:
        """What is there by now."""
        with self._lock:
            rows = list(self._rows)
        done = np.array([row is not None for row in rows], dtype=np.bool_)
        given = _columns(self._points)
        return Table({name: _array(values) for name, values in {**given, **_columns(rows)}.items()}, done)

    def _missing(self) -> list[tuple[int, list[Point]]]:
        """The parts that are not done: the same ones whoever asks, whatever was done before."""
        parts = []
        for first in range(0, len(self._points), self._chunk):
            last = min(first + self._chunk, len(self._points))
            if any(row is None for row in self._rows[first:last]):
                parts.append((first, self._points[first:last]))
        return parts

    def _take(self, first: int, rows: list[Point]) -> Iterator[int]:
        for name, value in (item for row in rows for item in row.items()):
            kind = self._kinds.setdefault(name, _kind(value))
            if kind != _kind(value):
                raise InvalidInput(f"the task gives {kind} and {_kind(value)} as `{name}`", hint="give one of them")
        with self._lock:
            news = [k for k in range(first, first + len(rows)) if self._rows[k] is None]
            self._rows[first : first + len(rows)] = rows
        if news and self._store is not None:
            self._store.put(first, rows)
        yield from news

    def __iter__(self) -> Iterator[int]:
        parts = self._missing()
        answers = self._on_dask(parts) if self._client is not None else self._on_threads(parts)
        for first, rows in answers:
            yield from self._take(first, rows)

    def _on_threads(self, parts: list[tuple[int, list[Point]]]) -> Iterator[tuple[int, list[Point]]]:
        workers = os.cpu_count() or 1
        with ThreadPoolExecutor(workers, "sweep") as pool:
            waiting = iter(parts)
            running: set[Future[tuple[int, list[Point]]]] = set()
            try:
                while True:
                    for first, points in waiting:
                        running.add(pool.submit(_compute, self._task, first, points, self._seed))
                        if len(running) >= 2 * workers:
                            break
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield future.result()
            finally:
                for future in running:
                    future.cancel()

    def _on_dask(self, parts: list[tuple[int, list[Point]]]) -> Iterator[tuple[int, list[Point]]]:
        from dask.distributed import as_completed

        def submit(first: int, points: list[Point]) -> Any:
            # Pure, but not for dask to remember: the store does.
            return self._client.submit(_compute, self._task, first, points, self._seed, pure=False, retries=10)

        # As many as keep the workers busy: what a killed worker held is computed again.
        waiting = iter(parts)
        ahead = 4 * max(1, sum(self._client.nthreads().values()))
        batch = as_completed([submit(*part) for _, part in zip(range(ahead), waiting)])
        try:
            for future in batch:
                yield future.result()
                future.release()
                for part in waiting:
                    batch.add(submit(*part))
                    break
        finally:
            for future in list(batch.futures):
                future.cancel()

    def run(self, *, progress: Progress | bool | None = None) -> Table:
        """All that is missing; the whole table."""
        done = self.resumed
        with _listener(progress) as listener:
            for _ in self:
                done += 1
                if listener is not None:
                    listener(done / len(self._points), f"{done} of {len(self._points)} points")
        return self.table

    def __repr__(self) -> str:
        done = sum(row is not None for row in self._rows)
        return f"<pylegwork.Sweep: {done} of {len(self._points)} points>"


for _class in (Table, Sweep):
    _class.__module__ = "pylegwork"


def sweep(
    task: Task | Mapping[str, Any],
    parameters: Iterable[Mapping[str, Any]] | Mapping[str, Sequence[Any]],
    *,
    take: Sequence[str] = (),
    seed: int | None = None,
    store: str | os.PathLike[str] | None = None,
    client: Any = None,
    chunk: int = 16,
) -> Sweep:
    """The same question at many points: a sweep that has not begun.

    `task` is a function of the parameters that gives a dictionary of numbers and texts, or a request in which `"{name}"` stands
    for a parameter; then `take` names what the table gets of its result, such as `"regulators.0.rms"`. `parameters` is a list
    of points (`lw.grid`, `lw.draws`) or a table of equally long columns. With a `seed` the function gets a `seed` of its own
    for each point. An error of pylegwork at a point stands in the column `error` of its row; any other ends the sweep.

    Points are computed on the threads of this machine, or on `client`, one of `dask.distributed`; a killed worker loses
    nothing. With a `store`, a folder, what is done is kept in Parquet parts, and the same call goes on from there; the folder of another
    sweep is refused: other points, another seed, another function, or one that is bound to other values or files. The table is the same
    to the bit in every case.

    >>> import pylegwork as lw
    >>> robot = lw.load("delta-industrial")
    >>> def torque(z):
    ...     return {"torque": abs(robot.gravity([0.0, 0.0, z])).max()}
    >>> table = lw.sweep(torque, lw.grid(z=[-0.7, -0.8, -9.0])).run()
    >>> table["torque"].round(3), "reach" in table["error"][2]
    (array([5.575, 5.496,   nan]), True)
    """
    points = _points(parameters)
    if chunk < 1:
        raise InvalidInput(f"`chunk` is {chunk}; a part has one point at least")
    if isinstance(task, Mapping):
        if not take:
            raise InvalidInput("a request needs `take`: the names of what the table gets of its result")
        task = _Request(task, take)
    kept = None
    if store is not None:
        kept = _Store(Path(store), _identity(task, points, seed, chunk))
    return Sweep(task, points, seed=seed, chunk=chunk, store=kept, client=client)
