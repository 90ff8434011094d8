"""Tables of scores that are made up, and files that have them, in all layouts that are read.

Nothing here knows how files are read: a file is a list of rows, with a note of what each of its
columns is.
"""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]

#: What a row can be labelled with.
LABELS = ("test set", "document", "segment", "system", "run", "repeat", "rater")

SYSTEMS = (
    ("A", "B", "C", "D"),
    ("opus-mt", "m2m_418M", "nllb 3.3B", "Größe"),
    ("GPT-4o (0-shot)", "GPT-4o (5-shot)", "Llama 3.1", "baseline"),
    ("sys.1", "sys.2", "sys.10", "sys.11"),
)
METRICS = ("COMET", "chrF", "BLEU", "MetricX", "wmt22-comet-da", "F1")
#: What programs call the columns of each label.
COLUMNS = {
    "test set": ("test_set", "testset", "lp"),
    "document": ("document", "doc_id", "doc"),
    "segment": ("segment", "seg_id", "segment_id"),
    "system": ("system", "system_name", "model"),
    "run": ("run", "seed"),
    "repeat": ("repeat", "epoch"),
    "rater": ("rater", "annotator"),
}
QUESTIONS = (
    "What is {n} plus 2?",
    'He said "{n}", and left.',
    "Wo liegt Haus {n}? Gleich hier; links.",
    "Prix: {n} € – déjà vu",
)


#: Kinds of files that are logs of programs.
LOGS = ("harness", "inspect", "promptfoo")


class Spelled(str):
    """A number in an unusual spelling, which can mean nothing else."""

    def __new__(cls, text: str, value: float) -> Spelled:
        made = super().__new__(cls, text)
        made.value = value
        return made

    value: float


@dataclasses.dataclass
class File:
    """A file of rows.

    Parameters
    ----------
    path : str
        Below the folder of the case.
    kind : str
        How rows are written, one of `WRITERS`.
    rows : list of dict
    labels : dict
        The label that each column has.
    scores : dict
        The metric of each column of scores, and the system if the column is one's.
    implied : dict
        Labels that the file's name or folder says.
    given_name : str
        The name in ``NAME=FILE``.
    separator : str
        What parts fields.
    has_comma : bool
        Whether numbers have decimal commas.
    """

    path: str
    kind: str
    rows: list[Row]
    labels: dict[str, str]
    scores: dict[str, tuple[str, str]]
    implied: dict[str, str] = dataclasses.field(default_factory=dict)
    given_name: str = ""
    separator: str = ","
    has_comma: bool = False

    @property
    def columns(self) -> list[str]:
        """All columns, in the order of the first row."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    @property
    def texts(self) -> list[str]:
        """The columns that are neither labels nor scores."""
        return [name for name in self.columns if name not in (*self.labels, *self.scores)]

    @property
    def has_segments(self) -> bool:
        """Whether rows say which segment they are of."""
        return "segment" in self.labels.values()

    def column_of(self, label: str) -> str | None:
        """The column with a label."""
        return next((name for name, own in self.labels.items() if own == label), None)


@dataclasses.dataclass
class Page:
    """A file as text.

    Parameters
    ----------
    file : File
    lines : list of str
    places : list of int
        The number of each row's line, or record where rows have no lines of their own.
    """

    file: File
    lines: list[str]
    places: list[int]
    ending: str = "\n"
    encoding: str = "utf-8"
    before: bytes = b""
    is_packed: bool = False
    n_cut: int = 0
    is_missing: bool = False

    @property
    def path(self) -> str:
        """The path, with the suffix of compression."""
        return self.file.path + (".gz" if self.is_packed else "")

    @property
    def content(self) -> bytes:
        """What stands in the file."""
        text = "".join(line + self.ending for line in self.lines)
        data = self.before + text.encode(self.encoding, errors="surrogateescape")
        if self.is_packed:
            data = gzip.compress(data, mtime=0)
        return data[: len(data) - self.n_cut]


@dataclasses.dataclass
class Case:
    """Files, and how they are given to the reader."""

    layout: str
    files: list[File]
    metrics: list[str]
    #: Whether segments have the names in the files, and not such as the reader gives.
    has_names: bool = True
    is_folder: bool = False
    pages: list[Page] = dataclasses.field(default_factory=list)

    def write(self, folder: Path) -> list[str]:
        """Write the files below a folder; what is to be read."""
        paths = []
        for page in self.pages:
            path = folder / page.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if not page.is_missing:
                path.write_bytes(page.content)
            name = page.file.given_name
            paths.append(f"{name}={path}" if name else str(path))
        return [str(folder)] if self.is_folder else paths


# --- tables ---------------------------------------------------------------------------------------


@dataclasses.dataclass
class Table:
    """What is to be written: ratings of systems' outputs, each a row with all labels it has."""

    rows: list[Row]
    labels: list[str]
    metrics: list[str]
    systems: list[str]

    def part(self, **labels: str) -> list[Row]:
        """The rows that have these labels."""
        return [row for row in self.rows if all(row[key] == labels[key] for key in labels)]


def table(rng: random.Random, features: Sequence[str], n_metrics: int = 3) -> Table:
    """A table with some of the features that a layout can have."""
    systems = list(rng.choice(SYSTEMS)[: rng.randint(2, 4)])
    metrics = rng.sample(METRICS, rng.randint(1, n_metrics))
    chosen = [name for name in features if rng.random() < 0.25]
    if "rater" in chosen:  # what is averaged twice is a matter of its own
        chosen = [name for name in chosen if name not in ("run", "repeat")]
    items = _items(rng, chosen)
    inner = {
        "run": ["1", "2"],
        "repeat": ["1", "2", "3"][: rng.randint(2, 3)],
        "rater": ["ann", "bob", "eve"][: rng.randint(2, 3)],
    }
    inner = {label: values for label, values in inner.items() if label in chosen}
    numbers = _numbers(rng)
    rows = []
    for system, item in itertools.product(systems, items):
        for values in itertools.product(*inner.values()):
            row = {**item, "system": system, **dict(zip(inner, values, strict=True))}
            rows.append(row | {metric: next(numbers) for metric in metrics})
    labels = [label for label in LABELS if label in rows[0]]
    if rng.random() < 0.3:
        rows.sort(key=lambda row: [str(row[label]) for label in labels if label != "system"])
    return Table(rows, labels, metrics, systems)


def _items(rng: random.Random, chosen: Sequence[str]) -> list[Row]:
    """Segments, maybe of documents and test sets, each with what was asked."""
    sets = ["news", "ted"] if "test set" in chosen else [""]
    documents = rng.choice((["d1", "d2"], ["doc 1", "doc 10"])) if "document" in chosen else [""]
    name = rng.choice(("{}", "{}", "s{}", "{:03}", "é-{}", "seg {}"))
    begins_anew = rng.random() < 0.4
    first = rng.randint(0, 1)
    question = rng.choice(QUESTIONS)
    items: list[Row] = []
    for test_set in sets:
        number = first
        for document in documents:
            if begins_anew:
                number = first
            for _ in range(rng.randint(3, 6)):
                labels = {"test set": test_set, "document": document}
                item: Row = {label: value for label, value in labels.items() if value}
                item["segment"] = name.format(number)
                item["source"] = question.format(n=len(items))
                items.append(item)
                number += 1
    if rng.random() < 0.2:  # the same sentence may occur twice
        items[-1]["source"] = items[0]["source"]
    return items


def _numbers(rng: random.Random) -> Iterator[float]:
    """Numbers of which none occurs twice."""
    scale, shift, decimals = rng.choice(
        ((1, 0, 5), (1, 0, 5), (100, 0, 4), (-25, 0, 4), (1, -1.5, 5))
    )
    drawn = set()
    while True:
        n = rng.randrange(100_001, 999_999)
        if n % 10 and n not in drawn:
            drawn.add(n)
            yield round(scale * n / 1_000_000 + shift, decimals)


# --- layouts --------------------------------------------------------------------------------------

_ALL = ("test set", "document", "run", "repeat", "rater")


def _columns(rng: random.Random, labels: Sequence[str]) -> dict[str, str]:
    """A column for each label, and its label."""
    return {rng.choice(COLUMNS[label]): label for label in labels}


def _beside(rng: random.Random) -> list[str]:
    """Columns that are neither labels nor scores."""
    return [name for name in ("source", "judge", "length", "mt") if rng.random() < 0.2]


def _text(rng: random.Random, name: str, row: Row) -> Any:
    if name == "source":
        return row["source"]
    if name == "judge":
        return f"judge of {row['system']}"
    if name == "length":
        return rng.randint(3, 40)
    return f"{rng.choice(('So', 'Ein', 'Kein'))} Satz {rng.randint(1, 999)}."


def _file(
    rng: random.Random,
    rows: Sequence[Row],
    labels: dict[str, str],
    metrics: Sequence[str],
    texts: Sequence[str],
    **others: Any,
) -> File:
    """A file with a row for each of `rows`."""
    own = []
    for row in rows:
        cells: Row = {column: row[label] for column, label in labels.items()}
        cells |= {name: _text(rng, name, row) for name in texts}
        cells |= {metric: row[metric] for metric in metrics}
        own.append(cells)
    return File(
        rows=own, labels=dict(labels), scores={name: (name, "") for name in metrics}, **others
    )


#: Kinds of tables in text: the suffix, the separator, and whether numbers have decimal commas.
_TEXTS = {
    "csv": (".csv", ",", False),
    "tsv": (".tsv", "\t", False),
    "semicolons": (".csv", ";", False),
    "decimal commas": (".csv", ";", True),
}


def _text_kind(rng: random.Random, kind: str = "") -> dict[str, Any]:
    """What a file of a kind of table has, by its name; of any kind if none is named."""
    suffix, separator, has_comma = _TEXTS[kind or rng.choice(list(_TEXTS))]
    return {"kind": "table", "separator": separator, "has_comma": has_comma, "path": suffix}


def _long(kind: str) -> Callable[[random.Random], Case]:
    def make(rng: random.Random) -> Case:
        made = table(rng, _ALL)
        labels = _columns(rng, made.labels)
        texts = _beside(rng)
        if rng.random() < 0.2 and "rater" not in made.labels:
            labels = {column: label for column, label in labels.items() if label != "segment"}
        if kind in _TEXTS:
            about = _text_kind(rng, kind)
        else:
            about = {"kind": kind, "path": ".jsonl" if kind == "json lines" else ".json"}
        about["path"] = f"scores{about['path']}"
        file = _file(rng, made.rows, labels, made.metrics, texts, **about)
        return Case("", [file], rng.choice(([], list(made.metrics), ["all"])))

    return make


def _wide_file(
    rng: random.Random, made: Table, metric: str, *, has_segments: bool, texts: Sequence[str]
) -> tuple[list[Row], dict[str, str], dict[str, tuple[str, str]]]:
    """Rows with a column for each system."""
    own = [label for label in made.labels if label != "system"]
    if not has_segments:
        own.remove("segment")
    labels = _columns(rng, own)
    rows = []
    for first in made.part(system=made.systems[0]):
        cells: Row = {column: first[label] for column, label in labels.items()}
        cells |= {name: _text(rng, name, first) for name in texts}
        same = {label: first[label] for label in made.labels if label != "system"}
        for system in made.systems:
            (row,) = made.part(system=system, **same)
            cells[system] = row[metric]
        rows.append(cells)
    return rows, labels, {system: (metric, system) for system in made.systems}


def _wide(kind: str) -> Callable[[random.Random], Case]:
    def make(rng: random.Random) -> Case:
        made = table(rng, ("test set", "document"), n_metrics=1)
        (metric,) = made.metrics
        rows, labels, scores = _wide_file(
            rng, made, metric, has_segments=rng.random() < 0.7, texts=_beside(rng)
        )
        about = _text_kind(rng, kind) if kind in _TEXTS else {"kind": kind, "path": ".json"}
        about["path"] = f"scores{about['path']}"
        return Case("", [File(rows=rows, labels=labels, scores=scores, **about)], [metric])

    return make


def _systems_alone(rng: random.Random) -> Case:
    """A table for each system, which is called after the file, its folder, or as is said."""
    made = table(rng, ("test set", "document", "repeat"))
    labels = _columns(rng, [label for label in made.labels if label != "system"])
    if rng.random() < 0.3:
        labels = {column: label for column, label in labels.items() if label != "segment"}
    texts = _beside(rng)
    kinds = [*_TEXTS, "json", "json lines"]
    kind = rng.choice(kinds)
    about = _text_kind(rng, kind) if kind in _TEXTS else {"kind": kind, "path": ".json"}
    if kind == "json lines":
        about["path"] = ".jsonl"
    files = []
    for system in made.systems:
        rows = made.part(system=system)
        files.append(
            _file(rng, rows, labels, made.metrics, texts, **about, implied={"system": system})
        )
    _name_files(rng, files)
    return Case("", files, rng.choice(([], list(made.metrics), ["all"])))


def _name_files(rng: random.Random, files: Sequence[File]) -> None:
    """Let files say their system by name, by folder, or by ``NAME=FILE``."""
    how = rng.choice(("file", "folder", "given"))
    for number, file in enumerate(files):
        system = file.implied["system"]
        suffix = file.path
        if how == "file":
            file.path = f"{system}{suffix}"
        elif how == "folder":
            file.path = f"{system}/scores{suffix}"
        else:
            file.path = f"out-{number}{suffix}"
            file.given_name = system


def _numbers_alone(rng: random.Random) -> Case:
    """A number in each line, a file for each system."""
    made = table(rng, (), n_metrics=1)
    (metric,) = made.metrics
    has_comma = rng.random() < 0.2
    files = []
    for system in made.systems:
        rows: list[Row] = [{"score": row[metric]} for row in made.part(system=system)]
        files.append(
            File(
                ".txt", "numbers", rows, {}, {"score": ("score", "")}, {"system": system},
                has_comma=has_comma,
            )
        )  # fmt: skip
    _name_files(rng, files)
    return Case("", files, [])


def _metrics_alone(rng: random.Random) -> Case:
    """A long table for each metric."""
    made = table(rng, ("test set", "document", "run"))
    labels = _columns(rng, made.labels)
    about = _text_kind(rng)
    files = []
    for metric in made.metrics:
        rows = list(made.rows)
        if rng.random() < 0.5:
            rng.shuffle(rows)
        own = {**about, "path": f"{metric}{about['path']}"}
        files.append(_file(rng, rows, labels, [metric], (), **own))
    return Case("", files, [])


def _metrics_wide(rng: random.Random) -> Case:
    """A table with a column for each system, for each metric, which the file is called after."""
    made = table(rng, ("test set", "document"))
    has_segments = rng.random() < 0.7
    in_folders = rng.random() < 0.3
    about = _text_kind(rng)
    files = []
    for metric in made.metrics:
        rows, labels, scores = _wide_file(
            random.Random(1), made, metric, has_segments=has_segments, texts=()
        )
        path = f"{metric}/scores{about['path']}" if in_folders else f"{metric}{about['path']}"
        own = {**about, "path": path}
        files.append(File(rows=rows, labels=labels, scores=scores, **own))
    if in_folders and len(files) == 1:
        files[0].given_name = made.metrics[0]
    return Case("", files, list(made.metrics))


def _sets_alone(rng: random.Random) -> Case:
    """A long table for each test set."""
    made = table(rng, ("document",))
    about = _text_kind(rng)
    rows = [{**row, "test set": "ted"} for row in made.rows]
    rows += [{**row, "test set": "news", **_scaled(row, made.metrics)} for row in made.rows]
    labels = _columns(rng, ["test set", *made.labels])
    files = []
    for test_set in ("ted", "news"):
        part = [row for row in rows if row["test set"] == test_set]
        own = {**about, "path": f"{test_set}{about['path']}"}
        files.append(_file(rng, part, labels, made.metrics, (), **own))
    return Case("", files, [])


def _scaled(row: Row, metrics: Sequence[str]) -> Row:
    return {metric: round(row[metric] / 2 + 0.000003, 6) for metric in metrics}


def _comet_printed(rng: random.Random) -> Case:
    """What comet-score prints, of all systems, or of each in a file of its own."""
    made = table(rng, (), n_metrics=1)
    return _comet(rng, made, "comet-score", ".txt", has_segments=True)


def _comet_json(rng: random.Random) -> Case:
    """What comet-score writes with ``--to_json``."""
    made = table(rng, (), n_metrics=1)
    return _comet(rng, made, "comet json", ".json", has_segments=False)


def _comet(rng: random.Random, made: Table, kind: str, suffix: str, *, has_segments: bool) -> Case:
    (metric,) = made.metrics
    numbers = {row["segment"]: n for n, row in enumerate(made.part(system=made.systems[0]))}
    rows = []
    for system in made.systems:
        for row in made.part(system=system):
            cells: Row = {"system": system}
            if has_segments:
                cells["segment"] = str(numbers[row["segment"]])
            else:
                cells["src"] = row["source"]
            rows.append({**cells, "COMET": row[metric]})
    labels = {"system": "system"}
    if has_segments:
        labels["segment"] = "segment"
    groups = [rows]
    if rng.random() < 0.4:
        groups = [[row for row in rows if row["system"] == system] for system in made.systems]
    files = [
        File(f"comet-{number}{suffix}", kind, group, dict(labels), {"COMET": ("COMET", "")})
        for number, group in enumerate(groups)
    ]
    return Case("", files, [], has_names=has_segments)


def _wmt_two_columns(rng: random.Random) -> Case:
    """WMT's ``.seg.score`` with a system and a score in each line, a file for each metric."""
    made = table(rng, ())
    made.systems.sort()
    rows = sorted(made.rows, key=lambda row: row["system"])
    labels = {"system": "system"}
    files = [
        _file(rng, rows, labels, [metric], (), kind="tabs", path=f"{metric}.seg.score")
        for metric in made.metrics
    ]
    return Case("", files, [])


def _wmt_task(rng: random.Random) -> Case:
    """The metrics task's columns, in one of the layouts of its years."""
    has_document = rng.random() < 0.5
    made = table(rng, ("document",) if has_document else (), n_metrics=2)
    numbers: dict[tuple[str, str], str] = {}
    for row in made.rows:
        key = (row.get("document", ""), row["segment"])
        row["segment"] = numbers.setdefault(key, str(len(numbers) + 1))
    year = rng.choice(("19", "20", "21")) if "document" in made.labels else "19"
    between = {
        "19": ("system",),
        "20": ("reference", "system", "document"),
        "21": ("domain", "document", "reference", "system"),
    }[year]
    if year == "19":
        made.labels = [label for label in made.labels if label != "document"]
    files = []
    for metric in made.metrics:
        rows = []
        for row in made.rows:
            cells: Row = {"metric": metric, "language pair": "en-de", "test set": "news"}
            for name in between:
                fixed = {"reference": "refA", "domain": "news"}
                cells[name] = fixed.get(name) or row[name].replace(" ", "_")
            cells["segment"] = row["segment"]
            cells["score"] = row[metric]
            rows.append(cells)
        labels = {name: name for name in (*between, "segment") if name in made.labels}
        files.append(
            File(f"{metric}.en-de.seg.score", "tabs", rows, labels, {"score": (metric, "")})
        )
    return Case("", files, [])


def _spaced(rng: random.Random) -> Case:
    """A table whose columns are parted by spaces."""
    made = table(rng, ())
    labels = _columns(rng, made.labels)
    rows = [
        {**row, **{label: row[label].replace(" ", "_") for label in made.labels}}
        for row in made.rows
    ]
    file = _file(rng, rows, labels, made.metrics, (), kind="spaces", path="scores.txt")
    return Case("", [file], [])


def _harness(rng: random.Random) -> Case:
    """Samples of lm-evaluation-harness."""

    def path(number: int, system: str, test_set: str) -> str:
        return f"{system}/samples_{test_set}_2024-05-05T10-20-30.123456.jsonl"

    return _a_file_for_each_task(rng, "harness", path, segment="doc_id", repeat="repeat")


def _inspect(rng: random.Random) -> Case:
    """Logs of Inspect."""

    def path(number: int, system: str, test_set: str) -> str:
        return f"2024-05-05T10-20-3{number}+00-00_{test_set}_ab{number}.json"

    return _a_file_for_each_task(rng, "inspect", path, segment="id", repeat="epoch")


def _a_file_for_each_task(
    rng: random.Random,
    kind: str,
    path: Callable[[int, str, str], str],
    *,
    segment: str,
    repeat: str,
) -> Case:
    """A file for each system and each task, which call segments and repeats as is said here."""
    made = table(rng, ("test set", "repeat"))
    labels = {segment: "segment"}
    if "repeat" in made.labels:
        labels[repeat] = "repeat"
    sets = list(dict.fromkeys(row.get("test set", "sums") for row in made.rows))
    files = []
    for number, (system, test_set) in enumerate(itertools.product(made.systems, sets)):
        rows = [row for row in made.part(system=system) if row.get("test set", "sums") == test_set]
        files.append(
            _file(
                rng, rows, labels, made.metrics, ["source"],
                kind=kind,
                path=path(number, system, test_set),
                implied={"system": system, "test set": test_set},
            )
        )  # fmt: skip
    return Case("", files, [])


def _promptfoo(rng: random.Random) -> Case:
    """Results of promptfoo, of all systems in one file."""
    made = table(rng, ("repeat",), n_metrics=1)
    (metric,) = made.metrics
    labels = {"provider": "system", "source": "segment"}
    if "repeat" in made.labels:
        labels["repeat"] = "repeat"
    numbers: dict[str, int] = {}
    rows = []
    for row in made.rows:
        number = numbers.setdefault(row["segment"], len(numbers))
        cells: Row = {"provider": row["system"], "source": f"What is {number} plus 2?"}
        if "repeat" in made.labels:
            cells["repeat"] = row["repeat"]
        rows.append({**cells, "score": row[metric]})
    file = File("results.json", "promptfoo", rows, labels, {"score": ("score", "")})
    return Case("", [file], [], has_names=False)


LAYOUTS: dict[str, Callable[[random.Random], Case]] = {
    "long csv": _long("csv"),
    "long tsv": _long("tsv"),
    "long semicolons": _long("semicolons"),
    "long decimal commas": _long("decimal commas"),
    "json records": _long("json"),
    "json lines": _long("json lines"),
    "json lists": _long("lists"),
    "wide csv": _wide("csv"),
    "wide tsv": _wide("tsv"),
    "wide decimal commas": _wide("decimal commas"),
    "wide json lists": _wide("lists"),
    "wide json records": _wide("json"),
    "a table for each system": _systems_alone,
    "numbers for each system": _numbers_alone,
    "a table for each metric": _metrics_alone,
    "a wide table for each metric": _metrics_wide,
    "a table for each test set": _sets_alone,
    "spaces": _spaced,
    "comet-score": _comet_printed,
    "comet json": _comet_json,
    "wmt, two columns": _wmt_two_columns,
    "wmt, task": _wmt_task,
    "harness": _harness,
    "inspect": _inspect,
    "promptfoo": _promptfoo,
}

#: Layouts of which all files in a folder are read.
_FOLDERS = ("harness", "inspect", "a table for each system", "a table for each metric")


def make_case(rng: random.Random, layout: str) -> Case:
    """A case in a layout, before it is damaged and written."""
    case = LAYOUTS[layout](rng)
    case.layout = layout
    if not all(file.has_segments for file in case.files):
        case.has_names = False
    are_tables = all(file.kind == "table" for file in case.files)
    are_named = any(file.given_name for file in case.files)
    may_be_folder = layout in _FOLDERS and (are_tables or not layout.startswith("a table"))
    case.is_folder = may_be_folder and not are_named and rng.random() < 0.3
    return case


# --- writing --------------------------------------------------------------------------------------

Written = tuple[list[str], list[int]]


def _cell(file: File, value: Any) -> str:
    if isinstance(value, float) and file.has_comma:
        return repr(value).replace(".", ",")
    return "" if value is None else str(value)


def _table(file: File) -> Written:
    cells = [file.columns]
    cells += [[_cell(file, row.get(name)) for name in file.columns] for row in file.rows]
    if file.separator == "\t":
        lines = ["\t".join(fields) for fields in cells]
    else:
        lines = []
        for fields in cells:
            stream = io.StringIO()
            csv.writer(stream, delimiter=file.separator, lineterminator="").writerow(fields)
            lines.append(stream.getvalue())
    return lines, list(range(2, len(lines) + 1))


def _spaces(file: File) -> Written:
    lines = ["  ".join(file.columns)]
    lines += ["  ".join(_cell(file, row[name]) for name in file.columns) for row in file.rows]
    return lines, list(range(2, len(lines) + 1))


def _tabs(file: File) -> Written:
    lines = ["\t".join(_cell(file, row[name]) for name in row) for row in file.rows]
    return lines, list(range(1, len(lines) + 1))


def _dumped(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False)


def _in_list(records: Sequence[Any]) -> list[str]:
    """A list with a record in each line."""
    lines = [f"{_dumped(record)}," for record in records]
    lines[-1] = lines[-1].removesuffix(",")
    return lines


def _json(file: File) -> Written:
    return ["[", *_in_list(file.rows), "]"], list(range(1, len(file.rows) + 1))


def _json_lines(file: File) -> Written:
    return [_dumped(row) for row in file.rows], list(range(1, len(file.rows) + 1))


def _lists(file: File) -> Written:
    parts = [
        f"{_dumped(name)}: {_dumped([row.get(name) for row in file.rows])}" for name in file.columns
    ]
    return ["{", ",\n".join(parts), "}"], list(range(1, len(file.rows) + 1))


def _comet_score(file: File) -> Written:
    lines = []
    for row in file.rows:
        score = _cell(file, row["COMET"])
        lines.append(f"{row['system']}.txt\tSegment {row['segment']}\tscore: {score}")
    places = list(range(1, len(lines) + 1))
    for system in dict.fromkeys(row["system"] for row in file.rows):
        lines.append(f"{system}.txt\tscore: 0.5")
    return lines, places


def _comet_to_json(file: File) -> Written:
    lines = ["{"]
    places = []
    systems = list(dict.fromkeys(row["system"] for row in file.rows))
    for system in systems:
        own = [row for row in file.rows if row["system"] == system]
        bare = [{name: row[name] for name in row if name != "system"} for row in own]
        lines.append(f"{_dumped(f'{system}.txt')}: [")
        lines += _in_list(bare)
        lines.append("]" if system == systems[-1] else "],")
        places += list(range(1, len(own) + 1))
    return [*lines, "}"], places


def _harness_samples(file: File) -> Written:
    metrics = list(file.scores)
    lines = []
    for row in file.rows:
        segment = row["doc_id"]
        is_number = segment.isdecimal() and str(int(segment)) == segment
        answer = f"answer {row[metrics[0]]} {row.get('repeat')}"
        record = {
            "doc_id": int(segment) if is_number else segment,
            "doc": {"question": row["source"]},
            "target": "5",
            "arguments": {"gen_args_0": {"arg_0": row["source"], "arg_1": {}}},
            "resps": [[answer]],
            "filtered_resps": [answer],
            "filter": "none",
            "metrics": metrics,
            **{metric: row[metric] for metric in metrics},
        }
        lines.append(_dumped(record))
    return lines, list(range(1, len(lines) + 1))


def _inspect_log(file: File) -> Written:
    samples = []
    for row in file.rows:
        samples.append(
            {
                "id": row["id"],
                "epoch": int(row.get("epoch", "1")),
                "input": row["source"],
                "target": "5",
                "output": {"completion": f"answer {row[next(iter(file.scores))]}"},
                "scores": {metric: {"value": row[metric]} for metric in file.scores},
            }
        )
    system = file.implied["system"]
    task = file.implied["test set"]
    header = {"eval_id": f"{system} {task}", "task": task, "model": system, "config": {}}
    about = _dumped({"version": 2, "status": "success", "eval": header}).removesuffix("}")
    return [f'{about}, "samples": [', *_in_list(samples), "]}"], list(range(1, len(samples) + 1))


def _promptfoo_results(file: File) -> Written:
    columns: dict[str, int] = {}
    tests: dict[tuple[str, str], int] = {}
    records = []
    for row in file.rows:
        column = columns.setdefault(row["provider"], len(columns))
        repeat = row.get("repeat", "")
        test = tests.setdefault((row["source"], repeat), len(tests))
        records.append(
            {
                "promptIdx": column,
                "testIdx": test,
                "provider": {"id": row["provider"], "label": ""},
                "prompt": {"raw": row["source"], "label": "{{question}}"},
                "vars": {"question": row["source"]},
                "testCase": {"vars": {"question": row["source"]}},
                "score": row["score"],
                "namedScores": {},
                "failureReason": 0,
                "gradingResult": {"pass": True},
                "response": {"output": f"answer {row['score']} {repeat}"},
            }
        )
    head = '{"evalId": "eval-1", "results": {"version": 3, "prompts": [], "stats": {}, "results": ['
    return [head, *_in_list(records), "]}}"], list(range(1, len(records) + 1))


def _only_numbers(file: File) -> Written:
    lines = [_cell(file, row["score"]) for row in file.rows]
    return lines, list(range(1, len(lines) + 1))


WRITERS: dict[str, Callable[[File], Written]] = {
    "table": _table,
    "spaces": _spaces,
    "tabs": _tabs,
    "json": _json,
    "json lines": _json_lines,
    "lists": _lists,
    "numbers": _only_numbers,
    "comet-score": _comet_score,
    "comet json": _comet_to_json,
    "harness": _harness_samples,
    "inspect": _inspect_log,
    "promptfoo": _promptfoo_results,
}


def page(file: File, *, is_packed: bool = False) -> Page:
    """A file as text."""
    lines, places = WRITERS[file.kind](file)
    return Page(file, lines, places, is_packed=is_packed)
