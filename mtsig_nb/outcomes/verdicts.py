"""What a comparison of systems says, in plain language.

Where a test is estimated to err twice as often as its level says, or more often
(`mtsig_nb.significance.actual_size.UNRELIABLE`), no sentence here calls a system better without
saying so: it has the better score, and the test is unreliable.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..conclusions.clustering import best_first
from ..conclusions.deciding import UNRESOLVED, WORDS, Conclusions
from ..errors import InputError, listed
from ..notes import Note
from ..significance.comparisons import Comparisons
from ..tables import printed_pvalue
from .summary import said_against

_SHOWN = 6  # names listed before "and ... more"


def verdict(
    comparisons: Comparisons,
    *,
    metric: str | None = None,
    baseline: str | None = None,
    digits: int | None = None,
) -> str:
    """The outcome under one metric in one to three sentences, for readers without statistics.

    Parameters
    ----------
    comparisons : Comparisons
    metric : str, optional
        Needed where there are several.
    baseline : str, optional
        The system that the others are set against, in place of the best.
    digits : int, optional
        Decimals of scores, where it names some; by default what suits their scale.

    Raises
    ------
    InputError
        If the metric is not one of the comparison's.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> print(verdict(mt.compare_all(bleu, interval=None, rng=1)))
    BLEU: onlineB is better than all 11 others. Of all 66 pairs, 59 are distinguished.
    """
    conclusions = best_first(comparisons.conclusions(metric=metric))
    metric = metric or comparisons.metrics[0]
    rows = comparisons.table[comparisons.table["metric"] == metric]
    if len(conclusions.systems) == 2:
        return f"{metric}: {_of_a_pair(rows.iloc[0], comparisons, digits)}"
    best = conclusions.systems[0]
    unsafe = [{row["system_a"], row["system_b"]} for _, row in rows.iterrows() if _unsafe(row)]
    if baseline in (None, best) or comparisons.alternative != "two-sided":
        first = _of_the_best(conclusions, comparisons, unsafe)
    else:
        first = _of_a_baseline(conclusions, str(baseline), unsafe)
    return f"{metric}: {first}{_of_all(conclusions, rows, comparisons)}"


def _of_the_best(conclusions: Conclusions, comparisons: Comparisons, unsafe: list[set[str]]) -> str:
    """Whom the leader is better than, or nothing where nobody is better than anybody."""
    best, *others = conclusions.systems
    if comparisons.alternative == "less" or not conclusions.matrix.any():
        return ""
    by_word = _others_by_word(conclusions, best)
    alike = by_word.get(WORDS[0])
    unresolved = by_word.get(UNRESOLVED)
    doubtful = any({best, other} in unsafe for other in others)
    if not alike and not unresolved and not doubtful:
        all_of_them = "both" if len(others) == 2 else f"all {len(others)}"
        return f"{best} is better than {all_of_them} others. "
    sentence = f"{best} has the best score"
    if alike:
        sentence += f"; no difference was detected from {_listed(alike)}"
    if unresolved:
        sentence += f"; whether it is better than {_listed(unresolved)} is open"
    return f"{sentence}. "


def _of_a_baseline(conclusions: Conclusions, baseline: str, unsafe: list[set[str]]) -> str:
    """Who is better and who is worse than the baseline, as far as anybody can tell."""
    by_word = _others_by_word(conclusions, baseline)
    clauses = []
    for word in (WORDS[1], WORDS[-1]):
        named = by_word.get(word, [])
        sure = [other for other in named if {other, baseline} not in unsafe]
        doubtful = [other for other in named if {other, baseline} in unsafe]
        if sure:
            verb = "is" if len(sure) == 1 else "are"
            clauses.append(f"{_listed(sure)} {verb} {word} than {baseline}")
        if doubtful:
            verb = "has" if len(doubtful) == 1 else "have"
            clauses.append(
                f"{_listed(doubtful)} {verb} a {word} score than {baseline}, by a test that is "
                "unreliable there"
            )
    if alike := by_word.get(WORDS[0]):
        clauses.append(f"no difference was detected between {baseline} and {_listed(alike, 'or')}")
    if unresolved := by_word.get(UNRESOLVED):
        clauses.append(f"whether {baseline} differs from {_listed(unresolved, 'or')} is open")
    return f"{'; '.join(clauses)}. "


def _others_by_word(conclusions: Conclusions, system: str) -> dict[str, list[str]]:
    """The others, best first, under what is concluded about them against `system`."""
    found: dict[str, list[str]] = {}
    for other, word in said_against(conclusions, system).items():
        found.setdefault(word, []).append(other)
    return found


def _of_all(conclusions: Conclusions, rows: pd.DataFrame, comparisons: Comparisons) -> str:
    """How many pairs are distinguished, and how many could not be with so many resamples."""
    n = len(rows)
    decided = int(rows["conclusion"].isin([WORDS[1], WORDS[-1]]).sum())
    unresolved = rows[rows["conclusion"] == UNRESOLVED]
    n_unresolved = len(unresolved)
    drawn = f"{unresolved['n_resamples'].max():,} {comparisons.draws}" if n_unresolved else ""
    if comparisons.alternative == "less":
        tested = "what was tested is whether the system with the better score is worse"
        if not decided:
            tested += f"; this was shown for none of the {n} pairs"
        return f"{tested}. Whether it is better was not tested."
    if decided:
        found = f"Of all {n} pairs, {decided} are distinguished"
        if n_unresolved:
            found += f"; {drawn} cannot tell {n_unresolved} of the others"
        return f"{found}.{_unsafe_ones(rows)}"
    if n_unresolved == n:
        return f"cannot tell with {drawn} whether any of the {n} pairs differ. Draw more."
    if n_unresolved:
        return (
            f"{drawn} cannot tell {n_unresolved} of {n} pairs apart, and more could; no difference "
            f"was detected in the other {n - n_unresolved}."
        )
    pairs = f"between any two of the {len(conclusions.systems)} systems"
    return f"no difference was detected {pairs}. This does not show that they are equally good."


def pair_verdict(comparisons: Comparisons, a: str, b: str, *, metric: str | None = None) -> str:
    """What the comparison says of one of its pairs, corrected for all of them.

    Parameters
    ----------
    comparisons : Comparisons
    a, b : str
        In either order; the sentence begins with the system that has the better score.
    metric : str, optional
        Needed where there are several.

    Raises
    ------
    InputError
        If a system or the metric is not one of the comparison's, or the two are the same system.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> p = mt.compare_all(bleu, n_resamples=2000, interval=None, rng=1)
    >>> print(pair_verdict(p, "onlineA", "onlineB"))
    BLEU: onlineB is better than onlineA (37.72 and 31.38, adjusted p < 0.0330).
    """
    row = pair_row(comparisons, a, b, metric=metric)
    return f"{row['metric']}: {_of_a_pair(row, comparisons)}"


def pair_row(comparisons: Comparisons, a: str, b: str, *, metric: str | None = None) -> pd.Series:
    """The table's row about a pair, whichever of the two comes first; see `pair_verdict`."""
    conclusions = comparisons.conclusions(metric=metric)
    if conclusions.index(a) == conclusions.index(b):
        raise InputError(f"a and b are both {a!r}; a pair needs two systems.")
    rows = comparisons.table[comparisons.table["metric"] == (metric or comparisons.metrics[0])]
    return rows[rows["system_a"].isin([a, b]) & rows["system_b"].isin([a, b])].iloc[0]


def _of_a_pair(row: pd.Series, comparisons: Comparisons, digits: int | None = None) -> str:
    """The pair in a sentence; `system_a` has the better score, or an equal one."""
    if digits is None:
        digits = digits_for([row["score_a"], row["score_b"]])
    a = row["system_a"]
    b = row["system_b"]
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    is_one_sided = comparisons.alternative != "two-sided"
    p = _pvalue_of_a_pair(row, comparisons)
    limits = _limits_of_a_pair(row, comparisons, digits)
    if comparisons.alternative == "less" and row["conclusion"] != WORDS[-1]:
        tested = f"what was tested is whether {a}, which has the better score, is worse than {b}"
        shown = f"and this was not shown ({scores}, {p}).{limits}"
        return f"{tested}, {shown} Whether {a} is better was not tested."
    if row["conclusion"] == UNRESOLVED:
        drawn = f"{row['n_resamples']:,} {comparisons.draws}"
        asked = f"{a} is better than {b}" if is_one_sided else f"{a} and {b} differ"
        return f"cannot tell with {drawn} whether {asked} ({scores}, {p}).{limits} Draw more."
    if row["conclusion"] == WORDS[0]:
        if is_one_sided:
            found = f"it was not shown that {a} is better than {b}"
        else:
            found = f"no difference was detected between {a} and {b}"
        return f"{found} ({scores}, {p}).{limits} This does not show that they are equally good."
    doubt = _unsafe(row)
    if doubt is None:
        return f"{a} is {row['conclusion']} than {b} ({scores}, {p}).{limits}"
    if row["conclusion"] == WORDS[-1]:  # as a one-sided test may find of the better score
        found = f"{a} was found to be worse than {b}"
    else:
        found = f"{a} has a {row['conclusion']} score than {b}"
    return f"{found} ({scores}, {p}), but {doubt}.{limits}"


def _pvalue_of_a_pair(row: pd.Series, comparisons: Comparisons) -> str:
    """The p-value, with what it is adjusted for and how many sides it has."""
    words = []
    if comparisons.alternative != "two-sided":
        words.append("one-sided")
    if comparisons.correction is not None and comparisons.n_comparisons > 1:
        words.append("adjusted")
    words.append(pvalue_in_words(row["pvalue_adjusted"], at_floor=row["at_floor"]))
    return " ".join(words)


def _limits_of_a_pair(row: pd.Series, comparisons: Comparisons, digits: int) -> str:
    """The interval of the difference in a sentence, with a blank before it; empty without one."""
    if np.isnan(row["ci_low"]):
        return ""
    of_what = "the difference"
    if comparisons.interval == "simultaneous":
        of_what += ", which holds for all together,"
    return (
        f" The {100 * (comparisons.confidence_level or 0):g} % interval of {of_what} is "
        f"{row['ci_low']:+.{digits}f} to {row['ci_high']:+.{digits}f}."
    )


def _unsafe(row: pd.Series) -> Note | None:
    """The note that the test is unreliable on a pair which it distinguishes, if there is one."""
    if row["conclusion"] not in (WORDS[1], WORDS[-1]):
        return None
    return next((one for one in row["note"].values["notes"] if one.code == "unreliable"), None)


def _unsafe_ones(rows: pd.DataFrame) -> str:
    """On how many of the pairs that are distinguished the test is unreliable."""
    doubts = [doubt for _, row in rows.iterrows() if (doubt := _unsafe(row)) is not None]
    if not doubts:
        return ""
    by_size = sorted(doubts, key=lambda doubt: doubt.values["size"])
    smallest = by_size[0].values["share"]
    largest = by_size[-1].values["share"]
    share = smallest if smallest == largest else f"{smallest} to {largest}"
    level = doubts[0].values["level"]
    return (
        f" On {len(doubts)} of these the test is unreliable: it calls equally good systems "
        f"different in about {share} of cases, where its level is {level}."
    )


def pvalue_in_words(p: float, name: str = "p", *, at_floor: bool = False) -> str:
    """A p-value as part of a sentence.

    >>> pvalue_in_words(0.0123), pvalue_in_words(0.0066, "adjusted p", at_floor=True)
    ('p = 0.0123', 'adjusted p < 0.0066')
    """
    text = printed_pvalue(float(p), at_floor=bool(at_floor))
    return f"{name} {text[0]} {text[1:]}" if text[0] in "<>" else f"{name} = {text}"


def digits_for(scores: Sequence[float] | pd.Series) -> int:
    """Decimals that suit the scale: 2 for scores up to 100, 4 for those about 1 or 10.

    >>> digits_for([31.4, 30.6]), digits_for([0.349])
    (2, 4)
    """
    return 2 if np.abs(np.asarray(scores, dtype=float)).max() >= 15 else 4


def _listed(names: Sequence[str], last: str = "and") -> str:
    if len(names) > _SHOWN:
        return listed(names, _SHOWN)
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def winner(conclusions: Conclusions, pairs: pd.DataFrame) -> str:
    """The best system, and those that it was not distinguished from.

    Parameters
    ----------
    conclusions : Conclusions
        With scores, best first.
    pairs : DataFrame
        ``system_a``, the better one, and ``pvalue_adjusted`` of every pair.

    Returns
    -------
    str

    Examples
    --------
    >>> found = Conclusions(["a", "b"], [[0, 0], [0, 0]], scores=[0.0, 0.0])
    >>> winner(found, pd.DataFrame())
    'a and b are level. This does not show that they are equally good.'
    """
    best, *others = conclusions.systems
    level = _level_with_the_best(conclusions)
    alike = [name for name in others if conclusions.conclusion(best, name) != 1]
    if not alike:
        largest = pairs.loc[pairs["system_a"] == best, "pvalue_adjusted"].max()
        p = pvalue_in_words(largest, "p" if len(others) == 1 else "largest adjusted p")
        return f"{best} is better than {listed(others, 9)} ({p})."
    if len(level) == len(conclusions.systems):
        return f"{_listed(level)} are level. This does not show that they are equally good."
    if len(level) > 1:
        ahead = f"{_listed(level)} are level and ahead"
        alike = [name for name in alike if name not in level]
        if not alike:
            return f"{ahead} of {listed(others[len(level) - 1 :], 9)}."
        return (
            f"{ahead}, and were not distinguished from {listed(alike, 9)}. This does not show that "
            "they are equally good."
        )
    return (
        f"{best} is ahead, and was not distinguished from {listed(alike, 9)}. This does not "
        "show that they are equally good."
    )


def _level_with_the_best(conclusions: Conclusions) -> list[str]:
    """The systems whose score is the best one, up to rounding."""
    scores = conclusions.scores
    if scores is None:
        return [conclusions.systems[0]]
    same = np.isclose(scores, scores[0], rtol=1e-9, atol=1e-9)
    return [name for name, is_level in zip(conclusions.systems, same, strict=True) if is_level]
