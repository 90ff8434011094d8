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

from .errors import InputError, MtsigError
from .writing import write_whole

if TYPE_CHECKING:
    from .analysis import Analysis

_TEMPLATES = Path(__file__).parent / "templates"
_NOTEBOOK = _TEMPLATES / "report.ipynb"


def write_report(
    analysis: Analysis, path: str | Path, *, title: str = "", folder: str | Path | None = None
) -> None:
    """Run the report's notebook on `analysis` and write one self-contained page to `path`.

    Parameters
    ----------
    analysis : Analysis
        Its paths are seen from `folder`.
    path : str or Path
        Written as a whole or not at all.
    title : str
        Of the page; by default what was compared.
    folder : str or Path, optional
        The current folder, as for `Analysis.compare`, if none is given.

    Raises
    ------
    MtsigError
        If what runs notebooks is not installed (the extra ``app``), or the notebook fails.
    InputError
        If the input cannot be used, or `path` cannot be written.
    """
    _check_names(analysis)
    path = Path(path)
    if not path.absolute().parent.is_dir():
        raise InputError(f"output={str(path)!r}: there is no folder {str(path.parent)!r}.")
    _require_app()
    page = _rendered(_executed(analysis, title, folder), title)
    try:
        write_whole(path, page)
    except OSError as error:
        raise InputError(f"output={str(path)!r} cannot be written: {error.strerror}.") from None


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


def _executed(analysis: Analysis, title: str, seen_from: str | Path | None) -> Any:
    """The notebook with its outputs."""
    import papermill
    from papermill.exceptions import PapermillExecutionError

    logging.getLogger("papermill").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return papermill.execute_notebook(
                _NOTEBOOK,
                Path(folder) / "report.ipynb",
                parameters={"parameters": analysis.to_dict(), "title": title},
                cwd=os.fspath(seen_from or os.getcwd()),
                progress_bar=False,
                **_kernel(),
            )
        except PapermillExecutionError as error:
            if error.ename == InputError.__name__:
                raise InputError(str(error.evalue)) from None
            raise MtsigError(f"The report failed: {error.ename}: {error.evalue}") from None


def _kernel() -> dict[str, Any]:
    """Have the notebook run by this very interpreter, whatever kernels are registered."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisInterpreter(AsyncKernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=command, display_name="Python 3", language="python")

    return {
        "kernel_name": "python3",
        "language": "python",
        "kernel_manager_class": ThisInterpreter,
        # ipykernel 7 warns of unencrypted loopback traffic at every start.
        "extra_arguments": ["--IPKernelApp.log_level=ERROR"],
    }


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


__all__ = ["write_report"]
