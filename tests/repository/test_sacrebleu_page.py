"""`docs/sacrebleu.md` and `sacrebleu-measured.md`: sacreBLEU itself runs their code.

What they state is what comes out.

With another version than the page's only numbers of lines, sacreBLEU's README and counts of its own
draws are skipped. Where the rest fails, sacreBLEU has changed, and the page has to.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from sacrebleu import BLEU, significance
from scipy import optimize, stats

import mtsig_nb as mt
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.significance.other_tools import OTHER_TOOLS

from ..messages import naming

DOCS = Path(__file__).parents[2] / "docs"
#: The page, and the page with the code of its table.
PAGE = "".join(
    (DOCS / name).read_text(encoding="utf-8") for name in ("sacrebleu.md", "sacrebleu-measured.md")
)
#: Code, and what stands below it as its output.
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", PAGE, re.MULTILINE | re.DOTALL
)
COPY, FEW, MENDED, MADE, REAL, LENGTHS = BLOCKS
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
LINES = {int(row[0]): re.findall("`([^`]+)`", row[1]) for row in ROWS if row[0].isdigit()}
#: As released and mended, by what was measured.
TABLE = {row[0]: tuple(row[1:]) for row in ROWS if ": p" in row[0] or "p ≤" in row[0]}
(VERSION,) = set(re.findall(r"\d+\.\d+\.\d+", PAGE))

of_one_version = pytest.mark.skipif(
    sacrebleu.__version__ != VERSION,
    reason=f"holds of sacreBLEU {VERSION} only; {sacrebleu.__version__} is installed",
)


def ran(*blocks, **names):
    """What the blocks, one after the other, print, and the names that they leave."""
    printed = io.StringIO()
    for code, _ in blocks:
        printed.truncate(printed.seek(0))
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/sacrebleu.md", "exec"), names)
    return printed.getvalue(), names


p_value = ran(MENDED)[1]["p_value"]


def statistics(reference, **systems):
    test_set = mt.Texts.from_texts(reference=reference, systems=systems)
    return mt.measure(test_set, "BLEU", cache=False)


def mended(pair, centre, n_resamples):
    """The page's function on differences from resamples or shuffles of a pair."""
    test = mt.bootstrap_test if centre else mt.approximate_randomization
    exact = {} if centre else {"exact": False}
    result = test(pair, *pair.systems, n_resamples=n_resamples, rng=1, **exact)
    assert p_value(result.resampled, result.statistic, centre) == result.pvalue
    return result.pvalue


def share(rejected, n):
    low, high = clopper_pearson(rejected, n)
    rate, low, high = (f"{100 * value:.1f}" for value in (rejected / n, low, high))
    return f"{rejected} of {n}: {rate} % ({low} to {high})"


def quoted():
    """The numbers of lines of sacreBLEU that the page quotes, and what it quotes of each."""
    (seed_line, seed_code) = re.search(r"line (\d+), `([^`]+)`", PAGE).groups()
    return {**LINES, int(seed_line): [seed_code]}


def lines_of_sacrebleu():
    return Path(significance.__file__).read_text(encoding="utf-8").splitlines()


def test_sacrebleu_has_lines_of_which_the_page_speaks():
    assert (len(LINES), len(TABLE)) == (5, 7)
    for number, parts in quoted().items():
        assert parts
        assert any(all(part in line for part in parts) for line in lines_of_sacrebleu()), number
    assert "bootstrap-hypothesis-difference" in significance._paired_bs_test.__doc__


@of_one_version
def test_the_lines_are_where_the_page_says():
    lines = lines_of_sacrebleu()
    for number, parts in quoted().items():
        assert all(part in lines[number - 1] for part in parts), number
    above = lines[min(LINES) - 4 : min(LINES) - 1]
    assert any("!=" in line for line in above)  # the comment that says that it is meant


def test_a_system_against_its_own_copy():
    assert sum(map(bool, COPY[0].splitlines())) == 5
    printed, names = ran(COPY)
    assert printed == COPY[1]
    pair = statistics(names["ref"], A=names["out"], copy=names["out"])
    sizes = significance.PairedTest._DEFAULT_SAMPLES
    assert re.search(naming(f"{sizes['bs']:,} resamples", f"{sizes['ar']:,} shuffles"), PAGE)
    for line in printed.splitlines():
        kind, p = line.split()
        ours = mended(pair, kind == "bs", sizes[kind])
        row = TABLE[f"a system and its own copy, `--paired-{kind}`: p"]
        assert row == (f"{float(p):.4f}", f"{ours:.4f}")


@pytest.mark.thorough
def test_few_sentences_that_differ():
    printed, names = ran(COPY, FEW)
    assert printed == FEW[1]
    released, ours = {}, {}
    for line in printed.splitlines():
        k, exact, p = map(float, line.split())
        released[k] = p
        out = [*["Something else."] * int(k), *names["ref"][int(k) :]]
        ours[k] = mended(statistics(names["ref"], A=names["ref"], B=out), False, 10_000)
        assert abs(ours[k] - exact) <= 4 * np.sqrt(exact * (1 - exact) / 10_000) + 1e-4
    row = TABLE["one sentence of a hundred differs, `--paired-ar`: p"]
    assert row == (f"{released[1]:.4f}", f"{ours[1]:.4f}")


def test_sign_flips_where_few_sentences_differ_give_the_exact_p_of_the_page():
    reference = [f"This is line {i} of a text of ours." for i in range(100)]
    assert 'f"This is line {i} of a text of ours." for i in range(100)' in FEW[0]
    for line in FEW[1].splitlines():
        k, exact, _ = line.split()
        out = ["Something else."] * int(k) + reference[int(k) :]
        pair = statistics(reference, A=reference, B=out)
        assert mt.sign_flip_test(pair, "A", "B").pvalue == float(exact)


@of_one_version
@pytest.mark.thorough
def test_size_by_sacrebleu_itself():
    printed, names = ran(COPY, MADE)
    assert printed == MADE[1]
    systems = {
        f"{side} {i}": pair[member]
        for member, side in enumerate(("heads", "tails"))
        for i, pair in enumerate(names["pairs"])
    }
    nulls = statistics(names["ref"], **systems)
    tests = ["bootstrap", "approximate-randomization"]
    rejected, shuffled = mt.simulate.rejection_rates(nulls, tests, rng=2)["rejected"]
    n = len(names["pairs"])
    label = "interchangeable systems with p ≤ .05, `--paired-bs`, artificial sentences"
    assert TABLE[label] == (share(names["rejected"], n), share(rejected, n))
    assert re.search(r"p ≤ \.05 in\s+(\d+)", PAGE)[1] == str(shuffled)


@pytest.mark.thorough
def test_size_on_real_outputs():
    printed, names = ran(REAL)
    assert printed == REAL[1]
    for kind in ("bs", "ar"):  # what is run is what is compared with sacreBLEU elsewhere
        peer = OTHER_TOOLS[f"sacrebleu-{kind}"]
        assert peer.counting == names["released"]["counting"]
        assert peer.procedure in REAL[0]
    released, ours = (ast.literal_eval(line) for line in printed.splitlines())
    n = len(names["nulls"].systems) // 2
    segments = re.search(r"in each of ([\d,]+) segments", PAGE)[1].replace(",", "")
    assert int(segments) == names["nulls"].n_segments
    n_resamples = inspect.signature(mt.simulate.rejection_rates).parameters["n_resamples"].default
    assert re.search(naming(f"{n:,} such pairs", f"{n_resamples:,} resamples"), PAGE)
    for kind, theirs, mended_ in zip(("bs", "ar"), released, ours, strict=True):
        label = f"interchangeable systems with p ≤ .05, `--paired-{kind}`, WMT17 en-de"
        assert TABLE[label] == (share(theirs, n), share(mended_, n))


@pytest.mark.slow
@pytest.mark.thorough
def test_size_where_lengths_differ():
    printed, names = ran(REAL, LENGTHS)
    assert printed == LENGTHS[1]
    ((theirs,), (counted, flipped, shifted)) = map(ast.literal_eval, printed.splitlines())
    n = len(names["equal"].systems) // 2
    label = "equally good systems of unequal length with p ≤ .05, `--paired-ar`, WMT21 zh-en"
    assert TABLE[label] == (share(theirs, n), share(counted, n))
    assert 0.15 < theirs / n < 0.25  # a fifth
    prose = " ".join(PAGE.split())
    assert re.search(naming(f"errs in {shifted} ", f" {n}"), prose)
    assert re.search(naming("totals", f"errs in {flipped} "), prose)
    assert re.search(naming(f"errs in {n // 20} ", f" {shifted} "), prose)
    for errs in (flipped, shifted):
        low, high = clopper_pearson(errs, n)
        assert low < 0.05 < high
    bleu = names["bleu"]
    totals = bleu.totals()
    ratio = dict(zip(bleu.systems, totals[:, 0] / totals[:, 1], strict=True))
    assert f"{ratio['XMU']:.3f}".removeprefix("0") in prose
    assert min(ratio["IIE-MT"], ratio["Borderline"]) > 1.01
    assert re.search(naming(f"all {bleu.n_segments:,} segments", f"{n} test sets"), prose)


def test_normal_theory():
    def p(d):
        """Of the released bootstrap, where resampled differences have mean d and variance 1."""
        mean = stats.foldnorm.mean(d)
        return stats.norm.sf(d + mean, loc=d) + stats.norm.cdf(-d - mean, loc=d)

    edge = optimize.brentq(lambda d: p(d) - 0.05, 0.1, 5)
    size = 2 * stats.norm.sf(edge)
    assert re.search(r"\|d\| ≥ ([\d.]+) s", PAGE)[1] == f"{edge:.3f}"
    assert re.search(r"([\d.]+) % of all", PAGE)[1] == f"{100 * size:.1f}"


def test_what_its_own_repository_records():
    recorded = mt.load("wmt17/en-de").published["pvalues"].set_index("system")
    moses, multeval, system = re.search(
        r"(\.\d+)\s+and\s+(\.\d+)\s+for\s+`(LMU\S+)`", PAGE
    ).groups()
    found = recorded.loc[system, ["moses_bootstrap_bleu", "multeval_ar_bleu"]]
    assert [f"{p:.4f}".lstrip("0") for p in found] == [moses, multeval]
    assert float(moses) < 0.05 < float(multeval)


@of_one_version
def test_what_its_readme_says():
    about = metadata.metadata("sacrebleu")  # its README is in one of two places
    readme = " ".join((about["Description"] or about.get_payload()).split())
    assert re.search(r"p-value is roughly \D{0,30} absolute \D{0,30} or higher", readme)
    assert "a difference at least as large in absolute value" in " ".join(PAGE.split())
    for p in re.search(r"prints (\.\d+)\s+\(bootstrap\)\s+and\s+(\.\d+)", PAGE).groups():
        assert f"0{p}" in readme
    assert re.search(r"Type-I errors \w+ failures to reject", readme)


@pytest.mark.takes_time
def test_seed_zero_is_no_seed(monkeypatch):
    a = [f"Line {i} is right." for i in range(40)]
    systems = [("A", [*a[:20], *["Not at all."] * 20]), ("B", [*["Not so."] * 18, *a[18:]])]

    def pvalues(seed):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        tests = [significance.PairedTest(systems, {"BLEU": BLEU()}, [a], "bs") for _ in range(6)]
        done = [test() for test in tests]
        assert f"seed:{seed}" in str(done[0][0]["BLEU"].format())
        return {table["BLEU"][1].p_value for _, table in done}

    assert len(pvalues("1")) == 1
    assert len(pvalues("0")) > 1
