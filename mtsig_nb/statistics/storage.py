"""Sufficient statistics in a NumPy archive: small, exact, readable wherever there is NumPy.

Statistics are whole multiples of their metric's quantum, so they are stored as integers: one array
per count, of shape (segments, systems), in the smallest type that holds it.  Two things make the
files several times smaller than a plain table of counts:

- Many counts follow from another: a segment of ``k`` words has ``max(k - 1, 0)`` bigrams.  A column
  that is ``max(other - shift, 0)`` everywhere is left out, and the rule kept instead.
- A reference's counts, the same for every system, are stored once, and what the systems have of the
  same segment, which is much alike, lies together for the compressor.

The text ``about``, in JSON, says which metric made the file, with all settings, so that nothing but
the file is needed to score it again.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import metrics
from ..errors import InputError
from ..writing import whole_file
from .sufficient import SufficientStatistics

_FORMAT = 2  # 1 was a Parquet file


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
    about = {
        "format": _FORMAT,
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
    stored = {"about": np.array(json.dumps(about, sort_keys=True))}
    stored |= {name: _smallest(columns[name]) for name in columns if name not in derived}
    # NumPy dates every member 1980, so the bytes follow from the content.
    with whole_file(path) as part, part.open("wb") as file:
        np.savez_compressed(file, **stored)  # type: ignore[arg-type]  # no count is allow_pickle


def read_statistics(
    path: str | Path, *, documents: npt.ArrayLike | None = None
) -> SufficientStatistics:
    """The statistics that `write_statistics` wrote to `path`.

    Raises
    ------
    InputError
        If the file is not one of ours, or was written by a metric whose statistics have changed.
    """
    about, columns = _read(path)
    metric = metrics.get(about["metric"], **about["settings"])
    if list(metric.columns) != about["columns"] or metric.quantum != about["quantum"]:
        raise InputError(
            f"path={str(path)!r} holds {about['metric']} counted with other statistics "
            f"({', '.join(about['columns'])}) than this version's; write it again."
        )
    shape = (len(about["systems"]), about["n_segments"])
    values = np.empty((*shape, len(metric.columns)))
    place = {name: i for i, name in enumerate(metric.columns)}
    for name, counts in columns.items():
        values[:, :, place[name]] = counts.T
    for name, (source, shift) in about["derived"].items():
        values[:, :, place[name]] = np.maximum(values[:, :, place[source]] - shift, 0)
    values *= metric.quantum
    return SufficientStatistics(
        metric=metric,
        systems=tuple(about["systems"]),
        values=values,
        documents=None if documents is None else np.asarray(documents),
        test_set=about["test_set"],
        n_references=about["n_references"],
    )


def describe(path: str | Path) -> dict[str, Any]:
    """What the file says about itself, without reading the statistics."""
    return _read(path, whole=False)[0]


def _read(
    path: str | Path, *, whole: bool = True
) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """What the file says about itself, and, where `whole`, its columns."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            about: dict[str, Any] = json.loads(str(stored["about"]))
            columns = {n: stored[n] for n in stored.files if n != "about"} if whole else {}
    # A single array, another archive, no archive at all, or a damaged one.
    except (TypeError, KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        raise InputError(
            f"path={str(path)!r} is not a file of statistics written by mtsig_nb, or is damaged."
        ) from None
    if about["format"] != _FORMAT:
        raise InputError(
            f"path={str(path)!r} has format {about['format']}, this version reads {_FORMAT}."
        )
    return about, columns


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


def _smallest(column: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The column in the smallest type, and once where it is the same for every system."""
    if (column == column[:, :1]).all():
        column = column[:, :1]
    kinds = (np.int8, np.int16, np.int32, np.int64)
    packed = (column.astype(kind, order="C") for kind in kinds)
    return next(counts for counts in packed if np.array_equal(counts, column))
