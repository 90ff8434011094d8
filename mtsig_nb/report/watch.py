"""A campaign that is looked at while its judgements come in, as plain settings."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..errors import InputError
from ..human.raters_at_looks import RatersAtLooks, raters_at_looks
from ..scores.ordering import ORDER
from ..scores.table import ScoreTable
from ..significance.sequential import SequentialTest, sequential_test
from .analysis import Analysis


@dataclasses.dataclass(frozen=True, kw_only=True, init=False)
class Watch(Analysis):
    """What is watched, how much is planned, and when one looks.

    Parameters
    ----------
    planned : int
        The most units that are to come.
    looks : int or sequence of int
        How many looks there are, equally far apart, or after how many units each is.
    spending : {"obrien-fleming", "pocock", "even"}
        How the error is spent; see :func:`mtsig_nb.sequential_test`.
    futility : float
        A pair with less predictive power will not be told apart.
    order : str, optional
        The column of the file by which judgements are put in order; by default they are.
    **settings
        Those of :class:`~mtsig_nb.report.analysis.Analysis`; `scores` is the file of judgements so
        far.  Two systems named are watched alone, and otherwise all pairs together.

    Raises
    ------
    InputError
        If there is no file of judgements.

    Notes
    -----
    ``Watch(**watch.to_dict())`` is the same, also after a passage through JSON.

    Examples
    --------
    >>> watch = Watch(scores="judgements.jsonl", systems=["A", "B"], planned=500, looks=[100, 500])
    >>> watch.kind, watch == Watch(**watch.to_dict())
    ('looks', True)
    """

    planned: int
    looks: int | tuple[int, ...]
    spending: str
    futility: float
    order: str | None

    def __init__(
        self,
        *,
        planned: int,
        looks: int | Sequence[int],
        spending: str = "obrien-fleming",
        futility: float = 0.1,
        order: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        if self.scores is None:
            raise InputError("scores: give the file of the judgements to watch.")
        object.__setattr__(self, "planned", planned)
        object.__setattr__(self, "looks", tuple(looks) if isinstance(looks, Sequence) else looks)
        object.__setattr__(self, "spending", spending)
        object.__setattr__(self, "futility", futility)
        object.__setattr__(self, "order", order)

    @property
    def kind(self) -> str:
        """What is found: looks."""
        return "looks"

    def _settings(self) -> dict[str, Any]:
        """All settings by their names."""
        names = ("planned", "looks", "spending", "futility", "order")
        return super()._settings() | {name: getattr(self, name) for name in names}

    @property
    def sources(self) -> str:
        """How the file of judgements was understood."""
        return self._table.sentence

    def look(self) -> SequentialTest:
        """Every look up to now.

        Raises
        ------
        InputError
            If the first look is still to come, with the code `NO_LOOK_YET`, or the judgements are
            of several metrics, test sets or runs.
        """
        return sequential_test(self._judgements, *self._pair, **self._arguments())

    def raters_at(self, found: SequentialTest) -> RatersAtLooks | None:
        """What these looks say of raters to come; None where nobody knows who judged."""
        judgements = self._judgements
        if "rater" not in judgements:
            return None
        return raters_at_looks(judgements, found, **self._columns())

    @functools.cached_property
    def _judgements(self) -> pd.DataFrame:
        """A row for each judgement so far, made once."""
        return self._table.judgements(tuple(self.systems))

    @property
    def scores_so_far(self) -> pd.Series:
        """The scores of all judgements so far."""
        return self._judgements[self._table.only_metric]

    @property
    def _table(self) -> ScoreTable:
        """The judgements so far."""
        table = self.score_table
        assert table is not None  # since there is a file of scores
        return table

    @property
    def _pair(self) -> tuple[str, ...]:
        """The two systems that are watched alone; empty where all pairs are."""
        return tuple(self.systems) if len(self.systems) == 2 else ()

    def _arguments_for_scores(self) -> tuple[list[Any], dict[str, Any]]:
        """What `read_score_table` is given: files and metrics, then what is unusual, by name."""
        values, options = super()._arguments_for_scores()
        if self.order is not None:
            options["order"] = self.order
        return values, options

    def _columns(self) -> dict[str, Any]:
        """What `sequential_test` and `raters_at_looks` are told of the columns of `_judgements`."""
        score = self._table.only_metric
        return {
            "score": score,
            "order": None if self.order is None else ORDER,
            "higher_is_better": self._table.metrics[score],
        }

    def _arguments(self) -> dict[str, Any]:
        """What :func:`mtsig_nb.sequential_test` is given by name."""
        options = self.options
        looks = list(self.looks) if isinstance(self.looks, tuple) else self.looks
        return {
            "planned": self.planned,
            "looks": looks,
            "spending": self.spending,
            "alpha": options.alpha,
            "alternative": options.alternative,
            "futility": self.futility,
            "units": self._resampled_units,
            "n_resamples": options.n_resamples,
            "rng": options.seed,
            **self._columns(),
        }

    def code(self) -> str:
        """Python code with the package's public functions that finds the same."""
        systems = repr(list(self.systems)) if self.systems else ""
        lines = [
            "import mtsig_nb as mt",
            self.code_for_table(),
            f"judgements = table.judgements({systems})",
            "found = mt.sequential_test(",
            "    judgements,",
        ]
        lines += [f"    {name!r}," for name in self._pair]
        lines += [f"    {name}={value!r}," for name, value in self._arguments().items()]
        lines.append(")")
        if "rater" in self._judgements:
            columns = ", ".join(f"{name}={value!r}" for name, value in self._columns().items())
            lines += [
                "",
                "from mtsig_nb.human.raters_at_looks import raters_at_looks",
                f"of_raters = raters_at_looks(judgements, found, {columns})",
            ]
        return "\n".join(lines)
