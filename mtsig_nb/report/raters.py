"""What is said of people's judgements: ratings, whose raters are a sample as segments are."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pandas as pd

from .. import __version__
from ..conclusions.deciding import Conclusions
from ..conclusions.ranking import rank_table
from ..errors import check_all_of
from ..human.pair_tests import PairTests
from ..human.variance_components import UNITS, all_pairs_over_samples
from ..notes import parts
from ..significance.corrections import adjust_pvalues
from .analysis import Analysis
from .system_table import open_ranks
from .verdicts import winner


@dataclasses.dataclass(frozen=True)
class OverRaters:
    """All pairs of systems, with raters, documents and segments as samples from many.

    Attributes
    ----------
    page : list of str
        The verdicts, what was counted, notes, and where the ratings are from.
    systems, pairs : DataFrame
        Every row, unrounded.
    shown : DataFrame
        `systems` for print.
    method : str
    """

    page: list[str]
    systems: pd.DataFrame
    pairs: pd.DataFrame
    shown: pd.DataFrame
    method: str


def over_raters(ratings: pd.DataFrame, analysis: Analysis) -> OverRaters:
    """The systems, level, tails and correction of an analysis, under each metric of its table."""
    table = analysis.score_table
    assert table is not None  # where the ratings are from
    check_all_of("system", analysis.systems, list(dict.fromkeys(ratings["system"])))
    if analysis.systems:
        ratings = ratings[ratings["system"].isin(list(analysis.systems))]
    ranked, compared, first, shares, notes = [], [], [], [], []
    for metric, higher in table.metrics.items():
        sign = 1 if higher else -1
        frame = ratings.assign(value=sign * ratings[metric])
        tests = all_pairs_over_samples(frame, samples=None, alternative=analysis.alternative)
        conclusions, pairs = concluded(tests, analysis)
        notes += _notes(tests.table)
        pairs[["score_a", "score_b"]] *= sign
        first.append(f"{metric}: {winner(conclusions, pairs)}")
        shares.append(f"{metric}: {_shares(pairs)}")
        best = pairs[pairs["system_a"] == conclusions.systems[0]].set_index("system_b")
        best = best[["difference", "low", "high", "pvalue_adjusted"]]
        scores = (sign * tests.scores).rename("score").to_frame()
        ranked.append(with_ranks(scores.join(best), conclusions))
        compared.append(pairs)
    there = [f"{name}s" for name in UNITS if name in ratings and ratings[name].nunique() > 1]
    samples = " and ".join(", ".join(there).rsplit(", ", 1))
    n = sum(map(len, compared))
    method = (
        f"We compared mean ratings of {n} pair{'s' * (n > 1)} by Student's t, with standard errors "
        f"that count {samples} as samples (variance components by moments, Satterthwaite's degrees "
        f"of freedom; {analysis.alternative}, level {analysis.alpha:g}, "
        f"{analysis.correction or 'no'} correction). Intervals are of each difference, 95 %, not "
        f"corrected. Computed by mtsig_nb {__version__}, without resamples."
    )
    systems, pairs = (
        pd.concat(parts, keys=table.metrics, names=["metric"]).reset_index(0).reset_index(drop=True)
        for parts in (ranked, compared)
    )
    page = [
        "\n".join(first),
        f"Counted as samples: {samples}. Their shares of the squared standard error of a "
        f"difference, on average over pairs: {' '.join(shares)}",
        *[f"Note: {said}." for said in dict.fromkeys(notes)],
        table.sentence,
    ]
    return OverRaters(page, systems, pairs, for_print(systems), method)


def _notes(table: pd.DataFrame) -> list[str]:
    """What notes say of pairs, with the pair's names where they do not say it of all pairs."""
    every = [parts(said) for said in table["note"].tolist()]
    counts = Counter(each for of_pair in every for each in of_pair)
    said = []
    for row, of_pair in zip(table.itertuples(), every, strict=True):
        for each in of_pair:
            alike = counts[each] == len(table)
            said.append(each if alike else f"{row.system_a} against {row.system_b}: {each}")
    return said


def _shares(pairs: pd.DataFrame) -> str:
    """What squared standard errors are made of, on average over pairs."""
    shares = pairs.filter(like="share_").mean().sort_values(ascending=False)
    named = [(str(name).removeprefix("share_"), share) for name, share in shares.items()]
    return ", ".join(f"{share:.0%} {name}" for name, share in named if share >= 0.005) + "."


def concluded(tests: PairTests, analysis: Analysis) -> tuple[Conclusions, pd.DataFrame]:
    """What tests of people conclude, and their table with it."""
    conclusions = tests.conclusions(analysis.alpha, correction=analysis.correction)
    pairs = tests.table.drop(columns="note")
    pairs["pvalue_adjusted"] = adjust_pvalues(pairs["pvalue"], analysis.correction)
    both = zip(pairs["system_a"], pairs["system_b"], strict=True)
    return conclusions, pairs.assign(conclusion=[conclusions.word(*pair) for pair in both])


def with_ranks(systems: pd.DataFrame, conclusions: Conclusions) -> pd.DataFrame:
    """A table by systems with their letters, and the ranks that wins and losses leave open."""
    ranks = rank_table(conclusions).set_index("system")[["letters", "rank_top", "rank_bottom"]]
    return systems.join(ranks).rename_axis("system").reset_index()


def for_print(systems: pd.DataFrame) -> pd.DataFrame:
    """The same, its ranks in one column."""
    return systems.drop(columns=["rank_top", "rank_bottom"]).assign(ranks=open_ranks(systems))
