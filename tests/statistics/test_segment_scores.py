"""Statistics from given segment scores, and errors whose whole text is checked."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from ..messages import naming


def tidy(**scores: list[float]) -> pd.DataFrame:
    """A frame of systems and their scores on segments 0, 1, …"""
    rows = [(name, i, score) for name, own in scores.items() for i, score in enumerate(own)]
    return pd.DataFrame(rows, columns=["system", "segment", "score"])


LACKING = (
    "Not the same segments for every system: {}. Score what is missing, or remove the segment for "
    "all systems."
)


def error_of(frame: pd.DataFrame, **kwargs) -> str:
    with pytest.raises(mt.InputError) as caught:
        mt.from_segment_scores(frame, **kwargs)
    return str(caught.value)


def test_mean_of_the_scores():
    found = mt.from_segment_scores(tidy(A=[0.5, 0.25, 0.75], B=[1.0, 0.0, 0.125]))
    assert found.systems == ("A", "B")
    assert found.values[..., 0].tolist() == [[0.5, 0.25, 0.75], [1, 0, 0.125]]
    assert (found.values[..., 1] == 1).all()
    assert found.scores().to_dict() == {"A": 0.5, "B": 0.375}
    assert found.segment_scores()[1].tolist() == [1.0, 0.0, 0.125]
    assert found.signature == "score|mean of segment scores"


def test_values_are_shared_where_nobody_can_change_them():
    found = mt.from_segment_scores(tidy(A=[0.5, 0.25], B=[1.0, 0.0], C=[0.5, 0.0]))
    assert np.shares_memory(found.titled("adequacy").values, found.values)
    assert np.shares_memory(found.select("ABC").values, found.values)
    assert not found.select("CA").values.flags.writeable
    mine = found.values.copy()
    given = mt.SufficientStatistics(found.metric, found.systems, mine)
    mine[:] = 0
    assert (given.values == found.values).all()


def test_values_off_the_grid_are_rounded_though_nobody_can_change_them():
    values = np.full((2, 2, 2), 1 / 3)
    values.flags.writeable = False
    metric = mt.metrics.SegmentMean(resolution=2.0**-4)
    given = mt.SufficientStatistics(metric, ("A", "B"), values)
    assert (given.values == 5 / 16).all()


def test_order_of_rows_does_not_matter_for_numbered_segments():
    frame = tidy(A=[0.5, 0.25, 0.75], B=[1.0, 0.0, 0.125])
    shuffled = frame.sample(frac=1, random_state=1)
    expected = mt.from_segment_scores(frame)
    found = mt.from_segment_scores(shuffled).select(expected.systems)
    assert (found.values == expected.values).all()


def test_named_segments_are_in_order_of_appearance():
    frame = tidy(A=[1.0, 2.0, 3.0]).assign(segment=["z", "a", "m"])
    found = mt.from_segment_scores(pd.concat([frame, frame[::-1].assign(system="B")]))
    assert found.values[0, :, 0].tolist() == found.values[1, :, 0].tolist() == [1, 2, 3]


def test_segments_numbered_anew_in_each_document():
    frame = pd.DataFrame(
        [
            (system, document, segment, score)
            for system, score in (("A", 1.0), ("B", 2.0))
            for document, segment in (("late", 2), ("late", 1), ("early", 1))
        ],
        columns=["system", "doc", "segment", "score"],
    )
    frame["score"] += frame["segment"] / 10
    found = mt.from_segment_scores(frame, document="doc")
    assert found.documents.tolist() == ["late", "late", "early"]
    assert found.values[0, :, 0].round(6).tolist() == [1.1, 1.2, 1.1]
    lacking = "1 of document 'late' is missing for 'A'"
    assert error_of(frame.drop(index=1), document="doc") == LACKING.format(lacking)


def test_sums_stay_exact_for_large_scores():
    scores = [1e12 + 1 / 3, 2e12 + 1 / 7, 3e12]
    found = mt.from_segment_scores(tidy(A=scores, B=scores[::-1]))
    assert found.metric.resolution > 2.0**-32
    totals = found.totals()
    assert totals[0].tolist() == totals[1].tolist()


def test_a_penalty_is_taken_for_one_only_if_somebody_says_so():
    frame = tidy(A=[0.5, 1.0], B=[0.25, 0.5]).rename(columns={"score": "MQM"})
    with pytest.warns(UserWarning, match=naming("'MQM'", "higher-is", "MQM:lower")) as caught:
        assert mt.from_segment_scores(frame, score="MQM").metric.higher_is_better
    assert caught[0].filename == __file__
    for higher in (True, False):
        found = mt.from_segment_scores(frame, score="MQM", higher_is_better=higher)
        assert found.metric.higher_is_better is higher
    with pytest.raises(mt.InputError, match="larger_is_better='perhaps'"):
        mt.from_segment_scores(frame, score="MQM", higher_is_better="perhaps")


def test_missing_and_extra_segments_are_named_apart():
    frame = tidy(A=[1.0] * 4, B=[1.0] * 9, C=[1.0] * 4, D=[1.0, 1.0, 1.0])
    lacking = "3 is missing for 'D', and 5 more are missing for some"
    assert error_of(frame) == LACKING.format(lacking)
    lacking = "4 is missing for 'A', 'C', and 4 more are missing for some"
    assert error_of(frame[frame["system"] != "D"]) == LACKING.format(lacking)


@pytest.mark.parametrize("dtype", [complex, np.complex64, object])
def test_complex_numbers_do_not_lose_their_imaginary_part(dtype):
    scores = pd.Series(np.array([0.5, 0.25 + 1j, 1.0, 0.75]).astype(dtype))
    frame = pd.DataFrame({"system": list("AABB"), "segment": [0, 1, 0, 1], "score": scores})
    with pytest.raises(mt.InputError, match=naming("1 of 4", "(0.25+1j)", "'A'", "segment 1")):
        mt.from_segment_scores(frame)
    real = mt.from_segment_scores(frame.assign(score=scores.map(lambda x: x - 1j * x.imag)))
    assert real.scores().to_dict() == {"B": 0.875, "A": 0.375}
    with pytest.raises(mt.InputError, match=naming("values", "complex")):
        mt.SufficientStatistics(mt.metrics.SegmentMean(), ("A", "B"), np.full((2, 2, 2), 1j))
    with pytest.raises(mt.InputError, match=naming("values", "complex")):
        mt.SufficientStatistics(mt.metrics.SegmentMean(), ("A",), [[[1j, 1]]])
    with pytest.raises(mt.InputError, match="raw: 1 scores"):
        mt.human.Ratings(frame.assign(rater="r", raw=scores))
    with pytest.raises(mt.InputError, match=naming("'mean'", "finite number")):
        mt.human.SegmentScores(frame.assign(mean=scores))


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3, 1e6, 1e9])
def test_signed_scores_of_any_usual_size_can_be_exchanged(scale):
    first, second = np.random.default_rng(2).normal(size=(2, 1000))
    one, other = (
        mt.from_segment_scores(tidy(A=(s * first).tolist(), B=(s * second).tolist()))
        for s in (1.0, scale)
    )
    test = partial(mt.approximate_randomization, n_resamples=500, rng=1)
    assert test(one, "A", "B").pvalue == test(other, "A", "B").pvalue


def test_systems_at_opposite_ends_of_the_scale_can_be_exchanged():
    """The distances of the two add up to twice what the largest score does."""
    ends = np.full(1000, 1.9e6)
    ends[0] += 1
    statistics = mt.from_segment_scores(tidy(A=ends.tolist(), B=(-ends).tolist()))
    result = mt.approximate_randomization(statistics, "A", "B", n_resamples=500, rng=1)
    assert result.pvalue == 1 / 501


@pytest.mark.parametrize(
    ("change", "kwargs", "names"),
    [
        (lambda f: f.rename(columns={"score": "Score"}), {}, ("score:", "'score'", "'Score'")),
        (lambda f: f, {"document": "doc"}, ("document:", "column='doc'", "'system'")),
        (lambda f: pd.concat([f, f[["score"]]], axis=1), {}, ("score:", "more than one")),
        (lambda f: f.iloc[:0], {}, ("frame", "no rows")),
        (lambda f: f.iloc[[0, 3]], {}, ("frame", "1 segment", "resampled")),
        (lambda f: f.to_dict(), {}, ("frame", "dict", "pandas.DataFrame")),
        (lambda f: f.assign(segment=[0, 1, None, 0, 1, 2]), {}, ("segment:", "row 2 ", "from 0")),
        (lambda f: f.assign(score=[0.5, np.nan, np.inf, 0.5, 0.5, 0.5]), {},
         ("score:", "2 of 6 ", "nan", "'A'", "segment 1")),
        (lambda f: f.assign(score=["0.5", "0.2", "n/a", "1", "1", "1"]), {},
         ("score:", "1 of 6 ", "'n/a'", "'A'", "segment 2")),
        (lambda f: pd.concat([f, f.iloc[[4, 5]]]), {},
         ("frame", "2 rows", "'B'", "segment 1", "1 more")),
        (lambda f: f.drop(index=[3, 5]), {}, ("Not the same", "0 ", "'B'", "1 more")),
        (lambda f: f.assign(score=1e308), {}, ("score:", "1e+308")),
        (lambda f: f.assign(score=f["score"] * 1e-9), {}, ("score:", "differ", "5e-10")),
    ],
)  # fmt: skip
def test_error(change, kwargs, names):
    frame = tidy(A=[0.5, 0.25, 0.75], B=[0.5, 0.25, 0.625])
    assert re.match(naming(*names), error_of(change(frame), **kwargs))
