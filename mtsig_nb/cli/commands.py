"""The commands themselves.  What computes is imported inside, so that help comes at once."""

from __future__ import annotations

import dataclasses
import errno
import os
import signal
import warnings
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__
from ..errors import (
    InputError,
    MtsigError,
    check_one_of,
    is_out_of_memory,
    listed,
    out_of_memory,
    require_extra,
)
from ..notes import NotedWarning
from ..writing import check_output
from . import options as o
from .habits import Habits

if TYPE_CHECKING:
    from ..notes import Note
    from ..outcomes.outcome import Layout, Outcome
    from ..report.analysis import Analysis

#: ``--exit-code``: nothing was distinguished.
NO_DIFFERENCE = 3

#: Where a context keeps the words of its command line.
_ARGUMENTS = "mtsig_nb.arguments"
#: The tests that sacreBLEU's options ask for.
_PAIRED = {"paired_bs": "bootstrap", "paired_ar": "ar"}
_TABLES = [o.Format.text, o.Format.json, o.Format.latex, o.Format.csv, o.Format.markdown]


class _Commands(TyperGroup):
    """Commands whose errors about input are one message on standard error, and exit code 1."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _warn
                return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("mtsig: interrupted", err=True)
            raise typer.Exit(128 + signal.SIGINT) from None
        except (MtsigError, OSError, MemoryError, ImportError) as error:
            if getattr(error, "errno", None) == errno.EPIPE:  # our reader has seen enough
                raise
            scarce = is_out_of_memory(error)
            if scarce:
                problem = out_of_memory(error, _files_among(ctx.meta[_ARGUMENTS]))
            elif isinstance(error, ImportError):
                raise
            else:
                problem = str(error)
        # Only here, where the error is gone, is what it held of memory free again.
        if scarce:  # for what else makes lines visible, too
            typer.echo(f"mtsig: error: {problem.encode('unicode_escape').decode()}", err=True)
        else:
            _say(f"error: {problem}")
        raise typer.Exit(1)


def _files_among(arguments: Sequence[str]) -> str:
    """The files that a command line names, and how large they are together, in words."""
    names = {argument for argument in arguments if not argument.startswith("-")}
    names |= {argument.rpartition("=")[2] for argument in arguments}
    files = [name for name in sorted(names) if os.path.isfile(name)]
    if not files:
        return "this"
    size = sum(map(os.path.getsize, files)) / 1e6
    return f"{listed(files, 3)} ({size:,.1f} MB)"


def _warn(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    if not issubclass(category, NotedWarning):  # which stands beside the verdict
        _say(f"warning: {message}")


def _say(text: str) -> None:
    """A line beside the answer, on standard error."""
    from .printing import visible

    typer.echo(f"mtsig: {visible(text)}", err=True)


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
    # No Python that any library starts from here takes modules from the current folder.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    # NumPy's threads would wait for each other, busily, longer than what they share takes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    app(args=None if arguments is None else list(arguments), prog_name="mtsig")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"mtsig_nb {__version__}")
        raise typer.Exit


_VERSION = typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")


@app.callback()
def _common(version: Annotated[bool, _VERSION] = False) -> None:
    pass


@app.command(cls=Habits)
@o.with_options
def compare(**given: Any) -> None:
    """Test every pair of systems, correct for their number, and say who is better.

    One row per system, compared with the best or a baseline; --pairs adds all pairs. An output
    file that ends in .html gets the full report, and the tables are printed as well.
    """
    from . import contents
    from .printing import format_of

    output = given["output"]
    form = format_of(given["output_format"], output, list(o.Format))
    _check_form(form, given)
    analysis = _analysis(given)
    outcome = analysis.run()
    layout = _layout(given, outcome)
    answer = contents.found(
        outcome,
        layout,
        notes=_notes(given),
        remarks=_remarks(given, outcome, layout),
        title=given["title"] or "",
    )
    answer.deliver(form, output)
    if given["exit_code"] and not answer.distinguished:
        raise typer.Exit(NO_DIFFERENCE)


def _check_form(form: o.Format, given: Mapping[str, Any]) -> None:
    """Raise what is wrong with a format and the options that go with it."""
    is_page = form is o.Format.html
    if is_page and given["output"] is None:
        raise typer.BadParameter("a report needs a file: --output report.html.")
    if given["title"] and not is_page:
        raise typer.BadParameter("--title is that of a report: --output report.html.")
    if given["people"] and form not in (o.Format.text, o.Format.html):
        raise typer.BadParameter("--people is for the screen: leave --format out.")
    if is_page:
        require_extra("matplotlib", extra="notebook", purpose="A report")


def _layout(given: Mapping[str, Any], outcome: Outcome) -> Layout:
    """How the outcome is shown."""
    from ..outcomes.outcome import Layout

    baseline = given["baseline"]
    if baseline is not None:
        check_one_of("baseline", baseline, outcome.system_names)
    elif given["inputs"]:  # as sacreBLEU has it
        baseline = outcome.system_names[0]
    return Layout(
        baseline=baseline,
        digits=given["width"],
        pairs=given["pairs"],
        people=given["people"],
    )


def _notes(given: Mapping[str, Any]) -> list[Note]:
    """What is to be known of how the options were understood."""
    from ..notes import note

    if given["documents"] and given["units"] is None:
        return [note("documents-named")]
    return []


def _remarks(given: Mapping[str, Any], outcome: Outcome, layout: Layout) -> list[str]:
    """What other tools' options of the same names would print."""
    remarks = []
    for option in filter(given.get, _PAIRED):
        line = outcome.by_sacrebleu(option.removeprefix("paired_"), layout.baseline)
        remarks += [line] if line else []
    return remarks


@app.command(cls=Habits)
@o.with_options
def measure(**given: Any) -> None:
    """Print the scores of all metrics named; -m all for every metric that needs only text.

    The counts behind the scores are kept in a cache, from where compare takes them.
    """
    from . import contents
    from .printing import format_of

    form = format_of(given["output_format"], given["output"], _TABLES)
    answer = contents.measured(_analysis(given).statistics(), digits=given["width"])
    answer.deliver(form, given["output"])


@app.command()
@o.with_options
def datasets(name: str | None, output_format: o.Format | None, output: Path | None) -> None:
    """List the embedded campaigns, or show the data sheet of one."""
    from . import contents
    from .printing import format_of

    form = format_of(output_format, output, _TABLES)
    answer = contents.campaigns() if name is None else contents.campaign(name)
    answer.deliver(form, output)


def _analysis(given: Mapping[str, Any]) -> Analysis:
    """The analysis that a command's own arguments, by their names, ask for."""
    _let_blas_take_its_memory()
    from ..engine.procedures import procedure_named
    from ..report.analysis import Analysis, campaign_named

    test_set, pair, documents = (
        _only(option, given.get(option)) for option in ("test_set", "language_pair", "documents")
    )
    systems, references, scores = (
        list(given.get(name) or ()) for name in ("systems", "reference", "scores")
    )
    if given["inputs"] and test_set is None and not scores:
        references += systems  # as sacreBLEU has it
        systems = list(given["inputs"])
    else:
        systems += given["inputs"] or ()
    if test_set is None and not scores and not references:
        before = " before -i" if given["inputs"] else ""
        raise typer.BadParameter(
            f"nothing to measure: give a reference{before} with -r, or -t, or --scores."
        )
    texts = [name for name in systems if test_set is not None and Path(name).is_file()]
    if texts:
        raise InputError(
            f"{texts[0]!r} is a file, and -t names an embedded campaign, which has figures and no "
            "texts. Give the reference as a file too: mtsig compare REF -i FILE FILE, without -t."
        )
    # Options are called after the fields of an analysis; those named here mean more than they say.
    names = {field.name for field in dataclasses.fields(Analysis)} & given.keys()
    fields: dict[str, Any] = {name: given[name] for name in names} | {
        "systems": systems,
        "references": references,
        "documents": documents,
        "campaign": None if test_set is None else campaign_named(test_set, pair),
        "language_pair": pair if test_set is None else None,
        "n_references": given["n_references"] or 1,
        "scores": scores[0] if len(scores) == 1 else scores or None,
        "shared": None if given.get("shared") is None else given["shared"] == "yes",
        "metrics": given["metric"] or (),
        "settings": {name: given[name] for name in ("tokenize", "lowercase") if given[name]},
    }
    if "test" in given:
        correction = given["correction"] or "usual"
        tests = {test for option, test in _PAIRED.items() if given[option]}
        tests |= {given["test"]} - {"ar"}
        if len(tests) > 1:
            raise typer.BadParameter("--paired-bs, --paired-ar and --test name different tests.")
        fields |= {
            "test": procedure_named(tests.pop() if tests else "ar").name,
            "correction": None if correction.casefold() == "none" else correction,
            "units": given["units"],
        }
    plain: dict[str, Any] = {k: v.value if isinstance(v, StrEnum) else v for k, v in fields.items()}
    analysis = Analysis(**plain)
    if given["output"] not in (None, o.STANDARD_OUTPUT):
        check_output(given["output"], analysis.files())
    return analysis


def _let_blas_take_its_memory() -> None:
    """Have NumPy's library of products take its own memory while there is some.

    Later, where our data have left none, it would end the process.
    """
    import numpy as np

    square = np.ones((200, 200))
    np.matmul(square, square)


def _only(option: str, values: Sequence[str] | None) -> str | None:
    """The one value of an option; two of them are refused, of which one would be lost."""
    if values is not None and len(values) > 1:
        raise typer.BadParameter(
            f"--{option.replace('_', '-')} is given {len(values)} times, with "
            f"{' and '.join(map(repr, values))}. Give one."
        )
    return values[0] if values else None
