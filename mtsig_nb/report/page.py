"""The report: an analysis that has been computed, as one HTML file.

The page asks nothing of the network: figures are inside it, and there are no scripts.  Its numbers
are those that the command line, the explorer or Python code has got already.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import platform
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .. import __version__
from ..conclusions.clustering import Clusters, clusters
from ..errors import InputError, require_extra
from ..progress import ProgressBar
from ..significance.comparisons import Comparisons, for_print
from ..significance.results import PairResult
from ..writing import check_output, write_output
from . import exports
from .system_table import legend, system_table
from .verdicts import digits_for, family_note, verdict

if TYPE_CHECKING:
    from jinja2 import Template

    from ..statistics.sufficient import SufficientStatistics
    from .analysis import Analysis

_TEMPLATE = Path(__file__).parent / "templates" / "report.html.j2"


class Findings:
    """What is computed of an analysis: each once, when it is first asked for.

    Whoever has it already sets it.

    Attributes
    ----------
    analysis : Analysis
    warnings : list of str
        What has been warned of meanwhile.
    """

    def __init__(self, analysis: Analysis, warnings: Sequence[str] = ()) -> None:
        self.analysis = analysis
        self.warnings = list(warnings)

    @functools.cached_property
    def statistics(self) -> list[SufficientStatistics]:
        """Those of every metric."""
        with warnings_kept(self.warnings):
            return self.analysis.statistics()

    @functools.cached_property
    def comparisons(self) -> Comparisons:
        """All pairs."""
        statistics = self.statistics
        with warnings_kept(self.warnings):
            return self.analysis.compare(statistics)

    @functools.cached_property
    def pair_tests(self) -> dict[str, PairResult]:
        """For each metric the test of the pair, where there are only two systems."""
        if len(self.comparisons.table) > len(self.comparisons.metrics):
            return {}
        rows = {row["metric"]: row for _, row in self.comparisons.table.iterrows()}
        return {s.label: self.analysis.test_pair(s, rows[s.label]) for s in self.statistics}

    def clusters(self, metric: str) -> Clusters:
        """Clusters under a metric."""
        return clusters(self.comparisons.conclusions(metric=metric))


def write_report(analysis: Analysis, path: str | Path, *, title: str = "") -> None:
    """Compute `analysis` and write one self-contained page to `path`.

    Parameters
    ----------
    analysis : Analysis
    path : str or Path
        Written as a whole or not at all.
    title : str
        Of the page; by default what was compared.

    Raises
    ------
    InputError
        If matplotlib is not installed, the input cannot be used, or `path` cannot be written or is
        an input.
    """
    check_reportable(analysis)
    check_output(path, analysis.files())
    write_output(path, report_page(Findings(analysis), title=title))


def check_reportable(analysis: Analysis) -> None:
    """Raise `InputError` if there can be no report; before anything is computed."""
    require_extra("matplotlib", extra="notebook", purpose="A report")
    try:
        json.dumps(analysis.to_dict(), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        around = error.object[max(0, error.start - 20) : error.end + 20]
        raise InputError(
            f"A file's name is not UTF-8, in {around!r}; a report names all files. Rename it."
        ) from None


@contextlib.contextmanager
def warnings_kept(said: list[str]) -> Iterator[None]:
    """Within it, what is warned of is added to `said`, and shown as ever."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def keep(message: Warning | str, *rest: Any, **more: Any) -> None:
            said.append(str(message))
            show(message, *rest, **more)

        warnings.showwarning = keep
        yield


def report_page(findings: Findings, *, title: str = "", baseline: str | None = None) -> str:
    """The page that `write_report` writes; systems are compared with `baseline`, or the best."""
    comparisons = findings.comparisons
    return template(_TEMPLATE).render(
        title=title or _default_title(comparisons),
        analysis=findings.analysis,
        comparisons=comparisons,
        warnings=findings.warnings,
        notes=[note for note in (*comparisons.caveats, family_note(comparisons)) if note],
        legend=legend(comparisons, baseline=baseline),
        verdicts=[verdict(comparisons, metric=m, baseline=baseline) for m in comparisons.metrics],
        overview=_overview(findings) if len(comparisons.metrics) > 1 else "",
        sections=[
            _section(findings, metric, baseline)
            for metric in ProgressBar(comparisons.metrics, description="drawing the report")
        ],
        versions=f"mtsig_nb {__version__}, Python {platform.python_version()}, NumPy "
        f"{np.__version__}, pandas {pd.__version__}; {datetime.date.today().isoformat()}",
    )


def template(path: Path) -> Template:
    """The template at `path`, which escapes what it is given unless it is marked as safe."""
    import jinja2  # only a page needs it

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(path.read_text(encoding="utf-8"))


def _default_title(comparisons: Comparisons) -> str:
    n = len(next(iter(comparisons.scores.values())))
    where = f" on {comparisons.test_set}" if comparisons.test_set else ""
    return f"{n} systems{where}, compared by {', '.join(comparisons.metrics)}"


def _overview(findings: Findings) -> str | None:
    """All systems under all metrics, with letters."""
    first = next(iter(findings.comparisons.scores.values()))
    table = pd.DataFrame({"system": first.index})
    for metric, scores in findings.comparisons.scores.items():
        letters = findings.clusters(metric).letters()
        digits = digits_for(scores)
        table[metric] = [f"{scores[s]:.{digits}f} {letters[s]}" for s in table["system"]]
    return exports.to_html(table)


def _section(findings: Findings, metric: str, baseline: str | None) -> dict[str, Any]:
    """One metric: scores with intervals, figures, and all pairs."""
    from . import figures  # matplotlib only when something is drawn

    comparisons = findings.comparisons
    digits = digits_for(comparisons.scores[metric])
    pairs = comparisons.table[comparisons.table["metric"] == metric]
    if metric in findings.pair_tests:
        drawn = [figures.null_distribution(findings.pair_tests[metric])]
    else:
        drawn = [
            figures.heatmap(comparisons.conclusions(metric=metric)),
            figures.cluster_diagram(findings.clusters(metric)),
        ]
    return {
        "metric": metric,
        "scores": exports.to_html(system_table(comparisons, metrics=[metric], baseline=baseline)),
        "figures": map(figures.image, drawn),
        "n_pairs": len(pairs),
        "pairs": exports.to_html(for_print(pairs, "metric", "score_a", "score_b"), digits=digits),
    }


__all__ = [
    "Findings",
    "check_reportable",
    "report_page",
    "template",
    "warnings_kept",
    "write_report",
]
