"""The commands themselves.  What computes is imported inside, so that help comes at once."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__, _interrupts
from ..errors import MtsigError, require_extra
from ..texts.reading import pipes_kept
from ..writing import check_output
from . import options as o

if TYPE_CHECKING:
    from ..report.analysis import Analysis

#: ``--exit-code``: nothing was distinguished.
NO_DIFFERENCE = 3

_TABLES = [o.Format.text, o.Format.json, o.Format.latex, o.Format.csv, o.Format.markdown]


class _Commands(TyperGroup):
    """Commands whose errors about input are one message on standard error, and exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings(), pipes_kept():
                warnings.showwarning = _warn
                return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo(_interrupts.LINE, err=True)
            raise typer.Exit(_interrupts.EXIT_CODE) from None
        except MtsigError as error:
            message = str(error)
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever read our output has seen enough
                raise
            message = str(error)
        from .printing import visible

        typer.echo(f"mtsig: error: {visible(message)}", err=True)
        raise typer.Exit(1)


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    from .printing import visible

    typer.echo(f"mtsig: warning: {visible(str(message))}", err=True)


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Is a system really better, or would chance do as much? Significance tests for machine "
    "translation, for files of your own or embedded campaigns of WMT.",
    epilog="Exit codes: 0 done, 1 input that cannot be used, 2 wrong usage, 3 no pair "
    "distinguished (with --exit-code).",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    _interrupts.unwatch()
    # No Python that any library starts from here takes modules from the current folder.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    app(args=None if arguments is None else list(arguments), prog_name="mtsig")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"mtsig_nb {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command()
def compare(
    systems: o.Systems = None,
    reference: o.References = None,
    documents: o.Documents = None,
    test_set: o.TestSetName = None,
    language_pair: o.Pair = None,
    scores: o.Scores = None,
    smaller_is_better: o.SmallerIsBetter = False,
    metric: o.Metrics = None,
    tokenize: o.Tokenize = None,
    lowercase: o.Lowercase = False,
    test: o.Test = "ar",
    correction: o.Correction = "holm",
    alpha: o.Alpha = 0.05,
    alternative: o.Tails = o.Alternative.two_sided,
    resamples: o.Resamples = None,
    units: o.ResampledUnits = o.Units.segments,
    counting: o.CountingRule = "add-one",
    confidence: o.Confidence = 0.95,
    seed: o.Seed = 12345,
    output_format: o.OutputFormat = None,
    output: o.Output = None,
    title: Annotated[
        str, typer.Option("--title", help="Of the report.", rich_help_panel=o.OUTPUT)
    ] = "",
    exit_code: Annotated[
        bool,
        typer.Option(
            "--exit-code",
            help="Exit with 3 if no pair is distinguished.",
            rich_help_panel=o.OUTPUT,
        ),
    ] = False,
) -> None:
    """Test every pair of systems, correct for their number, and say who is better.

    An output file that ends in .html gets the full report, and the tables are printed as well.
    """
    from ..report import page as reporting
    from ..report.verdicts import any_distinguished
    from . import contents
    from .printing import deliver, format_of, visible

    form = format_of(output_format, output, [*_TABLES, o.Format.html])
    if form is o.Format.html and output is None:
        raise typer.BadParameter("a report needs a file: --output report.html.")
    if title and form is not o.Format.html:
        raise typer.BadParameter("--title is that of a report: --output report.html.")
    findings = reporting.Findings(_analysis(locals()))
    if form is o.Format.text:
        contents.comparison_page(findings).deliver(output)
    elif form is o.Format.html:
        reporting.check_reportable(findings.analysis)
        if output != o.STANDARD_OUTPUT:
            contents.comparison_page(findings).deliver(None)
        deliver(reporting.report_page(findings, title=title), output)
    else:
        # Where the output has no place for it, which columns are compared is said beside it.
        table = findings.analysis.score_table
        if table is not None:
            typer.echo(f"mtsig: {visible(table.sentence)}", err=True)
        deliver(contents.comparison_as(form, findings), output)
    if exit_code and not any_distinguished(findings.comparisons):
        raise typer.Exit(NO_DIFFERENCE)


@app.command()
def measure(
    systems: o.Systems = None,
    reference: o.References = None,
    test_set: o.TestSetName = None,
    language_pair: o.Pair = None,
    metric: o.Metrics = None,
    tokenize: o.Tokenize = None,
    lowercase: o.Lowercase = False,
    output_format: o.OutputFormat = None,
    output: o.Output = None,
) -> None:
    """Print the scores of all metrics named; -m all for every metric that needs only text.

    The counts behind the scores are kept in a cache, from where compare takes them.
    """
    from . import contents
    from .printing import deliver, format_of

    form = format_of(output_format, output, _TABLES)
    statistics = _analysis(locals()).statistics()
    if form is o.Format.text:
        contents.score_page(statistics).deliver(output)
    else:
        deliver(contents.scores_as(form, statistics), output)


@app.command()
def datasets(
    name: Annotated[
        str | None,
        typer.Argument(help="A campaign, such as wmt12/es-en: shows what is known of it."),
    ] = None,
    output_format: o.OutputFormat = None,
    output: o.Output = None,
) -> None:
    """List the embedded campaigns, or show the data sheet of one."""
    from . import contents
    from .printing import deliver, format_of

    form = format_of(output_format, output, _TABLES)
    if form is o.Format.text:
        contents.dataset_page(name).deliver(output)
    else:
        deliver(contents.datasets_as(form, name), output)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(context: typer.Context) -> None:
    """Open JupyterLab on the notebook series; further arguments go to JupyterLab."""
    candidates = [Path.cwd(), Path(__file__).parents[2]]
    series = [folder / "notebooks" for folder in candidates if _is_repository(folder)]
    if not series:
        raise MtsigError(
            "The notebook series is not here: it is part of the repository, not of the installed "
            "package. Run mtsig lab inside a copy of the repository."
        )
    require_extra("jupyterlab", extra="notebook", purpose="mtsig lab")
    # -P: what lies in the current folder is not imported.  What runs in JupyterLab is the user's.
    command = [sys.executable, "-P", "-m", "jupyterlab", str(series[0]), *context.args]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"}
    raise typer.Exit(subprocess.run(command, env=environment, check=False).returncode)


def _is_repository(folder: Path) -> bool:
    return (folder / "notebooks" / "00_tour.ipynb").is_file()


def _analysis(given: dict[str, Any]) -> Analysis:
    """The analysis that a command's own arguments, by their names, ask for."""
    from ..engine.procedures import procedure_named
    from ..report.analysis import Analysis, campaign_named

    test_set, pair, scores, documents = (
        _only(option, given.get(option))
        for option in ("test_set", "language_pair", "scores", "documents")
    )
    if test_set is None and pair is not None:
        raise typer.BadParameter("-l names the language pair of a campaign; give -t as well.")
    if test_set is None and scores is None and not given["reference"]:
        raise typer.BadParameter("nothing to measure: give -r with files, -t or --scores.")
    settings: dict[str, Any] = {}
    if given["tokenize"] is not None:
        settings["tokenize"] = given["tokenize"]
    if given["lowercase"]:
        settings["lowercase"] = True
    about_test = {}
    if "test" in given:
        correction = given["correction"]
        about_test = {
            "test": procedure_named(given["test"]).name,
            "correction": None if correction.casefold() == "none" else correction,
            "alpha": given["alpha"],
            "alternative": given["alternative"].value,
            "n_resamples": given["resamples"],
            "units": given["units"].value,
            "counting": given["counting"],
            "confidence_level": given["confidence"],
            "seed": given["seed"],
            "smaller_is_better": given["smaller_is_better"],
        }
    analysis = Analysis(
        systems=given["systems"] or (),
        references=given["reference"] or (),
        documents=documents,
        campaign=None if test_set is None else campaign_named(test_set, pair),
        scores=scores,
        metrics=given["metric"] or (),
        settings=settings,
        **about_test,
    )
    if given["output"] not in (None, o.STANDARD_OUTPUT):
        check_output(given["output"], analysis.files())
    return analysis


def _only(option: str, values: Sequence[str] | None) -> str | None:
    """The one value of an option; two of them are refused, of which one would be lost."""
    if values is not None and len(values) > 1:
        raise typer.BadParameter(
            f"--{option.replace('_', '-')} is given {len(values)} times, with "
            f"{' and '.join(map(repr, values))}. Give one"
            f"{': a table with the metrics of all' if option == 'scores' else ''}."
        )
    return values[0] if values else None
