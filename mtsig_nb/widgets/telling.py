"""A test told in the four steps that every test has, with one pair's own numbers.

For readers who meet tests for the first time: every term is said where it is first used, and every
number is read from the test's result.
"""

from __future__ import annotations

import dataclasses
from html import escape

import numpy as np

from ..engine.procedures import Procedure
from ..report.verdicts import digits_for, told_pvalue
from ..significance.results import TestResult
from . import pictures
from .steps import filled_pvalue, number_of

_FIRST = 5  # resamples whose differences are shown


@dataclasses.dataclass(frozen=True)
class Told:
    """One of the four steps, as HTML, and whether the mistake is in it."""

    title: str
    text: str
    mistake: bool = False


def four_steps(result: TestResult) -> list[Told]:
    """Choose a statistic, say what chance would do, simulate it, compare.

    Parameters
    ----------
    result : TestResult
        Of one of the resampling tests.
    """
    procedure = result.procedure
    assert procedure is not None  # only tests by resampling are chosen here
    wrong = not procedure.valid
    return [
        Told("Choose a statistic", _statistic(result, procedure)),
        Told("Say what chance would do", _chance(result, procedure)),
        Told("Simulate it", _simulation(result, procedure), wrong),
        Told("Compare", _comparison(result, procedure), wrong),
    ]


def _statistic(result: TestResult, procedure: Procedure) -> str:
    digits = digits_for([result.score_a, result.score_b])
    turned = (result.score_a - result.score_b) * result.statistic < 0
    smaller = " (smaller is better)" if turned else ""
    studentized = (
        "<p>How large is that? Drawn anew, it would be another; the <strong>standard "
        "error</strong> says by how much, usually, as far as these very "
        f"{escape(result.unit)} can tell. So we take the difference in standard errors: "
        f'<span class="mtsig-value"><em>t</em> = {number_of(result)(result.observed)}</span>.</p>'
    ) * procedure.studentized
    return (
        "<p>We need one number that shows how strongly the data speak against chance. Such a "
        "number is called a <strong>test statistic</strong>. Ours is the difference <em>d</em>: by "
        f"how much A is better than B on the whole test set{smaller}.</p>"
        f'<p class="mtsig-value">A is {escape(result.system_a)}, {result.score_a:.{digits}f}; '
        f"B is {escape(result.system_b)}, {result.score_b:.{digits}f}; "
        f"<em>d</em> = {result.statistic:+.{digits}f} {escape(result.metric)}</p>{studentized}"
    )


def _chance(result: TestResult, procedure: Procedure) -> str:
    unit, units = result.unit.removesuffix("s"), escape(result.unit)
    null = (
        "<p>The <strong>null hypothesis</strong> is a precise statement of how the data would come "
        "about if there were nothing to find. "
    )
    if procedure.linearises:
        return (
            f"{null}Here it is: <em>on average over all test sets that we might have had, the "
            f"difference is zero</em>. Every {unit} contributes something to the difference, for A "
            "or for B. If there is nothing to find, a contribution might as well have been on the "
            "other side, and a fair coin decides.</p>" + pictures.first_resample(result)
        )
    if procedure.kind == "shuffle":
        return (
            f"{null}Here it is: <em>for every {unit}, a fair coin decides which of the two outputs "
            "is called A’s and which B’s</em>. It does not say that the outputs are alike, only "
            "that nothing hangs on whose they are.</p>" + pictures.first_resample(result)
        )
    drawing = (
        f"To see how far chance moves a difference, we draw {result.n_units:,} {units} from the "
        f"{result.n_units:,} that there are, <em>with replacement</em>: some come twice, some not "
        "at all. Such a <strong>resample</strong> stands for another test set that we might have "
        "had.</p>"
    )
    if procedure.doubled:
        opening = (
            "<p>This test asks how easily the verdict would turn on another test set. Its null "
            "hypothesis is that A and B are equally good <em>on average over all test sets</em>. "
        )
    else:
        opening = (
            f"{null}Here it is: <em>on average over all test sets that we might have had, the "
            "difference is zero</em>. "
        )
    return opening + drawing + pictures.first_resample(result)


def _simulation(result: TestResult, procedure: Procedure) -> str:
    number = number_of(result)
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
        f"<p>We do this {result.n_resamples:,} times, and each time note {noted}. The first "
        f"{min(_FIRST, len(result.resampled))} are {listed}, …</p>"
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
        "<p><strong>Here is the mistake.</strong> The sign of every difference is dropped first; "
        f"then the mean of what is left, {mean}, is taken away. A resample that fell far below "
        "zero can no longer be seen: one tail is gone.</p>"
    )


def _comparison(result: TestResult, procedure: Procedure) -> str:
    draws, n = escape(result.draws), len(result.null_distribution)
    d, value = ("t", "t-value") if procedure.studentized else ("d", "difference")
    if procedure.doubled:
        winner = _counted_winner(result)
        walk = (
            "The dashed line is at zero, where neither is ahead. Coloured: the resamples in which "
            f"{escape(winner)} wins or ties."
        )
    elif not procedure.valid:
        walk = "The dashed line is <em>d</em>. Only what lies beyond it, on one side, is counted."
    elif result.alternative == "two-sided":
        walk = (
            f"The dashed lines are <em>{d}</em> and its mirror image. Coloured: the "
            f"{draws} at least as far from zero as <em>{d}</em>, in favour of A or of B."
        )
    else:
        walk = (
            f"The dashed line is <em>{d}</em>. Coloured: what is beyond it, on the side asked for."
        )
    what = "ways" if result.exact else draws
    formula, filled = filled_pvalue(result)
    added = " (the one that is added is our own: it happened, too)" * ("+1" in formula)
    return (
        pictures.histogram(result)
        + f'<p class="mtsig-caption">Along the axis: a {value}. A bar’s height: how many of the '
        f"{n:,} {what} came to it. {walk}</p>"
        f'<p>{_share(procedure, result)} Here <span class="mtsig-value">{filled}: '
        f"{told_pvalue(result.pvalue)}</span>{added}.</p>"
    )


def _share(procedure: Procedure, result: TestResult) -> str:
    """What the share of the coloured resamples is."""
    if not procedure.valid:
        return "The share of them is printed as a p-value, which it is not: a tail is missing."
    twice = procedure.doubled and result.alternative == "two-sided"
    share = "Their share, doubled since either might have been ahead," if twice else "Their share"
    return (
        f"{share} is the <strong>p-value</strong>: the probability, <em>if the null hypothesis is "
        "true</em>, of a statistic at least as far from what we expect as the one that we observed."
    )


def _counted_winner(result: TestResult) -> str:
    """Whose wins the paired bootstrap has counted: those in the smaller tail where it has two."""
    counted = result.null_distribution[result.extreme]
    below = counted.mean() <= 0 if counted.size else result.alternative != "less"
    return result.system_b if below else result.system_a


__all__ = ["Told", "four_steps"]
