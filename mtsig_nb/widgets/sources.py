"""Where the systems come from: an embedded campaign, or uploaded files, none of which is trusted.

A file is limited in size and number, and stored in a folder of its own inside one of ours, so that
its name is never more than a name.  What is in it is read as the command line reads files, unpacked
from gzip no further than the limits; nothing is ever unpickled or executed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..campaigns.embedded import load
from ..errors import InputError
from ..notes import warnings_kept
from ..outcomes.outcome import Outcome
from ..outcomes.pairs import PairsOutcome
from ..report.analysis import Analysis
from ..report.metric_names import TEXT_METRICS
from ..report.watch import Watch
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..texts.bounds import Most
from ..texts.files import name_of
from ..texts.reading import read_texts

#: The most that is taken from an upload: more would keep a course server busy for minutes.
LIMITS = {
    "number": 60,  # of files
    "file": 8_000_000,  # bytes of one file as it is uploaded
    "together": 64_000_000,  # bytes of all files, as they are uploaded and once they are unpacked
    "lines": 1_000_000,  # of all files
    "fields": 4_000_000,  # of one file
    "segments": 50_000,
}
_ADVICE = "Use mtsig compare for more."

#: A file as a browser hands it over: its name, and what is in it.
Upload = tuple[str, bytes]


@dataclasses.dataclass(eq=False, kw_only=True)
class _Input:
    """What the user has chosen to look at, and the files that were uploaded for it.

    Attributes
    ----------
    title : str
    warnings : list of str
        What was warned of when files were read.
    folder : Path, optional
        Where uploaded files are; it goes with this object, or with the kernel.
    """

    title: str
    warnings: list[str]
    folder: Path | None = None

    def __post_init__(self) -> None:
        if self.folder is not None:
            self.close = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def without_folder(self, text: str) -> str:
        """Code or a message as the user would write it: with names of files, not our paths."""
        return text if self.folder is None else _without(self.folder, text)


@dataclasses.dataclass(eq=False, kw_only=True)
class Source(_Input):
    """Systems to choose from, with the statistics of each metric.

    Attributes
    ----------
    analysis : Analysis
        The analysis of all systems, with the usual settings.
    systems : tuple of str
    has_documents : bool
        Whether it is known which document each segment belongs to.
    metrics : tuple of str
    statistics : callable
        Gives the statistics of all systems under a metric.
    """

    analysis: Analysis
    systems: tuple[str, ...]
    has_documents: bool
    metrics: tuple[str, ...]
    statistics: Callable[[str], SufficientStatistics]

    def analysis_of(
        self, systems: Sequence[str], metrics: Sequence[str], **settings: Any
    ) -> Analysis:
        """The analysis of some of the systems and metrics."""
        chosen: Any = systems
        if set(systems) == set(self.systems):
            chosen = self.analysis.systems
        elif isinstance(self.analysis.systems, Mapping):  # the file of each system
            chosen = {system: self.analysis.systems[system] for system in systems}
        return dataclasses.replace(self.analysis, systems=chosen, metrics=metrics, **settings)

    def compare(self, analysis: Analysis) -> PairsOutcome:
        """All pairs of an analysis that `analysis_of` gave."""
        systems = tuple(analysis.systems) or self.systems
        statistics = [self.statistics(metric).select(systems) for metric in analysis.metrics]
        return PairsOutcome.from_analysis(analysis, statistics)


@dataclasses.dataclass(eq=False, kw_only=True)
class WholeOutcome(_Input):
    """The outcome of files in which there is nothing to choose, such as runs or battles.

    Attributes
    ----------
    outcome : Outcome
    """

    outcome: Outcome


def campaign_source(name: str) -> Source:
    """The systems of an embedded campaign, under every metric that has all their scores."""
    campaign = load(name)
    warnings = []
    for metric, segments in campaign.incomplete.items():
        warnings.append(
            f"{metric} is not offered: {len(segments)} segments lack a score of some system. "
            f"mt.load({name!r}).statistics({metric!r}, missing='leave-out') is without them."
        )
    return Source(
        title=name,
        analysis=Analysis(campaign=name),
        systems=campaign.systems,
        has_documents=campaign.documents is not None,
        metrics=tuple(metric for metric in campaign.metrics if metric not in campaign.incomplete),
        statistics=functools.cache(campaign.statistics),
        warnings=warnings,
    )


def text_source(
    references: Sequence[Upload], systems: Sequence[Upload], documents: Sequence[Upload] = ()
) -> Source:
    """The systems whose outputs were uploaded, with the references.

    Raises
    ------
    InputError
        If a limit is passed, or the files cannot be read or do not fit together.
    """
    if not references:
        raise InputError("There is no reference yet: choose its file.")
    if len(documents) > 1:
        raise InputError("documents: choose a single file, with one line per segment.")
    with _stored([*references, *systems, *documents]) as stored:
        n_references = len(references)
        n_texts = n_references + len(systems)
        reference_paths = stored.paths[:n_references]
        system_paths = stored.paths[n_references:n_texts]
        # Without files of their own, systems are in the file of the references.
        files = _files_of_systems(system_paths or reference_paths)
        as_uploaded = Analysis(
            references=reference_paths,
            systems=files if systems else (),
            documents=stored.paths[-1] if documents else None,
        )
        texts = as_uploaded.test_set()
        _check_size(texts.n_segments, texts.systems)
    files_in_order = {system: files[system] for system in texts.systems}
    return Source(
        title="your files",
        analysis=dataclasses.replace(as_uploaded, systems=files_in_order),
        systems=texts.systems,
        has_documents=texts.documents is not None,
        metrics=TEXT_METRICS,
        statistics=functools.cache(functools.partial(measure, texts)),
        warnings=stored.warnings,
        folder=stored.folder,
    )


def _files_of_systems(paths: Sequence[str]) -> dict[str, str]:
    """The path of each system's file, by the system's name.

    A file may name several systems in it; one that names none is a system of the file's name.
    """
    files: dict[str, str] = {}
    for path in paths:
        named_inside = [part.name for part in read_texts(Path(path)) if part.part == "system"]
        for system in named_inside or [name_of(Path(path))]:
            if system in files:
                raise InputError(
                    f"systems: {system!r} is given more than once. Rename one of the files."
                )
            files[system] = path
    return files


def score_source(
    tables: Sequence[Upload], smaller_is_better: bool = False, *, planned: int = 0, looks: int = 1
) -> Source | WholeOutcome:
    """The systems of uploaded files of segment scores, or the outcome of uploaded battles.

    Parameters
    ----------
    tables : sequence of Upload
    smaller_is_better : bool
    planned : int
        How many segments are planned, if these are the judgements so far of a campaign that is
        watched; 0 where nothing more is to come.
    looks : int
        How many looks there are at such a campaign.

    Raises
    ------
    InputError
        If a limit is passed, or the files cannot be read.
    """
    if not tables:
        raise InputError("Choose a file with scores of segments.")
    title = "your scores"
    with _stored(tables) as stored:
        scores = stored.paths[0] if len(stored.paths) == 1 else stored.paths
        settings: dict[str, Any] = {"scores": scores, "smaller_is_better": smaller_is_better}
        analysis = Analysis(**settings)
        if planned:
            analysis = Watch(**settings, planned=planned, looks=looks)
        if not analysis.outcome_class.has_pairs_to_choose:
            return WholeOutcome(
                title=title,
                outcome=analysis.run(),
                warnings=stored.warnings,
                folder=stored.folder,
            )
        statistics = _statistics_by_metric(analysis)
        first, *_ = statistics.values()
        _check_size(first.n_segments, first.systems)
    return Source(
        title=title,
        analysis=analysis,
        systems=first.systems,
        has_documents=first.documents is not None,
        metrics=tuple(statistics),
        statistics=statistics.__getitem__,
        warnings=stored.warnings,
        folder=stored.folder,
    )


def _statistics_by_metric(analysis: Analysis) -> dict[str, SufficientStatistics]:
    """The statistics of each metric, by the metric's name in the files.

    Where there are several test sets, an analysis puts their names into the statistics' titles;
    here the metric's name alone is the title.
    """
    table = analysis.score_table
    assert table is not None  # the analysis is of scores
    by_metric = {}
    for metric, statistics in zip(table.metrics, analysis.statistics(), strict=True):
        by_metric[metric] = statistics.titled(metric)
    return by_metric


def check_sizes(sizes: Sequence[tuple[str, int]]) -> None:
    """Raise `InputError` if there are too many files, or too much in one or all of them.

    Parameters
    ----------
    sizes : sequence of (str, int)
        The name of each file, and its size in bytes as it is uploaded.
    """
    total_size = sum(size for _, size in sizes)
    if len(sizes) > LIMITS["number"] or total_size > LIMITS["together"]:
        raise InputError(
            f"{len(sizes)} files of {total_size / 1e6:,.1f} MB are too many: at most "
            f"{LIMITS['number']} of {LIMITS['together'] / 1e6:g} MB together. {_ADVICE}"
        )
    for name, size in sizes:
        if size > LIMITS["file"]:
            raise InputError(
                f"{name!r} has {size / 1e6:,.1f} MB; a file may have {LIMITS['file'] / 1e6:,.1f} "
                "MB. Compress it with gzip, or use mtsig compare."
            )


def _check_unpacked(uploads: Sequence[Upload]) -> None:
    """Raise `InputError` if there is too much in the files as they are uploaded, or unpacked.

    They are unpacked piece by piece, and no further than the limits.
    """
    check_sizes([(name, len(content)) for name, content in uploads])
    bytes_left = LIMITS["together"]
    lines_left = LIMITS["lines"]
    # The end of the sentence in which `Most` says that a file has more than is left.
    advice = (
        f"what is left of {bytes_left / 1e6:g} MB and {lines_left:,} lines for all files. {_ADVICE}"
    )
    for name, content in uploads:
        limit = Most(bytes_left, lines_left, LIMITS["fields"], advice)
        unpacked = limit.read(io.BytesIO(content), name)
        bytes_left -= len(unpacked)
        lines_left -= unpacked.count(b"\n")


@dataclasses.dataclass(frozen=True)
class _Stored:
    """Uploaded files in a folder for this user alone.

    Attributes
    ----------
    folder : Path
    paths : list of str
        The files' paths, in the order in which they were uploaded.
    warnings : list of str
        What is warned of while the files are read.
    """

    folder: Path
    paths: list[str]
    warnings: list[str]


@contextlib.contextmanager
def _stored(uploads: Sequence[Upload]) -> Iterator[_Stored]:
    """Store uploaded files as long as they can be read.

    If the block below ``with`` raises an error, the folder is removed, and an `InputError` names
    files as the user does.
    """
    _check_unpacked(uploads)
    folder = Path(tempfile.mkdtemp(prefix="mtsig-"))
    try:
        paths = _write(uploads, folder)
        with warnings_kept() as warnings:
            yield _Stored(folder, paths, warnings)
    except InputError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(_without(folder, str(error))) from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _write(uploads: Sequence[Upload], folder: Path) -> list[str]:
    """Write each file into a folder of its own, called by a number, and return their paths."""
    paths = []
    for number, (name, content) in enumerate(uploads, start=1):
        last_part = re.split(r"[/\\]", name)[-1]
        path = folder / str(number) / last_part
        try:
            path.parent.mkdir()
            path.write_bytes(content)
        except (OSError, ValueError):
            raise InputError(f"A file cannot be called {name!r} here. Rename it.") from None
        paths.append(str(path))
    return paths


def _without(folder: Path, text: str) -> str:
    """`text` with the names of uploaded files in place of their paths in `folder`."""
    return re.sub(rf"{re.escape(str(folder))}/\d+/", "", text)


def _check_size(n_segments: int, systems: Sequence[str]) -> None:
    """Raise `InputError` unless there are two systems or more, and not too many segments."""
    if len(systems) < 2:
        raise InputError("There is only one system; a comparison needs two. Choose another file.")
    if n_segments > LIMITS["segments"]:
        raise InputError(
            f"{n_segments:,} segments are more than the {LIMITS['segments']:,} that are allowed "
            "here. Use mtsig compare."
        )
