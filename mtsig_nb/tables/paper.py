r"""A table for a paper in LaTeX: what one pastes, with its caption, its notes and the sentence.

It is set in 8 points, and has the width of the narrowest column, or of the narrowest page, of the
usual classes with two columns (``article``, IEEEtran, acmart, ACL's).  It needs no package:
booktabs' rules and natbib's commands are used where they are, and replaced where they are not.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator, Mapping, Sequence

from .columns import MISSING, Column, on_one_line
from .fitting import COLUMN_SEPARATION, Fitted, fitted, in_floats
from .latex import latex_prose, what_it_needs
from .markdown import markdown_text, to_markdown
from .web import STYLES_OF_MAIL, to_html

#: The type of the table, and that of the notes below it.
_SIZE_OF_TABLE = r"\fontsize{8}{9.6}\selectfont"
_SIZE_OF_NOTES = r"\fontsize{7}{8.4}\selectfont"
#: More notes than these are no longer part of the float.
_MOST_NOTES = 8
#: After so many floats LaTeX is told to print those that are waiting.
_FLOATS_AT_ONCE = 8
_STYLE_OF_NOTE = "font-size: small; margin: .3em 0; max-width: 45em"
_COMMENT_ON_RULES = (
    r"Paste as it is. It needs no package; with \usepackage{booktabs} the rules are finer."
)
#: What stands in for commands of packages that a document does not load.
_REPLACEMENTS = (
    r"\providecommand{\toprule}{\hline}",
    r"\providecommand{\midrule}{\hline}",
    r"\providecommand{\bottomrule}{\hline}",
    r"\providecommand{\citep}{\cite}",
    r"\providecommand{\citet}{\cite}",
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PaperTable:
    r"""What is printed of a table and around it, in every format that one pastes.

    Attributes
    ----------
    columns : sequence of Column
        A column ``note`` may have sentences; they become numbered notes.
    caption : str
        Empty for a table that has none.
    label : str
        What ``\ref`` takes, without ``tab:``.
    legend : str
        How to read the table.
    legends : dict of str to str
        By heading: how to read a column, which is said only if the column is printed.
    sentence : str
        What was done, for the text of the paper; papers that it names are cited.
    comments : sequence of str
        What stands above the table, and LaTeX does not print.
    dispensable : sequence of str
        Headings of columns that may be left out where there is no room, the first one first.
    """

    columns: Sequence[Column]
    caption: str
    label: str = "scores"
    legend: str = ""
    legends: Mapping[str, str] = dataclasses.field(default_factory=dict)
    sentence: str = ""
    comments: Sequence[str] = ()
    dispensable: Sequence[str] = ()

    def to_latex(self) -> str:
        r"""The table as LaTeX that can be pasted.

        Examples
        --------
        >>> column = Column("system", ("a_1", "b"), numeric=False)
        >>> print(PaperTable(columns=[column], caption="Two systems.").to_latex())
        % Paste as it is. It needs no package; with \usepackage{booktabs} the rules are finer.
        \providecommand{\toprule}{\hline}
        \providecommand{\midrule}{\hline}
        \providecommand{\bottomrule}{\hline}
        \providecommand{\citep}{\cite}
        \providecommand{\citet}{\cite}
        \begin{table}[t]
        \centering
        \caption{Two systems.}
        \label{tab:scores}
        \smallskip
        \fontsize{8}{9.6}\selectfont
        \setlength{\tabcolsep}{2.5pt}
        \begin{tabular}{@{}l@{}}
        \toprule
        system \\
        \midrule
        a\_1 \\
        b \\
        \bottomrule
        \end{tabular}
        \end{table}
        <BLANKLINE>
        """
        columns, notes = numbered_notes(self.columns)
        as_fits = fitted(columns, self.dispensable)
        lines = [*self._comments(as_fits, notes), *_REPLACEMENTS]
        lines += self._floats(as_fits, notes)
        if len(notes) > _MOST_NOTES:  # and they do not stand in a float
            lines += [
                "",
                rf"{{\raggedright{_SIZE_OF_NOTES} Notes on Table~\ref{{tab:{self.label}}}:\par",
            ]
            lines += [_paragraphs_of_notes("", notes), r"\par}"]
        if self.sentence:
            lines += ["", "% The sentence for the text.", r"\begin{sloppypar}"]
            lines += [latex_prose(self.sentence), r"\end{sloppypar}"]
        return "\n".join(lines) + "\n"

    def to_markdown(self) -> str:
        r"""The table in GitHub's Markdown, with the legend, the notes and the sentence below it.

        Examples
        --------
        >>> column = Column("system", ("a_1", "b"), numeric=False)
        >>> table = PaperTable(columns=[column], caption="", legend="Best first.", sentence="")
        >>> print(table.to_markdown(), end="")
        | system |
        | :--- |
        | a\_1 |
        | b |
        <BLANKLINE>
        Best first.
        """
        columns, notes = numbered_notes(self.columns)
        paragraphs = [to_markdown(columns).rstrip("\n")]
        legend = self._whole_legend()
        if legend:
            paragraphs.append(markdown_text(legend))
        if notes:
            numbered = [f"{number}. {markdown_text(note)}." for number, note in enumerate(notes, 1)]
            paragraphs.append("\n".join(numbered))
        if self.sentence:
            paragraphs.append(markdown_text(self.sentence))
        return "\n\n".join(paragraphs) + "\n"

    def to_html(self) -> str:
        """The table in HTML whose styles stand in its elements, as mails need it."""
        columns, notes = numbered_notes(self.columns)
        parts = [to_html(columns, styles=STYLES_OF_MAIL)]
        numbered = [f"{number}. {note}." for number, note in enumerate(notes, 1)]
        for paragraph in [self._whole_legend(), *numbered, self.sentence]:
            if paragraph:
                parts.append(f'<p style="{_STYLE_OF_NOTE}">{html.escape(paragraph)}</p>\n')
        return "".join(parts)

    def _whole_legend(self, left_out: Sequence[str] = ()) -> str:
        """How to read the table and all its columns, but for those that are left out."""
        sentences = [self.legend]
        for column in self.columns:
            if column.heading not in left_out:
                sentences.append(self.legends.get(column.heading, ""))
        return " ".join(dict.fromkeys(filter(None, sentences)))

    def _comments(self, as_fits: Fitted, notes: Sequence[str]) -> Iterator[str]:
        """What stands above the table, each on a line of its own."""
        yield f"% {_COMMENT_ON_RULES}"
        words = [self.caption, self._whole_legend(), self.sentence, *notes]
        for column in self.columns:
            words += [column.heading, *column.cells]
        needs = what_it_needs(" ".join(words))
        if needs:
            yield f"% It needs {needs}"
        if as_fits.left_out:
            yield f"% Left out, as there is no room: {', '.join(as_fits.left_out)}. CSV has them."
        for comment in self.comments:
            yield f"% {on_one_line(comment)}"

    def _floats(self, as_fits: Fitted, notes: Sequence[str]) -> Iterator[str]:
        """The table in one float, or in several if it is long or wide."""
        notes_in_float = notes if len(notes) <= _MOST_NOTES else []
        below = _notes_in_latex(self._whole_legend(as_fits.left_out), notes_in_float)
        floats = list(in_floats(as_fits.panels))
        for number, panels in enumerate(floats):
            yield rf"\begin{{{as_fits.environment}}}[t]"
            yield r"\centering"
            if number == 0 and self.caption:
                yield rf"\caption{{{latex_prose(self.caption)}}}"
                yield rf"\label{{tab:{self.label}}}"
            elif number > 0 and self.caption:
                yield rf"Table~\ref{{tab:{self.label}}}, continued\par"
            yield r"\smallskip"
            yield _SIZE_OF_TABLE
            yield rf"\setlength{{\tabcolsep}}{{{COLUMN_SEPARATION}pt}}"
            for place, panel in enumerate(panels):
                if place > 0:
                    yield r"\par\medskip"
                yield from panel.tabular(is_on_page=as_fits.is_on_page)
            is_last = number == len(floats) - 1
            if below and is_last:
                yield r"\par\smallskip"
                yield below
            yield rf"\end{{{as_fits.environment}}}"
            if not is_last and (number + 1) % _FLOATS_AT_ONCE == 0:
                yield r"\clearpage"


def numbered_notes(columns: Sequence[Column]) -> tuple[list[Column], list[str]]:
    """The columns with a number in the place of each note, and the notes in the order of numbers.

    Examples
    --------
    >>> columns, notes = numbered_notes([Column("note", ("", "Few units", "Few units"), False)])
    >>> columns[0].cells, notes
    (('', '1', '1'), ['Few units'])
    """
    notes: dict[str, int] = {}
    numbered = []
    for column in columns:
        if column.heading != "note":
            numbered.append(column)
            continue
        cells = []
        for cell in column.cells:
            is_note = cell not in ("", MISSING)
            cells.append(str(notes.setdefault(cell, len(notes) + 1)) if is_note else "")
        numbered.append(dataclasses.replace(column, cells=tuple(cells)))
    return numbered, list(notes)


def _paragraphs_of_notes(legend: str, notes: Sequence[str]) -> str:
    """The legend and the numbered notes, each a paragraph of LaTeX."""
    paragraphs = [latex_prose(legend)] if legend else []
    for number, note in enumerate(notes, 1):
        paragraphs.append(rf"\textsuperscript{{{number}}}~{latex_prose(note)}.")
    return "\\par\n".join(paragraphs)


def _notes_in_latex(legend: str, notes: Sequence[str]) -> str:
    """The legend and the numbered notes as a block below a table; empty without either."""
    text = _paragraphs_of_notes(legend, notes)
    if not text:
        return ""
    return rf"\parbox{{\linewidth}}{{\raggedright{_SIZE_OF_NOTES} {text}\par}}"
