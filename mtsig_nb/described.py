"""What every result has in common: one line says what it is, and a few lines what was found."""

from __future__ import annotations

import html
from typing import Any, ClassVar

from .frames import pd
from .tables import to_csv, to_html, to_latex, to_markdown


class Described:
    """A result whose text is its `sentence`: the first line what was found, the others how.

    ``repr`` has one line alone.  What a notebook shows, and ``print``, is the whole sentence.
    Subclasses give `_lines`, perhaps `_below`, and ask for ``repr=False`` where they are
    dataclasses.
    """

    #: Whether notebooks show all but the first line in a fold: `mtsig_nb.teaching.fold_notes`.
    folds_notes: ClassVar[bool] = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return ()

    @property
    def sentence(self) -> str:
        """The result in a few lines, and its notes."""
        return "\n".join([*self._lines(), *self.notes])

    def _lines(self) -> list[str]:
        """What was found, and how: the lines of `sentence` above its notes.

        The first line also stands in ``repr`` (`_headline`), and in bold letters in a notebook.
        """
        raise NotImplementedError

    def _headline(self) -> str:
        """What was found, in a line."""
        return self.sentence.partition("\n")[0].removesuffix(".")

    def _below(self) -> pd.DataFrame | str:
        """What `_repr_html_` shows below the sentence; nothing unless a subclass says what.

        Returns
        -------
        DataFrame or str
            A table, which is shown without its index and with all names escaped; or HTML as it is,
            in which the subclass has escaped them.
        """
        return ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._headline()})"

    def __str__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """What a notebook shows: as plain text the sentence, and not the line of ``repr``."""
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(line) for line in self.sentence.split("\n"))
        small = f"<small>{'<br>'.join(rest)}</small>"
        if not rest:
            shown = f"<p><strong>{first}</strong></p>"
        elif Described.folds_notes:
            summary = f"<summary>{self._what_is_folded()}</summary>"
            shown = f"<p><strong>{first}</strong></p><details>{summary}{small}</details>"
        else:
            shown = f"<p><strong>{first}</strong><br>{small}</p>"
        below = self._below()
        table = below if isinstance(below, str) else below.to_html(escape=True, index=False)
        return f"{shown}{table}"

    def _what_is_folded(self) -> str:
        """What a reader finds in the fold below the first line."""
        n_notes = len(self.notes)
        if not n_notes:
            return "how it was computed"
        warnings = "1 warning" if n_notes == 1 else f"{n_notes} warnings"
        return f"{warnings}, and how it was computed"


class Result(Described):
    """A result with a `table`, which can be written in every format and drawn."""

    #: The columns of `to_frame` that `plot` draws: a number, and the limits of its interval if it
    #: has one.  A class without such columns has a `plot` of its own.
    _plotted: ClassVar[tuple[str, ...]] = ()

    def to_frame(self) -> pd.DataFrame:
        """The table as a frame of its own."""
        raise NotImplementedError

    def __len__(self) -> int:
        """How many rows the table has."""
        return len(self.to_frame())

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

    def plot(self, **kwargs: Any) -> Any:
        """Draw the numbers of the table; see `mtsig_nb.plots.estimates`."""
        from .plots.estimates import estimates  # matplotlib only when something is drawn

        return estimates(self.to_frame(), *self._plotted, **kwargs)


class Tabled(Result):
    """A result that is a table and what made it."""

    table: pd.DataFrame

    def __len__(self) -> int:
        """How many rows the table has."""
        return len(self.table)

    def to_frame(self) -> pd.DataFrame:
        """The table as a frame of its own."""
        return self.table.copy()


class Framed(Result):
    """A result of single numbers, of which `to_frame` makes a table."""

    @property
    def table(self) -> pd.DataFrame:
        """A tidy row for each thing that is said, unrounded."""
        return self.to_frame()
