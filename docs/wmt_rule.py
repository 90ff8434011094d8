"""How often rules for ratings call one of two equal systems better, in campaigns like WMT26's.

``python -m docs.wmt_rule [CAMPAIGNS]`` from the top of the repository prints the table of
``docs/wmt-rule.md``.  Campaigns are invented: twelve systems, equally good in pairs, are shown to
eight raters by dynamic assignment, three at a time, a document a screen.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

from mtsig_nb.human import Ratings
from mtsig_nb.human.field_rules import pairs_by_field_rules
from tools.trust.campaigns_of_ratings import Campaign

N_CAMPAIGNS = 200
#: As large as a language pair of WMT26.
CAMPAIGN = Campaign(systems=12, documents=160, longest=6, screens=330, cold_start=5)
LEVEL = 0.05

#: By pair of systems, whether the first is called better.
Claims = dict[tuple[str, str], bool]


def wmt26(ratings: pd.DataFrame) -> Claims:
    """A one-sided bound of the paired or of the unpaired difference of item means is above 0."""
    return _by_field_rule(ratings, "wmt26")


def unpaired_half(ratings: pd.DataFrame) -> Claims:
    """WMT26's bound of the unpaired difference alone."""
    return _by_one_bound(ratings, is_paired=False)


def paired_half(ratings: pd.DataFrame) -> Claims:
    """WMT26's bound of the paired difference alone."""
    return _by_one_bound(ratings, is_paired=True)


def _by_one_bound(ratings: pd.DataFrame, *, is_paired: bool) -> Claims:
    """For each two systems, whether the lower bound of one difference of item means is above 0."""
    items = ratings.groupby(["document", "segment", "system"])["raw"].mean().unstack("system")
    claims = {}
    for a, b in itertools.permutations(items, 2):
        rng = np.random.default_rng(0)
        if is_paired:
            samples = [(items[a] - items[b]).dropna().to_numpy()]
        else:
            samples = [items[a].dropna().to_numpy(), -items[b].dropna().to_numpy()]
        means = sum(_resampled_means(sample, rng) for sample in samples)
        claims[str(a), str(b)] = bool(np.quantile(means, LEVEL) > 0)
    return claims


def _resampled_means(sample: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The means of WMT26's 100 resamples."""
    places = rng.integers(len(sample), size=(100, len(sample)))
    return sample[places].mean(axis=1)


def pearmut(ratings: pd.DataFrame) -> Claims:
    """Paired t tests of neighbours on common items."""
    return _by_field_rule(ratings, "pearmut")


def _by_field_rule(ratings: pd.DataFrame, rule: str) -> Claims:
    found = pairs_by_field_rules(ratings.rename(columns={"raw": "value"}), rules=[rule])
    pairs = zip(found["system_a"], found["system_b"], strict=True)
    return dict(zip(pairs, found["better"], strict=True))


def documents_resampled(ratings: pd.DataFrame) -> Claims:
    """Means above those of the raters; whole documents are resampled, for both systems at once."""
    rng = np.random.default_rng(0)
    above = ratings["raw"] - ratings.groupby("rater")["raw"].transform("mean")
    sums = above.groupby([ratings["document"], ratings["system"]]).agg(["sum", "size"])
    by_document = sums.unstack("system").fillna(0)
    n = len(by_document)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=1000)
    means = (weights @ by_document["sum"]) / (weights @ by_document["size"])
    claims = {}
    for a in means:
        for b in means:
            claims[a, b] = a != b and np.nanquantile(means[a] - means[b], LEVEL / 2) > 0
    return claims


def least_squares(ratings: pd.DataFrame) -> Claims:
    """System, rater and document by least squares, with errors in clusters of both."""
    raters, _ = pd.factorize(ratings["rater"])
    documents, _ = pd.factorize(ratings["document"])
    groups = np.column_stack([raters, documents])
    fit = smf.ols("raw ~ system + rater + document", ratings).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    freedom = min(raters.max(), documents.max())  # one less than the fewer clusters
    systems = sorted(ratings["system"].unique())
    names = [f"system[T.{system}]" for system in systems]
    effects = fit.params.reindex(names).fillna(0).to_numpy()
    covariance = fit.cov_params().reindex(index=names, columns=names).fillna(0).to_numpy()
    claims = {}
    for i, a in enumerate(systems):
        for j, b in enumerate(systems):
            variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            reach = stats.t.ppf(1 - LEVEL / 2, freedom) * np.sqrt(max(variance, 0))
            claims[a, b] = effects[i] - effects[j] > reach
    return claims


def mixed_model(ratings: pd.DataFrame) -> Claims:
    """Systems fixed; raters, documents, segments and interactions random; Kenward and Roger's t."""
    found = Ratings(ratings, scale=None).mixed_model().tests().conclusions(LEVEL)
    return {(a, b): found.word(a, b) == "better" for a in found.systems for b in found.systems}


RULES: dict[str, Callable[[pd.DataFrame], Claims]] = {
    "WMT26's rule": wmt26,
    "its paired half alone": paired_half,
    "its unpaired half alone": unpaired_half,
    "Pearmut's dashboard": pearmut,
    "documents resampled, raters' means subtracted": documents_resampled,
    "least squares, errors clustered by rater and document": least_squares,
    "mixed model (mtsig)": mixed_model,
}


def rates(n_campaigns: int, campaign: Campaign = CAMPAIGN) -> pd.DataFrame:
    """How often each rule calls one of two equal systems better, and the better of two unequal.

    Returns
    -------
    DataFrame
        By rule: ``equal``, the share among neighbours that are equally good, with its standard
        error over campaigns ``error``, and ``n_equal``, how many there were; ``unequal`` and
        ``n_unequal``, those of which one is `gap` points better; ``any``, the share of campaigns in
        which an equal pair is called different.  Pairs that a rule does not compare are not
        counted.
    """
    claimed = []
    for number in range(n_campaigns):
        ratings = campaign.simulate(np.random.default_rng([26, number]))
        systems = sorted(ratings["system"].unique())
        for rule, claims_of in RULES.items():
            claims = claims_of(ratings)
            for place, (a, b) in enumerate(itertools.pairwise(systems)):
                if (a, b) not in claims and (b, a) not in claims:
                    continue
                is_equal = place % 2 == 0  # otherwise the first is better, by the gap
                claim = claims.get((a, b), False)
                if is_equal:
                    claim = claim or claims.get((b, a), False)
                claimed.append((rule, number, is_equal, claim))
    table = pd.DataFrame(claimed, columns=["rule", "campaign", "is_equal", "claim"])
    rows = {}
    for rule in RULES:
        of_rule = table[table["rule"] == rule]
        equal = of_rule[of_rule["is_equal"]]
        unequal = of_rule[~of_rule["is_equal"]]
        by_campaign = equal.groupby("campaign")["claim"]
        rows[rule] = {
            "equal": equal["claim"].mean(),
            "error": by_campaign.mean().sem(),
            "n_equal": len(equal),
            "any": by_campaign.any().mean(),
            "unequal": unequal["claim"].mean(),
            "n_unequal": len(unequal),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def as_markdown(table: pd.DataFrame) -> str:
    """The table of the page."""
    columns = (
        "rule",
        "calls one of two equal systems better",
        "in at least one equal pair",
        "finds the better system",
    )
    lines = [f"| {' | '.join(columns)} |", "| :--- | ---: | ---: | ---: |"]
    for rule, row in table.iterrows():
        equal = f"{row['equal']:.3f} ± {row['error']:.3f} of {row['n_equal']:,.0f}"
        unequal = f"{row['unequal']:.3f} of {row['n_unequal']:,.0f}"
        lines.append(f"| {rule} | {equal} | {row['any']:.2f} | {unequal} |")
    return "\n".join(lines)


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else N_CAMPAIGNS
    print(as_markdown(rates(n)))
