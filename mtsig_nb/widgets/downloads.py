"""What can be taken away: tables, figures, code and a report, as links that hold their content.

A ``data:`` address works wherever the widget does, in Voila as in JupyterLab, and needs no file
on the server.
"""

from __future__ import annotations

import base64
import contextlib
import html
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import MtsigError
from ..progress import progress_bar
from ..report.exports import to_csv
from ..report.page import python_path
from . import figures
from .model import Model, State

_TYPES = {
    "csv": "text/csv;charset=utf-8",
    "tex": "text/x-tex;charset=utf-8",
    "py": "text/x-python;charset=utf-8",
    "html": "text/html;charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}


def link(name: str, content: str | bytes, text: str) -> str:
    """A link that saves `content` as a file called `name`; `name` is ours, not a user's."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    address = f"data:{_TYPES[name.rpartition('.')[2]]};base64,{base64.b64encode(data).decode()}"
    return f'<a download="{html.escape(name)}" href="{address}">{html.escape(text)}</a>'


def links(model: Model, state: State) -> str:
    """Links to the tables and figures of a state, and its code."""
    comparisons = model.comparisons(state)
    label = model.shown(state).label
    result = model.result(state)
    drawn = {
        "null-distribution": figures.null_distribution(result),
        "scores": figures.scores(
            model.scores(state), label, state.pair, 100 * state.analysis.confidence_level
        ),
        "all-pairs": figures.heatmap(comparisons.conclusions(metric=label)),
        "clusters": figures.cluster_diagram(model.clusters(state)),
    }
    tables = [
        link("pairs.csv", str(comparisons.to_csv()), "all pairs (CSV)"),
        link("pairs.tex", str(comparisons.to_latex()), "all pairs (LaTeX)"),
        link("pair.csv", str(to_csv(result.to_frame())), "this pair's test (CSV)"),
    ]
    images = []
    for name, figure in drawn.items():
        what = name.replace("-", " ")
        images.append(link(f"{name}.svg", figures.svg(figure), f"{what} (SVG)"))
        images.append(link(f"{name}.png", figures.png(figure), f"{what} (PNG)"))
    code = model.code(state)
    return (
        f'<h3>Tables</h3><div class="mtsig-links">{"".join(tables)}</div>'
        f'<h3>Figures</h3><div class="mtsig-links">{"".join(images)}</div>'
        f'<h3>The same in Python</h3><div class="mtsig-links">'
        f"{link('comparison.py', code + chr(10), 'code (Python)')}</div>"
        f"<pre>{html.escape(code)}</pre>"
    )


def report(model: Model, state: State) -> str:
    """A link to the report on a state's analysis, as ``mtsig report`` writes it.

    Raises
    ------
    MtsigError
        If the report fails.
    """
    source = model.source
    with tempfile.TemporaryDirectory(prefix="mtsig-report-") as folder:
        path = Path(folder) / "report.html"
        order = {"analysis": source.portable(state.analysis).to_dict(), "path": str(path)}
        # -P: nobody's files are imported, whatever they are called.
        _run([sys.executable, "-P", "-c", _WRITE], json.dumps(order), source.folder or Path.cwd())
        page = path.read_bytes()
    return f'<div class="mtsig-links">{link("report.html", page, "report (HTML)")}</div>'


#: In a process of its own, which can be ended; a notebook that is run in a thread cannot.
_WRITE = """
import json, sys
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.errors import MtsigError
from mtsig_nb.report.page import write_report
order = json.load(sys.stdin)
try:
    write_report(Analysis(**order["analysis"]), order["path"])
except MtsigError as error:
    sys.exit(str(error))
"""


def _run(command: Sequence[str], given: str, folder: Path) -> None:
    """Run `command` in `folder` to its end, or until nobody waits for it."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": python_path()},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that its kernel ends with it
    )
    try:
        with progress_bar(total=1, description="writing the report", show=False) as bar:
            told: str | None = None
            rest: str | None = given
            while told is None:
                bar.update(0)  # raises where the work has been cancelled
                with contextlib.suppress(subprocess.TimeoutExpired):
                    _, told = process.communicate(rest, timeout=0.2)
                rest = None  # what is given is taken at the first call
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        raise MtsigError(told.strip().splitlines()[-1] if told.strip() else "The report failed.")


__all__ = ["link", "links", "report"]
