"""A question for each lab and student: repeatable, not the neighbour's, with the right answer."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from lxml import html
from scipy.stats import binomtest

import mtsig_nb as mt
from tools.labs import lab_files, variants

IDS = [f"s{number}" for number in range(1001, 1009)]


def test_every_lab_has_a_question():
    assert list(variants.questions()) == list(range(1, len(lab_files.labs()) + 1))


@pytest.mark.slow
@pytest.mark.parametrize("lab", variants.questions())
def test_neighbours_have_other_numbers_and_the_same_id_the_same(lab):
    found = [variants.variant(lab, student) for student in IDS]
    assert len({each.question for each in found}) == len(IDS)
    assert all(a.answer != b.answer for a, b in itertools.pairwise(found))
    assert found[:2] == [variants.variant(lab, student) for student in IDS[:2]]
    assert variants.variant(lab, IDS[0], "word").question != found[0].question


def numbers(question: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.\d+|\d+", question)]


def check(lab, recomputed):
    """Answers again, from the words of the question alone."""
    for student in IDS[:5]:
        asked = variants.variant(lab, student)
        assert abs(float(asked.answer) - recomputed(asked.question)) <= asked.tolerance


def holm(asked):
    *family, one = numbers(asked)
    stepped = [p * (6 - place) for place, p in enumerate(sorted(family))]
    return min(1, max(stepped[: sorted(family).index(one) + 1]))


def standard_score(asked):
    scores = numbers(asked)
    return (scores[-1] - np.mean(scores)) / np.std(scores, ddof=1)


def beside_people(asked):
    people, there, elsewhere = np.reshape(numbers(asked)[:12], (3, 4)).mean(axis=1)
    return people - numbers(asked)[12] * (there - elsewhere)


def test_what_a_pocket_calculator_can_do_computed_again():
    check(1, lambda asked: binomtest(*map(int, numbers(asked)[:2])).pvalue)
    check(8, holm)
    check(10, standard_score)
    check(11, lambda asked: binomtest(int(numbers(asked)[1]), int(numbers(asked)[0])).pvalue)
    check(15, beside_people)


def test_clusters_computed_again():
    for student in IDS[:5]:
        asked = variants.variant(9, student)
        apart = set(re.findall(r"\b[A-H]{2}\b", asked.question))
        sets = [
            "".join(itertools.compress("ABCDEFGH", map(int, f"{n:08b}"))) for n in range(1, 256)
        ]
        alike = [s for s in sets if not any(set(pair) <= set(s) for pair in apart)]
        largest = [s for s in alike if not any(set(s) < set(t) for t in alike)]
        assert asked.answer.split() == sorted(largest)


@pytest.mark.slow
@pytest.mark.parametrize("lab", [2, 3, 7, 14])
def test_the_lines_of_a_question_load_what_its_answer_is_about(lab):
    def recomputed(asked):
        place: dict = {}
        exec(re.search(r"```python\n(.*?)```", asked, re.DOTALL)[1], place)
        cut = place["cut"]
        if lab == 2:
            return cut.metric.score(cut.values[0].sum(axis=0))
        if lab == 14:
            sizes = np.unique(cut.documents, return_counts=True)[1]
            return sizes.sum() ** 2 / (sizes**2).sum()
        a, b = cut.values
        if lab == 3:
            lead = a[:, 0] - b[:, 0]
            signs = 1 - 2 * (np.arange(2**12)[:, None] >> np.arange(12) & 1)
            return np.mean(abs(signs @ lead) >= abs(lead.sum()) - 1e-9)
        seed = int(re.search(r"rng=(\d+)", asked)[1])
        drawn = mt.confidence_interval(cut, *cut.systems, rng=seed).distribution
        return -np.subtract(*cut.metric.score(cut.totals())) / np.std(drawn, ddof=1)

    check(lab, recomputed)


@pytest.mark.slow
def test_the_command_writes_pages_without_answers_and_a_key(tmp_path, monkeypatch, capsys):
    some = {lab: variants.questions()[lab] for lab in (1, 8)}
    monkeypatch.setattr(variants, "questions", lambda: some)
    (tmp_path / "ids.txt").write_text("ann\nbob\n")
    to = tmp_path / "out"
    assert variants.main([str(tmp_path / "ids.txt"), "--word", "w", "--to", str(to)]) == 0
    key = pd.read_csv(to / "key.csv", dtype=str).to_dict("records")
    asked = [(row["id"], row["lab"]) for row in key]
    assert asked == list(itertools.product(("ann", "bob"), "18"))
    for row in key:
        page = (to / f"{row['id']}.md").read_text(encoding="utf-8")
        assert row["question"] in page
        assert row["answer"] not in page
        printed = html.parse(to / f"lab_{int(row['lab']):02}.html").getroot().text_content()
        assert row["id"] in printed
        asked = "".join(other["question"] for other in key if other["lab"] == row["lab"])
        assert printed.count(row["answer"]) == asked.count(row["answer"])
        assert row["answer"] in (to / "key.html").read_text(encoding="utf-8")
        assert row["answer"] == variants.variant(int(row["lab"]), row["id"], "w").answer
    monkeypatch.setattr(variants, "variant", lambda *_: variants.Variant("?", "1", 0))
    assert variants.main([str(tmp_path / "ids.txt"), "--to", str(to)]) == 0
    assert "bob has the answer of the student before in lab 1" in capsys.readouterr().out


@pytest.mark.parametrize("ids", ["../ann", "=1+1", "ann\nann", "a/b"])
def test_an_id_that_is_no_name_of_a_file_is_refused(tmp_path, ids, capsys):
    (tmp_path / "ids.txt").write_text(ids)
    assert variants.main([str(tmp_path / "ids.txt"), "--to", str(tmp_path / "out")]) == 1
    assert "no id of letters and digits" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
