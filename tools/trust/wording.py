"""How pages write the titles of rows and the labels of settings, which are kept with the counts."""

from __future__ import annotations

#: Parts of kept titles and labels, and how pages write them.
WRITTEN = {
    "the larger p of the next two": "the larger p of the tests over segments and over runs",
    "percentiles of resampled ranks, of all systems together, which are not given": "percentiles "
    "of resampled ranks of all systems together, which the package does not give",
    "SciPy's paired t, the p of comet-compare": "SciPy's paired t-test, as in comet-compare",
    "all of a family together": "all intervals of a family together",
    "t at every look": "t-test at every look",
    "t after every judgement": "t-test after every judgement",
    "the judge alone, t test": "the judge alone, t-test",
    "error spent as by O'Brien and Fleming": "O'Brien-Fleming spending",
    "error spent as by Pocock": "Pocock spending",
    "one look, at the end": "one look at the end",
    "p of every look as it is": "unadjusted p at every look",
    "Holm with the single ones": "Holm together with the single test sets",
    "10 looks, more where it was near": "10 looks, more when t was near its limit",
    "the fewer scatter more": "the smaller sample varies more",
    "the fewer scatter less": "the smaller sample varies less",
    "which scatter more": "which vary more",
    "dynamic: leaders more often": "dynamic, leaders are shown more often",
    "greedy: leaders alone": "greedy, only leaders are shown",
    "even: systems at random": "even, systems are shown at random",
    "terms the model lacks": "effects for which the model has no term",
}


def written(title: str) -> str:
    """The title of a row, or the label of a setting, as pages write it."""
    for kept, plain in WRITTEN.items():
        title = title.replace(kept, plain)
    return title
