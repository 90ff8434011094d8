"""Which systems an analysis compares, by which metrics: as plain settings, and as they are read."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import metrics
from ..campaigns.embedded import campaign_names, load
from ..errors import InputError, unknown_name
from ..metrics.sacrebleu_counts import tokenizer_for
from ..notes import Note
from ..texts.files import expanded, split_name, unique
from ..texts.given import Given, files_below, given_files
from ..texts.naming import names_after_paths
from ..texts.reading import Texts, read_test_set
from .metric_names import TEXT_METRICS, NamedMetric, parse_metric, split_settings

if TYPE_CHECKING:
    from ..scores.score_file import ScoreFile
    from ..scores.table import ScoreTable

_NO_SETTINGS = "given scores are used as they are. Leave it out."
#: The settings that are about segment scores alone, each as it usually is.
_SETTINGS_OF_SCORES = {"smaller_is_better": False, "by": None, "missing": "raise", "shared": None}
#: The settings that are about files of texts alone, each as it usually is.
_SETTINGS_OF_TEXTS = {"n_references": 1, "language_pair": None}
#: The settings of one kind of outcome alone, which are listed only where they are given.
OF_ONE_KIND = ("margin", "baseline", "aggregate", "tasks")


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
        of columns, or ratios of columns (``WER=errors/words``), with their direction where it
        matters (``MQM:lower``); see `read_score_table`.
    settings : mapping
        Settings for all metrics that have them, such as ``{"lowercase": True}``.
    gold : str, optional
        What people said, with which the metrics are compared in place of the systems with each
        other: the name of a campaign's judgements, such as ``"mqm"``, or ``"people"`` for the main
        ones; of segment scores the column of people's scores, such as ``"MQM:lower"``.
    margin : float, or mapping of str to float, optional
        Of a gate: how much worse than the baseline a system may be, in points of the metric; or
        for each metric by its name.
    baseline : str, optional
        Of a gate: the system that all others are set against; if empty, the first one.
    aggregate : str, optional
        Of a leaderboard: what orders the systems over all test sets, or metrics, as in
        :func:`mtsig_nb.leaderboard`.
    tasks : {"fixed", "sample"}, optional
        Of a leaderboard: whether test sets, or metrics, are a sample as well.

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
    margin: float | Mapping[str, float] | None = None
    baseline: str | None = None
    aggregate: str | None = None
    tasks: str | None = None

    def __post_init__(self) -> None:
        for name in ("systems", "references", "metrics"):
            value = getattr(self, name)
            copied = dict(value) if isinstance(value, Mapping) else tuple(value)
            object.__setattr__(self, name, copied)
        object.__setattr__(self, "settings", dict(self.settings))
        if isinstance(self.margin, Mapping):
            object.__setattr__(self, "margin", dict(self.margin))
        self._check_settings_of_scores()
        if self.campaign is not None and self.documents is not None:
            raise InputError("documents: an embedded campaign brings its own; leave them out.")
        self._check_settings_of_texts()
        if self.language_pair is not None:
            target_language(self.language_pair)  # raises `InputError` if it is no pair
        if self.gold is not None and self.campaign is None and self.scores is None:
            raise InputError(
                f"gold={self.gold!r}: files of texts have no judgements by people. Name an "
                "embedded campaign, or give segment scores with a column of people's."
            )
        if (self.margin is None) != (self.baseline is None):
            given, lacking = ("margin", "baseline")
            if self.margin is None:
                given, lacking = (lacking, given)
            raise InputError(f"{given} is an option of a gate, which needs a {lacking} as well.")
        if self.tasks is not None and self.aggregate is None:
            raise InputError(
                "tasks is an option of a leaderboard, which needs an aggregate as well."
            )
        if self.aggregate is not None and self.margin is not None:
            raise InputError("aggregate and margin: a leaderboard is not a gate. Give one of them.")

    def _check_settings_of_scores(self) -> None:
        """Raise `InputError` if scores stand beside what they replace, or settings without them."""
        if self.scores is not None:
            if self.campaign or self.references or self.documents:
                raise InputError("scores replaces texts and campaigns; give it without the others.")
            if self.settings:
                raise InputError(f"{', '.join(self.settings)}: {_NO_SETTINGS}")
            return
        for name, usual in _SETTINGS_OF_SCORES.items():
            if getattr(self, name) != usual:
                raise InputError(
                    f"{name} is an option for scores, and there are none. Leave it out."
                )

    def _check_settings_of_texts(self) -> None:
        """Raise `InputError` if something is said of files of texts, and there are none."""
        if self.campaign is None and self.scores is None:
            return
        given = "an embedded campaign" if self.scores is None else "segment scores"
        for name, usual in _SETTINGS_OF_TEXTS.items():
            if getattr(self, name) != usual:
                raise InputError(
                    f"{name} is an option for files of texts, and {given} has none. Leave it out."
                )

    # --- what is read -----------------------------------------------------------------------------

    @functools.cached_property
    def score_files(self) -> ScoreTable | ScoreFile | None:
        """What the files of scores have: a table, or battles; None where there are no files."""
        if self.scores is None:
            return None
        from ..scores.table import read_scores_or_battles  # texts do without readers of scores

        values, options = self._arguments_for_scores()
        return read_scores_or_battles(*values, **options)

    @property
    def score_table(self) -> ScoreTable | None:
        """The table of segment scores; None where there are no files of scores.

        Raises
        ------
        InputError
            If the files have battles, and no scores.
        """
        if self.score_files is None:
            return None
        from ..scores.score_file import ScoreFile, no_scores

        if isinstance(self.score_files, ScoreFile):
            raise no_scores(self.score_files)
        return self.score_files

    def test_set(self) -> Texts:
        """The references and the systems' outputs, with notes on what was left out of folders.

        They are read once.
        """
        return self._texts

    @property
    def texts_read(self) -> Texts | None:
        """The texts of `test_set`, if they have been read; None otherwise."""
        read: Texts | None = self.__dict__.get("_texts")  # where `cached_property` keeps it
        return read

    @functools.cached_property
    def _texts(self) -> Texts:
        """What `test_set` gives."""
        texts = read_test_set(**self._arguments_for_texts())
        _, notes = _files_and_notes(self.systems)
        return dataclasses.replace(texts, notes=(*notes, *texts.notes))

    def files(self) -> list[Path]:
        """The files that are read, those in folders each by itself.

        Of a folder of logs these are all files in it and below it that may be logs.
        """
        if self.campaign is not None:
            return []
        if self.scores is not None:
            files = []
            for text in self._score_files():
                _, path = split_name(text)
                files += files_below(expanded(path))
            return files
        files = []
        systems, _ = _files_and_notes(self.systems)
        paths = list(systems.values()) if isinstance(systems, dict) else systems
        if paths:
            outputs, _ = given_files("systems", paths)
            files += [output.path for output in outputs]
        files += map(expanded, self.references)
        if self.documents is not None:
            files.append(expanded(self.documents))
        return files

    def _tokenizer_of_language(self) -> str | None:
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
                    raise InputError(f"{', '.join(self.settings)}: {_NO_SETTINGS}")
                return self._chosen_metrics(campaign.metrics[:1], campaign.metrics, split_settings)
            if "all" in map(str.casefold, self.metrics):
                return [(metric, {}) for metric in campaign.metrics]
        chosen = self._chosen_metrics(("BLEU",), TEXT_METRICS, parse_metric)
        known_settings = {name: metrics.get(name).settings for name, _ in chosen}
        for setting in self.settings:
            if not any(setting in known for known in known_settings.values()):
                names = ", ".join(known_settings)
                raise InputError(f"{setting}: none of {names} has this setting.")
        measures = []
        for name, own_settings in chosen:
            settings = self._general_settings(known_settings[name]) | own_settings
            metric = metrics.get(name, **settings)  # which turns texts into numbers and so on
            typed = {setting: getattr(metric, setting) for setting in settings}
            measures.append((name, typed))
        return measures

    def _general_settings(self, known: Container[str]) -> dict[str, Any]:
        """The settings for all metrics, as far as a metric knows them."""
        general: dict[str, Any] = {}
        tokenize = self._tokenizer_of_language()
        if tokenize is not None:
            general["tokenize"] = tokenize
        general |= self.settings
        return {setting: value for setting, value in general.items() if setting in known}

    def _chosen_metrics(
        self, usual: Sequence[str], every: Sequence[str], parse: Callable[[str], NamedMetric]
    ) -> list[NamedMetric]:
        """The metrics asked for, or the usual ones, each once; `every` is what "all" means."""
        chosen: list[NamedMetric] = []
        for text in self.metrics or usual:
            name, settings = parse(text)
            names = every if name.casefold() == "all" else (name,)
            for metric in names:
                if (metric, settings) not in chosen:
                    chosen.append((metric, settings))
        return chosen

    def _arguments_for_texts(self) -> dict[str, Any]:
        """What `read_test_set` is given."""
        arguments: dict[str, Any] = {"reference": list(self.references)}
        systems, _ = _files_and_notes(self.systems)
        if systems:
            arguments["systems"] = systems
        if self.documents:
            arguments["documents"] = self.documents
        if self.n_references != 1:
            arguments["n_references"] = self.n_references
        return arguments

    def _arguments_for_scores(self) -> tuple[list[Any], dict[str, Any]]:
        """What `read_score_table` is given: files and metrics, then what is unusual, by name."""
        files = self._score_files()
        values: list[Any] = [files[0] if len(files) == 1 else files]
        columns = list(self.metrics)
        if self.gold is not None:
            columns = [*(columns or ["all"]), self.gold]
        if columns:
            values.append(columns)
        options = {}
        for name, usual in _SETTINGS_OF_SCORES.items():
            value = getattr(self, name)
            if value != usual:
                options[name] = value
        if self.systems:  # columns of these names are systems, whatever they sound like
            options["systems"] = list(self.systems)
        return values, options

    def _score_files(self) -> list[str]:
        """The files of segment scores, as ``FILE`` or ``NAME=FILE``."""
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
    if pair is None:
        test_set, _, pair = test_set.partition("/")
    pairs_of: dict[str, list[str]] = {}  # by test set
    for name in campaign_names():
        embedded_set, _, embedded_pair = name.partition("/")
        pairs_of.setdefault(embedded_set, []).append(embedded_pair)
    if test_set not in pairs_of:
        raise unknown_name("test set", test_set, pairs_of)
    pairs = pairs_of[test_set]
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
    source, _, rest = pair.partition("-")
    target, _, _ = rest.partition("-")  # a region may follow
    if not source or not target:
        raise InputError(f"language pair={pair!r}: write the source and the target, as in en-zh.")
    return target


def _files_and_notes(
    systems: Iterable[str] | Mapping[str, str],
) -> tuple[list[str] | dict[str, str], list[Note]]:
    """Files as `read_test_set` takes them, and what of folders was left out on the way.

    The files are a list, or a mapping as soon as one of them is given a name; then each of the
    others has the name that its path suggests.
    """
    if isinstance(systems, Mapping):
        return dict(systems), []
    files = [_file_and_name(text) for text in systems]
    if all(file.name is None for file in files):
        return [str(file.path) for file in files], []
    files_of_systems, notes = given_files("systems", files)
    unnamed = [file.path for file in files_of_systems if file.name is None]
    names_of_unnamed = iter(names_after_paths(unnamed))
    named = []
    for file in files_of_systems:
        name = file.name or next(names_of_unnamed)
        named.append((name, str(file.path)))
    return unique("systems", named), notes


def _file_and_name(text: str) -> Given:
    """The file and its name, from ``FILE`` or ``NAME=FILE``.

    A file whose own name has that form is meant itself.
    """
    name, equals, path = text.partition("=")
    if not equals or os.path.lexists(expanded(text)):
        return Given(None, Path(text))
    if not name or not path:
        raise InputError(f"systems: {text!r} should be NAME=FILE, and lacks one of the two.")
    return Given(name, Path(path))
