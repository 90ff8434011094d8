"""What blocks of resamples gave, kept for whoever asks for the same blocks again.

The level, the correction, the alternative and the counting change nothing that is drawn, and
several tests count the same draws.  So somebody who tries one setting after the other, as in the
explorer, need not wait for draws that were made before.  Nothing but the explorer keeps them: a
command asks once, and its memory is for the data.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from .resampling import Resampling

T = TypeVar("T")

#: What kept results may take together: 64 MB, which is twelve times what 66 pairs take under one
#: metric with 10,000 resamples.
MOST_BYTES = 64 * 2**20

#: A digest of work and plan, the number of a block, and how many resamples it has.
Key = tuple[bytes, int, int]


class KeptBlocks:
    """The results of work on blocks of resamples, each under all that it depends on.

    Parameters
    ----------
    most_bytes : int, optional
        What the results may take together.  Where there are more, those go that have not been asked
        for longest.

    Examples
    --------
    >>> import functools
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> test = functools.partial(mt.bootstrap_test, bleu, "onlineC", "onlineD", rng=1)
    >>> kept = KeptBlocks()
    >>> with blocks_kept_in(kept):
    ...     two_sided = test(n_resamples=1000)
    >>> len(kept)
    2
    >>> with blocks_kept_in(kept):
    ...     one_sided = test(n_resamples=1500, alternative="greater")
    >>> len(kept)
    3
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._results: OrderedDict[Key, Any] = OrderedDict()

    def __len__(self) -> int:
        return len(self._results)

    def map(self, work: Callable[[Resampling, int], T], plan: Resampling) -> Iterator[T]:
        """``work(plan, block)`` of every block, in order.

        `work` gives an array or a list of arrays, which nobody may change any more.
        """
        digest = _digest(work, plan)
        for block in plan.blocks:
            key = (digest, block, plan.rows_in(block))
            if key in self._results:
                self._results.move_to_end(key)
                yield self._results[key]
            else:
                result = work(plan, block)
                self._keep(key, result)
                yield result

    def _keep(self, key: Key, result: Any) -> None:
        """Keep a result, and let others go as far as all of them take too much."""
        for array in _arrays_in(result):
            array.flags.writeable = False
        self._results[key] = result
        self._n_bytes += _n_bytes_of(result)
        while self._n_bytes > self._most_bytes:
            _, oldest = self._results.popitem(last=False)
            self._n_bytes -= _n_bytes_of(oldest)


def _arrays_in(result: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays that work on a block gave: one, or a list of them."""
    return [result] if isinstance(result, np.ndarray) else result


def _n_bytes_of(result: Any) -> int:
    """What a result takes in memory."""
    return sum(array.nbytes for array in _arrays_in(result))


def _digest(work: Callable[..., Any], plan: Resampling) -> bytes:
    """What stands for the work and for the plan, however many resamples the plan has.

    A block depends on nothing else, since that is all that a worker needs to make it.
    """
    of_any_length = dataclasses.replace(plan, start=0, n_resamples=0)
    return hashlib.sha256(pickle.dumps((work, of_any_length))).digest()


_kept: ContextVar[KeptBlocks | None] = ContextVar("kept", default=None)


@contextlib.contextmanager
def blocks_kept_in(kept: KeptBlocks) -> Iterator[None]:
    """Take from `kept` what it has, and keep in it what it has not, in this thread."""
    token = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(token)


def kept_blocks() -> KeptBlocks | None:
    """Where results are kept at present; None where they are not."""
    return _kept.get()
