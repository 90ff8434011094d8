"""Figures about conclusions: what is drawn is what the objects say, and all of it is visible."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import mtsig_nb as mt
from mtsig_nb import plots
from mtsig_nb.conclusions.deciding import Conclusions
from mtsig_nb.plots.rankings import _shade_colours
from mtsig_nb.plots.style import alt_text

mpl.use("Agg")
import matplotlib.pyplot as plt  # after the backend is chosen

NASTY = "<script>alert(1)</script>&_#$%$"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def ladder(n, *, alpha=0.05, long_names=False, pvalues=True):
    """Systems with falling scores; p falls from .2 for neighbours, tenfold with each further."""
    names = [f"system-{i}" + "-of-a-university" * (long_names and i % 2) for i in range(n)]
    gap = np.abs(np.subtract.outer(range(n), range(n)))
    p = np.where(gap > 0, 0.2 * 10.0 ** -(gap - 1.0), np.nan)
    advantage = -np.sign(np.subtract.outer(range(n), range(n)))
    found = Conclusions.from_pvalues(
        names, advantage, p, alpha=alpha, source="a test of ours", scores=30.0 - np.arange(n)
    )
    if pvalues:
        return found
    return Conclusions(found.systems, found.matrix, source="people", scores=found.scores)


def shades(figure):
    """The heatmap's cells, 0 for none, -1 on the diagonal."""
    (mesh,) = figure.axes[0].collections
    return mesh.get_array().filled(-1).tolist()


def legend(figure):
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def test_heatmap_has_three_shades():
    figure = plots.heatmap(ladder(5))
    # p: .2, .02, .002, .0002 at a distance of 1, 2, 3, 4.
    assert shades(figure) == [
        [-1, 0, 1, 2, 3],
        [0, -1, 0, 1, 2],
        [0, 0, -1, 0, 1],
        [0, 0, 0, -1, 0],
        [0, 0, 0, 0, -1],
    ]
    assert legend(figure) == ["p ≤ 0.05", "p ≤ 0.01", "p ≤ 0.001", "not shown better"]
    assert (
        figure.get_suptitle() == "Row significantly better than column\na test of ours, alpha 0.05"
    )


def test_a_level_itself_has_its_shade():
    p = [[np.nan, 0.05, 0.01], [0.05, np.nan, 0.011], [0.01, 0.011, np.nan]]
    advantage = [[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]
    figure = plots.heatmap(Conclusions.from_pvalues("ABC", advantage, p))
    assert shades(figure) == [[-1, 1, 2], [0, -1, 1], [0, 0, -1]]


def test_heatmap_fills_by_the_conclusions_own_level():
    strict = plots.heatmap(ladder(4, alpha=0.005))
    assert shades(strict)[0] == [-1, 0, 0, 1]
    assert legend(strict) == ["p ≤ 0.005", "p ≤ 0.001", "not shown better"]
    lenient = plots.heatmap(ladder(4, alpha=0.2))
    assert shades(lenient)[0] == [-1, 1, 2, 3]
    assert legend(lenient)[:2] == ["p ≤ 0.2", "p ≤ 0.05"]


def test_heatmap_without_pvalues_has_one_shade():
    figure = plots.heatmap(ladder(4, pvalues=False))
    assert shades(figure)[0] == [-1, 0, 1, 1]
    assert legend(figure) == ["better", "not shown better"]


def test_heatmap_is_sorted_by_score():
    figure = plots.heatmap(ladder(4).reorder([f"system-{i}" for i in (2, 0, 3, 1)]))
    rows = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert rows == [f"system-{i}   {30 - i:.2f}" for i in range(4)]
    assert np.triu(shades(figure)).tolist() == np.triu(shades(plots.heatmap(ladder(4)))).tolist()
    assert figure.axes[0].get_ylim()[0] > figure.axes[0].get_ylim()[1]  # best at the top


def test_shades_differ_in_lightness_for_every_kind_of_sight():
    for n in (2, 3, 4):
        lightness = [np.dot(to_rgb(c), [0.2126, 0.7152, 0.0722]) for c in _shade_colours(n)]
        assert np.diff([0.955, *lightness]).max() < -0.1  # darker and darker from the empty cell


def visible(figure):
    """Whether every text of the figure lies within it."""
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    axes = figure.axes[0]
    texts = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts, figure._suptitle]
    if axes.get_legend():
        texts.append(axes.get_legend())
    boxes = [text.get_window_extent() for text in texts if text]
    return all(b.x0 >= 0 and b.y0 >= 0 and b.x1 <= width and b.y1 <= height for b in boxes)


@pytest.mark.slow
@pytest.mark.parametrize("long_names", [False, True])
@pytest.mark.parametrize("n", [1, 2, 12, 20])
def test_no_label_is_clipped(n, long_names):
    conclusions = ladder(n, long_names=long_names)
    found = mt.clusters(conclusions)
    by_level = mt.clusters_by_level(lambda a: ladder(n, alpha=a, long_names=long_names))
    assert visible(plots.heatmap(conclusions))
    assert visible(plots.cluster_diagram(found))
    assert visible(plots.clusters_by_level_plot(by_level))


def labels_apart(labels, axis):
    boxes = sorted((text.get_window_extent() for text in labels), key=lambda b: getattr(b, axis))
    starts = [getattr(b, axis) for b in boxes]
    ends = [getattr(b, axis[0] + "1") for b in boxes]
    return all(start >= end - 1 for start, end in zip(starts[1:], ends[:-1], strict=True))


def test_labels_of_20_systems_do_not_overlap():
    figure = plots.heatmap(ladder(20, long_names=True))
    figure.canvas.draw()
    assert labels_apart(figure.axes[0].get_yticklabels(), "y0")
    assert labels_apart(figure.axes[0].get_xticklabels(), "x0")


def test_cluster_diagram_draws_each_cluster():
    found = mt.clusters(
        Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 0, ("B", "C"): 0, ("C", "A"): 0})
    )
    assert found.groups == (("A", "C"), ("C", "B")) or found.groups == (("A", "C"), ("B", "C"))
    figure = plots.cluster_diagram(found)
    axes = figure.axes[0]
    order = [text.get_text() for text in axes.get_yticklabels()]
    thick = [line for line in axes.lines if line.get_linewidth() > 5]
    drawn = [set() for _ in found.groups]
    for line in thick:
        (column, _), (top, bottom) = line.get_xdata(), line.get_ydata()
        drawn[int(column)] |= {s for y, s in enumerate(order) if top <= y <= bottom}
    assert drawn == [set(group) for group in found.groups]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["a", "b"]


def test_bar_thins_where_it_passes_a_system_of_another_cluster():
    # By score the order is A, B, C; only A and C are indistinguishable.
    found = mt.clusters(
        Conclusions.from_pairs({("A", "B"): 1, ("B", "C"): 1, ("A", "C"): 0}, scores=[3, 2, 1])
    )
    lines = plots.cluster_diagram(found).axes[0].lines
    spans = {
        (line.get_linewidth() > 5, *(round(float(y)) for y in line.get_ydata()))
        for line in lines
        if line.get_xdata()[0] == 0
    }
    assert spans == {(False, 0, 2), (True, 0, 0), (True, 2, 2)}


def test_clusters_by_level_has_a_panel_for_each_level():
    by_level = mt.clusters_by_level(lambda a: ladder(5, alpha=a), [0.001, 0.05])
    figure = by_level.plot()
    headings = [text.get_text() for text in figure.axes[0].texts]
    assert headings == ["p ≤ 0.001\n2 clusters", "p ≤ 0.05\n4 clusters"]
    assert len(figure.axes[0].get_xticklabels()) == 6


@pytest.mark.parametrize("draw", ["heatmap", "clusters", "levels"])
def test_names_are_plain_text_and_figures_have_alternative_text(draw):
    def judged(alpha=0.05):
        return Conclusions.from_pairs({(NASTY, "$x^{2"): 1}, alpha=alpha, source="$s$ <i>")

    figure = {
        "heatmap": lambda: judged().heatmap(),
        "clusters": lambda: mt.clusters(judged()).plot(),
        "levels": lambda: mt.clusters_by_level(judged).plot(),
    }[draw]()
    figure.canvas.draw()  # "$x^{2" as mathematics would be an error here
    assert [t.get_text() for t in figure.axes[0].get_yticklabels()] == [NASTY, "$x^{2"]
    assert "2 systems" in alt_text(figure)


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
        bars = plots.null_distribution(result, bins=6).axes[0].containers
        every, counted = ([bar.get_height() for bar in part] for part in bars)
        assert all(c in (0, e) for c, e in zip(counted, every, strict=True)), "a bin half counted"
        heights.append([c for c in counted if c])
    assert heights[0] == heights[1][::-1]


def test_figures_can_be_drawn_into_given_axes():
    figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    found = mt.clusters(ladder(4))
    assert plots.heatmap(ladder(4), ax=axes[0]) is figure
    assert plots.cluster_diagram(found, ax=axes[1]) is figure
    by_level = mt.clusters_by_level(lambda a: ladder(4, alpha=a), [0.05])
    assert plots.clusters_by_level_plot(by_level, ax=axes[2]) is figure
    assert axes[0].get_title(loc="left").startswith("Row significantly better")
    assert figure.get_suptitle() == ""


def test_nothing_to_draw_is_an_error():
    none = Conclusions((), np.zeros((0, 0)))
    with pytest.raises(mt.InputError, match="no systems to draw"):
        plots.heatmap(none)
    with pytest.raises(mt.InputError, match="no systems to draw"):
        plots.cluster_diagram(mt.clusters(none))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_null_distribution_draws_ties_on_the_side_that_counts(alternative):
    """By enumeration the observed difference and its mirror are themselves among the values."""
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["uedin-wmt12", "QCRI--primary"])
    differ = np.flatnonzero((bleu.values[0] != bleu.values[1]).any(axis=1))
    ten = bleu.subset(differ[100:110])
    result = mt.approximate_randomization(ten, *ten.systems, alternative=alternative, exact=True)
    _, counted = plots.null_distribution(result, bins=40).axes[0].containers
    filled = [bar for bar in counted if bar.get_height()]
    assert sum(bar.get_height() for bar in filled) == result.count
    d, hair = result.statistic, 1e-6
    upper = [
        bar for bar in filled if bar.get_x() >= (d if alternative != "less" else np.inf) - hair
    ]
    lower_end = -d if alternative == "two-sided" else d
    lower = [bar for bar in filled if bar.get_x() + bar.get_width() <= lower_end + hair]
    outside = {"two-sided": len(upper) + len(lower), "greater": len(upper), "less": len(lower)}
    assert outside[alternative] == len(filled)
