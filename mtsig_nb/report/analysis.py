"""An analysis as plain settings: what the command line, a report and Python code have in common.

Whoever asks, the same settings go through the same functions with the same seed, so a table on the
screen, a report and the code printed in it have the same numbers.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import metrics
from ..campaigns.campaign import Campaign
from ..campaigns.embedded import load
from ..errors import InputError
from ..notes import note
from ..outcomes import kinds
from ..outcomes.outcome import Outcome
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
from .inputs import OF_ONE_KIND, Inputs

if TYPE_CHECKING:
    from ..scores.table import ScoreTable


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
        if options is None:
            options = TestOptions()
        settings_of_test = {}
        for name in options.to_dict():
            if name in settings:
                settings_of_test[name] = settings.pop(name)
        if settings_of_test:
            options = options.but(**settings_of_test)
        super().__init__(**settings)
        object.__setattr__(self, "options", options)

    @functools.cached_property
    def resolved(self) -> Analysis:
        """The same with the units and the correction that are meant for these data."""
        changes: dict[str, Any] = {}
        if self.options.units is None:
            changes["units"] = self._usual_units()
        if self.options.correction == USUAL:
            changes["correction"] = self._usual_correction()
        return self.but(**changes) if changes else self

    @property
    def _resampled_units(self) -> str:
        """What is resampled: ``"segments"``, ``"documents"`` and so on."""
        return str(self.resolved.options.units)

    def _usual_units(self) -> str:
        """The units where none are named; see the notes above."""
        if self.documents is not None:
            return "documents"
        table = self.score_table
        if table is not None and table.has_test_sets and table.has_documents:
            return "documents"
        return "segments"

    def _usual_correction(self) -> str:
        """The correction that ``"usual"`` stands for; see the notes above."""
        table = self.score_table
        procedure = self.options.procedure
        is_over_test_sets = table is not None and table.has_test_sets and not table.runs
        if not is_over_test_sets or not procedure.valid:
            return "holm"
        return "westfall-young" if procedure.kind == "shuffle" else "romano-wolf"

    def but(self, **settings: Any) -> Analysis:
        """The same with other settings of the test; nothing is read once more."""
        changed = dataclasses.replace(self, **settings)
        for name in ("score_files", "_texts"):
            if name in self.__dict__:  # where `cached_property` keeps what has been read
                changed.__dict__[name] = self.__dict__[name]
        return changed

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
        for name in OF_ONE_KIND:
            if inputs[name] is None:
                del inputs[name]
        return copy.deepcopy(inputs) | self.options.to_dict()

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of every metric, from the cache where texts were measured before."""
        if self.score_table is not None:
            of_all_systems = told_apart(self._statistics_of_table(self.score_table))
        elif self.campaign is not None:
            of_all_systems = told_apart(self._statistics_of_campaign(load(self.campaign)))
        else:  # only the texts of the systems named are read
            return told_apart(self._statistics_of_texts())
        if self.systems:
            return [statistics.select(self.systems) for statistics in of_all_systems]
        return of_all_systems

    def _statistics_of_table(self, table: ScoreTable) -> list[SufficientStatistics]:
        """Statistics of segment scores; of several test sets those of the mean over them."""
        if self._resampled_units == "documents":
            systems = () if table.runs else tuple(self.systems)
            sets = table.test_sets(systems=systems, units="documents")
            if sets:
                return [scored.overall for scored in sets]
        return table.statistics()

    def _statistics_of_campaign(self, campaign: Campaign) -> list[SufficientStatistics]:
        """Statistics of all systems of a campaign; `references` are labels of its references."""
        references = "+".join(self.references) or None
        return [
            campaign.statistics(metric, references=references, **settings)
            for metric, settings in self._measures()
        ]

    def _statistics_of_texts(self) -> list[SufficientStatistics]:
        """Statistics of the systems whose outputs are read from files."""
        chosen = [metrics.get(name, **settings) for name, settings in self._measures()]
        for metric in chosen:
            metric.require()  # before any of them is computed
        texts = self.test_set()
        return [self._with_note_on_tokenizer(measure(texts, metric)) for metric in chosen]

    def _with_note_on_tokenizer(self, statistics: SufficientStatistics) -> SufficientStatistics:
        """Statistics with a note on the tokenizer, if the language pair has chosen it."""
        tokenize = self._tokenizer_of_language()
        tokenize_of_metric = statistics.metric.settings.get("tokenize")
        if tokenize is None or "tokenize" in self.settings or tokenize_of_metric != tokenize:
            return statistics
        on_tokenizer = note("tokenizer-of-language", tokenize=tokenize, pair=self.language_pair)
        return dataclasses.replace(statistics, notes=(*statistics.notes, on_tokenizer))

    def test_sets(self) -> list[ScoredSets]:
        """For each metric its test sets, where segment scores are of several; none otherwise."""
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
        if statistics is None:
            statistics = self.statistics()
        options = self.resolved.options
        correction = correction_named(options.correction)
        return compare_by(options.but(correction=correction), statistics)

    # --- what is found ----------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """What is compared: a kind of outcome.  Settings decide, and what the files have."""
        if self.gold is not None:
            return "metrics"
        if self.margin is not None:
            return "gate"
        if self.aggregate is not None:
            return "leaderboard"
        files = self.score_files
        if files is None:
            return "pairs"
        if files.kind != "ratings" or self.options.units is None:
            return files.kind
        means_over_raters = self.score_table
        assert means_over_raters is not None  # from where the ratings are
        return "test sets" if means_over_raters.has_test_sets else "pairs"

    @property
    def outcome_class(self) -> type[Outcome]:
        """The class of what is found."""
        return kinds.outcome_class(self.kind)

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
            Of metrics, where there is a `gold`; a gate, where there is a `margin`; a
            leaderboard, where there is an `aggregate`.

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
        outcome_class = self.outcome_class
        self._refuse(outcome_class)
        return outcome_class.from_analysis(self, statistics)

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
        self, statistics: SufficientStatistics, row: np.void, test: str | None = None
    ) -> PairResult:
        """The test of one pair alone, as in its row of the table of all pairs; or another test.

        Where it is not known whether test sets share their units, both layouts are tested, and the
        result is that with the larger p-value.
        """
        procedure = test or self.options.test
        options = self.pair_options(row)
        results = []
        for layout in [statistics, *other_layouts([statistics])]:
            result = run_test(procedure, layout, row["system_a"], row["system_b"], **options)
            results.append(result)
        return max(results, key=lambda result: result.pvalue)

    def pair_options(self, row: np.void) -> dict[str, Any]:
        """Options of the test of one pair, with as many resamples as its row has.

        Where the p-value of the row is exact, nothing was drawn, and the number does not matter.
        """
        was_sampled = row["pvalue_low"] < row["pvalue_high"]
        n_drawn = int(row["n_resamples"]) if was_sampled else LOOKS[0]
        return {
            "alternative": self.options.alternative,
            "n_resamples": self.options.n_resamples or n_drawn,
            "units": self._resampled_units,
            "counting": self.options.counting,
            "rng": self.options.seed,
        }

    def code(self) -> str:
        """Python code with the package's public functions that gives the same comparisons."""
        lines = ["import mtsig_nb as mt", *self.code_for_statistics()]
        lines += ["comparisons = mt.compare_all(", "    statistics,"]
        for name, value in self.resolved.options.arguments().items():
            lines.append(f"    {name}={value!r},")
        lines.append(")")
        return "\n".join(lines)

    def code_for_statistics(self) -> list[str]:
        """Lines of Python that make the list `statistics`."""
        if self.scores is not None:
            return self._code_for_scores()
        calls = []
        if self.campaign is not None:
            first_line = f"campaign = mt.load({self.campaign!r})"
            references = {"references": "+".join(self.references)} if self.references else {}
            for metric, settings in self._measures():
                arguments = _arguments(metric, **references | settings)
                calls.append(f"campaign.statistics({arguments}){self._code_for_selection()}")
        else:
            first_line = f"texts = mt.read_test_set({_arguments(**self._arguments_for_texts())})"
            for metric, settings in self._measures():
                calls.append(f"mt.measure(texts, {_arguments(metric, **settings)})")
        return [first_line, "statistics = [", *(f"    {call}," for call in calls), "]"]

    def _code_for_selection(self) -> str:
        """What follows the code for statistics of all systems, where some are chosen."""
        return f".select({list(self.systems)!r})" if self.systems else ""

    def code_for_table(self) -> str:
        """A line of Python that reads the table of segment scores."""
        values, options = self._arguments_for_scores()
        return f"table = mt.read_score_table({_arguments(*values, **options)})"

    def code_for_test_sets(self) -> str:
        """The call that lays the test sets of `table` out over their units."""
        systems = {"systems": list(self.systems)} if self.systems else {}
        return f"table.test_sets({_arguments(**systems, units=self._resampled_units)})"

    def _code_for_scores(self) -> list[str]:
        """Lines of Python that make `statistics` of files of segment scores."""
        read = self.code_for_table()
        if self.score_table is not None and self.score_table.runs:
            return [read, "statistics = table.statistics()"]
        if self._resampled_units == "documents" and self.test_sets():
            return [
                read,
                f"statistics = [scored.overall for scored in {self.code_for_test_sets()}]",
            ]
        if self.systems:
            selected = f"s{self._code_for_selection()}"
            return [read, f"statistics = [{selected} for s in table.statistics()]"]
        return [read, "statistics = table.statistics()"]


def _arguments(*values: Any, **named: Any) -> str:
    """The code for a call's arguments, as it stands between the brackets."""
    by_position = [repr(value) for value in values]
    by_name = [f"{name}={value!r}" for name, value in named.items()]
    return ", ".join([*by_position, *by_name])
