"""A table as a NumPy array of rows: what a command tests and prints without importing pandas.

Importing pandas takes longer than testing a dozen systems.  So results keep their rows in arrays,
and make a frame of them only where somebody asks for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

#: A structured array: ``rows["pvalue"]`` is a column, ``rows[mask]`` are rows, ``rows[0]`` is one.
Rows = npt.NDArray[np.void]
#: Columns of equal length by their names: a dictionary of arrays, or a frame.
Columns: TypeAlias = "Mapping[str, Any] | pd.DataFrame"


def rows_from(columns: Columns) -> Rows:
    """The rows of some columns.

    Parameters
    ----------
    columns : dict of str to array_like of shape (rows,), or DataFrame
        Texts are kept as the objects that they are.

    Examples
    --------
    >>> rows = rows_from({"system": ["a", "b"], "score": [31.4, 30.6]})
    >>> rows[rows["score"] > 31]["system"].tolist()
    ['a']
    """
    arrays = {name: _objects_for_texts(columns[name]) for name in map(str, columns)}
    fields = [(name, array.dtype) for name, array in arrays.items()]
    n_rows = len(next(iter(arrays.values())))
    rows = np.empty(n_rows, dtype=np.dtype(fields))
    for name, array in arrays.items():
        rows[name] = array
    return rows


def _objects_for_texts(column: ArrayLike) -> npt.NDArray[Any]:
    """A column as an array, in which texts are objects: they may be as long as they like."""
    array = np.asarray(column)
    return np.asarray(column, dtype=object) if array.dtype.kind == "U" else array


def columns_of(rows: Rows) -> dict[str, npt.NDArray[Any]]:
    """The columns of some rows, by name."""
    return {name: rows[name] for name in rows.dtype.names or ()}
