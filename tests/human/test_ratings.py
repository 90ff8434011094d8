"""Ratings: reading, checking, standardising, averaging; every odd case has its treatment."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_nb import human
from mtsig_nb.errors import InputError
from mtsig_nb.human.frames import exact_means

from ..messages import naming


def ratings_of(rows, columns=("rater", "system", "segment", "raw"), **options) -> human.Ratings:
    return human.Ratings(pd.DataFrame(rows, columns=list(columns)), **options)


USUAL = [
    ("r1", "a", 0, 80),
    ("r1", "b", 0, 60),
    ("r1", "a", 1, 70),
    ("r2", "b", 1, 20),
    ("r2", "a", 1, 40),
]


def test_usual_names_of_columns_and_types():
    frame = pd.DataFrame(
        {"judge": ["J1"] * 2, "hit": 1, "system": "A", "type": ["TGT", "BAD"], "line": 4, "sid": 9,
         "score": [70, 30]}
    )  # fmt: skip
    found = human.Ratings(frame).frame
    assert found["type"].tolist() == ["SYSTEM", "BAD_REF"]
    assert found["segment"].tolist() == [4, 4]  # the line, not the source's sid
    assert found["raw"].tolist() == [70.0, 30.0]
    assert found["criterion"].unique().tolist() == ["quality"]


def test_unusual_names_of_columns_are_to_be_renamed():
    frame = pd.DataFrame({"who": ["ann"] * 2, "what": ["A", "B"], "segment": 0, "raw": [3, 4]})
    with pytest.raises(InputError, match=naming("'rater'", "rater, judge", "'who'")):
        human.Ratings(frame)
    ratings = human.Ratings(frame.rename(columns={"who": "rater", "what": "system"}), scale=(1, 5))
    assert (ratings.raters, ratings.systems) == (("ann",), ("A", "B"))


FULL = ("rater", "system", "segment", "raw", "type")


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([], ("frame", "no ratings")),
        ([("r", "a", 0, 70, "SYSTEM"), ("r", "b", 0, "seventy", "SYSTEM")],
         ("raw: 1 ", "0 to 100", "'seventy'", "row 1")),
        ([("r", "a", 0, 70, "SYSTEM"), ("r", "b", 0, np.inf, "SYSTEM")],
         ("raw: 1 ", "inf", "row 1")),
        ([("r", "a", 0, 101, "SYSTEM"), ("r", "b", 0, -1, "SYSTEM")],
         ("raw: 2 ", "0 to 100", "101", "row 0")),
        ([("r", "a", 0, 1, "SYSTEM"), (None, "a", 1, 1, "SYSTEM")], ("rater:", "row 1 ")),
        ([("r", "a", 0, 1, "REFERENCE")], ("type='REFERENCE'", "'SYSTEM'")),
    ],
)  # fmt: skip
def test_what_is_no_rating_is_named(rows, names):
    with pytest.raises(InputError, match=naming(*names)):
        ratings_of(rows, FULL)


# Duplicates.


def test_duplicate_ratings():
    rows = [*USUAL, ("r1", "a", 0, 90)]
    kept = ratings_of(rows)
    assert len(kept.frame) == 6
    assert [(said.code, said.values) for said in kept.notes] == [("rated-again", {"n": 1})]
    raw = kept.segment_means(standardised=False).frame.set_index(["system", "segment"])
    assert raw.loc[("a", 0), "mean"] == 85


# Standardising.


def test_standard_scores_by_hand():
    z = ratings_of(USUAL).standardised()
    r1 = np.array([80.0, 60, 70])
    expected = (r1 - r1.mean()) / r1.std(ddof=1)
    np.testing.assert_allclose(z[:3], expected, rtol=1e-15)
    np.testing.assert_allclose(z[3:], [-np.sqrt(0.5), np.sqrt(0.5)], rtol=1e-15)


@pytest.mark.parametrize(
    "extra",
    [[("r3", "a", 0, 55), ("r3", "b", 0, 55), ("r3", "b", 1, 55)], [("r3", "b", 2, 70)]],
    ids=["one score for everything", "a single rating"],
)
def test_raters_without_variance(extra):
    ratings = ratings_of([*USUAL, *extra])
    n = len(extra)
    dropped = ratings.standardised()
    assert dropped[-n:].isna().all()
    assert dropped[:-n].notna().all()
    means = ratings.segment_means()
    (left_out,) = means.notes
    assert (left_out.code, left_out.values) == ("without-variance", {"n": n, "raters": 1})
    assert means.notes[0].code == "without-variance"
    assert means.frame["n_ratings"].sum() == len(USUAL)
    # Raw scores of such raters are scores like any other.
    assert ratings.segment_means(standardised=False).frame["n_ratings"].sum() == len(USUAL) + n


def test_nobody_left():
    flat = ratings_of([("r", "a", 0, 5), ("r", "b", 0, 5)])
    with pytest.raises(InputError, match="without variance"):
        flat.segment_means()
    with pytest.raises(InputError, match="no rating by"):
        flat.of_raters([])


def test_criteria_are_told_apart():
    columns = ("rater", "system", "segment", "raw", "criterion")
    rows = [("r", "a", 0, 50, "adequacy"), ("r", "b", 0, 60, "adequacy")]
    assert ratings_of(rows, columns).segment_means().label == "adequacy, standardised"
    with pytest.raises(InputError, match=naming("criterion:", "adequacy, fluency", "one.")):
        ratings_of([*rows, ("r", "a", 0, 100, "fluency")], columns)


# Averages.


@settings(max_examples=50)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.randoms())
def test_means_do_not_depend_on_the_order_of_ratings(values, random):
    frame = pd.DataFrame({"g": 0, "v": values})
    shuffled = list(values)
    random.shuffle(shuffled)
    _, one, _ = exact_means(frame, ["g"], "v")
    _, other, _ = exact_means(pd.DataFrame({"g": 0, "v": shuffled}), ["g"], "v")
    assert one[0] == other[0]
    np.testing.assert_allclose(one[0], np.mean(values), rtol=1e-9, atol=1e-9)


def test_scores_are_means_of_segment_means_not_of_ratings():
    rows = [("r1", "a", 0, 10), ("r2", "a", 0, 20), ("r1", "a", 1, 90), ("r2", "b", 0, 0)]
    scores = ratings_of(rows).segment_means(standardised=False).scores()
    assert scores["a"] == 52.5


# Clusters for resampling.


def test_statistics_per_rater_hold_every_rating():
    ratings = ratings_of(USUAL)
    statistics = ratings.as_statistics(units="raters", standardised=False)
    assert statistics.unit == "raters"
    assert statistics.values.shape == (2, 2, 2)
    raw = ratings.frame.groupby("system")["raw"].mean()
    np.testing.assert_allclose(statistics.scores()[raw.index], raw)
    with pytest.raises(InputError, match=r"^units='documents' needs a "):
        ratings.as_statistics(units="documents")
    with pytest.raises(InputError, match=r"^units='raters': .* two"):
        ratings_of(USUAL[:3]).as_statistics()
    with pytest.raises(InputError, match=naming("units='people'", "'raters'")):
        ratings.as_statistics(units="people")


def test_segment_means_refuse_what_they_cannot_use():
    frame = pd.DataFrame({"system": ["a", "a"], "segment": [0, 0], "mean": [1.0, 2.0]})
    with pytest.raises(InputError, match=naming("'a'", "once in segment 0")):
        human.SegmentScores(frame)
    with pytest.raises(InputError, match="no scores"):
        human.SegmentScores(frame.iloc[:0])
    with pytest.raises(InputError, match=naming("'mean'", "finite")):
        human.SegmentScores(frame.iloc[:1].assign(mean=np.nan))
    with pytest.raises(InputError, match=naming("no column 'mean'", "['system', 'segment']")):
        human.SegmentScores(frame.drop(columns="mean"))
