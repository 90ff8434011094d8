"""Measuring: the same statistics however they are had, and a cache that is never wrong."""

from __future__ import annotations

import io
import re
import sys
import zlib
from dataclasses import replace

import numpy as np
import pytest
import sacrebleu

import mtsig_nb as mt
from mtsig_nb import progress
from mtsig_nb.metrics import BLEU

from ..messages import naming
from ..worse_and_worse import FAIR, GOOD, POOR, REFERENCE


def make_test_set(n_segments: int = 12, n_systems: int = 3) -> mt.Texts:
    outputs = [lines[:n_segments] for lines in (GOOD, FAIR, POOR)]
    return mt.Texts.from_texts(
        reference=[REFERENCE[:n_segments], outputs[1]],
        systems={f"sys{k}": outputs[k] for k in range(n_systems)},
        documents=[f"d{i // 4}" for i in range(n_segments)],
        name="words",
    )


class Ours(BLEU):
    """A metric that is not the package's."""


@pytest.fixture(autouse=True)
def cache_in_a_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "statistics"


@pytest.fixture
def counted(monkeypatch):
    """The first segments of all outputs that BLEU counted, in order."""
    calls = []
    count = BLEU.statistics

    def statistics(self, hypotheses, references):
        if len(hypotheses) > 1:
            calls.append(hypotheses[0])
        return count(self, hypotheses, references)

    monkeypatch.setattr(BLEU, "statistics", statistics)
    return calls


def test_measured_scores_are_sacrebleus():
    test_set = make_test_set()
    found = mt.measure(test_set, "BLEU", lowercase=True)
    bleu = sacrebleu.BLEU(lowercase=True)
    for system, hypothesis in test_set.hypotheses.items():
        expected = bleu.corpus_score(list(hypothesis), [list(r) for r in test_set.references]).score
        assert found.scores()[system] == pytest.approx(expected, abs=1e-9)
    assert found.systems == test_set.systems
    assert found.documents.tolist() == list(test_set.documents)
    assert (found.test_set, found.n_references) == ("words", 2)
    assert "nrefs:2" in found.signature
    assert "case:lc" in found.signature


# --- the cache ------------------------------------------------------------------------------------


def test_a_new_system_is_all_that_is_measured(counted, cache_in_a_temporary_folder):
    test_set = make_test_set()
    two = {name: test_set.hypotheses[name] for name in ("sys0", "sys2")}
    mt.measure(replace(test_set, hypotheses=two), "BLEU")
    first, second = (mt.measure(test_set, "BLEU") for _ in range(2))
    assert counted == [test_set.hypotheses[f"sys{k}"][0] for k in (0, 2, 1)]
    alone = mt.measure(test_set, "BLEU", cache=False).values
    assert (first.values == second.values).all()
    assert (first.values == alone).all()
    assert {path.suffix for path in cache_in_a_temporary_folder.iterdir()} == {".z"}


@pytest.mark.parametrize(
    "change",
    [
        lambda ts: (ts, BLEU(tokenize="intl")),
        lambda ts: (ts, BLEU(lowercase=True)),
        lambda ts: (replace(ts, references=ts.references[::-1]), BLEU()),
        lambda ts: (replace(ts, references=ts.references[:1]), BLEU()),
        lambda ts: (
            replace(ts, references=(("x", *ts.references[0][1:]), ts.references[1])),
            BLEU(),
        ),
        lambda ts: (
            replace(ts, hypotheses={s: (*h[:-1], h[-1] + " ") for s, h in ts.hypotheses.items()}),
            BLEU(),
        ),
    ],
)
def test_anything_that_could_matter_is_measured_anew(counted, change):
    test_set = make_test_set()
    mt.measure(test_set, BLEU())
    mt.measure(*change(test_set))
    assert len(counted) == 6


def test_borders_between_texts_are_part_of_the_key(cache_in_a_temporary_folder):
    outputs = [["ab", "c"], ["a", "bc"], ["ab\nc", ""], ["", "ab\nc"], ["2\nab1\nc", ""]]
    for k, output in enumerate(outputs):
        texts = mt.Texts.from_texts(reference=["a", "b"], systems={"A": output})
        mt.measure(texts, "BLEU")
        assert len(list(cache_in_a_temporary_folder.iterdir())) == k + 1


@pytest.mark.parametrize(
    "data",
    [b"no zlib", zlib.compress(bytes(8)), zlib.compress(bytes(10**8)), zlib.compress(bytes(7))],
    ids=["not packed", "too little", "too much", "not in eights"],
)
def test_a_forged_file_is_measured_and_written_again(data, cache_in_a_temporary_folder):
    test_set = make_test_set(n_systems=1)
    first = mt.measure(test_set, "BLEU")
    (path,) = cache_in_a_temporary_folder.iterdir()
    sound = path.read_bytes()
    path.write_bytes(data)
    np.testing.assert_array_equal(mt.measure(test_set, "BLEU").values, first.values)
    assert path.read_bytes() == sound


def test_no_single_flipped_bit_changes_a_result(cache_in_a_temporary_folder):
    """Most are noticed, by zlib's own checksum; the bits behind its last block mean nothing."""
    test_set = make_test_set(n_segments=5, n_systems=1)
    expected = mt.measure(test_set, "BLEU").values
    (path,) = cache_in_a_temporary_folder.iterdir()
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        assert (mt.measure(test_set, "BLEU").values == expected).all()


def test_a_folder_that_cannot_be_written_costs_one_warning(counted, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "file"))
    message = (
        f"Statistics are not kept: {str(tmp_path / 'file' / 'statistics')!r} cannot be written "
        "(Not a directory). Set MTSIG_CACHE, or say cache=False."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(message)}$") as caught:
        found = mt.measure(make_test_set(), "BLEU")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert found.values.shape == (3, 12, 10)


def test_metrics_of_others_are_measured_but_not_cached(cache_in_a_temporary_folder):
    test_set = make_test_set()
    found = mt.measure(test_set, Ours()).values
    assert (found == mt.measure(test_set, "BLEU", cache=False).values).all()
    assert not cache_in_a_temporary_folder.exists()


# --- progress -------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "delay", "disabled", "visible"),
    [
        (Terminal, 0.0, "", True),
        (Terminal, 60.0, "", False),
        (Terminal, 0.0, "1", False),
        (io.StringIO, 0.0, "", False),
    ],
    ids=["terminal", "short work", "unwanted", "no terminal"],
)
def test_when_the_bar_shows(monkeypatch, stream, delay, disabled, visible):
    err = stream()
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(progress, "DELAY", delay)
    monkeypatch.setenv("TQDM_DISABLE", disabled)
    numbers = progress.ProgressBar(range(3), description="counting")
    assert list(numbers) == [0, 1, 2]
    assert ("counting" in err.getvalue()) == visible
    # What is left on the line, as a terminal would show it.
    assert err.getvalue().rpartition("\r")[0].rpartition("\r")[2].strip() == ""


@pytest.mark.parametrize(
    ("given", "settings", "names"),
    [
        ([["a"], "BLEU"], {}, ("test_set", "list", "mtsig_nb.Texts")),
        ([make_test_set(), "BLUE"], {}, ("metric='BLUE'", "mean 'BLEU'?")),
        ([make_test_set(), "BLEU"], {"lower_case": True}, ("'lower_case'", "mean 'lowercase'?")),
        ([make_test_set(), BLEU()], {"lowercase": True}, ("settings", "metric's name")),
        ([make_test_set(), "SegmentMean"], {}, ("metric='score'", "segment scores")),
    ],
)
def test_error(given, settings, names, cache_in_a_temporary_folder):
    with pytest.raises(mt.InputError, match=naming(*names)):
        mt.measure(*given, **settings)
    assert not cache_in_a_temporary_folder.exists()
