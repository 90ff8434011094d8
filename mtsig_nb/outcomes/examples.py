"""Which units carry a difference, with their texts: what is said and shown of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import counted
from ..frames import pd
from ..significance.comparisons import Comparisons
from ..significance.examples import Differences
from ..tables import MISSING, Column, printed
from ..texts.marking import Part, marked
from ..texts.test_set import Texts
from ..writing import visible
from .verdicts import digits_for

if TYPE_CHECKING:
    from ..scores.table import ScoreTable

#: What every reader of examples has to know.
CAUTION = (
    "These examples were chosen after the test because they move the difference most. They "
    "illustrate it, and have no p-value of their own."
)

#: Texts in the table of examples: columns, in their order.
_TEXTS = ("source", "reference", "output_a", "output_b")

#: A function that finds the texts of segments.  It is given rows of `Differences.chosen` and the
#: names of two systems.  It returns for each row the texts that there are, under the keys "source",
#: "reference" and "output of SYSTEM".
TextsOfRows = Callable[["pd.DataFrame", Sequence[str]], list[dict[str, str]]]

#: A row of a table of examples, by the names of columns.
Row = Mapping[Hashable, Any]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class PairExamples:
    """The units that carry the difference between two systems under a metric, and those against it.

    Attributes
    ----------
    metric : str
    unit : str
        What units are: segments or documents.
    differences : Differences
    table : DataFrame
        A row for each example: ``metric``; ``system_a``, which is ahead; ``system_b``; the columns
        of :meth:`Differences.chosen` but for ``place``; and the texts ``source``, ``reference``,
        ``output_a`` and ``output_b``, as far as there are any.
    """

    metric: str
    unit: str
    differences: Differences
    table: pd.DataFrame

    @classmethod
    def of(
        cls, differences: Differences, *, metric: str, unit: str, n: int, texts: TextsOfRows
    ) -> PairExamples:
        """At most `n` examples of either side."""
        systems = (differences.ahead, differences.behind)
        chosen = differences.chosen(n)
        texts_of_rows = texts(chosen, systems)
        table = chosen.drop(columns="place").rename(
            columns={"score_ahead": "score_a", "score_behind": "score_b"}
        )
        table.insert(0, "metric", metric)
        table.insert(1, "system_a", differences.ahead)
        table.insert(2, "system_b", differences.behind)
        outputs = (f"output of {system}" for system in systems)
        for column, key in zip(_TEXTS, ("source", "reference", *outputs), strict=True):
            if any(key in texts_of_row for texts_of_row in texts_of_rows):
                table[column] = [texts_of_row.get(key, "") for texts_of_row in texts_of_rows]
        return cls(metric=metric, unit=unit, differences=differences, table=table)

    @property
    def title(self) -> str:
        """What is shown."""
        return f"{self.metric}: {self.differences.ahead} against {self.differences.behind}"

    @property
    def has_texts(self) -> bool:
        """Whether there is any text to be read."""
        return any(name in self.table for name in _TEXTS)

    def summary(self, digits: int | None = None) -> str:
        """How many units favour each system, and what share of the difference is listed."""
        ahead = self.differences.ahead
        behind = self.differences.behind
        n_ahead, n_behind = self.differences.n_favouring
        n_units = counted(n_ahead, self.unit.removesuffix("s"))
        sentences = [
            f"In favour of {ahead}: {n_units}; of {behind}: {n_behind:,}; of neither: "
            f"{self._n_neither:,}."
        ]
        shares = self.table.loc[self.table["favours"] == ahead, "share"]
        if len(shares) and shares.notna().all():
            signed = f"{self.differences.difference:+.{self._digits(digits)}f} {self.metric}"
            sentences.append(
                f"The {len(shares)} listed that favour {ahead} make up {_percent(shares.sum())} of "
                f"the difference ({signed} for {ahead})."
            )
        flips = self.differences.n_flips
        if flips is not None:
            only_ahead, only_behind = flips
            sentences.append(
                f"Only {ahead} is right in {counted(only_ahead, 'segment')}, only {behind} in "
                f"{only_behind:,}. Of segments that count the same, the first are listed."
            )
        return " ".join(sentences)

    @property
    def counts(self) -> dict[str, object]:
        """How many units favour each system; of yes-or-no scores also how many segments flip."""
        n_ahead, n_behind = self.differences.n_favouring
        counts: dict[str, object] = {
            "metric": self.metric,
            "system_a": self.differences.ahead,
            "system_b": self.differences.behind,
            "difference": self.differences.difference,
            "favour_a": n_ahead,
            "favour_b": n_behind,
            "favour_neither": self._n_neither,
        }
        flips = self.differences.n_flips
        if flips is not None:
            counts["only_a_right"], counts["only_b_right"] = flips
        return counts

    @property
    def _n_neither(self) -> int:
        """How many units contribute nothing."""
        n_units = int(self.differences.statistics.present.sum())
        return n_units - sum(self.differences.n_favouring)

    def _digits(self, digits: int | None) -> int:
        """Decimals of scores and of the difference."""
        if digits is not None:
            return digits
        statistics = self.differences.statistics
        return digits_for(list(statistics.scores_by_system().values()))

    def _digits_of_points(self, digits: int | None) -> int:
        """Decimals of what single units contribute, which is less than the difference."""
        return self._digits(digits) + 1

    @property
    def sides(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """The system that is favoured, and the rows that favour it, for both systems."""
        for system in (self.differences.ahead, self.differences.behind):
            yield system, self.table[self.table["favours"] == system]

    def headline(self, row: Row, digits: int | None = None) -> str:
        """What is said of an example: which unit it is, and how much it contributes."""
        digits_of_points = self._digits_of_points(digits)
        words = [f"{row['points']:+.{digits_of_points}f} {self.metric}"]
        share = row["share"]
        if isinstance(share, float) and not np.isnan(share):
            words.append(f"{_percent(share)} of the difference")
        words.append(f"{row['difference_without']:+.{digits_of_points}f} without it")
        if "score_a" in row and "segment_points" not in row:
            words.append(self._scores(row, digits))
        where = [str(row["test_set"])] if "test_set" in row else []
        if row.get("document"):
            where.append(f"document {row['document']}")
        segment = f"segment {row['segment']}"
        if "segment_points" in row:
            segment += f" most of all ({row['segment_points']:+.{digits_of_points}f})"
        where.append(segment)
        return f"{', '.join(where)}: {'; '.join(words)}"

    def _scores(self, row: Row, digits: int | None) -> str:
        """The scores of an example, which is a segment, under both systems."""
        systems = (self.differences.ahead, self.differences.behind)
        scores = []
        for system, score in zip(systems, (row["score_a"], row["score_b"]), strict=True):
            known = MISSING if pd.isna(score) else f"{score:.{self._digits(digits)}f}"
            scores.append(f"{system} {known}")
        return ", ".join(scores)

    def texts(self, row: Row) -> list[tuple[str, str]]:
        """The texts of an example that there are, each with what it is."""
        names = {
            "source": "source",
            "reference": "reference",
            "output_a": self.differences.ahead,
            "output_b": self.differences.behind,
        }
        return [(title, str(row[name])) for name, title in names.items() if name in row]

    def marked_texts(self, row: Row) -> list[tuple[str, list[Part]]]:
        """The texts of an example, and what in each output differs from the other output."""
        texts = [(title, [Part(text, differs=False)]) for title, text in self.texts(row)]
        if "output_a" in row and "output_b" in row:
            outputs = marked(str(row["output_a"]), str(row["output_b"]))
            *before, (ahead, _), (behind, _) = texts  # the outputs come last
            texts = [*before, (ahead, outputs[0]), (behind, outputs[1])]
        return texts

    def lines(self, digits: int | None = None) -> Iterator[str]:
        """All examples as plain text; a text stands in one line."""
        yield f"{self.title}. {self.summary(digits)}"
        for system, rows in self.sides:
            if len(rows):
                yield ""
                yield f"In favour of {system}:"
            for number, row in enumerate(rows.to_dict("records"), start=1):
                yield f"{number}. {self.headline(row, digits)}"
                for title, text in self.texts(row):
                    yield f"   {title}: {' '.join(text.split())}"

    def columns(self, digits: int | None = None, *, with_texts: bool = False) -> list[Column]:
        """All examples as a table, rounded."""
        digits_of_points = self._digits_of_points(digits)
        shown = self.table.drop(columns=["metric", "system_a", "system_b"])
        for name in _TEXTS:
            if name in shown and with_texts:
                shown[name] = shown[name].map(visible)
            elif name in shown:
                shown = shown.drop(columns=name)
        shown["share"] = [_percent(share) for share in shown["share"]]
        of_points = ("points", "difference_without", "segment_points")
        for name in of_points:
            if name in shown:
                shown[name] = shown[name].map(f"{{:+.{digits_of_points}f}}".format)
        headings = {
            "difference_without": "difference without it",
            "score_a": self.differences.ahead,
            "score_b": self.differences.behind,
            "output_a": f"output of {self.differences.ahead}",
            "output_b": f"output of {self.differences.behind}",
        }
        columns = []
        as_printed = printed(shown, digits=self._digits(digits))
        for name, column in zip(shown.columns, as_printed, strict=True):
            heading = headings.get(name, column.heading)
            numeric = column.numeric or name in (*of_points, "share")
            columns.append(Column(heading, column.cells, numeric))
        return columns


def _percent(share: float) -> str:
    """A share as a percentage; empty where there is none."""
    return "" if np.isnan(share) else f"{100 * share:.1f} %"


def pairs_to_show(
    comparisons: Comparisons, metric: str, baseline: str | None
) -> list[tuple[str, str]]:
    """The pairs of which examples are shown under a metric.

    These are the baseline against each other system, or else the best against the next.
    """
    best_first = list(comparisons.scores_by_metric[metric])
    if baseline is None:
        best, second, *_ = best_first
        return [(best, second)]
    return [(baseline, system) for system in best_first if system != baseline]


def texts_from(texts: Texts | None, table: ScoreTable | None) -> TextsOfRows:
    """How to find the texts of examples: in files of texts, or beside the scores."""

    def in_files(rows: pd.DataFrame, systems: Sequence[str]) -> list[dict[str, str]]:
        assert texts is not None
        return [_of_segment(texts, place, systems) for place in rows["place"]]

    def beside_scores(rows: pd.DataFrame, systems: Sequence[str]) -> list[dict[str, str]]:
        assert table is not None
        assert table.texts is not None
        from ..scores.segment_texts import texts_of  # there already: the table is from this room

        found: list[dict[str, str]] = []
        for row in rows.to_dict("records"):
            test_set = str(row.get("test_set", ""))
            found += texts_of(table.texts, [row["segment"]], systems, test_set)
        return found

    def nowhere(rows: pd.DataFrame, systems: Sequence[str]) -> list[dict[str, str]]:
        return [{} for _ in range(len(rows))]

    if texts is not None:
        return in_files
    if table is not None and table.texts is not None:
        return beside_scores
    return nowhere


def _of_segment(texts: Texts, place: int, systems: Sequence[str]) -> dict[str, str]:
    """The texts of one segment; of several references all that it has."""
    found = {}
    if texts.source is not None:
        found["source"] = texts.source[place]
    references = [reference[place] for reference in texts.references if reference[place]]
    found["reference"] = " / ".join(references)
    for system in systems:
        found[f"output of {system}"] = texts.hypotheses[system][place]
    return found
