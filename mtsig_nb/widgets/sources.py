"""Where the systems come from: an embedded campaign, or uploaded files."""

from __future__ import annotations

import dataclasses
import functools
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ..campaigns.embedded import Campaign, load
from ..errors import InputError
from ..report.analysis import TEXT_METRICS, Analysis
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..texts.formats import name_of, read_texts
from ..texts.test_sets import TestSet
from .uploads import MOST_SEGMENTS, Upload, scores_analysis, texts_analysis

#: What knows its systems and documents, the metrics there are, and what counts one of them.
_Held = tuple[
    Campaign | TestSet | SufficientStatistics,
    Sequence[str],
    Callable[[str], SufficientStatistics],
]


class Source:
    """Systems to choose from, with the statistics of each metric, counted when asked for.

    Attributes
    ----------
    title : str
    systems, metrics : tuple of str
    has_documents : bool
    statistics : callable
        Gives the statistics of all systems under a metric, counted once.
    folder : Path or None
        Where uploaded files are.
    names_of_files : mapping
        What the user calls each of them, by its path.
    warnings : list of str
        What was warned of when files were read.
    """

    folder: Path | None = None
    names_of_files: Mapping[str, str] = MappingProxyType({})

    def __init__(
        self, title: str, analysis: Analysis, held: _Held, warnings: Sequence[str] = ()
    ) -> None:
        texts, metrics, count = held
        self.title = title
        self.systems = texts.systems
        self.metrics = tuple(metrics)
        self.has_documents = texts.documents is not None
        self.statistics = functools.cache(count)
        self.warnings = list(warnings)
        self._analysis = analysis  # of all systems, with settings as they come

    def describe(self, systems: Sequence[str], metrics: Sequence[str]) -> Analysis:
        """The analysis of some of the systems and metrics, with settings as they come."""
        chosen = self._analysis.systems
        if set(systems) != set(self.systems):
            chosen = self._named(systems)
        return dataclasses.replace(self._analysis, systems=chosen, metrics=metrics)

    def names(self, analysis: Analysis) -> tuple[str, ...]:
        """The systems of an analysis that `describe` gave."""
        return tuple(s for s in analysis.systems if s in self.systems) or self.systems

    def without_folder(self, text: str) -> str:
        """Code or a message as the user would write it: with names of files, not our paths."""
        for path, name in self.names_of_files.items():
            text = text.replace(repr(path), repr(name)).replace(path, name)
            text = text.replace(repr(Path(path).name), repr(name))
        return text if self.folder is None else text.replace(f"{self.folder}/", "")

    def _named(self, systems: Sequence[str]) -> Sequence[str] | dict[str, str]:
        """Some of the systems, as an `Analysis` wants them."""
        return systems


class CampaignSource(Source):
    """An embedded campaign."""

    def __init__(self, name: str) -> None:
        campaign = load(name)
        metrics = [metric for metric in campaign.metrics if metric not in campaign.incomplete]
        held = campaign, metrics, campaign.statistics
        warnings = [
            f"{metric} is not offered: {len(segments)} segments lack a score of some system. "
            f"mt.load({name!r}).statistics({metric!r}, missing='leave-out') is without them."
            for metric, segments in campaign.incomplete.items()
        ]
        super().__init__(name, Analysis(campaign=name), held, warnings)


class _Uploaded(Source):
    """Files in a private folder that goes with this object.

    Raises
    ------
    InputError
        If they are refused (see :mod:`mtsig_nb.widgets.uploads`), or cannot be read.
    """

    def __init__(
        self,
        title: str,
        uploads: Sequence[Upload],
        store: Callable[[Path], Analysis],
        read: Callable[[Analysis], _Held],
    ) -> None:
        from ..report.page import warnings_kept

        self.folder = Path(tempfile.mkdtemp(prefix="mtsig-"))  # for this user alone
        # When this object goes, or with the kernel.
        self.close = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        try:
            analysis = store(self.folder)
            paths = map(str, analysis.files())
            self.names_of_files = dict(zip(paths, (u.label for u in uploads), strict=True))
            warnings: list[str] = []
            with warnings_kept(warnings):
                held = read(analysis)
            _check_size(held[0].n_segments, len(held[0].systems))
        except InputError as error:
            self.close()
            raise InputError(self.without_folder(str(error))) from None
        super().__init__(title, analysis, held, warnings)


class TextSource(_Uploaded):
    """Uploaded texts: references, outputs of systems, documents."""

    def __init__(
        self,
        references: Sequence[Upload],
        systems: Sequence[Upload],
        documents: Sequence[Upload] = (),
    ) -> None:
        def read(analysis: Analysis) -> _Held:
            texts = analysis.test_set()
            # One process: others could not be told that nobody waits any more.
            return texts, TEXT_METRICS, functools.partial(measure, texts, workers=1)

        def store(folder: Path) -> Analysis:
            return texts_analysis(folder, references, systems, documents)

        super().__init__("your files", [*references, *systems, *documents], store, read)

    def _named(self, systems: Sequence[str]) -> dict[str, str]:
        """The file of each of the systems; a file may have several."""
        files = self._analysis.systems
        if not isinstance(files, dict):
            files = {
                name: path
                for path in files or self._analysis.references
                for name in read_texts(Path(path)).systems or [name_of(Path(path))]
            }
        return {s: files[s] for s in systems}


class ScoreSource(_Uploaded):
    """Uploaded files of segment scores."""

    def __init__(self, tables: Sequence[Upload], *, smaller_is_better: bool = False) -> None:
        def read(analysis: Analysis) -> _Held:
            table = analysis.score_table
            if table is not None and table.runs:
                raise InputError(
                    "There are several runs of a system, which are compared by mtsig compare "
                    "--scores, or mt.compare_runs in Python. Here, give one run of each."
                )
            found = {s.label: s for s in analysis.statistics()}
            return next(iter(found.values())), tuple(found), found.__getitem__

        def store(folder: Path) -> Analysis:
            return scores_analysis(folder, tables, smaller_is_better=smaller_is_better)

        super().__init__("your scores", tables, store, read)


def _check_size(n_segments: int, n_systems: int) -> None:
    """Raise `InputError` unless there are two systems or more, and not too many segments."""
    if n_systems < 2:
        raise InputError("There is one system; a comparison needs two. Choose another file.")
    if n_segments > MOST_SEGMENTS:
        raise InputError(
            f"{n_segments:,} segments are more than the {MOST_SEGMENTS:,} that are allowed here. "
            "Use mtsig compare."
        )


__all__ = ["CampaignSource", "ScoreSource", "Source", "TextSource"]
