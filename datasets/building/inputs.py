"""The inputs of one language pair, checked against their manifest."""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import io
import posixpath
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mtsig_nb.errors import InputError, MtsigError

HERE = Path(__file__).resolve().parent
#: In which language each document of a year's test set was written, for all of its pairs.
ORIGINAL_LANGUAGES = "../origlang.csv"


@cache
def sources() -> dict[str, Any]:
    """What `sources.toml` says."""
    return tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))


class Pair:
    """One campaign and language pair of the input data."""

    def __init__(self, name: str, data: Path) -> None:
        self.name = name
        self.campaign, self.pair = name.split("/")
        self._data = data
        self._contents: dict[str, bytes] = {}

    @cached_property
    def table(self) -> pd.DataFrame:
        """`systems.tsv`: outputs, references and source, with where each comes from."""
        return pd.read_csv(
            self._data / self.name / "systems.tsv", sep="\t", dtype=str, keep_default_na=False
        )

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.table.loc[self.table["role"] == "system", "system"])

    @cached_property
    def references(self) -> tuple[str, ...]:
        labels = self.table.loc[self.table["role"] == "reference", "system"]
        return tuple(label.removeprefix("ref.") for label in labels)

    @property
    def target(self) -> str:
        """Code of the language translated into."""
        return self.pair.split("-")[-1]

    def reference_file(self, label: str) -> str:
        infix = "" if label == self.references[0] else f"{label}."
        return f"ref.{infix}{self.target}.txt.gz"

    @property
    def source_file(self) -> str:
        return f"src.{self.pair.split('-')[0]}.txt.gz"

    @cached_property
    def n_segments(self) -> int:
        return len(self.lines(self.reference_file(self.references[0])))

    @cached_property
    def documents(self) -> list[str] | None:
        return self.lines("docs.txt.gz") if self.has("docs.txt.gz") else None

    @cached_property
    def domains(self) -> list[str] | None:
        """What kind of text each segment is."""
        return self.lines("domains.txt.gz") if self.has("domains.txt.gz") else None

    @cached_property
    def original_language(self) -> list[str] | None:
        """The language that each segment was written in."""
        if not self.documents or not self.has(ORIGINAL_LANGUAGES):
            return None
        written_in = self.csv(ORIGINAL_LANGUAGES).set_index("document")["original_language"]
        return [str(written_in[document]) for document in self.documents]

    def has(self, file: str) -> bool:
        return (self._data / self.name / file).exists()

    def content(self, file: str) -> bytes:
        """The file, uncompressed, after its checksum has been compared with the manifest's."""
        if file not in self._contents:
            path = self._data / self.name / file
            raw = _as_tabs(path) if file.endswith(".parquet") else path.read_bytes()
            content = gzip.decompress(raw) if file.endswith(".gz") else raw
            digest = hashlib.sha256(content).hexdigest()
            if digest != _manifest(self._data).get(posixpath.normpath(f"{self.name}/{file}")):
                raise InputError(f"{self.name}/{file} does not have its manifest's checksum.")
            self._contents[file] = content
        return self._contents[file]

    def sha256(self, file: str) -> str:
        return hashlib.sha256(self.content(file)).hexdigest()

    def lines(self, file: str) -> list[str]:
        # Split at LF only: str.splitlines also splits inside some segments.
        return self.content(file).decode("utf-8").removesuffix("\n").split("\n")

    def csv(self, file: str) -> pd.DataFrame:
        """A table of numbers and labels."""
        tabs = "\t" if file.endswith((".tsv", ".tsv.gz", ".parquet")) else ","
        # Marked texts have quotation marks, which quote nothing.
        quoting = csv.QUOTE_NONE if file.endswith(".tsv.gz") else csv.QUOTE_MINIMAL
        content = io.BytesIO(self.content(file))
        return pd.read_csv(content, sep=tabs, quoting=quoting, float_precision="round_trip")

    @cached_property
    def duplicates(self) -> pd.DataFrame:
        """Pairs of outputs that are nearly the same, line by line."""
        table = pd.read_csv(self._data / "duplicates.tsv", sep="\t")
        here = (table["campaign"] == self.campaign) & (table["pair"] == self.pair)
        return table.loc[here, ["a", "b", "identical_lines", "lines"]]


class ScoredPair(Pair):
    """A pair of which there are scores of segments by metrics, and no texts.

    Their table, ``scores.parquet``, is known by the text that it stands for: tabs between columns,
    a line for each system and segment, Python's ``str`` of each value, nothing where there is none.
    """

    @cached_property
    def table(self) -> pd.DataFrame:
        """The systems, with the columns of `Pair.table`."""
        systems = self.csv("systems.csv")
        return systems[["system"]].assign(
            source_name=systems["published_name"], role="system", notes=""
        )

    @cached_property
    def segments(self) -> pd.DataFrame:
        return self.csv("segments.csv.gz")

    @cached_property
    def n_segments(self) -> int:
        return len(self.segments)

    @cached_property
    def documents(self) -> list[str]:
        """Labels that are the same in two pairs where the source text is.

        One dialogue has one label in the source, in whichever language it was held.
        """
        language = self.pair.split("-")[0]
        labels = zip(self.segments["document_id"], self.domains, strict=True)
        return [f"{language}:{d}" if domain == "dialogue" else str(d) for d, domain in labels]

    @cached_property
    def domains(self) -> list[str]:
        return [str(label) for label in self.segments["domain"]]

    @cached_property
    def scores(self) -> pd.DataFrame:
        """`scores.parquet`."""
        return self.csv("scores.parquet")

    @cached_property
    def missing(self) -> pd.DataFrame:
        """The scores that there are not: column, system, segment."""
        long = self.scores.melt(["system", "segment"], var_name="column")
        return long.loc[long["value"].isna(), ["column", "system", "segment"]]

    def values(self, column: str) -> NDArray[np.float64]:
        """Scores and weights, of shape (systems, segments, 2); weight 0 where none is there."""
        wide = self.scores.pivot(index="system", columns="segment", values=column)
        if not (wide.columns == range(self.n_segments)).all():
            raise ValueError(f"{self.name}: scores.parquet does not have the segments in order.")
        scores = wide.loc[list(self.systems)].to_numpy(np.float64)
        there = np.isfinite(scores)
        return np.stack([np.where(there, scores, 0.0), there], axis=-1)


class RatedPair(Pair):
    """A pair of which there are those segments that people rated, ``lines.tsv`` says which.

    It has no manifest; `mtsig_nb.fetch_texts` compares what it gets with what was counted.
    """

    @cached_property
    def table(self) -> pd.DataFrame:
        """The texts, with the columns of `Pair.table`."""
        own = sources()["campaign"][self.campaign]
        source, target = self.pair.split("-")
        start = f"{own['sources'][0]}:txt/{{}}/generaltest2023.{self.pair}".replace("/", "+", 1)
        rows = [
            ("ref.A", "reference", start.format("references") + f".ref.refA.{target}"),
            ("src", "source", start.format("sources") + f".src.{source}"),
        ]
        files = sorted((self._data / self.name / "hyp").glob("*.txt.gz"), key=lambda f: f.name)
        for system in (file.name.removesuffix(".txt.gz") for file in files):
            path = start.format("system-outputs") + f".hyp.{system}.{target}"
            rows.append((system, "system", path))
        frame = pd.DataFrame(rows, columns=["system", "role", "source"])
        return frame.assign(source_name=frame["system"], notes="")

    def reference_file(self, label: str) -> str:
        return f"ref.{label}.{self.target}.txt.gz"

    @cached_property
    def released_lines(self) -> str:
        """The lines of the released texts, from 1: ``488-497,502-511``."""
        lines = self.csv("lines.tsv")["line_of_test_set"]
        runs = lines.groupby(lines - np.arange(len(lines)), sort=False)
        return ",".join(f"{run.min()}-{run.max()}" for _, run in runs)

    def content(self, file: str) -> bytes:
        if file not in self._contents:
            raw = (self._data / self.name / file).read_bytes()
            content = gzip.decompress(raw) if file.endswith(".gz") else raw
            # One text has kept the mark with which its release begins.
            self._contents[file] = content.removeprefix(codecs.BOM_UTF8)
        return self._contents[file]


def pair_named(name: str, data: Path) -> Pair:
    """The inputs of a pair, whatever it has."""
    if (data / name / "scores.parquet").exists():
        return ScoredPair(name, data)
    return (RatedPair if (data / name / "lines.tsv").exists() else Pair)(name, data)


def _as_tabs(path: Path) -> bytes:
    """The text that a Parquet file stands for."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MtsigError(f"{path.name} needs pyarrow to be read: pip install pyarrow.") from error
    table = parquet.read_table(path)
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    lines = ["\t".join(table.column_names)]
    lines += ["\t".join("" if value is None else str(value) for value in row) for row in rows]
    return "".join(f"{line}\n" for line in lines).encode()


@cache
def _manifest(data: Path) -> dict[str, str]:
    tables = [pd.read_csv(path, sep="\t") for path in sorted(data.glob("MANIFEST*.tsv"))]
    table = pd.concat(tables)
    return dict(zip(table["path"], table["sha256_uncompressed"], strict=True))
