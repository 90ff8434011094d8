"""The project's own errors: each names the argument, the culprit and the fix."""

from __future__ import annotations

import difflib
import errno
import importlib.util
import numbers
from collections.abc import Collection, Iterable, Sequence
from typing import TypeGuard

from .sentences import Option, Sentence

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

    Parameters
    ----------
    message : str
        A `Sentence` where it names options.
    code : str
        Callers tell errors apart by it.
    subject : str
        What the message is about, if it begins with that.  It is put before the message; a caller
        that knows it by another name puts that name before `message`.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> try:
    ...     mt.metrics.get("BELU")
    ... except mt.InputError as error:
    ...     print(str(error).partition(" Known")[0])
    metric='BELU' is not known. Did you mean 'BLEU'?
    """

    def __init__(self, message: str, *, code: str = "", subject: str = "") -> None:
        super().__init__(Sentence(subject, " ", message) if subject else message)
        self.problem = message
        self.code = code
        self.subject = subject

    @property
    def sentence(self) -> str:
        """The whole message, with the options that it names as data."""
        sentence: str = self.args[0]
        return sentence


def out_of_memory(error: BaseException, what: str = "this") -> str:
    """The sentence for memory that does not suffice for something.

    >>> print(out_of_memory(MemoryError("Unable to allocate 1.86 GiB"), "a.txt (7 MB)"))
    not enough memory for a.txt (7 MB): Unable to allocate 1.86 GiB. Give fewer systems or segments
    at a time, or use a computer with more memory.
    """
    if isinstance(error, ImportError):
        return "not enough memory to load the libraries that this needs. Use a computer with more."
    needed = f": {str(error).removesuffix('.')}" if str(error) else ""
    return (
        f"not enough memory for {what}{needed}. Give fewer systems or segments at a time, or use a "
        "computer with more memory."
    )


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory does not suffice, as Python or the operating system does.

    >>> is_out_of_memory(MemoryError()), is_out_of_memory(OSError(errno.ENOENT, "No such file"))
    (True, False)
    """
    cause = error.__cause__ or error.__context__
    if isinstance(error, ImportError):  # a library cannot be loaded
        reason = str(error)
        is_told = "failed to map segment" in reason or "allocate memory" in reason
        return is_told or (cause is not None and is_out_of_memory(cause))
    return isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value that a caller gave is a whole number, and no truth value."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


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
    close = [name for name in folded if name.startswith(f"{wanted}_")]  # en-ja of en-ja_JP
    if not close:
        # All campaigns have names that resemble each other.
        cutoff = 0.9 if "/" in wanted else 0.73
        close = difflib.get_close_matches(wanted, folded, n=1, cutoff=cutoff)
    hint = f" Did you mean {folded[close[0]]!r}?" if close else ""
    among = listed([repr(name) for name in names], _MOST_NAMES)
    return InputError(Sentence(Option(argument, value), f" is not known.{hint} Known: {among}."))


def require_extra(*packages: str, extra: str, purpose: str, instead: str = "") -> None:
    """Raise `missing_extra` unless all `packages` are there; imports none of them.

    >>> require_extra("numpy", extra="notebook", purpose="A figure")
    """
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        raise missing_extra(*missing, extra=extra, purpose=purpose, instead=instead)


def missing_extra(*missing: str, extra: str, purpose: str, instead: str = "") -> InputError:
    """The error for packages of an optional extra, which `purpose` needs and `instead` does not.

    >>> print(missing_extra("pooch", extra="data", purpose="fetch_texts"))
    fetch_texts needs pooch, of the extra 'data', which is not installed: python -m pip install
    pooch; or in a copy of the repository python -m pip install -e ".[data]".
    """
    are = "is" if len(missing) == 1 else "are"
    another_way = f" Or use {instead}." if instead else ""
    # Both work without an index that has this package: the first anywhere, the second for good.
    return InputError(
        f"{purpose} needs {', '.join(missing)}, of the extra {extra!r}, which "
        f"{are} not installed: python -m pip install "
        f"{' '.join(missing)}; or in a copy of the repository python -m pip install -e "
        f'".[{extra}]".{another_way}'
    )


def listed(names: Sequence[str], most: int = 5, *, by: str = ", ") -> str:
    """Names as messages list them.

    >>> listed("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    first = by.join(names[:most])
    n_more = len(names) - most
    if n_more <= 0:
        return first
    return f"{first} and {n_more:,} more"


def in_prose(names: Sequence[str], conjunction: str = "and") -> str:
    """Names as a sentence has them, with "and" or another word before the last; "" for none.

    >>> in_prose(["BLEU"]), in_prose(["BLEU", "chrF", "TER"]), in_prose(["A", "B"], "or")
    ('BLEU', 'BLEU, chrF and TER', 'A or B')
    """
    if not names:
        return ""
    *others, last = names
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def counted(n: int, noun: str) -> str:
    """A number of things, in figures.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def check_one_of(argument: str, value: object, known: Collection[str]) -> None:
    """Raise `InputError` unless `value` is one of the known names.

    >>> check_one_of("ties", "drop", ("drop", "half"))
    """
    if value not in known:
        raise unknown_name(argument, value, known)


def check_all_of(argument: str, values: Iterable[object], known: Collection[str]) -> None:
    """Raise `InputError` for the first of `values` that is not one of the known names.

    >>> check_all_of("modules", ["exact", "stem"], ("exact", "stem", "synonym"))
    """
    for value in values:
        check_one_of(argument, value, known)
