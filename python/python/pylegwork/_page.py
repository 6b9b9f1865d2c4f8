"""Pages of reports inside a notebook."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path


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
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self._text)}"></iframe>'


Page.__module__ = "pylegwork"
