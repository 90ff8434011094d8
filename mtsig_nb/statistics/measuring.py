"""From texts to sufficient statistics: in parallel, and once only."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import math
import os
import sys
import time
import types
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import platformdirs

from .. import metrics
from ..browser import IN_BROWSER
from ..errors import InputError
from ..metrics.base import FloatArray, Metric
from ..progress import progress_bar
from ..texts.test_sets import Texts
from ..writing import whole_file
from .sufficient import SufficientStatistics

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.context import BaseContext

#: Part of every cache key.  Raise it when a metric of the package comes to count differently
#: under the same signature.
STATISTICS_VERSION = 1

#: Work expected to last longer than this many seconds is shared among processes: starting them,
#: with another import of this package, takes a few.
_WORTH_SHARING = 10.0
_SAMPLE = 100  # segments measured to find out

#: Python's own variable: whatever it holds, the current folder is no place for modules.
_SAFE_PATH = "PYTHONSAFEPATH"


def measure(
    test_set: Texts,
    metric: str | Metric,
    *,
    systems: Iterable[str] | None = None,
    cache: bool = True,
    workers: int | None = None,
    progress: bool | None = None,
    **settings: Any,
) -> SufficientStatistics:
    """Count a metric's sufficient statistics for the systems of a test set.

    Parameters
    ----------
    test_set : Texts
    metric : str or Metric
        A metric, or the name of one (``"BLEU"``) with its `settings`.
    systems : iterable of str, optional
        Which systems, in which order; by default all.
    cache : bool
        Keep the statistics of every system in the user's cache folder, or in that of the
        environment variable ``MTSIG_CACHE``, and take them from there when the same output has
        been measured against the same references by the same metric before.  The folder may be
        deleted at any time.  Whoever may write to it decides what is read from it.  Only metrics of
        this package are cached, since nothing tells whether
        the code of others has changed.
    workers : int, optional
        Processes to share the systems among.  By default as many as there are processors, if the
        work looks like taking long enough to be worth it; 1 computes here.  The result is the same.
        Metrics defined in a notebook or script cannot travel, and are computed here.
    progress : bool, optional
        Show a progress bar; by default in notebooks and at terminals, for work that lasts.
    **settings
        Of the metric, when it is given by name.

    Returns
    -------
    SufficientStatistics
        Values of shape (systems, segments, counts).

    Raises
    ------
    InputError
        If the metric, one of its settings or a system is not known (the closest name is given), or
        what the metric needs is not installed.

    Examples
    --------
    >>> from mtsig_nb.texts.test_sets import Texts
    >>> pets = Texts.from_texts(
    ...     reference=["The cat sleeps on the mat.", "A dog barks at the moon."],
    ...     systems={"A": ["The cat sleeps on the mat.", "A dog barks to the moon."],
    ...              "B": ["Cat sleeps on a mat.", "A dog barks at the moon."]},
    ... )
    >>> measure(pets, "BLEU", lowercase=True, cache=False).scores().round(1)
    A    72.1
    B    67.8
    Name: BLEU, dtype: float64
    """
    if not isinstance(test_set, Texts):
        raise InputError(
            f"test_set is a {type(test_set).__name__}; make Texts with mtsig_nb.read_test_set "
            "or mtsig_nb.Texts.from_texts."
        )
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise InputError(f"workers={workers!r} must be a whole number of at least 1, or None.")
    metric = metrics.get(metric, **settings)
    if systems is not None:
        test_set = test_set.select([systems] if isinstance(systems, str) else systems)
    ours = type(metric) in metrics.REGISTRY.values()
    store = _Store(metric, test_set) if cache and ours else None
    stored = {system: store.read(system) if store else None for system in test_set.systems}
    measured = {system: values for system, values in stored.items() if values is not None}
    missing = [system for system in test_set.systems if system not in measured]
    if missing:
        metric.require()
    for system, values in _measure(metric, test_set, missing, workers, progress):
        measured[system] = values
        if store:  # at once, so that an interruption loses little
            store.write(system, values)
    return SufficientStatistics(
        metric=metric,
        systems=test_set.systems,
        values=np.stack([measured[system] for system in test_set.systems]),
        documents=None if test_set.documents is None else np.array(test_set.documents),
        test_set=test_set.name,
        n_references=len(test_set.references),
    )


def cache_folder(kind: str = "statistics") -> Path:
    """The folder that `measure` keeps statistics in, or the one beside it for another kind."""
    root = os.environ.get("MTSIG_CACHE") or platformdirs.user_cache_dir("mtsig_nb", appauthor=False)
    return Path(root) / kind


# --- counting -------------------------------------------------------------------------------------


def _measure(
    metric: Metric,
    test_set: Texts,
    systems: Sequence[str],
    workers: int | None,
    progress: bool | None,
) -> Iterator[tuple[str, FloatArray]]:
    """Every system's statistics, shape (segments, counts), in the order in which they are ready."""
    if not systems:
        return
    metric = dataclasses.replace(metric)  # without what an instance has cached or opened
    seconds = 0.0
    if workers is None and len(systems) > 1 and _processors() > 1:
        seconds = _expected_seconds(metric, test_set, systems)
        workers = _processors() if seconds > _WORTH_SHARING else 1
    workers = min(workers or 1, len(systems))
    shared = workers > 1 and not IN_BROWSER and _can_travel(metric)
    remaining = dict.fromkeys(systems)
    with progress_bar(
        total=len(systems),
        description=f"measuring {getattr(metric, 'label', metric.name)}",
        unit="system",
        delay=0.0 if shared or seconds > 1 else 1.0,
        show=progress,
    ) as bar:
        bar.update(0)
        for system, values in _in_processes(metric, test_set, systems, workers) if shared else ():
            del remaining[system]
            bar.update()
            yield system, values
        for system in remaining:  # all of them, or what the processes still owed
            values = metric.statistics(test_set.hypotheses[system], test_set.references)
            bar.update()
            yield system, values


def _expected_seconds(metric: Metric, test_set: Texts, systems: Sequence[str]) -> float:
    def count(n_segments: int) -> None:
        hypotheses = test_set.hypotheses[systems[0]][:n_segments]
        metric.statistics(hypotheses, [reference[:n_segments] for reference in test_set.references])

    count(1)  # what is loaded once should not be extrapolated
    started = time.perf_counter()
    count(_SAMPLE)
    share = min(_SAMPLE, test_set.n_segments) / test_set.n_segments
    return (time.perf_counter() - started) * len(systems) / share


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):  # in a container, fewer than the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can_travel(metric: Metric) -> bool:
    """Whether another process can have the metric, and this one may start others."""
    import multiprocessing
    import pickle

    if type(metric).__module__ == "__main__" or multiprocessing.current_process().daemon:
        return False
    try:
        pickle.dumps(metric)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _in_processes(
    metric: Metric, test_set: Texts, systems: Sequence[str], workers: int
) -> Iterator[tuple[str, FloatArray]]:
    """Statistics counted in other processes, of fewer systems if those cannot start or die."""
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed

    try:
        with hidden_main():
            pool = ProcessPoolExecutor(workers, mp_context=_context(metric))
            futures: dict[Future[FloatArray], str] = {}
            for system in systems:
                texts = test_set.hypotheses[system], test_set.references
                futures[pool.submit(metric.statistics, *texts)] = system
    except (BrokenExecutor, OSError, ImportError, NotImplementedError):  # not on this platform
        return
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    except (BrokenExecutor, OSError):
        return
    finally:
        pool.shutdown(cancel_futures=True)


def _context(metric: Metric) -> BaseContext:
    """How processes are started: never as copies of this one.

    A notebook's process has threads, and a forked copy of it could wait for ever for one that it
    does not have.  Where there is a fork server, it imports the metric once for all processes.
    """
    import multiprocessing

    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([type(metric).__module__])
    return context


@contextlib.contextmanager
def hidden_main() -> Iterator[None]:
    """Keep new processes from running the caller's script, and what lies in the current folder.

    multiprocessing imports the main module into every process that it starts, so that a script
    without ``if __name__ == "__main__"`` would run once more in each.  Ours need only the package.
    And it starts them with ``python -c``, which looks for modules in the current folder first:
    somebody's numpy.py would be taken for NumPy, unless the environment forbids it.
    """
    main, safe = sys.modules["__main__"], os.environ.get(_SAFE_PATH)
    sys.modules["__main__"] = types.ModuleType("__main__")
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if safe is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = safe


# --- the cache ------------------------------------------------------------------------------------


class _Store:
    """Statistics of one metric on disk, a file for each output of a system.

    The name of a file is the SHA-256 of all that its content follows from: the metric, its
    settings and version, the references, and the output itself.  So nothing is ever out of date,
    and a new system is all that has to be measured when a test set gets one.  A file is the
    compressed values, of which zlib keeps a checksum.
    """

    def __init__(self, metric: Metric, test_set: Texts) -> None:
        self._metric, self._test_set = metric, test_set
        self._folder = cache_folder()
        self._writable = True
        counted = metric.name, metric.signature, metric.settings, metric.columns
        header = [STATISTICS_VERSION, *counted]
        self._common = hashlib.sha256(json.dumps(header, sort_keys=True, default=str).encode())
        for reference in test_set.references:
            _add(self._common, reference)

    def read(self, system: str) -> FloatArray | None:
        """What is stored of `system`; a file that is damaged counts as not there."""
        shape = self._test_set.n_segments, len(self._metric.columns)
        most = math.prod(shape) * np.dtype(float).itemsize
        # Whoever may write there may have forged it: no more is unpacked than belongs there.
        with contextlib.suppress(OSError, ValueError, zlib.error):
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(self._path(system).read_bytes(), most + 1)
            if unpacker.eof and not unpacker.unused_data:
                return np.frombuffer(data).reshape(shape)
        return None

    def write(self, system: str, values: FloatArray) -> None:
        """Store the statistics of `system`; if that is impossible, warn once and go on."""
        if not self._writable:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with whole_file(self._path(system)) as part:
                data = np.ascontiguousarray(values, dtype=float).tobytes()
                part.write_bytes(zlib.compress(data, level=1))
        except OSError as error:
            warnings.warn(
                f"Statistics are not kept: {str(self._folder)!r} cannot be written "
                f"({error.strerror or error}). Set MTSIG_CACHE to a folder that can, or say "
                "cache=False.",
                stacklevel=3,
            )
            self._writable = False

    def _path(self, system: str) -> Path:
        digest = self._common.copy()
        _add(digest, self._test_set.hypotheses[system])
        return self._folder / f"{digest.hexdigest()}.z"


def _add(digest: Any, texts: Sequence[str]) -> None:
    """Add texts to a hash so that no other list of texts adds the same bytes."""
    digest.update(f"{len(texts)}\n".encode())
    for text in texts:
        data = text.encode("utf-8")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
