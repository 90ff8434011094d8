"""From texts to sufficient statistics, once only."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import warnings
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from .. import metrics
from ..errors import InputError
from ..metrics.base import FloatArray, Metric
from ..progress import ProgressBar
from ..texts.reading import Texts
from ..writing import whole_file
from .doubts import note_on_words
from .sufficient import SufficientStatistics

#: Part of every cache key.  Raise it when a metric of the package comes to count differently
#: under the same signature.
STATISTICS_VERSION = 1


def measure(
    test_set: Texts, metric: str | Metric, *, cache: bool = True, **settings: Any
) -> SufficientStatistics:
    """Count a metric's sufficient statistics for the systems of a test set.

    Parameters
    ----------
    test_set : Texts
    metric : str or Metric
        A metric, or the name of one (``"BLEU"``) with its `settings`.
    cache : bool
        Keep the statistics of every system in the user's cache folder, or in that of the
        environment variable ``MTSIG_CACHE``.  They are taken from there if the same output was
        measured before, against the same references and by the same metric.  The folder may be
        deleted at any time.  Anybody who can write to it can change what is read from it.  Only
        metrics of this package are cached, since nothing shows whether the code of other metrics
        has changed.
    **settings
        Of the metric, when it is given by name.

    Returns
    -------
    SufficientStatistics
        Values of shape (systems, segments, counts).  Their `notes` have the caveats of the test
        set, and say whether the metric finds words in it; they are the same from the cache.

    Raises
    ------
    InputError
        If the metric or one of its settings is not known (the closest name is given), or something
        that the metric needs is not installed.

    Examples
    --------
    >>> from mtsig_nb.texts.reading import Texts
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
        raise InputError(f"test_set is a {type(test_set).__name__}; give mtsig_nb.Texts.")
    metric = metrics.get(metric, **settings)
    is_ours = type(metric) in metrics.REGISTRY.values()
    paths = _paths(metric, test_set) if cache and is_ours else {}
    measured = _stored_of_systems(paths, (test_set.n_segments, len(metric.columns)))
    missing = [system for system in test_set.systems if system not in measured]
    if missing:
        metric.require()
        measured |= _counted(metric, test_set, missing, paths)
    several_numbers = _have_gaps(test_set.references)
    sources = [] if test_set.source is None else [test_set.source]
    return SufficientStatistics(
        metric=metric,
        systems=test_set.systems,
        values=np.stack([measured[system] for system in test_set.systems]),
        documents=None if test_set.documents is None else np.array(test_set.documents),
        test_set=test_set.name,
        n_references="var" if several_numbers else len(test_set.references),
        notes=(*test_set.caveats, *note_on_words(metric, test_set.references)),
        texts=np.array([*sources, *test_set.references], dtype=object).T,
    )


def _counted(
    metric: Metric, test_set: Texts, systems: Sequence[str], paths: Mapping[str, Path]
) -> dict[str, FloatArray]:
    """The statistics of some systems, counted now and stored in `paths`, if there are any."""
    references = _for_metric(metric, test_set.references)
    description = f"measuring {getattr(metric, 'label', metric.name)}"
    is_stored = bool(paths)
    counted = {}
    for system in ProgressBar(systems, description=description, unit="system"):
        counted[system] = metric.statistics(test_set.hypotheses[system], references)
        # At once, so that an interruption loses little; not again where it was not possible.
        if is_stored:
            is_stored = _store(paths[system], counted[system])
    return counted


def _have_gaps(references: Sequence[Sequence[str]]) -> bool:
    """Whether some segments lack one of several references."""
    return len(references) > 1 and any("" in reference for reference in references)


def _for_metric(metric: Metric, references: Sequence[Sequence[str]]) -> Sequence[Sequence[Any]]:
    """The references as a metric takes them, where some segments lack one.

    In the place of what is lacking there is None, or the segment's first reference; see
    `Metric.takes_gaps`.
    """
    if not _have_gaps(references):
        return references
    segments = []
    for texts in zip(*references, strict=True):
        filler = None if metric.takes_gaps else next(filter(None, texts))
        segments.append([text or filler for text in texts])
    return list(zip(*segments, strict=True))


def cache_folder(kind: str = "statistics") -> Path:
    """The folder that `measure` keeps statistics in, or the one beside it for another kind."""
    chosen = os.environ.get("MTSIG_CACHE")
    root = chosen or platformdirs.user_cache_dir("mtsig_nb", appauthor=False)
    return Path(root) / kind


# --- the cache ------------------------------------------------------------------------------------


def _paths(metric: Metric, test_set: Texts) -> dict[str, Path]:
    """Where the statistics of each system are kept, in a file for each output.

    The name of a file is the SHA-256 of all that its content follows from: the metric, its
    settings and version, the references, and the output itself.  So nothing is ever out of date,
    and a new system is all that has to be measured when a test set gets one.
    """
    header = [STATISTICS_VERSION, metric.name, metric.signature, metric.settings, metric.columns]
    text = json.dumps(header, sort_keys=True, default=str)
    common = hashlib.sha256(text.encode())
    for reference in test_set.references:
        _add_texts(common, reference)
    paths = {}
    for system, output in test_set.hypotheses.items():
        digest = common.copy()
        _add_texts(digest, output)
        paths[system] = cache_folder() / f"{digest.hexdigest()}.z"
    return paths


def _stored_of_systems(paths: Mapping[str, Path], shape: tuple[int, int]) -> dict[str, FloatArray]:
    """The statistics of those systems that have some stored, by system."""
    stored = {}
    for system, path in paths.items():
        values = _stored(path, shape)
        if values is not None:
            stored[system] = values
    return stored


def _stored(path: Path, shape: tuple[int, int]) -> FloatArray | None:
    """The values in a file, of shape (segments, counts); None if it is damaged or not there."""
    n_bytes = math.prod(shape) * np.dtype(float).itemsize
    # Whoever may write there may have forged it: no more is unpacked than belongs there.
    with contextlib.suppress(OSError, ValueError, zlib.error):
        unpacker = zlib.decompressobj()  # which looks at its checksum
        data = unpacker.decompress(path.read_bytes(), n_bytes + 1)
        is_complete = unpacker.eof and not unpacker.unused_data
        if is_complete:
            return np.frombuffer(data).reshape(shape)
    return None


def _store(path: Path, values: FloatArray) -> bool:
    """Store statistics, and return whether it was possible; if not, warn."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            data = np.ascontiguousarray(values, dtype=float).tobytes()
            part.write_bytes(zlib.compress(data, level=1))
    except OSError as error:
        warnings.warn(
            f"Statistics are not kept: {str(path.parent)!r} cannot be written "
            f"({error.strerror or error}). Set MTSIG_CACHE, or say cache=False.",
            stacklevel=4,
        )
        return False
    return True


def _add_texts(digest: Any, texts: Sequence[str]) -> None:
    """Add texts to a hash so that no other list of texts adds the same bytes."""
    digest.update(f"{len(texts)}\n".encode())
    for text in texts:
        data = text.encode("utf-8")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
