"""What a task of a sweep is, as text: two tasks that may give different numbers have different texts.

A store of one sweep must not be taken for that of another. So the text holds the source of a function and the values that it is bound
to: its defaults, what it closes over, the arguments of a `partial`, the attributes of an object, the globals and the functions of the
user's own modules that it names, and the content of files. What belongs to the machine or to a library (locks, clients, functions of NumPy)
stands there with its name alone.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
import sys
import sysconfig
import types
from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np

from . import _native

#: Keys of a request that name what it writes, not what it reads.
_WRITTEN = ("out", "report")


def identity(thing: object) -> str:
    """The text of a task."""
    return json.dumps(_described(thing, {}), sort_keys=True)


def files(value: Any) -> dict[str, str]:
    """The files that the texts of a request, or of points, name, with what is in them."""
    return {name: _content(name) for name in sorted(set(_texts(value))) if os.path.isfile(name)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key not in _WRITTEN:
                yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, os.PathLike):
        yield os.fspath(value)
    elif isinstance(value, str) and 0 < len(value) < 4096 and "\0" not in value and "\n" not in value:
        yield value


def _content(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _is_own(module: str | None) -> bool:
    """Whether a module is the user's, so that what it holds may change from one run to the next."""
    if module is None or module.split(".")[0] == "pylegwork":
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return module == "__main__" or module not in sys.modules
    folders = {"site-packages", "dist-packages"}
    library = sysconfig.get_path("stdlib")
    return not folders & set(os.path.normpath(file).split(os.sep)) and not os.path.abspath(file).startswith(library)


def _described(value: Any, seen: dict[int, tuple[int, Any]]) -> Any:
    """Something that JSON can hold."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, complex)):
        return repr(value)
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", hashlib.sha256(value).hexdigest()]
    if isinstance(value, np.generic):
        return _described(value.item(), seen)
    if id(value) in seen:
        return ["again", seen[id(value)][0]]
    seen[id(value)] = (len(seen), value)  # kept, so that nothing else gets its number

    def inside(item: Any) -> Any:
        return _described(item, seen)

    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            return ["array", list(value.shape), [inside(item) for item in value.ravel()]]
        return ["array", str(value.dtype), list(value.shape), hashlib.sha256(value.tobytes()).hexdigest()]
    if isinstance(value, _native.Robot):
        return ["robot", value.__reduce__()[1][0]]
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return ["path", str(path), _content(path) if os.path.isfile(path) else None]
    if isinstance(value, Mapping):
        return ["table", [[inside(key), inside(item)] for key, item in value.items()]]
    if isinstance(value, (list, tuple)):
        return ["list", [inside(item) for item in value]]
    if isinstance(value, Set):
        return ["set", sorted(json.dumps(_described(item, {}), sort_keys=True) for item in value)]
    if isinstance(value, functools.partial):
        return ["partial", inside(value.func), inside(value.args), inside(value.keywords)]
    if isinstance(value, types.MethodType):
        return ["method", inside(value.__func__), inside(value.__self__)]
    if isinstance(value, types.FunctionType):
        return _function(value, seen)
    if isinstance(value, type):
        return ["class", f"{value.__module__}.{value.__qualname__}", _class(value, seen)]
    if isinstance(value, types.ModuleType) or callable(value) and not hasattr(value, "__dict__"):
        return ["name", getattr(value, "__name__", type(value).__qualname__)]
    columns = getattr(value, "columns", None)
    if columns is not None and hasattr(value, "to_numpy"):  # a table of pandas or polars
        return ["table", [str(name) for name in columns], inside(np.asarray(value))]
    kind = type(value)
    own = vars(value) if _is_own(kind.__module__) and hasattr(value, "__dict__") else None
    return ["object", f"{kind.__module__}.{kind.__qualname__}", inside(own), _class(kind, seen)]


def _class(kind: type, seen: dict[int, tuple[int, Any]]) -> Any:
    """The functions of a class of the user's."""
    if not _is_own(kind.__module__):
        return None
    return [_described(item, seen) for item in vars(kind).values() if isinstance(item, types.FunctionType)]


def _function(function: types.FunctionType, seen: dict[int, tuple[int, Any]]) -> Any:
    name = f"{function.__module__}.{function.__qualname__}"
    if not _is_own(function.__module__) and function.__module__ not in (None, "builtins"):  # that of `exec`
        return ["name", name]
    bound: list[Any] = [function.__defaults__, function.__kwdefaults__]
    for cell in function.__closure__ or ():
        try:
            bound.append(cell.cell_contents)
        except ValueError:  # not filled yet
            bound.append(None)
    bound.append(_named(function))
    return ["function", name, _source(function), [_described(item, seen) for item in bound]]


def _named(function: types.FunctionType) -> dict[str, Any]:
    """The globals that a function names, and what it takes from modules of the user's."""
    words, known = sorted(set(_names(function.__code__))), function.__globals__
    found = {word: known[word] for word in words if word in known}
    for module in [item for item in found.values() if isinstance(item, types.ModuleType)]:
        if _is_own(module.__name__):
            found.update((f"{module.__name__}.{word}", vars(module)[word]) for word in words if word in vars(module))
    return found


def _source(function: types.FunctionType) -> Any:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError, IndexError, SyntaxError):
        # Nobody has it: what it was compiled to.
        return [[code.co_code.hex(), [_constant(item) for item in code.co_consts]] for code in _codes(function.__code__)]


def _constant(item: Any) -> str:
    if isinstance(item, types.CodeType):
        return "code"
    return repr(sorted(map(repr, item))) if isinstance(item, frozenset) else repr(item)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _names(code: types.CodeType) -> Iterator[str]:
    for part in _codes(code):
        yield from part.co_names
