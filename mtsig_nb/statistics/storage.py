"""Sufficient statistics from a NumPy archive: small, exact, readable wherever there is NumPy.

Statistics are whole multiples of their metric's quantum, so they are stored as integers: one array
per count, of shape (segments, systems), or (segments, 1) where all systems have the same.  A column
that is ``max(other - shift, 0)`` everywhere is left out, and the rule stored instead.  Scores on a
fine grid are stored without the zeros at the end of their bits, and maybe as planes of bytes.  The
text ``about``, in JSON, says which metric made the file, with all settings, so that nothing but the
file is needed to score it again.  ``datasets/building/storing.py`` writes such files.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import metrics
from ..errors import InputError
from ..metrics.base import Array, FloatArray
from .sufficient import SufficientStatistics

#: The format of files whose columns are whole numbers as they are.  (Format 1 was a Parquet file.)
PLAIN = 2
#: The format of files of which some columns lack their last bits, or are in planes.
FINE = 3


def read_statistics(path: str | Path, *, content: bytes | None = None) -> SufficientStatistics:
    """The statistics in the file `path`, one of those that ``datasets/build.py`` writes.

    Parameters
    ----------
    path : path
    content : bytes, optional
        What the file holds, where it has been read already; `path` is then only its name.

    Raises
    ------
    InputError
        If the file cannot be read, is not one of ours, is damaged, or was written by a metric whose
        statistics have changed.
    """
    not_ours = InputError(
        f"path={str(path)!r} is not a file of statistics written by mtsig_nb, or is damaged."
    )
    try:
        content = Path(path).read_bytes() if content is None else content
    except OSError as error:
        raise InputError(f"path={str(path)!r} cannot be read: {error.strerror}.") from None
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            columns = dict(archive)
        about = json.loads(str(columns.pop("about")))
        version = about["format"]
        name = about["metric"]
        settings = about["settings"]
        counted_by = (list(about["columns"]), about["quantum"])
    # A single array, another archive, no archive at all, or a damaged one: what NumPy and zipfile
    # raise then is no list that anybody keeps, and nothing but the content has been touched.
    except Exception:
        raise not_ours from None
    if version not in (PLAIN, FINE):
        raise InputError(f"path={str(path)!r} has format {version}, not {PLAIN} or {FINE}.")
    metric = metrics.get(name, **settings)
    if counted_by != (list(metric.columns), metric.quantum):
        raise InputError(f"path={str(path)!r} holds {name} of another version: write it again.")
    try:
        return SufficientStatistics(
            metric=metric,
            systems=tuple(about["systems"]),
            values=_assembled(about, columns, metric.columns) * metric.quantum,
            test_set=about["test_set"],
            n_references=about["n_references"],
        )
    except (LookupError, TypeError, ValueError):
        raise not_ours from None


def _assembled(
    about: Mapping[str, Any], columns: Mapping[str, Array], names: Sequence[str]
) -> FloatArray:
    """All columns in the order of `names`, shape (systems, segments, counts), in quanta.

    A `ValueError` says that they do not fit together; what is lacking in `about` is a `KeyError`.
    """
    derived = about["derived"]
    fine = about.get("fine", {})
    if sorted([*columns, *derived]) != sorted(names):
        raise ValueError("some columns are missing, or there are others")
    n_systems = len(about["systems"])
    n_segments = about["n_segments"]
    values = np.empty((n_systems, n_segments, len(names)))
    values_of = {name: values[:, :, i] for i, name in enumerate(names)}
    for name, stored in columns.items():
        packing = fine.get(name)
        counts = _unpacked(stored, *packing) if packing else stored
        if counts.shape not in [(n_segments, n_systems), (n_segments, 1)]:
            raise ValueError(f"{name} has the shape {counts.shape}")
        values_of[name][:] = counts.T
    for name, (source, shift) in derived.items():
        values_of[name][:] = np.maximum(values_of[source] - shift, 0)
    return values


def _unpacked(counts: Array, shift: int, planes: str | None) -> Array:
    """A fine column of shape (segments, systems), as it was.

    `shift` is the number of bits that were left out at the end; `planes` is the type of the
    numbers of which the first axis has the bytes, if it has.
    """
    if planes is not None:
        octets = np.ascontiguousarray(np.moveaxis(counts, 0, -1))
        counts = octets.view(planes)[..., 0]
    return counts * 2.0**shift
