"""Which segments and documents of several test sets are taken for the same ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.statistics.same_sentences import counted_places, shared_units

LETTERS = "abcdefghijklmnop"


def segments(names=None, *, n=None, documents=None, texts=None, seed=1):
    """Scores of two systems on segments of these names."""
    n = len(names) if names is not None else n
    scores = np.random.default_rng(seed).normal(70, 10, (2, n))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return mt.SufficientStatistics(
        SegmentMean(label="COMET"),
        ("A", "B"),
        values,
        documents=documents,
        segment_names=names,
        texts=texts,
    )


def sharing(given, **options):
    """What is found to be shared: evidence, how many units, and whether it is certain."""
    found = mt.test_sets(given, **options).overall.sharing
    return None if found is None else (found.evidence, found.n_shared, found.otherwise is None)


def numbers(*names):
    return [f"{name}" for name in names]


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (None, [0, 1, 2]),
        (["0", "1", "2"], [0, 1, 2]),
        (["3", "1", "2"], [2, 0, 1]),
        (["001", "002", "003"], [0, 1, 2]),
        (["0.0", "1.0", "2.0"], [0, 1, 2]),
        (["seg-0", "seg-1", "seg-2"], [0, 1, 2]),
        (["Segment 1", "Segment 2", "Segment 3"], [0, 1, 2]),
        (["en-cs#1", "en-cs#2", "en-cs#3"], [0, 1, 2]),  # after the test set's own name
        (["en-cs seg 1", "en-cs seg 2", "en-cs seg 3"], [0, 1, 2]),
        (["flores_0", "flores_1", "flores_2"], None),  # says whose sentences they are
        (["1", "2", "4"], None),  # a gap
        (["2", "3", "4"], None),  # neither from 0 nor from 1 on
        (["1", "1", "2"], None),
        (["seg1", "line2", "seg3"], None),
        (["1a", "2a", "3a"], None),
    ],
)
def test_names_that_only_count(names, places):
    found = counted_places(segments(names, n=3), "en-cs")
    assert (None if found is None else found.tolist()) == places


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("abcd", "abcd", ("names", 4, True)),
        ("abcd", "cdef", ("names", 2, True)),  # some of them
        ("abcd", "dcba", ("names", 4, True)),  # in another order
        ("abcd", "efgh", None),
        (numbers(0, 1, 2, 3), numbers(0, 1, 2, 3), ("numbers", 4, False)),
        (numbers(0, 1, 2, 3), numbers(1, 2, 3, 4), ("numbers", 4, False)),  # 0 is 1 elsewhere
        (numbers(1, 2, 3), numbers(1, 2, 3, 4), ("numbers", 3, False)),
        (numbers(1, 2, 3, 4), numbers(2, 3, 9), ("names", 2, True)),  # gaps: numbers name them
        (numbers(1, 2, 3), numbers(4, 5, 6), None),  # numbered through
        (["flores_1", "flores_2"], ["flores_1", "flores_2"], ("names", 2, True)),
        (["ja-1", "ja-2"], ["cs-1", "cs-2"], ("numbers", 2, False)),
        (["t9.4-ja", "t7.3-ja"], ["t9.4-cs", "x.1-cs"], ("alike", 1, False)),
        (["ntrex_1", "ntrex_2"], ["ted_1", "ted_2"], None),
        (numbers(1, 2), "ab", None),
    ],
)
def test_names_of_segments(one, other, expected):
    assert sharing({"ja": segments(list(one)), "cs": segments(list(other))}) == expected
    # A third test set, with names of its own, has nothing to do with them.
    third = segments(["alone", "apart", "else"])
    given = {"ja": segments(list(one)), "x": third, "cs": segments(list(other))}
    assert sharing(given) == expected


def test_whoever_knows_can_say_so():
    given = {"ja": segments(numbers(0, 1, 2)), "cs": segments(n=3)}
    assert sharing(given) == ("numbers", 3, False)
    assert sharing(given, shared=True) == ("numbers", 3, True)
    assert sharing(given, shared=False) is None
    with pytest.raises(mt.InputError, match="shared=True: no segment"):
        mt.test_sets({"ja": segments(list("ab")), "cs": segments(list("cd"))}, shared=True)


def test_numbers_beside_names():
    """What is known is known in both layouts; only numbers are doubtful."""
    given = {
        "ja": segments(list("abcd")),
        "cs": segments(list("cdef")),
        "de": segments(numbers(1, 2, 3)),
        "fr": segments(n=3),
    }
    found = mt.test_sets(given).overall
    assert found.sharing.evidence == "numbers"
    assert found.n_segments == 6 + 3
    assert found.sharing.otherwise.n_segments == 6 + 3 + 3


def test_texts_decide_whatever_the_names():
    english = [f"Sentence number {i}." for i in range(8)]
    german = [f"Satz Nummer {i}." for i in range(8)]
    czech = [f"Věta číslo {i}." for i in range(8)]

    def translated(source, target, names=None, order=range(8)):
        texts = np.array([source, target], dtype=object).T[list(order)]
        return segments(names, n=8, texts=texts)

    given = {"en-de": translated(english, german), "en-cs": translated(english, czech)}
    assert sharing(given) == ("texts", 8, True)
    given["de-cs"] = translated(german, czech)  # whose source is the reference of another
    assert sharing(given) == ("texts", 8, True)
    turned = {"en-de": given["en-de"], "cs-en": translated(czech, english, order=range(7, -1, -1))}
    found = mt.test_sets(turned)
    assert found.unit_of[1].tolist() == found.unit_of[0].tolist()[::-1]
    # Equal names of other sentences
    other = segments(
        list("abcdefgh"), texts=np.array([english[4:] + [f"New {i}" for i in range(4)]]).T
    )
    some = translated(english, german, list("abcdefgh"))
    assert sharing({"one": some, "other": other}) == ("texts", 4, True)


def test_a_few_equal_texts_decide_nothing():
    """Names of people are the same in many languages."""
    german = np.array([[f"Satz {LETTERS[i]}" for i in range(15)] + ["Anna"]]).T
    czech = np.array([[f"Věta {LETTERS[i]}" for i in range(15)] + ["Anna"]]).T
    given = {"de": segments(n=16, texts=german), "cs": segments(n=16, texts=czech)}
    assert sharing(given) == ("numbers", 16, False)
    named = {
        "de": segments(list(LETTERS), texts=german),
        "cs": segments(list(LETTERS), texts=czech),
    }
    assert sharing(named) == ("names", 16, True)


def test_texts_that_come_twice_are_matched_one_by_one():
    texts = np.array([["Yes.", "Yes.", "No.", ""]]).T
    more = np.array([["Yes.", "No.", "Yes.", "Yes."]]).T
    found = mt.test_sets({"ja": segments(n=4, texts=texts), "cs": segments(n=4, texts=more)})
    assert found.sizes.max() == 1  # a test set's own segments stay apart
    assert found.overall.sharing.n_shared == 3


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("aabb", "aabb", ("documents", 2, True)),
        ("aabb", "bbcc", ("documents", 1, True)),
        ("1122", "1122", ("documents", 2, True)),  # documents, and so given as what they are
        ("abcd", "abcd", ("documents", 4, True)),  # sentences as documents
        ("aabb", "ccdd", None),
        (["n:ja", "n:ja", "m:ja"], ["n:cs", "m:cs", "m:cs"], ("alike", 2, False)),
    ],
)
def test_documents(one, other, expected):
    given = {
        "ja": segments(n=len(one), documents=list(one)),
        "cs": segments(n=len(other), documents=list(other)),
    }
    assert sharing(given) == expected


def test_documents_by_their_texts():
    """Two of the three have other names elsewhere, and one name is that of another document."""
    sentences = np.array([[f"Sentence {i}" for i in range(9)]]).T
    one = segments(n=9, documents=list("aaabbbccc"), texts=sentences)
    other = segments(n=9, documents=list("xxxaaaccc"), texts=sentences)
    found = mt.test_sets({"ja": one, "cs": other})
    assert found.overall.sharing.evidence == "texts"
    assert found.sizes.tolist() == [[3, 3, 3]] * 2
    half = np.array([[f"Sentence {i}" for i in range(3)] + [f"New {i}" for i in range(6)]]).T
    other = segments(n=9, documents=list("aaabbbccc"), texts=half)
    found = mt.test_sets({"ja": one, "cs": other})
    assert found.overall.sharing.n_shared == 1
    assert found.overall.documents.tolist() == ["a", "ja/b", "ja/c", "cs/b", "cs/c"]


def test_segments_of_documents_of_the_same_name():
    one = segments(n=5, documents=list("aabbb"))
    other = segments(n=5, documents=list("bbbaa"))
    found = mt.test_sets({"ja": one, "cs": other}, units="segments")
    assert found.unit_of[1].tolist() == [2, 3, 4, 0, 1]
    assert [note.code for note in found.notes] == ["documents-unused"]
    uneven = segments(n=5, documents=list("bbbba"))
    found = mt.test_sets({"ja": one, "cs": uneven}, units="segments")
    assert found.overall.sharing.n_shared == 4
    codes = {note.code: note.values for note in found.notes}
    assert (codes["sizes-differ"]["n"], codes["sizes-differ"]["document"]) == (2, "a")
    # Documents that are known and are others: their segments have the same numbers by chance.
    apart = {"ja": one, "cs": segments(n=5, documents=list("ccddd"))}
    assert sharing(apart, units="segments") is None


def test_a_test_set_is_what_it_was():
    """Scores and standard errors of single test sets do not depend on what others share."""
    given = {"ja": segments(list("abcdef")), "cs": segments(list("defghi"), seed=2)}
    ways = [mt.test_sets(given, shared=shared) for shared in (True, False)]
    for one, other in zip(*(sets.each for sets in ways), strict=True):
        assert one.scores().equals(other.scores())
    assert ways[0].overall.scores().equals(ways[1].overall.scores())


def test_tables_name_their_segments():
    frame = mt.from_segment_scores
    rows = [(s, d, i, 0.5) for s in "AB" for d in "xy" for i in range(3)]
    table = pd.DataFrame(rows, columns=["system", "document", "segment", "score"])
    assert frame(table, document="document").segment_names.tolist()[:2] == ["x 0", "x 1"]
    table["segment"] = table.groupby("system").cumcount()
    assert frame(table, document="document").segment_names.tolist()[3] == "3"
    table["source"] = "text " + table["segment"].astype(str)
    assert frame(table.iloc[::-1], texts=["source"]).texts[:, 0].tolist()[:2] == [
        "text 0",
        "text 1",
    ]
    subset = frame(table, texts=["source"]).subset([4, 2])
    assert subset.segment_names.tolist() == ["4", "2"]
    assert subset.texts.tolist() == [["text 4"], ["text 2"]]


def test_measured_texts_bring_their_source_and_references():
    texts = mt.Texts(
        references=[["The cat sleeps.", "A dog barks."]],
        hypotheses={"A": ["The cat sleeps.", "A dog barks."], "B": ["Cat sleep.", "A dog barks."]},
        source=["Die Katze schläft.", "Ein Hund bellt."],
    )
    measured = mt.measure(texts, "chrF", cache=False)
    assert measured.texts.tolist()[0] == ["Die Katze schläft.", "The cat sleeps."]
    assert shared_units({"x": measured, "y": measured}, "segments", None).evidence == "texts"
