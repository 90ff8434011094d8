"""Which units carry a difference: planted ones are named, and the numbers are those of loops."""

from __future__ import annotations

import json
import shlex

import lxml.html
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import mtsig_nb as mt
from mtsig_nb.cli import app
from mtsig_nb.outcomes.outcome import Layout
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.report.page import report_page
from mtsig_nb.significance.examples import Differences

from ..cli.program import answer, run, words
from ..small_sets import METRICS, some_segments

WORDS = ["river", "boat", "green", "house", "walks", "slowly", "over", "bridge", "tree", "child"]
#: Segments, from 0 on, in which the second system, or the first one, is made worse.
WORSE_B = (4, 17, 42)
WORSE_A = (30,)
N = 60


def sentences(seed):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(8, 14))) for _ in range(N)]


def with_noise(lines, seed):
    """The sentences, in each of which one word is another."""
    rng = np.random.default_rng(seed)
    changed = []
    for line in lines:
        words = line.split()
        words[int(rng.integers(len(words)))] = "stone"
        changed.append(" ".join(words))
    return changed


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """A reference and two outputs that differ little but where one was made worse."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    reference = sentences(1)
    outputs = {"A": with_noise(reference, 2), "B": with_noise(reference, 3)}
    for place in WORSE_B:
        outputs["B"][place] = "nothing <i>of</i> the \x1b[2J \u202esort"
    for place in WORSE_A:
        outputs["A"][place] = "no"
    for name, lines in {"ref": reference, **outputs}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    documents = [f"d{place // 6}" for place in range(N)]
    (tmp_path / "docs.txt").write_text("".join(f"{name}\n" for name in documents))
    return tmp_path


def analysed(metric, **settings):
    files = {"A": "A.txt", "B": "B.txt"}
    return Analysis(
        systems=files, references=["ref.txt"], metrics=[metric], n_resamples=200, **settings
    ).run()


def named(table, system):
    return set(table.loc[table["favours"] == system, "segment"].astype(int) - 1)


# --- what was planted -----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["BLEU", "TER", "chrF"])
def test_sentences_made_worse_are_named(texts, metric):
    found = analysed(metric).examples(3)
    assert named(found, "A") == set(WORSE_B)
    assert found.loc[found["favours"] == "B", "segment"].iloc[0] == str(WORSE_A[0] + 1)
    first = found.iloc[0]
    place = int(first["segment"]) - 1
    assert first["system_a"] == "A"
    assert first["output_b"] == (texts / "B.txt").read_text().split("\n")[place]
    assert first["reference"] == (texts / "ref.txt").read_text().split("\n")[place]


def test_documents_are_named_with_their_largest_segments(texts):
    found = analysed("BLEU", documents="docs.txt").examples(3)
    of_a = found[found["favours"] == "A"]
    assert set(of_a["document"]) == {f"d{place // 6}" for place in WORSE_B}
    assert named(found, "A") == set(WORSE_B)
    assert (of_a["points"] > 0).all()
    # The three planted segments have most of what their documents have.
    assert of_a["segment_points"].to_numpy() == pytest.approx(of_a["points"], rel=0.4)


def table_of(scores, folder, **columns):
    """A file of scores of A and B."""
    rows = []
    for system in "AB":
        for place in range(N):
            row = {"system": system, "item": f"i{place}"}
            row |= {name: values[system][place] for name, values in scores.items()}
            row |= {name: make(system, place) for name, make in columns.items()}
            rows.append(row)
    path = folder / "scores.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return str(path)


def some_scores(seed=0):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=N)
    scores = {system: common + rng.normal(scale=0.1, size=N) for system in "AB"}
    scores["B"][list(WORSE_B)] -= 5
    scores["A"][list(WORSE_A)] -= 3
    return scores


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_of_a_mean_it_is_the_share_of_the_sum(tmp_path, direction):
    scores = some_scores()
    sign = 1 if direction == "higher" else -1
    path = table_of({"x": {system: sign * values for system, values in scores.items()}}, tmp_path)
    found = Analysis(scores=path, metrics=[f"x:{direction}"], n_resamples=200).run().examples(3)
    assert set(found.loc[found["favours"] == "A", "segment"]) == {f"i{k}" for k in WORSE_B}
    differences = scores["A"] - scores["B"]
    expected = [differences[int(name[1:])] for name in found["segment"]]
    assert found["points"].tolist() == pytest.approx(np.array(expected) / N, abs=1e-8)
    assert found["share"].tolist() == pytest.approx(expected / differences.sum(), abs=1e-7)
    without = (differences.sum() - np.array(expected)) / (N - 1)
    assert found["difference_without"].tolist() == pytest.approx(without, abs=1e-8)


def test_of_a_ratio_of_sums(tmp_path):
    rng = np.random.default_rng(4)
    words = rng.integers(8, 30, N)
    errors = {system: rng.binomial(words, 0.1) for system in "AB"}
    errors["B"][list(WORSE_B)] = words[list(WORSE_B)]
    path = table_of({"errors": errors, "words": dict.fromkeys("AB", words)}, tmp_path)
    found = Analysis(scores=path, metrics=["WER=errors/words:lower"], n_resamples=200).run()
    table = found.examples(3)
    assert set(table.loc[table["favours"] == "A", "segment"]) == {f"i{k}" for k in WORSE_B}
    places = [int(name[1:]) for name in table["segment"]]
    expected = (errors["B"] - errors["A"])[places] / words.sum()
    assert table["points"].tolist() == pytest.approx(expected, abs=1e-12)


def test_flips_of_yes_or_no(tmp_path):
    right = {system: [1] * N for system in "AB"}
    for place in WORSE_B:
        right["B"][place] = 0
    right["A"][WORSE_A[0]] = 0
    path = table_of({"right": right}, tmp_path, answer=lambda s, k: f"{s} says {k}")
    found = Analysis(scores=path, metrics=["right:higher"], n_resamples=200).run()
    table = found.examples(10)
    assert table["segment"].tolist() == [f"i{place}" for place in (*WORSE_B, *WORSE_A)]
    assert table["score_a"].tolist() == [1, 1, 1, 0]
    assert table["share"].tolist() == pytest.approx([0.5, 0.5, 0.5, -0.5])
    assert table["output_b"].iloc[0] == f"B says {WORSE_B[0]}"
    (counts,) = [examples.counts for examples in found.pair_examples(10)]
    assert (counts["only_a_right"], counts["only_b_right"]) == (3, 1)
    assert (counts["favour_a"], counts["favour_b"], counts["favour_neither"]) == (3, 1, N - 4)
    # Where less is better, right is 0.
    lower = Analysis(scores=path, metrics=["right:lower"], n_resamples=200).run()
    (counts,) = [examples.counts for examples in lower.pair_examples(10)]
    assert counts["system_a"] == "B"
    assert (counts["only_a_right"], counts["only_b_right"]) == (3, 1)


def test_several_test_sets(tmp_path):
    parts = []
    for test_set in ("news", "talks"):
        scores = some_scores(seed=len(test_set))
        if test_set == "talks":
            scores["B"][9] -= 50
        for system in "AB":
            for place in range(N):
                row = (system, test_set, f"{test_set} {place}", scores[system][place])
                parts.append((*row, f"{system} on {test_set} {place}"))
    path = tmp_path / "sets.csv"
    columns = ["system", "test_set", "segment", "x", "output"]
    pd.DataFrame(parts, columns=columns).to_csv(path, index=False)
    found = Analysis(scores=str(path), metrics=["x:higher"], n_resamples=200).run()
    assert found.kind == "test sets"
    first = found.examples(2).iloc[0]
    assert (first["test_set"], first["segment"]) == ("talks", "talks 9")
    assert first["output_a"] == "A on talks 9"
    assert first["points"] == pytest.approx(50 / N / 2, rel=0.1)


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
def test_contributions_add_up_and_turn_over(metric):
    statistics = some_segments(metric, 25, seed=3)
    a, b = statistics.systems[:2]
    found = Differences.of(statistics, a, b)
    other = Differences.of(statistics, b, a)
    assert found.points.sum() == pytest.approx(found.difference)
    assert found.difference >= 0
    assert (found.ahead, found.points.tolist()) == (other.ahead, other.points.tolist())
    pair = statistics.select([found.ahead, found.behind])
    for row in found.chosen(4).to_dict("records"):
        rest = np.delete(pair.values, row["place"], axis=1).sum(axis=1)
        scores = pair.metric.score(rest)
        expected = pair.metric.direction * (scores[0] - scores[1])
        assert row["difference_without"] == pytest.approx(expected)
    itself = of_two(statistics, statistics.values[[0, 0]])
    nothing = Differences.of(itself, *itself.systems)
    assert not nothing.points.any()
    assert nothing.chosen(5).empty


def of_two(statistics, values):
    return mt.SufficientStatistics(statistics.metric, ("X", "Y"), values)


def test_what_matters_most_is_what_changes_the_difference_most_when_left_out(texts):
    test_set = mt.read_test_set(reference="ref.txt", systems={"A": "A.txt", "B": "B.txt"})
    statistics = mt.measure(test_set, "BLEU", cache=False)
    found = Differences.of(statistics, "A", "B")
    totals = statistics.totals()
    changes = []
    for place in range(N):
        scores = statistics.metric.score(totals - statistics.values[:, place])
        changes.append(found.difference - (scores[0] - scores[1]))
    differs = found.points != 0
    correlation = np.corrcoef(np.array(changes)[differs], found.points[differs])[0, 1]
    assert correlation > 0.99


def test_which_pairs_are_shown(tmp_path):
    rows = [(s, k, 10 * i + (k * (i + 1)) % 3) for i, s in enumerate("WXYZ") for k in range(12)]
    path = tmp_path / "four.csv"
    pd.DataFrame(rows, columns=["system", "segment", "x"]).to_csv(path, index=False)
    found = Analysis(scores=str(path), metrics=["x:higher"], n_resamples=200).run()
    best = found.examples(1)
    assert set(zip(best["system_a"], best["system_b"], strict=True)) == {("Z", "Y")}
    against = found.examples(1, baseline="X")
    pairs = set(zip(against["system_a"], against["system_b"], strict=True))
    assert pairs == {("Z", "X"), ("Y", "X"), ("X", "W")}


# --- how they are shown ---------------------------------------------------------------------------

TYPED = "compare -r ref.txt A.txt B.txt -m BLEU -n 200 --examples 3"


def test_scores_of_a_segment_stand_above_its_texts(tmp_path):
    rows = []
    for segment in range(6):
        for system, errors in (("elm", segment % 2), ("oak", 1 + segment % 3)):
            rows.append((system, segment, errors, 8, f"sentence {segment}"))
    columns = ["system", "segment", "errors", "words", "reference"]
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "asr.csv", index=False)
    typed = f"compare --scores {tmp_path / 'asr.csv'} -m WER=100*errors/words:lower --examples 1"
    (first,) = answer(typed)["examples"][:1]
    shown = words(typed)
    assert f"elm {first['score_a']:.2f}, oak {first['score_b']:.2f} reference:" in shown


def test_on_a_screen_nothing_is_obeyed(texts):
    printed = run(TYPED).stdout
    assert "\x1b" not in printed
    assert "segment 5" in printed
    assert "nothing <i>of</i> the" in printed
    assert "no p-value" in printed
    for form in ("csv", "json", "markdown"):
        answered = run(f"{TYPED} -f {form}").stdout
        assert "\x1b" not in answered
        assert "\u202e" not in answered


def test_every_format_has_them(texts):
    content = answer(TYPED)
    assert {int(row["segment"]) - 1 for row in content["examples"][:3]} == set(WORSE_B)
    assert content["examples"][0]["output_b"].count("\x1b[2J") == 1
    (counts,) = content["examples_counts"]
    assert counts["difference"] == pytest.approx(content["pairs"][0]["difference"])
    table = run(f"{TYPED} -f csv").stdout.splitlines()
    assert table[0].startswith("metric,system_a,system_b,favours,segment,points,share")
    markdown = run(f"{TYPED} -f markdown").stdout
    assert "&lt;i&gt;of&lt;/i&gt;" in markdown
    assert "<i>" not in markdown
    run(f"{TYPED} -f latex", code=2)
    assert "examples" not in answer(TYPED.removesuffix(" --examples 3"))


def test_the_page_marks_what_differs(texts):
    outcome = analysed("BLEU")
    page = report_page(outcome, layout=Layout(examples=3))
    assert "<i>of" not in page
    assert "\x1b" not in page
    tree = lxml.html.fromstring(page)
    examples = tree.xpath("//div[@class='example']")
    assert 3 < len(examples) <= 6
    cells = examples[0].xpath(".//td")
    assert all(cell.get("dir") == "auto" for cell in cells)
    table = outcome.examples(3)
    assert [cell.text_content() for cell in cells][:2] == [
        table["reference"].iloc[0],
        table["output_a"].iloc[0],
    ]
    assert examples[0].xpath(".//mark")
    assert not lxml.html.fromstring(report_page(outcome)).xpath("//mark")


def test_other_kinds_have_none(tmp_path):
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,winner\nx,y,model_a\ny,z,model_b\nx,z,tie\n" * 4)
    result = run(f"compare --scores {path} --examples 3", code=1)
    assert "examples" in result.stderr
    assert "battles" in result.stderr


@pytest.mark.parametrize("n", [0, -1, 1.5, True])
def test_a_number_of_examples_is_whole(texts, n):
    with pytest.raises(mt.InputError, match="n="):
        analysed("BLEU").examples(n)


def test_standard_input_is_read_once(texts):
    typed = "compare -r ref.txt A.txt B=- -m BLEU -n 200 --examples 1 -f json"
    given = (texts / "B.txt").read_text()
    result = CliRunner().invoke(app, shlex.split(typed), input=given)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["examples"][0]["output_b"].startswith("nothing")


def test_systems_that_are_level_or_the_same(texts):
    (texts / "copy.txt").write_text((texts / "A.txt").read_text())
    files = {"A": "A.txt", "copy": "copy.txt"}
    same = Analysis(systems=files, references=["ref.txt"], n_resamples=200).run()
    assert same.examples(2).empty
    assert "<h2>Which segments?</h2>" in report_page(same, layout=Layout(examples=2))
    level = table_of({"x": {"A": [0.1, 0.2, 0.3] * 20, "B": [0.3, 0.1, 0.2] * 20}}, texts)
    found = Analysis(scores=level, metrics=["x:higher"], n_resamples=200).run().examples(2)
    assert len(found) == 4
    assert found["share"].isna().all()  # of nothing
