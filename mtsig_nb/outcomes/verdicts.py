"""What a comparison of systems says, in plain language.

Where a test is estimated to err twice as often as its level says, or more often
(`mtsig_nb.significance.actual_size.UNRELIABLE`), no sentence here calls a system better without
saying so: it has the better score, and the test is unreliable.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..conclusions.clustering import best_first
from ..conclusions.deciding import UNRESOLVED, Conclusions
from ..errors import InputError, in_prose, listed
from ..frames import pd
from ..notes import Note
from ..significance.comparisons import Comparisons, distinguished
from ..tables import printed_pvalue
from ..tables.rows import Rows
from .summary import BETTER, INDISTINGUISHABLE, WORSE, words_against

_N_NAMED = 6  # names listed before "and ... more"
_NO_EQUALITY = "This does not show that they are equally good."

#: Two systems, in either order.
_Pair = frozenset[str]


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
    rows = comparisons.rows_of(metric)
    if len(conclusions.systems) == 2:
        return f"{metric}: {_about_a_pair(rows[0], comparisons, digits)}"
    best = conclusions.systems[0]
    doubtful_pairs = set()
    for row in rows:
        if _doubt_about(row) is not None:
            doubtful_pairs.add(_pair(row["system_a"], row["system_b"]))
    if baseline in (None, best) or comparisons.alternative != "two-sided":
        about_one = _about_the_best(conclusions, comparisons, doubtful_pairs)
    else:
        about_one = _about_a_baseline(conclusions, str(baseline), doubtful_pairs)
    return f"{metric}: {about_one}{_about_all(conclusions, rows, comparisons)}"


def _about_the_best(
    conclusions: Conclusions, comparisons: Comparisons, doubtful_pairs: set[_Pair]
) -> str:
    """Whom the leader is better than, or nothing where nobody is better than anybody."""
    best, *others = conclusions.systems
    if comparisons.alternative == "less" or not conclusions.matrix.any():
        return ""
    by_word = _others_by_word(conclusions, best)
    alike = by_word.get(INDISTINGUISHABLE)
    unresolved = by_word.get(UNRESOLVED)
    is_doubtful = any(_pair(best, other) in doubtful_pairs for other in others)
    if not alike and not unresolved and not is_doubtful:
        all_of_them = "both" if len(others) == 2 else f"all {len(others)}"
        return f"{best} is better than {all_of_them} others. "
    sentence = f"{best} has the best score"
    if alike:
        sentence += f"; no difference was detected from {_listed(alike)}"
    if unresolved:
        sentence += f"; whether it is better than {_listed(unresolved)} is open"
    return f"{sentence}. "


def _about_a_baseline(conclusions: Conclusions, baseline: str, doubtful_pairs: set[_Pair]) -> str:
    """Who is better and who is worse than the baseline, as far as anybody can tell."""
    by_word = _others_by_word(conclusions, baseline)
    clauses = []
    for word in (BETTER, WORSE):
        others = by_word.get(word, [])
        sure = [other for other in others if _pair(other, baseline) not in doubtful_pairs]
        doubtful = [other for other in others if _pair(other, baseline) in doubtful_pairs]
        if sure:
            verb = "is" if len(sure) == 1 else "are"
            clauses.append(f"{_listed(sure)} {verb} {word} than {baseline}")
        if doubtful:
            verb = "has" if len(doubtful) == 1 else "have"
            clauses.append(
                f"{_listed(doubtful)} {verb} a {word} score than {baseline}, by a test that is "
                "unreliable there"
            )
    alike = by_word.get(INDISTINGUISHABLE)
    if alike:
        clauses.append(f"no difference was detected between {baseline} and {_listed(alike, 'or')}")
    unresolved = by_word.get(UNRESOLVED)
    if unresolved:
        clauses.append(f"whether {baseline} differs from {_listed(unresolved, 'or')} is open")
    return f"{'; '.join(clauses)}. "


def _pair(a: str, b: str) -> _Pair:
    """Two systems, in whichever order they are given."""
    return frozenset({a, b})


def _others_by_word(conclusions: Conclusions, system: str) -> dict[str, list[str]]:
    """The others, best first, under what is concluded about them against `system`."""
    by_word: dict[str, list[str]] = {}
    for other, word in words_against(conclusions, system).items():
        by_word.setdefault(word, []).append(other)
    return by_word


def _about_all(conclusions: Conclusions, rows: Rows, comparisons: Comparisons) -> str:
    """How many pairs are distinguished, and how many could not be with so many resamples.

    `rows` has the pairs under one metric, as ``comparisons.rows`` has them.
    """
    n_pairs = len(rows)
    n_distinguished = int(distinguished(rows).sum())
    if comparisons.alternative == "less":
        tested = "what was tested is whether the system with the better score is worse"
        if not n_distinguished:
            tested += f"; this was shown for none of the {n_pairs} pairs"
        return f"{tested}. Whether it is better was not tested."
    unresolved = rows[rows["conclusion"] == UNRESOLVED]
    n_unresolved = len(unresolved)
    resamples = f"{unresolved['n_resamples'].max():,} {comparisons.draws}" if n_unresolved else ""
    if n_distinguished:
        sentence = f"Of all {n_pairs} pairs, {n_distinguished} are distinguished"
        if n_unresolved:
            sentence += f"; {resamples} are too few to tell {n_unresolved} of the others"
        return f"{sentence}.{_doubts_about_distinguished(rows)}"
    if n_unresolved == n_pairs:
        return f"{resamples} cannot tell whether any of the {n_pairs} pairs differ. Draw more."
    if n_unresolved:
        return (
            f"{resamples} cannot tell {n_unresolved} of {n_pairs} pairs apart, but more could; no "
            f"difference was detected in the other {n_pairs - n_unresolved}."
        )
    any_two = f"between any two of the {len(conclusions.systems)} systems"
    return f"no difference was detected {any_two}. {_NO_EQUALITY}"


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
    return f"{row['metric']}: {_about_a_pair(row, comparisons)}"


def pair_row(comparisons: Comparisons, a: str, b: str, *, metric: str | None = None) -> np.void:
    """The row about a pair, whichever of the two comes first; see `pair_verdict`."""
    conclusions = comparisons.conclusions(metric=metric)
    if conclusions.index(a) == conclusions.index(b):
        raise InputError(f"a and b are both {a!r}; a pair needs two systems.")
    rows = comparisons.rows_of(metric or comparisons.metrics[0])
    is_pair = np.isin(rows["system_a"], [a, b]) & np.isin(rows["system_b"], [a, b])
    return rows[is_pair][0]


def _about_a_pair(row: np.void, comparisons: Comparisons, digits: int | None = None) -> str:
    """The pair in a sentence or two.

    `row` is one of ``comparisons.rows``: its `system_a` has the better score, or an equal one.
    """
    if digits is None:
        digits = digits_for([row["score_a"], row["score_b"]])
    a = row["system_a"]
    b = row["system_b"]
    conclusion = row["conclusion"]
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    numbers = f"({scores}, {_pvalue_of_a_pair(row, comparisons)})"
    limits = _limits_of_a_pair(row, comparisons, digits)
    is_one_sided = comparisons.alternative != "two-sided"
    if comparisons.alternative == "less" and conclusion != WORSE:
        tested = f"what was tested is whether {a}, which has the better score, is worse than {b}"
        not_shown = f"and this was not shown {numbers}.{limits}"
        return f"{tested}, {not_shown} Whether {a} is better was not tested."
    if conclusion == UNRESOLVED:
        resamples = f"{row['n_resamples']:,} {comparisons.draws}"
        question = f"{a} is better than {b}" if is_one_sided else f"{a} and {b} differ"
        return f"{resamples} cannot tell whether {question} {numbers}.{limits} Draw more."
    if conclusion == INDISTINGUISHABLE:
        if is_one_sided:
            finding = f"it was not shown that {a} is better than {b}"
        else:
            finding = f"no difference was detected between {a} and {b}"
        return f"{finding} {numbers}.{limits} {_NO_EQUALITY}"
    doubt = _doubt_about(row)
    if doubt is None:
        return f"{a} is {conclusion} than {b} {numbers}.{limits}"
    if conclusion == WORSE:  # as a one-sided test may find of the better score
        finding = f"{a} was found to be worse than {b}"
    else:
        finding = f"{a} has a {conclusion} score than {b}"
    return f"{finding} {numbers}, but {doubt}.{limits}"


def _pvalue_of_a_pair(row: np.void, comparisons: Comparisons) -> str:
    """The p-value, with what it is adjusted for and how many sides it has."""
    words = []
    if comparisons.alternative != "two-sided":
        words.append("one-sided")
    if comparisons.correction is not None and comparisons.n_comparisons > 1:
        words.append("adjusted")
    words.append(pvalue_in_words(row["pvalue_adjusted"], at_floor=row["at_floor"]))
    return " ".join(words)


def _limits_of_a_pair(row: np.void, comparisons: Comparisons, digits: int) -> str:
    """The interval of the difference in a sentence, with a blank before it; empty without one."""
    if np.isnan(row["ci_low"]):
        return ""
    percent = 100 * (comparisons.confidence_level or 0)
    difference = "the difference"
    if comparisons.interval == "simultaneous":
        difference += ", which holds for all together,"
    return (
        f" The {percent:g} % interval of {difference} is "
        f"{row['ci_low']:+.{digits}f} to {row['ci_high']:+.{digits}f}."
    )


def _doubt_about(row: np.void) -> Note | None:
    """The note that the test is unreliable on a pair which it distinguishes, if there is one."""
    if row["conclusion"] in (BETTER, WORSE):
        for note in row["note"].values["notes"]:
            if note.code == "unreliable":
                return note
    return None


def _doubts_about_distinguished(rows: Rows) -> str:
    """On how many of the pairs that are distinguished the test is unreliable."""
    doubt_of_rows = [_doubt_about(row) for row in rows]
    doubts = [doubt for doubt in doubt_of_rows if doubt is not None]
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


def _listed(names: Sequence[str], conjunction: str = "and") -> str:
    """Names as a sentence lists them: "a, b and c"; of very many, only the first."""
    if len(names) > _N_NAMED:
        return listed(names, _N_NAMED)
    return in_prose(names, conjunction)


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
    alike = [name for name in others if conclusions.conclusion(best, name) != 1]
    if not alike:
        largest = pairs.loc[pairs["system_a"] == best, "pvalue_adjusted"].max()
        p = pvalue_in_words(largest, "p" if len(others) == 1 else "largest adjusted p")
        return f"{best} is better than {listed(others, 9)} ({p})."
    level = _level_with_the_best(conclusions)
    if len(level) == len(conclusions.systems):
        return f"{_listed(level)} are level. {_NO_EQUALITY}"
    alike_but_behind = [name for name in alike if name not in level]
    if len(level) > 1:
        ahead = f"{_listed(level)} are level and ahead"
        if not alike_but_behind:
            behind = conclusions.systems[len(level) :]
            return f"{ahead} of {listed(behind, 9)}."
        not_distinguished = f"and were not distinguished from {listed(alike_but_behind, 9)}"
        return f"{ahead}, {not_distinguished}. {_NO_EQUALITY}"
    return f"{best} is ahead, and was not distinguished from {listed(alike, 9)}. {_NO_EQUALITY}"


def _level_with_the_best(conclusions: Conclusions) -> list[str]:
    """The systems whose score is the best one, up to rounding; the systems are best first."""
    if conclusions.scores is None:
        return [conclusions.systems[0]]
    best_score = conclusions.scores[0]
    is_level = np.isclose(conclusions.scores, best_score, rtol=1e-9, atol=1e-9)
    return np.array(conclusions.systems, dtype=object)[is_level].tolist()
