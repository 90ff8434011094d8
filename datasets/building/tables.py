"""Document labels, human judgements and published results as tables of figures."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pandas as pd

from mtsig_nb.writing import whole_file

from .inputs import Pair

#: Published tables by the name they get, in the pair's folder of the inputs.
PUBLISHED = {
    "wilcoxon": "human/wilcoxon.csv",
    "direct_assessment": "human/systems_da.csv",
    "metrics": "published_metrics.csv",
    "pvalues": "published_pvalues.csv",
    "bleu": "bleu.tsv",
    "autorank": "published.csv",
    "systems": "systems.csv",
    "esa_interim": "human/published_interim.csv",
    "mqm_marks": "human/mqm_marks.tsv.gz",
}
#: Human judgements by the name they get.  WMT12's pairwise file is left out: it is its ranks,
#: unrolled.
HUMAN = {
    "ranks": "human/ranks.csv.gz",
    "pairwise": "human/pairwise.csv.gz",
    "segment_da": "human/seg_da.csv",
    "ratings": "human/ratings.csv.gz",
    "judges": "human/judges.csv",
    "segments": "human/segments.csv.gz",
    "mqm": "human/mqm_segments.csv.gz",
    "mqm_ratings": "human/mqm_ratings.tsv.gz",
}
#: What people did on Appraise, of a rating of WMT24; the times are left out.
ESA = ["rater", "account", "wave", "system", "type", "segment", "score"]
#: What the inputs call the 0-based number of a segment.
SEGMENT = ("line", "segment_id")


def human_files(pair: Pair) -> dict[str, str]:
    """Input files of the judgements that a pair has."""
    found = {name: file for name, file in HUMAN.items() if pair.has(file)}
    if "ranks" in found:
        found.pop("pairwise", None)
    if pair.campaign == "wmt24":
        found["esa"] = found.pop("ratings")
    return found


def published_files(pair: Pair) -> dict[str, str]:
    """Input files of the published tables that a pair has."""
    found = {name: file for name, file in PUBLISHED.items() if pair.has(file)}
    if pair.campaign == "wmt24":
        found["autorank"] = found.pop("metrics")
    return found


def write_tables(pair: Pair, folder: Path) -> None:
    """All tables that a pair has, their figures digit by digit as given."""
    if pair.documents is not None:
        documents = pd.DataFrame({"document": pair.documents})
        if pair.original_language is not None:
            documents["original_language"] = pair.original_language
        if pair.domains is not None:
            documents["domain"] = pair.domains
        _write(folder / "documents.csv.gz", documents.to_csv(index=False, lineterminator="\n"))
    for kind, files in (("human", human_files(pair)), ("published", published_files(pair))):
        for name, file in files.items():
            text = pair.content(file).decode("utf-8")
            if name.startswith("mqm_"):
                text = _side_by_side(pair.csv(file))
            elif file.endswith(".tsv"):
                text = text.replace("\t", ",")
            header, newline, rows = text.partition("\n")
            columns = ["segment" if c in SEGMENT else c for c in header.split(",")]
            text = ",".join(columns) + newline + rows
            if name == "esa":
                table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
                text = table[ESA].to_csv(index=False, lineterminator="\n")
            (folder / kind).mkdir(exist_ok=True)
            _write(folder / kind / f"{name}.csv.gz", text)


def _side_by_side(table: pd.DataFrame) -> str:
    """Penalties as they are, marks counted; segments from 0, and no spaces, as in all tables."""
    table["segment"] -= 1
    if "category" in table:
        table["category"] = table["category"].str.replace(" ", "_")
        keys = ["system", "segment", "rater", "category", "severity"]
        table = table.groupby(keys, sort=False, dropna=False).size().rename("marks").reset_index()
    return table.to_csv(index=False, lineterminator="\n")


def _write(path: Path, text: str) -> None:
    """Write a compressed table; without name and time, so the bytes follow from the text."""
    with (
        whole_file(path) as part,
        part.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file,
    ):
        file.write(text.encode("utf-8"))
