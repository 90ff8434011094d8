"""METEOR through its jar: its own corpus score, and a protocol that no text can break."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from mtsig_nb.errors import InputError, MtsigError
from mtsig_nb.metrics import METEORJar, meteor_jar

from ..messages import naming
from .texts import corpus_score, needs_java, translations, wmt12

#: All modules but the paraphrases, whose table takes ten seconds to read.
QUICK = METEORJar(modules=("exact", "stem", "synonym"))


def run_jar(metric, hypotheses, references, folder) -> float:
    """The score that the jar itself prints for files."""
    test, refs = folder / "test", folder / "refs"
    test.write_text("".join(f"{line}\n" for line in hypotheses), encoding="utf-8")
    lines = [line for translations_ in zip(*references, strict=True) for line in translations_]
    refs.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = list(meteor_jar.command(metric))
    start, end = command.index("-"), command.index("-stdio")
    command[start : end + 1] = [str(test), str(refs), "-q", "-r", str(len(references))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.slow
@needs_java
@pytest.mark.parametrize(
    ("metric", "n_references"),
    [
        (QUICK, 1),
        (QUICK, 3),
        *((METEORJar(language=language), 2) for language in ("cs", "de", "es", "fr", "ru")),
    ],
)
def test_equals_the_score_that_the_jar_prints(metric, n_references, tmp_path):
    # Empty lines are left out, since METEOR's own reader of several
    # references takes no notice of them either way.
    hypotheses, references = translations(130, n_references, seed=5)
    expected = run_jar(metric, hypotheses, references, tmp_path)
    assert corpus_score(metric, hypotheses, references) == pytest.approx(expected, abs=1e-12)


@pytest.mark.thorough
@needs_java
def test_equals_the_published_run_with_all_modules():
    # METEOR 1.5 with -l en -norm prints 0.34986415 for this output.
    reference, outputs = wmt12()
    score = corpus_score(METEORJar(), outputs["GTH-UPM"], [reference])
    assert score == pytest.approx(0.349864, abs=1e-6)


@pytest.mark.takes_time
@needs_java
def test_no_text_breaks_the_protocol():
    lines = [
        "tea ||| milk", "|||", "||||||", "a | || b", "", " ", "tea\nmilk", "tea\r\nmilk\rcake",
        "SCORE ||| tea ||| tea", "EVAL", "tea\x00milk", "tea\u2028milk\x85cake", "茶", "🫖 tea",
        "\ud800 lone",
    ]  # fmt: skip
    stats = QUICK.statistics(lines, [lines])
    assert stats.shape == (len(lines), len(QUICK.columns))
    # Bars are words of their own to METEOR, and line ends are spaces.
    assert stats[:8, 0].tolist() == [5, 3, 6, 5, 0, 0, 2, 3]
    # Everything is equal to itself.
    np.testing.assert_array_equal(QUICK.score(stats), (stats[:, 0] > 0).astype(float))


def test_without_java(monkeypatch):
    monkeypatch.setattr("mtsig_nb.metrics.meteor.find_jar", lambda: "meteor-1.5.jar")
    monkeypatch.setattr(meteor_jar.shutil, "which", lambda _: None)
    with pytest.raises(InputError, match=naming("Java", "'java'", "PATH", "install")):
        METEORJar().statistics(["a"], [["a"]])


def test_java_that_fails(monkeypatch):
    program = "import sys; sys.exit('out of memory')"
    monkeypatch.setattr(meteor_jar, "command", lambda _: (sys.executable, "-c", program))
    with pytest.raises(MtsigError, match=naming("Java stopped", "out of memory")):
        METEORJar().statistics(["a"] * 250, [["a"] * 250])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "cz"}, r"language='cz' is not known. Known: 'en', 'cs'"),
        ({"modules": ("exact", "stems")}, r"modules='stems' is not known. Did you mean 'stem'"),
        ({"language": "cs", "modules": ("exact", "stem")}, r"modules='stem' is not known"),
        ({"modules": ("stem", "exact")}, r"must be distinct and in the order"),
    ],
)
def test_unknown_settings(settings, message):
    with pytest.raises(InputError, match=message):
        METEORJar(**settings)
