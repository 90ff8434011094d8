"""Tables of segment scores from files, whatever program wrote them.

Every format becomes a frame of cells as they stand in the file, whose index has their lines; then
one function finds the labels in it.  Long tables have a row for each system and segment, wide ones
a column for each system.  What the layout does not say is taken from the file: its name for a
system or a metric, the order of its rows for the segments.  Nothing is guessed in silence:
`ScoreTable.sentence` tells which columns were taken for metrics, which way each is better, what
the layout was taken to mean and what was left out; a column that is damaged is refused.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import re
import reprlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, check_all_of, check_one_of, listed, unknown_name
from ..metrics.base import FloatArray
from ..texts.files import (
    MOST_FIELDS,
    expanded,
    find_repeated,
    is_number,
    lines,
    load_json,
    name_of,
    quoted,
    read_text,
    toml_beside,
)
from .evaluation_logs import REPEAT, TEST_SET, files_in, read_log
from .many_test_sets import ScoredSets, test_sets
from .sufficient import SufficientStatistics, from_segment_scores, real_numbers, warn_of_direction

LABELS = ("system", "segment", "document")
#: Any file's own columns of these names mean the same.
RUN, RATER, CALL = "(run)", "(rater)", "(call)"
_KEYS = (*LABELS, RUN, TEST_SET, REPEAT, RATER, CALL)
#: What tells segments apart.
_OF_A_SEGMENT = (TEST_SET, "document", "segment")
#: Our names of columns with texts, and what files call them.
_TEXTS = {
    "(source)": ("source", "src", "source_text"),
    "(reference)": ("reference", "ref", "reference_text"),
}

#: Names of columns that are labels, as `_plain` has them.
_NAMES: dict[str, list[str]] = toml_beside(__file__)

#: What is kept beside scores and is a number too: who judged, how long, which run.
NO_SCORE = re.compile(
    r"target|Unnamed: \d+|(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch|group"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)
#: More than a table has whose columns anybody could name.
_MOST_COLUMNS = 10_000

#: A line that comet-score prints for a segment, for a whole system, and what is meant as either.
_COMET_LINE = (
    r"(?P<system>[^\t]+)\tSegment (?P<segment>[0-9]{1,18})\tscore: (?P<COMET>\S+)"
    r"(?:\tvariance: \S+)?\s*"
)
_COMET_SYSTEM = r"([^\t]+)\tscore: \S+\s*"
_LIKE_COMET = re.compile(r"\t|score:|^\w{0,4}: [-+.\d]\S*$", re.IGNORECASE)
#: A line of numbers, or what is left of one, and not the name of a column.
_NUMBER = re.compile(r"\s*(?<![\w.])\d*\.\d+(?![\w.-])")
#: More than anybody compares at once; each widens the family, and takes its time.
MOST_METRICS = 100

_WAYS = {"higher": True, "lower": False}


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
    shared : bool, optional
        As in :func:`mtsig_nb.test_sets`.
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
    shared: bool | None = None
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
            found.append(test_sets(given, units=units, shared=self.shared, missing=self.missing))
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
        document = "document" if self.has_documents else None
        labels: dict[str, Any] = {"document": document, "texts": [t for t in _TEXTS if t in frame]}
        try:
            return from_segment_scores(frame, score=name, higher_is_better=higher, **labels)
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
        left = _with_reasons(self.unused)
        unused = [f"not used: {left}"] if left else []
        return f"{listed(self.files, 20)}: {'; '.join([', '.join(taken), *self.said, *unused])}."


def read_score_table(
    path: str | Sequence[str],
    metrics: Sequence[str] = (),
    *,
    smaller_is_better: bool = False,
    by: str | None = None,
    missing: str = "raise",
    shared: bool | None = None,
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
    shared : bool, optional
        Whether several test sets have their segments, or documents, in common, as in
        :func:`mtsig_nb.test_sets`: by default their names decide, and the columns ``source`` and
        ``reference``.

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
      (:mod:`mtsig_nb.statistics.evaluation_logs`), and folders of them;
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
    paths = [file for one in given for file in (files_in(one) if one.is_dir() else [one])]
    alone = wanted[0] if len(wanted) == len(paths) == 1 and wanted[0].casefold() != "all" else ""
    files = [read_scores(str(one), wanted, metric=alone, by=by) for one in paths]
    where = listed([quoted(file.path) for file in files], 3)
    columns = list(dict.fromkeys(name for file in files for name in file.columns))
    said = _directions(where, metrics, columns)
    every = not said or "all" in said
    otherwise = said.pop("all", None)
    if otherwise is None:
        otherwise = not smaller_is_better
    unused: dict[str, str] = {}
    for file in files:
        for name in file.columns:
            why = _why_not(name, file.frame[name]) if every else "not named"
            if why is not None and name not in said:
                unused.setdefault(name, why)
    taken = [name for name in columns if name not in unused] if every else list(said)
    if not taken:
        why = _with_reasons(unused) or "there are labels alone"
        raise InputError(f"{where} has no column of scores: {why}.")
    if len(taken) > max(MOST_METRICS, len(said)):
        raise InputError(f"{where} has {len(taken):,} numeric columns. Name some: -m {taken[0]}.")
    for file in files:
        for name in (name for name in file.columns if name in taken):
            file.frame[name] = _numbers(file, name, or_nothing=missing == "common")
    told = [s for file in files for s in file.said]
    if idle := [quoted(f.path) for f in files if not {*f.columns} & {*taken}]:
        told.append(f"nothing is taken from {listed(idle, 6)}")
    frame, ratings = _over_raters(_joined(files, taken), taken, told)
    frame = _averaged(frame, taken, told if ratings is None else [])
    frame = _with_test_sets(_with_texts(frame, files), told)
    frame, runs = _with_runs(frame, told)
    return ScoreTable(
        files=tuple(file.path.name for file in files),
        frame=frame,
        metrics={n: otherwise if (way := said.get(n)) is None else way for n in taken},
        assumed=frozenset(name for name in taken if said.get(name) is None),
        unused=unused,
        said=tuple(dict.fromkeys(told)),
        runs=runs,
        missing=missing,
        shared=shared,
        ratings=None if TEST_SET in frame else ratings,
    )


# --- several files, test sets, repeats, runs: functions add what they do to what is `told` --------


def _joined(files: Sequence[ScoreFile], taken: Sequence[str]) -> pd.DataFrame:
    """One table: files with the same metrics below each other, others side by side.

    Raises
    ------
    InputError
        If files side by side do not have one row each for the same systems and segments.
    """
    kinds: dict[tuple[str, ...], list[ScoreFile]] = {}
    for file in files:
        kinds.setdefault(tuple(n for n in file.columns if n in taken), []).append(file)
    kinds.pop((), None)
    by_order = len(kinds) > 1 and any(file.by_order for file in files)
    parts = []
    for names, alike in kinds.items():
        frames = [file.frame[[*(n for n in _KEYS if n in file.frame), *names]] for file in alike]
        frames = [_in_order(frame) if by_order else frame for frame in frames]
        where = listed([quoted(file.path) for file in alike], 3)
        parts.append((where, pd.concat(frames, ignore_index=True)))
    (first, whole), *others = parts
    for where, part in others:
        keys = [n for n in _KEYS if n != "document" and n in whole and n in part]
        part = part[[*keys, *(name for name in part if name not in whole)]].astype({"segment": str})
        whole = whole.astype({"segment": str})
        for name, frame in ((first, whole), (where, part)):
            if frame.duplicated(keys).any():
                raise InputError(f"{name} has more than one score for a system and segment.")
        both = whole[keys].merge(part[keys], how="outer", indicator="(both)")
        alone = both[both["(both)"] != "both"]
        if len(alone):
            side = [where, first] if alone["(both)"].iloc[0] == "left_only" else [first, where]
            row = alone[keys].iloc[0].items()
            which = ", ".join(f"{str(label).strip('()')} {value!r}" for label, value in row)
            more = f", and {len(alone) - 1:,} more are not in both" if len(alone) > 1 else ""
            raise InputError(
                f"{side[0]} has no score of {which}, which {side[1]} has{more}. Files are joined "
                "by system and segment: give all the same names, or of several test sets those "
                "with the same metrics."
            )
        whole = whole.merge(part, on=keys, how="left")
    return whole


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` with the numbers of its segments in their order, in the place of their names."""
    keys = [n for n in ("document", "segment") if n in frame]
    if pd.api.types.is_integer_dtype(frame["segment"]) and len(keys) == 1:
        numbers = frame["segment"].rank(method="dense").astype(int) - 1
    else:
        numbers = frame.groupby(keys, sort=False).ngroup()
    return frame.assign(segment=numbers)


def _with_test_sets(frame: pd.DataFrame, told: list[str]) -> pd.DataFrame:
    """Without test sets if there is but one, of files that all name it."""
    if TEST_SET not in frame:
        return frame
    names = frame[TEST_SET].dropna().unique().tolist()
    if len(names) == 1:
        return frame.drop(columns=TEST_SET)
    means = f"scores are means over {len(names)} test sets of the same weight"
    told.append(f"{means}, {listed(names, 6)}, tested together")
    # Documents of the same name may be the same in all of them.
    return frame.astype({name: str for name in LABELS[1:] if name in frame})


def _with_texts(frame: pd.DataFrame, files: Sequence[ScoreFile]) -> pd.DataFrame:
    """With the sources and references of segments, by which test sets recognise their sentences."""
    if TEST_SET not in frame:
        return frame
    for text, names in _TEXTS.items():
        parts = []
        for file in files:
            column = next((name for name in file.frame if _plain(str(name)) in names), None)
            if column is not None:
                keys = [name for name in _OF_A_SEGMENT if name in file.frame]
                parts.append(file.frame[[*keys, column]].rename(columns={column: text}))
        if parts:
            texts = pd.concat(parts, ignore_index=True)
            keys = [name for name in _OF_A_SEGMENT if name in frame and name in texts]
            texts = texts.astype(dict.fromkeys(keys, str)).drop_duplicates(keys)
            found = frame[keys].astype(str).merge(texts, how="left", on=keys)
            frame = frame.assign(**{text: found[text].to_numpy()})
    return frame


def _averaged(frame: pd.DataFrame, metrics: Sequence[str], told: list[str]) -> pd.DataFrame:
    """Repeated answers to an item as their mean, and what part of the variance is theirs."""
    if REPEAT not in frame:
        return frame
    items = _grouped(frame, (REPEAT,), metrics)
    repeated = frame.duplicated([*items.keys, REPEAT])
    if repeated.any():
        row = frame[repeated].iloc[0]
        raise InputError(
            f"system {row['system']!r}, segment {str(row['segment'])!r}: repeat "
            f"{str(row[REPEAT])!r} has more than one row. Keep one, or number the repeats."
        )
    means, n = items.mean(), items.size()
    counts = f"{n.min()}" if n.min() == n.max() else f"{n.min()} to {n.max()}"
    said = f"{counts} repeats of each item are averaged, and items are tested"
    # The variance of a mean over items has two parts: items, and answers to the same item.
    own = items.var(ddof=1).div(n, axis=0).mean()
    share = own / means.groupby(level="system", sort=False).var(ddof=1).mean()
    for name, part in share.dropna().items():
        share_of = f"{100 * min(part, 1):.0f} % of the variance of a system's mean {name}"
        said += f"; repeats account for {share_of}"
    told.append(said)
    return means.reset_index()


def _over_raters(
    frame: pd.DataFrame, metrics: Sequence[str], told: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The means over raters and calls, and what they are the means of."""
    n = frame[RATER].nunique() if RATER in frame else 0
    if n < 2 and CALL in frame and REPEAT not in frame:  # a judge's calls are repeats
        frame = frame.rename(columns={CALL: REPEAT}).drop(columns=RATER, errors="ignore")
    if not {RATER, CALL} & set(frame):
        return frame, None
    outputs = _grouped(frame, (RATER, CALL), metrics)
    means = outputs.mean().reset_index()
    if n == 0 or (n == 1 and len(means) == len(frame)):
        return means, None
    told.append(f"{len(frame):,} ratings (raters: {n}), averaged for each output")
    again = int(frame.duplicated([*outputs.keys, RATER]).sum())
    if again and CALL not in frame:
        told[-1] += (
            f"; {again:,} of an output that the same rater had rated already (which count, too)"
        )
    ratings = frame.rename(columns={RATER: "rater", REPEAT: "generation"})
    return means, ratings if n > 1 else None


def _grouped(frame: pd.DataFrame, labels: Sequence[str], metrics: Sequence[str]) -> Any:
    """The scores of rows that differ in these labels alone."""
    keys = [name for name in _KEYS if name not in labels and name in frame]
    return frame.groupby(keys, sort=False, dropna=False)[list(metrics)]


def _with_runs(frame: pd.DataFrame, told: list[str]) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Each run as a system of its own, and which they are."""
    if RUN not in frame:
        return frame, {}
    names = frame["system"] + "/" + frame[RUN].astype(str)
    runs = names.groupby(frame["system"], sort=False).unique()
    told.append(f"{names.nunique()} runs of {len(runs)} systems")
    return frame.assign(system=names), {str(s): list(found) for s, found in runs.items()}


# --- columns --------------------------------------------------------------------------------------


def _directions(
    where: str, metrics: Sequence[str], columns: Sequence[str]
) -> dict[str, bool | None]:
    """The columns that were named, and whether higher is better where that was said."""
    said: dict[str, bool | None] = {}
    for text in metrics:
        name, _, way = text.rpartition(":")
        if text in columns or way.casefold() not in _WAYS:
            name, way = text, ""
        if name.casefold() == "all" and name not in columns:
            name = "all"
        elif name not in columns:
            raise unknown_name(f"{where}: metric", name, columns)
        if name in said:
            raise InputError(f"metric={text!r}: {name!r} is named twice. Name it once.")
        said[name] = _WAYS.get(way.casefold())
    return said


def _why_not(name: str, column: pd.Series) -> str | None:
    """Why a column that nobody named is not taken for a metric; None for one that is."""
    numbers, n_filled = real_numbers(column), np.count_nonzero(~blank(column))
    found = numbers[~np.isnan(numbers)]
    if not n_filled:
        return "empty"
    if pd.api.types.infer_dtype(column, skipna=True) == "boolean" or 2 * len(found) < n_filled:
        return "no numbers"
    if NO_SCORE.fullmatch(name):
        return "by its name no score; -m takes it"
    if len(found) == len(numbers) and (found == found[0]).all():
        return "the same everywhere"
    return None


def _numbers(file: ScoreFile, name: str, *, or_nothing: bool = False) -> FloatArray:
    """A column as numbers; an `InputError` where there is none, but for nothing if that may be."""
    numbers, empty = real_numbers(file.frame[name]), blank(file.frame[name]).to_numpy()
    bad = ~np.isfinite(numbers) & ~(empty & or_nothing)
    if bad.any():
        row = int(bad.argmax())
        value = reprlib.repr(file.frame[name].tolist()[row])
        what = "there is no value" if empty[row] else f"{value} is not a finite number"
        others = f" and {bad.sum() - 1:,} more" if bad.sum() > 1 else ""
        raise InputError(
            f"{file.where(row)}, column {name!r}: {what}{others}. Score the segment, remove it for "
            "all systems, or leave the column out: -m names the others."
        )
    return numbers


def _with_reasons(unused: Mapping[str, str]) -> str:
    return "; ".join(
        f"{listed([name for name, why in unused.items() if why == reason], 20)} ({reason})"
        for reason in dict.fromkeys(unused.values())
    )


# --- one file -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreFile:
    """What a file has: its labels under their own names, and all its other columns.

    Parameters
    ----------
    path : Path
    frame : DataFrame
        With ``system`` and ``segment``; maybe ``document``, `RUN` and `TEST_SET`.  Its index is
        called ``"line"`` where each row is in a line.
    blank : int, optional
        The first line among or below the rows that has nothing in it.
    said : tuple of str
        What the layout was taken to mean.
    by_order : bool
        Whether segments have no names but their order.
    """

    path: Path
    frame: pd.DataFrame
    blank: int | None = None
    said: tuple[str, ...] = ()
    by_order: bool = False

    @property
    def columns(self) -> list[str]:
        """The columns that are no labels."""
        return [name for name in self.frame.columns if name not in _KEYS]

    def where(self, row: int) -> str:
        """A row as messages name it."""
        if self.frame.index.name == "line":
            return quoted(self.path, self.frame.index[row])
        own = self.frame[[label for label in LABELS[:2] if label in self.frame]].iloc[row]
        named = [f"{label} {str(value)!r}" for label, value in own.items()]
        return ", ".join([quoted(self.path), *(named or [f"row {row + 1:,}"])])


class Battles(InputError):
    """What is raised by a file of battles, which has no scores, and carries them."""

    def __init__(self, found: ScoreFile) -> None:
        super().__init__(
            f"{quoted(found.path)} has battles of model_a and model_b, and no scores. Give the "
            "file alone to mtsig compare --scores, or its table to mt.human.PairwisePreferences."
        )
        self.frame = found.frame


def read_scores(
    path: str, named: Sequence[str] = (), *, metric: str = "", by: str | None = None
) -> ScoreFile:
    """Read a file of segment scores, whatever its layout.

    `named` are columns that are metrics, whatever they are called; `metric` is what the scores of
    a wide table are, if not what the file is called; `by` is the column that names the test sets.

    Raises
    ------
    InputError
        If it cannot be read, or has no scores in any layout that is known.
    """
    file = expanded(path)
    if file.suffix == ".eval":
        raise InputError(
            f"{quoted(file)} is an archive that only Inspect reads. Give what it prints: inspect "
            f"log dump {file.name} > {file.stem}.json"
        )
    text = read_text(file)
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as lines ended on old Macs
    if text.lstrip()[:1] in ("{", "["):
        found = _json(file, text)
    elif re.search(r"\tSegment \d+\tscore: ", text):
        found = _comet(file, text)
    elif ".score" in file.suffixes:
        found = _wmt(file, text)
    elif is_number(text.lstrip().partition("\n")[0]):
        scores, blank_line = _lines(text)  # of the system that the file is called after
        found = ScoreFile(file, scores.to_frame("score"), blank_line)
    else:
        found = _table(file, text)
    if {"model_a", "model_b", "winner"} <= {*found.frame}:
        raise Battles(found)
    return _labelled(found, named, metric, by)


def blank(column: pd.Series) -> pd.Series:
    """Where a column has nothing, or only spaces."""
    return column.isna() | (column.astype(str).str.strip() == "")


# --- formats --------------------------------------------------------------------------------------


def _lines(text: str) -> tuple[pd.Series, int | None]:
    """The lines that are not blank, indexed by their numbers, and the number of one that is."""
    every = pd.Series(lines(text), dtype=object)
    every.index = pd.RangeIndex(1, len(every) + 1, name="line")
    empty = blank(every)
    return every[~empty], int(every.index[empty][0]) if empty.any() else None


def _table(file: Path, text: str) -> ScoreFile:
    first = text.lstrip("\r\n").partition("\n")[0]
    separators = "\t" if ".tsv" in file.suffixes else ",\t;"
    separator = next((s for s in separators if s in first), separators[0])
    rows = [*itertools.dropwhile(lambda found: not found[1], _rows(file, text, separator))]
    if not rows:
        raise _no_table(file)
    (start, names), *rows = rows
    header = [name or f"Unnamed: {i}" for i, name in enumerate(names)]
    _check_size(file, len(rows), len(header))
    _check_header(file, start, header)
    blank_line = next((line for line, row in rows if not row), None)
    rows = [(line, row) for line, row in rows if row]
    for line, row in rows:
        if len(row) != len(header):
            if len(header) == 1:
                raise _no_table(file)
            raise InputError(
                f"{quoted(file, line)} has {len(row)} fields; line {start:,} names "
                f"{len(header)} columns. Put a field with a separator in it into quotation marks."
            )
    index = pd.Index([line for line, _ in rows], name="line", dtype=int)
    frame = pd.DataFrame([row for _, row in rows], index, header, dtype=object)
    for name in header:
        if _plain(name) in _NAMES["segment"]:  # numbers have an order
            numbers = pd.to_numeric(frame[name], errors="coerce")
            if pd.api.types.is_integer_dtype(numbers):
                frame[name] = numbers
    return ScoreFile(file, frame, blank_line)


def _rows(file: Path, text: str, separator: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows, each with the number of its first line; empty where the line is blank.

    Tuples, as the garbage collector passes over those of strings, and not over lists.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line, width = 1, 0
    try:
        for row in reader:
            width = width or (len(row) if any(row) else 0)
            if reader.line_num > line:
                for inside in (part for cell in row if "\n" in cell for part in cell.split("\n")):
                    fields = inside.split(separator)
                    if len(fields) >= width and any(map(is_number, fields)):
                        raise InputError(
                            f"{quoted(file, line)}: a quotation mark opens a field of several "
                            "lines, of which one looks like a row. Close or remove the mark."
                        )
            yield line, tuple(row) if len(row) > 1 or "".join(row).strip() else ()
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(file, line)} is not a row of a table: {error}. Mend its quotation marks."
        ) from None


def _check_header(file: Path, line: int, header: list[str]) -> None:
    for name in find_repeated(header)[:1]:
        raise InputError(f"{quoted(file, line)}: more than one column {name!r}. Rename one.")
    looks = _NUMBER.search if len(header) == 1 else _NUMBER.match
    numbers = (is_number(name) or looks(name) for name in header)
    if any(numbers) and not any(map(_is_label, header)):
        raise InputError(f"{quoted(file, line)} has numbers for names. Write names above.")


def _check_size(file: Path, n_rows: int, n_columns: int) -> None:
    if n_columns > _MOST_COLUMNS or n_rows * n_columns > MOST_FIELDS:
        size = f"{n_rows:,} rows of {n_columns:,} columns"
        raise InputError(f"{quoted(file)} has {size}, more than is read. Give a part of it.")


def _no_table(file: Path) -> InputError:
    return InputError(
        f"{quoted(file)} is no table of scores: there is no column 'system', and none of "
        "numbers. Give a row for each system and segment, or a column for each system."
    )


def _comet(file: Path, text: str) -> ScoreFile:
    """What comet-score prints: a line for each segment; those for whole systems are left out.

    What else it says has no tabs, and is no score.
    """
    found, _ = _lines(text)
    frame = found.str.extract(f"^{_COMET_LINE}$")
    is_row = frame["system"].notna()
    of_system = found.str.extract(f"^{_COMET_SYSTEM}$")[0].isin(frame.loc[is_row, "system"])
    others = found[~is_row & ~of_system]
    for number, line in zip(others.index, others, strict=True):
        if _LIKE_COMET.search(line.rstrip()) or is_number(line):
            raise InputError(
                f"{quoted(file, number)} is not as comet-score prints it: FILE, Segment "
                "0, score: 0.8433, with tabs between them. Print it again, or use --to_json."
            )
    frame = frame[is_row].astype({"segment": int})
    frame["system"] = _short(frame["system"].tolist())
    return ScoreFile(file, frame, by_order=True)


def _wmt(file: Path, text: str) -> ScoreFile:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns.

    These are metric, language pair, test set (domain, document, reference), system, segment and
    score, and maybe more behind them, none of which is a number.
    """
    found, blank_line = _lines(text)
    rows = [line.split("\t") if "\t" in line else line.split(maxsplit=20) for line in found]
    layouts = [(len(fields), _last_number(fields)) for fields in rows]
    ((n, at), _), *_ = Counter(layouts).most_common(1)
    expected = (
        "is not one of the metrics task: a system and a score, or metric, language pair, test set, "
        "…, system, segment and score, with tabs between them, as many in every line."
    )
    for number, layout, fields in zip(found.index, layouts, rows, strict=True):
        fits = layout == (2, 1) or (at >= 5 and layout == (n, at) and fields[at - 1].isdecimal())
        if not fits or layout != (n, at):
            raise InputError(f"{quoted(file, number)} {expected}")
    if n > 2 and all(is_number(fields[at - 2]) for fields in rows):
        raise InputError(f"{quoted(file, found.index[0])} {expected}")
    frame = pd.DataFrame(rows, found.index, dtype=object)
    name = re.sub(r"(\.seg)?\.score$", "", re.sub(r"\.gz$", "", file.name))
    if n > 2:
        if frame[0].nunique() > 1:
            raise InputError(f"{quoted(file)} has the scores of several metrics. Give one a file.")
        frame[TEST_SET] = frame[2] + "/" + frame[1]
        named = {at - 2: "system", at - 1: "segment", at: _free(file, frame[0].iloc[0])}
        named |= {at - 4: "document"} if at >= 8 else {}
        return ScoreFile(file, frame[[TEST_SET, *named]].rename(columns=named), blank_line)
    frame.columns = ["system", "score"]
    frame["segment"] = frame.groupby("system").cumcount()
    # Kept is what has a score, as all the systems have that are scored at all.
    scored = frame["score"] != "None"
    some = scored.groupby(frame["system"]).transform("any")
    kept = some & (scored | ~some).groupby(frame["segment"]).transform("all")
    left_out = f"{(~kept).sum():,} rows of what was not scored for all are left out"
    said = () if kept.all() else (left_out,)
    frame = frame[kept].rename(columns={"score": _free(file, name)})
    return ScoreFile(file, frame, blank_line, said, by_order=True)


def _last_number(fields: Sequence[str]) -> int:
    """The last field with a number, or with ``None`` for one."""
    last = range(len(fields) - 1, -1, -1)
    return next((i for i in last if is_number(fields[i]) or fields[i] == "None"), -1)


def _json(file: Path, text: str) -> ScoreFile:
    """COMET's ``--to_json``, an object of lists; records in a list, or one in each line."""
    found, empty = _lines(text)
    index, blank_line, by_order = None, None, False
    try:
        content = load_json(quoted(file), text, "Write it again.")
    except InputError:
        if len(found) == 1 or found.iloc[0].strip()[0] != "{" or found.iloc[0].strip()[-1] != "}":
            raise
        content = [load_json(quoted(file, n), x) for n, x in zip(found.index, found, strict=True)]
        index, blank_line = found.index, empty
    log = read_log(file, content)
    if log is not None:
        return ScoreFile(file, log)
    if isinstance(content, dict) and content and all(isinstance(v, list) for v in content.values()):
        content, by_order = _of_systems(file, content), True
    records = [content] if isinstance(content, dict) else content
    listed_ones = isinstance(records, list) and records
    if not listed_ones or not all(row and isinstance(row, dict) for row in records):
        raise InputError(
            f"{quoted(file)} has no scores: give COMET's --to_json, or an object for each segment."
        )
    _check_size(file, len(records), len({name for row in records for name in row}))
    flat = [{name: _shown(cell) for name, cell in row.items()} for row in records]
    return ScoreFile(file, pd.DataFrame(flat, index), blank_line, by_order=by_order)


def _shown(cell: Any) -> Any:
    """A cell, without what lies deeper, such as the error spans of XCOMET."""
    return str(cell)[:20] if isinstance(cell, list | dict) else cell


def _of_systems(file: Path, content: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """A record for each member of each system's list, numbered where they are not."""
    for name, rows in content.items():
        if _is_label(name) or not rows:
            raise InputError(f"{quoted(file)}: {name!r} is no system with scores. Rename it.")
        if any(isinstance(row, list) for row in rows):
            raise InputError(f"{quoted(file)}: {name!r} has a list for a score. Give numbers.")
    return [
        {"segment": i, **(row if isinstance(row, dict) else {"score": row}), "system": system}
        for system, rows in zip(_short(list(content)), content.values(), strict=True)
        for i, row in enumerate(rows)
    ]


# --- labels ---------------------------------------------------------------------------------------


def _labelled(found: ScoreFile, named: Sequence[str], metric: str, by: str | None) -> ScoreFile:
    """With the labels under their own names, and one row for each system and segment."""
    names = _labels(found, named, by)
    frame, said = found.frame.rename(columns=str), list(found.said)
    frame = frame.rename(columns={name: label for label, name in names.items()})
    by_order = found.by_order or "segment" not in frame
    if found.blank is not None and by_order:
        raise InputError(
            f"{quoted(found.path, found.blank)} is blank, and segments are told apart by their "
            "order alone. Write the segment's score there, or remove the line."
        )
    if "system" not in frame:
        frame, how = _with_systems(found.path, frame, named, metric)
        said += how
    elif "segment" not in frame:
        within = [label for label in ("system", RUN, TEST_SET) if label in frame]
        frame["segment"] = frame.groupby(within, sort=False).cumcount()
        said.append("segments are taken in their order")
    frame = frame.astype({name: str for name in ("system", TEST_SET) if name in frame})
    keys = [label for label in _KEYS if label != RUN and label in frame]
    if RUN in frame and not frame.duplicated(keys).any():  # nothing was run more than once
        frame = frame.rename(columns={RUN: names.get(RUN, RUN).strip("()")})
    return dataclasses.replace(found, frame=frame, said=tuple(said), by_order=by_order)


def _labels(found: ScoreFile, named: Sequence[str], by: str | None) -> dict[str, str]:
    """Which columns are labels, by what they say, but for those that are asked for as metrics.

    A test set may be said by another; where there is only one test set, it is nobody's concern.
    """
    where, frame = quoted(found.path), found.frame.rename(columns=str)
    names_rows = {name for label in LABELS[:2] for name in _NAMES[label]}
    choice = [name for name in frame.columns if _plain(name) not in names_rows]
    if by is not None and by not in choice:
        raise unknown_name(f"{where}: by", by, choice)
    own = [name for name in frame.columns if name not in named and name != by and _is_label(name)]
    for plain in find_repeated(map(_plain, own)):
        alike = " and ".join(repr(name) for name in own if _plain(name) == plain)
        raise InputError(f"{where}: the columns {alike} have the same meaning. Rename one.")
    free = {_plain(name): name for name in own}
    labels: dict[str, str] = {}
    for label, names in _NAMES.items():
        present = [free[name] for name in names if name in free]
        if label == TEST_SET:
            several = [name for name in present if frame[name].nunique(dropna=False) > 1]
            present = several if by is None else [by]
        elif label in (RUN, REPEAT):
            present = [name for name in present if not blank(frame[name]).all()]
        for name in present[:1]:
            empty = blank(frame[name])
            if empty.any():
                at = found.where(int(empty.argmax()))
                raise InputError(f"{at}, column {name!r}: there is no value. Fill it in.")
            if label in frame and label != name:
                raise InputError(f"{where}: {name!r} is taken for {label!r}. Rename the latter.")
            labels[label] = name
            free.pop(_plain(name), None)
    return labels


def _with_systems(
    file: Path, frame: pd.DataFrame, named: Sequence[str], metric: str
) -> tuple[pd.DataFrame, list[str]]:
    """Columns that are systems, or all for the one that the file is called after; which it is."""
    labels = [name for name in _KEYS if name in frame]
    others = [name for name in frame.columns if name not in labels]
    systems = [
        name
        for name in others
        if not NO_SCORE.fullmatch(name)
        and 2 * np.count_nonzero(~np.isnan(real_numbers(frame[name]))) > len(frame)
    ]
    if not systems:
        raise _no_table(file)
    if "segment" not in frame:
        frame["segment"] = np.arange(len(frame))
        labels.append("segment")
    metric = metric or _of_file(file)
    if len(systems) == 1 or any(name in systems or name.casefold() == "all" for name in named):
        return frame.assign(system=_of_file(file)), ["systems are called after their files"]
    if metric not in named:
        raise InputError(
            f"{quoted(file)} has no column 'system': are {listed(systems, 4)} systems under one "
            f"metric (name it, -m {metric}), or metrics of one system (-m {systems[0]}, or -m all)?"
        )
    said = [f"{len(systems)} columns are taken for systems, with {len(frame):,} segments each"]
    if len(others) > len(systems):
        left = ", ".join([repr(name) for name in others if name not in systems][:6])
        said.append(f"not taken for systems: {left}")
    frame = frame.melt(labels, systems, "system", "(score)", ignore_index=False)
    # The metric's name may be a system's, too.
    return frame.rename(columns={"(score)": _free(file, metric)}), said


def _is_label(name: str) -> bool:
    return any(_plain(name) in names for names in _NAMES.values())


def _free(file: Path, name: str) -> str:
    """The name of a metric, which may not be that of a label."""
    if not name or name in _KEYS:
        raise InputError(f"{quoted(file)}: a metric cannot be called {name!r}. Name it with -m.")
    return name


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", str(name).casefold()).strip("_")


def _of_file(path: Path) -> str:
    """What a file gives its name to: a system, or a metric."""
    return re.sub(r"\.(csv|tsv|json|scores?)$", "", name_of(path), flags=re.IGNORECASE)


def _short(names: Sequence[str]) -> list[str]:
    """Files as names of systems, without folders and suffixes, unless they are needed."""
    short = {name: name_of(Path(name)) for name in names}
    return [short[n] for n in names] if len({*short.values()}) == len(short) else list(names)
