"""Ratings: reading, checking, standardising, averaging; every odd case has its treatment."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_nb import human
from mtsig_nb.errors import InputError
from mtsig_nb.human.scores import exact_means, significant_digits


def ratings_of(rows, columns=("rater", "system", "segment", "raw"), **options) -> human.Ratings:
    return human.Ratings(pd.DataFrame(rows, columns=list(columns)), **options)


USUAL = [
    ("r1", "a", 0, 80),
    ("r1", "b", 0, 60),
    ("r1", "a", 1, 70),
    ("r2", "b", 1, 20),
    ("r2", "a", 1, 40),
]


# Reading.


@pytest.mark.parametrize("compressed", [False, True])
def test_read_ratings(tmp_path, compressed):
    text = "judge,hit,system,type,line,sid,score\nJ1,1,A,TGT,4,9,70\nJ1,1,A,BAD,4,9,30\n"
    path = tmp_path / ("r.csv.gz" if compressed else "r.csv")
    data = text.encode()
    path.write_bytes(gzip.compress(data) if compressed else data)
    frame = human.read_ratings(path).frame
    assert frame["rater"].tolist() == ["J1", "J1"]
    assert frame["type"].tolist() == ["SYSTEM", "BAD_REF"]
    assert frame["segment"].tolist() == [4, 4]  # the line, not the source's sid
    assert frame["raw"].tolist() == [70.0, 30.0]
    assert frame["criterion"].unique().tolist() == ["quality"]


def test_names_of_columns_can_be_given(tmp_path):
    path = tmp_path / "r.tsv"
    path.write_text("who\twhat\tsegment\tpoints\nann\tA\t0\t3\nann\tB\t0\t4\n")
    mapping = {"rater": "who", "system": "what", "raw": "points"}
    ratings = human.read_ratings(path, columns=mapping, scale=(1, 5))
    assert ratings.raters == ("ann",)
    assert ratings.systems == ("A", "B")
    with pytest.raises(InputError, match=r"columns\['raw'\]='point'.*Did you mean 'points'"):
        human.read_ratings(path, columns={**mapping, "raw": "point"})
    with pytest.raises(InputError, match="columns='judged_by' is not known"):
        human.read_ratings(path, columns={"judged_by": "who"})
    with pytest.raises(InputError, match=r"no column for 'rater' \(understood: rater, judge"):
        human.read_ratings(path)


def test_files_that_are_no_ratings(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        human.read_ratings(tmp_path / "absent.csv")
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    with pytest.raises(InputError, match="cannot be read as a table"):
        human.read_ratings(empty)


def test_an_empty_campaign_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("rater,system,segment,raw\n")
    with pytest.raises(InputError, match="no ratings; a campaign needs at least one"):
        human.read_ratings(path)


@pytest.mark.parametrize("score", ["seventy", "", "inf"])
def test_scores_that_are_no_numbers_are_refused(tmp_path, score):
    path = tmp_path / "r.csv"
    path.write_text(f"rater,system,segment,raw\nr,A,0,70\nr,B,0,{score}\n")
    with pytest.raises(InputError, match=r"1 scores are not numbers, the first .* in row 1"):
        human.read_ratings(path)


def test_missing_raters_and_unknown_types_are_refused():
    with pytest.raises(InputError, match="rater: row 1 has none"):
        ratings_of([("r", "a", 0, 1), (None, "a", 1, 1)])
    columns = ("rater", "system", "segment", "raw", "type")
    with pytest.raises(InputError, match="type='REFERENCE' is not known"):
        ratings_of([("r", "a", 0, 1, "REFERENCE")], columns)


# Scores outside the scale.


def test_scores_outside_the_scale():
    rows = [*USUAL, ("r2", "b", 2, 101), ("r2", "b", 3, -1)]
    with pytest.raises(
        InputError,
        match="2 scores lie outside the scale 0 to 100, the first 101 by rater 'r2' for 'b', "
        "segment 2",
    ):
        ratings_of(rows)
    assert len(ratings_of(rows, scale=None)) == len(rows)


# Duplicates.


def test_duplicate_ratings():
    rows = [*USUAL, ("r1", "a", 0, 90)]
    kept = ratings_of(rows)
    assert len(kept) == 6
    assert kept.notes == ("1 ratings are of an item already scored by the same rater, and kept",)
    raw = kept.segment_means(standardised=False).frame.set_index(["system", "segment"])
    assert raw.loc[("a", 0), "mean"] == 85


def test_repeats_and_other_hits_are_no_duplicates():
    columns = ("rater", "system", "segment", "raw", "type", "hit")
    rows = [("r", "a", 0, 50, "SYSTEM", 1), ("r", "a", 0, 60, "REPEAT", 1)]
    rows.append(("r", "a", 0, 70, "SYSTEM", 2))
    assert ratings_of(rows, columns).notes == ()


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
    assert means.notes == (f"{n} ratings of 1 raters without variance left out",)
    assert means.frame["n_ratings"].sum() == len(USUAL)
    # Raw scores of such raters are scores like any other.
    assert ratings.segment_means(standardised=False).frame["n_ratings"].sum() == len(USUAL) + n


def test_a_constant_rater_is_found_in_spite_of_rounding():
    """0.1 a hundred times has a mean and a deviation that rounding may move off."""
    rows = [("r1", "a", i, 0.1) for i in range(101)] + [("r2", "a", 0, 1), ("r2", "b", 0, 2)]
    assert ratings_of(rows).standardised()[:101].isna().all()


def test_nobody_left():
    flat = ratings_of([("r", "a", 0, 5), ("r", "b", 0, 5)])
    with pytest.raises(InputError, match="raters without variance being left out"):
        flat.segment_means()
    with pytest.raises(InputError, match="no rating left"):
        flat.of_raters([])


def test_criteria_are_standardised_and_averaged_apart():
    columns = ("rater", "system", "segment", "raw", "criterion")
    rows = [("r", s, i, 10 * i + 5 * (s == "a"), "adequacy") for s in "ab" for i in range(3)]
    rows += [("r", s, i, 100 - 10 * i, "fluency") for s in "ab" for i in range(3)]
    ratings = ratings_of(rows, columns)
    assert ratings.criteria == ("adequacy", "fluency")
    with pytest.raises(InputError, match="several; name one of adequacy, fluency"):
        ratings.segment_means()
    one = ratings.of_criterion("fluency")
    pd.testing.assert_series_equal(
        one.segment_means().scores(), ratings.segment_means(criterion="fluency").scores()
    )
    with pytest.raises(InputError, match="criterion='fluent' is not known"):
        ratings.of_criterion("fluent")


# Averages.


def test_only_judgements_of_systems_are_averaged():
    columns = ("rater", "system", "segment", "raw", "type")
    rows = [("r", "a", 0, 50, "SYSTEM"), ("r", "a", 0, 60, "REPEAT")]
    rows += [("r", "a", 0, 100, "REF"), ("r", "a", 0, 0, "BAD_REF"), ("r", "b", 0, 10, "SYSTEM")]
    means = ratings_of(rows, columns).segment_means(standardised=False)
    assert means.frame["mean"].tolist() == [55.0, 10.0]
    assert means.frame["n_ratings"].tolist() == [2, 1]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.randoms())
def test_means_do_not_depend_on_the_order_of_ratings(values, random):
    frame = pd.DataFrame({"g": 0, "v": values})
    shuffled = list(values)
    random.shuffle(shuffled)
    _, one, _ = exact_means(frame, ["g"], "v")
    _, other, _ = exact_means(pd.DataFrame({"g": 0, "v": shuffled}), ["g"], "v")
    assert one[0] == other[0]
    np.testing.assert_allclose(one[0], np.mean(values), rtol=1e-9, atol=1e-9)


def test_significant_digits():
    assert significant_digits([1 / 3, -123456.789], 4).tolist() == [0.3333, -123500.0]


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
    with pytest.raises(InputError, match="units='documents' needs a document"):
        ratings.as_statistics(units="documents")
    with pytest.raises(InputError, match="units='raters': there is only one"):
        ratings_of(USUAL[:3]).as_statistics()
    with pytest.raises(InputError, match="units='people' is not known"):
        ratings.as_statistics(units="people")


def test_segment_means_as_statistics():
    means = ratings_of(USUAL).segment_means(standardised=False)
    everything = means.as_statistics()
    assert everything.n_segments == 2
    np.testing.assert_allclose(everything.scores()[list(means.systems)], means.scores())
    rows = [row for row in USUAL if row[:3] != ("r2", "b", 1)]
    partly = ratings_of(rows).segment_means(standardised=False)
    assert not partly.same_segments
    assert partly.as_statistics().n_segments == 2
    np.testing.assert_allclose(partly.as_statistics().scores()["a"], partly.scores()["a"])


def test_documents_travel_with_the_means():
    means = ratings_of(USUAL, documents=["d0", "d1"]).segment_means()
    assert means.as_statistics().by_unit("documents").n_segments == 2


def test_segment_means_refuse_what_they_cannot_use():
    frame = pd.DataFrame({"system": ["a", "a"], "segment": [0, 0], "mean": [1.0, 2.0]})
    with pytest.raises(InputError, match="'a' has more than one score for segment 0"):
        human.SegmentScores(frame)
    with pytest.raises(InputError, match="no scores"):
        human.SegmentScores(frame.iloc[:0])
    with pytest.raises(InputError, match="not a finite number"):
        human.SegmentScores(frame.iloc[:1].assign(mean=np.nan))
    with pytest.raises(InputError, match="name the one with the scores"):
        human.SegmentScores(frame.drop(columns="mean"))


def test_display_is_escaped():
    rows = [("<b>r</b>", "<i>a</i>", 0, 1), ("<b>r</b>", "b", 0, 2)]
    ratings = ratings_of(rows)
    for shown in (ratings._repr_html_(), ratings.segment_means()._repr_html_()):
        assert "<i>" not in shown
        assert "<b>" not in shown
