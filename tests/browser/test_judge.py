"""Be the judge in Chromium: what the reader says becomes a statistic, a p-value and a code."""

from __future__ import annotations

import nbformat
import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import mtsig_nb as mt
from mtsig_nb.teaching import be_the_judge, read_codes

from ..plots.test_classroom import class_of
from .pages import run_all, visit_notebook
from .servers import jupyterlab


def judge_all(page, data, decide) -> list[str]:
    """Answer every question as `decide` says of an item; the answers in the items' order."""
    given = {}
    by_reference = {" ".join(item["reference"].split()): item for item in data["items"]}
    for _ in by_reference:
        head = f"{data['said']}: "
        said = page.locator(".mtsig-judge p", has_text=head).first.inner_text()
        reference = " ".join(said.removeprefix(head).split())
        item = by_reference[reference]
        wanted = given[reference] = decide(item)
        first = page.locator(".mtsig-judge .outputs p").first.text_content()
        shown_first = data["names"][item["outputs"].index(first)]
        button = (
            "No difference"
            if wanted == "no difference"
            else "The first is better"
            if wanted == shown_first
            else "The second is better"
        )
        page.get_by_role("button", name=button).click()
    return list(map(given.get, by_reference))


def better(names):
    return lambda item: ["no difference", names[1], names[0]][item["worse"]]


@pytest.mark.browser
def test_answers_become_p_a_machine_and_a_code(page):
    quiz = be_the_judge()
    page.set_content(f"<!doctype html><meta charset='utf-8'><body>{quiz._repr_html_()}")
    answers = judge_all(page, quiz.data, better(quiz.data["names"]))
    found = page.evaluate("({...document.querySelector('[data-mtsig]').dataset})")
    ash, birch = answers.count("Ash"), answers.count("Birch")
    assert float(found["p"]) == pytest.approx(binomtest(ash, ash + birch).pvalue)
    (row,) = read_codes([found["code"]]).to_numpy().tolist()
    assert row == answers
    text = page.locator(".mtsig-judge").inner_text()
    assert f"You preferred Ash {ash} times and Birch {birch} times" in text
    assert f"the better output in {ash + birch} of them" in text
    page.get_by_role("button", name="All 10,000").click()
    page.wait_for_function("document.querySelector('.mtsig-judge [data-n]').dataset.n === '10000'")
    machine = page.evaluate("({...document.querySelector('.mtsig-judge [data-n]').dataset})")
    # The package's own coins, on the same preferences.
    said = np.array([a == "Ash" for a in answers if a != "no difference"], dtype=float)
    frame = pd.DataFrame({"Ash": said, "Birch": 1 - said}).rename_axis("segment").reset_index()
    shares = mt.from_segment_scores(frame.melt("segment", var_name="system", value_name="score"))
    expected = mt.approximate_randomization(shares, "Ash", "Birch", exact=False, rng=2014)
    assert int(machine["count"]) == expected.count
    assert page.said == []


@pytest.mark.browser
@pytest.mark.thorough
def test_in_jupyterlab_a_reader_judges_and_a_class_is_drawn(page, tmp_path):
    quiz = be_the_judge()
    codes = class_of(30, np.random.default_rng(1))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    sources = (
        "from mtsig_nb.teaching import be_the_judge, classroom\nbe_the_judge()",
        f"figure = classroom({codes})",
    )
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    unit = nbformat.v4.new_notebook(metadata={"kernelspec": kernel}, cells=cells)
    (tmp_path / "work").mkdir()
    nbformat.write(unit, tmp_path / "work" / "unit.ipynb")
    with jupyterlab(tmp_path) as address:
        visit_notebook(page, f"{address}/lab/tree/unit.ipynb?reset")
        run_all(page)
        page.locator(".jp-OutputArea-output img").first.wait_for()
        answers = judge_all(page, quiz.data, better(quiz.data["names"]))
        code = page.evaluate("document.querySelector('[data-mtsig]').dataset.code")
    (row,) = read_codes([code]).to_numpy().tolist()
    assert row == answers


@pytest.mark.browser
def test_the_order_of_systems_and_items_is_dealt_anew(page):
    firsts = []
    for _ in range(4):
        page.set_content(f"<body>{be_the_judge(n_resamples=500)._repr_html_()}")
        page.get_by_role("button", name="No difference").wait_for()
        firsts.append(page.locator(".mtsig-judge").inner_text())
    assert len(set(firsts)) > 1


def test_metric_and_faults_of_the_items():
    data = be_the_judge(n_resamples=500).data
    assert len(data["items"]) == 24
    assert sorted(item["worse"] for item in data["items"]) == [0] * 4 + [1] * 6 + [2] * 14
    for item in data["items"]:
        assert (item["fault"] == "none") == (item["worse"] == 0)
        assert len({item["reference"], *item["outputs"]}) == 3


@pytest.mark.parametrize("code", ["", "N3VGN3VGN2", "N3VGN3VGN2R", "N3VGN3VG1QQ", "hello"])
def test_a_mistyped_code_is_refused_with_its_place(code):
    with pytest.raises(mt.InputError, match="number 2"):
        read_codes(["n3vgn3vgn2q", code])
