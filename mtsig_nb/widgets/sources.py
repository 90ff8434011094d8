"""Where the systems come from: an embedded campaign, or uploaded files."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path

from ..campaigns.embedded import load
from ..errors import InputError
from ..report.analysis import TEXT_METRICS, Analysis
from ..statistics.measuring import measure
from ..statistics.sufficient import SufficientStatistics
from ..texts.formats import name_of, read_texts
from ..texts.test_sets import TestSet
from .uploads import MOST_SEGMENTS, Upload, scores_analysis, texts_analysis


class Source:
    """Systems to choose from, with the statistics of each metric, counted when asked for.

    Attributes
    ----------
    title : str
    systems, metrics : tuple of str
    has_documents : bool
    """

    title: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    has_documents: bool

    def __init__(self) -> None:
        self._counted: dict[str, SufficientStatistics] = {}

    def statistics(self, metric: str) -> SufficientStatistics:
        """Those of all systems under `metric`, counted once."""
        if metric not in self._counted:
            self._counted[metric] = self._count(metric)
        return self._counted[metric]

    def describe(self, systems: Sequence[str], metrics: Sequence[str]) -> Analysis:
        """The analysis of some of the systems and metrics, with settings as they come."""
        raise NotImplementedError

    def portable(self, analysis: Analysis) -> Analysis:
        """`analysis` with paths as seen from `folder`."""
        return analysis

    def without_folder(self, text: str) -> str:
        """Code or a message as the user would write it: with names of files, not our paths."""
        return text if self.folder is None else text.replace(f"{self.folder}/", "")

    @property
    def folder(self) -> Path | None:
        """Where uploaded files are."""
        return None

    def _count(self, metric: str) -> SufficientStatistics:
        raise NotImplementedError


class CampaignSource(Source):
    """An embedded campaign."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._campaign = load(name)
        self.title = name
        self.systems = self._campaign.systems
        self.metrics = self._campaign.metrics
        self.has_documents = self._campaign.documents is not None

    def describe(self, systems: Sequence[str], metrics: Sequence[str]) -> Analysis:
        chosen = () if len(systems) == len(self.systems) else systems
        return Analysis(campaign=self.title, systems=chosen, metrics=metrics)

    def _count(self, metric: str) -> SufficientStatistics:
        return self._campaign.statistics(metric)


class _Uploaded(Source):
    """Files in a private folder that goes with this object."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.mkdtemp(prefix="mtsig-")  # for this user alone
        # When this object goes, or with the kernel.
        self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    @property
    def folder(self) -> Path:
        return Path(self._folder)

    def close(self) -> None:
        """Remove the files."""
        self._remove()


class TextSource(_Uploaded):
    """Uploaded texts: references, outputs of systems, documents.

    Raises
    ------
    InputError
        If they are refused (see :mod:`mtsig_nb.widgets.uploads`), cannot be read, or are not
        aligned.
    """

    def __init__(
        self,
        references: Sequence[Upload],
        systems: Sequence[Upload],
        documents: Sequence[Upload] = (),
    ) -> None:
        super().__init__()
        try:
            self._analysis = texts_analysis(self.folder, references, systems, documents)
            self._texts = self._analysis.test_set()
            check_test_set(self._texts)
        except InputError as error:
            message = self.without_folder(str(error))
            self.close()
            raise InputError(message) from None
        self.title = "your files"
        self.systems = self._texts.systems
        self.metrics = TEXT_METRICS
        self.has_documents = self._texts.documents is not None

    def describe(self, systems: Sequence[str], metrics: Sequence[str]) -> Analysis:
        files = self._analysis.systems
        if set(systems) != set(self.systems):
            files = self._files_of(systems)
        return dataclasses.replace(self._analysis, systems=files, metrics=tuple(metrics))

    def portable(self, analysis: Analysis) -> Analysis:
        def short(path: str) -> str:
            return path.removeprefix(f"{self.folder}/")

        files = analysis.systems
        return dataclasses.replace(
            analysis,
            systems=(
                {name: short(path) for name, path in files.items()}
                if isinstance(files, dict)
                else [short(path) for path in files]
            ),
            references=[short(path) for path in analysis.references],
            documents=None if analysis.documents is None else short(analysis.documents),
        )

    def _files_of(self, systems: Sequence[str]) -> dict[str, str]:
        """The file of each of the systems; a file may have several."""
        files = self._analysis.systems
        if isinstance(files, dict):
            return {s: files[s] for s in systems}
        holders = {}
        for path in files or self._analysis.references:
            texts = read_texts(Path(path))
            for name in texts.systems or [name_of(Path(path))]:
                holders[name] = path
        return {s: holders[s] for s in systems}

    def _count(self, metric: str) -> SufficientStatistics:
        # One process: others could not be told that nobody waits any more.
        return measure(self._texts, metric, workers=1)


class ScoreSource(_Uploaded):
    """An uploaded table of segment scores."""

    def __init__(self, tables: Sequence[Upload], *, smaller_is_better: bool = False) -> None:
        super().__init__()
        try:
            self._analysis = scores_analysis(
                self.folder, tables, smaller_is_better=smaller_is_better
            )
            found = self._analysis.statistics()
            check_size(found[0].n_segments, len(found[0].systems))
        except InputError as error:
            message = self.without_folder(str(error))
            self.close()
            raise InputError(message) from None
        self._counted = {s.label: s for s in found}
        self.title = "your scores"
        self.systems = found[0].systems
        self.metrics = tuple(self._counted)
        self.has_documents = found[0].documents is not None

    def describe(self, systems: Sequence[str], metrics: Sequence[str]) -> Analysis:
        chosen = () if len(systems) == len(self.systems) else tuple(systems)
        return dataclasses.replace(self._analysis, systems=chosen, metrics=tuple(metrics))

    def portable(self, analysis: Analysis) -> Analysis:
        assert analysis.scores is not None  # it is what this source is made of
        return dataclasses.replace(analysis, scores=Path(analysis.scores).name)


def check_test_set(texts: TestSet) -> None:
    """Raise `InputError` if a test set is too large, or too small to compare anything."""
    check_size(texts.n_segments, len(texts.systems))


def check_size(n_segments: int, n_systems: int) -> None:
    """Raise `InputError` unless there are two systems or more, and not too many segments."""
    if n_systems < 2:
        raise InputError("There is one system; a comparison needs two. Choose another file.")
    if n_segments > MOST_SEGMENTS:
        raise InputError(
            f"{n_segments:,} segments are more than the {MOST_SEGMENTS:,} that are allowed here. "
            "Use mtsig compare."
        )


__all__ = ["CampaignSource", "ScoreSource", "Source", "TextSource"]
