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

from ..messages import naming

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


def test_odd_codes_and_odd_files_are_named_and_the_others_are_drawn(tmp_path):
    codes = class_of(4, np.random.default_rng(2))
    for number, code in enumerate(codes):
        (tmp_path / f"{number}.txt").write_text(f"\n{code}\n")
    (tmp_path / "CAPITALS.TXT").write_text(f"Ann\n{codes[0]}")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    (tmp_path / "large.txt").write_text(" " * 1_000_001)
    (tmp_path / "list.docx").write_bytes(b"PK")
    (tmp_path / "mistyped.txt").write_text(codes[0][:-1])
    (tmp_path / "sent").mkdir()
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    with pytest.warns(UserWarning, match="left out") as told:
        figure = classroom(tmp_path)
    assert "5 readers" in style.alt_text(figure)
    plt.close(figure)
    named = [str(warning.message) for warning in told]
    for name, reason in {
        "'CAPITALS.TXT', line 1": "'Ann', is not a code of this page",
        "'empty.txt'": "is empty",
        "'latin.txt'": "is not UTF-8",
        "'large.txt'": "has 1,000,001 bytes",
        "'list.docx'": "does not end in .txt",
        "'mistyped.txt', line 1": "is not a code of this page",
        "'sent'": "is a folder",
    }.items():
        assert [message for message in named if name in message and reason in message], name
    assert len(named) == 7
    assert all("left out" in message for message in named)


def test_a_file_that_is_given_by_name_and_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(InputError, match="no file 'N3VG'"):
        read_codes("N3VG")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match=naming("latin.txt", "UTF-8", "byte 3")):
        read_codes(tmp_path / "latin.txt")
