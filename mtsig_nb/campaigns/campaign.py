"""One language pair of an evaluation campaign: its systems, statistics and human judgements."""

from __future__ import annotations

import contextlib
import dataclasses
import html
import io
import itertools
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from .. import metrics
from ..errors import InputError, check_one_of, unknown_name
from ..frames import pd
from ..metrics import Metric, SegmentMean
from ..statistics.storage import read_statistics
from ..statistics.sufficient import SufficientStatistics
from .data_files import content, data_folder, description, registered

if TYPE_CHECKING:
    from ..human.judgements import Judgement

#: What to do about scores that the source does not have.
Missing = Literal["refuse", "leave-out"]

#: Settings that only the score depends on: the counts stored with one value serve any other.
_SCORE_ONLY = {"BLEU": {"smooth_method"}, "chrF": {"beta"}}


@dataclasses.dataclass(frozen=True, repr=False)
class Campaign:
    """One language pair of one evaluation campaign; made by `load`.

    Attributes
    ----------
    name : str
        Campaign and language pair, as `load` takes it.
    folder : Path
        Where its files are; its ``README.md`` is the data sheet.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> len(campaign.systems), campaign.n_segments, campaign.metrics[:3]
    (12, 3003, ('BLEU', 'chrF', 'chrF++'))
    >>> campaign.human.scores().index[0]
    'onlineA'
    >>> campaign.facts()["segments"]
    '3,003'
    """

    name: str
    folder: Path = dataclasses.field(repr=False)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, as the campaign named them."""
        return tuple(system["system"] for system in self._about["systems"])

    @property
    def version(self) -> str:
        """The version of the embedded data, such as ``"1.2"``; all campaigns share one.

        The first number rises when an existing figure changes, the second when something is added.
        """
        return str(self._about["provenance"]["version"])

    @property
    def system_notes(self) -> dict[str, str]:
        """What was done to a system's text before it was counted, for the systems concerned.

        Texts with HTML entities, for instance, were counted with the characters they stand for.
        """
        systems = self._about["systems"]
        return {system["system"]: system["notes"] for system in systems if system["notes"]}

    @property
    def n_segments(self) -> int:
        """How many segments each system translated."""
        return int(self._about["n_segments"])

    @property
    def references(self) -> tuple[str, ...]:
        """Labels of the references; the first is the default.  None where there are no texts."""
        return tuple(self._about["references"])

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics whose statistics are here."""
        return metric_names(self._about)

    @property
    def incomplete(self) -> dict[str, list[int]]:
        """Metrics that lack scores, and on which segments; see `statistics`.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> mt.load("wmt25/en-kn_IN").incomplete
        {'GEMBA-ESA-CMDA': [3, 33, 87, 169, 290, 299, 316]}
        """
        return dict(self._about.get("incomplete", {}))

    @property
    def provenance(self) -> dict[str, Any]:
        """Source, licence statement, citation, what is unknown, how to rebuild, and more.

        ``notes`` has further remarks, and ``inputs`` the SHA-256 of every file it was built from.
        """
        return dict(self._about["provenance"])

    @cached_property
    def documents(self) -> npt.NDArray[np.str_] | None:
        """The document of each segment, shape (segments,); None where the source does not say."""
        if self._about["n_documents"] is None:
            return None
        return self._of_documents("document")

    @cached_property
    def original_language(self) -> npt.NDArray[np.str_] | None:
        """The language in which each segment was *written*, shape (segments,), such as ``"es"``.

        The test sets of WMT12 and WMT13 were put together from news in several languages and
        translated into the others, so the source of a pair is often a translation itself.  A
        document has one original language.  None where the source does not say.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> campaign = mt.load("wmt12/es-en")
        >>> bleu = campaign.statistics("BLEU")
        >>> {str(language): float(bleu.subset(campaign.original_language == language)
        ...                           .scores()["onlineB"].round(1))
        ...  for language in np.unique(campaign.original_language)}
        {'cs': 17.3, 'de': 19.6, 'en': 47.0, 'es': 60.7, 'fr': 28.2}
        """
        if self._about["original_languages"] is None:
            return None
        return self._of_documents("original_language")

    @cached_property
    def domains(self) -> npt.NDArray[np.str_] | None:
        """The kind of text of each segment, shape (segments,), such as ``"news"``.

        None where the source does not say; ``statistics(...).by_stratum(domains)`` gives every
        domain the same weight.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> np.unique(mt.load("wmt25/en-ja_JP").domains).tolist()
        ['literary', 'news', 'social', 'speech']
        """
        if "domains" not in self._about:
            return None
        return self._of_documents("domain")

    def _of_documents(self, column: str) -> npt.NDArray[np.str_]:
        """A column of the table of documents, which has a row for each segment."""
        documents = _table(self._content("documents.csv.gz"))
        return documents[column].to_numpy(dtype=str)

    @property
    def duplicates(self) -> pd.DataFrame:
        """Pairs of outputs that are the same, or nearly so, line by line."""
        columns = ["system_a", "system_b", "identical", "segments"]
        return pd.DataFrame(self._about["duplicates"], columns=columns)

    def statistics(
        self,
        metric: str | Metric = "BLEU",
        *,
        references: str | None = None,
        missing: Missing = "refuse",
        **settings: Any,
    ) -> SufficientStatistics:
        """The statistics of one metric for every system and segment.

        Parameters
        ----------
        metric : str or Metric
            A name of `metrics`, in any case, or a metric with all its settings.  Where the campaign
            has scores of segments by a model, the name that the source gives them is understood
            as well, such as ``"MetricX-24-Hybrid-XL"``.
        references : str, optional
            Labels of the references counted against, such as ``"B"`` or ``"A+C+D"``, or
            ``"all"``; the campaign's first by default.
        missing : {"refuse", "leave-out"}
            A score that the source does not have is missing, and never 0.  A test needs every
            system's score on a segment.  So the metric is refused, or the segment is left out for
            all systems.  It is left out whichever metric lacks the score, so that metrics can be
            compared.
        **settings
            Settings that the metric must have; all others are those of this campaign.

        Raises
        ------
        InputError
            If the campaign does not have that metric, or not with these settings or references;
            or it lacks a score, and `missing` is ``"refuse"``.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> mt.load("wmt17/en-de").statistics("BLEU", tokenize="none").metric.tokenize
        'none'
        >>> mt.load("wmt25/en-kn_IN").statistics("GEMBA-ESA-CMDA", missing="leave-out").n_segments
        325
        """
        check_one_of("missing", missing, get_args(Missing))
        if references is None:
            references = self.references[0] if self.references else ""
        elif references == "all":
            references = "+".join(self.references)
        entry, wanted = self._entry(metric, references, settings)
        file = f"statistics/{entry['file']}"
        stored = read_statistics(self.folder / file, content=self._content(file))
        places = [stored.metric.columns.index(column) for column in wanted.columns]
        statistics = dataclasses.replace(
            stored, metric=wanted, values=stored.values[:, :, places], documents=self.documents
        )
        if wanted.name == SegmentMean.name:
            return self._complete(statistics, missing)
        return statistics

    def _complete(self, scores: SufficientStatistics, missing: Missing) -> SufficientStatistics:
        """The scores of segments of which every system has one; see `statistics`.

        A score that is missing has a weight of zero.
        """
        if missing == "leave-out":
            left_out = list(itertools.chain.from_iterable(self.incomplete.values()))
            return scores.subset(np.delete(np.arange(self.n_segments), left_out))
        is_missing = scores.values[:, :, 1] == 0
        if not is_missing.any():
            return scores
        where = ", ".join(map(str, np.flatnonzero(is_missing.any(axis=0))))
        raise InputError(
            f"{self.name}: {is_missing.sum()} scores of {scores.label} are missing, on the "
            f"segments {where}. A test needs all systems on the same segments. Leave these out for "
            f"all systems: statistics({scores.label!r}, missing='leave-out'), or on the command "
            f"line -m {scores.label}:missing=leave-out."
        )

    def _entry(
        self, metric: str | Metric, references: str, settings: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Metric]:
        """The entry of the description whose counts serve, and the metric with its settings."""
        if isinstance(metric, Metric):
            settings = {**metric.settings, **settings}
        entries = self._entries_of(metric)
        for entry in entries:
            stored = metrics.get(entry["metric"], **entry["settings"])
            wanted = metrics.get(entry["metric"], **{**entry["settings"], **settings})
            if entry["references"] == references and _serves(stored, wanted):
                return entry, wanted
        known = "; ".join(_spelt(entry["references"], entry["settings"]) for entry in entries)
        raise InputError(
            f"{self.name} has no {entries[0]['label']} with {_spelt(references, settings)}. It has "
            f"{known}. Choose one of these, or fetch the texts, if there are any, and measure them."
        )

    def _entries_of(self, metric: str | Metric) -> list[dict[str, Any]]:
        """The entries of the description for a metric, with whatever settings and references."""
        entries = self._about["statistics"]
        if isinstance(metric, Metric):
            name = metric.name
            found = [entry for entry in entries if entry["metric"] == name]
        else:
            name = metric
            found = [entry for entry in entries if _is_called(entry, name)]
        if not found:
            raise unknown_name("metric", name, self.metrics)
        return found

    @property
    def texts(self) -> list[dict[str, str]]:
        """Where each text comes from, with its checksum; for `mtsig_nb.fetch_texts`.

        Empty where there are scores and no texts.
        """
        return list(self._about["texts"])

    @cached_property
    def published(self) -> Mapping[str, pd.DataFrame]:
        """Tables by name that others published on these outputs, such as p-values."""
        return self._tables("published")

    @cached_property
    def judgements(self) -> Mapping[str, Judgement]:
        """All human judgements by name, the main ones first; objects of `mtsig_nb.human`."""
        from ..human.judgements import judgements_from_tables  # slow to import

        tables = self._tables("human", downcast="integer")
        return judgements_from_tables(tables, documents=self.documents)

    @property
    def human(self) -> Judgement:
        """The main human judgements: ``human.conclusions()`` is the gold standard.

        Raises
        ------
        InputError
            If the campaign has none.
        """
        if not self.judgements:
            raise InputError(
                f"{self.name} has no human judgements; list_campaigns() shows which campaigns have "
                "them."
            )
        return next(iter(self.judgements.values()))

    def _content(self, file: str) -> bytes:
        """What a file of the campaign holds, checked against the registry."""
        return content(data_folder(), self.name, file, self.folder)

    def _tables(self, folder: str, *, downcast: Literal["integer"] | None = None) -> _Tables:
        """All tables of a folder; one that the registry does not list is refused."""
        paths = (self.folder / folder).glob("*.csv.gz")
        present = {f"{folder}/{path.name}" for path in paths}
        listed = registered(data_folder(), self.name)
        expected = {file for file in listed if file.startswith(f"{folder}/")}
        tables = _Tables()
        for file in sorted(present | expected):
            texts = _table(self._content(file))
            columns = {column: _values(texts[column], downcast) for column in texts.columns}
            name = file.removeprefix(f"{folder}/").removesuffix(".csv.gz")
            tables[name] = pd.DataFrame(columns)
        return tables

    @property
    def _about(self) -> dict[str, Any]:
        """The campaign's description."""
        return description(self.name)

    def facts(self) -> dict[str, str]:
        """The data sheet in short: facts and their texts."""
        documents = self._about["n_documents"]
        return {
            "test set": f"{self._about['title']}, {self.name.split('/')[1]}",
            "systems": f"{len(self.systems)}: {', '.join(self.systems)}",
            "segments": f"{self.n_segments:,}",
            "documents": f"{documents:,}" if documents else "not known",
            "references": ", ".join(self.references) or "no texts",
            "metrics": ", ".join(self.metrics),
            "human judgements": "; ".join(self._about["human"].values()) or "none",
            "published results": ", ".join(self.published),
            "source": self._about["provenance"]["source"],
            "version of the data": self.version,
            "licence": self._about["provenance"]["licence"],
            "cite": self._about["provenance"]["citation"],
        }

    def __repr__(self) -> str:
        facts = self.facts()
        return (
            f"Campaign({self.name}, {len(self.systems)} systems, {self.n_segments:,} segments; "
            f"{facts['metrics']}; human judgements: {facts['human judgements']})"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align: left'>{html.escape(fact)}</th>"
            f"<td style='text-align: left'>{html.escape(value)}</td></tr>"
            for fact, value in self.facts().items()
        )
        return f"<table><caption>{html.escape(self.name)}</caption>{rows}</table>"


class _Tables(dict[str, "pd.DataFrame"]):
    """Tables by name; an unknown one is answered with those there are."""

    def __missing__(self, name: str) -> pd.DataFrame:
        raise unknown_name("table", name, self)


def _table(content: bytes) -> pd.DataFrame:
    """A table as text, from the content of its file."""
    return pd.read_csv(io.BytesIO(content), compression="gzip", dtype=str, keep_default_na=False)


def _values(texts: pd.Series, downcast: Literal["integer"] | None) -> pd.Series:
    """What the texts of a column stand for: numbers, an empty one missing; truth values; texts."""
    if (texts == "").all():
        # Nothing says whether these are numbers or texts.
        return pd.Series([None] * len(texts), dtype=object)
    # Read as Python reads numbers, to the last bit, which not every pandas does.
    for kind in (np.int64, np.float64):
        with contextlib.suppress(ValueError):
            return pd.to_numeric(texts.replace("", "nan").astype(kind), downcast=downcast)
    if texts.isin(["true", "false"]).all():
        return texts == "true"
    return texts


def metric_names(about: Mapping[str, Any]) -> tuple[str, ...]:
    """The labels of the metrics that a description lists, each once."""
    return tuple(dict.fromkeys(entry["label"] for entry in about["statistics"]))


def _is_called(entry: Mapping[str, Any], name: str) -> bool:
    """Whether a stored metric may be asked for by `name`, in any case.

    It has a label, such as ``"chrF++"`` for a chrF with settings; the name of its class; and maybe
    the name that the source of the scores gives it.
    """
    names = [entry["label"], entry["metric"]]
    name_at_source = entry["settings"].get("source")
    if name_at_source:
        names.append(name_at_source)
    return name.casefold() in map(str.casefold, names)


def _serves(stored: Metric, wanted: Metric) -> bool:
    """Whether what is stored of one metric has all counts that another needs."""
    settings = stored.settings
    differing = {name for name in settings if wanted.settings[name] != settings[name]}
    return differing <= _SCORE_ONLY.get(stored.name, set())


def _spelt(references: str, settings: Mapping[str, Any]) -> str:
    """References and settings as a call spells them."""
    arguments = dict(settings)
    if references:
        arguments = {"references": references, **settings}
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
