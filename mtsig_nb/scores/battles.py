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
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, listed
from ..metrics.base import FloatArray, IntArray, Mask
from ..notes import Note, note
from ..statistics.sufficient import real_numbers
from .labels import normalized
from .score_file import blank

#: Names of the columns of the two models, and of the winner, as `normalized` has them.
_PAIRS = (
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
#: Names of columns that identify a battle, and of those that identify what was judged.
_BATTLE_IDS = ("battle_id", "battle", "vote_id", "comparison_id", "conversation_id")
_ITEM_IDS = ("question_id", "prompt_id", "item_id", "instance_id", "segment_id", "segment", "item")
#: What tells two battles about the same item apart, beside who judged.
_ROUNDS = ("turn", "round", "repeat", "epoch", "call", "order", "lang", "language")
#: Columns of rankings: the name of a system, and its rank, with the number of its place.
_RANKED_SYSTEM = re.compile(r"(?:system|model)_?(\d+)_?(?:id|name)?")
_RANK = re.compile(r"(?:system|model)_?(\d+)_?rank")
#: What stands for the rank of an output that was shown and not ranked.
_NOT_RANKED = -1

#: Words for a side, as `_word` has them: +1 for the first of the two columns, -1 for the second.
SIDES = {
    **dict.fromkeys(("model a", "system a", "a"), 1),
    **dict.fromkeys(("model 1", "system 1", "1", "left", "first"), 1),
    **dict.fromkeys(("model b", "system b", "b"), -1),
    **dict.fromkeys(("model 2", "system 2", "2", "right", "second"), -1),
}
#: Words for a tie, likewise.
TIES = frozenset(
    [
        *("tie", "tied", "draw", "equal", "same", "neither", "no preference"),
        *("both", "both bad", "bothbad", "both good", "bothgood"),
        *("both are bad", "both are good"),
        *("tie both bad", "tie bothbad", "tie both good", "tie bothgood", "tie inconsistent"),
    ]
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
        """All of them."""
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
    named = {normalized(name): str(name) for name in columns}
    for first, second in _PAIRS:
        if {first, second, _WINNER} <= named.keys():
            return Layout((named[first], named[second]), winner=named[_WINNER])
    systems = _by_place(named, _RANKED_SYSTEM)
    ranks = _by_place(named, _RANK)
    places = sorted(systems.keys() & ranks.keys())
    if len(places) < 2:
        return None
    return Layout(tuple(systems[n] for n in places), tuple(ranks[n] for n in places))


def _by_place(named: dict[str, str], pattern: re.Pattern[str]) -> dict[int, str]:
    """The columns whose names fit, by the number in each; ``system1Id`` before ``system1``."""
    found: dict[int, str] = {}
    for plain, name in sorted(named.items()):
        if match := pattern.fullmatch(plain):
            found[int(match[1])] = name
    return found


def lacks_winner(frame: pd.DataFrame) -> tuple[str, str] | None:
    """The two columns of models in a table of battles that does not say who won, if it is one."""
    named = {normalized(name): str(name) for name in frame.columns}
    for first, second in _PAIRS:
        if {first, second} <= named.keys():
            pair = named[first], named[second]
            return None if _are_scores(frame, pair, whole_numbers=True) else pair
    return None


def are_battles(frame: pd.DataFrame) -> bool:
    """Whether a table is one of battles or rankings, and no wide table of two systems' scores."""
    layout = layout_of(frame.columns)
    return layout is not None and not _are_scores(frame, layout.systems)


def _are_scores(
    frame: pd.DataFrame, columns: Sequence[str], *, whole_numbers: bool = False
) -> bool:
    """Whether the columns have scores and no names: mostly numbers, of which some are no integers.

    With `whole_numbers` integers are scores as well.  A score may be damaged, so not all are asked.
    """
    some_are_broken = False
    for name in columns:
        cells = real_numbers(frame[name].where(frame[name].map(_is_plain)))
        numbers = cells[np.isfinite(cells)]
        if 2 * len(numbers) <= len(cells):
            return False
        some_are_broken = some_are_broken or bool((numbers != np.round(numbers)).any())
    return whole_numbers or some_are_broken


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
    layout = layout_of(frame.columns)
    if layout is None:
        raise InputError("frame has neither battles (model_a, model_b, winner) nor rankings.")
    if frame.empty:
        raise InputError("frame has no comparisons; a campaign needs at least one.")
    names = [normalized(name) for name in frame.columns]
    for column in layout.columns:
        if names.count(normalized(column)) > 1:
            raise InputError(f"frame has more than one column {column!r}. Rename one.")
    cells = _Cells(frame.rename(columns=str).reset_index(drop=True), where)
    compared = _from_rankings(cells, layout) if layout.ranks else _from_battles(cells, layout)
    rater = _rater_column(cells.frame)
    if rater is not None:
        compared["rater"] = cells.names(rater).iloc[compared.index]
    notes = [*_note_on_names(compared), *_note_on_unranked(cells.frame, compared, layout)]
    if not layout.ranks:
        notes += _note_on_repeats(cells.frame, compared, rater)
    used = {*layout.columns, rater}
    unused = tuple(name for name in cells.frame.columns if name not in used)
    rest = cells.frame[[name for name in unused if name not in compared]]
    return Battles(
        compared.join(rest).reset_index(drop=True),
        n_rankings=len(frame) if layout.ranks else 0,
        most_ranked=len(layout.systems),
        unused=unused,
        notes=tuple(notes),
    )


# --- cells ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class _Cells:
    """A table of which columns are read, and how messages name its rows."""

    frame: pd.DataFrame
    where: Callable[[int], str]

    def names(self, column: str, among: Mask | None = None) -> pd.Series:
        """The names in a column, numbers as they are written; of some rows alone if so asked."""
        cells = self.frame[column]
        read = np.ones(len(cells), bool) if among is None else among
        missing = blank(cells).to_numpy()
        plain = cells.map(_is_plain).to_numpy(bool)
        self.refuse(read & missing, column, lambda _: "there is no value. Fill it in")
        self.refuse(read & ~plain, column, lambda cell: f"{_short(cell)} is not a name. Write one")
        names = cells.astype(str)
        marked = _of_each(names, lambda name: name.strip().casefold() in _NO_VALUE).to_numpy(bool)
        self.refuse(
            read & marked,
            column,
            lambda cell: f"{cell!r} means that there is no value. Fill it in, or rename the system",
        )
        return names

    def refuse(self, bad: pd.Series | Mask, column: str, message: Callable[[Any], str]) -> None:
        """Raise an `InputError` about the first of the cells that are bad."""
        rows = np.flatnonzero(bad)
        if not len(rows):
            return
        cell = self.frame[column].tolist()[rows[0]]
        raise InputError(f"{self.place(rows, column)}: {message(cell)}.")

    def place(self, rows: IntArray, column: str) -> str:
        """The first of some rows, the column, and how many more there are."""
        more = f" (and {len(rows) - 1:,} more)" if len(rows) > 1 else ""
        return f"{self.where(int(rows[0]))}, column {column!r}{more}"


def _is_plain(cell: Any) -> bool:
    """Whether a cell is a text or a number."""
    return isinstance(cell, str | int | float | np.number) and not isinstance(cell, bool | np.bool_)


def _short(cell: Any) -> str:
    return reprlib.repr(cell)


def _of_each(names: pd.Series, function: Callable[[str], Any]) -> pd.Series:
    """What a function makes of each name, asked once for each that is different."""
    return names.map({name: function(name) for name in names.unique()})


def _word(cell: str) -> str:
    """A cell as words are compared: in small letters, one blank between parts.

    >>> _word("Tie (both-bad)"), _word("both_bad "), _word("-1")
    ('tie both bad', 'both bad', '-1')
    """
    without_brackets = re.sub(r"(?<=\w)\s*\(([^()]*)\)\s*$", r" \1", cell.casefold())
    return re.sub(r"[\s_]+|(?<=\w)-(?=\w)", " ", without_brackets).strip()


def _folded(name: str) -> str:
    """A name as it is confused with others: without case, blanks and the form of characters."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _rater_column(frame: pd.DataFrame) -> str | None:
    """The column that says who judged, unless nothing is in it."""
    named = {normalized(name): name for name in frame.columns}
    for plain in _RATERS:
        if plain in named and not blank(frame[named[plain]]).all():
            return named[plain]
    return None


# --- battles --------------------------------------------------------------------------------------


def _from_battles(cells: _Cells, layout: Layout) -> pd.DataFrame:
    """A comparison for each row."""
    first, second = (cells.names(column) for column in layout.systems)
    itself = (first == second).to_numpy()
    cells.refuse(itself, layout.systems[1], lambda cell: f"{str(cell)!r} is set against itself")
    outcome = _outcomes(cells, layout, first, second)
    return pd.DataFrame({"system_a": first, "system_b": second, "outcome": outcome})


def _outcomes(cells: _Cells, layout: Layout, first: pd.Series, second: pd.Series) -> IntArray:
    """Who won each battle: +1 for the first model, 0 for a tie, -1 for the second.

    A row may be read by names and by words.  Names are those of the row's two models; words are
    those for sides and for ties.
    """
    winner = cells.names(layout.winner)
    by_name = np.select([winner == first, winner == second], [1.0, -1.0], np.nan)
    meaning = {**SIDES, **dict.fromkeys(TIES, 0)}
    by_word = _of_each(winner, lambda cell: meaning.get(_word(cell))).to_numpy(np.float64)

    unknown = np.flatnonzero(np.isnan(by_name) & np.isnan(by_word))
    if len(unknown):
        row = int(unknown[0])
        raise InputError(
            f"{cells.where(row)}: {layout.winner}={winner[row]!r} is neither of the two models, "
            f"{first[row]!r} and {second[row]!r}, nor {layout.systems[0]!r}, {layout.systems[1]!r} "
            f"or 'tie'{_hint(winner[row], first[row], second[row])}. Write one of these."
        )
    clashing = _clashing(winner, first, second, by_word)
    # Where some winner is no word, and all that are no ties are names, the column has names.
    has_names = bool(np.isnan(by_word).any() and (~np.isnan(by_name) | (by_word == 0)).all())
    unclear = clashing & (~has_names | (by_word == 0))
    if unclear.any():
        row = int(unclear.argmax())
        raise InputError(
            f"{cells.where(row)}: {layout.winner}={winner[row]!r} is the name of a model and a "
            f"word for {'a tie' if by_word[row] == 0 else 'a side'}, and it cannot be known which "
            "is meant. Rename the models."
        )
    names_first = np.where(np.isnan(by_name), by_word, by_name)
    words_first = np.where(np.isnan(by_word), by_name, by_word)
    return (names_first if has_names else words_first).astype(int)


def _clashing(winner: pd.Series, first: pd.Series, second: pd.Series, by_word: FloatArray) -> Mask:
    """Where a word for a winner is also the name of some model, and says something else as such.

    A name in another case clashes as well: it may be a slip.
    """
    folded, first_folded, second_folded = (
        _of_each(names, _folded) for names in (winner, first, second)
    )
    of_any_model = folded.isin({*first_folded, *second_folded}).to_numpy()
    says_same = np.select([folded == first_folded, folded == second_folded], [1, -1], 2) == by_word
    return ~np.isnan(by_word) & of_any_model & ~says_same


def _hint(winner: str, first: str, second: str) -> str:
    """What a winner may be a slip of."""
    close = [name for name in (first, second) if _folded(name) == _folded(winner)]
    return f" (names are compared as they are written: {close[0]!r}?)" if close else ""


def _note_on_repeats(frame: pd.DataFrame, compared: pd.DataFrame, rater: str | None) -> list[Note]:
    """What to say of battles that are there more than once by what identifies them."""
    named = {normalized(name): name for name in frame.columns}
    identified = [named[plain] for plain in _BATTLE_IDS if plain in named][:1]
    if not identified and rater is not None:
        identified = [named[plain] for plain in _ITEM_IDS if plain in named][:1]
    if not identified:
        return []
    told_apart = [named[plain] for plain in _ROUNDS if plain in named]
    keys = frame[[*identified, *told_apart]].astype(str)
    keys["(rater)"] = compared.get("rater", "")
    better = np.where(compared["outcome"] >= 0, compared["system_a"], compared["system_b"])
    swapped = (compared["system_a"] > compared["system_b"]).to_numpy()
    keys["(a)"] = np.where(swapped, compared["system_b"], compared["system_a"])
    keys["(b)"] = np.where(swapped, compared["system_a"], compared["system_b"])
    n_repeated = int(keys.duplicated().sum())
    if not n_repeated:
        return []
    keys["(winner)"] = np.where(compared["outcome"] == 0, "", better)
    n_same = int(keys.duplicated().sum())
    by = " and ".join([*identified, *([rater] if rater else [])])
    return [note("battles-repeated", n=n_repeated, by=by, same=n_same)]


# --- rankings -------------------------------------------------------------------------------------


def _from_rankings(cells: _Cells, layout: Layout) -> pd.DataFrame:
    """A comparison for each two systems that a row ranks; its index has the rows' numbers."""
    ranks = [_ranks(cells, column) for column in layout.ranks]
    systems = [
        cells.names(column, of_place.notna().to_numpy())
        for column, of_place in zip(layout.systems, ranks, strict=True)
    ]
    parts = []
    for a, b in itertools.combinations(range(len(systems)), 2):
        both = ranks[a].notna() & ranks[b].notna()
        itself = both & (systems[a] == systems[b])
        cells.refuse(
            itself, layout.systems[b], lambda cell: f"{str(cell)!r} is ranked twice in one row"
        )
        pair = {
            "system_a": systems[a][both],
            "system_b": systems[b][both],
            "outcome": np.sign(ranks[b][both] - ranks[a][both]).astype(int),
        }
        parts.append(pd.DataFrame(pair))
    compared = pd.concat(parts).sort_index(kind="stable")
    if compared.empty:
        raise InputError(f"{cells.where(0)} and all others rank fewer than two systems.")
    return compared.assign(task=compared.index)


def _ranks(cells: _Cells, column: str) -> pd.Series:
    """The ranks in a column, 1 for the best; missing where nothing is there, or -1."""
    written = cells.frame[column]
    numbers = pd.Series(real_numbers(written.where(written.map(_is_plain))), written.index)
    left_out = blank(written) | (numbers == _NOT_RANKED)
    cells.refuse(
        ~left_out & ~((numbers > 0) & np.isfinite(numbers)),
        column,
        lambda cell: (
            f"{_short(cell)} is no rank. Write 1 for the best, and -1 for what was not ranked"
        ),
    )
    return numbers.mask(left_out)


def _note_on_unranked(frame: pd.DataFrame, compared: pd.DataFrame, layout: Layout) -> list[Note]:
    """What to say of rankings of fewer than two systems."""
    n = len(frame) - compared.index.nunique()
    return [note("rankings-of-one", n=n)] if layout.ranks and n else []


# --- names ----------------------------------------------------------------------------------------


def _note_on_names(compared: pd.DataFrame) -> list[Note]:
    """What to say of names that are easily taken for each other."""
    names = dict.fromkeys([*compared["system_a"], *compared["system_b"]])
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(_folded(name), []).append(name)
    confused = [" and ".join(map(repr, same)) for same in alike.values() if len(same) > 1]
    return [note("names-alike", names=listed(confused, 3, by="; "))] if confused else []
