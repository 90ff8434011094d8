"""What the four papers print: their tables and numbers, to stand beside computed ones."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ..errors import check_one_of
from .data_files import data_folder


def printed_table(paper: str, table: int) -> pd.DataFrame:
    """A printed table, as text with the decimals that are printed; empty where nothing is.

    Parameters
    ----------
    paper : {"koehn2004", "riezler_maxwell2005", "stroppa_owczarzak2007", "graham2014"}
        Or ``"laeubli2018"``, whose tables were counted in the ratings that its authors published.
    table : int
        Its number.  ``datasets/published/README.md`` says what the columns are.

    Raises
    ------
    InputError
        If there is no such table.

    Examples
    --------
    >>> printed_table("koehn2004", 1)[["system", "bleu_pct"]].head(2)
           system bleu_pct
    0     Spanish     28.9
    1  Portuguese     27.4
    >>> printed_table("graham2014", 1)["correct_conclusions"].astype(int).max()
    np.int64(54)
    """
    return _read(f"{paper}_table{table}").copy()


def printed_numbers(paper: str) -> pd.DataFrame:
    """The numbers of a paper's text, captions and pseudo-code, by their ids, as printed.

    Parameters
    ----------
    paper : str
        As in `printed_table`.

    Returns
    -------
    DataFrame
        ``section``, ``value``, ``value_to`` (end of a range), ``unit`` and ``kind``, all text.

    Raises
    ------
    InputError
        If there is no such paper.

    Examples
    --------
    >>> printed_numbers("koehn2004").loc["k-N", "value"]
    '4'
    """
    return _read(f"{paper}_numbers").set_index("id")


@cache
def _read(name: str) -> pd.DataFrame:
    """The table of this name among those that the papers print, as text."""
    paths = (data_folder() / "published").glob("*.csv")
    files = {path.stem: path for path in paths}
    check_one_of("paper and table", name, files)
    return pd.read_csv(files[name], dtype=str, keep_default_na=False)
