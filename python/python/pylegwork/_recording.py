"""Recordings: columns over time, handed on to the libraries of others without a copy where they can do without one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native

if TYPE_CHECKING:
    from ._tasks import Result


class Column(NamedTuple):
    """A column of a recording."""

    name: str
    unit: str
    frame: str | None


class Recording(Mapping[str, npt.NDArray[np.float64]]):
    """Columns of numbers over time, with units, frames and what made them.

    A column is an array that cannot be written. `pandas.DataFrame(dict(recording))`, `polars.DataFrame(recording)` and
    `pyarrow.table(recording)` take it; the last two by the Arrow interface, which needs pyarrow.

    >>> import pylegwork as lw
    >>> recording = lw.record({"task": "simulate", "robot": "delta-industrial", "duration": 0.1}).recording
    >>> recording.units["t"], float(recording["t"][0])
    ('s', 0.0)
    """

    def __init__(
        self,
        columns: list[tuple[str, str, str | None]],
        values: list[npt.NDArray[np.float64]],
        metadata: dict[str, str],
        ending: str,
    ) -> None:
        self.columns = tuple(Column(*column) for column in columns)
        #: The program that made it, its request, the robot.
        self.metadata = metadata
        #: Why the run ended; empty if nothing says so.
        self.ending = ending
        for array in values:
            array.flags.writeable = False
        self._values = dict(zip((column.name for column in self.columns), values))

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        return {column.name: column.unit for column in self.columns}

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(next(iter(self._values.values()), ()))

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def to_pandas(self) -> Any:
        """A table of pandas, whose attributes hold units and metadata."""
        import pandas

        table = pandas.DataFrame(self._values, copy=False)
        table.attrs.update(units=self.units, metadata=self.metadata)
        return table

    def to_arrow(self) -> Any:
        """A table of pyarrow over the same memory; a NaN stays one."""
        import pyarrow

        fields = [
            pyarrow.field(
                column.name,
                pyarrow.float64(),
                metadata={"unit": column.unit, **({"frame": column.frame} if column.frame else {})},
            )
            for column in self.columns
        ]
        schema = pyarrow.schema(fields, metadata=self.metadata)
        arrays = [pyarrow.array(values) for values in self._values.values()]
        return pyarrow.Table.from_arrays(arrays, schema=schema)

    def to_polars(self) -> Any:
        """A table of polars over the same memory."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def plot(self, *names: str) -> Any:
        """Columns over the first one, with matplotlib: a figure with one panel for each unit."""
        import matplotlib.pyplot as plt

        wanted = names or tuple(column.name for column in self.columns[1:])
        panels = sorted({self.units[name] for name in wanted})
        figure, axes = plt.subplots(len(panels), squeeze=False, sharex=True, layout="constrained")
        time = self.columns[0]
        for axis, unit in zip(axes[:, 0], panels):
            for name in wanted:
                if self.units[name] == unit:
                    axis.plot(self[time.name], self[name], label=name)
            axis.set_ylabel(f"[{unit}]" if unit else "")
            axis.legend(fontsize="small")
        axes[-1, 0].set_xlabel(f"{time.name} [{time.unit}]")
        return figure

    def __repr__(self) -> str:
        return f"<pylegwork.Recording: {self.rows} rows of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(column.name)}</td><td>{escape(column.unit)}</td><td>{escape(column.frame or '')}</td>"
            f"<td>{low:.6g}</td><td>{high:.6g}</td></tr>"
            for column, low, high in self._ranges()
        )
        head = "<tr><th>column</th><th>unit</th><th>frame</th><th>least</th><th>most</th></tr>"
        return f"<table>{head}{rows}</table><p>{self.rows} rows; {escape(self.ending)}</p>"

    def _ranges(self) -> Iterator[tuple[Column, float, float]]:
        for column in self.columns:
            finite = self[column.name][np.isfinite(self[column.name])]
            low, high = (finite.min(), finite.max()) if finite.size else (np.nan, np.nan)
            yield column, float(low), float(high)

    def __reduce__(self) -> tuple[Any, ...]:
        columns = [tuple(column) for column in self.columns]
        return (Recording, (columns, [np.array(v) for v in self._values.values()], self.metadata, self.ending))


class Recorded(NamedTuple):
    """A result and its recordings: one, or one for each regulator."""

    result: Result
    recordings: tuple[Recording, ...]

    @property
    def recording(self) -> Recording:
        """The one, or that of the last regulator."""
        return self.recordings[-1]


for _class in (Column, Recording, Recorded):
    _class.__module__ = "pylegwork"


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """The recording in a file that `simulate` or `follow` wrote: Parquet, CSV or MCAP."""
    return Recording(*_native.read_recording(os.fspath(path)))
