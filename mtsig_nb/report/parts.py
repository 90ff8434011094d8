"""The parts of a report as HTML: sentences, tables and figures, with every name escaped.

The cells of ``templates/report.ipynb`` show these.  Nothing is computed here that the command line
and Python code do not compute by the same functions with the same seed.
"""

from __future__ import annotations

import base64
import datetime
import html
import io
import platform
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML, display
from matplotlib.figure import Figure

from .. import __version__
from ..conclusions.clustering import clusters
from ..plots import style
from ..significance.comparisons import Comparisons, for_print
from ..significance.one_pair import run_test
from ..significance.resolution import LOOKS
from ..statistics.sufficient import SufficientStatistics
from . import exports
from .analysis import Analysis
from .verdicts import digits_for, verdict

#: More pairs than this are folded away until a reader asks for them.
_PAIRS_SHOWN = 21


def heading(comparisons: Comparisons, title: str = "") -> HTML:
    """The title, the verdict under every metric, and what to beware of."""
    verdicts = "".join(
        f"<p>{html.escape(verdict(comparisons, metric=m))}</p>" for m in comparisons.metrics
    )
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in comparisons.caveats)
    beware = f'<div class="notes"><strong>Note</strong><ul>{notes}</ul></div>' if notes else ""
    return HTML(
        f"<h1>{html.escape(title or default_title(comparisons))}</h1>"
        f'<div class="verdict">{verdicts}</div>{beware}'
    )


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning on the page, in place of what `warnings.showwarning` would print."""
    display(HTML(f'<div class="notes"><p>{html.escape(str(message))}</p></div>'))


def default_title(comparisons: Comparisons) -> str:
    """What a report is called that nobody has named."""
    n = len(next(iter(comparisons.scores.values())))
    where = f" on {comparisons.test_set}" if comparisons.test_set else ""
    return f"{n} systems{where}, compared by {', '.join(comparisons.metrics)}"


def overview(comparisons: Comparisons) -> HTML | None:
    """All systems under all metrics, with letters; nothing if there is one metric."""
    if len(comparisons.metrics) == 1:
        return None
    first = next(iter(comparisons.scores.values()))
    table = pd.DataFrame({"system": first.index})
    for metric, scores in comparisons.scores.items():
        letters = clusters(comparisons.conclusions(metric=metric)).letters()
        digits = digits_for(scores)
        table[metric] = [f"{scores[s]:.{digits}f} {letters[s]}" for s in table["system"]]
    return HTML(
        "<h2>All metrics</h2>"
        "<p>Systems that share a letter under a metric are not distinguished by it.</p>"
        + _table(table)
    )


def metric_section(
    analysis: Analysis, statistics: SufficientStatistics, comparisons: Comparisons
) -> HTML:
    """One metric: scores with intervals, figures, and all pairs."""
    metric = statistics.label
    conclusions = comparisons.conclusions(metric=metric)
    digits = digits_for(comparisons.scores[metric])
    found = clusters(conclusions)
    scores = analysis.intervals(statistics)
    scores = pd.DataFrame(
        {
            "system": scores["system"],
            metric: [f"{x:.{digits}f}" for x in scores["score"]],
            f"{100 * analysis.confidence_level:g} % interval": [
                f"{low:.{digits}f} to {high:.{digits}f}"
                for low, high in zip(scores["ci_low"], scores["ci_high"], strict=True)
            ],
            "letters": scores["system"].map(found.letters()),
        }
    )
    if len(conclusions.systems) == 2:
        figures = [_null_distribution(analysis, statistics)]
    else:
        figures = [conclusions.heatmap(), found.plot()]
    pairs = comparisons.table[comparisons.table["metric"] == metric]
    direction = "higher" if comparisons.higher_is_better[metric] else "lower"
    return HTML(
        f"<h2>{html.escape(metric)}</h2>"
        f"<p>{direction.capitalize()} is better. Systems that share a letter are "
        "not distinguished.</p>"
        f"{_table(scores)}{''.join(map(figure_html, figures))}{_pairs(pairs, digits)}"
    )


def _null_distribution(analysis: Analysis, statistics: SufficientStatistics) -> Figure:
    """What the test of the only pair compared the observed difference with."""
    best, other = statistics.scores().index
    result = run_test(
        analysis.test,
        statistics,
        best,
        other,
        alternative=analysis.alternative,
        n_resamples=analysis.n_resamples or LOOKS[0],
        units=analysis.units,
        counting=analysis.counting,
        rng=analysis.seed,
    )
    figure: Figure = result.plot()
    return figure


def _pairs(pairs: pd.DataFrame, digits: int) -> str:
    table = exports.to_html(for_print(pairs, "metric", "score_a", "score_b"), digits=digits)
    how = "" if len(pairs) > _PAIRS_SHOWN else " open"
    some = "The pair" if len(pairs) == 1 else f"All {len(pairs)} pairs"
    return f'<details{how}><summary>{some}</summary><div class="wide">{table}</div></details>'


def method(comparisons: Comparisons) -> HTML:
    """What was done, in the words of the result itself, and what it does not say."""
    lines = comparisons.method.split("\n")
    signatures = "".join(
        f"<li><code>{html.escape(s)}</code></li>" for s in comparisons.metric_signatures.values()
    )
    limits = [
        "p-values are corrected for the number of comparisons; intervals are not, so an interval "
        "may leave zero out where no difference was detected.",
        "No difference detected is not the same as no difference: see how wide the interval is.",
        f"The chance that is spoken of is that of drawing other {comparisons.unit} like these, not "
        "that of training the systems once more.",
        "A metric's verdict is not the verdict of people.",
    ]
    if comparisons.correction is None:
        limits[0] = (
            "Nothing is corrected for the number of comparisons: among twenty true null "
            "hypotheses, one rejection at 0.05 is to be expected."
        )
    items = "".join(f"<li>{html.escape(text)}</li>" for text in limits)
    described = "".join(f"<p>{html.escape(line)}.</p>" for line in lines)
    return HTML(
        f"<h2>How it was done</h2>{described}<ul>{signatures}</ul>"
        f"<h2>How to read it</h2><ul>{items}</ul>"
    )


def reproduction(analysis: Analysis) -> HTML:
    """Python code that gives the same numbers, and the versions that gave these."""
    versions = (
        f"mtsig_nb {__version__}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"pandas {pd.__version__}; {datetime.date.today().isoformat()}"
    )
    table = analysis.score_table
    columns = f"<p>{html.escape(table.sentence)}</p>" if table is not None else ""
    return HTML(
        f"{columns}<h2>The same in Python</h2>"
        f"<pre><code>{html.escape(analysis.code())}</code></pre>"
        f'<p class="versions">{html.escape(versions)}</p>'
    )


def figure_html(figure: Figure) -> str:
    """The figure as an SVG image inside the page, with its alternative text; closes it."""
    alt = style.alt_text(figure)
    image = io.BytesIO()
    # A date or a random id would make two reports of the same analysis differ.
    with mpl.rc_context({"svg.hashsalt": "mtsig_nb"}):
        figure.savefig(image, format="svg", metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    data = base64.b64encode(image.getvalue()).decode("ascii")
    return f'<figure><img alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}"></figure>'


def _table(frame: pd.DataFrame, digits: int = 2) -> str:
    return f'<div class="wide">{exports.to_html(frame, digits=digits)}</div>'


__all__: Sequence[str] = [
    "default_title",
    "figure_html",
    "heading",
    "method",
    "metric_section",
    "overview",
    "reproduction",
    "show_warning",
]
