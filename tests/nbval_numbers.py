"""nbval compares outputs as text; with this plugin it compares the numbers in them as numbers.

Words, integers and decimals of at most four significant digits have to be the same to the
character.  Of longer decimals the last digits differ between processors: they may be two units of
their fifth significant digit apart.  Spaces that align columns count once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from nbval import kernel
from nbval.plugin import IPyNbCell

from tools.notebooks.files import again_if_no_kernel

from .forked_kernels import forked_kernels

#: A decimal, in brackets so that `split` keeps it; not a part of a word, a version or an address.
DECIMAL = re.compile(r"(?<![\w.])((?:\d[\d,]*)?\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?![\w.]*\w)")
EXACT_DIGITS, UNITS = 4, 2


class Output(str):
    """An output's text, equal to another that says the same."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        mine, others = (DECIMAL.split(re.sub(" +", " ", text)) for text in (self, other))
        return len(mine) == len(others) and all(
            one == two or (k % 2 == 1 and _close(_number(one), _number(two)))
            for k, (one, two) in enumerate(zip(mine, others, strict=True))
        )

    def __ne__(self, other: object) -> bool:
        return not self == other


def _close(one: Decimal, other: Decimal) -> bool:
    """Whether two decimals are long, and differ by two units of the fifth digit at most."""
    if min(len(number.as_tuple().digits) for number in (one, other)) <= EXACT_DIGITS:
        return False
    return abs(one - other) <= UNITS * Decimal(1).scaleb(one.adjusted() - EXACT_DIGITS)


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def pytest_configure() -> None:
    """Have nbval compare `Output` in the place of text, and fork kernels; again if one is late."""
    sanitize = IPyNbCell.sanitize

    def sanitized(cell: IPyNbCell, content: object) -> object:
        found = sanitize(cell, content)
        return Output(found) if isinstance(found, str) else found

    IPyNbCell.sanitize = sanitized
    kernel.start_new_kernel = partial(_started, kernel.start_new_kernel)


def _started(start: Callable[..., Any], **options: Any) -> Any:
    with forked_kernels():
        return again_if_no_kernel(partial(start, **options))
