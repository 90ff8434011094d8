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
from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd

from ..errors import InputError, check_all_of, check_one_of, listed
from ..metrics.formula import Formula
from ..notes import Note, note
from ..statistics.many_test_sets import ScoredSets, test_sets
from ..statistics.sufficient import (
    SEGMENTS_DIFFER,
    SufficientStatistics,
    from_segment_scores,
    notes_on_direction,
    warn_of_notes,
)
from .averaging import averaged, over_raters, with_runs
from .checks import notes_on_checks, with_failed_checks
from .columns import (
    asked_columns,
    asked_formulas,
    chosen_metrics,
    columns_of,
    numbers_of,
    with_reasons,
    words_remarks,
)
from .counts import notes_on_counts, with_rows_of_systems
from .joining import TEXTS, joined, with_test_sets, with_texts
from .labelling import labelled, varying_test_sets
from .labels import KEYS, RATER, TEST_SET
from .likeness import alike_hint, likeness_remarks
from .logs.together import told_apart
from .marks import with_points
from .ordering import ORDER, check_has_order, with_order, without_order
from .pairing import paired_by_keys, source_remarks, with_common_numbers
from .reading import read_layout
from .repeats import check_repeats
from .runs import without_needless_runs
from .score_file import ScoreFile, no_scores
from .segment_texts import segment_texts
from .source import ScoreSource
from .sources import check_names, score_sources


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table of segment scores, and the part of it that is compared.

    Parameters
    ----------
    files : tuple of str
        The names of the files that it comes from.
    frame : DataFrame
        A row for each system and segment, and each test set, if there are several: labels, a column
        for each metric, and maybe the texts of `TEXTS`.
    metrics : mapping of str to bool
        The metrics, and whether higher is better: columns, and ratios of columns.
    assumed : frozenset of str
        The metrics whose direction was not given.
    unused : mapping of str to str
        The columns that are neither metrics nor labels, and why they are not used.
    remarks : tuple of str
        How the files' layout was read, and what was left out.
    runs : mapping of str to list of str
        The runs of each system, each a system of `statistics`; empty where no system has several.
    missing : {"raise", "common"}
        As in :func:`mtsig_nb.test_sets`.  A system that lacks a score of a test set is treated as
        if it lacked the whole test set.
    shared : bool, optional
        As in :func:`mtsig_nb.test_sets`.
    only_rater : str, optional
        The rater, if known and the same for all scores.
    ratings : DataFrame, optional
        The single ratings, if several people rated one test set and `frame` has their means.  They
        have a ``rater``, a ``generation`` if systems answered several times, and ``failed_checks``,
        the number of checks that the rater failed, if raters were checked.
    called_after_files : bool
        Whether systems are named after their files, and all columns are metrics.
    notes_on_raters : tuple of Note
        What would change without raters who failed a check.
    formulas : mapping of str to Formula
        The formulas of the metrics that are ratios of columns, by the metrics' names.
    texts : DataFrame, optional
        The texts that stand beside the scores, as `segment_texts` has them.
    """

    files: tuple[str, ...]
    frame: pd.DataFrame
    metrics: Mapping[str, bool]
    assumed: frozenset[str]
    unused: Mapping[str, str]
    remarks: tuple[str, ...]
    runs: Mapping[str, list[str]]
    missing: str = "raise"
    shared: bool | None = None
    ratings: pd.DataFrame | None = None
    only_rater: str | None = None
    called_after_files: bool = False
    notes_on_raters: tuple[Note, ...] = ()
    formulas: Mapping[str, Formula] = dataclasses.field(default_factory=dict)
    texts: pd.DataFrame | None = None

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of each metric, with notes on directions that its name contradicts.

        Warnings repeat these notes.  If there are several test sets, the statistics are those of
        the mean over them, with equal weights.
        """
        if TEST_SET in self.frame:
            return [sets.overall for sets in self.test_sets(units="segments")]
        warn_of_notes(self.notes)
        return [self._statistics(self.frame, metric) for metric in self.metrics]

    def test_sets(
        self, *, systems: Sequence[str] = (), units: str | None = None
    ) -> list[ScoredSets]:
        """The test sets of each metric; an empty list where the table has one test set.

        Parameters
        ----------
        systems : sequence of str
            The systems to take; all by default.
        units : {"documents", "segments"}, optional
            As in :func:`mtsig_nb.test_sets`.
        """
        if TEST_SET not in self.frame:
            return []
        warn_of_notes(self.notes)
        known = list(dict.fromkeys(self.frame["system"]))
        check_all_of("system", systems, known)
        frame = self.frame[self.frame["system"].isin(systems or known)]
        parts = {}
        for name, part in frame.groupby(TEST_SET, sort=False):
            parts[str(name)] = self._complete(part) if self.missing == "common" else part
        return [self._test_sets_of(metric, parts, units) for metric in self.metrics]

    def _test_sets_of(
        self, metric: str, parts: Mapping[str, pd.DataFrame], units: str | None
    ) -> ScoredSets:
        """The test sets of a metric, from the rows of each test set, by its name."""
        statistics = {name: self._statistics(part, metric) for name, part in parts.items()}
        try:
            return test_sets(statistics, units=units, shared=self.shared, missing=self.missing)
        except InputError as error:
            problem = str(error).removeprefix("statistics: ")
            raise InputError(f"{self._title}: {problem}") from error

    def check_several_systems(self) -> None:
        """Raise `InputError` if there is only one system.

        The message says how the columns were read, as they may be systems.
        """
        systems = self.frame["system"].unique().tolist()
        if len(systems) > 1:
            return
        under_metrics = ""
        advice = "Give the scores of another system beside it."
        if self.called_after_files and len(self.metrics) > 1:
            names = listed(list(self.metrics), 4)
            under_metrics = f", under {len(self.metrics)} metrics ({names})"
            advice += " If these are systems, name the metric of their scores: -m METRIC."
        raise InputError(
            f"{self._title}: there is only one system, {systems[0]!r}{under_metrics}; a comparison "
            f"needs two. {advice}"
        )

    def judgements(self, systems: Sequence[str] = ()) -> pd.DataFrame:
        """A row for each judgement of some systems, or of all, in the order of the files.

        With several raters, every rating is a judgement.  If an order was given, the column `ORDER`
        has the place of each judgement; if the raters are known, there is a column ``rater``.

        Raises
        ------
        InputError
            For an unknown system, several test sets or runs, which do not come in one order; and
            for a ratio of columns, which single judgements do not have.
        """
        if self.formulas:
            raise InputError(
                f"{self._title}: {next(iter(self.formulas))!r} is a ratio of columns, and a "
                "campaign is watched by a score of each judgement. Name a column: -m NAME."
            )
        if self.has_test_sets or self.runs:
            what = "test sets" if self.has_test_sets else "runs"
            raise InputError(
                f"{self._title}: there are several {what}, which do not come in one order. Give "
                "the judgements of one."
            )
        frame = self.frame if self.ratings is None else self.ratings
        if self.only_rater is not None:
            frame = frame.assign(rater=self.only_rater)
        known = list(dict.fromkeys(frame["system"]))
        check_all_of("system", systems, known)
        return frame[frame["system"].isin(systems or known)]

    @property
    def only_metric(self) -> str:
        """The only metric; an `InputError` names all if there are several."""
        _check_single_metric(list(self.metrics), self._title)
        (metric,) = self.metrics
        return metric

    @property
    def kind(self) -> Literal["runs", "ratings", "test sets", "pairs"]:
        """How systems are compared: by several runs, ratings or test sets, or else in pairs."""
        if self.runs:
            return "runs"
        # Of a ratio of columns there are no single ratings: those of an output are averaged.
        if self.ratings is not None and not self.formulas:
            return "ratings"
        return "test sets" if self.has_test_sets else "pairs"

    @property
    def has_test_sets(self) -> bool:
        """Whether it has scores of several test sets."""
        return TEST_SET in self.frame

    @property
    def has_documents(self) -> bool:
        """Whether it says which document each segment belongs to."""
        return "document" in self.frame

    def _complete(self, part: pd.DataFrame) -> pd.DataFrame:
        """The rows of the systems that have all scores, among the rows of a test set.

        Raises
        ------
        InputError
            If no system has all scores.
        """
        columns = columns_of(self.metrics, self.formulas)
        has_score = part[columns].notna()
        for column in columns:
            if not has_score[column].any():
                raise self._without_scores(f"no system has {column}", part)
        has_all_scores = has_score.all(axis=1).groupby(part["system"]).all()
        n_rows = part.groupby("system").size()
        has_all_rows = n_rows == n_rows.max()
        complete = n_rows.index[has_all_scores & has_all_rows]
        if complete.empty:
            raise self._without_scores("no system has all scores", part)
        return part[part["system"].isin(complete)]

    def _without_scores(self, problem: str, part: pd.DataFrame) -> InputError:
        """The error for a test set of which scores are missing, as `problem` says."""
        test_set = part[TEST_SET].iloc[0]
        return InputError(
            f"{self._title}: {problem} of test set {test_set!r}. Leave that test set out."
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader of results should know about the scores and their directions."""
        notes: list[Note] = list(self.notes_on_raters)
        for metric in self.metrics:
            notes += self._notes_on(metric)
        return tuple(notes)

    def _notes_on(self, metric: str) -> tuple[Note, ...]:
        """What to say of a metric's direction, and of its counts if it is a ratio."""
        on_direction = self._notes_on_direction(metric)
        if metric not in self.formulas:
            return on_direction
        formula = self.formulas[metric]
        higher_is_better = self.metrics[metric]
        on_counts = notes_on_counts(self.frame, formula, higher_is_better=higher_is_better)
        return (*on_direction, *on_counts)

    def _notes_on_direction(self, metric: str) -> tuple[Note, ...]:
        """What to say of a metric's direction, if nobody gave it."""
        if metric not in self.assumed:
            return ()
        typed = self._as_typed(metric)
        return notes_on_direction(metric, higher_is_better=self.metrics[metric], typed=typed)

    def _as_typed(self, metric: str) -> str:
        """A metric as it is typed: its name, and its formula if it has one."""
        formula = self.formulas.get(metric)
        return metric if formula is None else f"{metric}={formula.text}"

    def _statistics(self, frame: pd.DataFrame, metric: str) -> SufficientStatistics:
        """The statistics of a metric, from rows of the table."""
        try:
            statistics = from_segment_scores(
                frame,
                score=self._as_typed(metric),
                higher_is_better=self.metrics[metric],
                document="document" if self.has_documents else None,
                texts=[text for text in TEXTS if text in frame],
            )
        except InputError as error:
            raise self._about_files(error, frame) from error
        notes = [*self.notes_on_raters, *self._notes_on(metric)]
        if self.ratings is not None:
            n_raters = self.ratings["rater"].nunique()
            notes.append(note("raters-averaged", n=len(self.ratings), raters=n_raters))
        return dataclasses.replace(statistics, notes=tuple(notes)) if notes else statistics

    def _about_files(self, error: InputError, frame: pd.DataFrame) -> InputError:
        """An error about a frame as one about the files that it comes from."""
        title = self._title
        if TEST_SET in frame and frame[TEST_SET].nunique() == 1:
            title += f", test set {frame[TEST_SET].iloc[0]!r}"
        hint = ""
        if error.code == SEGMENTS_DIFFER:
            hint = alike_hint(frame, ["system", "segment"])
        # Of "frame has two rows …" the problem is "has two rows …": the files are its subject now.
        mark = "" if error.subject == "frame" else ":"
        return InputError(f"{title}{mark} {error.problem}{hint}")

    @property
    def _title(self) -> str:
        """The files as messages name them."""
        return listed([repr(file) for file in self.files], 3)

    @property
    def sentence(self) -> str:
        """What was used, which way is better, and what was left out."""
        metrics = []
        for name, higher_is_better in self.metrics.items():
            way = "higher" if higher_is_better else "lower"
            formula = f" = {self.formulas[name].text}" if name in self.formulas else ""
            metrics.append(f"{name}{formula} ({way} is better)")
        parts = [", ".join(metrics), *self.remarks]
        if self.unused:
            parts.append(f"not used: {with_reasons(self.unused)}")
        return f"{listed(self.files, 20)}: {'; '.join(parts)}."


def _check_single_metric(metrics: Sequence[str], where: str) -> None:
    """Raise `InputError` if there are several metrics; `where` names the files."""
    if len(metrics) > 1:
        names = listed(metrics, 6)
        raise InputError(f"{where}: there are several scores, {names}. Name one: -m NAME.")


def read_score_table(
    path: str | Sequence[str],
    metrics: Sequence[str] = (),
    *,
    smaller_is_better: bool = False,
    by: str | None = None,
    missing: str = "raise",
    shared: bool | None = None,
    systems: Sequence[str] = (),
    order: str | None = None,
) -> ScoreTable:
    r"""Read segment scores from files; compressed with gzip or not.

    Parameters
    ----------
    path : str or sequence of str
        Several files are joined by system and segment: they have other metrics, or other systems.
        ``NAME=FILE`` names the system of a file, or the metric of a file with a column for each
        system.
    metrics : sequence of str
        Columns to take, as ``NAME``, ``NAME:lower`` or ``NAME:higher``, which says what is better;
        ``all``, or nothing, takes every column of numbers whose name does not suggest something
        else.  ``NAME=FORMULA``, optionally followed by a direction, is a ratio of columns, such as
        ``WER=errors/words:lower``, which are summed first: see :func:`from_segment_scores`.
    smaller_is_better : bool
        The direction of metrics for which `metrics` gives none.
    by : str, optional
        The column that says which test set a row belongs to, such as ``"domain"``; by default
        ``test_set`` or ``lp``.
    missing : {"raise", "common"}
        What happens to systems that lack scores of some test set: an error, or they are left out.
    shared : bool, optional
        Whether several test sets share their segments, or documents, as in
        :func:`mtsig_nb.test_sets`.  By default their names decide, and the columns ``source`` and
        ``reference``.
    systems : sequence of str
        Names of systems.  A column of a wide table that has one of these names is a system, even if
        the name sounds like a count.
    order : str, optional
        The column by which scores are put in order, such as a time; see `ScoreTable.judgements`.
        There must then be a single metric.

    Returns
    -------
    ScoreTable

    Raises
    ------
    InputError
        If a file cannot be read or is not such a table, or a value of a metric is not a number: the
        message has the file, its line and the column.  If a label is missing, or a line is blank
        where segments are told apart by their order.  If files contradict each other, or several
        rows are about the same system and segment, and nothing shows what they are.

    Notes
    -----
    Files may be

    - tables (CSV; with tabs or semicolons; JSON lines) with a row for each system and segment, the
      columns ``system`` and ``segment`` and one for each metric; without ``segment`` rows are
      paired by a column such as ``source``, or taken in their order; without ``system`` the file
      is the system;
    - tables with a column for each system; the metric is what `metrics` says;
    - what comet-score prints, and what it writes with ``--to_json``;
    - ``.seg.score`` of WMT's metrics task and of mt-metrics-eval;
    - logs of lm-evaluation-harness, Inspect and promptfoo
      (:mod:`mtsig_nb.scores.logs`), and folders of them;
    - what people's tools write: Pearmut's logs, Appraise's exports, marks of errors as in MQM, and
      a table with the columns ``severity`` and ``points``, whose points replace those of Freitag et
      al. (2021);
    - a number in each line, and the system as the file's name.

    Further columns have a meaning: ``document``, ``passage`` or ``cluster``; ``run`` or ``seed``,
    where a system was trained several times; ``repeat``, ``epoch`` or ``sample``, where one system
    answered several times, ``rater``, ``annotator`` or ``worker``, where several people rated, and
    ``call``, where a judge that is a model was asked several times, all of which are averaged;
    ``test_set`` or ``lp``, over which scores are averaged; ``itemType`` and the like, by which
    control items are left out.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = file.write_text(
    ...     "system,segment,MQM,COMET,judge\nA,1,2,.9,4\nA,2,0,.7,5\nB,1,5,.8,4\nB,2,1,.6,5\n"
    ... )
    >>> print(read_score_table(str(file), ["all", "MQM:lower"]).sentence)
    scores.csv: MQM (lower is better), COMET (higher is better); not used: judge (not a score
    by its name; name it with -m).
    """
    table_or_battles = read_scores_or_battles(
        path,
        metrics,
        smaller_is_better=smaller_is_better,
        by=by,
        missing=missing,
        shared=shared,
        systems=systems,
        order=order,
    )
    if isinstance(table_or_battles, ScoreFile):
        raise no_scores(table_or_battles)
    return table_or_battles


def read_scores_or_battles(
    path: str | Sequence[str],
    metrics: Sequence[str] = (),
    *,
    smaller_is_better: bool = False,
    by: str | None = None,
    missing: str = "raise",
    shared: bool | None = None,
    systems: Sequence[str] = (),
    order: str | None = None,
) -> ScoreTable | ScoreFile:
    """Read what `read_score_table` reads, or a single file of battles or rankings.

    Returns
    -------
    ScoreTable or ScoreFile
        A `ScoreFile` is one of battles or rankings.  The `kind` of either says what is compared.

    Raises
    ------
    InputError
        As `read_score_table` does, but for battles only if there are other files beside them.
    """
    check_one_of("missing", missing, ("raise", "common"))
    remarks: list[str] = []
    paths = [path] if isinstance(path, str) else path
    layouts = _layouts(score_sources(paths, remarks))
    without_scores = [layout for layout in layouts if layout.kind != "scores"]
    if without_scores:
        return without_scores[0]
    layouts = with_points(layouts, by=by)
    to_label = layouts
    if order is not None:
        check_has_order(layouts, order)
        columns = _columns_in(layouts)
        asked = asked_columns(metrics, asked_formulas(metrics, columns), columns)
        to_label = without_order(layouts, order, asked)
    files = _labelled_files(to_label, metrics, by, systems)
    where = listed([file.source.at() for file in files], 3)
    chosen = chosen_metrics(files, metrics, smaller_is_better=smaller_is_better, where=where)
    names = chosen.columns
    if order is not None:
        _check_single_metric(list(chosen.higher_is_better), where)
    check_repeats(files, names)
    words = words_remarks(files, names)
    files = _paired(files, names, may_lack_scores=missing == "common")
    if order is not None:
        files = with_order(files, layouts, order)
        remarks.append(f"in the order of {order}")
        names.append(ORDER)
    for file in files:
        remarks += file.remarks
    remarks += [*words, *source_remarks(files), *_idle_files(files, names)]
    table = joined(files, names, remarks)
    # Notes of the statistics name systems that are called alike; remarks name the other labels.
    other_labels = [label for label in KEYS if label != "system"]
    remarks += likeness_remarks(table.frame, other_labels)
    notes = notes_on_checks(table.frame, files, names[0])
    means, ratings = _means(table.frame, files, names, remarks)
    by_test_set = with_test_sets(with_texts(means, files), remarks)
    frame, runs = with_runs(by_test_set, remarks)
    return ScoreTable(
        files=tuple(file.source.title for file in table.used),
        frame=frame,
        metrics=chosen.higher_is_better,
        formulas=chosen.formulas,
        texts=segment_texts(files),
        assumed=chosen.assumed,
        unused=chosen.unused,
        remarks=tuple(dict.fromkeys(remarks)),
        runs=runs,
        missing=missing,
        shared=shared,
        ratings=ratings,
        only_rater=_only_rater(table.frame),
        notes_on_raters=tuple(notes),
        called_after_files=any(file.system_is_called_after_file for file in files),
    )


def _layouts(sources: Sequence[ScoreSource]) -> list[ScoreFile]:
    """The columns of each file, as `read_layout` has them.

    Raises
    ------
    InputError
        If a file of battles is not the only file, since the others would be left out.
    """
    layouts = []
    for source in sources:
        layout = read_layout(source)
        if layout.kind != "scores" and len(sources) > 1:
            raise no_scores(layout)
        layouts.append(layout)
    return layouts


def _labelled_files(
    layouts: Sequence[ScoreFile],
    metrics: Sequence[str],
    by: str | None,
    systems: Sequence[str],
) -> list[ScoreFile]:
    """The files with their labels, by which the rows of one system and segment are told apart."""
    columns = _columns_in(layouts)
    formulas = asked_formulas(metrics, columns)
    asked = asked_columns(metrics, formulas, columns)
    layouts = [with_rows_of_systems(layout, list(formulas.values())) for layout in layouts]
    metric = _metric_of_wide_tables(asked, layouts)
    test_set = varying_test_sets(layouts)
    files = [
        labelled(layout, asked, metric=metric, by=by, systems=systems, test_set=test_set)
        for layout in layouts
    ]
    check_names([file.source for file in files if file.system_is_called_after_file])
    return without_needless_runs(told_apart(files))


def _columns_in(layouts: Sequence[ScoreFile]) -> set[str]:
    """The names of all columns of the files."""
    return {str(name) for layout in layouts for name in layout.frame.columns}


def _metric_of_wide_tables(asked: Sequence[str], layouts: Sequence[ScoreFile]) -> str:
    """The metric of files that have a column for each system; empty where the user asks for none.

    It is the only metric that is asked for, if no column has its name.
    """
    if len(asked) != 1 or asked[0].casefold() == "all":
        return ""
    is_column = any(asked[0] in layout.frame for layout in layouts)
    return "" if is_column else asked[0]


def _paired(
    files: Sequence[ScoreFile], metrics: Sequence[str], *, may_lack_scores: bool
) -> list[ScoreFile]:
    """The files with their metrics as numbers, and with names of segments by which rows are paired.

    A score may be missing only where that is allowed and the file has several test sets.
    """
    with_numbers = [_with_numbers(file, metrics, may_lack_scores) for file in files]
    return with_common_numbers(paired_by_keys(with_numbers, metrics))


def _with_numbers(file: ScoreFile, metrics: Sequence[str], may_lack_scores: bool) -> ScoreFile:
    """A file with its metrics as numbers; see `_paired`."""
    frame = file.frame.copy(deep=False)
    lacks_allowed = may_lack_scores and TEST_SET in frame
    for name in file.other_columns:
        if name in metrics:
            frame[name] = numbers_of(file, name, may_lack_scores=lacks_allowed)
    return file.with_frame(frame)


def _means(
    frame: pd.DataFrame, files: Sequence[ScoreFile], metrics: Sequence[str], remarks: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The means over raters, calls and repeats; and the ratings of `over_raters`, if any."""
    means, ratings = over_raters(with_failed_checks(frame, files), metrics, remarks)
    if ratings is None:
        return averaged(means, metrics, remarks), None
    # The analysis of ratings tells what part of the variance repeats have, so no remark does.
    return averaged(means, metrics, []), ratings


def _only_rater(frame: pd.DataFrame) -> str | None:
    """Who gave all of these scores; None where nobody is named, or several are."""
    raters = set(frame[RATER]) if RATER in frame else set()
    return str(raters.pop()) if len(raters) == 1 else None


def _idle_files(files: Sequence[ScoreFile], metrics: Sequence[str]) -> list[str]:
    """The remark on files of which nothing is taken, if there are any."""
    idle = [file.source.at() for file in files if not set(file.other_columns) & set(metrics)]
    return [f"nothing is taken from {listed(idle, 6)}"] if idle else []
