"""Damaged files of scores: no line is lost and none moves, or the file is refused in our words.

What has to be in a result is found here by looking for the numbers in the file's lines, each of
which occurs once, and not by any code of the readers.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.reading import read_scores
from mtsig_nb.scores.table import read_score_table

from .test_hostile_scores import REFUSED

SYSTEMS = ("A", "B", "C")
N = 5

#: Where a number belongs: its system, its segment's name or number, and what it is.
Items = Counter[tuple[str, str, str]]

_digits = random.Random(7).sample(range(10_000, 100_000), 200)
_numbers = iter(f"0.{digits}" for digits in _digits)
X = {(s, i): next(_numbers) for s in SYSTEMS for i in range(N)}
Y = {(s, i): next(_numbers) for s in SYSTEMS for i in range(N)}
MARKED = re.compile(r"(?<![\w.+-])0\.\d{5}(?![\w.])")
ROWS = [(s, i) for s in SYSTEMS for i in range(N)]


@dataclass(frozen=True)
class Healthy:
    """A file as some program writes it, and where its lines say that their numbers belong."""

    name: str
    lines: tuple[str, ...]
    items: Callable[[list[str]], Items]
    #: How many rows each line after the header has, where segments are told apart by their order.
    ordered: int = 0
    header: int = 0
    metrics: tuple[str, ...] = ()
    by: str | None = None
    metric: str = "COMET"


def bare(line: str) -> str:
    return line.rstrip(" \t\r\u00a0")


def by_line(of_line: dict[str, list[tuple[str, str, str]]]) -> Callable[[list[str]], Items]:
    """Lines that say themselves where their numbers belong, wherever they stand."""
    return lambda lines: Counter(item for line in lines for item in of_line.get(bare(line), []))


def in_order(
    of_line: dict[str, list[tuple[str, str]]], header: int
) -> Callable[[list[str]], Items]:
    """Lines whose place in the file is their segment."""

    def items(lines: list[str]) -> Items:
        return Counter(
            (system, str(place), number)
            for place, line in enumerate(lines[header:])
            for system, number in of_line.get(bare(line), [])
        )

    return items


def in_order_of_system(separator: str, header: int) -> Callable[[list[str]], Items]:
    """Lines whose place among those of their system is their segment."""

    def items(lines: list[str]) -> Items:
        found: Items = Counter()
        places: Counter[str] = Counter()
        for line in lines[header:]:
            system, rest = [*re.split(f"{separator}| +", bare(line), maxsplit=1), ""][:2]
            if rest in X.values():
                found[system, str(places[system]), rest] += 1
            places[system] += 1
        return found

    return items


def of_json(lines: list[str]) -> Items:
    """Numbers in an object of lists, by name and place; none that can be, if a name comes twice."""
    try:
        columns = json.loads("\n".join(lines).removeprefix("\ufeff"), object_pairs_hook=once)
    except KeyError:
        return Counter({("no result", "has", "this"): 1})
    except (ValueError, RecursionError):
        return Counter()
    found: Items = Counter()
    for name, rows in columns.items():
        for place, row in enumerate(rows if isinstance(rows, list) else []):
            number = row.get("COMET") if isinstance(row, dict) else row
            if isinstance(number, float) and f"{number:.5f}" in X.values():
                found[name, str(place), f"{number:.5f}"] += 1
    return found


def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise KeyError
    return dict(pairs)


def rows(form: str, *numbers: dict[tuple[str, int], str]) -> dict[str, list[tuple[str, str, str]]]:
    """A line of that form for each system and segment, and where the numbers in it belong."""
    made = {}
    for s, i in ROWS:
        lp = "en-de" if i < 3 else "en-cs"
        line = form.format(s=s, i=i, x=X[s, i], y=Y[s, i], d=i // 2, lp=lp)
        made[line] = [(s, str(i), n[s, i]) for n in numbers or (X,)]
    return made


def healthy() -> Iterator[Healthy]:
    for name, header, form in (
        ("s.csv", "system,segment,COMET", "{s},{i},{x}"),
        ("s.tsv", "system\tsegment\tCOMET", "{s}\t{i}\t{x}"),
        ("s.txt", "system;segment;COMET", "{s};{i};{x}"),
        ("s.csv", "system,segment,COMET,note", "{s},{i},{x},t"),
        ("s.csv", "lp,system,segment,COMET", "{lp},{s},{i},{x}"),
    ):
        yield Healthy(name, (header, *rows(form)), by_line(rows(form)), header=1)
    sets = rows("{lp},{s},{i},{x}")
    domains = ("domain,system,segment,COMET", *sets)
    yield Healthy("s.csv", domains, by_line(sets), header=1, by="domain")
    two = rows('{s},{i},d{d},"q, ""r""",{x},{y}', X, Y)
    names = "sys,seg_id,doc,note,COMET,MQM"
    yield Healthy("s.csv", (names, *two), by_line(two), header=1, metrics=("all",))
    runs = rows("{s},0,{i},{x}") | rows("{s},1,{i},{y}", Y)
    yield Healthy("s.csv", ("system,run,segment,COMET", *runs), by_line(runs), header=1)
    yield Healthy("s.csv", ("system,COMET", *rows("{s},{x}")), in_order_of_system(",", 1), 1, 1)
    wide = {
        f"{i},{','.join(X[s, i] for s in SYSTEMS)}": [(s, str(i), X[s, i]) for s in SYSTEMS]
        for i in range(N)
    }
    header = f"segment,{','.join(SYSTEMS)}"
    named = {"metrics": ("m",), "metric": "m"}
    yield Healthy("m.csv", (header, *wide), by_line(wide), header=1, **named)
    tabs = {"\t".join(X[s, i] for s in SYSTEMS): [(s, X[s, i]) for s in SYSTEMS] for i in range(N)}
    n = len(SYSTEMS)
    yield Healthy("m.tsv", ("\t".join(SYSTEMS), *tabs), in_order(tabs, 1), n, 1, **named)
    alone = {X["A", i]: [("A", X["A", i])] for i in range(N)}
    yield Healthy("A.txt", tuple(alone), in_order(alone, 0), 1, metric="score")
    yield Healthy("A.csv", ("COMET", *alone), in_order(alone, 1), 1, 1)
    printed = rows("out/{s}.txt\tSegment {i}\tscore: {x}")
    whole = [f"out/{s}.txt\tscore: 0.5" for s in SYSTEMS]
    blanks = [f"{line} \r" for line in printed]  # behind a line they mean nothing
    for lines in (blanks, printed):
        yield Healthy("c.txt", ("INFO: loading", "", *lines, *whole), by_line(printed))
    yield Healthy("COMET.seg.score", tuple(rows("{s}\t{x}")), in_order_of_system("\t", 0), 1)
    records = rows('{{"model": "{s}", "seg_id": {i}, "COMET": {x}}}')
    for name, lines in (
        ("c.seg.score", rows("COMET\ten-de\tt\tnews\td\tr\t{s}\t{i}\t{x}")),
        ("c.seg.score", rows("COMET\ten-de\tt\t{s}\t{i}\t{x}\tensemble\tno")),
        ("c.jsonl", records),
    ):
        yield Healthy(name, tuple(lines), by_line(lines))
    listed = {f"{line},": items for line, items in records.items()}
    *most, last = listed
    yield Healthy("c.json", ("[", *most, last[:-1], "]"), by_line({**listed, **records}))
    for row, metric in (('{{"mt": "m, n", "errors": [], "COMET": {}}}', "COMET"), ("{}", "score")):
        lists = []
        for s in SYSTEMS:
            *most, last = [row.format(X[s, i]) for i in range(N)]
            lists += [f'"{s}": [', *(f"{r}," for r in most), last, "],"]
        asked = () if metric == "COMET" else (metric,)
        whole = ("{", *lists[:-1], "]", "}")
        yield Healthy(f"{metric}.json", whole, of_json, metrics=asked, metric=metric)


HEALTHY = list(healthy())

BLANKS = ["", " ", "\t", "\u00a0", "\r", "  \t"]
#: What readers of such files stumble over.
PIECES = [
    "\0", "\u00a0", "\ufeff", "\u2028", "\x85", "\x1c", "\r", "\n", '"', '""', "'", ",", ";", "\t",
    "|", " ", "{", "}", "[", "]", ":", "#", "-", "nan", "None", "null", "inf", "1e999", "9" * 400,
    "1_0", "0x1", "\uff11", "\\ud800", "NA", "true", "Segment 0", "score: ", "\tscore: 1", "é",
]  # fmt: skip
NAMES = [
    "(run)", "(test set)", "system", "System", "model", "segment", "id", "document", "run", "seed",
    "lp", "test_set", "score", "target", "judge", "Unnamed: 0", "", " ", "0.5", "nan", "A", "COMET",
]  # fmt: skip


def damaged(lines: list[str], rng: random.Random) -> list[str]:
    """`lines` after one kind of damage."""
    lines = [*lines]
    at, other = rng.randrange(len(lines)), rng.randint(0, len(lines))
    cut = rng.randint(0, len(lines[at]))
    separators = [c for c in ",\t;" if c in lines[at]] or [" "]
    what = rng.randrange(16)
    if what in (0, 4, 7, 8, 9, 10):
        lines[at] = damaged_line(what, lines[at], cut, separators, rng)
    elif what in (11, 12):  # a cell, or a name above the columns
        at = at if what == 11 else 0
        cells = lines[at].split(separators[0])
        k = rng.randrange(len(cells))
        quotes = f'"{cells[k]}"', f'"{cells[k]}', f'{cells[k]}"'
        cells[k] = rng.choice([*quotes, "", *NAMES, *PIECES] if what == 11 else NAMES)
        lines[at] = separators[0].join(cells)
    elif what == 14 and not MARKED.search(lines[0]):
        names = [rng.choice(NAMES), *(str(i % 2) for i in range(1, len(lines)))]
        lines = [separators[0].join(pair) for pair in zip(lines, names, strict=True)]
    else:
        lines = with_other_lines(what, lines, at, other, cut, rng)
    return lines


def damaged_line(what: int, line: str, cut: int, separators: list[str], rng: random.Random) -> str:
    """A line after damage of this kind, which leaves the others alone."""
    if what == 0:
        return rng.choice(BLANKS)
    if what == 4:
        return rng.choice([line[:cut], line[cut:]])
    if what == 7:
        return line + rng.choice([*BLANKS[1:], ",", ";"])
    if what == 8:
        return rng.choice(BLANKS[1:]) + line
    if what == 9:
        new = rng.choice([",", "\t", ";", " ", "  ", "|", ""])
        return line.replace(rng.choice(separators), new, rng.choice([1, -1]))
    return line[:cut] + rng.choice([*PIECES, *BLANKS[1:]]) + line[cut:]


def with_other_lines(
    what: int, lines: list[str], at: int, other: int, cut: int, rng: random.Random
) -> list[str]:
    """`lines` after damage of this kind: some added, lost, joined, parted or moved."""
    line = lines[at]
    if what == 1:
        lines.insert(at, rng.choice(BLANKS))
    elif what == 2:
        lines.insert(rng.choice([at, other]), line)
    elif what == 3:
        lines[at], lines[other - 1] = lines[other - 1], line
    elif what == 5:
        lines[at : at + 2] = [rng.choice(["", " ", "\t", ","]).join(lines[at : at + 2])]
    elif what == 6:
        lines[at : at + 1] = [line[:cut], line[cut:]]
    elif what == 13:
        del lines[at]
    else:  # lines are there twice
        start, end = sorted([at, other])
        lines = lines[:end] + lines[start:]
    return lines


def written(lines: list[str], rng: random.Random) -> bytes:
    """`lines` as a file, with what programs and people do to whole files."""
    end = rng.choice(["\n"] * 8 + ["\r\n", "\r\n", "\r\r\n", "\r"])
    data = (end.join(lines) + rng.choice([end] * 8 + ["", end * 2])).encode()
    if rng.random() < 0.05:
        data = b"\xef\xbb\xbf" + data
    if rng.random() < 0.02 and data:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if rng.random() < 0.03:
        data = gzip.compress(data, mtime=0)
        data = data if rng.random() < 0.5 else data[: rng.randrange(len(data))]
    return data


def text_of(data: bytes) -> str:
    """What a file says: it was read, so it is UTF-8, compressed or not."""
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")


def check(seed: Healthy, data: bytes, path: Path) -> bool:
    """Whether the file is read; an error if a line was lost or moved, or the error is not ours."""
    path.write_bytes(data)
    try:
        found = read_scores(str(path), seed.metrics, by=seed.by)
    except mt.InputError:
        return False
    lines = lines_of(seed, data)
    # Without numbers in its first line a file has a header, whatever it had before.
    numbered = not seed.header and MARKED.search(lines[0])
    healthy_header = bool(numbered) or lines[0] == seed.lines[0]
    left_out = any(re.search("not taken for systems|left out", said) for said in found.remarks)
    read = numbers_read(found.frame)
    if healthy_header and not left_out and read:
        lost = seed.items(lines) - read
        assert not lost, f"lost or moved: {lost}"
    if seed.ordered and healthy_header and not left_out:
        assert len(found.frame) == seed.ordered * (len(lines) - seed.header), "a line was lost"
    if not left_out:
        check_that_each_number_is_there(lines, found.frame)
    try:
        table = read_score_table(str(path), seed.metrics, by=seed.by)
        statistics = table.statistics()
        table.test_sets()
    except mt.InputError:
        return False
    assert read or not MARKED.search("\n".join(lines)), "no number was read"
    if not table.runs and "(test set)" not in table.frame:
        for one in statistics:
            scores = Counter(as_marked(x) for x in one.segment_scores().ravel())
            assert scores == Counter(map(as_marked, table.frame[one.label])), "scores were lost"
    return True


def lines_of(seed: Healthy, data: bytes) -> list[str]:
    """The lines of a file, without an empty one at its end."""
    text = text_of(data).removeprefix("\ufeff")
    text = text if "\n" in text else text.replace("\r", "\n")
    is_table = seed.name.endswith((".csv", ".tsv"))
    lines = re.split(r"\r*\n|\r+" if is_table else r"\r*\n", text)
    return lines[:-1] if lines[-1] == "" else lines


def numbers_read(frame: pd.DataFrame) -> Items:
    """How often each marked number was read, by its system and segment."""
    read: Items = Counter()
    for row in frame.to_dict("records"):
        for name, cell in row.items():
            number = as_marked(cell)
            if name not in {"system", "segment"} and number is not None:
                # Whole paths, if damage has put one of them into another folder.
                system = re.sub(r"^out/|\.txt$", "", row["system"])
                read[system, re.sub(r"\.0$", "", str(row["segment"])), number] += 1
    return read


def check_that_each_number_is_there(lines: list[str], frame: pd.DataFrame) -> None:
    """An error if a marked number stands in a line, and in no cell."""
    cells = "\n".join(str(cell) for row in frame.to_dict("records") for cell in row.values())
    for number in MARKED.findall("\n".join(lines_below_names(lines))):
        assert number in cells or f"{float(number)!r}" in cells, f"{number} was lost"


def lines_below_names(lines: list[str]) -> list[str]:
    """The lines below a first one with names of columns, whatever they look like; or all."""
    first = next((k for k, line in enumerate(lines) if bare(line)), 0)
    has_names = any(cell.strip() in NAMES for cell in re.split(r"[,;\t]", lines[first]))
    return lines[first + 1 :] if has_names else lines


def as_marked(cell: object) -> str | None:
    try:
        number = f"{float(cell):.5f}"  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if number[2:].isdecimal() and int(number[2:]) in _digits else None


def mutants(n: int, random_seed: int) -> Iterator[tuple[Healthy, bytes]]:
    rng = random.Random(random_seed)
    hostile = [
        Healthy(name, tuple(content.splitlines()), lambda lines: Counter())
        for name, (content, options, _) in REFUSED.items()
        if not options
    ]
    for _ in range(n):
        seed = rng.choice(hostile if rng.random() < 0.1 else HEALTHY)
        lines = [*seed.lines]
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            lines = damaged(lines, rng) if lines else [""]
        yield seed, written(lines, rng)


def try_mutants(n: int, random_seed: int, folder: Path) -> tuple[int, list[str]]:
    """How many of `n` damaged files were read, and what was wrong about which."""
    n_read, faults = 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # which way a score of that name is better
        for number, (seed, data) in enumerate(mutants(n, random_seed)):
            try:
                n_read += check(seed, data, folder / seed.name)
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
                faults.append(f"{random_seed}/{number}, {seed.name}: {what}\n{data!r}")
    return n_read, faults


@pytest.mark.parametrize("seed", HEALTHY, ids=lambda seed: seed.name)
@pytest.mark.filterwarnings("ignore:'MQM' is taken")
def test_the_healthy_are_read(tmp_path, seed):
    """Otherwise the other tests would only damage what is refused anyway."""
    data, path = "".join(f"{line}\n" for line in seed.lines).encode(), tmp_path / seed.name
    assert len(seed.items([*seed.lines])) >= N
    assert check(seed, data, path)
    table = read_score_table(str(path), seed.metrics, by=seed.by)
    first, *_ = table.statistics()
    assert table.metrics[seed.metric]  # higher is better
    assert table.sentence.startswith(f"{seed.name}: {seed.metric} (higher ")
    assert first.label.startswith(seed.metric)
    if not table.runs and "(test set)" not in table.frame:
        own = [[float(X[s, i]) for i in range(N)] for s in first.systems]
        assert first.systems in (SYSTEMS, ("A",))
        np.testing.assert_allclose(first.segment_scores(), own, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seeds", "n"), [([29], 600), pytest.param(range(25), 2_000, marks=pytest.mark.thorough)]
)
def test_no_line_of_thousands_of_damaged_files_is_lost_or_moved(tmp_path, seeds, n):
    """A fault of one file in 250 is met by 600 of them with a probability of .91."""
    for random_seed in seeds:
        n_read, faults = try_mutants(n, random_seed, tmp_path)
        assert not faults, faults[0]
        assert n_read > n / 10
