"""What every result has in common: it says itself in a few lines."""

from __future__ import annotations

import html

import pandas as pd

from .tables import to_csv, to_html, to_latex, to_markdown


class Described:
    """A result whose text is its `sentence`: the first line what was found, the others how.

    Subclasses give `_lines`, and ask for ``repr=False`` where they are dataclasses.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return ()

    @property
    def sentence(self) -> str:
        """The result in a few lines, and its notes."""
        return "\n".join([*self._lines(), *self.notes])

    def _lines(self) -> list[str]:
        """What was found, and how."""
        raise NotImplementedError

    def _below(self) -> pd.DataFrame | str:
        """What a notebook shows below the sentence: a table, or HTML with all names escaped."""
        return ""

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(line) for line in self.sentence.split("\n"))
        details = f"<br><small>{'<br>'.join(rest)}</small>" if rest else ""
        below = self._below()
        table = below if isinstance(below, str) else below.to_html(escape=True, index=False)
        return f"<p><strong>{first}</strong>{details}</p>{table}"


class Tabled(Described):
    """A result that is a table and what made it."""

    table: pd.DataFrame

    def __len__(self) -> int:
        """How many rows the table has."""
        return len(self.table)

    def to_frame(self) -> pd.DataFrame:
        """The table as a frame of its own."""
        return self.table.copy()

    def to_csv(self) -> str:
        """The table as CSV, unrounded; see :func:`mtsig_nb.tables.to_csv`."""
        return to_csv(self.to_frame())

    def to_latex(self, *, digits: int = 2) -> str:
        """The table in LaTeX; see :func:`mtsig_nb.tables.to_latex`."""
        return to_latex(self.to_frame(), digits=digits)

    def to_markdown(self, *, digits: int = 2) -> str:
        """The table in Markdown; see :func:`mtsig_nb.tables.to_markdown`."""
        return to_markdown(self.to_frame(), digits=digits)

    def to_html(self, *, digits: int = 2) -> str:
        """The table in HTML, all names escaped; see :func:`mtsig_nb.tables.to_html`."""
        return to_html(self.to_frame(), digits=digits)
