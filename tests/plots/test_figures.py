"""Figures about conclusions: what is drawn is what the objects say, and all of it is visible."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb import plots
from mtsig_nb.plots.style import alt_text

mpl.use("Agg")
import matplotlib.pyplot as plt  # after the backend is chosen

NASTY = "<script>alert(1)</script>&_#$%$"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def ladder(n, *, alpha=0.05, long_names=False):
    """Systems with falling scores; p falls from .2 for neighbours, tenfold with each further."""
    names = [f"system-{i}" + "-of-a-university" * (long_names and i % 2) for i in range(n)]
    gap = np.abs(np.subtract.outer(range(n), range(n)))
    p = np.where(gap > 0, 0.2 * 10.0 ** -(gap - 1.0), np.nan)
    better = -np.sign(np.subtract.outer(range(n), range(n)))
    return mt.Conclusions.from_pvalues(
        names, better, p, alpha=alpha, source="a test of ours", scores=30.0 - np.arange(n)
    )


def shades(figure):
    """The heatmap's cells, 0 for none, -1 on the diagonal."""
    (mesh,) = figure.axes[0].collections
    return mesh.get_array().filled(-1).tolist()


def legend(figure):
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def row_names(figure):
    return [text.get_text() for text in figure.axes[0].get_yticklabels()]


@pytest.mark.parametrize(
    ("alpha", "first_row", "words"),
    [  # p: .2, .02, .002, .0002 at a distance of 1, 2, 3, 4.
        (0.05, [-1, 0, 1, 2, 3], ["p ≤ 0.05", "p ≤ 0.01", "p ≤ 0.001"]),
        (0.005, [-1, 0, 0, 1, 2], ["p ≤ 0.005", "p ≤ 0.001"]),
        (0.2, [-1, 1, 2, 3, 4], ["p ≤ 0.2", "p ≤ 0.05", "p ≤ 0.01", "p ≤ 0.001"]),
    ],
)
def test_heatmap_fills_by_the_conclusions_own_level_and_shades_by_smaller_ones(
    alpha, first_row, words
):
    figure = ladder(5, alpha=alpha).heatmap()
    assert shades(figure)[0] == first_row
    assert np.tril(shades(figure), -1).tolist() == np.zeros((5, 5)).tolist()
    assert legend(figure) == [*words, "not shown better"]
    title = f"Row significantly better than column\na test of ours, alpha {alpha:g}"
    assert figure.get_suptitle() == title
    # Darker and darker from the empty cell, for every kind of sight.
    colours = [patch.get_facecolor()[:3] for patch in figure.axes[0].get_legend().get_patches()]
    lightness = np.dot([*colours[-1:], *colours[:-1]], [0.2126, 0.7152, 0.0722])
    assert np.diff(lightness).max() < -0.1


def test_a_level_itself_has_its_shade():
    p = [[np.nan, 0.05, 0.01], [0.05, np.nan, 0.011], [0.01, 0.011, np.nan]]
    better = [[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]
    figure = plots.heatmap(mt.Conclusions.from_pvalues("ABC", better, p))
    assert shades(figure) == [[-1, 1, 2], [0, -1, 1], [0, 0, -1]]


def test_heatmap_is_sorted_by_score():
    figure = plots.heatmap(ladder(4).reorder([f"system-{i}" for i in (2, 0, 3, 1)]))
    assert row_names(figure) == [f"system-{i}   {30 - i:.2f}" for i in range(4)]
    assert shades(figure) == shades(plots.heatmap(ladder(4)))
    assert figure.axes[0].get_ylim()[0] > figure.axes[0].get_ylim()[1]  # best at the top


def visible(figure):
    """Whether every text of the figure lies within it."""
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    axes = figure.axes[0]
    texts = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts, figure._suptitle]
    texts += [axes.get_legend()] if axes.get_legend() else []
    boxes = [text.get_window_extent() for text in texts]
    return all(b.x0 >= 0 and b.y0 >= 0 and b.x1 <= width and b.y1 <= height for b in boxes)


@pytest.mark.slow
@pytest.mark.parametrize("long_names", [False, True])
@pytest.mark.parametrize("n", [1, 2, 12, 20])
def test_no_label_is_clipped(n, long_names):
    conclusions = ladder(n, long_names=long_names)
    assert visible(plots.heatmap(conclusions))
    assert visible(plots.cluster_diagram(mt.clusters(conclusions)))


@pytest.mark.parametrize(
    ("pairs", "scores"),
    [
        ({("A", "B"): 1, ("A", "C"): 0, ("B", "C"): 0}, None),
        # By score the order is A, B, C; only A and C are indistinguishable.
        ({("A", "B"): 1, ("B", "C"): 1, ("A", "C"): 0}, [3, 2, 1]),
    ],
)
def test_cluster_diagram_draws_each_cluster_thin_where_it_passes_others(pairs, scores):
    found = mt.clusters(mt.Conclusions.from_pairs(pairs, scores=scores))
    figure = plots.cluster_diagram(found)
    axes = figure.axes[0]
    rows = [name.split()[0] for name in row_names(figure)]
    drawn = [set() for _ in found.groups]
    for line in axes.lines:
        (column, _), (top, bottom) = line.get_xdata(), line.get_ydata()
        if line.get_linewidth() > 5:
            drawn[int(column)] |= {s for y, s in enumerate(rows) if top <= y <= bottom}
        else:  # from the cluster's first system to its last
            group = found.groups[int(column)]
            assert sorted((top, bottom)) == [f(map(rows.index, group)) for f in (min, max)]
    assert drawn == [set(group) for group in found.groups]
    assert [text.get_text() for text in axes.get_xticklabels()] == list(found.names)


@pytest.mark.parametrize("draw", [plots.heatmap, lambda found: mt.clusters(found).plot()])
def test_names_are_plain_text_and_figures_have_alternative_text(draw):
    pairs = {(NASTY, "$x^{2"): 1}
    figure = draw(mt.Conclusions.from_pairs(pairs, alpha=0.05, source="$s$ <i>"))
    figure.canvas.draw()  # "$x^{2" as mathematics would be an error here
    assert row_names(figure) == [NASTY, "$x^{2"]
    assert "2 systems" in alt_text(figure)


def histograms(figure):
    """All values, and those that are counted: heights and edges of the bins."""
    return [patch.get_data() for patch in figure.axes[0].patches]


def test_the_picture_of_swapped_systems_is_the_mirror_image():
    """Resamples in which the two are level are drawn with those that count, on either side."""
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 3, (2, 9)).astype(float)
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    statistics = mt.SufficientStatistics(mt.metrics.SegmentMean(), ("A", "B"), values)
    heights = []
    for pair in (("A", "B"), ("B", "A")):
        result = mt.paired_bootstrap(statistics, *pair, n_resamples=400, rng=1)
        assert (result.null_distribution == 0).any()
        every, counted = histograms(plots.null_distribution(result, bins=6))
        assert ((counted.values == 0) | (counted.values == every.values)).all(), "half counted"
        heights.append(counted.values[counted.values > 0].tolist())
    assert heights[0] == heights[1][::-1]


def test_figures_can_be_drawn_into_given_axes():
    figure, axes = plt.subplots(1, 2, figsize=(12, 4), layout="constrained")
    assert plots.heatmap(ladder(4), ax=axes[0]) is figure
    assert plots.cluster_diagram(mt.clusters(ladder(4)), ax=axes[1]) is figure
    assert axes[0].get_title(loc="left").startswith("Row significantly better")
    assert figure.get_suptitle() == ""


def test_the_plan_that_is_marked_is_the_cheapest_that_is_enough():
    names = [
        "raters",
        "documents",
        "segments",
        "ratings",
        "generations",
        "calls",
        "cost",
        "detectable",
    ]
    table = pd.DataFrame([(2, 9, 3, 1, 1, 1, 10, 2.0), (3, 12, 3, 2, 1, 4, 40, 1.0)], columns=names)
    figure = plots.plans(table, wished=1.5)
    said = "3 raters, 12 documents of 3 segments, 2 ratings of each output: cost 40"
    said += " (generations: 1, calls for a rating: 4)"
    assert figure.axes[0].get_title().replace("\n", " ") == said
    assert said in alt_text(figure)
    _, marked, _ = figure.axes[0].lines
    assert marked.get_xydata().tolist() == [[40, 1]]
    with pytest.raises(mt.InputError, match="1 at best"):
        plots.plans(table, wished=0.5)


def watched(n_looks=4, names=("A", NASTY, "C")):
    rng = np.random.default_rng(4)
    rows = [(name, k, rng.normal(70 + 6 * (name == "A"), 10)) for k in range(90) for name in names]
    frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
    return mt.sequential_test(frame, planned=120, looks=n_looks, spending="pocock", rng=1)


def test_looks_at_a_pair_have_the_difference_and_what_is_enough():
    found = watched()
    figure = plots.looks(found, "A", "C")
    table = found.table[(found.table["system_a"] == "A") & (found.table["system_b"] == "C")]
    difference, enough, _, _ = figure.axes[0].lines
    assert difference.get_xydata().tolist() == table[["n_units", "difference"]].to_numpy().tolist()
    # The difference is beyond the line just where the statistic is beyond the boundary.
    is_beyond = np.abs(difference.get_ydata()) >= np.abs(enough.get_ydata())
    assert is_beyond.tolist() == (table["statistic"].abs() >= table["boundary"]).tolist()
    (spans,) = figure.axes[0].collections
    ends = [segment[:, 1].tolist() for segment in spans.get_segments()]
    assert ends == table[["ci_low", "ci_high"]].to_numpy().tolist()
    with pytest.raises(mt.InputError, match="not a pair"):
        plots.looks(found, "A", "D")


def test_looks_at_several_pairs_are_drawn_beside_the_boundary():
    found = watched()
    figure = found.plot()
    *of_pairs, above, below, _ = figure.axes[0].lines
    assert [line.get_ydata().tolist() for line in of_pairs] == [
        rows["statistic"].tolist()
        for _, rows in found.table.groupby(["system_a", "system_b"], sort=False)
    ]
    boundary = found.table.drop_duplicates("look")["boundary"]
    assert above.get_ydata().tolist() == boundary.tolist() == (-below.get_ydata()).tolist()
    assert f"A – {NASTY}" in [text.get_text() for text in figure.axes[0].texts]
    assert "3 pairs" in alt_text(figure)


def test_nothing_to_draw_is_an_error():
    none = mt.Conclusions((), np.zeros((0, 0)))
    with pytest.raises(mt.InputError, match="no systems"):
        plots.heatmap(none)
    with pytest.raises(mt.InputError, match="no systems"):
        plots.cluster_diagram(mt.clusters(none))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_null_distribution_draws_ties_on_the_side_that_counts(alternative):
    """By enumeration the observed difference and its mirror are themselves among the values."""
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["uedin-wmt12", "QCRI--primary"])
    differ = np.flatnonzero((bleu.values[0] != bleu.values[1]).any(axis=1))
    ten = bleu.subset(differ[100:110])
    result = mt.approximate_randomization(ten, *ten.systems, alternative=alternative, exact=True)
    _, counted = histograms(plots.null_distribution(result, bins=40))
    assert counted.values.sum() == result.count
    filled = np.flatnonzero(counted.values)
    d, hair = result.statistic, 1e-6
    above = d if alternative != "less" else np.inf
    below = {"two-sided": -d, "greater": -np.inf, "less": d}[alternative]
    left, right = counted.edges[filled], counted.edges[filled + 1]
    assert ((left >= above - hair) | (right <= below + hair)).all()
    assert (alternative == "greater") == (left.min() > 0)
