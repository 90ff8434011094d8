"""Reports: a notebook run with an analysis as its parameter, rendered to one HTML file.

The page asks nothing of the network: figures are inside it, and there are no scripts.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, MtsigError
from ..texts.formats.base import read_bytes
from ..writing import check_output, is_stream, write_output

if TYPE_CHECKING:
    from .analysis import Analysis

_TEMPLATES = Path(__file__).parent / "templates"
_NOTEBOOK = _TEMPLATES / "report.ipynb"


def write_report(analysis: Analysis, path: str | Path, *, title: str = "") -> None:
    """Run the report's notebook on `analysis` and write one self-contained page to `path`.

    Parameters
    ----------
    analysis : Analysis
    path : str or Path
        Written as a whole or not at all.
    title : str
        Of the page; by default what was compared.

    Raises
    ------
    MtsigError
        If what runs notebooks is not installed (the extra ``app``), or the notebook fails.
    InputError
        If the input cannot be used, or `path` cannot be written or is an input.
    """
    check_output(path, analysis.files())
    write_output(path, report_page(analysis, title=title))


def report_page(analysis: Analysis, *, title: str = "") -> str:
    """The page that `write_report` writes."""
    _check_names(analysis)
    _require_app()
    return _rendered(_executed(analysis, title), title)


def _check_names(analysis: Analysis) -> None:
    try:
        json.dumps(analysis.to_dict(), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        around = error.object[max(0, error.start - 20) : error.end + 20]
        raise InputError(
            f"A file's name is not UTF-8, in {around!r}; a report names all files. Rename it."
        ) from None


def _require_app() -> None:
    try:
        import ipykernel  # noqa: F401
        import nbconvert  # noqa: F401
        import papermill  # noqa: F401
    except ImportError as error:
        raise MtsigError(
            f"A report needs {error.name}, which is not installed: "
            "python -m pip install 'mtsig_nb[app]'."
        ) from None


def _executed(analysis: Analysis, title: str) -> Any:
    """The notebook with its outputs."""
    import papermill
    from papermill.exceptions import PapermillExecutionError

    logging.getLogger("papermill").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return papermill.execute_notebook(
                _NOTEBOOK,
                Path(folder) / "report.ipynb",
                parameters={
                    "parameters": analysis.to_dict(),
                    "title": title,
                    "copies": _copies(analysis, Path(folder)),
                },
                cwd=os.getcwd(),
                progress_bar=False,
                **_kernel(),
            )
        except PapermillExecutionError as error:
            if error.ename == InputError.__name__:
                raise InputError(str(error.evalue)) from None
            raise MtsigError(f"The report failed: {error.ename}: {error.evalue}") from None


def _copies(analysis: Analysis, folder: Path) -> dict[str, str]:
    """Files with what the analysis reads from pipes, which the notebook's process cannot."""
    copies = {}
    for number, path in enumerate(filter(is_stream, analysis.files())):
        copy = folder / f"{number}.copy"
        copy.write_bytes(read_bytes(path))
        copies[str(path)] = str(copy)
    return copies


def _kernel() -> dict[str, Any]:
    """Have the notebook run by this very interpreter, whatever kernels are registered.

    It runs in the current folder, and imports nothing that lies there.
    """
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisInterpreter(AsyncKernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            command = [sys.executable, "-P", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(
                argv=command,
                env={"PYTHONPATH": python_path()},
                display_name="Python 3",
                language="python",
            )

    return {
        "kernel_name": "python3",
        "language": "python",
        "kernel_manager_class": ThisInterpreter,
        # ipykernel 7 warns of unencrypted loopback traffic at every start, and of answers that
        # nobody waits for at every interrupt.
        "extra_arguments": ["--IPKernelApp.log_level=CRITICAL", "--IPKernelApp.ignore_cwd=True"],
    }


def python_path() -> str:
    """A PYTHONPATH by which another process, in whatever folder, finds this very package."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    places = [str(Path(__file__).parents[2]), *(os.path.abspath(p) for p in given if p)]
    return os.pathsep.join(places)


def _rendered(notebook: Any, title: str) -> str:
    from nbconvert import HTMLExporter
    from traitlets.config import Config

    exporter = HTMLExporter(
        # The notebook's words about itself.
        config=Config(TagRemovePreprocessor={"enabled": True, "remove_cell_tags": {"remove-cell"}}),
        template_name="report",
        extra_template_basedirs=[str(_TEMPLATES)],
        exclude_input=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title or "Comparison"}})
    return str(page)


__all__ = ["python_path", "report_page", "write_report"]
