"""An analysis as plain settings: what the command line, a report and Python code have in common.

Whoever asks, the same settings go through the same functions with the same seed, so a table on the
screen, a report and the code printed in it have the same numbers.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from .. import metrics
from ..campaigns.embedded import campaign_names, load
from ..engine.procedures import Alternative
from ..engine.resampling import check_n_resamples
from ..errors import InputError, unknown_name
from ..scores.table import ScoreTable, read_score_table
from ..significance.all_pairs import compare_all
from ..significance.comparisons import Comparisons
from ..significance.corrections import LOOKS
from ..significance.one_pair import run_test
from ..significance.results import PairResult
from ..statistics.many_test_sets import ScoredSets
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..texts.files import files_in, name_of, split_name, unique
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
OF_SCORES = {"smaller_is_better": False, "by": None, "missing": "raise"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Analysis:
    """Which systems are compared, by which metrics, with which test.

    Every field is made of texts and numbers alone, so that ``Analysis(**analysis.to_dict())`` is
    the same analysis, also after a passage through JSON.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to str
        Files with outputs, as ``FILE`` or ``NAME=FILE``, or folders of them, or a file for each
        name; with `campaign` or `scores`, names of systems.  All there are if empty.
    references : sequence of str
        Files; with `campaign`, labels of its references.
    documents : str, optional
        File with the document of each segment.
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
    metrics : sequence of str
        Names, ``NAME:setting=value,...``, or ``all``; see `parse_metric`.  Of segment scores: names
        of columns, with their direction where it matters (``MQM:lower``); see `read_score_table`.
    settings : mapping
        Settings for all metrics that have them, such as ``{"lowercase": True}``.
    test, correction, alpha, alternative, n_resamples, units, counting, seed
        As in :func:`mtsig_nb.compare_all`, where `seed` is called ``rng``.
    interval, confidence_level
        Likewise.

    Examples
    --------
    >>> analysis = Analysis(campaign="wmt12/es-en", systems=["onlineB", "uedin-wmt12", "onlineA"])
    >>> analysis.compare().conclusions().word("onlineB", "onlineA")
    'better'
    >>> print(analysis.code().splitlines()[1])
    campaign = mt.load('wmt12/es-en')
    """

    systems: Sequence[str] | Mapping[str, str] = ()
    references: Sequence[str] = ()
    documents: str | None = None
    campaign: str | None = None
    scores: str | Sequence[str] | None = None
    smaller_is_better: bool = False
    by: str | None = None
    missing: str = "raise"
    metrics: Sequence[str] = ()
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    test: str = "approximate-randomization"
    correction: str | None = "holm"
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    n_resamples: int | None = None
    units: str = "segments"
    counting: str = "add-one"
    interval: str | None = "percentile"
    confidence_level: float = 0.95
    seed: int = 12345

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
        if self.n_resamples is not None:
            check_n_resamples(self.n_resamples)

    def but(self, **settings: Any) -> Analysis:
        """The same with other settings of the test; segment scores are not read once more."""
        made = dataclasses.replace(self, **settings)
        made.__dict__["score_table"] = self.score_table
        return made

    def to_dict(self) -> dict[str, Any]:
        """The fields as lists, texts and numbers."""
        fields = dataclasses.asdict(self)
        return {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()}

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of every metric, from the cache where texts were measured before."""
        if self.score_table is not None:
            if self.units == "documents" and (sets := self.test_sets()):
                return [one.overall for one in sets]
            found = self.score_table.statistics()
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
            return [measure(texts, metric) for metric in chosen]
        return [s.select(self.systems) if self.systems else s for s in found]

    def test_sets(self) -> list[ScoredSets]:
        """Of each metric the test sets, where segment scores are of several; none otherwise."""
        table = self.score_table
        if table is None or table.runs:
            return []
        return table.test_sets(systems=tuple(self.systems), units=self.units)

    @functools.cached_property
    def score_table(self) -> ScoreTable | None:
        """The table of segment scores, where there is one, and what of it is compared."""
        if self.scores is None:
            return None
        given, unusual = self._of_scores()
        return read_score_table(*given, **unusual)

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
        return compare_all(given, **self._options())

    def test_pair(
        self, statistics: SufficientStatistics, row: pd.Series, test: str | None = None
    ) -> PairResult:
        """The test of one pair alone, as in its row of the table of all pairs; or another test."""
        pair = row["system_a"], row["system_b"]
        return run_test(test or self.test, statistics, *pair, **self.pair_options(row))

    def pair_options(self, row: pd.Series) -> dict[str, Any]:
        """Options of the test of one pair, with as many resamples as its row has."""
        was_sampled = row["pvalue_low"] < row["pvalue_high"]
        drawn = int(row["n_resamples"]) if was_sampled else LOOKS[0]
        return {
            "alternative": self.alternative,
            "n_resamples": self.n_resamples or drawn,
            "units": self.units,
            "counting": self.counting,
            "rng": self.seed,
        }

    def test_set(self) -> Texts:
        """The texts, where there are texts."""
        return read_test_set(**self._of_texts())

    def files(self) -> list[Path]:
        """The files that are read."""
        if self.campaign is not None:
            return []
        if self.scores is not None:
            return [split_name(path)[1] for path in self._score_files()]
        systems = _files(self.systems)
        named = systems.values() if isinstance(systems, dict) else systems
        listed = [*self.references, *named, *filter(None, [self.documents])]
        return [Path(os.path.expanduser(path)) for path in listed]

    def code(self) -> str:
        """Python code with the package's public functions that gives the same comparisons."""
        select = _call(".select(", list(self.systems)) if self.systems else ""
        if self.scores is not None:
            lines = self._code_for_scores(select)
        else:
            if self.campaign is not None:
                opened = f"campaign = {_call('mt.load(', self.campaign)}"
                shared = {"references": "+".join(self.references)} if self.references else {}
                calls = [
                    _call("campaign.statistics(", metric, **shared | own) + select
                    for metric, own in self._measures()
                ]
            else:
                opened = f"texts = {_call('mt.read_test_set(', **self._of_texts())}"
                calls = [_call("mt.measure(texts, ", m, **own) for m, own in self._measures()]
            lines = [opened, "statistics = [", *(f"    {call}," for call in calls), "]"]
        options = [f"    {name}={value!r}," for name, value in self._options().items()]
        compare = ["comparisons = mt.compare_all(", "    statistics,", *options, ")"]
        return "\n".join(["import mtsig_nb as mt", *lines, *compare])

    def _code_for_scores(self, select: str) -> list[str]:
        given, unusual = self._of_scores()
        read = f"table = {_call('mt.read_score_table(', *given, **unusual)}"
        if self.units == "documents" and self.test_sets():
            systems = {"systems": list(self.systems)} if self.systems else {}
            sets = _call("table.test_sets(", **systems, units="documents")
            return [read, f"statistics = [one.overall for one in {sets}]"]
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
        measures = []
        for name, own in named:
            given = {k: v for k, v in self.settings.items() if k in known[name]} | own
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

    def _options(self) -> dict[str, Any]:
        about_test = itertools.dropwhile(lambda f: f.name != "test", dataclasses.fields(self))
        options = {field.name: getattr(self, field.name) for field in about_test}
        return options | {"rng": options.pop("seed")}

    def _of_texts(self) -> dict[str, Any]:
        """What `read_test_set` is given."""
        given = {"systems": _files(self.systems), "documents": self.documents}
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


def _files(systems: Iterable[str] | Mapping[str, str]) -> list[str] | dict[str, str]:
    """Files as `read_test_set` takes them: a list, or a mapping as soon as one is given a name."""
    if isinstance(systems, Mapping):
        return dict(systems)
    listed: list[tuple[str, str]] = []
    for text in systems:
        name, equals, path = text.partition("=")
        if equals and not Path(text).exists():
            listed.append((name, path))
        else:
            listed += [("", str(file)) for file in files_in(Path(text))]
    if not any(name for name, _ in listed):
        return [path for _, path in listed]
    return unique("systems", ((name or name_of(Path(path)), path) for name, path in listed))


def _call(opened: str, *values: Any, **named: Any) -> str:
    """Code that calls a function, from its name and bracket on."""
    arguments = [*map(repr, values), *(f"{name}={value!r}" for name, value in named.items())]
    return f"{opened}{', '.join(arguments)})"
