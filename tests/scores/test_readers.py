"""Modules that read a format: what each has, and that no two take the same file."""

from __future__ import annotations

import inspect
import json
from collections import Counter

import pytest

from mtsig_nb.errors import InputError
from mtsig_nb.scores import layouts, readers
from mtsig_nb.scores.logs import programs
from mtsig_nb.scores.reading import read_layout
from mtsig_nb.scores.sources import score_source

from .log_files import RIGHT, inspect_log, result, results, samples

LAYOUTS = readers.modules_in(layouts)
TEXT_LAYOUTS = [layout for layout in LAYOUTS if hasattr(layout, "read_text")]
ALPHA = {"id": "acme:alpha", "label": ""}
SCREEN = {"user_id": "ann", "annotation": [], "item": []}
#: JSON of each program, whole and in lines.
LOGS = {
    "lm-evaluation-harness": [samples(RIGHT["alpha"])],
    "Inspect": [inspect_log("alpha", RIGHT["alpha"])],
    "promptfoo": [results([(ALPHA, RIGHT["alpha"])]), [result(0, 0, 1, ALPHA)]],
    "Pearmut": [SCREEN, [SCREEN], {"campaign": [SCREEN]}],
}
#: Texts in the form of one layout each.
TEXTS = {
    "appraise": "ann,elm,1,TGT,deu,eng,71,1700000000.5,1700000009.5\n",
    "comet": "a.txt\tSegment 0\tscore: 0.5\n",
    "numbers": "0.5\n0.25\n",
}


def parameters(function):
    return list(inspect.signature(function).parameters)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_reads_texts_or_json(layout):
    assert layout.__doc__
    if hasattr(layout, "read_text"):
        assert layout.SIGN in readers.Sign
        assert parameters(layout.read_text) == ["source", "text"]
    else:
        assert parameters(layout.read_json) == ["source", "content"]


@pytest.mark.parametrize("program", readers.modules_in(programs))
def test_each_program_has_a_name_and_knows_its_logs_alone(program):
    assert parameters(program.read) == ["source", "file"]
    for name, contents in LOGS.items():
        for content in contents:
            assert program.is_log(content) == (name == program.PROGRAM), name
    for other in ([], {}, [1], {"score": [0.5]}, [{"system": "a", "score": 1}], "text", None):
        assert not program.is_log(other)


@pytest.mark.parametrize("suffix", ["txt", "seg.score"])
@pytest.mark.parametrize("name", TEXTS)
def test_layouts_with_the_same_sign_exclude_each_other(name, suffix, tmp_path):
    source = score_source(str(tmp_path / f"a.{suffix}"))
    signs = Counter()
    for layout in TEXT_LAYOUTS:
        try:
            is_taken = layout.read_text(source, TEXTS[name]) is not None
        except InputError:  # it is taken, and found to be damaged
            is_taken = True
        signs[layout.SIGN] += is_taken
    assert max(signs.values()) == 1


def test_json_is_json_whatever_the_name_of_its_file(tmp_path):
    """A name says less than what is in the file."""
    path = tmp_path / "a.seg.score"
    path.write_text(json.dumps([{"system": "a", "segment": "Segment 0", "x": 0.5}]))
    assert read_layout(score_source(str(path))).other_columns == ["x"]
    path.write_text(TEXTS["comet"])
    assert read_layout(score_source(str(path))).other_columns == ["COMET"]
    path.write_text(TEXTS["numbers"])
    with pytest.raises(InputError, match="metrics task"):
        read_layout(score_source(str(path)))
