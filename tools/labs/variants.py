"""``make variants IDS=ids.txt``: a question for each lab and student, with numbers of their own.

``build/variants`` gets a file of questions for each student and a page of each lab for the class;
for the lecturer, ``key.csv`` and a page of it.  Pages are printed as PDF where Chromium is
installed.  The numbers follow from the lab, the student's id and the lecturer's word, and from
nothing else.
``notebooks/labs/variants.toml`` has the questions; the package computes the answers.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import re
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.writing import write_whole

from ..course import handouts
from ..course import notebook_files as files

ID = re.compile(r"[A-Za-z0-9][\w.@-]*")
#: What an answer may differ by: it is the same in every digit, and three are asked for.
ROUNDING = 0.0006

Generator = np.random.Generator
#: What the words of a question need, and its answer.
Made = tuple[dict[str, Any], float | str]


class Variant(NamedTuple):
    """A question with its numbers, its answer, and by how much an answer may differ from it."""

    question: str
    answer: str
    tolerance: float


def coin(rng: Generator) -> Made:
    """So many observations say one thing, and so many the other."""
    second = int(rng.integers(15, 60))
    first = second + int(rng.integers(3, 20))
    n = first + second
    frame = pd.DataFrame({"system": ["A", "B"] * n, "segment": np.repeat(np.arange(n), 2)})
    frame["score"] = [1, 0] * first + [0, 1] * second
    p = mt.sign_test(mt.from_segment_scores(frame), "A", "B").pvalue
    return {"first": first, "second": second, "n": n}, p


def holm(rng: Generator) -> Made:
    """Six p-values, and what becomes of the third."""
    pvalues = [float(p) for p in np.sort(rng.integers(10, 90, size=6)) * [1, 2, 4, 8, 10, 11] / 1e4]
    shown = [pvalues[place] for place in rng.permutation(6)]
    return {"shown": shown, "one": pvalues[2]}, mt.adjust_pvalues(pvalues, "holm")[2]


def groups(rng: Generator) -> Made:
    """Eight systems, of which those that are far apart were distinguished, and their clusters."""
    place = dict(zip("ABCDEFGH", map(int, rng.integers(0, 40, size=8)), strict=True))
    lead = {(a, b): place[a] - place[b] for a, b in itertools.combinations(place, 2)}
    found = {pair: int(np.sign(by)) * (abs(by) > 12) for pair, by in lead.items()}
    clusters = mt.clusters(mt.Conclusions.from_pairs(found)).groups
    answer = " ".join(sorted("".join(sorted(group)) for group in clusters))
    return {"told": ", ".join(a + b for (a, b), said in found.items() if said)}, answer


def standard_score(rng: Generator) -> Made:
    """All that a rater gave, and the standard score of the last of it."""
    raw = rng.choice(np.arange(20, 100), size=9, replace=False)
    frame = pd.DataFrame({"rater": "r", "system": "A", "segment": range(9), "raw": raw})
    return {"raw": raw.tolist()}, mt.human.Ratings(frame).standardised().iloc[-1]


def corrected(rng: Generator) -> Made:
    """People's leads on four segments, a judge's on eight, and what both together say."""
    people, *judge = (rng.choice(np.arange(1, 30), size=4, replace=False) for _ in range(3))
    there, elsewhere = ([int(lead) for lead in part] for part in judge)
    weight = float(rng.choice([0.2, 0.4, 0.6, 0.8]))
    found = mt.human.prediction_powered(
        [*people, *[np.nan] * 4], [*there, *elsewhere], weight=weight
    )
    shown = {"people": people.tolist(), "there": there, "elsewhere": elsewhere, "weight": weight}
    return shown, found.statistic


def p_of(test: Callable[..., Any], **how: Any) -> Callable[[Any, int], float]:
    """What a test of two systems says of some segments, from a seed."""
    return lambda cut, seed: test(cut, *cut.systems, rng=seed, **how).pvalue


def wobble(cut: Any, seed: int) -> float:
    """The standard error of a score or a difference."""
    return mt.confidence_interval(cut, *cut.systems, rng=seed).standard_error


def advantage(cut: Any, seed: int) -> float:
    """The first system's advantage, by its standard error, where less is better."""
    return -np.subtract(*cut.scores()[list(cut.systems)]) / wobble(cut, seed)


#: By the word for it in `variants.toml`: what is made up, and what is computed.
MADE_UP = {make.__name__: make for make in (coin, holm, groups, standard_score, corrected)}
COMPUTED: dict[str, Callable[[Any, int], float]] = {
    "documents": lambda cut, _: cut.by_unit("documents").n_effective,
    "score": lambda cut, _: cut.scores().iloc[0],
    "standard error": wobble,
    "shuffles": p_of(mt.approximate_randomization),
    "shuffles of documents": p_of(mt.approximate_randomization, units="documents"),
    "bootstrap test": p_of(mt.bootstrap_test),
    "equivalence": p_of(mt.equivalence_test, margin=3),
    "in standard errors": advantage,
}


def some_segments(
    rng: Generator, numbers: str, campaign: str, metric: str, n_segments: int, n_systems: int = 2
) -> Made:
    """The lines that load some segments, a seed, and what is computed from them."""
    whole = mt.load(campaign).statistics(metric)
    order, first = list(whole.scores().index), rng.integers(len(whole.systems) - 2)
    systems = [order[first], order[first + rng.integers(1, 3)]][:n_systems]
    start, seed = int(rng.integers(whole.n_segments - n_segments)), int(rng.integers(10_000))
    cut = whole.subset(np.arange(start, start + n_segments)).select(systems)
    lines = (
        f"```python\nimport mtsig_nb as mt\nwhole = mt.load({campaign!r}).statistics({metric!r})\n"
        f"cut = whole.subset(range({start}, {start + n_segments})).select({systems})\n```\n\n"
    )
    return {"lines": lines, "seed": seed}, COMPUTED[numbers](cut, seed)


@cache
def questions() -> dict[int, dict[str, Any]]:
    """What is asked about each lab."""
    listed = tomllib.loads((files.LABS / "variants.toml").read_text(encoding="utf-8"))
    return {int(lab): asked for lab, asked in listed.items()}


def variant(lab: int, student: str, word: str = "") -> Variant:
    """The question of one student for one lab."""
    asked = questions()[lab]
    digest = hashlib.sha256(f"{word}\0{lab}\0{student}".encode()).digest()
    rng, numbers = np.random.default_rng(list(digest)), asked["numbers"]
    made = some_segments(rng, numbers, **asked["of"]) if "of" in asked else MADE_UP[numbers](rng)
    fields, answer = made
    shown = answer if isinstance(answer, str) else f"{answer:.4f}"
    tolerance = 0 if isinstance(answer, str) else asked.get("tolerance", ROUNDING)
    return Variant(asked["ask"].format(**fields), shown, tolerance)


def papers(rows: list[tuple[Any, ...]]) -> dict[str, str]:
    """For each lab a page with the question of each student, and a page with all answers."""
    key = ["# Key", "| lab | student | answer | may differ by |\n| --- | --- | --- | --- |"]
    pages = {"key": key}
    for student, lab, question, answer, tolerance in sorted(rows, key=lambda row: row[1]):
        head = [f"# Lab {lab:02}: a question for each", "Give numbers with four decimals."]
        pages.setdefault(f"lab_{lab:02}", head).append(f"---\n\n### {student}\n\n{question}")
        key[1] += f"\n| {lab:02} | {student} | {answer} | {tolerance:g} |"
    return {name: "\n\n".join(page) for name, page in pages.items()}


def main(arguments: list[str] | None = None) -> int:
    """Write questions and key; the exit status is 1 if an id cannot be used."""
    parser = argparse.ArgumentParser(prog="make variants", description=__doc__)
    parser.add_argument("ids", type=Path, help="a text file with an id in each line")
    parser.add_argument("--word", default="", help="known to the lecturer alone")
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/variants", metavar="FOLDER")
    options = parser.parse_args(arguments)
    ids = options.ids.read_text(encoding="utf-8").split()
    if wrong := [one for one in ids if not ID.fullmatch(one) or ids.count(one) > 1]:
        print(f"no id of letters and digits, or there twice: {', '.join(wrong)}", file=sys.stderr)
        return 1
    options.to.mkdir(parents=True, exist_ok=True)
    rows = []
    for student in ids:
        page = f"# Questions for {student}\n\nGive numbers with four decimals.\n"
        for lab in questions():
            rows.append((student, lab, *variant(lab, student, options.word)))
            page += f"\n## Lab {lab:02}\n\n{rows[-1][2]}\n"
        write_whole(options.to / f"{student}.md", page)
    key = pd.DataFrame(rows, columns=["id", "lab", *Variant._fields])
    write_whole(options.to / "key.csv", key.to_csv(index=False))
    for name, markdown in papers(rows).items():
        handouts.print_page(options.to / f"{name}.html", markdown)
    for (_, *one), (student, *other) in zip(rows, rows[len(questions()) :], strict=False):
        if one[0] == other[0] and one[2] == other[2]:
            print(f"{student} has the answer of the student before in lab {one[0]}")
    print(
        f"{len(ids)} files of questions, a page of each lab, and key.csv and key.html for yourself,"
    )
    print(f"in {options.to}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
