"""Sufficient statistics into NumPy archives, which `mtsig_nb.statistics.storage` reads.

Statistics are whole multiples of their metric's quantum, so they are stored as integers: one array
per count, of shape (segments, systems), in the smallest type that holds it.  Two things make the
files several times smaller than a plain table of counts:

- Many counts follow from another: a segment of ``k`` words has ``max(k - 1, 0)`` bigrams.  A column
  that is ``max(other - shift, 0)`` everywhere is left out, and the rule kept instead.
- A reference's counts, the same for every system, are stored once, and what the systems have of the
  same segment, which is much alike, lies together for the compressor.

Scores of segments, on a grid as fine as 2**-32, would take eight bytes each.  Their last bits are
zeros, and are left out: a judge's whole points become bytes.  What a neural network gave in float32
takes four bytes, split into planes, since the first of them compresses, and the others hardly do.
Nothing is rounded.

The text ``about``, in JSON, says which metric made the file, with all settings, so that nothing but
the file is needed to score it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mtsig_nb import metrics
from mtsig_nb.errors import InputError
from mtsig_nb.statistics.storage import FINE, PLAIN
from mtsig_nb.statistics.sufficient import SufficientStatistics
from mtsig_nb.writing import whole_file


def write_statistics(
    path: str | Path, statistics: SufficientStatistics, *, notes: Mapping[str, Any] | None = None
) -> None:
    """Write `statistics` to `path`; the same statistics give the same bytes.

    Documents and strata are not part of the file.  `notes` is kept for readers.

    Raises
    ------
    InputError
        If the metric cannot be made again from its name and settings.
    """
    metric = statistics.metric
    if metrics.get(metric.name, **metric.settings) != metric:
        raise InputError(f"metric={metric.name!r} cannot be made again from its settings.")
    whole = np.rint(statistics.values / metric.quantum).astype(np.int64)
    columns = {name: whole[:, :, i].T for i, name in enumerate(metric.columns)}
    derived = _derivable(columns)
    packed = {name: _packed(columns[name]) for name in columns if name not in derived}
    fine = {name: how for name, (_, how) in packed.items() if how}
    about = {
        "format": FINE if fine else PLAIN,
        "metric": metric.name,
        "settings": metric.settings,
        "signature": statistics.signature,
        "columns": list(metric.columns),
        "quantum": metric.quantum,
        "derived": derived,
        "systems": list(statistics.systems),
        "n_segments": whole.shape[1],
        "n_references": statistics.n_references,
        "test_set": statistics.test_set,
        "notes": dict(notes or {}),
    }
    if fine:
        about["fine"] = fine
    stored = {"about": np.array(json.dumps(about, sort_keys=True))}
    stored |= {name: counts for name, (counts, _) in packed.items()}
    # NumPy dates every member 1980, so the bytes follow from the content.
    with whole_file(path) as part, part.open("wb") as file:
        np.savez_compressed(file, **stored)  # type: ignore[arg-type]  # no count is allow_pickle


def describe(path: str | Path) -> dict[str, Any]:
    """What the file says about itself, without reading the statistics."""
    with np.load(path, allow_pickle=False) as stored:
        about: dict[str, Any] = json.loads(str(stored["about"]))
    return about


def _derivable(columns: Mapping[str, npt.NDArray[np.int64]]) -> dict[str, tuple[str, int]]:
    """Columns that are ``max(other - shift, 0)`` everywhere: name to (other, shift)."""
    kept: list[str] = []
    derived: dict[str, tuple[str, int]] = {}
    for name, values in columns.items():
        for other in kept:
            shift = int(columns[other].max() - values.max())
            if shift >= 0 and np.array_equal(np.maximum(columns[other] - shift, 0), values):
                derived[name] = (other, shift)
                break
        else:
            kept.append(name)
    return derived


#: How a fine column was stored: how many bits, zeros in all numbers, are left out at the end, and
#: what the planes of bytes are made of, if they are planes.
_How = tuple[int, str | None]


def _packed(column: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], _How | None]:
    """The column in the smallest type, once where all systems have the same, and how it is stored.

    A column is fine, and something is done about it, where a number would take eight bytes.
    """
    if (column == column[:, :1]).all():
        column = column[:, :1]
    small = _exactly(column, "i1", "i2", "i4")
    if small is not None:
        return small, None
    bits = int(np.bitwise_or.reduce(column, axis=None))
    shift = (bits & -bits).bit_length() - 1
    column = column >> shift
    small = _exactly(column, "i1", "i2")
    if small is not None:
        return small, (shift, None)
    four = _exactly(column, "<i4", "<f4")
    if four is not None:
        planes = four.view(np.int8).reshape(*four.shape, 4)
        return np.moveaxis(planes, -1, 0), (shift, four.dtype.str)
    return column, (shift, None)


def _exactly(column: npt.NDArray[np.int64], *kinds: str) -> npt.NDArray[Any] | None:
    """The column in the first of the types that hold it, if one does."""
    packed = (column.astype(kind, order="C") for kind in kinds)
    return next((counts for counts in packed if np.array_equal(counts, column)), None)
