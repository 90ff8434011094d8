"""A class's codes on one page, whether three readers or three hundred."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from mtsig_nb import InputError
from mtsig_nb.components.codes import LETTERS
from mtsig_nb.components.judge import items
from mtsig_nb.plots import style
from mtsig_nb.teaching import classroom, read_codes

ANSWERS = (None, "Ash", "Birch", "no difference")


def code_of(answers) -> str:
    """What the page shows a reader who has given these answers."""
    bits = "".join(f"{ANSWERS.index(answer):02b}" for answer in answers)
    bits += "0" * (-len(bits) % 5)
    places = [int(bits[k : k + 5], 2) for k in range(0, len(bits), 5)]
    places.append(sum((n + 1) * place for n, place in enumerate(places)) % 31)
    return "".join(LETTERS[place] for place in places)


def class_of(n_readers, rng):
    return [code_of(rng.choice(["Ash", "Birch"], len(items()))) for _ in range(n_readers)]


@pytest.mark.parametrize("n_readers", [3, 30, 300])
def test_a_class_that_tosses_coins_looks_like_coins(n_readers):
    codes = class_of(n_readers, np.random.default_rng(1))
    assert len(read_codes(codes)) == n_readers
    figure = classroom(codes)
    top, intervals, faults = figure.axes
    (coins,) = top.lines
    counted = sum(bar.get_height() for bar in top.patches)
    assert counted == n_readers
    assert sum(coins.get_ydata()) == pytest.approx(n_readers)
    assert len(intervals.collections[0].get_segments()) == n_readers
    if n_readers == 300:
        missed = int(intervals.get_title().split()[0])
        assert 3 <= missed <= 27
        assert all(0.4 < bar.get_height() < 0.6 for bar in faults.patches)
    assert f"{n_readers} readers" in style.alt_text(figure)
    plt.close(figure)


def test_faults_that_everybody_finds_and_a_folder_of_codes(tmp_path):
    better = {"ash": "Birch", "birch": "Ash", "": "no difference"}
    seen = code_of(better[item["worse"]] for item in items())
    (tmp_path / "ann.txt").write_text(f"{seen}\n")
    (tmp_path / "bob.txt").write_text(f"{seen}\n{seen}\n")
    figure = classroom(tmp_path)
    assert {bar.get_height() for bar in figure.axes[2].patches} == {1.0}
    plt.close(figure)


def test_what_cannot_be_shown_is_refused(tmp_path):
    with pytest.raises(InputError, match="there are none"):
        classroom(tmp_path)
    with pytest.raises(InputError, match="has preferred anything"):
        classroom([code_of(["no difference"] * len(items()))])
