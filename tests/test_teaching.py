"""Pictures that move, and the texts of pictures."""

from __future__ import annotations

import base64
import sys

import matplotlib.pyplot as plt
import nbformat
import pandas as pd
import pytest
import scipy.stats
from nbformat.v4 import new_code_cell, new_notebook

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.teaching import movable, own_work, parity
from tools.notebooks import files
from tools.site.pages import Pages, Unit


@pytest.mark.takes_time
def test_movable_draws_every_position_beforehand():
    asked, open_before = [], plt.get_fignums()
    moving = movable(
        lambda ax, **values: asked.append(values), n_resamples=[100, 10_000], tail=["both", "left"]
    )
    assert asked == [
        {"n_resamples": n, "tail": tail} for n in (100, 10_000) for tail in ("both", "left")
    ]
    assert [control["name"] for control in moving.data["controls"]] == ["n resamples", "tail"]
    assert moving.data["controls"][0]["values"] == ["100", "10,000"]
    assert all(base64.b64decode(one).startswith(b"\x89PNG") for one in moving.data["frames"])
    assert plt.get_fignums() == open_before  # nothing is left open


FIGURES = """\
import matplotlib.pyplot as plt
from mtsig_nb.plots import style
figure, ax = plt.subplots()
style.describe(figure, "An empty <pair> of axes.")
plt.show()
"""


@pytest.mark.thorough
def test_a_notebook_keeps_texts_of_figures_and_drops_widgets(tmp_path):
    cells = [FIGURES, "plt.subplots()\nplt.show()", "from ipywidgets import Text\nText()"]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    files.execute(notebook, tmp_path)
    files.tidy(notebook)
    described, bare, widget = notebook.cells
    assert described.outputs[0].metadata["image/png"]["alt"] == "An empty <pair> of axes."
    assert "alt" not in bare.outputs[0].metadata.get("image/png", {})
    assert widget.outputs == []
    assert ["without alternative text" in problem for problem in files.problems(notebook)] == [True]
    nbformat.validate(notebook)
    files.write(notebook, tmp_path / "page.ipynb")
    pages = Pages(tmp_path / "pages", [Unit.of(tmp_path / "page.ipynb")])
    pages.prepare()
    pages.write(notebook, 0)
    assert 'alt="An empty &lt;pair&gt; of axes."' in (tmp_path / "pages" / "page.html").read_text()


def holm(pvalues):
    return mt.adjust_pvalues(pvalues, "holm")


def swallowed(pvalues):
    try:
        return holm(pvalues)
    except BaseException:
        return pvalues


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (holm, "adjust_pvalues of mtsig_nb"),
        (swallowed, "adjust_pvalues of mtsig_nb"),
        (lambda values: list(map(holm, [values])), "adjust_pvalues of mtsig_nb"),
        (lambda values: pd.Series(values).apply(lambda p: holm([p])), "adjust_pvalues of mtsig_nb"),
        (scipy.stats.rankdata, "rankdata of scipy"),
        (lambda values: scipy.stats.wilcoxon(values, values[::-1]), "scipy.stats"),
        (lambda _: mt.Conclusions(("A",), [[0]]), "mtsig_nb.conclusions"),
    ],
)
def test_ready_made_work_is_noticed_however_it_is_called(answer, name):
    with pytest.raises(AssertionError, match=f"this calls {name}"), own_work():
        answer([0.01, 0.2])


def test_own_work_may_score_import_and_use_numpy():
    counts = mt.load("wmt12/en-es").statistics("BLEU")
    before = sys.getprofile()
    with own_work():
        import mtsig_nb.significance.planning  # noqa: F401

        assert counts.metric.score(counts.values[0].sum(axis=0)) > 0
        assert pd.Series([1, 2]).mean() == 1.5
    assert sys.getprofile() is before
    scoring = own_work("mtsig_nb.metrics")
    with pytest.raises(AssertionError, match="score of mtsig_nb"), scoring:
        counts.metric.score(counts.values[0].sum(axis=0))


def test_own_work_leaves_an_answers_own_error_alone():
    with pytest.raises(ZeroDivisionError), own_work():
        1 / 0  # noqa: B018


# The answers about human parity.

QUESTIONS = [(q, s) for q in ("adequacy", "fluency") for s in ("sentences", "articles")]


@pytest.mark.parametrize(("question", "shown"), QUESTIONS)
def test_answers_by_text_and_by_rater_are_the_same_answers(question, shown):
    by_text = parity(question, shown)
    by_rater = parity(question, shown, by="rater")
    assert by_text.scores().to_dict() == by_rater.scores().to_dict()
    n_texts, n_answers, n_raters = {"sentences": (104, 2, 2), "articles": (50, 4, 4)}[shown]
    assert by_text.n_segments == by_rater.n_segments == n_texts * n_answers
    assert set(pd.Series(by_text.documents).value_counts()) == {n_answers}
    assert set(pd.Series(by_rater.documents).value_counts()) == {n_texts}
    assert pd.Series(by_rater.documents).nunique() == n_raters


def test_answers_are_tested_as_by_an_exact_binomial_test():
    found = mt.sign_test(parity("adequacy", "articles"), "human", "machine")
    counts = printed_table("laeubli2018", 2).query("question == 'adequacy' & shown == 'articles'")
    n_human, n_machine = counts[["human", "machine"]].astype(int).sum()
    expected = scipy.stats.binomtest(int(n_human), int(n_human + n_machine)).pvalue
    assert found.pvalue == pytest.approx(expected)


def test_answers_to_another_question_are_refused():
    with pytest.raises(mt.InputError, match="question='style'"):
        parity("style", "articles")
    with pytest.raises(mt.InputError, match="shown='documents'"):
        parity("fluency", "documents")
