"""An analysis as plain settings: what the command line, a report and Python code have in common.

Whoever asks, the same settings go through the same functions with the same seed, so a table on the
screen, a report and the code printed in it have the same numbers.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import pandas as pd

from .. import metrics
from ..campaigns.campaign import Campaign
from ..campaigns.embedded import load
from ..errors import InputError
from ..notes import note
from ..outcomes.kinds import outcome_class
from ..outcomes.outcome import Outcome
from ..scores.table import ScoreTable
from ..significance.all_pairs import compare_by
from ..significance.comparisons import Comparisons
from ..significance.corrections import LOOKS, correction_named
from ..significance.one_pair import run_test
from ..significance.options import USUAL, TestOptions
from ..significance.results import PairResult
from ..significance.sharing import other_layouts
from ..statistics.many_test_sets import ScoredSets
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..statistics.told_apart import told_apart
from .inputs import Inputs


@dataclasses.dataclass(frozen=True, kw_only=True, init=False)
class Analysis(Inputs):
    """Which systems are compared, by which metrics, with which test.

    Parameters
    ----------
    options : TestOptions, optional
        How they are tested.
    **settings
        Those of :class:`Inputs`, and the plain ones of :class:`TestOptions`, which take the place
        of those that `options` have.  They are texts and numbers alone, so that
        ``Analysis(**analysis.to_dict())`` is the same analysis, also after a passage through JSON.

    Notes
    -----
    The correction ``"usual"`` is Holm's, but over several test sets the one that suits the test:
    Westfall and Young's, or Romano and Wolf's.  The units are by default documents where
    `documents` names them, or several test sets know theirs, and segments otherwise.  Where several
    people rated, they are counted as a sample, too, unless units are named.

    Examples
    --------
    >>> systems = ["onlineB", "uedin-wmt12", "onlineA"]
    >>> analysis = Analysis(campaign="wmt12/es-en", systems=systems, alpha=0.01)
    >>> analysis.compare().conclusions().word("onlineB", "onlineA")
    'better'
    >>> print(analysis.code().splitlines()[1])
    campaign = mt.load('wmt12/es-en')
    >>> analysis == Analysis(
    ...     campaign="wmt12/es-en", systems=systems, options=TestOptions(alpha=0.01)
    ... )
    True
    """

    options: TestOptions

    def __init__(self, *, options: TestOptions | None = None, **settings: Any) -> None:
        usual = TestOptions() if options is None else options
        plain = usual.to_dict()
        chosen = {name: settings.pop(name) for name in plain if name in settings}
        super().__init__(**settings)
        object.__setattr__(self, "options", usual.but(**chosen) if chosen else usual)

    @functools.cached_property
    def resolved(self) -> Analysis:
        """The same with the units and the correction that are meant for these data."""
        changed: dict[str, Any] = {}
        if self.options.units is None:
            changed["units"] = self._usual_units()
        if self.options.correction == USUAL:
            changed["correction"] = self._usual_correction()
        return self.but(**changed) if changed else self

    @property
    def _resampled_units(self) -> str:
        return str(self.resolved.options.units)

    def _usual_units(self) -> str:
        if self.documents is not None:
            return "documents"
        table = self.score_table
        if table is not None and table.has_test_sets and table.has_documents:
            return "documents"
        return "segments"

    def _usual_correction(self) -> str:
        table = self.score_table
        procedure = self.options.procedure
        if table is None or not table.has_test_sets or table.runs or not procedure.valid:
            return "holm"
        return "westfall-young" if procedure.kind == "shuffle" else "romano-wolf"

    def but(self, **settings: Any) -> Analysis:
        """The same with other settings of the test; segment scores are not read once more."""
        made = dataclasses.replace(self, **settings)
        if "score_files" in self.__dict__:
            made.__dict__["score_files"] = self.score_files
        return made

    def to_dict(self) -> dict[str, Any]:
        """All settings as lists, texts and numbers."""
        settings = self._settings()
        for name, value in settings.items():
            if isinstance(value, tuple):
                settings[name] = list(value)
        return settings

    def _settings(self) -> dict[str, Any]:
        """All settings by their names."""
        inputs = {field.name: getattr(self, field.name) for field in dataclasses.fields(Inputs)}
        return copy.deepcopy(inputs) | self.options.to_dict()

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of every metric, from the cache where texts were measured before."""
        if self.score_table is not None:
            found = told_apart(self._statistics_of_table(self.score_table))
        elif self.campaign is not None:
            found = told_apart(self._statistics_of_campaign(load(self.campaign)))
        else:
            return told_apart(self._statistics_of_texts())
        if self.systems:
            return [statistics.select(self.systems) for statistics in found]
        return found

    def _statistics_of_table(self, table: ScoreTable) -> list[SufficientStatistics]:
        """Statistics of segment scores; of several test sets those of the mean over them."""
        if self._resampled_units == "documents":
            systems = () if table.runs else tuple(self.systems)
            sets = table.test_sets(systems=systems, units="documents")
            if sets:
                return [scored.overall for scored in sets]
        return table.statistics()

    def _statistics_of_campaign(self, campaign: Campaign) -> list[SufficientStatistics]:
        references = "+".join(self.references) or None
        return [
            campaign.statistics(metric, references=references, **settings)
            for metric, settings in self._measures()
        ]

    def _statistics_of_texts(self) -> list[SufficientStatistics]:
        chosen = [metrics.get(name, **settings) for name, settings in self._measures()]
        for metric in chosen:
            metric.require()  # before any of them is computed
        texts = self.test_set()
        return [self._noted(measure(texts, metric)) for metric in chosen]

    def _noted(self, statistics: SufficientStatistics) -> SufficientStatistics:
        """Statistics with a note on the tokenizer, if the language pair has chosen it."""
        tokenize = self._tokenizer()
        tokenize_of_metric = statistics.metric.settings.get("tokenize")
        if tokenize is None or "tokenize" in self.settings or tokenize_of_metric != tokenize:
            return statistics
        about = note("tokenizer-of-language", tokenize=tokenize, pair=self.language_pair)
        return dataclasses.replace(statistics, notes=(*statistics.notes, about))

    def test_sets(self) -> list[ScoredSets]:
        """Of each metric the test sets, where segment scores are of several; none otherwise."""
        table = self.score_table
        if table is None or table.runs:
            return []
        return table.test_sets(systems=tuple(self.systems), units=self._resampled_units)

    def compare(
        self, statistics: Sequence[SufficientStatistics] | Sequence[ScoredSets] | None = None
    ) -> Comparisons:
        """Every pair tested; `statistics` are those of this analysis, if they are there already.

        With its `test_sets`, every pair over all test sets and on each; see
        :func:`mtsig_nb.test_sets`.
        """
        if self.score_table is not None:
            self.score_table.check_several_systems()
        given = self.statistics() if statistics is None else statistics
        options = self.resolved.options
        correction = correction_named(options.correction)
        return compare_by(options.but(correction=correction), given)

    # --- what is found ----------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """What is compared: a kind of outcome.  Settings decide, and what the files have."""
        if self.gold is not None:
            return "metrics"
        found = self.score_files
        if found is None:
            return "pairs"
        if found.kind != "ratings" or self.options.units is None:
            return found.kind
        means_over_raters = self.score_table
        assert means_over_raters is not None  # from where the ratings are
        return "test sets" if means_over_raters.has_test_sets else "pairs"

    @property
    def outcome_class(self) -> type[Outcome]:
        """The class of what is found."""
        return outcome_class(self.kind)

    def run(self, statistics: Sequence[SufficientStatistics] | None = None) -> Outcome:
        """Compute what is asked, whatever it is.

        Parameters
        ----------
        statistics : sequence of SufficientStatistics, optional
            Those of this analysis, if they are there already.

        Returns
        -------
        Outcome
            Of pairs of systems, test sets, runs, ratings or battles: what the files have decides.
            Of metrics, where there is a `gold`.

        Raises
        ------
        InputError
            If what was given cannot be compared, or an option is named that has no meaning here.

        Examples
        --------
        >>> systems = ["onlineA", "onlineB"]
        >>> found = Analysis(campaign="wmt12/es-en", systems=systems, n_resamples=500).run()
        >>> found.kind, len(found), found.distinguished
        ('pairs', 1, True)
        """
        found = self.outcome_class
        self._refuse(found)
        return found.from_analysis(self, statistics)

    def without_resamples(self) -> Analysis:
        """The same with the correction that is meant where nothing is resampled."""
        return self.but(correction="holm") if self.options.correction == USUAL else self

    def _refuse(self, kind: type[Outcome]) -> None:
        """Raise `InputError` if a setting that has no meaning for this kind was given."""
        refused = list(kind.meaningless)
        if kind.accepted_options is not None:
            accepted = kind.accepted_options
            refused += [name for name in self.options.to_dict() if name not in accepted]
        given = self._settings()
        usual = Analysis()._settings()
        for name in refused:
            if given[name] != usual[name]:
                raise InputError(f"{name}={given[name]!r}: {kind.why_meaningless}. Leave it out.")

    # --- parts of it ------------------------------------------------------------------------------

    def test_pair(
        self, statistics: SufficientStatistics, row: pd.Series, test: str | None = None
    ) -> PairResult:
        """The test of one pair alone, as in its row of the table of all pairs; or another test.

        Where it is not known whether test sets share their units, that with the larger p-value.
        """
        chosen = test or self.options.test
        options = self.pair_options(row)
        results = [
            run_test(chosen, layout, row["system_a"], row["system_b"], **options)
            for layout in [statistics, *other_layouts([statistics])]
        ]
        return max(results, key=lambda result: result.pvalue)

    def pair_options(self, row: pd.Series) -> dict[str, Any]:
        """Options of the test of one pair, with as many resamples as its row has."""
        was_sampled = row["pvalue_low"] < row["pvalue_high"]
        drawn = int(row["n_resamples"]) if was_sampled else LOOKS[0]
        return {
            "alternative": self.options.alternative,
            "n_resamples": self.options.n_resamples or drawn,
            "units": self._resampled_units,
            "counting": self.options.counting,
            "rng": self.options.seed,
        }

    def code(self) -> str:
        """Python code with the package's public functions that gives the same comparisons."""
        given = self.resolved.options.arguments()
        options = [f"    {name}={value!r}," for name, value in given.items()]
        compare = ["comparisons = mt.compare_all(", "    statistics,", *options, ")"]
        return "\n".join(["import mtsig_nb as mt", *self.code_for_statistics(), *compare])

    def code_for_statistics(self) -> list[str]:
        """Lines of Python that make the list `statistics`."""
        if self.scores is not None:
            return self._code_for_scores()
        if self.campaign is not None:
            opened = f"campaign = {_call('mt.load(', self.campaign)}"
            of_all = {"references": "+".join(self.references)} if self.references else {}
            calls = [
                _call("campaign.statistics(", metric, **of_all | settings)
                for metric, settings in self._measures()
            ]
            calls = [f"{call}{self._code_for_selection()}" for call in calls]
        else:
            opened = f"texts = {_call('mt.read_test_set(', **self._of_texts())}"
            calls = [
                _call("mt.measure(texts, ", metric, **settings)
                for metric, settings in self._measures()
            ]
        return [opened, "statistics = [", *(f"    {call}," for call in calls), "]"]

    def _code_for_selection(self) -> str:
        """What follows the code for statistics of all systems, where some are chosen."""
        return _call(".select(", list(self.systems)) if self.systems else ""

    def code_for_table(self) -> str:
        """A line of Python that reads the table of segment scores."""
        given, unusual = self._of_scores()
        return f"table = {_call('mt.read_score_table(', *given, **unusual)}"

    def _code_for_scores(self) -> list[str]:
        """Lines of Python that make `statistics` of files of segment scores."""
        read = self.code_for_table()
        if self.score_table is not None and self.score_table.runs:
            return [read, "statistics = table.statistics()"]
        if self._resampled_units == "documents" and self.test_sets():
            systems = {"systems": list(self.systems)} if self.systems else {}
            sets = _call("table.test_sets(", **systems, units="documents")
            return [read, f"statistics = [scored.overall for scored in {sets}]"]
        select = self._code_for_selection()
        each = f"[s{select} for s in table.statistics()]" if select else "table.statistics()"
        return [read, f"statistics = {each}"]


def _call(opened: str, *values: Any, **named: Any) -> str:
    """Code that calls a function, from its name and bracket on."""
    by_place = [repr(value) for value in values]
    by_name = [f"{name}={value!r}" for name, value in named.items()]
    return f"{opened}{', '.join([*by_place, *by_name])})"
