"""The interface of everything that an analysis finds."""

from __future__ import annotations

import abc
import dataclasses
import html
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .. import __version__
from ..bibliography import entries, named_in, on_metrics
from ..errors import InputError, counted, is_whole, listed
from ..frames import pd
from ..tables import Column, PaperTable, markdown_text, to_csv, to_html, to_markdown
from .examples import CAUTION, PairExamples
from .system_table import DISPENSABLE, LEGEND_OF_RANKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..notes import Note
    from ..plots.column import Panel
    from ..report.analysis import Analysis
    from ..statistics.sufficient import SufficientStatistics

#: Of the JSON; raised when a name goes or changes its meaning.
SCHEMA_VERSION = 1
#: Of more test sets than these, a caption does not name all.
_MOST_NAMED = 6


@dataclasses.dataclass(frozen=True, kw_only=True)
class Layout:
    """How an outcome is shown.  Nothing here changes a number.

    Parameters
    ----------
    baseline : str, optional
        The system that all others are set against; by default the best one.
    digits : int, optional
        Decimals of scores and differences; by default what suits their scale.
    pairs : bool
        Whether all pairs are shown, and not the systems alone.
    people : bool
        Whether it is shown how often people agree with differences of these sizes.
    columns : int, optional
        How many characters a table may be wide; by default any number.
    examples : int, optional
        How many units that carry a difference are shown, and as many that speak against it; by
        default none.
    """

    baseline: str | None = None
    digits: int | None = None
    pairs: bool = False
    people: bool = False
    columns: int | None = None
    examples: int | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a page: a table with its caption, and figures.

    Attributes
    ----------
    title : str
        Empty where the table needs none.
    table : sequence of Column
    caption : str
        How to read the table.
    figures : tuple of Figure
    details : sequence of Column
        A longer table, which a page folds.
    details_title : str
    details_caption : str
        How to read the longer table.
    """

    title: str = ""
    table: Sequence[Column] = ()
    caption: str = ""
    figures: tuple[Figure, ...] = ()
    details: Sequence[Column] = ()
    details_title: str = ""
    details_caption: str = ""


def sizes_in_words(names: Sequence[str], sizes: Sequence[int], unit: str) -> str:
    """What the test sets, or tasks, are, and how many units each of them has.

    >>> sizes_in_words(["news", "speech"], [60, 60], "segments")
    'news, speech; 60 segments each'
    >>> sizes_in_words(["news", "speech"], [60, 1200], "segments")
    'news, speech; 60 to 1,200 segments each'
    """
    extremes = dict.fromkeys((min(sizes), max(sizes)))
    how_many = " to ".join(f"{size:,}" for size in extremes)
    return f"{listed(names, _MOST_NAMED)}; {how_many} {unit} each"


def heading_of_pairs(n_pairs: int) -> str:
    """What stands above a table of all pairs."""
    return "The pair" if n_pairs == 1 else f"All {n_pairs} pairs"


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Outcome(abc.ABC):
    """What an analysis found.

    Attributes
    ----------
    analysis : Analysis
        The settings of the analysis.
    kind : str
        What was compared, in a word: the key ``"kind"`` of the JSON.
    verdicts : dict of str to str
        What was found in a sentence or two, by metric.
    notes : tuple of str
        What a reader should know before relying on a verdict.
    distinguished : bool
        Whether any two are distinguished.
    table : DataFrame
        A row for each pair, unrounded: what CSV has.
    systems : DataFrame
        A row for each system, best first, unrounded.
    methods : str
        What was done, in a sentence or two for a paper.
    signature : str
        Everything that defines the numbers, parts separated by `` || ``; empty where there is none.
    """

    kind: ClassVar[str]
    #: The options of the test that may be given for this kind; None for all of them.  Others, also
    #: those that are added later, are refused and not ignored.
    accepted_options: ClassVar[tuple[str, ...] | None] = None
    #: Settings of the input that have no meaning for this kind.
    meaningless: ClassVar[tuple[str, ...]] = ()
    #: Why any of these is refused.
    why_meaningless: ClassVar[str] = ""
    #: The column of `systems` that ranks them.
    _ranked_by: ClassVar[str] = "score"
    #: Whether there are pairs of systems with scores of segments: the explorer lets one choose a
    #: pair, and `pair_examples` has segments by which two systems differ.
    has_pairs_to_choose: ClassVar[bool] = False

    analysis: Analysis

    @classmethod
    @abc.abstractmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """Compute what an analysis asks for.

        Parameters
        ----------
        analysis : Analysis
        statistics : sequence of SufficientStatistics, optional
            Those of the analysis, if they have been computed already.

        Raises
        ------
        InputError
            If what was given cannot be compared.
        """

    # --- what was found ---------------------------------------------------------------------------

    @property
    @abc.abstractmethod
    def verdicts(self) -> Mapping[str, str]: ...

    @property
    @abc.abstractmethod
    def notes(self) -> tuple[str, ...]: ...

    @property
    def warned(self) -> tuple[str, ...]:
        """Warnings from the computation."""
        return ()

    @property
    @abc.abstractmethod
    def distinguished(self) -> bool: ...

    @property
    @abc.abstractmethod
    def table(self) -> pd.DataFrame: ...

    @property
    @abc.abstractmethod
    def systems(self) -> pd.DataFrame: ...

    @property
    @abc.abstractmethod
    def methods(self) -> str: ...

    @property
    def signature(self) -> str:
        return ""

    @property
    @abc.abstractmethod
    def title(self) -> str:
        """What was compared, and by what, for the head of a page."""

    @property
    @abc.abstractmethod
    def size(self) -> str:
        """The amount of data, for a caption: how many units, raters or battles."""

    @property
    def system_names(self) -> tuple[str, ...]:
        """The systems that were compared, as they were given."""
        return tuple(dict.fromkeys(self.systems["system"]))

    @cached_property
    def sources(self) -> str:
        """What was read from which files, and how it was understood; empty for texts."""
        table = self.analysis.score_table
        return "" if table is None else table.sentence

    # --- how it is shown --------------------------------------------------------------------------

    def verdict_lines(self, layout: Layout) -> list[str]:
        """The verdicts, against the layout's baseline if it names one, and with its decimals."""
        return list(self.verdicts.values())

    @abc.abstractmethod
    def tables(self, layout: Layout) -> Iterator[Section]:
        """The tables for a screen, no wider than the layout allows."""

    def sections(self, layout: Layout) -> Iterator[Section]:
        """The parts of a page: first the table that the verdict is about, with the figures."""
        first, *others = self.tables(layout)
        yield dataclasses.replace(first, figures=self.figures_for_page(layout))
        yield from others

    def figures_for_page(self, layout: Layout) -> tuple[Figure, ...]:
        """The figures, or the figure for a paper if there are no others."""
        figures = tuple(self.figures())
        if figures:
            return figures
        figure, _ = self.figure_for_paper(layout)
        return (figure,)

    def section_with_pairs(self, layout: Layout, table: Sequence[Column], caption: str) -> Section:
        """A section with the figures, in which the printed table of all pairs is folded."""
        of_pairs = dataclasses.replace(layout, pairs=True)
        pairs = self.for_paper(of_pairs)
        return Section(
            table=table,
            caption=caption,
            figures=self.figures_for_page(layout),
            details=pairs,
            details_title=heading_of_pairs(len(pairs[0].cells)),
            details_caption=self.legend_for_paper(of_pairs),
        )

    def figures(self) -> Iterator[Figure]:
        """Figures, the most important first."""
        return iter(())

    def panels(self, layout: Layout) -> Iterator[Panel]:
        """What a figure for a paper shows: by metric, the number that ranks the systems."""
        from ..plots.column import panels_of_estimates  # matplotlib only when something is drawn

        confidence_level = self.analysis.options.confidence_level
        yield from panels_of_estimates(self.systems, self._ranked_by, confidence_level)

    def figure_for_paper(self, layout: Layout | None = None) -> tuple[Figure, list[Note]]:
        """A figure at the width of a column, and notes on names that it cannot show."""
        from ..plots.column import column_figure  # matplotlib only when something is drawn

        return column_figure(list(self.panels(layout or Layout())))

    @abc.abstractmethod
    def for_paper(self, layout: Layout) -> Sequence[Column]:
        """The table that one prints: of the systems, or of all pairs."""

    def legend_for_paper(self, layout: Layout) -> str:
        """How to read the table that one prints."""
        if not layout.pairs:
            return self.legend(layout)
        alpha = self.analysis.options.alpha
        return f"By: how much better the one that is ahead is. * distinguished at {alpha:g}."

    @property
    def legends_for_paper(self) -> Mapping[str, str]:
        """By heading: how to read a column that is left out of the table where there is no room."""
        return {"ranks": LEGEND_OF_RANKS}

    def comments_for_paper(self) -> Iterator[str]:
        """Comments on the printed table, which are not printed themselves."""
        if self.signature:
            yield self.signature
        for note in self.notes:
            yield f"Note: {note}."

    @property
    def metric_signatures(self) -> Mapping[str, str]:
        """The signature of each metric, where they are known."""
        return {}

    @property
    def sentence_for_paper(self) -> str:
        """What was done, and which papers describe the metrics."""
        return " ".join(filter(None, [self.methods, on_metrics(self.metric_signatures)]))

    @property
    def papers(self) -> list[str]:
        """The papers that the sentence names."""
        return named_in(self.sentence_for_paper)

    def caption_for_paper(self, layout: Layout) -> str:
        """What was compared, by which scores, and on how much data."""
        caption = f"{self.title} ({self.size})."
        return f"All pairs of {caption}" if layout.pairs else caption

    def paper_table(self, layout: Layout) -> PaperTable:
        """The table that one prints, with everything around it."""
        return PaperTable(
            columns=self.for_paper(layout),
            caption=self.caption_for_paper(layout),
            label="pairs" if layout.pairs else "systems",
            legend=self.legend_for_paper(layout),
            legends=self.legends_for_paper,
            sentence=self.sentence_for_paper,
            comments=tuple(self.comments_for_paper()),
            dispensable=() if layout.pairs else DISPENSABLE,
        )

    def legend(self, layout: Layout) -> str:
        """How to read the table of systems."""
        for section in self.tables(layout):
            if section.table and section.caption:
                return section.caption
        return ""

    def reading_hints(self) -> Iterator[str]:
        """What a reader without statistics needs to know, for the end of a page."""
        yield "No difference detected is not the same as no difference."

    def by_sacrebleu(self, test: str, baseline: str | None) -> str:
        """What sacreBLEU's paired test of this name would print, in a line; empty if nothing."""
        return ""

    # --- examples ---------------------------------------------------------------------------------

    @classmethod
    def check_examples(cls) -> None:
        """Raise `InputError` if there are no segments by which two systems differ."""
        if not cls.has_pairs_to_choose:
            raise InputError(
                f"examples are segments on which two systems differ, and {cls.kind} are not "
                "compared by scores of segments. Leave examples out."
            )

    def pair_examples(self, n: int, *, baseline: str | None = None) -> list[PairExamples]:
        """The units that carry differences, and those that speak against them, for each pair.

        Pairs are, under each metric, the best system and the next, or the baseline and each other
        system.

        Parameters
        ----------
        n : int
            How many units of either side.
        baseline : str, optional

        Raises
        ------
        InputError
            If what was compared has no scores of segments.
        """
        self.check_examples()
        return []

    def examples(self, n: int = 10, *, baseline: str | None = None) -> pd.DataFrame:
        """The units that carry differences, and those that speak against them.

        Parameters
        ----------
        n : int
            How many units of either side.
        baseline : str, optional
            The system that is compared with each other one; by default, under each metric, the best
            system is compared with the next.

        Returns
        -------
        DataFrame
            A row for each example, with those columns that the data have: ``metric``; ``system_a``,
            which is ahead, and ``system_b``; ``favours``, one of the two; ``test_set``,
            ``document``, ``segment``; ``points``, what the unit contributes to the difference, and
            ``share``, as a share of it; ``difference_without``, the difference without the unit;
            ``segment_points``, what the segment contributes, where units are larger; ``score_a``
            and ``score_b``, of the segment; ``source``, ``reference``, ``output_a``, ``output_b``.

        Raises
        ------
        InputError
            If what was compared has no scores of segments.

        Notes
        -----
        The contributions of all units add up to the difference:
        :mod:`mtsig_nb.significance.examples` says how they are computed.  Examples are chosen
        because they contribute most.  They illustrate a difference, and are not a sample.

        Examples
        --------
        >>> from mtsig_nb.report.analysis import Analysis
        >>> systems = ["onlineA", "onlineB"]
        >>> found = Analysis(campaign="wmt12/es-en", systems=systems, n_resamples=500).run()
        >>> found.examples(1)[["favours", "segment", "points"]].round(3).values.tolist()
        [['onlineB', '2125', 0.039], ['onlineA', '2484', -0.022]]
        """
        if not is_whole(n) or n < 1:
            raise InputError(f"n={n!r} must be a whole number of at least 1.")
        tables = [examples.table for examples in self.pair_examples(n, baseline=baseline)]
        return pd.concat(tables, ignore_index=True)

    # --- formats ----------------------------------------------------------------------------------

    def code(self) -> str:
        """Python code with the package's public functions that finds the same."""
        return self.analysis.code()

    def to_latex(self, layout: Layout | None = None) -> str:
        """The table that one prints, and the sentence on methods below it, as LaTeX to paste.

        The signature and the notes stand above it as comments.
        """
        return self.paper_table(layout or Layout()).to_latex()

    def to_markdown(self, layout: Layout | None = None) -> str:
        """The table that one prints in Markdown, with its notes and the sentence on methods.

        Below it stand the examples that the layout asks for.
        """
        layout = layout or Layout()
        parts = [self.paper_table(layout).to_markdown()]
        if layout.examples:
            parts.append(f"{CAUTION}\n")
            for examples in self.pair_examples(layout.examples, baseline=layout.baseline):
                summary = f"{examples.title}. {examples.summary(layout.digits)}"
                parts.append(f"{markdown_text(summary)}\n")
                parts.append(to_markdown(examples.columns(layout.digits, with_texts=True)))
        return "\n".join(parts)

    def to_bibtex(self) -> str:
        """What the sentence on methods cites, and this package, as BibTeX."""
        return entries(self.papers)

    def content(self, layout: Layout) -> dict[str, Any]:
        """Everything, for JSON."""
        everything = {
            "schema_version": SCHEMA_VERSION,
            "version": __version__,
            "kind": self.kind,
            "analysis": self.analysis.to_dict(),
            "signature": self.signature,
            "methods_sentence": self.methods,
            "verdicts": dict(zip(self.verdicts, self.verdict_lines(layout), strict=True)),
            "notes": list(self.notes),
            "sources": self.sources,
            "systems": self.systems,
            "pairs": self.table,
            **self.details(layout),
        }
        if layout.examples:
            of_pairs = self.pair_examples(layout.examples, baseline=layout.baseline)
            everything["examples"] = pd.concat([found.table for found in of_pairs])
            everything["examples_counts"] = [found.counts for found in of_pairs]
        return everything

    def details(self, layout: Layout) -> dict[str, Any]:
        """What the JSON of this kind has in addition to what all kinds have."""
        return {}

    def __len__(self) -> int:
        """How many pairs were compared."""
        return len(self.table)

    def to_csv(self) -> str:
        """All pairs as CSV, unrounded."""
        return to_csv(self.table)

    def to_html(self, layout: Layout | None = None) -> str:
        """The table that one prints in HTML, with its own styles, to paste into a mail."""
        return self.paper_table(layout or Layout()).to_html()

    def plot(self) -> Figure:
        """Draw the most important of what was found."""
        return next(self.figures(), None) or self._plain_figure()

    def _plain_figure(self) -> Figure:
        """What is drawn where a page has no figures: the number that ranks the systems."""
        from ..plots.estimates import estimates  # matplotlib only when something is drawn

        return estimates(self.systems, self._ranked_by)

    def __repr__(self) -> str:
        how_many = "some" if self.distinguished else "none"
        pairs = counted(len(self), "pair")
        return f"{type(self).__name__}({self.title}: {pairs}, {how_many} distinguished)"

    def __str__(self) -> str:
        return "\n".join(self.verdicts.values())

    def _repr_html_(self) -> str:
        verdicts = "<br>".join(html.escape(verdict) for verdict in self.verdicts.values())
        return f"<p><strong>{verdicts}</strong></p>{to_html(self.for_paper(Layout()))}"
