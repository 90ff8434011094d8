"""The report: an outcome as one HTML file.

The page asks nothing of the network: figures are inside it, and there are no scripts.  Its numbers
are those that the command line, the explorer or Python code has got already.
"""

from __future__ import annotations

import datetime
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .. import __version__
from ..outcomes.outcome import Layout, Outcome, Section
from ..outcomes.pairs import FEW_PAIRS
from ..progress import ProgressBar
from ..tables import to_html
from ..writing import in_utf8

_TEMPLATE = Path(__file__).parent / "templates" / "report.html.j2"


def report_page(
    outcome: Outcome,
    *,
    layout: Layout | None = None,
    title: str = "",
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> str:
    """The report on an outcome as a page.

    Parameters
    ----------
    outcome : Outcome
    layout : Layout, optional
    title : str
        By default what was compared.
    notes : sequence of str
        What to beware of in how it was asked; those of the outcome follow.
    warnings : sequence of str
        What was warned of when files were read.

    Returns
    -------
    str
        A name that is not UTF-8 stands there as Python writes it.

    Examples
    --------
    >>> from mtsig_nb.report.analysis import Analysis
    >>> systems = ["onlineA", "onlineB"]
    >>> found = Analysis(campaign="wmt12/es-en", systems=systems, n_resamples=500).run()
    >>> page = report_page(found, title="Two engines")
    >>> page.count("<h1>Two engines</h1>"), page.count("<script")
    (1, 0)
    """
    layout = layout or Layout()
    rendered = []
    sections = list(outcome.sections(layout))
    for section in ProgressBar(sections, description="drawing the report"):
        rendered.append(_rendered(section))
    page = template(_TEMPLATE).render(
        title=title or outcome.title,
        outcome=outcome,
        warnings=[*warnings, *outcome.warned],
        notes=[*notes, *outcome.notes],
        verdicts=outcome.verdict_lines(layout),
        sections=rendered,
        hints=list(outcome.reading_hints()),
        versions=_versions(),
    )
    return in_utf8(page)


def _versions() -> str:
    """What computed the numbers, and when."""
    today = datetime.date.today().isoformat()
    return (
        f"mtsig_nb {__version__}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"pandas {pd.__version__}; {today}"
    )


def template(path: Path) -> Any:
    """The template at `path`, which escapes what it is given unless it is marked as safe."""
    import jinja2  # only a page needs it

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(path.read_text(encoding="utf-8"))


def _rendered(section: Section) -> dict[str, Any]:
    """A section as the template takes it: texts, and tables and figures as HTML."""
    from ..plots import pages  # matplotlib only when something is drawn

    n_rows = len(section.details[0].cells) if section.details else 0
    return {
        "title": section.title,
        "caption": section.caption,
        "table": to_html(section.table) if section.table else "",
        "figures": [pages.image(figure) for figure in section.figures],
        "details": to_html(section.details) if section.details else "",
        "details_title": section.details_title,
        "unfolded": n_rows <= FEW_PAIRS,
    }
