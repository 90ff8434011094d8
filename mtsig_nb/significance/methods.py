"""What was done, for a paper: in one sentence, and as a signature in sacreBLEU's style."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import __version__
from ..engine.procedures import PROCEDURES

if TYPE_CHECKING:
    from .comparisons import Comparisons
    from .results import TestResult

_CORRECTIONS = {
    "bonferroni": "Bonferroni's correction",
    "sidak": "Šidák's (1967) correction",
    "holm": "Holm's (1979) correction",
    "hochberg": "Hochberg's (1988) correction",
    "hommel": "Hommel's (1988) correction",
    "benjamini-hochberg": "the false discovery rate controlled after Benjamini & Hochberg (1995)",
    "benjamini-yekutieli": "the false discovery rate controlled after Benjamini & Yekutieli (2001)",
    "westfall-young": "Westfall & Young's (1993) step-down maxT",
    "westfall-young-minp": "Westfall & Young's (1993) step-down minP",
    "romano-wolf": "Romano & Wolf's (2005) step-down correction",
    "tukey": "the randomised Tukey test",
}


def sentence_about_all(comparisons: Comparisons) -> str:
    """What was done for `comparisons`, in a sentence or two."""
    table, c = comparisons.table, comparisons
    n_systems = len(next(iter(c.scores.values())))
    what = f"differences in {_and(c.about)} between {n_systems} systems"
    drawn = table["n_resamples"][table["pvalue_low"] < table["pvalue_high"]]
    more = f", up to {drawn.max():,} where those left a pair open" if _further(c) else ""
    exact = f", all arrangements for {len(table) - len(drawn)}" if len(drawn) < len(table) else ""
    how = f"{_resampled(c)}{more}{exact}"
    n = c.n_comparisons
    if n == 1:
        corrected = ""
    elif c.correction is None:
        corrected = f", uncorrected for {n:,} comparisons"
    else:
        corrected = f", with {_CORRECTIONS[c.correction]} for {n:,} comparisons"
    intervals = ""
    if c.confidence_level is not None:
        level = f"{100 * c.confidence_level:g} %"
        kinds = f" Intervals are uncorrected {level} {c.interval} bootstrap intervals"
        if c.interval == "simultaneous":
            kinds = (
                f" Intervals of differences are simultaneous {level} max-|t| bootstrap intervals "
                "(Hothorn, Bretz & Westfall 2008), those of scores uncorrected percentile "
                "intervals,"
            )
        intervals = f"{kinds} from {c.interval_resamples:,} resamples of {c.unit}."
    return (
        f"We tested {what}{_where(c)} by {_test(c)} at the level {c.alpha:g}{corrected} ({how})."
        f"{intervals} {_program(c.rng)}"
    )


def sentence_about_pair(result: TestResult) -> str:
    """What was done for a test of two systems, in a sentence or two."""
    r = result
    what = f"the difference in {r.metric} between {r.system_a} and {r.system_b}"
    if r.exact:
        how = f"{r.alternative}; all {r.n_resamples:,} arrangements of {r.n_units:,} {r.unit}"
    elif r.n_resamples:
        how = _resampled(r)
    else:
        how = f"{r.alternative}; {r.n_units:,} {r.unit}"
    return (
        f"We tested {what}{_where(r)} by {_test(r)} ({how}). {_program(None if r.exact else r.rng)}"
    )


def signature_of(comparisons: Comparisons) -> str:
    """Everything that defines the table, each metric's own signature after ``||``."""
    c = comparisons
    most = c.table["n_resamples"].max()
    parts = [
        f"test:{c.test}",
        f"alt:{c.alternative}",
        f"count:{c.counting.comparator}",
        f"p:{c.counting.formula}",
        f"n:{c.n_resamples}{f'-{most}' if _further(c) else ''}",
        f"units:{c.unit}",
        f"nunits:{c.n_units}",
        f"cor:{c.correction or 'none'}",
        f"family:{c.n_comparisons}",
        f"alpha:{c.alpha:g}",
    ]
    if c.confidence_level is not None:
        parts += [f"ci:{c.interval}", f"cl:{c.confidence_level:g}", f"nci:{c.interval_resamples}"]
    parts += [f"seed:{c.rng}", f"version:mtsig_nb-{__version__}"]
    return " || ".join(["|".join(parts), *c.metric_signatures.values()])


def _further(c: Comparisons) -> bool:
    """Whether more resamples were drawn for some pairs."""
    sampled = c.table["pvalue_low"] < c.table["pvalue_high"]
    return bool((sampled & (c.table["n_resamples"] > c.n_resamples)).any())


def _test(tested: Comparisons | TestResult) -> str:
    procedure = PROCEDURES.get(tested.test)
    source = "" if procedure is None else re.sub(r", (Figs?\.?|section)[^;]*", "", procedure.source)
    article = "" if tested.title.startswith("approximate") else "the "
    return f"{article}{tested.title}{f' ({source})' * bool(source)}"


def _resampled(tested: Comparisons | TestResult) -> str:
    t = tested
    return (
        f"{t.alternative}; {t.n_resamples:,} {t.draws} of {t.n_units:,} {t.unit}, "
        f"{t.counting.sentence}"
    )


def _where(tested: Comparisons | TestResult) -> str:
    return f" on {tested.test_set}" if tested.test_set else ""


def _program(seed: int | None) -> str:
    return f"Computed by mtsig_nb {__version__}{f' (seed {seed})' if seed is not None else ''}."


def _and(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


__all__ = ["sentence_about_all", "sentence_about_pair", "signature_of"]
