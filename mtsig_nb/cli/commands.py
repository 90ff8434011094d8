"""The commands themselves.  What computes is imported inside, so that help comes at once."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import signal
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
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
from ..writing import check_output, visible
from . import options as o
from .habits import Habits

if TYPE_CHECKING:
    from ..notes import Note
    from ..outcomes.outcome import Outcome
    from ..report.analysis import Analysis

#: ``--exit-code``: nothing was distinguished.
NO_DIFFERENCE = 3

#: Where a context keeps the words of its command line.
_ARGUMENTS = "mtsig_nb.arguments"
_TABLES = [o.Format.text, o.Format.json, o.Format.latex, o.Format.csv, o.Format.markdown]
#: Those of what is compared: a gate alone has JUnit's.
_COMPARISONS = [form for form in o.Format if form is not o.Format.junit]
#: How a gate exits, by its verdict.  These codes are its answer, so that its errors need others.
_OF_VERDICT = {"not worse": 0, "worse": 1, "cannot tell": 2}
#: How a gate exits where it has no answer, as BSD's sysexits.h has it: wrong usage, unusable input.
USAGE_OF_GATE = 64
INPUT_OF_GATE = 65
#: All errors of usage, whose class typer does not export: it has a click of its own, or the usual.
_UsageError: type[Exception] = typer.BadParameter.__base__  # type: ignore[assignment]


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
            is_memory_scarce = is_out_of_memory(error)
            if isinstance(error, ImportError) and not is_memory_scarce:
                raise
            problem = str(error)
            if is_memory_scarce:
                problem = out_of_memory(error, _files_among(ctx.meta[_ARGUMENTS]))
        # Only here, where the error is gone, is the memory free again that it held.
        if is_memory_scarce:  # too scarce to import what `_say` needs
            typer.echo(f"mtsig: error: {problem.encode('unicode_escape').decode()}", err=True)
        else:
            _say(f"error: {problem}")
        raise typer.Exit(INPUT_OF_GATE if ctx.invoked_subcommand == "gate" else 1)


class _Gate(Habits):
    """A command whose errors of usage have an exit code that is no answer of a gate."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _usage_of_gate():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _usage_of_gate():
            return super().invoke(ctx)


@contextlib.contextmanager
def _usage_of_gate() -> Iterator[None]:
    """Give errors of usage the exit code that they have in a gate."""
    try:
        yield
    except _UsageError as error:
        error.exit_code = USAGE_OF_GATE  # type: ignore[attr-defined]
        raise


def _files_among(arguments: Sequence[str]) -> str:
    """The files that a command line names, and how large they are together, in words."""
    names = set()
    for argument in arguments:
        if not argument.startswith("-"):
            names.add(argument)
        _, _, after_equals = argument.rpartition("=")  # NAME=FILE, or --option=FILE
        names.add(after_equals)
    files = [name for name in sorted(names) if os.path.isfile(name)]
    if not files:
        return "this"
    megabytes = sum(map(os.path.getsize, files)) / 1e6
    return f"{listed(files, 3)} ({megabytes:,.1f} MB)"


def _warn(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning, unless a note beside the verdict says the same."""
    from ..notes import NotedWarning

    if not issubclass(category, NotedWarning):
        _say(f"warning: {message}")


def _say(text: str) -> None:
    """Print a line beside the answer, on standard error."""
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
    "distinguished (with --exit-code). Of gate: 0 not worse, 1 worse, 2 cannot tell, 64 wrong "
    "usage, 65 input that cannot be used.",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    # No Python that any library starts from here takes modules from the current folder.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    # NumPy's threads would wait for each other, busily, longer than what they share takes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is imported stays.  To look for garbage in it at every turn takes a tenth of a command.
    gc.set_threshold(100_000)
    # Python would look for it once more at the end, when the system takes back all memory anyway.
    atexit.register(gc.freeze)
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
@o.typed_by_field
def compare(
    *,
    systems: o.Systems = None,
    inputs: o.Inputs = None,
    reference: o.Reference = None,
    documents: o.Documents = None,
    n_references: o.NReferences = None,
    test_set: o.TestSet = None,
    language_pair: o.LanguagePair = None,
    scores: o.Scores = None,
    smaller_is_better: o.SmallerIsBetter = False,
    by: o.By = None,
    missing: o.Missing = "raise",
    shared: o.Shared = None,
    metric: o.Metric = None,
    tokenize: o.Tokenize = None,
    lowercase: o.Lowercase = False,
    tested: o.Tested,
    baseline: o.Baseline = None,
    pairs: o.Pairs = False,
    people: o.People = False,
    examples: o.Examples = None,
    digits: o.Digits = None,
    output_format: o.OutputFormat = None,
    output: o.Outputs = None,
    title: o.Title = "",
    exit_code: o.ExitCode = False,
) -> None:
    """Test every pair of systems, correct for their number, and say who is better.

    One row per system, compared with the best or a baseline; --pairs adds all pairs. An output
    file that ends in .html gets the full report, one that ends in .pdf, .svg or .png a figure for
    a paper, and the tables are printed as well.
    """
    from ..outcomes.outcome import Layout
    from . import contents
    from .printing import formats_of

    places = formats_of(output_format, output, _COMPARISONS)
    _check_forms(places, title=title, people=people)
    if examples and any(form is o.Format.latex for form, _ in places):
        raise typer.BadParameter("--examples cannot be written in LaTeX: choose another --format.")
    analysis = _analysis(
        systems=systems,
        inputs=inputs,
        reference=reference,
        documents=documents,
        n_references=n_references,
        test_set=test_set,
        language_pair=language_pair,
        scores=scores,
        metric=metric,
        tokenize=tokenize,
        lowercase=lowercase,
        output=output,
        settings={
            "smaller_is_better": smaller_is_better,
            "by": by,
            "missing": missing,
            "shared": None if shared is None else shared is o.YesOrNo.yes,
            **tested.settings(),
        },
    )
    if examples:
        analysis.outcome_class.check_examples()
    outcome = analysis.run()
    if baseline is not None:
        check_one_of("baseline", baseline, outcome.system_names)
    elif inputs:  # as sacreBLEU has it
        baseline = outcome.system_names[0]
    answer = contents.of_outcome(
        outcome,
        Layout(baseline=baseline, digits=digits, pairs=pairs, people=people, examples=examples),
        notes=_notes_on_units(documents, tested.units),
        remarks=_remarks(outcome, baseline, tested),
        title=title,
    )
    answer.deliver_all(places)
    if exit_code and not answer.distinguished:
        raise typer.Exit(NO_DIFFERENCE)


@app.command(cls=Habits)
def measure(
    *,
    systems: o.Systems = None,
    inputs: o.Inputs = None,
    reference: o.Reference = None,
    n_references: o.NReferences = None,
    test_set: o.TestSet = None,
    language_pair: o.LanguagePair = None,
    metric: o.Metric = None,
    tokenize: o.Tokenize = None,
    lowercase: o.Lowercase = False,
    digits: o.Digits = None,
    output_format: o.OutputFormat = None,
    output: o.Output = None,
) -> None:
    """Print the scores of the metrics named; -m all is every metric that needs only text.

    The counts behind the scores are kept in a cache, and compare takes them from there.
    """
    from . import contents
    from .printing import format_of

    form = format_of(output_format, output, [*_TABLES, o.Format.bibtex])
    analysis = _analysis(
        systems=systems,
        inputs=inputs,
        reference=reference,
        n_references=n_references,
        test_set=test_set,
        language_pair=language_pair,
        metric=metric,
        tokenize=tokenize,
        lowercase=lowercase,
        output=output,
    )
    answer = contents.of_scores(analysis.statistics(), digits=digits)
    answer.deliver(form, output)


@app.command(cls=Habits)
def agreement(
    *,
    systems: o.SystemNames = None,
    test_set: o.TestSet = None,
    language_pair: o.LanguagePair = None,
    scores: o.Scores = None,
    smaller_is_better: o.SmallerIsBetter = False,
    metric: o.ComparedMetrics = None,
    gold: o.Gold = None,
    correction: o.MetricsCorrection = None,
    alpha: o.Alpha = 0.05,
    n_resamples: o.NPermutations = None,
    seed: o.Seed = 12345,
    pairs: o.MetricPairs = False,
    digits: o.Digits = None,
    output_format: o.OutputFormat = None,
    output: o.Outputs = None,
    title: o.Title = "",
    exit_code: o.ExitCode = False,
) -> None:
    """Test which metric agrees best with people.

    For an embedded campaign, or scores of your own. One row per metric, with its soft pairwise
    accuracy and its pairwise accuracy; then all pairs of metrics, with systems as units.
    """
    from ..outcomes.outcome import Layout
    from . import contents
    from .printing import formats_of

    places = formats_of(output_format, output, _COMPARISONS)
    _check_forms(places, title=title, people=False)
    if not test_set and not scores:
        raise typer.BadParameter("nothing to compare: give a campaign with -t, or --scores.")
    if gold is None and scores:
        raise typer.BadParameter("name the column of people's scores: --gold COLUMN.")
    analysis = _analysis(
        systems=systems,
        test_set=test_set,
        language_pair=language_pair,
        scores=scores,
        metric=metric or ["all"],
        output=output,
        settings={
            "smaller_is_better": smaller_is_better,
            "gold": gold or "people",
            "correction": o.correction_named(correction),
            "alpha": alpha,
            "n_resamples": n_resamples,
            "seed": seed,
        },
    )
    layout = Layout(digits=digits, pairs=pairs)
    answer = contents.of_outcome(analysis.run(), layout, title=title)
    answer.deliver_all(places)
    if exit_code and not answer.distinguished:
        raise typer.Exit(NO_DIFFERENCE)


@app.command(cls=_Gate)
def gate(
    *,
    systems: o.Systems = None,
    inputs: o.Inputs = None,
    reference: o.Reference = None,
    documents: o.Documents = None,
    n_references: o.NReferences = None,
    test_set: o.TestSet = None,
    language_pair: o.LanguagePair = None,
    scores: o.Scores = None,
    smaller_is_better: o.SmallerIsBetter = False,
    by: o.By = None,
    missing: o.Missing = "raise",
    shared: o.Shared = None,
    metric: o.Metric = None,
    tokenize: o.Tokenize = None,
    lowercase: o.Lowercase = False,
    baseline: o.GateBaseline = None,
    margin: o.Margin,
    alpha: o.GateAlpha = 0.05,
    n_resamples: o.NBootstraps = None,
    units: o.ResampledUnits = None,
    seed: o.Seed = 12345,
    digits: o.Digits = None,
    output_format: o.GateFormat = None,
    output: o.Outputs = None,
    title: o.Title = "",
) -> None:
    """Say whether systems are worse than a baseline by a margin or more, for CI.

    Every system but the baseline is a candidate. The gate passes only if each candidate passes
    under each metric, on each test set. Exit codes: 0 not worse, 1 worse by more than the margin, 2
    cannot tell, 64 wrong usage, 65 input that cannot be used. -f junit and -f markdown are for
    services that run it.
    """
    from ..outcomes.gate import GateOutcome
    from ..outcomes.outcome import Layout
    from . import contents
    from .printing import formats_of

    places = formats_of(output_format, output, list(o.Format))
    _check_forms(places, title=title, people=False)
    names = list(systems or ())
    if baseline is None:
        if not inputs:
            raise typer.BadParameter("name the system to compare with: --baseline NAME.")
    elif (test_set or scores) and names and baseline not in names:
        names.insert(0, baseline)
    else:
        baseline = _first_if_a_file(baseline, names) and _first_if_a_file(baseline, inputs)
    analysis = _analysis(
        systems=names,
        inputs=inputs,
        reference=reference,
        documents=documents,
        n_references=n_references,
        test_set=test_set,
        language_pair=language_pair,
        scores=scores,
        metric=metric,
        tokenize=tokenize,
        lowercase=lowercase,
        output=output,
        settings={
            "smaller_is_better": smaller_is_better,
            "by": by,
            "missing": missing,
            "shared": None if shared is None else shared is o.YesOrNo.yes,
            "margin": o.margins_named(margin),
            "baseline": baseline or "",  # the first system
            "alpha": alpha,
            "n_resamples": n_resamples,
            "units": None if units is None else units.value,
            "seed": seed,
        },
    )
    outcome = analysis.run()
    assert isinstance(outcome, GateOutcome)  # there is a margin
    answer = contents.of_gate(
        outcome, Layout(digits=digits), notes=_notes_on_units(documents, units), title=title
    )
    answer.deliver_all(places)
    raise typer.Exit(_OF_VERDICT[outcome.verdict])


@app.command(cls=Habits)
def leaderboard(
    *,
    systems: o.Systems = None,
    inputs: o.Inputs = None,
    reference: o.Reference = None,
    n_references: o.NReferences = None,
    documents: o.Documents = None,
    test_set: o.TestSet = None,
    language_pair: o.LanguagePair = None,
    scores: o.Scores = None,
    smaller_is_better: o.SmallerIsBetter = False,
    by: o.By = None,
    missing: o.Missing = "raise",
    shared: o.Shared = None,
    metric: o.Metric = None,
    tokenize: o.Tokenize = None,
    lowercase: o.Lowercase = False,
    aggregate: o.Aggregate = o.Aggregates.mean_rank,
    tasks: o.TasksOption = o.TasksAre.fixed,
    confidence_level: o.BoardConfidence = 0.95,
    n_resamples: o.NBoards = None,
    units: o.ResampledUnits = None,
    seed: o.Seed = 12345,
    pairs: o.Pairs = False,
    digits: o.Digits = None,
    output_format: o.OutputFormat = None,
    output: o.Outputs = None,
    title: o.Title = "",
    exit_code: o.ExitCode = False,
) -> None:
    """Put several test sets, or metrics, together in one order of all systems.

    Prints intervals of each system's value, the possible ranks, how often the first system stays
    first, and what the board would be without each task. Tasks are the test sets of --scores (--by
    names their column), each under each metric; or several metrics on one test set.
    """
    from ..outcomes.outcome import Layout
    from . import contents
    from .printing import formats_of

    places = formats_of(output_format, output, _COMPARISONS)
    _check_forms(places, title=title, people=False)
    analysis = _analysis(
        systems=systems,
        inputs=inputs,
        reference=reference,
        documents=documents,
        n_references=n_references,
        test_set=test_set,
        language_pair=language_pair,
        scores=scores,
        metric=metric,
        tokenize=tokenize,
        lowercase=lowercase,
        output=output,
        settings={
            "smaller_is_better": smaller_is_better,
            "by": by,
            "missing": missing,
            "shared": None if shared is None else shared is o.YesOrNo.yes,
            "aggregate": aggregate.value,
            "tasks": tasks.value,
            "confidence_level": confidence_level,
            "n_resamples": n_resamples,
            "units": None if units is None else units.value,
            "seed": seed,
        },
    )
    layout = Layout(digits=digits, pairs=pairs)
    notes = _notes_on_units(documents, units)
    answer = contents.of_outcome(analysis.run(), layout, notes=notes, title=title)
    answer.deliver_all(places)
    if exit_code and not answer.distinguished:
        raise typer.Exit(NO_DIFFERENCE)


@app.command(cls=Habits)
def watch(
    *,
    systems: o.SystemNames = None,
    scores: o.Scores = None,
    metric: o.JudgedColumn = None,
    smaller_is_better: o.SmallerIsBetter = False,
    order: o.JudgedOrder = None,
    planned: o.Planned,
    looks: o.Looks,
    spending: o.Spending = o.Spendings.obrien_fleming,
    alpha: o.Alpha = 0.05,
    futility: o.Futility = 0.1,
    units: o.JudgedUnits = o.Units.segments,
    n_resamples: o.NFlips = None,
    seed: o.Seed = 12345,
    output_format: o.OutputFormat = None,
    output: o.Outputs = None,
    title: o.Title = "",
    exit_code: o.ExitCode = False,
) -> None:
    """Look at judgements while they come in, and say whether to stop.

    Prints a line for each look so far, with one level over all of them. Run it again when the file
    of --scores has grown: earlier looks stay as they were. If two systems are named, that pair is
    watched; otherwise all pairs together. If it is known who judged, a second line says what each
    look shows about other raters. An output file that ends in .html gets a report with the picture.
    """
    from ..outcomes.looks import LooksOutcome
    from ..report.watch import Watch
    from ..significance.sequential import NO_LOOK_YET
    from . import contents_of_looks
    from .printing import formats_of

    places = formats_of(output_format, output, _COMPARISONS)
    _check_forms(places, title=title, people=False)
    if not scores:
        raise typer.BadParameter("nothing to watch: give the judgements with --scores.")
    _let_blas_take_its_memory()
    watched = Watch(
        systems=systems or (),
        scores=_one_or_several(scores),
        metrics=[metric] if metric else (),
        smaller_is_better=smaller_is_better,
        order=order,
        planned=planned,
        looks=looks,
        spending=spending.value,
        alpha=alpha,
        futility=futility,
        units=units.value,
        n_resamples=n_resamples,
        seed=seed,
    )
    _check_outputs(output, watched.files())
    try:
        outcome = watched.run()
        assert isinstance(outcome, LooksOutcome)  # which a watch has
        answer = contents_of_looks.of_looks(outcome, title=title)
    except InputError as error:
        if error.code != NO_LOOK_YET:
            raise
        still_to_come = error.problem.removeprefix("looks: ")
        answer = contents_of_looks.of_no_look_yet(still_to_come, sources=watched.sources)
    answer.deliver_all(places)
    if exit_code and not answer.distinguished:
        raise typer.Exit(NO_DIFFERENCE)


@app.command()
def datasets(
    *,
    name: o.CampaignName = None,
    output_format: o.OutputFormat = None,
    output: o.Output = None,
) -> None:
    """List the embedded campaigns, or show the data sheet of one."""
    from . import contents_of_campaigns
    from .printing import format_of

    form = format_of(output_format, output, _TABLES)
    if name is None:
        answer = contents_of_campaigns.of_all_campaigns()
    else:
        answer = contents_of_campaigns.of_campaign(name)
    answer.deliver(form, output)


# --- what was typed, as settings ------------------------------------------------------------------


def _check_forms(
    places: Sequence[tuple[o.Format, Path | None]], *, title: str, people: bool
) -> None:
    """Raise `typer.BadParameter` for options that do not go with the formats."""
    forms = [form for form, _ in places]
    if title and o.Format.html not in forms:
        raise typer.BadParameter("--title names a report: add --output report.html.")
    for form, output in places:
        if form is o.Format.html and output is None:
            raise typer.BadParameter("a report needs a file: --output report.html.")
        if form in o.FIGURES and output in (None, o.STANDARD_OUTPUT):
            raise typer.BadParameter(f"a figure needs a file: --output figure.{form.value}.")
        if people and form not in (o.Format.text, o.Format.html):
            raise typer.BadParameter("--people is shown on the screen only: leave --format out.")
        if form is o.Format.html:
            require_extra("matplotlib", extra="notebook", purpose="A report")
        if form in o.FIGURES:
            require_extra("matplotlib", extra="notebook", purpose="A figure")


def _notes_on_units(documents: Sequence[str] | None, units: o.Units | None) -> list[Note]:
    """A note on the units where they are documents only because `documents` are named."""
    from ..notes import note

    if documents and units is None:
        return [note("documents-named")]
    return []


def _remarks(outcome: Outcome, baseline: str | None, tested: o.Tested) -> list[str]:
    """What sacreBLEU's options of the same names would print, a line each."""
    lines = []
    if tested.paired_bs:
        lines.append(outcome.by_sacrebleu("bs", baseline))
    if tested.paired_ar:
        lines.append(outcome.by_sacrebleu("ar", baseline))
    return [line for line in lines if line]


def _analysis(
    *,
    systems: Sequence[str] | None,
    test_set: Sequence[str] | None,
    language_pair: Sequence[str] | None,
    metric: Sequence[str] | None,
    output: Path | Sequence[Path] | None,
    inputs: Sequence[str] | None = None,
    reference: Sequence[str] | None = None,
    n_references: int | None = None,
    tokenize: str | None = None,
    lowercase: bool = False,
    documents: Sequence[str] | None = None,
    scores: Sequence[str] | None = None,
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> Analysis:
    """The analysis that a command asks for; `settings` are those that go into it as they are."""
    _let_blas_take_its_memory()
    from ..report.analysis import Analysis
    from ..report.inputs import campaign_named

    campaign = _single("test_set", test_set)
    pair = _single("language_pair", language_pair)
    document_file = _single("documents", documents)
    system_names = list(systems or ())
    references = list(reference or ())
    if inputs and campaign is None and not scores:
        # As in sacreBLEU, what stands before -i are references.
        references += system_names
        system_names = list(inputs)
    else:
        system_names += inputs or ()
    if campaign is None and not scores and not references:
        before = " before -i" if inputs else ""
        raise typer.BadParameter(
            f"nothing to measure: give a reference{before} with -r, or -t, or --scores."
        )
    if campaign is not None:
        _check_no_texts(system_names)
        campaign = campaign_named(campaign, pair)
    analysis = Analysis(
        systems=system_names,
        references=references,
        documents=document_file,
        n_references=n_references or 1,
        language_pair=pair if campaign is None else None,
        campaign=campaign,
        scores=_one_or_several(scores),
        metrics=metric or (),
        settings=_settings_of_metrics(tokenize, lowercase=lowercase),
        **settings,
    )
    _check_outputs(output, analysis.files())
    return analysis


def _check_outputs(output: Path | Sequence[Path] | None, inputs: Sequence[Path]) -> None:
    """Raise `InputError` if an output file cannot be written, or is one of the inputs."""
    for file in [output] if isinstance(output, Path) else output or ():
        if file != o.STANDARD_OUTPUT:
            check_output(file, inputs)


def _first_if_a_file(baseline: str, files: list[str] | None) -> str:
    """The name of the baseline; empty if it is one of the files, which then stands first."""
    if not files or baseline not in files or not Path(baseline).is_file():
        return baseline
    files.remove(baseline)
    files.insert(0, baseline)
    return ""


def _check_no_texts(systems: Sequence[str]) -> None:
    """Raise `InputError` for a file among the systems of an embedded campaign."""
    texts = [name for name in systems if Path(name).is_file()]
    if texts:
        raise InputError(
            f"{texts[0]!r} is a file, and -t names an embedded campaign, which has figures and no "
            "texts. Give the reference as a file too: mtsig compare REF -i FILE FILE, without -t."
        )


def _one_or_several(scores: Sequence[str] | None) -> str | list[str] | None:
    """The file of scores, or the files if there are several."""
    if not scores:
        return None
    return scores[0] if len(scores) == 1 else list(scores)


def _settings_of_metrics(tokenize: str | None, *, lowercase: bool) -> dict[str, Any]:
    """Settings for all metrics that have them."""
    settings: dict[str, Any] = {}
    if tokenize:
        settings["tokenize"] = tokenize
    if lowercase:
        settings["lowercase"] = lowercase
    return settings


def _let_blas_take_its_memory() -> None:
    """Have NumPy's BLAS allocate its own memory while there is some.

    Otherwise it does so at the first product, and ends the process where our data have left none.
    """
    import numpy as np

    square = np.ones((200, 200))
    np.matmul(square, square)


def _single(option: str, values: Sequence[str] | None) -> str | None:
    """The value of an option that has one; several are refused, since all but one would be lost."""
    if values is not None and len(values) > 1:
        raise typer.BadParameter(
            f"--{option.replace('_', '-')} is given {len(values)} times, with "
            f"{' and '.join(map(repr, values))}. Give one."
        )
    return values[0] if values else None
