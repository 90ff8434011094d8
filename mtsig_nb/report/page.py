"""The report: an analysis that has been computed, as one HTML file.

The page asks nothing of the network: figures are inside it, and there are no scripts.  Its numbers
are those that the command line, the explorer or Python code has got already.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import platform
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .. import __version__, tables
from ..conclusions.clustering import clusters
from ..progress import ProgressBar
from ..significance.comparisons import Comparisons
from ..significance.results import PairResult
from ..statistics.sufficient import SufficientStatistics
from .analysis import Analysis
from .system_table import legend, pairs_table, system_table
from .verdicts import family_note, verdict

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
    """The report as a page; systems are compared with `baseline`, or the best.

    A name that is not UTF-8 stands there as Python writes it.
    """
    comparisons = findings.comparisons
    page = template(_TEMPLATE).render(
        title=title,
        analysis=findings.analysis,
        comparisons=comparisons,
        warnings=findings.warnings,
        notes=[note for note in (*comparisons.caveats, family_note(comparisons)) if note],
        legend=legend(comparisons, baseline=baseline),
        verdicts=[verdict(comparisons, metric=m, baseline=baseline) for m in comparisons.metrics],
        overview=tables.to_html(system_table(comparisons, baseline=baseline, brief=True)),
        sections=[
            _section(findings, metric, baseline)
            for metric in ProgressBar(comparisons.metrics, description="drawing the report")
        ],
        versions=f"mtsig_nb {__version__}, Python {platform.python_version()}, NumPy "
        f"{np.__version__}, pandas {pd.__version__}; {datetime.date.today().isoformat()}",
    )
    return page.encode("utf-8", "backslashreplace").decode("utf-8")


def template(path: Path) -> Any:
    """The template at `path`, which escapes what it is given unless it is marked as safe."""
    import jinja2  # only a page needs it

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(path.read_text(encoding="utf-8"))


def _section(findings: Findings, metric: str, baseline: str | None) -> dict[str, Any]:
    """One metric: scores with intervals, figures, and all pairs."""
    from . import figures  # matplotlib only when something is drawn

    comparisons = findings.comparisons
    conclusions = comparisons.conclusions(metric=metric)
    pairs = pairs_table(comparisons, metric)
    if metric in findings.pair_tests:
        drawn = [figures.null_distribution(findings.pair_tests[metric])]
    else:
        drawn = [figures.heatmap(conclusions), figures.cluster_diagram(clusters(conclusions))]
    return {
        "metric": metric,
        "scores": tables.to_html(system_table(comparisons, metrics=[metric], baseline=baseline)),
        "figures": map(figures.image, drawn),
        "n_pairs": len(pairs[0].cells),
        "pairs": tables.to_html(pairs),
    }
