"""Hints on labels that two files write in different manners."""

from __future__ import annotations

import pandas as pd
import pytest

from mtsig_nb.scores.likeness import alike_hint


def hint_on(first: list[str], second: list[str]) -> str:
    """The hint on two files with these segments."""
    files = [pd.DataFrame({"segment": segments}) for segments in (first, second)]
    return alike_hint(files[0].merge(files[1], how="outer", indicator="(both)"), ["segment"])


@pytest.mark.parametrize("turned", [False, True])
def test_counts_from_0_and_from_1_are_told_whichever_file_comes_first(turned):
    files = [["0", "1", "2"], ["1", "2", "3"]]
    assert hint_on(*files[:: -1 if turned else 1])


@pytest.mark.parametrize("turned", [False, True])
def test_a_file_with_more_segments_does_not_count_otherwise(turned):
    files = [["1", "2"], ["0", "1", "2", "3"]]
    assert not hint_on(*files[:: -1 if turned else 1])
