"""Which systems an analysis compares, by which metrics: as plain settings, and as they are read."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import metrics
from ..campaigns.embedded import campaign_names, load
from ..errors import InputError, unknown_name
from ..metrics.sacrebleu_counts import tokenizer_for
from ..notes import Note
from ..scores.score_file import ScoreFile, no_scores
from ..scores.table import ScoreTable, read_scores_or_battles
from ..texts.files import expanded, split_name, unique
from ..texts.given import Given, files_below, given_files
from ..texts.naming import names_after_paths
from ..texts.reading import Texts, read_test_set
from .metric_names import TEXT_METRICS, NamedMetric, parse_metric, split_settings

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
    gold : str, optional
        What people said, with which the metrics are compared in place of the systems with each
        other: the name of a campaign's judgements, such as ``"mqm"``, or ``"people"`` for the main
        ones; of segment scores the column of people's scores, such as ``"MQM:lower"``.

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
    gold: str | None = None

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
        if self.gold is not None and self.campaign is None and self.scores is None:
            raise InputError(
                f"gold={self.gold!r}: files of texts have no judgements by people. Name an "
                "embedded campaign, or give segment scores with a column of people's."
            )

    def _check_texts_alone(self, name: str, usual: object) -> None:
        """Raise `InputError` if something is said of files of texts, and there are none."""
        if getattr(self, name) != usual:
            given = "an embedded campaign" if self.scores is None else "segment scores"
            raise InputError(
                f"{name} is said of files of texts, and {given} has none. Leave it out."
            )

    # --- what is read -----------------------------------------------------------------------------

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
            raise no_scores(self.score_files)
        return self.score_files

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
        others = list(self.references)
        if self.documents is not None:
            others.append(self.documents)
        return [*(file.path for file in outputs), *map(expanded, others)]

    def _tokenizer(self) -> str | None:
        """The tokenizer that sacreBLEU takes for the language pair, if it has one for it."""
        if self.language_pair is None:
            return None
        return tokenizer_for(target_language(self.language_pair))

    def _measures(self) -> list[NamedMetric]:
        """Names of metrics with their settings, general ones included, each of its type."""
        if self.campaign is not None:
            campaign = load(self.campaign)
            if not campaign.texts:
                if self.settings:
                    raise InputError(f"{', '.join(self.settings)}: {_AS_THEY_ARE}")
                return self._named(campaign.metrics[:1], campaign.metrics, split_settings)
            if "all" in map(str.casefold, self.metrics):
                return [(metric, {}) for metric in campaign.metrics]
        named = self._named(("BLEU",), TEXT_METRICS, parse_metric)
        known = {name: metrics.get(name).settings for name, _ in named}
        for setting in self.settings:
            if not any(setting in fields for fields in known.values()):
                raise InputError(f"{setting}: none of {', '.join(known)} has this setting.")
        tokenize = self._tokenizer()
        for_all = {} if tokenize is None else {"tokenize": tokenize}
        for_all.update(self.settings)
        measures = []
        for name, of_metric in named:
            general = {k: v for k, v in for_all.items() if k in known[name]}
            settings = general | of_metric
            metric = metrics.get(name, **settings)
            typed = {setting: getattr(metric, setting) for setting in settings}
            measures.append((name, typed))
        return measures

    def _named(
        self, usual: Sequence[str], every: Sequence[str], parse: Callable[[str], NamedMetric]
    ) -> list[NamedMetric]:
        """The metrics asked for, or the usual ones, each once; `every` is what "all" means."""
        named: list[NamedMetric] = []
        for text in self.metrics or usual:
            name, settings = parse(text)
            names = every if name.casefold() == "all" else (name,)
            for metric in names:
                if (metric, settings) not in named:
                    named.append((metric, settings))
        return named

    def _of_texts(self) -> dict[str, Any]:
        """What `read_test_set` is given."""
        given: dict[str, Any] = {"reference": list(self.references)}
        systems, _ = _files(self.systems)
        if systems:
            given["systems"] = systems
        if self.documents:
            given["documents"] = self.documents
        if self.n_references != 1:
            given["n_references"] = self.n_references
        return given

    def _of_scores(self) -> tuple[list[Any], dict[str, Any]]:
        """What `read_score_table` is given: files and metrics, and what is unusual of them."""
        files = self._score_files()
        given: list[Any] = [files[0] if len(files) == 1 else files]
        columns = list(self.metrics)
        if self.gold is not None:
            columns = [*(columns or ["all"]), self.gold]
        if columns:
            given.append(columns)
        unusual = {}
        for name, usual in OF_SCORES.items():
            value = getattr(self, name)
            if value != usual:
                unusual[name] = value
        if self.systems:  # columns of these names are systems, whatever they sound like
            unusual["systems"] = list(self.systems)
        return given, unusual

    def _score_files(self) -> list[str]:
        return [self.scores] if isinstance(self.scores, str) else list(self.scores or ())


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
    listing = [_named_file(text) for text in systems]
    if all(file.name is None for file in listing):
        return [str(file.path) for file in listing], []
    given, notes = given_files("systems", listing)
    after_paths = iter(names_after_paths([file.path for file in given if file.name is None]))
    named = [(file.name or next(after_paths), str(file.path)) for file in given]
    return unique("systems", named), notes


def _named_file(text: str) -> Given:
    """The file and its name, from ``FILE`` or ``NAME=FILE``.

    A file whose own name has that form is meant itself.
    """
    name, equals, path = text.partition("=")
    if not equals or os.path.lexists(expanded(text)):
        return Given(None, Path(text))
    if not name or not path:
        raise InputError(f"systems: {text!r} should be NAME=FILE, and lacks one of the two.")
    return Given(name, Path(path))
