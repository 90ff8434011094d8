"""`docs/sacrebleu_mend.py`: what fails with sacreBLEU as released, and passes once it is mended."""

from __future__ import annotations

import random
import re
import runpy
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from sacrebleu import BLEU, significance

from mtsig_nb.engine.counting import clopper_pearson

from ..messages import naming

SCRIPT = Path(__file__).parents[2] / "docs" / "sacrebleu_mend.py"
#: The page with the table, and the page on the mend.
TABLE = SCRIPT.with_name("sacrebleu.md").read_text(encoding="utf-8")
PAGE = SCRIPT.with_name("sacrebleu-fix.md").read_text(encoding="utf-8")
MEND = runpy.run_path(str(SCRIPT))
KINDS = pytest.mark.parametrize("kind", ["bs", "ar"])
REFERENCE = [f"This is line {i} of a text of ours." for i in range(100)]

pytestmark = pytest.mark.skipif(
    sacrebleu.__version__ not in SCRIPT.read_text(encoding="utf-8"),
    reason=f"the mend is for another version than {sacrebleu.__version__}",
)


@pytest.fixture(scope="module")
def mended(tmp_path_factory):
    """The module of a copy of the installed sacreBLEU, mended."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "sacrebleu").mkdir()
    source = shutil.copy(significance.__file__, folder / "sacrebleu")
    assert MEND["mend"](folder) == [Path(source)]
    spec = spec_from_file_location("sacrebleu.mended", source)
    sys.modules["sacrebleu.mended"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["sacrebleu.mended"]


def pvalue(module, kind, a, b, reference=REFERENCE):
    """What a module says of two outputs, the first of which is the baseline."""
    test = module.PairedTest([("A", a), ("B", b)], {"BLEU": BLEU()}, [reference], kind)
    return test()[1]["BLEU"][1].p_value


def differing(k):
    return ["Something else."] * k + REFERENCE[k:]


@KINDS
def test_a_copy_has_p_1(mended, kind):
    out = differing(30)
    assert pvalue(significance, kind, out, list(out)) < 0.01
    assert pvalue(mended, kind, out, list(out)) == 1


@KINDS
def test_exchanging_the_systems_changes_no_p(mended, kind):
    a, b = differing(5), [*REFERENCE[:98], "Not this.", "Nor that."]
    p = pvalue(mended, kind, a, b)
    assert 0.05 < p < 1
    assert pvalue(mended, kind, b, a) == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 1000))


@pytest.mark.takes_time
@pytest.mark.parametrize("k", [1, 3])
def test_few_sentences_that_differ_have_their_exact_p(mended, k):
    exact = 2 / 2**k
    assert pvalue(significance, "ar", REFERENCE, differing(k)) < 0.001
    error = np.sqrt(exact * (1 - exact) / 10_000) + 1e-4
    assert abs(pvalue(mended, "ar", REFERENCE, differing(k)) - exact) < 4 * error


@pytest.mark.thorough
def test_true_null_hypotheses_are_rejected_less_often(mended):
    """The page's made sentences, tested by sacreBLEU as released and mended."""
    chance = random.Random(1)
    reference = [" ".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=20)) for _ in range(100)]

    def translation():
        return [
            "".join(c if c == " " or chance.random() < 0.8 else "?" for c in line)
            for line in reference
        ]

    pairs = [(translation(), translation()) for _ in range(600)]
    rejected = {
        module: sum(pvalue(module, "bs", *pair, reference) <= 0.05 for pair in pairs)
        for module in (significance, mended)
    }
    row = next(line for line in TABLE.splitlines() if "`--paired-bs`, artificial sentences" in line)
    released, repaired = map(int, re.findall(r"(\d+) of 600", row))
    assert rejected[significance] == released
    low, high = clopper_pearson(repaired, 600)
    assert low < rejected[mended] / 600 < high


def test_a_line_that_is_not_expected_is_named_and_nothing_is_written(tmp_path):
    place = tmp_path / "sacrebleu" / "significance.py"
    place.parent.mkdir()
    source = Path(significance.__file__).read_text(encoding="utf-8")
    lines = source.split("\n")
    lines[264] += "  # changed"
    place.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match=naming("line 265", "2.6.0")):
        MEND["mend"](tmp_path)
    assert place.read_text(encoding="utf-8") == "\n".join(lines)
    with pytest.raises(FileNotFoundError):
        MEND["mend"](tmp_path / "nowhere")


def test_the_page_names_the_lines_and_the_commit():
    numbers = sorted(MEND["MENDED"][MEND["SOURCE"]])
    said = re.search(r"significance\.py`: ([\d, and]+)\. .*\n?of commit (\w+)", PAGE)
    assert said is not None
    assert list(map(int, re.findall(r"\d+", said[1]))) == numbers
    assert said[2] in SCRIPT.read_text(encoding="utf-8")
    assert "](../packaging/letters/sacrebleu.txt)" in PAGE
