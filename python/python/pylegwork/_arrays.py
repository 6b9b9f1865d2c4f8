"""Arrays from what a caller gives: a copy where it is no array of doubles, an error where it is none of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidInput


def numbers(what: str, given: Any) -> npt.NDArray[np.float64]:
    """One row or many rows of doubles, one after the other in memory."""
    if isinstance(given, np.ma.MaskedArray):
        raise InvalidInput(f"`{what}` is a masked array", hint="fill it: numpy.ma.filled(array, numpy.nan)")
    try:
        array = np.asarray(given)
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"`{what}` is no array of numbers", cause=str(error)) from None
    if array.dtype.kind not in "iuf" and array.size > 0:
        raise InvalidInput(f"`{what}` is an array of {array.dtype}, not of real numbers")
    if array.ndim not in (1, 2):
        raise InvalidInput(f"`{what}` has {array.ndim} dimensions; give one row (n,) or many (N, n)")
    return np.require(array, np.float64, ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"])
