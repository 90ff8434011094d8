"""Embedded campaigns: figures counted from public system outputs, and what people said of them.

The registry of the data has each file of each campaign, with its SHA-256.  What a campaign has is
read through `content`, so that a file which was damaged, exchanged or removed is named before
anything is computed from it.  In a page of a browser the package has the descriptions and the
registry; an archive on the page's site has a campaign's other files.  On computers the package has
all of some campaigns, and ``mtsig_nb_data`` has the others' files.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import html
import io
import json
import sys
import zipfile
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from .. import metrics
from ..browser import IN_BROWSER, site_file
from ..errors import InputError, MtsigError, check_one_of, unknown_name
from ..metrics import Metric, SegmentMean
from ..statistics.storage import read_statistics
from ..statistics.sufficient import SufficientStatistics

if TYPE_CHECKING:
    from ..human.ratings import Judgement

# Inside an installed wheel data are part of the package; an editable install reads the
# repository's own folder, where all campaigns are.
PLACES = (Path(__file__).parents[1] / "_datasets", Path(__file__).parents[2] / "datasets")

#: Its name, in the folder of the data.
REGISTRY = "registry.tsv"
#: What the package itself has of each campaign.
DESCRIPTION = "campaign.json"
#: What `datasets/pyproject.toml` builds: the campaigns that are not in the package's own wheel.
OTHERS = "mtsig_nb_data"
_FIX = (
    "Load the page again, without what the browser has kept of it (Shift and reload)."
    if IN_BROWSER
    else f"Install mtsig_nb again, and {OTHERS} if you have it; in a copy of the repository, run "
    "git checkout -- datasets, or build the data with datasets/build.py."
)

#: What to do about scores that the source does not have.
Missing = Literal["refuse", "leave-out"]

#: Settings that only the score depends on: the counts stored with one value serve any other.
_SCORE_ONLY = {"BLEU": {"smooth_method"}, "chrF": {"beta"}}


def list_campaigns() -> pd.DataFrame:
    """What there is: one row per embedded campaign and language pair.

    Returns
    -------
    DataFrame
        ``campaign``, ``pair``, ``name`` (what `load` takes), ``systems``, ``segments``,
        ``documents`` (missing where unknown), ``metrics``, ``human`` judgements and ``source``.

    Examples
    --------
    >>> campaigns = list_campaigns().set_index("name")
    >>> campaigns.loc["wmt12/es-en", ["systems", "segments", "documents"]].tolist()
    [12, 3003, 99]
    """
    rows = [
        {
            **dict(zip(("campaign", "pair"), about["name"].split("/"), strict=True)),
            "name": about["name"],
            "systems": len(about["systems"]),
            "segments": about["n_segments"],
            "documents": about["n_documents"],
            "metrics": ", ".join(_metric_names(about)),
            "human": "; ".join(about["human"].values()) or "none",
            "source": about["provenance"]["source"],
        }
        for about in map(description, campaign_names())
    ]
    return pd.DataFrame(rows).astype({"documents": "Int64"})


def campaign_names() -> tuple[str, ...]:
    """The names that `load` takes, in alphabetical order."""
    data = data_folder()
    listed = {name for name, files in registry(data)[1].items() if DESCRIPTION in files}
    # Also what a damaged registry has lost, so that `load` refuses it by its name.
    found = {path.parent.relative_to(data).as_posix() for path in data.glob(f"*/*/{DESCRIPTION}")}
    return tuple(sorted(listed | found))


def load(name: str, *, version: str | None = None) -> Campaign:
    """An embedded campaign: a test set's systems with their statistics and human judgements.

    Nothing but a small description is read until it is asked for.  In a page of a browser, the
    campaign's files are fetched from the page's site first, once.

    Parameters
    ----------
    name : str
        Campaign and language pair, such as ``"wmt12/es-en"``; `list_campaigns` has them all.
    version : str, optional
        The version of the data that the caller's numbers belong to.  Where another one is
        embedded, nothing is loaded.  By default, whichever is embedded; see `Campaign.version`.

    Raises
    ------
    InputError
        If there is no such campaign (the message has the closest name), it is not installed (the
        message has the command that installs it), or not in that version.
    MtsigError
        If its description is not the one in the registry of the data; what else is read of it later
        is checked in the same way.

    Examples
    --------
    >>> campaign = load("wmt12/es-en")
    >>> campaign.statistics("BLEU").scores().round(2)["onlineF"].item()
    21.71
    """
    check_one_of("name", name, campaign_names())
    if IN_BROWSER:
        complete(name, data_folder())
    campaign = Campaign(name=name, folder=_folder(name))
    if version is not None and version != campaign.version:
        raise InputError(
            f"version={version!r}: the embedded {name} has version {campaign.version!r}, and its "
            "figures may differ. Install the release of mtsig_nb whose CHANGELOG names data "
            f"version {version}, or leave version out."
        )
    return campaign


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
    >>> campaign = load("wmt12/es-en")
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

        The first number is raised when a figure that was there changes, the second when
        something is added.
        """
        return str(self._about["provenance"]["version"])

    @property
    def system_notes(self) -> dict[str, str]:
        """What happened to a system's text before it was counted, for those to whom it did.

        Texts with HTML entities, for instance, were counted with the characters they stand for.
        """
        return {s["system"]: s["notes"] for s in self._about["systems"] if s["notes"]}

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
        return _metric_names(self._about)

    @property
    def incomplete(self) -> dict[str, list[int]]:
        """Metrics that lack scores, and on which segments; see `statistics`.

        Examples
        --------
        >>> load("wmt25/en-kn_IN").incomplete
        {'GEMBA-ESA-CMDA': [3, 33, 87, 169, 290, 299, 316]}
        """
        return dict(self._about.get("incomplete", {}))

    @property
    def provenance(self) -> dict[str, Any]:
        """Source, licence statement, citation, what is not known, how to rebuild, and more.

        ``notes`` has what else to know, ``inputs`` the SHA-256 of every file it was built from.
        """
        return dict(self._about["provenance"])

    @cached_property
    def documents(self) -> npt.NDArray[np.str_] | None:
        """The document of each segment, shape (segments,); None where the source does not say."""
        return None if self._about["n_documents"] is None else self._label("document")

    @cached_property
    def original_language(self) -> npt.NDArray[np.str_] | None:
        """The language each segment was *written* in, shape (segments,), such as ``"es"``.

        The test sets of WMT12 and WMT13 were put together from news in several languages and
        translated into the others, so the source of a pair is often a translation itself.  A
        document has one original language.  None where the source does not say.

        Examples
        --------
        >>> campaign = load("wmt12/es-en")
        >>> bleu = campaign.statistics("BLEU")
        >>> {str(language): float(bleu.subset(campaign.original_language == language)
        ...                           .scores()["onlineB"].round(1))
        ...  for language in np.unique(campaign.original_language)}
        {'cs': 17.3, 'de': 19.6, 'en': 47.0, 'es': 60.7, 'fr': 28.2}
        """
        known = self._about["original_languages"] is not None
        return self._label("original_language") if known else None

    @cached_property
    def domains(self) -> npt.NDArray[np.str_] | None:
        """The kind of text of each segment, shape (segments,), such as ``"news"``.

        None where the source does not say; ``statistics(...).by_stratum(domains)`` gives every
        domain the same weight.

        Examples
        --------
        >>> np.unique(load("wmt25/en-ja_JP").domains).tolist()
        ['literary', 'news', 'social', 'speech']
        """
        return self._label("domain") if "domains" in self._about else None

    def _label(self, column: str) -> npt.NDArray[np.str_]:
        """A label of each segment's document."""
        return _table(self._content("documents.csv.gz"))[column].to_numpy(dtype=str)

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
            A score that the source does not have is none, and never 0.  A test needs every
            system's score of a segment: it is refused, or the segment is left out for all systems
            and, so that metrics can be compared, whichever metric lacks the score.
        **settings
            Settings that the metric must have; those left out are as this campaign has them.

        Raises
        ------
        InputError
            If the campaign does not have that metric, or not with these settings or references;
            or it lacks a score, and `missing` is ``"refuse"``.

        Examples
        --------
        >>> load("wmt17/en-de").statistics("BLEU", tokenize="none").metric.tokenize
        'none'
        >>> load("wmt25/en-kn_IN").statistics("GEMBA-ESA-CMDA", missing="leave-out").n_segments
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
        columns = [stored.metric.columns.index(column) for column in wanted.columns]
        found = dataclasses.replace(
            stored, metric=wanted, values=stored.values[:, :, columns], documents=self.documents
        )
        return self._complete(found, missing) if wanted.name == SegmentMean.name else found

    def _complete(self, scores: SufficientStatistics, missing: Missing) -> SufficientStatistics:
        """The scores where every system has one; a score that is missing has no weight."""
        if missing == "leave-out":
            left_out = [segment for lacking in self.incomplete.values() for segment in lacking]
            return scores.subset(np.delete(np.arange(self.n_segments), left_out))
        lacking = scores.values[:, :, 1] == 0
        if not lacking.any():
            return scores
        where = ", ".join(map(str, np.flatnonzero(lacking.any(axis=0))))
        raise InputError(
            f"{self.name}: {lacking.sum()} scores of {scores.label} are missing, on the segments "
            f"{where}. A test needs all systems on the same ones. Leave these out for all: "
            f"statistics({scores.label!r}, missing='leave-out'), or on the command line "
            f"-m {scores.label}:missing=leave-out."
        )

    def _entry(
        self, asked: str | Metric, references: str, settings: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Metric]:
        """The first stored variant that serves everything asked for, and the metric asked for."""
        entries = self._about["statistics"]
        if isinstance(asked, Metric):
            name, settings = asked.name, {**asked.settings, **settings}
            named = [e for e in entries if e["metric"] == name]
        else:
            # A label is what a metric is asked for by: "chrF++", for a chrF with settings.
            name, folded = asked, asked.casefold()
            named = [e for e in entries if folded in map(str.casefold, _names(e))]
        if not named:
            raise unknown_name("metric", name, self.metrics)
        for entry in named:
            stored = metrics.get(entry["metric"], **entry["settings"])
            wanted = metrics.get(entry["metric"], **{**entry["settings"], **settings})
            if entry["references"] == references and _serves(stored, wanted):
                return entry, wanted
        known = "; ".join(_spelt(e["references"], e["settings"]) for e in named)
        raise InputError(
            f"{self.name} has no {named[0]['label']} with {_spelt(references, settings)}. It "
            f"has {known}. Take one of these, or fetch the texts, where there are, and measure."
        )

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
        from ..human.ratings import judgements_from_tables  # slow to import

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
            raise InputError(f"{self.name} has no human judgements; list_campaigns() says who has.")
        return next(iter(self.judgements.values()))

    def _content(self, file: str) -> bytes:
        return content(data_folder(), self.name, file, self.folder)

    def _tables(self, folder: str, *, downcast: Literal["integer"] | None = None) -> _Tables:
        """All tables of a folder; one that the registry does not list is refused."""
        listed = registered(data_folder(), self.name)
        found = {f"{folder}/{path.name}" for path in (self.folder / folder).glob("*.csv.gz")}
        tables = _Tables()
        for file in sorted(found.union(f for f in listed if f.startswith(f"{folder}/"))):
            columns = _table(self._content(file)).items()
            read = {column: _figures(words, downcast) for column, words in columns}
            tables[file.removeprefix(f"{folder}/").removesuffix(".csv.gz")] = pd.DataFrame(read)
        return tables

    @property
    def _about(self) -> dict[str, Any]:
        return description(self.name)

    def facts(self) -> dict[str, str]:
        """What the data sheet says in short: fact and text."""
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


class _Tables(dict[str, pd.DataFrame]):
    """Tables by name; an unknown one is answered with those there are."""

    def __missing__(self, name: str) -> pd.DataFrame:
        raise unknown_name("table", name, self)


def _table(content: bytes) -> pd.DataFrame:
    """A table as text, from the content of its file."""
    return pd.read_csv(io.BytesIO(content), compression="gzip", dtype=str, keep_default_na=False)


def _figures(words: pd.Series, downcast: Literal["integer"] | None) -> pd.Series:
    """What words stand for: numbers, an empty one missing; truth values; or themselves."""
    if (words == "").all():
        return pd.Series([None] * len(words), dtype=object)  # numbers or words, nothing says which
    for kind in (np.int64, np.float64):  # as Python does, to the last bit; not every pandas does
        with contextlib.suppress(ValueError):
            return pd.to_numeric(words.replace("", "nan").astype(kind), downcast=downcast)
    return words == "true" if words.isin(["true", "false"]).all() else words


def data_folder() -> Path:
    """Where the embedded data are: in the package, or in the repository."""
    for place in PLACES:
        if (place / REGISTRY).exists():
            return place
    raise InputError(
        f"The embedded campaigns are not where they should be, in {' or '.join(map(str, PLACES))}."
        " Install mtsig_nb again, or build them with datasets/build.py."
    )


def _folder(name: str) -> Path:
    """Where a campaign's files are: beside its description, or in the package of the others."""
    data = data_folder()
    # It has no code: to import it would be to find its folder.
    for place in (data, *(Path(entry, OTHERS) for entry in sys.path)):
        if (folder := place / name / "statistics").is_dir():
            return folder.parent
    raise InputError(
        f"{name} is not installed: mtsig_nb comes with few campaigns, and {OTHERS} has the others. "
        f'python -m pip install "{OTHERS}=={registry(data)[0]}.*" installs them; in a copy of the '
        "repository, python -m pip install ./datasets does."
    )


@lru_cache
def description(name: str) -> dict[str, Any]:
    """What a campaign's own file says of it."""
    return json.loads(content(data_folder(), name, DESCRIPTION))


def _metric_names(about: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry["label"] for entry in about["statistics"]))


def _names(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """What a stored metric may be asked for by."""
    return entry["label"], entry["metric"], entry["settings"].get("source") or entry["label"]


def _serves(stored: Metric, wanted: Metric) -> bool:
    """Whether the counts of one metric are, or contain, those of the other."""
    differing = {name for name, own in stored.settings.items() if wanted.settings[name] != own}
    return differing <= _SCORE_ONLY.get(stored.name, set())


def _spelt(references: str, settings: Mapping[str, Any]) -> str:
    wanted = {**({"references": references} if references else {}), **settings}
    return ", ".join(f"{setting}={value!r}" for setting, value in wanted.items())


__all__ = ["Campaign", "campaign_names", "list_campaigns", "load"]


@lru_cache
def registry(data: Path) -> tuple[str, Mapping[str, Mapping[str, str]]]:
    """Version and files of the folder `data`, read once in a process.

    The files are by campaign, each with its SHA-256 in hexadecimal digits.

    Raises
    ------
    MtsigError
        If it cannot be read.
    """
    files: dict[str, dict[str, str]] = {}
    version = ""
    try:
        for line in (data / REGISTRY).read_text(encoding="utf-8").splitlines()[1:]:
            name, version, file, digest = line.split("\t")
            files.setdefault(name, {})[file] = digest
    except (OSError, ValueError) as error:
        raise MtsigError(
            f"{str(data / REGISTRY)!r}, which has the checksums of the embedded data, cannot be "
            f"read ({error}). {_FIX}"
        ) from None
    return version, files


def content(data: Path, name: str, file: str, folder: Path | None = None) -> bytes:
    """What a campaign's file holds, as the registry in the folder `data` knows it.

    The campaign's `folder` is in `data` unless it is given.

    Raises
    ------
    MtsigError
        If the file is not there, cannot be read, or is another.

    Examples
    --------
    >>> content(data_folder(), "wmt12/es-en", "campaign.json")[:1]
    b'{'
    """
    try:
        found = ((folder or data / name) / file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _wrong(data, name, file, f"cannot be read: {reason}") from None
    check(data, name, file, found)
    return found


def check(data: Path, name: str, file: str, found: bytes) -> None:
    """Raise `MtsigError` unless the registry of `data` has `found` as what the file holds."""
    expected = registered(data, name).get(file)
    if expected is None:
        raise _wrong(data, name, file, "is not in the registry of the data")
    digest = hashlib.sha256(found).hexdigest()
    if digest != expected:
        what = f"its SHA-256 begins {digest[:12]}, and in the registry {expected[:12]}"
        what = f"is not the one that this version of mtsig_nb belongs to: {what}"
        raise _wrong(data, name, file, what)


def registered(data: Path, name: str) -> Mapping[str, str]:
    """The files of a campaign, with their checksums."""
    return registry(data)[1].get(name, {})


def _wrong(data: Path, name: str, file: str, what: str) -> MtsigError:
    return MtsigError(f"{name}, version {registry(data)[0]} of the data: {file} {what}. {_FIX}")


def archive_of(name: str) -> str:
    """Where the site has the archive of a campaign.

    >>> archive_of("wmt12/es-en")
    'files/campaigns/wmt12-es-en.zip'
    """
    return f"files/campaigns/{name.replace('/', '-')}.zip"


def complete(name: str, data: Path) -> None:
    """Fetch what is missing of a campaign in the folder `data`.

    Raises
    ------
    MtsigError
        If it cannot be fetched, or is not what the registry says; nothing is kept then.
    """
    wanted = registered(data, name)
    if all((data / name / file).exists() for file in wanted):
        return
    with zipfile.ZipFile(io.BytesIO(site_file(archive_of(name)))) as archive:
        found = {file: archive.read(file) for file in archive.namelist() if file in wanted}
    for file in wanted:
        if file != DESCRIPTION:
            check(data, name, file, found.get(file, b""))
    for file, content in found.items():
        path = data / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
