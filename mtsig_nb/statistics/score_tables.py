"""Tables of segment scores from files: which columns are metrics, and which way each is better.

Nothing is guessed in silence.  `ScoreTable.sentence` lists what was taken, with its direction, and
what was not; a column that is damaged is refused and not left out.
"""

from __future__ import annotations

import dataclasses
import re
import reprlib
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of, listed, unknown_name
from ..metrics.base import FloatArray
from ..texts.files import quoted
from .many_test_sets import ScoredSets, test_sets
from .score_files import LABELS, NO_SCORE, RUN, TEST_SET, ScoreFile, blank, read_scores
from .segment_scores import from_segment_scores, real_numbers, warn_of_direction
from .sufficient import SufficientStatistics

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
    """

    files: tuple[str, ...]
    frame: pd.DataFrame
    metrics: Mapping[str, bool]
    assumed: frozenset[str]
    unused: Mapping[str, str]
    said: tuple[str, ...]
    runs: Mapping[str, list[str]]
    missing: str = "raise"

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of each metric; warns of directions that its name speaks against.

        Of several test sets, those of the mean over them, each of the same weight.
        """
        self._warn()
        if TEST_SET in self.frame and self.missing == "common":
            return [sets.overall for sets in self._test_sets(self.frame, "segments")]
        return [
            self._overall(self._of(self.frame, name, higher))
            for name, higher in self.metrics.items()
        ]

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
        for system in systems:
            check_one_of("system", system, known)
        frame = self.frame[self.frame["system"].isin(systems)] if systems else self.frame
        return self._test_sets(frame, units)

    @property
    def has_documents(self) -> bool:
        """Whether it says which document each segment belongs to."""
        return "document" in self.frame

    def _test_sets(self, frame: pd.DataFrame, units: str | None) -> list[ScoredSets]:
        parts = {}
        for name, part in frame.groupby(TEST_SET, sort=False):
            if self.has_documents:  # told apart by test set, when the table was read
                part = part.assign(document=part["document"].str.slice(len(str(name)) + 1))
            parts[str(name)] = self._complete(part) if self.missing == "common" else part
        return [
            test_sets(
                {name: self._of(part, metric, higher) for name, part in parts.items()},
                units=units,
                missing=self.missing,
            )
            for metric, higher in self.metrics.items()
        ]

    def _complete(self, part: pd.DataFrame) -> pd.DataFrame:
        """The rows of systems that have all scores of a test set."""
        whole = part[list(self.metrics)].notna().all(axis=1).groupby(part["system"]).all()
        n = part.groupby("system").size()
        complete = n.index[whole & (n == n.max())]
        return part[part["system"].isin(complete)]

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

    def _overall(self, statistics: SufficientStatistics) -> SufficientStatistics:
        if TEST_SET not in self.frame:
            return statistics
        keys = [name for name in LABELS[1:] if name in self.frame]
        return statistics.by_stratum(self.frame.drop_duplicates(keys)[TEST_SET])

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
    - tables with a column for each system; the metric is what `metrics` says, or the file's name;
    - what comet-score prints, and what it writes with ``--to_json``;
    - ``.seg.score`` of WMT's metrics task and of mt-metrics-eval;
    - a number in each line, and the system as the file's name.

    Further columns have a meaning: ``document``; ``run`` or ``seed``, where a system has several
    scores of a segment; ``test_set`` or ``lp``, over which scores are averaged.

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
    wanted = [re.sub(r":(lower|higher)$", "", text, flags=re.IGNORECASE) for text in metrics]
    paths = [path] if isinstance(path, str) else path
    alone = wanted[0] if len(wanted) == len(paths) == 1 and wanted[0].casefold() != "all" else ""
    check_one_of("missing", missing, ("raise", "common"))
    files = [read_scores(one, wanted, metric=alone, by=by) for one in paths]
    where = listed([quoted(file.path) for file in files], 3)
    columns = list(dict.fromkeys(name for file in files for name in file.columns))
    said = _directions(where, metrics, columns)
    every = not said or "all" in said
    otherwise = said.pop("all", None)
    if otherwise is None and smaller_is_better:
        otherwise = False
    unused: dict[str, str] = {}
    for file in files:
        for name in file.columns:
            why = _why_not(name, file.frame[name]) if every else "not named"
            if why is not None and name not in said:
                unused.setdefault(name, why)
    taken = [name for name in columns if name not in unused] if every else list(said)
    if not taken:
        raise InputError(
            f"{where} has no column of scores beside the labels"
            f"{': ' if unused else ''}{_with_reasons(unused)}."
        )
    if len(taken) > max(MOST_METRICS, len(said)):
        raise InputError(
            f"{where} has {len(taken):,} columns of numbers ({listed(taken, 3)}), and at "
            f"most {MOST_METRICS} are compared without being named. Name them: -m {taken[0]}."
        )
    for file in files:
        for name in (name for name in file.columns if name in taken):
            file.frame[name] = _numbers(file, name, or_nothing=missing == "common")
    ways = {name: otherwise if said.get(name) is None else said[name] for name in taken}
    frame = _joined(files, taken)
    frame, runs = _with_runs(_with_test_sets(frame))
    return ScoreTable(
        files=tuple(file.path.name for file in files),
        frame=frame,
        metrics={name: way is not False for name, way in ways.items()},
        assumed=frozenset(name for name in taken if said.get(name) is None),
        unused=unused,
        said=tuple(dict.fromkeys([*(s for file in files for s in file.said), *_told(frame, runs)])),
        runs=runs,
        missing=missing,
    )


# --- several files, test sets, runs ---------------------------------------------------------------


def _joined(files: Sequence[ScoreFile], taken: Sequence[str]) -> pd.DataFrame:
    """One table: files with the same metrics below each other, others side by side."""
    kinds: dict[tuple[str, ...], list[ScoreFile]] = {}
    for file in files:
        kinds.setdefault(tuple(n for n in file.columns if n in taken), []).append(file)
    kinds.pop((), None)
    by_order = len(kinds) > 1 and any(file.by_order for file in files)
    parts = []
    for names, alike in kinds.items():
        frames = []
        for file in alike:
            labels = [n for n in (*LABELS, RUN, TEST_SET) if n in file.frame]
            frame = file.frame[[*labels, *names]]
            frames.append(_in_order(frame) if by_order else frame)
        parts.append((alike, pd.concat(frames, ignore_index=True)))
    (first, whole), *others = parts
    for alike, part in others:
        keys = [n for n in ("system", "segment", RUN, TEST_SET) if n in whole and n in part]
        part = part[[*keys, *(name for name in part if name not in whole)]].astype({"segment": str})
        whole = whole.astype({"segment": str})
        _check_same(first, whole[keys], alike, part[keys])
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


def _check_same(
    first: Sequence[ScoreFile], rows: pd.DataFrame, others: Sequence[ScoreFile], found: pd.DataFrame
) -> None:
    """Raise `InputError` unless both have one row for each of the same systems and segments."""
    names = [listed([quoted(f.path) for f in files], 3) for files in (first, others)]
    for name, keys in zip(names, (rows, found), strict=True):
        if keys.duplicated().any():
            raise InputError(f"{name} has more than one score for a system and segment. Keep one.")
    for (lacks, has), one, other in ((names, found, rows), (names[::-1], rows, found)):
        both = one.merge(other, how="left", indicator="(both)")
        missing = one[(both["(both)"] == "left_only").to_numpy()]
        if len(missing):
            row = missing.iloc[0].items()
            which = ", ".join(f"{str(label).strip('()')} {value!r}" for label, value in row)
            more = f", nor of {len(missing) - 1:,} more" if len(missing) > 1 else ""
            raise InputError(
                f"{lacks} has no score of {which}, which {has} has{more}. Files are "
                "joined by system and segment: give all the same names."
            )


def _with_test_sets(frame: pd.DataFrame) -> pd.DataFrame:
    """Segments and documents of different test sets told apart."""
    if TEST_SET not in frame:
        return frame
    if frame[TEST_SET].nunique() == 1:  # of files that all name it
        return frame.drop(columns=TEST_SET)
    own = [name for name in LABELS[1:] if name in frame]
    return frame.assign(**{n: frame[TEST_SET] + "/" + frame[n].astype(str) for n in own})


def _with_runs(frame: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Each run as a system of its own, and which they are."""
    if RUN not in frame:
        return frame, {}
    names = frame["system"] + "/" + frame[RUN].astype(str)
    runs = names.groupby(frame["system"], sort=False).unique()
    return frame.assign(system=names), {str(s): list(found) for s, found in runs.items()}


def _told(frame: pd.DataFrame, runs: Mapping[str, list[str]]) -> list[str]:
    said = []
    if TEST_SET in frame:
        names = list(dict.fromkeys(frame[TEST_SET]))
        said.append(
            f"scores are means over {len(names)} test sets of the same weight, "
            f"{listed(names, 6)}, tested together"
        )
    if runs:
        said.append(f"{sum(map(len, runs.values()))} runs of {len(runs)} systems")
    return said


# --- columns --------------------------------------------------------------------------------------


def _directions(
    where: str, metrics: Sequence[str], columns: Sequence[str]
) -> dict[str, bool | None]:
    """The columns that were named, and whether higher is better where that was said."""
    said: dict[str, bool | None] = {}
    for text in metrics:
        name, colon, way = text.rpartition(":")
        if text in columns or not colon:
            name, way = text, ""
        elif way.casefold() not in _WAYS and name in columns:
            raise InputError(
                f"metric={text!r}: a column of scores is followed by :lower or :higher, whichever "
                "is better, or by nothing."
            )
        if name.casefold() == "all" and name not in columns:
            name = "all"
        elif name not in columns:
            raise unknown_name(f"{where}: metric", name or text, columns)
        if name in said:
            raise InputError(f"metric={text!r}: {name!r} is named twice. Name it once.")
        said[name] = _WAYS.get(way.casefold())
    return said


def _why_not(name: str, column: pd.Series) -> str | None:
    """Why a column that nobody named is not taken for a metric; None for one that is."""
    if name.startswith("Unnamed: ") and name[9:].isdecimal():
        return "without a name"
    numbers = real_numbers(column)
    n_filled = len(numbers) if np.isfinite(numbers).all() else int((~blank(column)).sum())
    if not n_filled:
        return "empty"
    found = numbers[~np.isnan(numbers)]
    if pd.api.types.infer_dtype(column, skipna=True) == "boolean" or 2 * len(found) < n_filled:
        return "no numbers"
    if NO_SCORE.fullmatch(name):
        return "by its name no score; -m takes it"
    if len(found) == len(numbers) and (found == found[0]).all():
        return "the same everywhere"
    return None


def _numbers(file: ScoreFile, name: str, *, or_nothing: bool = False) -> FloatArray:
    """A column as numbers; an `InputError` where there is none, but for nothing if that may be."""
    numbers = real_numbers(file.frame[name])
    bad = ~np.isfinite(numbers)
    if bad.any() and or_nothing:
        bad &= ~blank(file.frame[name]).to_numpy()
    if bad.any():
        row = int(bad.argmax())
        value = file.frame[name].tolist()[row]
        missing = value is None or value != value or not str(value).strip()
        what = "there is no value" if missing else f"{reprlib.repr(value)} is not a finite number"
        others = f" and {bad.sum() - 1:,} more" if bad.sum() > 1 else ""
        raise InputError(
            f"{file.where(row)}, column {name!r}: {what}{others}. Score "
            "the segment, remove it for all systems, or leave the column out: -m names the others."
        )
    return numbers


def _with_reasons(unused: Mapping[str, str]) -> str:
    return "; ".join(
        f"{listed([name for name, why in unused.items() if why == reason], 20)} ({reason})"
        for reason in dict.fromkeys(unused.values())
    )
