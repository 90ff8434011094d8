"""A test in the four steps that every test has, with one pair's own numbers, as HTML.

For readers who meet tests for the first time: every term is said where it is first used, and every
number is read from the test's result.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np

from ..engine.procedures import Procedure
from ..engine.resampling import Resampling
from ..engine.tallies import PAIR
from ..report import figures
from ..report.verdicts import digits_for, told_pvalue
from ..significance.results import TestResult

_FIRST = 5  # resamples whose differences are shown
_UNITS_SHOWN = 16  # of the first resample


def four_steps(result: TestResult) -> dict[str, str]:
    """Choose a statistic, say what chance would do, simulate it, compare: each title's text.

    Parameters
    ----------
    result : TestResult
        Of one of the resampling tests.
    """
    procedure = result.procedure
    assert procedure is not None  # only tests by resampling are chosen here
    return {
        "Choose a statistic": _statistic(result, procedure),
        "Say what chance would do": _chance(result, procedure) + first_resample(result),
        "Simulate it": _simulation(result, procedure),
        "Compare": _comparison(result, procedure),
    }


def _number(result: TestResult, procedure: Procedure) -> Callable[[float], str]:
    """How what the test compares is written: as scores are, or with two decimals if t-values."""
    digits = 2 if procedure.studentized else digits_for([result.score_a, result.score_b])
    return f"{{:+.{digits}f}}".format


def _statistic(result: TestResult, procedure: Procedure) -> str:
    digits = digits_for([result.score_a, result.score_b])
    turned = (result.score_a - result.score_b) * result.statistic < 0
    text = (
        "<p>We need one number that shows how strongly the data speak against chance. Such a "
        "number is called a <strong>test statistic</strong>. Ours is the difference <em>d</em>: by "
        f"how much A is better than B on the whole test set{' (smaller is better)' * turned}.</p>"
        f'<p class="mtsig-value">A is {escape(result.system_a)}, {result.score_a:.{digits}f}; '
        f"B is {escape(result.system_b)}, {result.score_b:.{digits}f}; "
        f"<em>d</em> = {result.statistic:+.{digits}f} {escape(result.metric)}</p>"
    )
    if procedure.studentized:
        text += (
            "<p>How large is that? Drawn anew, it would be another; the <strong>standard "
            "error</strong> says by how much, usually, as far as these very "
            f"{escape(result.unit)} can tell. So we take the difference in standard errors: "
            f'<span class="mtsig-value"><em>t</em> = {result.observed:+.2f}</span>.</p>'
        )
    return text


def _chance(result: TestResult, procedure: Procedure) -> str:
    unit, units = result.unit.removesuffix("s"), escape(result.unit)
    null = (
        "<p>The <strong>null hypothesis</strong> is a precise statement of how the data would come "
        "about if there were nothing to find. Here it is: "
    )
    no_difference = (
        "<em>on average over all test sets that we might have had, the difference is zero</em>. "
    )
    if procedure.linearises:
        return (
            f"{null}{no_difference}Every {unit} contributes something to the difference, for A "
            "or for B. If there is nothing to find, a contribution might as well have been on the "
            "other side, and a fair coin decides.</p>"
        )
    if procedure.kind == "shuffle":
        return (
            f"{null}<em>for every {unit}, a fair coin decides which of the two outputs "
            "is called A’s and which B’s</em>. It does not say that the outputs are alike, only "
            "that nothing hangs on whose they are.</p>"
        )
    if procedure.doubled:
        null = "<p>This test asks how easily the verdict would turn on another test set. "
        no_difference = (
            "Its null hypothesis is that A and B are equally good <em>on average over all test "
            "sets</em>. "
        )
    return (
        f"{null}{no_difference}To see how far chance moves a difference, we draw "
        f"{result.n_units:,} {units} from the {result.n_units:,} that there are, <em>with "
        "replacement</em>: some come twice, some not at all. Such a <strong>resample</strong> "
        "stands for another test set that we might have had.</p>"
    )


def first_resample(result: TestResult) -> str:
    """What the first resample made of the first units: the very draws that the test has made."""
    procedure = result.procedure or Procedure()
    plan = Resampling(procedure.kind, (), PAIR, 1, result.n_units, int(result.rng or 0))
    drawn = plan.weights(0)[0][:_UNITS_SHOWN].astype(int).tolist()
    if procedure.kind == "shuffle":
        what = (
            "Signs turned (−) or not (+)"
            if procedure.linearises
            else "Outputs exchanged (⇄) or not"
        )
        turned, kept = ("−", "+") if procedure.linearises else ("⇄", "")
        cells = [("n1", kept) if own else ("n3", turned) for own in drawn]
    else:
        what = "How often drawn"
        cells = [(f"n{min(times, 3)}", str(times)) for times in drawn]
    row = "".join(f'<td class="mtsig-{kind}">{text}</td>' for kind, text in cells)
    which = "one of the ways" if result.exact else f"the first of the {escape(result.draws)}"
    return (
        f'<table class="mtsig-strip"><tr>{row}</tr></table>'
        f'<p class="mtsig-caption">{what}: the first {len(drawn)} of {result.n_units:,} '
        f"{escape(result.unit)}, in {which}.</p>"
    )


def _simulation(result: TestResult, procedure: Procedure) -> str:
    number = _number(result, procedure)
    listed = ", ".join(map(number, result.resampled[:_FIRST]))
    if result.exact:
        return (
            f"<p>The {'contributions' if procedure.linearises else 'outputs'} differ in only "
            f"{result.n_differing} of {result.n_units:,} {escape(result.unit)}, so there are "
            f"2<sup>{result.n_differing}</sup> = {result.n_resamples:,} ways to exchange them. "
            f"We go through them all. The first differences are {listed}, …</p>"
        )
    noted = (
        "how far the difference is from <em>d</em>, in the standard error that <em>this</em> "
        "resample has"
        if procedure.studentized
        else "the difference between the two"
    )
    text = (
        f"<p>We do this {result.n_resamples:,} times (seed {result.rng}), and each time note "
        f"{noted}. The first {min(_FIRST, len(result.resampled))} are {listed}, …</p>"
    )
    if not procedure.centres:
        return text
    mean = number(float(np.mean(procedure.averaged(result.resampled))))
    if procedure.valid:
        return text + (
            f"<p>Their mean is {mean}, near <em>d</em>. The null hypothesis wants a mean of zero, "
            "so we <strong>shift</strong> them: the mean is taken away from each.</p>"
        )
    return text + (
        '<p class="mtsig-mistake"><strong>Here is the mistake.</strong> The sign of every '
        f"difference is dropped first; then the mean of what is left, {mean}, is taken away. A "
        "resample that fell far below zero can no longer be seen: one tail is gone. Right is to "
        "keep the sign, centre, and count both tails: choose the bootstrap (shift method) to see "
        "it.</p>"
    )


def _comparison(result: TestResult, procedure: Procedure) -> str:
    what = "ways" if result.exact else escape(result.draws)
    d, value = ("t", "t-value") if procedure.studentized else ("d", "difference")
    share = "Their share"
    if procedure.doubled:
        walk = (
            "The dashed line is at zero, where neither is ahead. Coloured: the resamples in which "
            f"{escape(_counted_winner(result))} wins or ties."
        )
        if result.alternative == "two-sided":
            share = "Their share, doubled since either might have been ahead,"
    elif not procedure.valid:
        walk = "The dashed line is <em>d</em>. Only what lies beyond it, on one side, is counted."
    elif result.alternative == "two-sided":
        walk = (
            f"The dashed lines are <em>{d}</em> and its mirror image. Coloured: the "
            f"{what} at least as far from zero as <em>{d}</em>, in favour of A or of B."
        )
    else:
        walk = (
            f"The dashed line is <em>{d}</em>. Coloured: what is beyond it, on the side asked for."
        )
    meaning = (
        f"{share} is the <strong>p-value</strong>: the probability, <em>if the null hypothesis is "
        "true</em>, of a statistic at least as far from what we expect as the one that we observed."
    )
    if not procedure.valid:
        meaning = "The share of them is printed as a p-value, which it is not: a tail is missing."
    filled = filled_pvalue(result, procedure)
    added = " (the one that is added is our own: it happened, too)" * ("+ 1)/" in filled)
    return (
        f'<div class="mtsig-wide">{figures.image(figures.null_distribution(result))}</div>'
        f'<p class="mtsig-caption">Along the axis: a {value}. A bar’s height: how many of the '
        f"{len(result.null_distribution):,} {what} came to it. {walk}</p>"
        f'<p>{meaning} Here <span class="mtsig-value">{filled}: '
        f"{told_pvalue(result.pvalue)}</span>{added}.</p>"
    )


def _counted_winner(result: TestResult) -> str:
    """Whose wins the paired bootstrap has counted: those in the smaller tail where it has two."""
    counted = result.null_distribution[result.extreme]
    below = counted.mean() <= 0 if counted.size else result.alternative != "less"
    return result.system_b if below else result.system_a


def filled_pvalue(result: TestResult, procedure: Procedure) -> str:
    """The formula of the p-value with its numbers."""
    c, n = f"{result.count:,}", f"{result.n_resamples:,}"
    if result.exact:
        return f"{c}/{n}"
    formula: str = result.counting.formula
    filled = {
        "(c+1)/(R+1)": f"({c} + 1)/({n} + 1)",
        "c/R": f"{c}/{n}",
        "(c+1)/R": f"({c} + 1)/{n}",
    }[formula]
    return f"2 · {filled}" if procedure.doubled and result.alternative == "two-sided" else filled


__all__ = ["first_resample", "four_steps"]
