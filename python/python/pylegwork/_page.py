"""Pages inside a notebook: those of reports, and the studio."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from . import _native
from ._errors import InvalidRequest


class Page:
    """A page that a task wrote (`report="run.html"`): shown in a notebook, where it moves as it does in a browser.

    The page loads nothing and is kept away from the notebook by a sandbox.
    """

    def __init__(self, path: str | os.PathLike[str], height: int = 720) -> None:
        self.path, self.height = Path(path), height
        self._text = self.path.read_text(encoding="utf-8")

    def __repr__(self) -> str:
        return f"<pylegwork.Page {str(self.path)!r}: {len(self._text) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        return _frame(self._text, self.height, "allow-scripts")


class Studio:
    """The studio in a notebook: a robot to be moved by hand, with the whole library in the page.

    It begins with a robot, or with the name of a built-in one. It loads nothing and is kept away from the notebook by a
    sandbox; what is changed in it stays there, and is taken away as files.
    """

    def __init__(self, robot: _native.Robot | str | None = None, height: int = 860) -> None:
        model = _native.load(robot) if isinstance(robot, str) else robot
        page = _native.studio_page(model)
        if page is None:
            raise InvalidRequest("this package was built without the studio", hint=_native.without_studio())
        self.robot, self.height, self._text = model, height, page

    def __repr__(self) -> str:
        name = self.robot.name if self.robot else "its own robot"
        return f"<pylegwork.Studio of {name}: {len(self._text) / 1e6:.1f} MB>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page as one file, which any browser opens."""
        Path(path).write_text(self._text, encoding="utf-8")

    def _repr_html_(self) -> str:
        return _frame(self._text, self.height, "allow-scripts allow-downloads")


def _frame(page: str, height: int, rights: str) -> str:
    """A page in a frame of its own, which may do this and nothing else."""
    style = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe sandbox="{rights}" style="{style}" srcdoc="{escape(page)}"></iframe>'


Page.__module__ = Studio.__module__ = "pylegwork"
