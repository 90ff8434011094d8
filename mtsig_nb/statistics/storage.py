"""Sufficient statistics in a Parquet file: small, exact, readable by any Parquet library.

Statistics are whole multiples of their metric's quantum, so they are stored as integers, one
column per count and one row per system and segment (all segments of the first system first).
Two things make the files several times smaller than a plain table of counts:

- Many counts follow from another: a segment of ``k`` words has ``max(k - 1, 0)`` bigrams.  A column
  that is ``max(other - shift, 0)`` everywhere is left out, and the rule kept instead.
- Bytes are split by significance before compression (Parquet's BYTE_STREAM_SPLIT), so that the
  compressor sees the small counts themselves, and a reference's counts, the same for every
  system, as one repeated run.

The file's own metadata says which metric made it, with all settings, so that nothing but the file
is needed to score it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from .. import metrics
from ..errors import InputError
from ..writing import whole_file
from .sufficient import SufficientStatistics

_KEY = b"mtsig_nb.statistics"
_FORMAT = 1


def write_statistics(
    path: str | Path, statistics: SufficientStatistics, *, notes: Mapping[str, Any] | None = None
) -> None:
    """Write `statistics` to `path`; the same statistics give the same bytes.

    Documents and strata are not part of the file.  `notes` is kept in the metadata for readers.

    Raises
    ------
    InputError
        If the metric cannot be made again from its name and settings.
    """
    metric = statistics.metric
    if metrics.get(metric.name, **metric.settings) != metric:
        raise InputError(f"metric={metric.name!r} cannot be made again from its settings.")
    n_systems, n_segments, _ = statistics.values.shape
    whole = np.rint(statistics.values / metric.quantum).astype(np.int64)
    columns = {
        name: whole[:, :, i].reshape(n_systems * n_segments)
        for i, name in enumerate(metric.columns)
    }
    derived = _derivable(columns)
    table = pa.table(
        {
            name: values.astype(_smallest_integer(values))
            for name, values in columns.items()
            if name not in derived
        }
    )
    about = {
        "format": _FORMAT,
        "metric": metric.name,
        "settings": metric.settings,
        "signature": statistics.signature,
        "columns": list(metric.columns),
        "quantum": metric.quantum,
        "derived": derived,
        "systems": list(statistics.systems),
        "n_segments": n_segments,
        "n_references": statistics.n_references,
        "test_set": statistics.test_set,
        "notes": dict(notes or {}),
    }
    table = table.replace_schema_metadata({_KEY: json.dumps(about, sort_keys=True)})
    with whole_file(path) as part:
        pq.write_table(
            table,
            part,
            compression="zstd",
            compression_level=19,
            use_dictionary=False,
            use_byte_stream_split=True,
            write_statistics=False,
            row_group_size=max(1, len(table)),
            data_page_size=1 << 24,
        )


def read_statistics(
    path: str | Path, *, documents: npt.ArrayLike | None = None
) -> SufficientStatistics:
    """The statistics that `write_statistics` wrote to `path`.

    Raises
    ------
    InputError
        If the file is not one of ours, or was written by a metric whose statistics have changed.
    """
    table = pq.read_table(path, memory_map=True, use_threads=False)
    about = _about(path, table.schema.metadata)
    metric = metrics.get(about["metric"], **about["settings"])
    if list(metric.columns) != about["columns"] or metric.quantum != about["quantum"]:
        raise InputError(
            f"path={str(path)!r} holds {about['metric']} counted with other statistics "
            f"({', '.join(about['columns'])}) than this version's; write it again."
        )
    shape = (len(about["systems"]), about["n_segments"])
    values = np.empty((*shape, len(metric.columns)))
    place = {name: i for i, name in enumerate(metric.columns)}
    for name in table.column_names:
        values[:, :, place[name]] = table[name].to_numpy().reshape(shape)
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
    """What the file's metadata says, without reading the statistics."""
    return _about(path, pq.read_schema(path).metadata)


def _about(path: str | Path, metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    if not metadata or _KEY not in metadata:
        raise InputError(f"path={str(path)!r} is not a file of statistics written by mtsig_nb.")
    about: dict[str, Any] = json.loads(metadata[_KEY])
    if about["format"] != _FORMAT:
        raise InputError(
            f"path={str(path)!r} has format {about['format']}, this version reads {_FORMAT}."
        )
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


def _smallest_integer(values: npt.NDArray[np.int64]) -> npt.DTypeLike:
    for candidate in (np.int8, np.int16, np.int32):
        bounds = np.iinfo(candidate)
        if bounds.min <= values.min() and values.max() <= bounds.max:
            return candidate
    return np.int64


__all__: Sequence[str] = ["describe", "read_statistics", "write_statistics"]
