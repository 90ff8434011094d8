"""Figures for a paper's column: size and text, what is seen in grey, names in any script."""

from __future__ import annotations

import io

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from mtsig_nb.plots import column, fonts
from mtsig_nb.plots.column import Panel, column_figure, in_bytes

LONG = "facebook/nllb-200-distilled-600M-finetuned-on-everything"
NOWHERE = "\U0001f9ec"  # a pictogram that no font for text has


def panel(names, label="BLEU") -> Panel:
    centre = -np.arange(len(names), dtype=float)
    return Panel(
        label=label,
        names=names,
        centre=centre,
        low=centre - 0.5,
        high=centre + 0.5,
        is_filled=np.arange(len(names)) % 2 == 0,
        letters=["a"] * len(names),
        has_zero=True,
    )


def drawn(*panels: Panel) -> Figure:
    figure, _ = column_figure(panels)
    figure.canvas.draw()
    return figure


def texts(figure: Figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


@pytest.mark.parametrize("names", [["a", "b"], [f"system{n}" for n in range(12)], [LONG, "b"]])
def test_it_is_as_wide_as_a_column_and_nothing_leaves_it(names):
    figure = drawn(panel(names))
    assert figure.get_figwidth() == pytest.approx(3.3)
    assert figure.get_figheight() < 9
    drawn_into = figure.get_tightbbox()  # in inches
    assert drawn_into.x0 >= -0.01
    assert drawn_into.x1 <= figure.get_figwidth() + 0.01
    assert drawn_into.y0 >= -0.01
    assert drawn_into.y1 <= figure.get_figheight() + 0.01


def test_text_has_eight_points():
    assert {text.get_fontsize() for text in texts(drawn(panel(["a", "b"])))} == {8}


def test_several_metrics_of_many_systems_stand_side_by_side_in_one_order():
    names = [f"system{n}" for n in range(12)]
    turned = panel(names[::-1], label="chrF")
    figure = drawn(panel(names), turned)
    assert figure.get_figwidth() == pytest.approx(6.8)
    assert figure.get_figheight() < 5
    first, second = figure.axes
    assert [label.get_text() for label in first.get_yticklabels()] == names
    (points, _) = (each for each in second.collections if isinstance(each, PathCollection))
    by_row = {round(y): x for x, y in points.get_offsets()}
    for row, x in by_row.items():
        assert x == turned.centre[turned.names.index(names[row])]


def test_what_is_distinguished_can_be_seen_in_grey():
    (axes,) = drawn(panel(["a", "b", "c"])).axes
    filled, hollow = (each for each in axes.collections if isinstance(each, PathCollection))
    brightness = [np.mean(each.get_facecolor()[0][:3]) for each in (filled, hollow)]
    assert brightness[1] - brightness[0] > 0.5
    assert [len(each.get_offsets()) for each in (filled, hollow)] == [2, 1]


@pytest.mark.parametrize(
    ("form", "begins"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")]
)
def test_a_file_is_the_same_each_time(form, begins):
    one, other = (in_bytes(drawn(panel(["a", "$b_1$"])), form) for _ in range(2))
    assert one == other
    assert one.startswith(begins)
    if form == "pdf":
        assert b"/Type3" not in one  # which publishers refuse
    if form == "png":
        with Image.open(io.BytesIO(one)) as image:
            assert image.width == pytest.approx(3.3 * 600, abs=1)


def test_settings_of_the_process_stay():
    before = dict(mpl.rcParams)
    in_bytes(drawn(panel(["a", "b"])), "pdf")
    assert dict(mpl.rcParams) == before


def test_a_character_that_no_font_has_is_named(recwarn):
    figure, notes = column_figure([panel(["a", NOWHERE])])
    in_bytes(figure, "png")
    assert [note.code for note in notes] == ["no-font"]
    assert NOWHERE in notes[0]
    assert not [warning for warning in recwarn if "Glyph" in str(warning.message)]


def test_a_font_that_has_the_characters_is_taken(monkeypatch):
    other = next(path for family, path in fonts._families() if family == "DejaVu Serif")
    usual = fonts.font_manager.findfont("DejaVu Sans")
    characters = {usual: frozenset(map(ord, "ab")), other: frozenset(map(ord, "abc"))}
    monkeypatch.setattr(fonts, "_families", lambda: [("DejaVu Serif", other)])
    monkeypatch.setattr(fonts, "_characters_of", characters.__getitem__)
    assert fonts.families_for(["ab"]) == (["DejaVu Sans"], [])
    assert fonts.families_for(["abc"]) == (["DejaVu Sans", "DejaVu Serif"], [])


@pytest.mark.parametrize("joins", [True, False])
def test_letters_that_are_not_joined_are_told(monkeypatch, joins):
    monkeypatch.setattr(fonts, "_JOINS_LETTERS", joins)
    _, notes = fonts.families_for(["نموذج"])
    assert ("script-not-joined" in [note.code for note in notes]) is not joins


def test_a_percent_sign_stays_with_its_number():
    assert "\n%" not in column._filled("with 95 % intervals " * 9, 20)
