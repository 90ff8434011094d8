"""Pieces of a page that work without a kernel: plain JavaScript, with numbers from Python.

Imports engine and what that imports.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
from importlib.resources import files
from typing import Any


@dataclasses.dataclass(frozen=True)
class Component:
    """A piece of a page: HTML with its scripts where they may run, a line of text elsewhere.

    Attributes
    ----------
    title : str
        What it is, in a few words.
    data : dict
        What the script is given, as JSON.
    scripts : tuple of str
        Names of JavaScript files in this folder.  The last one has a function of the file's name,
        which is called with the place on the page and the data.
    """

    title: str
    data: dict[str, Any]
    scripts: tuple[str, ...]

    def __repr__(self) -> str:
        return self.title

    def _repr_html_(self) -> str:
        # Base64 has no sign that HTML or a comparison of numbers could misread.
        data = base64.b64encode(json.dumps(self.data).encode()).decode()
        digest = hashlib.sha256(data.encode()).hexdigest()
        function = self.scripts[-1]
        place = f"mtsig-{function}-{digest[:12]}"
        return (
            f'<div data-mtsig="{place}"><p><em>Here is a {self.title}. It needs JavaScript. '
            "It comes when the cell is run.</em></p></div>\n"
            f'<script type="module">\n{"".join(map(_source, self.scripts))}\n'
            f'const data = new TextDecoder().decode(Uint8Array.from(atob("{data}"), '
            "(letter) => letter.charCodeAt(0)));\n"
            f"for (const place of document.querySelectorAll('[data-mtsig=\"{place}\"]')) "
            f"{function}(place, JSON.parse(data));\n</script>"
        )


def _source(name: str) -> str:
    """A script, less its imports: all scripts of a component come in one."""
    text = files(__package__).joinpath(f"{name}.js").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("import "))
