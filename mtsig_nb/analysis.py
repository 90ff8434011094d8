"""An analysis as plain settings: what the command line, a report and Python code have in common.

Whoever asks, the same settings go through the same functions with the same seed, so a table on the
screen, a report and the code printed in it have the same numbers.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from . import metrics
from .comparisons import Comparisons
from .datasets import campaign_names, load
from .errors import InputError, unknown_name
from .intervals import bootstrap_scores, limits
from .measuring import measure
from .pairwise import compare_all
from .procedures import Alternative
from .segment_scores import from_segment_scores
from .statistics import SufficientStatistics
from .testset_formats import name_of
from .testsets import TestSet, read_test_set

#: What ``all`` stands for: every metric that needs nothing but text.
TEXT_METRICS = ("BLEU", "NIST", "METEOR", "TER", "GTM", "chrF", "chrF++")

#: Columns of a table of segment scores that are not scores.
_LABELS = ("system", "segment", "document")


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
    scores : str, optional
        Table of segment scores in place of texts: CSV or TSV with the columns ``system`` and
        ``segment``, maybe ``document``, and one for each metric.
    smaller_is_better : bool
        Of the segment scores.
    metrics : sequence of str
        Names, ``NAME:setting=value,...``, or ``all``; see `parse_metric`.
    settings : mapping
        Settings for all metrics that have them, such as ``{"lowercase": True}``.
    test, correction, alpha, alternative, n_resamples, units, counting, confidence_level, seed
        As in :func:`mtsig_nb.compare_all`, where `seed` is called ``rng``.

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
    scores: str | None = None
    smaller_is_better: bool = False
    metrics: Sequence[str] = ()
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    test: str = "approximate-randomization"
    correction: str | None = "holm"
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    n_resamples: int | None = None
    units: str = "segments"
    counting: str = "add-one"
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
        if self.campaign is not None and self.documents is not None:
            raise InputError("documents: an embedded campaign brings its own; leave them out.")

    def to_dict(self) -> dict[str, Any]:
        """The fields as lists, texts and numbers."""
        fields = dataclasses.asdict(self)
        return {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()}

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of every metric, from the cache where texts were measured before."""
        if self.scores is not None:
            return self._from_scores(self.scores)
        if self.campaign is not None:
            return self._from_campaign(self.campaign)
        texts = self.test_set()
        return [measure(texts, name, **settings) for name, settings in self._measures()]

    def compare(
        self,
        statistics: Sequence[SufficientStatistics] | None = None,
        *,
        interval: str | None = "percentile",
    ) -> Comparisons:
        """Every pair tested; `statistics` are those of this analysis, if they are there already.

        `interval` is that of the differences, as in :func:`mtsig_nb.compare_all`.
        """
        return compare_all(
            self.statistics() if statistics is None else statistics,
            interval=interval,
            **self._options(),
        )

    def intervals(self, statistics: SufficientStatistics) -> pd.DataFrame:
        """Each system's score with its interval: system, score, ci_low, ci_high; best first."""
        by_unit = statistics.select(statistics.scores().index).by_unit(self.units)
        scores = by_unit.metric.score(by_unit.totals())
        low, high = limits(
            bootstrap_scores(by_unit, min(self.n_resamples or 2000, 2000), seed=self.seed),
            scores,
            self.confidence_level,
            "percentile",
        )
        return pd.DataFrame(
            {"system": by_unit.systems, "score": scores, "ci_low": low, "ci_high": high}
        )

    def test_set(self) -> TestSet:
        """The texts, where there are texts."""
        if not self.references:
            raise InputError("reference: there is none. Give the file of at least one.")
        return read_test_set(
            reference=list(self.references),
            systems=_files(self.systems) if self.systems else None,
            documents=self.documents,
        )

    def code(self) -> str:
        """Python code with the package's public functions that gives the same comparisons."""
        options = [f"    {name}={value!r}," for name, value in self._options().items()]
        lines = ["import mtsig_nb as mt"]
        if self.scores is not None:
            lines += self._code_for_scores(self.scores)
        elif self.campaign is not None:
            lines += self._code_for_campaign(self.campaign)
        else:
            lines += self._code_for_texts()
        lines += ["comparisons = mt.compare_all(", "    statistics,", *options, ")"]
        return "\n".join(lines)

    # --- what is compared -------------------------------------------------------------------------

    def _from_scores(self, path: str) -> list[SufficientStatistics]:
        frame = read_scores(path)
        document = "document" if "document" in frame else None
        found = [
            from_segment_scores(
                frame, score=name, document=document, higher_is_better=not self.smaller_is_better
            )
            for name in self._score_columns(frame)
        ]
        return [s.select(self.systems) if self.systems else s for s in found]

    def _score_columns(self, frame: pd.DataFrame) -> list[str]:
        if self.metrics and not self._wants_all:
            return list(self.metrics)
        columns = [str(c) for c in frame.select_dtypes("number").columns if c not in _LABELS]
        if not columns:
            raise InputError(f"scores={self.scores!r} has no column of numbers beside the labels.")
        return columns

    def _from_campaign(self, name: str) -> list[SufficientStatistics]:
        campaign = load(name)
        references = "+".join(self.references) or None
        if self._wants_all:
            wanted: list[tuple[str, dict[str, Any]]] = [(m, {}) for m in campaign.metrics]
        else:
            wanted = self._measures()
        found = [
            campaign.statistics(metric, references=references, **settings)
            for metric, settings in wanted
        ]
        return [s.select(self.systems) if self.systems else s for s in found]

    @property
    def _wants_all(self) -> bool:
        return "all" in map(str.casefold, self.metrics)

    def _measures(self) -> list[tuple[str, dict[str, Any]]]:
        """Names of metrics with their settings, general ones included."""
        named: list[tuple[str, dict[str, Any]]] = []
        for text in self.metrics or ("BLEU",):
            name, own = parse_metric(text)
            every = TEXT_METRICS if name.casefold() == "all" else (name,)
            named += [(one, own) for one in every if (one, own) not in named]
        known = {name: _settings_of(name) for name, _ in named}
        for setting in self.settings:
            if not any(setting in fields for fields in known.values()):
                raise InputError(f"{setting}: none of {', '.join(known)} has this setting.")
        return [
            (name, {k: v for k, v in self.settings.items() if k in known[name]} | own)
            for name, own in named
        ]

    def _options(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "alternative": self.alternative,
            "n_resamples": self.n_resamples,
            "units": self.units,
            "counting": self.counting,
            "confidence_level": self.confidence_level,
            "rng": self.seed,
        }

    # --- the same as code -------------------------------------------------------------------------

    def _code_for_texts(self) -> list[str]:
        documents = f", documents={self.documents!r}" if self.documents is not None else ""
        systems = f", systems={_files(self.systems)!r}" if self.systems else ""
        calls = [f"mt.measure(texts, {_call(name, own)})" for name, own in self._measures()]
        return [
            f"texts = mt.read_test_set(reference={list(self.references)!r}{systems}{documents})",
            *_list("statistics", calls),
        ]

    def _code_for_campaign(self, name: str) -> list[str]:
        select = f".select({list(self.systems)!r})" if self.systems else ""
        references = {"references": "+".join(self.references)} if self.references else {}
        metrics = [(m, {}) for m in load(name).metrics] if self._wants_all else self._measures()
        calls = [
            f"campaign.statistics({_call(metric, references | own)}){select}"
            for metric, own in metrics
        ]
        return [f"campaign = mt.load({name!r})", *_list("statistics", calls)]

    def _code_for_scores(self, path: str) -> list[str]:
        frame = read_scores(path)
        options: dict[str, Any] = {"document": "document"} if "document" in frame else {}
        options["higher_is_better"] = not self.smaller_is_better
        select = f".select({list(self.systems)!r})" if self.systems else ""
        arguments = ", ".join(f"{k}={v!r}" for k, v in options.items())
        calls = [
            f"mt.from_segment_scores(frame, score={name!r}, {arguments}){select}"
            for name in self._score_columns(frame)
        ]
        return [
            "import pandas as pd",
            f"frame = pd.read_csv({path!r}, sep={_separator(path)!r}, dtype={_AS_TEXT!r})",
            *_list("statistics", calls),
        ]


def parse_metric(text: str) -> tuple[str, dict[str, Any]]:
    """A metric's name and settings, from ``NAME`` or ``NAME:setting=value,setting=value``.

    Raises
    ------
    InputError
        If what follows the colon is not of that form.

    Examples
    --------
    >>> parse_metric("BLEU:tokenize=intl,lowercase=true")
    ('BLEU', {'tokenize': 'intl', 'lowercase': True})
    """
    name, _, rest = text.partition(":")
    settings = {}
    for part in filter(None, rest.split(",")):
        setting, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"metric={text!r}: write settings as {name}:setting=value.")
        settings[setting.strip()] = _value(value.strip())
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
    if "/" in test_set or pair is not None:
        name = test_set if pair is None else f"{test_set}/{pair}"
        if name not in names:
            raise unknown_name("test set", name, names)
        return name
    pairs = [name for name in names if name.startswith(f"{test_set}/")]
    if not pairs:
        raise unknown_name("test set", test_set, dict.fromkeys(n.split("/")[0] for n in names))
    if len(pairs) > 1:
        known = ", ".join(name.split("/")[1] for name in pairs)
        raise InputError(f"language pair: {test_set} has several, {known}; name one.")
    return pairs[0]


#: Names stay texts, whatever they look like.
_AS_TEXT = {"system": "str", "document": "str"}


def read_scores(path: str) -> pd.DataFrame:
    """A table of segment scores: CSV, or TSV by its suffix; compressed with gzip or not.

    Raises
    ------
    InputError
        If there is no such file, or it is not such a table.
    """
    try:
        # Every name is one, also "NA" and "null"; a missing score is an empty field.
        return pd.read_csv(
            path, sep=_separator(path), dtype=_AS_TEXT, keep_default_na=False, na_values=[""]
        )
    except (OSError, EOFError) as error:
        raise InputError(f"scores={path!r} cannot be read: {_reason(error)}.") from None
    except (ValueError, pd.errors.ParserError) as error:  # UnicodeDecodeError is a ValueError
        raise InputError(
            f"scores={path!r} is not a table in UTF-8 with a line of names: {_reason(error)}."
        ) from None


def _reason(error: Exception) -> str:
    told = getattr(error, "strerror", None) or str(error)
    return told.strip().rstrip(".").splitlines()[0] if told.strip() else type(error).__name__


def _separator(path: str) -> str:
    return "\t" if ".tsv" in Path(path).suffixes else ","


def _settings_of(name: str) -> set[str]:
    return {field.name for field in dataclasses.fields(metrics.get(name))}


def _files(systems: Iterable[str] | Mapping[str, str]) -> list[str] | dict[str, str]:
    """Files as `read_test_set` takes them: a list, or a mapping as soon as one is given a name."""
    if isinstance(systems, Mapping):
        return dict(systems)
    listed: list[tuple[str | None, str]] = []
    for text in systems:
        name, equals, path = text.partition("=")
        if equals and not Path(text).exists():
            listed.append((name, path))
        elif Path(text).is_dir():
            inside = sorted(p for p in Path(text).iterdir() if p.is_file() and p.name[0] != ".")
            listed += [(None, str(p)) for p in inside]
        else:
            listed.append((None, text))
    if all(name is None for name, _ in listed):
        return [path for _, path in listed]
    named: dict[str, str] = {}
    for given, path in listed:
        name = name_of(Path(path)) if given is None else given
        if name in named:
            raise InputError(f"systems: {name!r} is the name of {named[name]!r} and of {path!r}.")
        named[name] = path
    return named


def _value(text: str) -> Any:
    """A setting's value: a number, true, false or none, or else the text itself."""
    words = {"true": True, "false": False, "none": None}
    if text.casefold() in words:
        return words[text.casefold()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _call(name: str, settings: Mapping[str, Any]) -> str:
    return ", ".join([repr(name), *(f"{k}={v!r}" for k, v in settings.items())])


def _list(name: str, items: Sequence[str]) -> list[str]:
    return [f"{name} = [", *(f"    {item}," for item in items), "]"]
