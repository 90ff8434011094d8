"""A campaign that is looked at while its judgements come in, as plain settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ..errors import InputError
from ..scores.table import ScoreTable
from ..significance.sequential import SequentialTest, sequential_test
from .analysis import Analysis

#: Sign flips, where no number is asked for.
N_FLIPS = 10_000


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

    def __init__(
        self,
        *,
        planned: int,
        looks: int | Sequence[int],
        spending: str = "obrien-fleming",
        futility: float = 0.1,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        if self.scores is None:
            raise InputError("scores: give the file of the judgements that are watched.")
        object.__setattr__(self, "planned", planned)
        object.__setattr__(self, "looks", tuple(looks) if isinstance(looks, Sequence) else looks)
        object.__setattr__(self, "spending", spending)
        object.__setattr__(self, "futility", futility)

    @property
    def kind(self) -> str:
        """What is found: looks."""
        return "looks"

    def _settings(self) -> dict[str, Any]:
        """All settings by their names."""
        names = ("planned", "looks", "spending", "futility")
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
        judgements = self._table.judgements(tuple(self.systems))
        return sequential_test(judgements, *self._pair, **self._arguments())

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

    def _arguments(self) -> dict[str, Any]:
        """What :func:`mtsig_nb.sequential_test` is given by name."""
        score = self._table.only_metric
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
            "score": score,
            "higher_is_better": self._table.metrics[score],
            "n_resamples": options.n_resamples or N_FLIPS,
            "rng": options.seed,
        }

    def code(self) -> str:
        """Python code with the package's public functions that finds the same."""
        systems = repr(list(self.systems)) if self.systems else ""
        lines = [
            "import mtsig_nb as mt",
            self.code_for_table(),
            "found = mt.sequential_test(",
            f"    table.judgements({systems}),",
        ]
        lines += [f"    {name!r}," for name in self._pair]
        lines += [f"    {name}={value!r}," for name, value in self._arguments().items()]
        return "\n".join([*lines, ")"])
