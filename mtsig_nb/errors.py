"""The project's own errors: each names the argument, the culprit and the fix."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


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
    """The error for a name that is not among the known ones, with the closest of them.

    >>> print(unknown_name("metric", "BELU", ["BLEU", "TER"]))
    metric='BELU' is not known. Did you mean 'BLEU'? Known: 'BLEU', 'TER'.
    """
    names = list(known)
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(str(value).casefold(), folded, n=1, cutoff=0.5)
    hint = f" Did you mean {folded[close[0]]!r}?" if close else ""
    return InputError(
        f"{argument}={value!r} is not known.{hint} Known: {', '.join(map(repr, names))}."
    )
