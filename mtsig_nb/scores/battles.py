"""Battles and rankings in a table: who was set against whom, and who won.

A row of battles has two models and a winner, as arenas publish them.  A row of rankings has several
systems, each with its rank, as WMT published them until 2016.  Either becomes comparisons of two
systems, each of them won, lost or tied.

A winner is one of the two models' names, or a word for a side, or a word for a tie.  Names are
compared whole and as they are written; words in any case, and as whole words.  Where a winner can
be read both ways, and the two readings do not agree, nothing is guessed.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, listed
from ..metrics.base import FloatArray, IntArray, Mask
from ..notes import Note, note
from ..statistics.sufficient import real_numbers
from ..texts.naming import alike, folded
from .labels import by_plain_name, columns_called, normalized
from .rows import first_true
from .score_file import are_whole, blank

# All names of columns below are plain names, as `normalized` has them.

#: Names of the columns of the two models, and of the winner.
_MODELS = (
    ("model_a", "model_b"),
    ("system_a", "system_b"),
    ("model_1", "model_2"),
    ("system_1", "system_2"),
)
_WINNER = "winner"
#: Names of columns that say who judged; of several the first that is listed here is taken.
_RATERS = (
    "rater",
    "rater_id",
    "judge",
    "judge_id",
    "judgeid",
    "annotator",
    "annotator_id",
    "worker",
    "worker_id",
    "assessor",
    "user",
    "user_id",
)
#: Names of columns that identify a battle.
_BATTLE_IDS = ("battle_id", "battle", "vote_id", "comparison_id", "conversation_id")
#: Names of columns that identify what was judged.
_ITEM_IDS = ("question_id", "prompt_id", "item_id", "instance_id", "segment_id", "segment", "item")
#: Names of columns that tell two battles about the same item apart, beside who judged.
_ROUNDS = ("turn", "round", "repeat", "epoch", "call", "order", "lang", "language")
#: Columns of rankings: the name of a system, and its rank; the number is that of its place.
_RANKED_SYSTEM = re.compile(r"(?:system|model)_?(\d+)_?(?:id|name)?")
_RANK = re.compile(r"(?:system|model)_?(\d+)_?rank")
#: Columns that say which comparisons are of one ranking, where rows are its pairs.
_RANKING_IDS = ("rankingid", "ranking_id")
#: Columns of rankings that say the languages.
_LANGUAGES = ("srclang", "trglang", "lp", "lang_pair", "language_pair")
#: The most language pairs that a note names.
_MOST_LANGUAGE_PAIRS = 4
#: What stands for the rank of an output that was shown and not ranked.
_NOT_RANKED = -1

#: Words for a side, as `_word` has them: that of the first of the two columns, or of the second.
_FIRST = ("model a", "system a", "a", "model 1", "system 1", "1", "left", "first")
_SECOND = ("model b", "system b", "b", "model 2", "system 2", "2", "right", "second")
_OUTCOME_OF_SIDE = {**dict.fromkeys(_FIRST, 1), **dict.fromkeys(_SECOND, -1)}
#: Words for a tie, as `_word` has them.
_TIES = frozenset(
    (
        "tie",
        "tied",
        "draw",
        "equal",
        "same",
        "neither",
        "no preference",
        "both",
        "both bad",
        "bothbad",
        "both good",
        "bothgood",
        "both are bad",
        "both are good",
        "tie both bad",
        "tie bothbad",
        "tie both good",
        "tie bothgood",
        "tie inconsistent",
    )
)
#: Words that programs write where there is no value.
_NO_VALUE = frozenset(["nan", "null", "none", "n/a", "na", "<na>", "#n/a"])


@dataclasses.dataclass(frozen=True, eq=False)
class Battles:
    """Comparisons of two systems each, as a file has them.

    Parameters
    ----------
    frame : DataFrame
        One row for each comparison: ``system_a``, ``system_b`` and ``outcome`` (+1 where the first
        is better, 0 for a tie, -1), all columns of the file that are not names, winners or ranks,
        and ``rater`` where the file says who judged.  Rankings have ``task`` besides, the same for
        all comparisons that one ranking implies.
    n_rankings : int
        How many rankings the comparisons were made of; 0 for battles.
    most_ranked : int
        How many systems a ranking has at most; 2 for battles.
    unused : tuple of str
        The columns that nothing is taken from.
    notes : tuple of Note
    """

    frame: pd.DataFrame
    n_rankings: int = 0
    most_ranked: int = 2
    unused: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def n_raters(self) -> int:
        """How many people judged, as far as the file says so."""
        return self.frame["rater"].nunique() if "rater" in self.frame else 0


@dataclasses.dataclass(frozen=True)
class Layout:
    """The columns that make a table one of battles or of rankings, under their own names.

    Parameters
    ----------
    systems : tuple of str
        The columns of names: two in battles, one for each place in rankings.
    ranks : tuple of str
        The columns of ranks, in the same order; none in battles.
    winner : str
        The column of winners; empty in rankings.
    """

    systems: tuple[str, ...]
    ranks: tuple[str, ...] = ()
    winner: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that the layout has."""
        return tuple(filter(None, (*self.systems, *self.ranks, self.winner)))


def layout_of(columns: Iterable[Any]) -> Layout | None:
    """The layout of a table with these columns, or None where it is one of neither kind.

    Examples
    --------
    >>> layout_of(["Model A", "Model B", "Winner", "turn"])
    Layout(systems=('Model A', 'Model B'), ranks=(), winner='Winner')
    >>> layout_of(["judgeID", "system1Id", "system1rank", "system2Id", "system2rank"]).ranks
    ('system1rank', 'system2rank')
    >>> layout_of(["system", "segment", "COMET"]) is None
    True
    """
    names = by_plain_name(map(str, columns))
    pair = _pair_of_models(names)
    if pair is not None and _WINNER in names:
        return Layout(pair, winner=names[_WINNER])
    systems = _by_place(names, _RANKED_SYSTEM)
    ranks = _by_place(names, _RANK)
    places = sorted(systems.keys() & ranks.keys())
    if len(places) < 2:
        return None
    return Layout(
        systems=tuple(systems[place] for place in places),
        ranks=tuple(ranks[place] for place in places),
    )


def _pair_of_models(names: Mapping[str, str]) -> tuple[str, str] | None:
    """The two columns of models, if a table has both; its columns come by their plain names."""
    for first, second in _MODELS:
        if first in names and second in names:
            return names[first], names[second]
    return None


def _by_place(names: Mapping[str, str], pattern: re.Pattern[str]) -> dict[int, str]:
    """The columns whose plain names fit a pattern, by the number in each.

    Of several columns with the same number the last in the alphabet is taken: ``system1Id``, and
    not ``system1``.
    """
    columns: dict[int, str] = {}
    for plain, name in sorted(names.items()):
        if match := pattern.fullmatch(plain):
            columns[int(match[1])] = name
    return columns


def models_without_winner(frame: pd.DataFrame) -> tuple[str, str] | None:
    """The two columns of models in a table that has no winners, and would else be one of battles.

    None if it has no such columns, or scores in them.
    """
    pair = _pair_of_models(by_plain_name(map(str, frame.columns)))
    if pair is None or _are_scores(frame, pair, may_be_whole=True):
        return None
    return pair


def are_battles(frame: pd.DataFrame) -> bool:
    """Whether a table is one of battles or rankings, and no wide table of two systems' scores."""
    layout = layout_of(frame.columns)
    return layout is not None and not _are_scores(frame, layout.systems)


def _are_scores(frame: pd.DataFrame, columns: Sequence[str], *, may_be_whole: bool = False) -> bool:
    """Whether the columns have scores and no names of systems.

    More than half of the cells of each column have to be numbers; the others may be damaged scores.
    Where all numbers are whole, they are names, such as the systems 1 and 2, unless `may_be_whole`.
    """
    has_fractions = False
    for name in columns:
        cells = _plain_numbers(frame[name])
        numbers = cells[np.isfinite(cells)]
        if 2 * len(numbers) <= len(cells):
            return False
        if not are_whole(numbers):
            has_fractions = True
    return may_be_whole or has_fractions


def read_battles(frame: pd.DataFrame, where: Callable[[int], str]) -> Battles:
    """Battles or rankings as comparisons of two systems.

    Parameters
    ----------
    frame : DataFrame
        With the columns of a `Layout`, the cells as they stand in the file.
    where : callable
        Names a row in messages, by its number from 0 on.

    Returns
    -------
    Battles

    Raises
    ------
    InputError
        If a name, a winner or a rater is missing; a winner is not known, or could be a side as well
        as a model on the other side; a model is compared with itself; a rank is not known; or no
        row compares two systems.  The message names the row and the column.

    Examples
    --------
    >>> frame = pd.DataFrame(
    ...     [("x", "y", "model_a"), ("y", "x", "tie (bothbad)"), ("y", "x", "x")],
    ...     columns=["model_a", "model_b", "winner"],
    ... )
    >>> read_battles(frame, "row {}".format).frame["outcome"].tolist()
    [1, 0, -1]
    """
    layout = _checked_layout(frame)
    cells = _Cells(frame.rename(columns=str).reset_index(drop=True), where)
    compared = _from_rankings(cells, layout) if layout.ranks else _from_battles(cells, layout)
    rater = _rater_column(cells.frame)
    if rater is not None:
        compared["rater"] = cells.names(rater).iloc[compared.index]
    notes = _notes(cells.frame, layout, compared, rater)
    n_rankings = len(cells.frame) if layout.ranks else 0
    most_ranked = len(layout.systems)
    ranking_ids = columns_called(cells.frame.columns, _RANKING_IDS)[:1]
    if layout.ranks and ranking_ids:
        # Rows are pairs of a ranking, which this column names.
        rankings = cells.frame[ranking_ids[0]].astype(str)
        compared["task"] = rankings.iloc[compared.index]
        n_rankings = rankings.nunique()
        most_ranked = _most_systems_in_a_task(compared)
    used = {*layout.columns, rater, *ranking_ids}
    unused = tuple(name for name in cells.frame.columns if name not in used)
    # A column that is called as ours are, such as "outcome", cannot be kept beside these.
    others = [name for name in unused if name not in compared]
    return Battles(
        compared.join(cells.frame[others]).reset_index(drop=True),
        n_rankings=n_rankings,
        most_ranked=most_ranked,
        unused=unused,
        notes=tuple(notes),
    )


def _notes(
    frame: pd.DataFrame, layout: Layout, compared: pd.DataFrame, rater: str | None
) -> list[Note]:
    """What to say of a table whose comparisons are `compared`, and whose raters are in `rater`."""
    notes = _note_on_names(compared)
    if layout.ranks:
        notes += _note_on_unranked(frame, compared)
        notes += _note_on_languages(frame)
    else:
        notes += _note_on_repeats(frame, compared, rater)
    return notes


def _most_systems_in_a_task(compared: pd.DataFrame) -> int:
    """How many systems are compared in the task that has most of them."""
    shown = compared.melt("task", ["system_a", "system_b"], value_name="system")
    return int(shown.groupby("task")["system"].nunique().max())


def _checked_layout(frame: pd.DataFrame) -> Layout:
    """The layout of a table of battles or rankings, which has rows, and each column once."""
    layout = layout_of(frame.columns)
    if layout is None:
        raise InputError("frame has neither battles (model_a, model_b, winner) nor rankings.")
    if frame.empty:
        raise InputError("frame has no comparisons; a campaign needs at least one.")
    names = [normalized(name) for name in frame.columns]
    for column in layout.columns:
        if names.count(normalized(column)) > 1:
            raise InputError(f"frame has more than one column {column!r}. Rename one.")
    return layout


# --- cells ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class _Cells:
    """The cells of a table, which are checked when they are read.

    Parameters
    ----------
    frame : DataFrame
        Its index is the number of the row, from 0 on.
    where : callable
        Names a row in messages, by its number.
    """

    frame: pd.DataFrame
    where: Callable[[int], str]

    def names(self, column: str, is_read: Mask | bool = True) -> pd.Series:
        """A column of names as texts.

        In rows where `is_read` holds, a cell that is no name raises an `InputError`.
        """
        cells = self.frame[column]
        is_missing = blank(cells).to_numpy()
        is_plain = cells.map(_is_plain).to_numpy(bool)
        self.refuse(is_read & is_missing, column, "there is no value. Fill it in")
        self.refuse(is_read & ~is_plain, column, "{short} is not a name. Write one")
        names = cells.astype(str)
        means_nothing = _map_distinct(names, lambda name: name.strip().casefold() in _NO_VALUE)
        self.refuse(
            is_read & means_nothing.to_numpy(bool),
            column,
            "{name!r} means that there is no value. Fill it in, or rename the system",
        )
        return names

    def refuse(self, is_bad: pd.Series | Mask, column: str, problem: str) -> None:
        """Raise an `InputError` about the first of the cells of a column that are bad, if any are.

        In `problem`, ``{name}`` stands for the cell as a text, and ``{short}`` for a short form of
        it, with quotation marks if it is a text.
        """
        n_bad = np.count_nonzero(is_bad)
        if not n_bad:
            return
        row = first_true(is_bad)
        cell = self.frame[column].tolist()[row]
        more = f" (and {n_bad - 1:,} more)" if n_bad > 1 else ""
        what = problem.format(name=str(cell), short=reprlib.repr(cell))
        raise InputError(f"{self.where(row)}, column {column!r}{more}: {what}.")


def _is_plain(cell: Any) -> bool:
    """Whether a cell is a text or a number."""
    return isinstance(cell, str | int | float | np.number) and not isinstance(cell, bool | np.bool_)


def _plain_numbers(column: pd.Series) -> FloatArray:
    """The column as numbers; NaN for what is neither a text nor a number."""
    return real_numbers(column.where(column.map(_is_plain)))


def _map_distinct(names: pd.Series, function: Callable[[str], Any]) -> pd.Series:
    """What a function makes of each name; it is called once for each distinct name."""
    return names.map({name: function(name) for name in names.unique()})


def _word(cell: str) -> str:
    """A cell as words are compared: in small letters, one blank between parts.

    >>> _word("Tie (both-bad)"), _word("both_bad "), _word("-1")
    ('tie both bad', 'both bad', '-1')
    """
    without_brackets = re.sub(r"(?<=\w)\s*\(([^()]*)\)\s*$", r" \1", cell.casefold())
    return re.sub(r"[\s_]+|(?<=\w)-(?=\w)", " ", without_brackets).strip()


def _rater_column(frame: pd.DataFrame) -> str | None:
    """The column that says who judged, unless nothing is in it."""
    for column in columns_called(frame.columns, _RATERS):
        if not blank(frame[column]).all():
            return column
    return None


# --- battles --------------------------------------------------------------------------------------


def _from_battles(cells: _Cells, layout: Layout) -> pd.DataFrame:
    """A comparison for each row; the index has the rows' numbers."""
    first_column, second_column = layout.systems
    first = cells.names(first_column)
    second = cells.names(second_column)
    cells.refuse(first == second, second_column, "{name!r} is compared with itself")
    outcome = _outcomes(cells, layout, first, second)
    return pd.DataFrame({"system_a": first, "system_b": second, "outcome": outcome})


def _outcomes(cells: _Cells, layout: Layout, first: pd.Series, second: pd.Series) -> IntArray:
    """Who won each battle: +1 for the first model, 0 for a tie, -1 for the second.

    A row may be read by names and by words.  Names are those of the row's two models; words are
    those for sides and for ties.
    """
    winner = cells.names(layout.winner)
    by_name = np.select([winner == first, winner == second], [1.0, -1.0], np.nan)
    by_word = _map_distinct(winner, _outcome_of_word).to_numpy(np.float64)
    is_name = ~np.isnan(by_name)
    is_word = ~np.isnan(by_word)
    is_tie = by_word == 0
    is_unknown = ~is_name & ~is_word
    if is_unknown.any():
        row = first_true(is_unknown)
        raise _unknown_winner(cells.where(row), layout, winner[row], first[row], second[row])
    # The column has winners by name if each is a name or a tie, and some cannot be words.
    has_names = bool((is_name | is_tie).all() and not is_word.all())
    is_unclear = _clashes(winner, first, second, by_word)
    if has_names:
        is_unclear &= is_tie  # what could be a side is then the name
    if is_unclear.any():
        row = first_true(is_unclear)
        meaning = "a tie" if is_tie[row] else "a side"
        raise InputError(
            f"{cells.where(row)}: {layout.winner}={winner[row]!r} is the name of a model and a "
            f"word for {meaning}, and nothing shows which is meant. Rename the models."
        )
    if has_names:
        return np.where(is_name, by_name, by_word).astype(int)
    return np.where(is_word, by_word, by_name).astype(int)


def _outcome_of_word(cell: str) -> float:
    """The outcome that a word for a side or for a tie says; NaN for any other word."""
    word = _word(cell)
    return 0.0 if word in _TIES else _OUTCOME_OF_SIDE.get(word, np.nan)


def _clashes(winner: pd.Series, first: pd.Series, second: pd.Series, by_word: FloatArray) -> Mask:
    """Where a word for a side or a tie is also the name of a model, and the two do not agree.

    Word and name agree where the model is on the side that the word says.  Small and capital
    letters are not told apart in names here, since another letter may be a slip.

    Parameters
    ----------
    winner, first, second : Series of str
        The winner and the two models of each battle.
    by_word : ndarray
        The outcome that the winner says as a word; NaN where the winner is no such word.
    """
    winner_folded = _map_distinct(winner, folded)
    first_folded = _map_distinct(first, folded)
    second_folded = _map_distinct(second, folded)
    is_any_model = winner_folded.isin({*first_folded, *second_folded}).to_numpy()
    is_first = winner_folded == first_folded
    is_second = winner_folded == second_folded
    agrees_on_first = is_first & (by_word == 1)
    agrees_on_second = is_second & ~is_first & (by_word == -1)
    agrees = (agrees_on_first | agrees_on_second).to_numpy()
    is_word = ~np.isnan(by_word)
    return is_word & is_any_model & ~agrees


def _unknown_winner(where: str, layout: Layout, winner: str, first: str, second: str) -> InputError:
    """The error for a winner that is none of the two models, and no word for a side or a tie."""
    similar = [name for name in (first, second) if folded(name) == folded(winner)]
    hint = f" (names are compared as they are written: {similar[0]!r}?)" if similar else ""
    return InputError(
        f"{where}: {layout.winner}={winner!r} is neither of the two models, {first!r} and "
        f"{second!r}, nor {layout.systems[0]!r}, {layout.systems[1]!r} or 'tie'{hint}. Write one "
        "of these."
    )


def _note_on_repeats(frame: pd.DataFrame, compared: pd.DataFrame, rater: str | None) -> list[Note]:
    """What to say of battles that are there more than once, by the columns that identify them.

    Battles are the same if they are of the same two models in either order, by the same rater, and
    have the same id; or, if battles have no ids and the file says who judged, the same item.
    """
    id_columns = columns_called(frame.columns, _BATTLE_IDS)[:1]
    if not id_columns and rater is not None:
        id_columns = columns_called(frame.columns, _ITEM_IDS)[:1]
    if not id_columns:
        return []
    identity = frame[[*id_columns, *columns_called(frame.columns, _ROUNDS)]].astype(str)
    identity["(rater)"] = compared.get("rater", "")
    first = compared["system_a"]
    second = compared["system_b"]
    is_in_order = first <= second
    identity["(lower name)"] = first.where(is_in_order, second)
    identity["(higher name)"] = second.where(is_in_order, first)
    n_repeated = int(identity.duplicated().sum())
    if not n_repeated:
        return []
    outcome = compared["outcome"]
    winner = first.where(outcome > 0, second).mask(outcome == 0, "")
    # Of the repeated battles, those that had the same winner before.
    n_same = int(identity.assign(**{"(winner)": winner}).duplicated().sum())
    named_columns = id_columns if rater is None else [*id_columns, rater]
    return [note("battles-repeated", n=n_repeated, by=" and ".join(named_columns), same=n_same)]


# --- rankings -------------------------------------------------------------------------------------


def _from_rankings(cells: _Cells, layout: Layout) -> pd.DataFrame:
    """A comparison for each two systems that a row ranks; the index has the rows' numbers.

    The ``task`` of a comparison is the number of its row.
    """
    ranks = [_ranks(cells, column) for column in layout.ranks]
    is_ranked = [rank.notna() for rank in ranks]
    systems = [
        cells.names(column, is_read.to_numpy())
        for column, is_read in zip(layout.systems, is_ranked, strict=True)
    ]
    pairs = []
    for a, b in itertools.combinations(range(len(systems)), 2):
        both = is_ranked[a] & is_ranked[b]
        is_twice = both & (systems[a] == systems[b])
        cells.refuse(is_twice, layout.systems[b], "{name!r} is ranked twice in one row")
        lead = ranks[b][both] - ranks[a][both]
        pair = {
            "system_a": systems[a][both],
            "system_b": systems[b][both],
            "outcome": np.sign(lead).astype(int),
        }
        pairs.append(pd.DataFrame(pair))
    compared = pd.concat(pairs).sort_index(kind="stable")
    if compared.empty:
        raise InputError(f"{cells.where(0)} and all others rank fewer than two systems.")
    return compared.assign(task=compared.index)


def _ranks(cells: _Cells, column: str) -> pd.Series:
    """The ranks in a column, 1 for the best; missing where nothing is there, or -1."""
    written = cells.frame[column]
    ranks = pd.Series(_plain_numbers(written), written.index)
    is_unranked = blank(written) | (ranks == _NOT_RANKED)
    is_rank = (ranks > 0) & np.isfinite(ranks)
    cells.refuse(
        ~is_unranked & ~is_rank,
        column,
        "{short} is not a rank. Write 1 for the best, and -1 for what was not ranked",
    )
    return ranks.mask(is_unranked)


def _note_on_unranked(frame: pd.DataFrame, compared: pd.DataFrame) -> list[Note]:
    """What to say of rankings of fewer than two systems."""
    n_unranked = len(frame) - compared.index.nunique()
    return [note("rankings-of-one", n=n_unranked)] if n_unranked else []


def _note_on_languages(frame: pd.DataFrame) -> list[Note]:
    """What to say of rankings of several language pairs in one table, as WMT published them."""
    columns = columns_called(frame.columns, _LANGUAGES)
    distinct = frame[columns].astype(str).drop_duplicates()
    pairs = ["-".join(row) for row in distinct.to_numpy()]
    if len(pairs) < 2:
        return []
    return [note("rankings-pooled", n=len(pairs), pairs=listed(pairs, _MOST_LANGUAGE_PAIRS))]


# --- names ----------------------------------------------------------------------------------------


def _note_on_names(compared: pd.DataFrame) -> list[Note]:
    """What to say of names that are easily taken for each other."""
    names = dict.fromkeys([*compared["system_a"], *compared["system_b"]])
    groups = [" and ".join(map(repr, group)) for group in alike(names, folded)]
    return [note("names-alike", names=listed(groups, 3, by="; "))] if groups else []
