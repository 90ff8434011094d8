"""An analysis as plain settings: what the command line, a report and Python code have in common.

Whoever asks, the same settings go through the same functions with the same seed, so a table on the
screen, a report and the code printed in it have the same numbers.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from .. import metrics
from ..campaigns.embedded import campaign_names, load
from ..errors import InputError, unknown_name
from ..metrics.sacrebleu_counts import tokenizer_for
from ..notes import Note, NotedWarning, note
from ..outcomes.outcome import Outcome
from ..outcomes.pairs import PairsOutcome
from ..scores.score_file import ScoreFile, no_scores
from ..scores.table import ScoreTable, read_scores_or_battles
from ..significance.all_pairs import compare_all
from ..significance.comparisons import Comparisons
from ..significance.corrections import LOOKS
from ..significance.one_pair import run_test
from ..significance.options import USUAL, TestOptions
from ..significance.over_test_sets import SetComparisons
from ..significance.results import PairResult
from ..significance.sharing import other_layouts
from ..statistics.many_test_sets import ScoredSets
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..statistics.told_apart import told_apart
from ..texts.files import expanded, split_name, unique
from ..texts.given import Given, files_below, given_files
from ..texts.naming import names_after_paths
from ..texts.reading import Texts, read_test_set

#: sacreBLEU's names of metrics that have other names here.
_OF_SACREBLEU = {"chrf2": "chrF", "chrf2++": "chrF++"}
#: Metrics that need a model, by the beginnings of their names.
_LEARNED = re.compile(
    r"(x?comet|metricx|bleurt|bertscore|yisi|prism|gemba|mqm|esa|cometkiwi).*", re.I
)

#: A metric's name with its settings.
_Metric = tuple[str, dict[str, Any]]

#: What ``all`` stands for: every metric that needs nothing but text.
TEXT_METRICS = ("BLEU", "NIST", "METEOR", "TER", "GTM", "chrF", "chrF++")

_AS_THEY_ARE = "scores are taken as they are, however made. Leave it out."
#: What is said of segment scores alone, and how it usually is.
OF_SCORES = {"smaller_is_better": False, "by": None, "missing": "raise", "shared": None}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Inputs:
    """Which systems are compared, by which metrics; checked when made.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to str
        Files with outputs, as ``FILE`` or ``NAME=FILE``, or folders of them, or a file for each
        name; with `campaign` or `scores`, names of systems.  All there are if empty.
    references : sequence of str
        Files; with `campaign`, labels of its references.
    documents : str, optional
        File with the document of each segment.
    n_references : int
        How many references each line of the references' files has, with tabs between them.
    language_pair : str, optional
        Of the files, such as ``"en-zh"``: chooses the tokenizer of metrics that have one, as
        sacreBLEU does, unless `settings` has it.
    campaign : str, optional
        Name of an embedded campaign, such as ``"wmt12/es-en"``, in place of files.
    scores : str or sequence of str, optional
        Files of segment scores in place of texts, as ``FILE`` or ``NAME=FILE``; see
        `read_score_table`.
    smaller_is_better : bool
        Of the segment scores without a direction of their own.
    by : str, optional
        The column of the segment scores that says which test set a row belongs to.
    missing : {"raise", "common"}
        What becomes of systems that lack segment scores of some test set.
    shared : bool, optional
        Whether test sets have their segments, or documents, in common; see `read_score_table`.
    metrics : sequence of str
        Names, ``NAME:setting=value,...``, or ``all``; see `parse_metric`.  Of segment scores: names
        of columns, with their direction where it matters (``MQM:lower``); see `read_score_table`.
    settings : mapping
        Settings for all metrics that have them, such as ``{"lowercase": True}``.

    Raises
    ------
    InputError
        If two of them do not go together.

    Examples
    --------
    >>> Inputs(campaign="wmt12/es-en", systems=["onlineB", "onlineA"]).systems
    ('onlineB', 'onlineA')
    """

    systems: Sequence[str] | Mapping[str, str] = ()
    references: Sequence[str] = ()
    documents: str | None = None
    n_references: int = 1
    language_pair: str | None = None
    campaign: str | None = None
    scores: str | Sequence[str] | None = None
    smaller_is_better: bool = False
    by: str | None = None
    missing: str = "raise"
    shared: bool | None = None
    metrics: Sequence[str] = ()
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("systems", "references", "metrics"):
            given = getattr(self, name)
            kept = dict(given) if isinstance(given, Mapping) else tuple(given)
            object.__setattr__(self, name, kept)
        object.__setattr__(self, "settings", dict(self.settings))
        if self.scores is not None and (self.campaign or self.references or self.documents):
            raise InputError("scores replaces texts and campaigns; give it without the others.")
        if self.scores is not None and self.settings:
            raise InputError(f"{', '.join(self.settings)}: {_AS_THEY_ARE}")
        for name, usual in OF_SCORES.items():
            if self.scores is None and getattr(self, name) != usual:
                raise InputError(f"{name} is said of scores, and there are none. Leave it out.")
        if self.campaign is not None and self.documents is not None:
            raise InputError("documents: an embedded campaign brings its own; leave them out.")
        if self.campaign is not None or self.scores is not None:
            self._check_texts_alone("n_references", 1)
            self._check_texts_alone("language_pair", None)
        if self.language_pair is not None:
            target_language(self.language_pair)

    def _check_texts_alone(self, name: str, usual: object) -> None:
        """Raise `InputError` if something is said of files of texts, and there are none."""
        if getattr(self, name) != usual:
            given = "an embedded campaign" if self.scores is None else "segment scores"
            raise InputError(
                f"{name} is said of files of texts, and {given} has none. Leave it out."
            )


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
        given = self.options
        units = given.units or self._usual_units()
        correction = self._usual_correction() if given.correction == USUAL else given.correction
        if (units, correction) == (given.units, given.correction):
            return self
        return self.but(units=units, correction=correction)

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
        return {k: list(v) if isinstance(v, tuple) else v for k, v in settings.items()}

    def _settings(self) -> dict[str, Any]:
        """All settings by their names."""
        inputs = {field.name: getattr(self, field.name) for field in dataclasses.fields(Inputs)}
        return copy.deepcopy(inputs) | self.options.to_dict()

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of every metric, from the cache where texts were measured before."""
        if self.score_table is not None:
            table = self.score_table
            sets: list[ScoredSets] = []
            if self._resampled_units == "documents":
                systems = () if table.runs else tuple(self.systems)
                sets = table.test_sets(systems=systems, units="documents")
            found = [scored.overall for scored in sets] or table.statistics()
        elif self.campaign is not None:
            campaign, references = load(self.campaign), "+".join(self.references) or None
            found = [
                campaign.statistics(metric, references=references, **settings)
                for metric, settings in self._measures()
            ]
        else:
            chosen = [metrics.get(name, **settings) for name, settings in self._measures()]
            for metric in chosen:
                metric.require()  # before any of them is computed
            texts = self.test_set()
            return told_apart(self._noted(measure(texts, metric)) for metric in chosen)
        found = told_apart(found)
        return [s.select(self.systems) if self.systems else s for s in found]

    def _noted(self, statistics: SufficientStatistics) -> SufficientStatistics:
        """Statistics with a note on the tokenizer, if the language pair has chosen it."""
        tokenize = self._tokenizer()
        own = statistics.metric.settings.get("tokenize")
        if tokenize is None or "tokenize" in self.settings or own != tokenize:
            return statistics
        about = note("tokenizer-of-language", tokenize=tokenize, pair=self.language_pair)
        return dataclasses.replace(statistics, notes=(*statistics.notes, about))

    def _tokenizer(self) -> str | None:
        """The tokenizer that sacreBLEU takes for the language pair, if it has one for it."""
        if self.language_pair is None:
            return None
        return tokenizer_for(target_language(self.language_pair))

    def test_sets(self) -> list[ScoredSets]:
        """Of each metric the test sets, where segment scores are of several; none otherwise."""
        table = self.score_table
        if table is None or table.runs:
            return []
        return table.test_sets(systems=tuple(self.systems), units=self._resampled_units)

    @functools.cached_property
    def score_files(self) -> ScoreTable | ScoreFile | None:
        """What the files of scores have: a table, or battles; nothing where there are no files."""
        if self.scores is None:
            return None
        given, unusual = self._of_scores()
        return read_scores_or_battles(*given, **unusual)

    @property
    def score_table(self) -> ScoreTable | None:
        """The table of segment scores, where there is one, and what of it is compared.

        Raises
        ------
        InputError
            If the files have battles, and no scores.
        """
        if isinstance(self.score_files, ScoreFile):
            raise no_scores(self.score_files.source)
        return self.score_files

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
        return compare_all(given, **self.resolved.options.arguments())

    # --- what is found: kinds that are slow to import are imported where there is one -------------

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
        if isinstance(self.score_files, ScoreFile):
            return self._run_on_battles(self.score_files)
        table = self.score_files
        if table is not None and table.runs:
            return self._run_on_runs(table, statistics)
        if table is not None and table.ratings is not None and self.options.units is None:
            return self._run_on_ratings(table, table.ratings)
        if table is not None and table.has_test_sets:
            return self._run_on_test_sets()
        return self.compare_pairs(statistics)

    def compare_pairs(
        self, statistics: Sequence[SufficientStatistics] | None = None
    ) -> PairsOutcome:
        """All pairs of systems, with raters, if there are any, averaged and not counted."""
        with warnings_kept() as warned:
            measured = self.statistics() if statistics is None else statistics
            compared = self.compare(measured)
        return PairsOutcome(
            analysis=self.resolved,
            comparisons=compared,
            statistics=measured,
            warnings=tuple(warned),
        )

    def _run_on_test_sets(self) -> Outcome:
        from ..outcomes.test_sets import TestSetsOutcome

        sets = self.test_sets()
        compared = self.compare(sets)
        assert isinstance(compared, SetComparisons)  # of several test sets
        return TestSetsOutcome(analysis=self.resolved, sets=compared)

    def _run_on_runs(
        self, table: ScoreTable, statistics: Sequence[SufficientStatistics] | None
    ) -> Outcome:
        from ..outcomes.runs import RunsOutcome, compare_all_runs

        self._refuse(("test", "alternative"), "several runs have their own two-sided tests")
        resolved = self.resolved
        measured = self.statistics() if statistics is None else statistics
        compared = compare_all_runs(
            measured,
            table.runs,
            n_resamples=self.options.n_resamples,
            seed=self.options.seed,
            counting=self.options.counting,
            units=self._resampled_units,
        )
        return RunsOutcome(analysis=resolved, compared=compared, statistics=measured)

    def _run_on_ratings(self, table: ScoreTable, ratings: pd.DataFrame) -> Outcome:
        from ..outcomes.ratings import RatingsOutcome, rated_by_metric

        unused = ("test", "n_resamples", "interval", "confidence_level")
        self._refuse(unused, "ratings have t tests, and no resamples")
        analysis = self._without_resamples()
        by_metric, samples = rated_by_metric(
            ratings,
            table.metrics,
            systems=tuple(self.systems),
            alternative=analysis.options.alternative,
            alpha=analysis.options.alpha,
            correction=analysis.options.correction,
        )
        return RatingsOutcome(analysis=analysis, by_metric=by_metric, samples=samples)

    def _run_on_battles(self, found: ScoreFile) -> Outcome:
        from ..outcomes.battles import battles_outcome

        unused = (*OF_SCORES, "metrics", "test", "n_resamples", "units", "interval")
        self._refuse(unused, "battles have no scores and no resamples")
        return battles_outcome(found, self._without_resamples())

    def _without_resamples(self) -> Analysis:
        """The same with the correction that is meant where nothing is resampled."""
        return self.but(correction="holm") if self.options.correction == USUAL else self

    def _refuse(self, options: Sequence[str], why: str) -> None:
        """Raise `InputError` if one of the `options` is not as it usually is."""
        given = self._settings()
        usual = Analysis()._settings()
        for option in options:
            if given[option] != usual[option]:
                raise InputError(f"{option}={given[option]!r}: {why}. Leave it out.")

    # --- parts of it ------------------------------------------------------------------------------

    def test_pair(
        self, statistics: SufficientStatistics, row: pd.Series, test: str | None = None
    ) -> PairResult:
        """The test of one pair alone, as in its row of the table of all pairs; or another test.

        Where it is not known whether test sets share their units, that with the larger p-value.
        """
        pair = row["system_a"], row["system_b"]
        layouts = [statistics, *other_layouts([statistics])]
        options = self.pair_options(row)
        results = [run_test(test or self.options.test, s, *pair, **options) for s in layouts]
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

    def test_set(self) -> Texts:
        """The texts, where there are texts."""
        texts = read_test_set(**self._of_texts())
        _, notes = _files(self.systems)
        return dataclasses.replace(texts, notes=(*notes, *texts.notes))

    def files(self) -> list[Path]:
        """The files that are read, those in folders each by itself.

        Of a folder of logs these are all files in it and below it that may be logs.
        """
        if self.campaign is not None:
            return []
        if self.scores is not None:
            paths = [expanded(split_name(path)[1]) for path in self._score_files()]
            return [file for path in paths for file in files_below(path)]
        systems, _ = _files(self.systems)
        named = list(systems.values()) if isinstance(systems, dict) else systems
        outputs, _ = given_files("systems", named) if named else ([], [])
        others = [*self.references, *filter(None, [self.documents])]
        return [*(file.path for file in outputs), *map(expanded, others)]

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
            shared = {"references": "+".join(self.references)} if self.references else {}
            calls = [
                _call("campaign.statistics(", metric, **shared | own) + self._code_for_selection()
                for metric, own in self._measures()
            ]
        else:
            opened = f"texts = {_call('mt.read_test_set(', **self._of_texts())}"
            calls = [_call("mt.measure(texts, ", m, **own) for m, own in self._measures()]
        return [opened, "statistics = [", *(f"    {call}," for call in calls), "]"]

    def _code_for_selection(self) -> str:
        return _call(".select(", list(self.systems)) if self.systems else ""

    def code_for_table(self) -> str:
        """A line of Python that reads the table of segment scores."""
        given, unusual = self._of_scores()
        return f"table = {_call('mt.read_score_table(', *given, **unusual)}"

    def _code_for_scores(self) -> list[str]:
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

    # --- what is compared -------------------------------------------------------------------------

    def _measures(self) -> list[_Metric]:
        """Names of metrics with their settings, general ones included, each of its type."""
        campaign = None if self.campaign is None else load(self.campaign)
        if campaign is not None and not campaign.texts:
            if self.settings:
                raise InputError(f"{', '.join(self.settings)}: {_AS_THEY_ARE}")
            return self._named(campaign.metrics[:1], campaign.metrics, _parsed)
        if campaign is not None and "all" in map(str.casefold, self.metrics):
            return [(metric, {}) for metric in campaign.metrics]
        named = self._named(("BLEU",), TEXT_METRICS, parse_metric)
        known = {name: metrics.get(name).settings for name, _ in named}
        for setting in self.settings:
            if not any(setting in fields for fields in known.values()):
                raise InputError(f"{setting}: none of {', '.join(known)} has this setting.")
        usual = self._tokenizer()
        general = ({} if usual is None else {"tokenize": usual}) | dict(self.settings)
        measures = []
        for name, own in named:
            given = {k: v for k, v in general.items() if k in known[name]} | own
            made = metrics.get(name, **given)
            measures.append((name, {setting: getattr(made, setting) for setting in given}))
        return measures

    def _named(
        self, usual: Sequence[str], every: Sequence[str], parse: Callable[[str], _Metric]
    ) -> list[_Metric]:
        """The metrics asked for, or the usual ones, each once; `every` is what "all" means."""
        parsed = [parse(text) for text in self.metrics or usual]
        named = [
            (one, own)
            for name, own in parsed
            for one in (every if name.casefold() == "all" else (name,))
        ]
        return [one for place, one in enumerate(named) if one not in named[:place]]

    def _of_texts(self) -> dict[str, Any]:
        """What `read_test_set` is given."""
        systems, _ = _files(self.systems)
        given: dict[str, Any] = {"systems": systems, "documents": self.documents}
        if self.n_references != 1:
            given["n_references"] = self.n_references
        return {"reference": list(self.references)} | {k: v for k, v in given.items() if v}

    def _of_scores(self) -> tuple[list[Any], dict[str, Any]]:
        """What `read_score_table` is given: files and metrics, and what is unusual of them."""
        files = self._score_files()
        given: list[Any] = [files[0] if len(files) == 1 else files]
        if self.metrics:
            given.append(list(self.metrics))
        said = {name: getattr(self, name) for name in OF_SCORES}
        unusual = {name: own for name, own in said.items() if own != OF_SCORES[name]}
        if self.systems:  # columns of these names are systems, whatever they sound like
            unusual["systems"] = list(self.systems)
        return given, unusual

    def _score_files(self) -> list[str]:
        return [self.scores] if isinstance(self.scores, str) else list(self.scores or ())


@contextlib.contextmanager
def warnings_kept() -> Iterator[list[str]]:
    """A list to which all is added that is warned of within it; it is shown as ever.

    What a note of the result says as well is not added.
    """
    kept: list[str] = []
    with warnings.catch_warnings():
        show = warnings.showwarning

        def keep(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if not issubclass(category, NotedWarning):
                kept.append(str(message))
            show(message, category, *rest, **more)

        warnings.showwarning = keep
        yield kept


def parse_metric(text: str) -> _Metric:
    """A metric's name and settings, from ``NAME`` or ``NAME:setting=value,setting=value``.

    Values are texts here; the metric reads them by the types of its settings.

    Raises
    ------
    InputError
        If what follows the colon is not of that form.

    Examples
    --------
    >>> parse_metric("BLEU:tokenize=intl,lowercase=true")
    ('BLEU', {'tokenize': 'intl', 'lowercase': 'true'})
    >>> parse_metric("chrf2")
    ('chrF', {})
    """
    name, settings = _parsed(text)
    name = _OF_SACREBLEU.get(name.casefold(), name)
    if _LEARNED.fullmatch(name):
        raise InputError(
            f"metric={name!r} is not computed here. Let its own program score every segment, and "
            "give what it writes: --scores FILE, or mt.from_segment_scores in Python.",
            code="metric-not-computed",
        )
    return name, settings


def _parsed(text: str) -> _Metric:
    """A metric's name as it stands, and the settings that follow it and a colon."""
    name, _, rest = text.partition(":")
    settings: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        setting, equals, value = map(str.strip, part.partition("="))
        if not equals:
            raise InputError(f"metric={text!r}: write settings as {name}:setting=value.")
        if setting in settings:
            raise InputError(f"metric={text!r}: {setting} is given twice.")
        settings[setting] = value
    return name.strip(), settings


def campaign_named(test_set: str, pair: str | None = None) -> str:
    """The embedded campaign of a test set and a language pair, as sacreBLEU's users name them.

    Raises
    ------
    InputError
        If there is none, or the test set has several pairs and `pair` is not given.

    Examples
    --------
    >>> campaign_named("wmt12", "es-en")
    'wmt12/es-en'
    """
    names = campaign_names()
    if pair is None:
        test_set, _, pair = test_set.partition("/")
    pairs = [name.partition("/")[2] for name in names if name.startswith(f"{test_set}/")]
    if not pairs:
        raise unknown_name("test set", test_set, dict.fromkeys(n.split("/")[0] for n in names))
    # Codes of languages resemble each other without being slips of each other.
    if pair not in pairs and (pair or len(pairs) > 1):
        raise InputError(
            f"language pair={pair!r}: {test_set} is embedded for {', '.join(pairs)}. Name one of "
            "these, or give the files of another: -r REFERENCE and the systems' outputs."
        )
    return f"{test_set}/{pair or pairs[0]}"


def target_language(pair: str) -> str:
    """The language that a pair translates into, as in sacreBLEU's ``-l``.

    Raises
    ------
    InputError
        If it is no pair.

    Examples
    --------
    >>> target_language("en-zh")
    'zh'
    """
    source, *target = pair.split("-")
    if not source or not target or not target[0]:
        raise InputError(f"language pair={pair!r}: write the source and the target, as in en-zh.")
    return target[0]


def _files(
    systems: Iterable[str] | Mapping[str, str],
) -> tuple[list[str] | dict[str, str], list[Note]]:
    """Files as `read_test_set` takes them, and what of folders was left out on the way.

    That is a list, or a mapping as soon as one of the files is given a name.
    """
    if isinstance(systems, Mapping):
        return dict(systems), []
    listing = [_named(text) for text in systems]
    if all(file.name is None for file in listing):
        return [str(file.path) for file in listing], []
    given, notes = given_files("systems", listing)
    after_paths = iter(names_after_paths([file.path for file in given if file.name is None]))
    named = [(file.name or next(after_paths), str(file.path)) for file in given]
    return unique("systems", named), notes


def _named(text: str) -> Given:
    """The file and its name, from ``FILE`` or ``NAME=FILE``.

    A file whose own name has that form is meant itself.
    """
    name, equals, path = text.partition("=")
    if not equals or os.path.lexists(expanded(text)):
        return Given(None, Path(text))
    if not name or not path:
        raise InputError(f"systems: {text!r} should be NAME=FILE, and lacks one of the two.")
    return Given(name, Path(path))


def _call(opened: str, *values: Any, **named: Any) -> str:
    """Code that calls a function, from its name and bracket on."""
    arguments = [*map(repr, values), *(f"{name}={value!r}" for name, value in named.items())]
    return f"{opened}{', '.join(arguments)})"
