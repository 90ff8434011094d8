"""What a site is built with: versions that go together, and where its Python comes from.

A folder has two locks: ``environment.lock`` is what builds the site, ``wheels.lock`` what the
browser needs that Pyodide has not.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..notebook_files import ROOT

#: What a notebook needs beside the package; the rest of that extra is for computers.
_SHOWN_WITH = ("anywidget", "ipywidgets", "matplotlib")


@dataclasses.dataclass(frozen=True)
class Configuration:
    """How a site is built.

    Attributes
    ----------
    name : str
    folder : Path
        Where its locks are.
    pyodide : Path, optional
        A Pyodide to put on the site; by default pages load the kernel's own from its CDN.
    wheels : sequence of Path
        More wheels for the browser.
    instead : mapping
        Requirements in the place of others of `pyproject.toml`.
    besides : sequence of str
        More requirements.
    """

    name: str
    folder: Path
    pyodide: Path | None = None
    wheels: Sequence[Path] = ()
    instead: Mapping[str, str] = dataclasses.field(default_factory=dict)
    besides: Sequence[str] = ()

    def requirements(self) -> list[str]:
        """What the first cell of every notebook installs."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        listed = project["optional-dependencies"]["notebook"]
        shown = [text for text in listed if text.startswith(_SHOWN_WITH)]
        return ["mtsig_nb", *(self.instead.get(text, text) for text in shown), *self.besides]


#: What readers get.
PRODUCTION = Configuration("production", ROOT / "lite")
