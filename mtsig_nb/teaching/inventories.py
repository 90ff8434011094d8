"""The concept inventory: an exam before and after a course, and what a class learned."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..components import Component
from ..components.codes import Codes, answers_of, entries_in, exam
from ..errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def inventory(
    path: str | os.PathLike[str], *, units: Mapping[int, Mapping[str, str]] | None = None
) -> Component:
    """The concept inventory as an exam that gives a code.

    By default the exam does not say what is right.

    Parameters
    ----------
    path : path
        Of ``notebooks/labs/inventory.toml``, or of a file like it.
    units : mapping, optional
        By the number of a unit its ``title`` and its ``page``.  With it the exam ends with the
        score, and with what to read again for each question that was answered wrongly; nothing
        where its unit is not among them.

    Returns
    -------
    Component
        The last expression of a cell; ``make handouts`` and ``make run`` make pages of it.
    """
    written = _read(path)
    items = written["item"]
    if units is None:
        return exam([_question(item) for item in items])
    misconceptions = written["misconceptions"]
    questions = [_question(item) | _feedback(item, misconceptions, units) for item in items]
    expected = sum(1 / len(item["options"]) for item in items)
    return exam(questions, about_guessing=f"Guessing gets about {expected:.0f} right.")


def _feedback(
    item: Mapping[str, Any],
    misconceptions: Mapping[str, str],
    units: Mapping[int, Mapping[str, str]],
) -> dict[str, Any]:
    """What the exam says at its end of one question, under the names that :func:`exam` knows."""
    options = item["options"]
    replies = []
    for option in options:
        belief = misconceptions.get(option.get("misconception", ""))
        replies.append(f"You would choose this if you thought: {belief}" if belief else "")
    return {
        "right": [option.get("right", False) for option in options].index(True),
        "because": item["because"],
        "replies": replies,
        "unit": units.get(item["unit"]),
    }


def inventory_results(
    path: str | os.PathLike[str], before: Codes, after: Codes = ()
) -> pd.DataFrame:
    """A class's inventory, item by item, before a course and after it.

    Parameters
    ----------
    path : path
        As of :func:`inventory`.
    before, after : sequence of str, or path
        Codes, as of :func:`read_codes`.

    Returns
    -------
    DataFrame
        A row for each item: unit, the share of the class that is right ``before`` and ``after``
        (missing without such codes), and of the latest codes the wrong answer that was given most:
        ``wrong``, its share, and the ``misconception`` behind it.

    Raises
    ------
    InputError
        If `path` is no inventory, there are no codes, or none of a list is one of this inventory.

    Warns
    -----
    UserWarning
        For each code that is left out, as by :func:`read_codes`.

    Examples
    --------
    >>> path = "notebooks/labs/inventory.toml"
    >>> inventory_results(path, [])
    Traceback (most recent call last):
    ...
    mtsig_nb.errors.InputError: before: there are no codes. Give those of the class.
    """
    import pandas as pd

    items = _read(path)["item"]
    asked = inventory(path)
    entries = {"before": entries_in(before), "after": entries_in(after)}
    if not entries["before"]:
        raise InputError("before: there are no codes. Give those of the class.")
    answers = {}
    for time, handed_in in entries.items():
        if handed_in:
            argument = f"codes {time}" if entries["after"] else "codes"
            answers[time] = answers_of(handed_in, asked, argument)
    rows = []
    for number, item in enumerate(items, start=1):
        rows.append(_item_results(number, item, asked, answers))
    return pd.DataFrame(rows).set_index("item")


def _item_results(
    number: int, item: Mapping[str, Any], asked: Component, answers: Mapping[str, pd.DataFrame]
) -> dict[str, Any]:
    """How a class answered one item: a row of :func:`inventory_results`.

    `answers` has, by time, the earlier first, a table with a column for each item's number.
    """
    options = dict(zip(asked.data["answers"], item["options"], strict=False))
    right = next(letter for letter, option in options.items() if option.get("right"))
    shares_right = {time: (table[number] == right).mean() for time, table in answers.items()}

    latest = list(answers.values())[-1]
    given = latest[number].value_counts(normalize=True)
    shares_wrong = given.drop(right, errors="ignore")
    wrong = ""
    share = 0.0
    misconception = ""
    if len(shares_wrong):
        wrong = str(shares_wrong.index[0])
        share = shares_wrong.iloc[0]
        misconception = options[wrong]["misconception"]
    return {
        "item": number,
        "unit": item["unit"],
        "before": shares_right["before"],
        "after": shares_right.get("after"),
        "wrong": wrong,
        "share": share,
        "misconception": misconception,
    }


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """An inventory as it is written: its items under ``item``, and its ``misconceptions``."""
    try:
        with open(path, "rb") as file:
            written = tomllib.load(file)
            written["item"]  # without which it is no inventory
    except OSError as error:
        raise InputError(f"path={str(path)!r} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError) as error:
        reason = "it has no [[item]]" if isinstance(error, KeyError) else error
        raise InputError(
            f"path={str(path)!r} is not an inventory: {reason}. Give "
            "notebooks/labs/inventory.toml, or a file like it."
        ) from None
    return written


def _question(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item as :func:`exam` takes it: without what is right."""
    return {"stem": item["stem"], "options": [option["text"] for option in item["options"]]}
