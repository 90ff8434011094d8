"""The report: an outcome as one HTML file.

The page asks nothing of the network: figures are inside it, and there are no scripts.  Its numbers
are those that the command line, the explorer or Python code has got already.
"""

from __future__ import annotations

import datetime
import functools
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..frames import pd
from ..outcomes.examples import CAUTION, PairExamples
from ..outcomes.outcome import Layout, Outcome, Section
from ..outcomes.pairs import FEW_PAIRS
from ..progress import ProgressBar
from ..tables import to_html
from ..writing import in_utf8, visible

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
        examples=_examples(outcome, layout),
        caution=CAUTION,
        hints=list(outcome.reading_hints()),
        versions=_versions(),
    )
    return in_utf8(page)


def _examples(outcome: Outcome, layout: Layout) -> list[dict[str, Any]]:
    """The examples that the layout asks for, as the template takes them: a table, or texts."""
    if not layout.examples:
        return []
    rendered = []
    for examples in outcome.pair_examples(layout.examples, baseline=layout.baseline):
        table = ""
        if len(examples.table) and not examples.has_texts:
            table = to_html(examples.columns(layout.digits))
        rendered.append(
            {
                "title": examples.title,
                "summary": examples.summary(layout.digits),
                "table": table,
                "sides": _sides(examples, layout) if examples.has_texts else [],
            }
        )
    return rendered


def _sides(examples: PairExamples, layout: Layout) -> list[dict[str, Any]]:
    """The texts that favour either system, as the template takes them."""
    sides = []
    for system, rows in examples.sides:
        items = []
        for row in rows.to_dict("records"):
            headline = examples.headline(row, layout.digits)
            items.append({"headline": headline, "texts": examples.marked_texts(row)})
        if items:
            sides.append({"system": system, "items": items})
    return sides


def _versions() -> str:
    """What computed the numbers, and when."""
    today = datetime.date.today().isoformat()
    return (
        f"mtsig_nb {__version__}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"pandas {pd.__version__}; {today}"
    )


@functools.cache
def template(path: Path) -> Any:
    """The template at `path`, which escapes what it is given unless it is marked as safe."""
    import jinja2  # only a page needs it

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.filters["visible"] = _visible
    return environment.from_string(path.read_text(encoding="utf-8"))


def _visible(text: str) -> str:
    """A text of somebody else's without control characters; tabs become spaces."""
    return visible(text.replace("\t", " "))


def _rendered(section: Section) -> dict[str, Any]:
    """A section as the template takes it: texts, and tables and figures as HTML."""
    from ..plots import pages  # matplotlib only when something is drawn
    from ..plots.column import WIDTH_OF_COLUMN

    figures = []
    for figure in section.figures:
        is_narrow = figure.get_figwidth() <= WIDTH_OF_COLUMN
        figures.append({"image": pages.image(figure), "is_narrow": is_narrow})
    n_rows = len(section.details[0].cells) if section.details else 0
    return {
        "title": section.title,
        "caption": section.caption,
        "table": to_html(section.table) if section.table else "",
        "figures": figures,
        "details": to_html(section.details) if section.details else "",
        "details_title": section.details_title,
        "details_caption": section.details_caption,
        "unfolded": n_rows <= FEW_PAIRS,
    }
