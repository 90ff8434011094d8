"""The project's own errors: each names the argument, the culprit and the fix."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_NAMES = 100  # that a message lists


class MtsigError(Exception):
    """Anything that mtsig_nb itself refuses to do.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> try:
    ...     mt.load("wmt99/es-en")
    ... except mt.MtsigError as error:
    ...     print(type(error).__name__)
    InputError
    """


class InputError(MtsigError, ValueError):
    """Input that cannot be used as it is; the message says which part, and what to do.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> try:
    ...     mt.metrics.get("BELU")
    ... except mt.InputError as error:
    ...     print(str(error).partition(" Known")[0])
    metric='BELU' is not known. Did you mean 'BLEU'?
    """


def unknown_name(argument: str, value: object, known: Iterable[str]) -> InputError:
    """The error for a name that is not among the known ones, with the one it is a slip of.

    >>> print(unknown_name("metric", "BELU", ["BLEU", "TER"]))
    metric='BELU' is not known. Did you mean 'BLEU'? Known: 'BLEU', 'TER'.
    >>> print(unknown_name("metric", "COMET", ["METEOR", "TER"]))
    metric='COMET' is not known. Known: 'METEOR', 'TER'.
    """
    names = list(known)
    folded = {name.casefold(): name for name in names}
    wanted = str(value).casefold()
    similar = difflib.get_close_matches(wanted, folded, n=5, cutoff=0.5)
    close = [name for name in similar if _is_slip(wanted, name)]
    hint = f" Did you mean {folded[close[0]]!r}?" if close else ""
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return InputError(
        f"{argument}={value!r} is not known.{hint} Known: "
        f"{', '.join(map(repr, names[:_MOST_NAMES]))}{more}."
    )


def _is_slip(typed: str, meant: str) -> bool:
    """Whether each part of a name ("wmt12/es-en" has two) is one slip away, or few for its length.

    Names of one kind resemble each other without being slips of each other.
    """
    parts = typed.split("/"), meant.split("/")
    return len(parts[0]) == len(parts[1]) and all(
        _slips(a, b) <= max(1, (max(len(a), len(b)) - 1) // 3) for a, b in zip(*parts, strict=True)
    )


def _slips(typed: str, meant: str) -> int:
    """Letters left out, added, exchanged or swapped with their neighbour (Damerau 1964)."""
    rows = [list(range(len(meant) + 1))]
    for i, a in enumerate(typed, start=1):
        row = [i]
        for j, b in enumerate(meant, start=1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b)))
            if i > 1 and j > 1 and typed[i - 2 : i] == b + meant[j - 2]:
                row[j] = min(row[j], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]
