"""GTM on examples worked by hand."""

from __future__ import annotations

import pytest

from mtsig_nb.errors import InputError
from mtsig_nb.metrics import GTM

HYPOTHESES = ["the tea the tea the", "Two cups , please ."]
REFERENCE = ["the hot tea is the best tea", "two cups, please!"]


def test_by_hand():
    # Segment 0: "the" occurs 3 times in the output, 2 times in the reference: 2 match; "tea" 2
    # and 2: 2 match.  4 matches of 5 and 7 words.
    # Segment 1: the reference is tokenised to "two cups , please !".  "cups", "," and "please"
    # match; "Two" is not "two", "." is not "!".  3 matches of 5 and 5 words.
    gtm = GTM()
    stats = gtm.statistics(HYPOTHESES, [REFERENCE])
    assert stats.tolist() == [[4, 5, 7], [3, 5, 5]]
    # Together 7 matches of 10 and 12 words: P = 7/10, R = 7/12, F = 2·7/(10 + 12) = 7/11.
    assert gtm.score(stats.sum(axis=0)) == pytest.approx(7 / 11)


def test_lowercase():
    # "Two" now matches "two": 4 of 5 and 5.
    assert GTM(lowercase=True).statistics(HYPOTHESES, [REFERENCE])[1].tolist() == [4, 5, 5]


def test_best_of_several_references():
    # Segment 0 against "the the the": 3 matches of 5 and 3 words, F = 6/8, better than the 8/12
    # of the first reference.  Segment 1 against "cups": 1 of 5 and 1, F = 2/6, worse than 6/10.
    stats = GTM().statistics(HYPOTHESES, [REFERENCE, ["the the the", "cups"]])
    assert stats.tolist() == [[3, 5, 3], [3, 5, 5]]


def test_nothing_to_compare():
    gtm = GTM()
    stats = gtm.statistics(["", "a", ""], [["", "", "b"]])
    assert stats.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert gtm.score(stats).tolist() == [0, 0, 0]


def test_unknown_tokeniser():
    with pytest.raises(InputError, match=r"tokenize='13b' is not known. Did you mean '13a'\?"):
        GTM(tokenize="13b")
