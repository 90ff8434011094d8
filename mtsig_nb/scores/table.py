"""Tables of segment scores from files, whatever program wrote them.

Every format becomes a frame of cells as they stand in the file, whose index has their lines; then
one function finds the labels in it.  Long tables have a row for each system and segment, wide ones
a column for each system.  What the layout does not say is taken from the file: its name for a
system or a metric, the order of its rows for the segments.  Nothing is guessed in silence:
`ScoreTable.sentence` tells which columns were taken for metrics, which way each is better, what
the layout was taken to mean and what was left out; a column that is damaged is refused.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

import pandas as pd

from ..errors import InputError, check_all_of, check_one_of, listed
from ..statistics.many_test_sets import ScoredSets, test_sets
from ..statistics.sufficient import SufficientStatistics, from_segment_scores, warn_of_direction
from ..texts.files import expanded, quoted
from .averaging import averaged, over_raters, with_runs
from .columns import directions, numbers_of, why_not, with_reasons
from .joining import joined, with_test_sets
from .labels import TEST_SET
from .logs.folders import files_in
from .logs.together import told_apart
from .reading import read_scores

#: More than anybody compares at once; each widens the family, and takes its time.
MOST_METRICS = 100


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table of segment scores, and what of it is compared.

    Parameters
    ----------
    files : tuple of str
        The names of the files that it comes from.
    frame : DataFrame
    metrics : mapping of str to bool
        The columns that are taken, and whether higher is better.
    assumed : frozenset of str
        Those of which nobody said which way is better.
    unused : mapping of str to str
        The columns that are not taken, labels apart, and why.
    said : tuple of str
        What the files' layout was taken to mean.
    runs : mapping of str to list of str
        The runs of each system, each a system of `statistics`; empty where there is one of each.
    missing : {"raise", "common"}
        As in :func:`mtsig_nb.test_sets`; a system that lacks scores of a test set lacks it.
    ratings : DataFrame, optional
        Where several people rated a single test set, what `frame` has the means of, with ``rater``,
        and ``generation`` where systems answered several times.
    """

    files: tuple[str, ...]
    frame: pd.DataFrame
    metrics: Mapping[str, bool]
    assumed: frozenset[str]
    unused: Mapping[str, str]
    said: tuple[str, ...]
    runs: Mapping[str, list[str]]
    missing: str = "raise"
    ratings: pd.DataFrame | None = None

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of each metric; warns of directions that its name speaks against.

        Of several test sets, those of the mean over them, each of the same weight.
        """
        if TEST_SET in self.frame:
            return [sets.overall for sets in self.test_sets(units="segments")]
        self._warn()
        return [self._of(self.frame, *metric) for metric in self.metrics.items()]

    def test_sets(
        self, *, systems: Sequence[str] = (), units: str | None = None
    ) -> list[ScoredSets]:
        """Of each metric the test sets, where the table has several; none otherwise.

        Parameters
        ----------
        systems : sequence of str
            By default all.
        units : {"documents", "segments"}, optional
            As in :func:`mtsig_nb.test_sets`.
        """
        if TEST_SET not in self.frame:
            return []
        self._warn()
        known = list(dict.fromkeys(self.frame["system"]))
        check_all_of("system", systems, known)
        frame = self.frame[self.frame["system"].isin(systems or known)]
        parts = {}
        for name, part in frame.groupby(TEST_SET, sort=False):
            parts[str(name)] = self._complete(part) if self.missing == "common" else part
        found = []
        for metric, higher in self.metrics.items():
            given = {name: self._of(part, metric, higher) for name, part in parts.items()}
            found.append(test_sets(given, units=units, missing=self.missing))
        return found

    @property
    def has_documents(self) -> bool:
        """Whether it says which document each segment belongs to."""
        return "document" in self.frame

    def _complete(self, part: pd.DataFrame) -> pd.DataFrame:
        """The rows of systems that have all scores of a test set."""
        whole = part[list(self.metrics)].notna().all(axis=1).groupby(part["system"]).all()
        n = part.groupby("system").size()
        return part[part["system"].isin(n.index[whole & (n == n.max())])]

    def _warn(self) -> None:
        for name, higher in self.metrics.items():
            if name in self.assumed:
                warn_of_direction(name, higher_is_better=higher)

    def _of(self, frame: pd.DataFrame, name: str, higher: bool) -> SufficientStatistics:
        document = {"document": "document"} if self.has_documents else {}
        try:
            return from_segment_scores(frame, score=name, higher_is_better=higher, **document)
        except InputError as error:  # of a frame, where the user has files
            whose = listed([repr(file) for file in self.files], 3)
            text = str(error)
            said = text.removeprefix("frame") if text.startswith("frame ") else f": {text}"
            raise InputError(whose + said) from error

    @property
    def sentence(self) -> str:
        """What was taken, which way is better, and what was left out."""
        taken = [
            f"{name} ({'higher' if higher else 'lower'} is better)"
            for name, higher in self.metrics.items()
        ]
        left = with_reasons(self.unused)
        unused = [f"not used: {left}"] if left else []
        return f"{listed(self.files, 20)}: {'; '.join([', '.join(taken), *self.said, *unused])}."


def read_score_table(
    path: str | Sequence[str],
    metrics: Sequence[str] = (),
    *,
    smaller_is_better: bool = False,
    by: str | None = None,
    missing: str = "raise",
) -> ScoreTable:
    r"""Read segment scores from files; compressed with gzip or not.

    Parameters
    ----------
    path : str or sequence of str
        Several are joined by system and segment: other metrics, or other systems.
    metrics : sequence of str
        Columns to take, as ``NAME``, ``NAME:lower`` or ``NAME:higher``, which says what is better;
        ``all``, or nothing, takes every column of numbers that has not the name of something else.
    smaller_is_better : bool
        Of the metrics without a direction of their own.
    by : str, optional
        The column that says which test set a row belongs to, such as ``"domain"``; by default
        ``test_set`` or ``lp``.
    missing : {"raise", "common"}
        What becomes of systems that lack scores of some test set: an error, or they are left out.

    Returns
    -------
    ScoreTable

    Raises
    ------
    InputError
        If a file cannot be read or is no such table, or a value of a metric is not a number: the
        message has the file, its line and the column.  If a label is missing, or a line is blank
        where segments are told apart by their order.

    Notes
    -----
    Files may be

    - tables (CSV; with tabs or semicolons; JSON lines) with a row for each system and segment, the
      columns ``system`` and ``segment`` and one for each metric; without ``segment`` rows are
      taken in their order, without ``system`` the file is the system;
    - tables with a column for each system; the metric is what `metrics` says;
    - what comet-score prints, and what it writes with ``--to_json``;
    - ``.seg.score`` of WMT's metrics task and of mt-metrics-eval;
    - logs of lm-evaluation-harness, Inspect and promptfoo
      (:mod:`mtsig_nb.scores.logs`), and folders of them;
    - a number in each line, and the system as the file's name.

    Further columns have a meaning: ``document``, ``passage`` or ``cluster``; ``run`` or ``seed``,
    where a system was trained several times; ``repeat``, ``epoch`` or ``sample``, where one system
    answered several times, ``rater``, ``annotator`` or ``worker``, where several people rated, and
    ``call``, where a judge that is a model was asked several times, all of which are averaged;
    ``test_set`` or ``lp``, over which scores are averaged.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = file.write_text(
    ...     "system,segment,MQM,COMET,judge\nA,1,2,.9,4\nA,2,0,.7,5\nB,1,5,.8,4\nB,2,1,.6,5\n"
    ... )
    >>> print(read_score_table(str(file), ["all", "MQM:lower"]).sentence)
    scores.csv: MQM (lower is better), COMET (higher is better); not used: judge (by its name no
    score; -m takes it).
    """
    check_one_of("missing", missing, ("raise", "common"))
    wanted = [re.sub(r":(lower|higher)$", "", text, flags=re.IGNORECASE) for text in metrics]
    given = map(expanded, [path] if isinstance(path, str) else path)
    told: list[str] = []
    paths = [file for one in given for file in (files_in(one, told) if one.is_dir() else [one])]
    alone = wanted[0] if len(wanted) == len(paths) == 1 and wanted[0].casefold() != "all" else ""
    files = told_apart([read_scores(str(one), wanted, metric=alone, by=by) for one in paths])
    where = listed([quoted(file.path) for file in files], 3)
    columns = list(dict.fromkeys(name for file in files for name in file.columns))
    said = directions(where, metrics, columns)
    every = not said or "all" in said
    otherwise = said.pop("all", None)
    if otherwise is None:
        otherwise = not smaller_is_better
    unused: dict[str, str] = {}
    for file in files:
        for name in file.columns:
            why = why_not(name, file.frame[name]) if every else "not named"
            if why is not None and name not in said:
                unused.setdefault(name, why)
    taken = [name for name in columns if name not in unused] if every else list(said)
    if not taken:
        why = with_reasons(unused) or "there are labels alone"
        raise InputError(f"{where} has no column of scores: {why}.")
    if len(taken) > max(MOST_METRICS, len(said)):
        raise InputError(f"{where} has {len(taken):,} numeric columns. Name some: -m {taken[0]}.")
    for file in files:
        for name in (name for name in file.columns if name in taken):
            file.frame[name] = numbers_of(file, name, or_nothing=missing == "common")
    told += [s for file in files for s in file.said]
    if idle := [quoted(f.path) for f in files if not {*f.columns} & {*taken}]:
        told.append(f"nothing is taken from {listed(idle, 6)}")
    frame, ratings = over_raters(joined(files, taken), taken, told)
    frame = averaged(frame, taken, told if ratings is None else [])
    frame = with_test_sets(frame, told)
    frame, runs = with_runs(frame, told)
    return ScoreTable(
        files=tuple(file.path.name for file in files),
        frame=frame,
        metrics={n: otherwise if (way := said.get(n)) is None else way for n in taken},
        assumed=frozenset(name for name in taken if said.get(name) is None),
        unused=unused,
        said=tuple(dict.fromkeys(told)),
        runs=runs,
        missing=missing,
        ratings=None if TEST_SET in frame else ratings,
    )
