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
import itertools
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..campaigns.campaign import Campaign
from ..campaigns.embedded import load
from ..errors import InputError
from ..notes import warnings_kept
from ..outcomes.outcome import Outcome
from ..outcomes.pairs import PairsOutcome
from ..report.analysis import Analysis
from ..report.metric_names import TEXT_METRICS
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..texts.bounds import Most
from ..texts.files import name_of
from ..texts.reading import Texts, read_texts

#: More than this would keep a course server busy for minutes: bytes of a file as it comes, bytes
#: and lines of all together once they are unpacked, and fields of one.
LIMITS = {
    "number": 60,
    "file": 8_000_000,
    "together": 64_000_000,
    "lines": 1_000_000,
    "fields": 4_000_000,
    "segments": 50_000,
}
_INSTEAD = "Use mtsig compare for more."

#: A file as a browser hands it over: its name, and what is in it.
Upload = tuple[str, bytes]


@dataclasses.dataclass(eq=False)
class Source:
    """Systems to choose from, with the statistics of each metric.

    Attributes
    ----------
    title : str
    analysis : Analysis
        Of all systems, with settings as they come.
    texts : Campaign, Texts or SufficientStatistics
        Knows systems and documents.
    metrics : tuple of str
    statistics : callable
        Gives the statistics of all systems under a metric.
    warnings : list of str
        What was warned of when files were read.
    folder : Path, optional
        Where uploaded files are; it goes with this object, or with the kernel.
    """

    title: str
    analysis: Analysis
    texts: Campaign | Texts | SufficientStatistics
    metrics: tuple[str, ...]
    statistics: Callable[[str], SufficientStatistics]
    warnings: list[str]
    folder: Path | None = None

    def __post_init__(self) -> None:
        self.systems = self.texts.systems
        if self.folder is not None:
            self.close = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def describe(self, systems: Sequence[str], metrics: Sequence[str], **settings: Any) -> Analysis:
        """The analysis of some of the systems and metrics."""
        chosen: Any = self.analysis.systems
        if set(systems) != set(self.systems):
            chosen = {s: chosen[s] for s in systems} if isinstance(chosen, Mapping) else systems
        return dataclasses.replace(self.analysis, systems=chosen, metrics=metrics, **settings)

    def compare(self, analysis: Analysis) -> PairsOutcome:
        """All pairs of an analysis that `describe` gave."""
        systems = tuple(analysis.systems) or self.systems
        statistics = [self.statistics(m).select(systems) for m in analysis.metrics]
        return PairsOutcome.from_analysis(analysis, statistics)

    def without_folder(self, text: str) -> str:
        """Code or a message as the user would write it: with names of files, not our paths."""
        return text if self.folder is None else _without(self.folder, text)


@dataclasses.dataclass(eq=False)
class WholeOutcome:
    """Files whose outcome is shown as a whole, since there is nothing to choose: runs, or battles.

    Attributes
    ----------
    title : str
    outcome : Outcome
    warnings : list of str
        What was warned of when files were read.
    folder : Path
        Where uploaded files are; it goes with this object, or with the kernel.
    """

    title: str
    outcome: Outcome
    warnings: list[str]
    folder: Path

    def __post_init__(self) -> None:
        self.close = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def without_folder(self, text: str) -> str:
        """Code or a message as the user would write it: with names of files, not our paths."""
        return _without(self.folder, text)


def campaign_source(name: str) -> Source:
    """An embedded campaign."""
    campaign = load(name)
    metrics = tuple(metric for metric in campaign.metrics if metric not in campaign.incomplete)
    warnings = [
        f"{metric} is not offered: {len(segments)} segments lack a score of some system. "
        f"mt.load({name!r}).statistics({metric!r}, missing='leave-out') is without them."
        for metric, segments in campaign.incomplete.items()
    ]
    count = functools.cache(campaign.statistics)
    return Source(name, Analysis(campaign=name), campaign, metrics, count, warnings)


def text_source(
    references: Sequence[Upload], systems: Sequence[Upload], documents: Sequence[Upload] = ()
) -> Source:
    """Uploaded texts.

    Raises
    ------
    InputError
        If a limit is passed, or the files cannot be read or do not fit together.
    """
    if not references:
        raise InputError("There is no reference yet: choose its file.")
    if len(documents) > 1:
        raise InputError("documents: one file has them all, one line per segment.")
    with _stored([*references, *systems, *documents]) as (folder, paths, warnings):
        remaining = iter(paths)
        of_references = list(itertools.islice(remaining, len(references)))
        of_systems = list(itertools.islice(remaining, len(systems)))
        of_documents = next(remaining, None)
        files = _files_of_systems(of_systems or of_references)
        # By name, since our folders have nothing to say of what systems are called.
        given = files if systems else ()
        read = Analysis(references=of_references, systems=given, documents=of_documents)
        texts = read.test_set()
        _check_size(texts.n_segments, texts.systems)
    analysis = dataclasses.replace(read, systems={s: files[s] for s in texts.systems})
    count = functools.cache(functools.partial(measure, texts))
    return Source("your files", analysis, texts, TEXT_METRICS, count, warnings, folder)


def _files_of_systems(paths: Sequence[str]) -> dict[str, str]:
    """The file of each system; a file may have several."""
    files: dict[str, str] = {}
    for path in paths:
        named = [c.name for c in read_texts(Path(path)) if c.part == "system"]
        for system in named or [name_of(Path(path))]:
            if system in files:
                raise InputError(
                    f"systems: {system!r} is given more than once. Rename one of the files."
                )
            files[system] = path
    return files


def score_source(
    tables: Sequence[Upload], smaller_is_better: bool = False
) -> Source | WholeOutcome:
    """Uploaded files of segment scores, or of battles.

    Raises
    ------
    InputError
        If a limit is passed, or the files cannot be read.
    """
    if not tables:
        raise InputError("Choose a file with scores of segments.")
    with _stored(tables) as (folder, paths, warnings):
        scores = paths[0] if len(paths) == 1 else paths
        analysis = Analysis(scores=scores, smaller_is_better=smaller_is_better)
        if not analysis.outcome_class.has_pairs_to_choose:
            return WholeOutcome("your scores", analysis.run(), warnings, folder)
        found = {s.label: s for s in analysis.statistics()}
        first = next(iter(found.values()))
        _check_size(first.n_segments, first.systems)
    return Source("your scores", analysis, first, tuple(found), found.__getitem__, warnings, folder)


def check_sizes(sizes: Sequence[tuple[str, int]]) -> None:
    """Raise `InputError` if there are too many files, or too much in one or all of them.

    Parameters
    ----------
    sizes : sequence of (str, int)
        Name and size in bytes of each, as it comes.
    """
    together = sum(size for _, size in sizes)
    if len(sizes) > LIMITS["number"] or together > LIMITS["together"]:
        raise InputError(
            f"{len(sizes)} files of {together / 1e6:,.1f} MB are too many: at most "
            f"{LIMITS['number']} of {LIMITS['together'] / 1e6:g} MB together. {_INSTEAD}"
        )
    for name, size in sizes:
        if size > LIMITS["file"]:
            raise InputError(
                f"{name!r} has {size / 1e6:,.1f} MB; a file may have {LIMITS['file'] / 1e6:,.1f} "
                "MB. Compress it with gzip, or use mtsig compare."
            )


def _check_unpacked(uploads: Sequence[Upload]) -> None:
    """The same once they are unpacked, piece by piece and no further than the limits."""
    check_sizes([(name, len(content)) for name, content in uploads])
    n_bytes = LIMITS["together"]
    n_lines = LIMITS["lines"]
    left = f"what is left of {n_bytes / 1e6:g} MB and {n_lines:,} lines for all files. {_INSTEAD}"
    for name, content in uploads:
        plain = Most(n_bytes, n_lines, LIMITS["fields"], left).read(io.BytesIO(content), name)
        n_bytes -= len(plain)
        n_lines -= plain.count(b"\n")


@contextlib.contextmanager
def _stored(uploads: Sequence[Upload]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """A folder for this user alone, the files' paths in it, and a list of what is warned of.

    The folder goes if what is done with the files ends in an error, which then names files as the
    user does.
    """
    _check_unpacked(uploads)
    folder = Path(tempfile.mkdtemp(prefix="mtsig-"))
    try:
        paths: list[str] = []
        for number, (name, content) in enumerate(uploads, start=1):
            path = folder / str(number) / re.split(r"[/\\]", name)[-1]
            try:
                path.parent.mkdir()
                path.write_bytes(content)
            except (OSError, ValueError):
                raise InputError(f"A file cannot be called {name!r} here. Rename it.") from None
            paths.append(str(path))
        with warnings_kept() as warnings:
            yield folder, paths, warnings
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, InputError):
            raise InputError(_without(folder, str(error))) from None
        raise


def _without(folder: Path, text: str) -> str:
    return re.sub(rf"{re.escape(str(folder))}/\d+/", "", text)


def _check_size(n_segments: int, systems: Sequence[str]) -> None:
    """Raise `InputError` unless there are two systems or more, and not too many segments."""
    if len(systems) < 2:
        raise InputError("There is one system; a comparison needs two. Choose another file.")
    if n_segments > LIMITS["segments"]:
        raise InputError(
            f"{n_segments:,} segments are more than the {LIMITS['segments']:,} that are allowed "
            "here. Use mtsig compare."
        )
