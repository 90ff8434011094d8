"""The options of the commands, each once: how it is typed, what it takes, and its help."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

#: As an output: standard output, said in so many words.
STANDARD_OUTPUT = Path("-")

#: What to write in the place of other tools' options that have none of the same name here.
INSTEAD = {
    "--confidence-n": "Intervals are always printed, from 2,000 resamples.",
    "--paired-jobs": "There is no work to share out: all pairs use the same resamples.",
    "-j": "There is no work to share out: all pairs use the same resamples.",
    "--smooth-method": "Write -m BLEU:smooth_method=floor.",
    "-s": "Write -m BLEU:smooth_method=floor.",
    "--to_json": "Write -f json.",
    "--x_translation": "Give the scores of comet-score: --scores scores.json.",
    "--METRIC-SETTING": (
        "Settings follow a metric's name: -m chrF:word_order=2, -m TER:normalized=yes."
    ),
}


class Format(StrEnum):
    """How a table is written."""

    text = "text"
    json = "json"
    latex = "latex"
    csv = "csv"
    markdown = "markdown"
    html = "html"
    mail = "mail"
    bibtex = "bibtex"
    pdf = "pdf"
    svg = "svg"
    png = "png"
    junit = "junit"


#: Formats of figures.
FIGURES = (Format.pdf, Format.svg, Format.png)


class YesOrNo(StrEnum):
    """An answer."""

    yes = "yes"
    no = "no"


class Sides(StrEnum):
    """What is tested of a pair."""

    two_sided = "two-sided"
    greater = "greater"
    less = "less"


class Units(StrEnum):
    """What is resampled."""

    segments = "segments"
    documents = "documents"


class Intervals(StrEnum):
    """Intervals of differences."""

    percentile = "percentile"
    basic = "basic"
    simultaneous = "simultaneous"


def _output(text: str) -> Path:
    if not text or Path(text).is_dir():
        raise typer.BadParameter(f"{text!r} is not a file; - stands for standard output.")
    return Path(text)


def _option(*names: str, panel: str, **settings: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **settings)


# What may be given once is a list as well, so that a second one is noticed and refused.

# --- input ----------------------------------------------------------------------------------------

Systems = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files with the outputs of systems, as FILE or NAME=FILE, or a folder of them, or - "
        "for standard input; with -i, as in sacreBLEU, the references. With -t or --scores: names "
        "of systems, by default all.",
    ),
]
SystemNames = Annotated[list[str] | None, typer.Argument(help="Names of systems, by default all.")]
Inputs = Annotated[
    list[str] | None,
    _option(
        "--input",
        "-i",
        panel="Input",
        metavar="FILE...",
        help="The systems, as in sacreBLEU: mtsig compare REF -i BASELINE A B. All are compared "
        "with the first.",
    ),
]
Reference = Annotated[
    list[str] | None,
    _option(
        "--reference",
        "-r",
        panel="Input",
        help="File with a reference; repeat it for several. With -t: label of a reference.",
    ),
]
Documents = Annotated[
    list[str] | None,
    _option(
        "--documents",
        "-d",
        panel="Input",
        help="File with the name of each segment's document, one per line.",
    ),
]
NReferences = Annotated[
    int | None,
    _option(
        "--num-refs",
        panel="Input",
        min=1,
        help="Number of references in each line of a reference file, with tabs between them, as "
        "in sacreBLEU.",
    ),
]
TestSet = Annotated[
    list[str] | None,
    _option(
        "--test-set",
        "-t",
        panel="Input",
        help="An embedded campaign instead of files, such as wmt12; mtsig datasets lists them.",
    ),
]
LanguagePair = Annotated[
    list[str] | None,
    _option(
        "--language-pair",
        "--langpair",
        "-l",
        panel="Input",
        help="Language pair of the campaign, such as es-en; for files of your own, it chooses the "
        "tokenizer, as in sacreBLEU.",
    ),
]
Scores = Annotated[
    list[str] | None,
    _option(
        "--scores",
        panel="Input",
        metavar="FILE...",
        help="Segment scores (COMET, ratings) instead of texts: a table (CSV, TSV, JSON lines) "
        "with a row for each system and segment or a column for each system, what comet-score "
        "prints or writes with --to_json, WMT's .seg.score, logs of lm-evaluation-harness, "
        "Inspect and promptfoo, or a folder of them; Pearmut's logs, Appraise's exports, marks of "
        "errors (MQM); an arena's battles, WMT's rankings. As FILE, or NAME=FILE to name the "
        "system. -m names the columns to take.",
    ),
]
SmallerIsBetter = Annotated[
    bool,
    _option(
        "--smaller-is-better",
        panel="Input",
        help="Lower is better, for all segment scores; for one of them, write -m MQM:lower.",
    ),
]
By = Annotated[
    str | None,
    _option(
        "--by",
        panel="Input",
        metavar="COLUMN",
        help="The column of --scores that says which test set a row belongs to, such as domain; by "
        "default test_set or lp.",
    ),
]
Missing = Annotated[
    str,
    _option(
        "--missing",
        panel="Input",
        help="What to do if systems lack scores of a test set: raise (an error that names them), "
        "or common (compare only systems that have all scores).",
    ),
]
Shared = Annotated[
    YesOrNo | None,
    _option(
        "--shared",
        panel="Input",
        help="Whether several test sets of --scores have the same segments, or documents. By "
        "default texts (columns source and reference) and names decide; if only row numbers "
        "coincide, you get the more cautious analysis.",
    ),
]

# --- metrics --------------------------------------------------------------------------------------

Metric = Annotated[
    list[str] | None,
    _option(
        "--metric",
        "--metrics",
        "-m",
        panel="Metrics",
        metavar="NAME...",
        help="BLEU (the default), chrF, chrF++, TER, NIST, GTM, METEOR, METEORJar (needs Java), "
        "or all (those that need nothing but text). Settings follow a colon: "
        "BLEU:tokenize=intl,smooth_method=floor. With --scores: a column, and which way is "
        "better, as in MQM:lower or COMET:higher; or a ratio of sums of columns under a name, as "
        "in WER=errors/words:lower.",
    ),
]
Tokenize = Annotated[
    str | None,
    _option(
        "--tokenize",
        "-tok",
        panel="Metrics",
        help="sacreBLEU's tokenizer, for metrics that have a choice (spm, flores200, ja-mecab and "
        "ko-mecab need packages of their own).",
    ),
]
Lowercase = Annotated[bool, _option("--lowercase", "-lc", panel="Metrics", help="Ignore case.")]

Gold = Annotated[
    str | None,
    _option(
        "--gold",
        panel="Metrics",
        help="People's judgements: with -t the name of a campaign's judgements, by default the "
        "main ones; with --scores the column of people's scores, and which way is better, as in "
        "MQM:lower.",
    ),
]
ComparedMetrics = Annotated[
    list[str] | None,
    _option(
        "--metric",
        "--metrics",
        "-m",
        panel="Metrics",
        metavar="NAME...",
        help="The metrics to compare, by default all: of an embedded campaign, or columns of "
        "--scores, and which way is better, as in COMET:higher.",
    ),
]

# --- the test -------------------------------------------------------------------------------------

Test = Annotated[
    str,
    _option(
        "--test",
        panel="Test",
        help="ar (approximate randomization), sign-flip (the same where scores are means; for BLEU "
        "where one output is shorter than the references and the other longer), bootstrap (shift "
        "method), paired-bootstrap (Koehn 2004), studentized-bootstrap (bootstrap-t), or "
        "riezler-maxwell-bootstrap (the pitfall, for study).",
    ),
]
PairedBs = Annotated[
    bool,
    _option(
        "--paired-bs",
        panel="Test",
        help="Use --test bootstrap, two-sided, and print what sacreBLEU's option of this name "
        "prints.",
    ),
]
PairedAr = Annotated[
    bool,
    _option(
        "--paired-ar",
        panel="Test",
        help="Use --test ar, and print what sacreBLEU's option of this name prints.",
    ),
]
Correction = Annotated[
    str | None,
    _option(
        "--correction",
        panel="Test",
        help="Correction for many comparisons (all pairs under all metrics): holm (the default), "
        "bonferroni, hochberg, hommel, sidak, benjamini-hochberg (fdr), benjamini-yekutieli, "
        "westfall-young (the default over several test sets), romano-wolf, tukey, or none.",
    ),
]
MetricsCorrection = Annotated[
    str | None,
    _option(
        "--correction",
        panel="Test",
        help="Correction for many comparisons (all pairs of metrics): holm (the default), "
        "bonferroni, hochberg, hommel, sidak, benjamini-hochberg (fdr), benjamini-yekutieli, or "
        "none.",
    ),
]
Alpha = Annotated[float, _option("--alpha", "-a", panel="Test", help="Level of significance.")]
Alternative = Annotated[
    Sides,
    _option(
        "--alternative",
        panel="Test",
        help="In each pair the system with the better score comes first: 'greater' tests whether "
        "it is better.",
    ),
]
NResamples = Annotated[
    int | None,
    _option(
        "--resamples",
        "--paired-bs-n",
        "--paired-ar-n",
        "-n",
        panel="Test",
        min=1,
        help="Number of resamples. By default 10,000, and up to 100,000 for pairs that these "
        "leave open.",
    ),
]
NPermutations = Annotated[
    int | None,
    _option(
        "--resamples",
        "-n",
        panel="Test",
        min=1,
        help="Number of resamples for the p-value of each pair of systems. By default 1,000.",
    ),
]
ResampledUnits = Annotated[
    Units | None,
    _option(
        "--units",
        panel="Test",
        help="What is resampled. By default documents if they are given with -d or, over several "
        "test sets, known; otherwise segments.",
    ),
]
Counting = Annotated[
    str,
    _option(
        "--counting",
        panel="Test",
        help="How p is computed if c of R resamples are extreme. add-one: (c+1)/(R+1), ties "
        "counted; plain: c/R; stroppa: (c+1)/R; strict: add-one with ties not counted, as in "
        "sacreBLEU.",
    ),
]
Interval = Annotated[
    Intervals,
    _option(
        "--interval",
        panel="Test",
        help="Intervals of differences: percentile and basic hold for each pair alone, "
        "simultaneous for all pairs under all metrics together.",
    ),
]
ConfidenceLevel = Annotated[
    float, _option("--confidence", panel="Test", help="Confidence level of intervals.")
]
Seed = Annotated[int, _option("--seed", panel="Test", min=0, help="Seed of the resamples.")]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tested:
    """How pairs are tested: options of the test, each typed by its name.

    All but those that are sacreBLEU's are settings of an analysis, of the same names.
    """

    test: Test = "ar"
    paired_bs: PairedBs = False
    paired_ar: PairedAr = False
    correction: Correction = None
    alpha: Alpha = 0.05
    alternative: Alternative = Sides.two_sided
    n_resamples: NResamples = None
    units: ResampledUnits = None
    counting: Counting = "add-one"
    interval: Interval = Intervals.percentile
    confidence_level: ConfidenceLevel = 0.95
    seed: Seed = 12345

    def settings(self) -> dict[str, Any]:
        """The settings of an analysis that they stand for."""
        settings: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            settings[field.name] = value.value if isinstance(value, StrEnum) else value
        asked = {name for name in ("paired_bs", "paired_ar") if settings.pop(name)}
        settings["test"] = _test_named(self.test, asked)
        settings["correction"] = correction_named(self.correction)
        return settings


def _test_named(test: str, asked_as_in_sacrebleu: Collection[str]) -> str:
    """The name of the test that was asked for, by its own option or by sacreBLEU's."""
    from ..engine.procedures import procedure_named

    asked = {test} - {"ar"}
    if "paired_bs" in asked_as_in_sacrebleu:
        asked.add("bootstrap")
    if "paired_ar" in asked_as_in_sacrebleu:
        asked.add("ar")
    if len(asked) > 1:
        raise typer.BadParameter("--paired-bs, --paired-ar and --test name different tests.")
    return procedure_named(asked.pop() if asked else "ar").name


def correction_named(correction: str | None) -> str | None:
    """The correction that was asked for: None for none, and the usual one by default."""
    correction = correction or "usual"
    return None if correction.casefold() == "none" else correction


def typed_by_field(command: Callable[..., None]) -> Callable[..., None]:
    """A command that is typed with the fields of `Tested`, in the place of its parameter `tested`.

    Typer reads parameters from a signature.  It is given the command's own, as written, with that
    of `Tested` in it, so that an option of the test is written in one place.
    """
    written = inspect.signature(command, eval_str=True)
    options = inspect.signature(Tested, eval_str=True).parameters
    parameters: list[Parameter] = []
    for name, parameter in written.parameters.items():
        parameters += options.values() if name == "tested" else [parameter]

    @functools.wraps(command)
    def called(**values: Any) -> None:
        tested = Tested(**{name: values.pop(name) for name in options})
        command(tested=tested, **values)

    called.__signature__ = written.replace(parameters=parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


# --- looks at judgements that are still coming in -------------------------------------------------


class Spendings(StrEnum):
    """How the error is spent over the looks."""

    obrien_fleming = "obrien-fleming"
    pocock = "pocock"
    even = "even"


def _numbers_of_looks(text: str) -> int | list[int]:
    """How many looks there are, or after how many units each is, as ``10`` or ``50,100,200``."""
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{text!r}: give a number, or numbers as in 50,100,200.") from None
    return numbers if len(numbers) > 1 else numbers[0]


JudgedColumn = Annotated[
    str | None,
    _option(
        "--metric",
        "-m",
        panel="Input",
        metavar="NAME",
        help="The column of judgements, if there are several, and which way is better, as in "
        "MQM:lower.",
    ),
]
JudgedOrder = Annotated[
    str | None,
    _option(
        "--order",
        panel="Input",
        metavar="COLUMN",
        help="The column with the order in which judgements came: times, as in 2026-11-27 "
        "14:05:00, or numbers. By default the order of the file.",
    ),
]
Planned = Annotated[
    int,
    _option(
        "--planned",
        panel="Test",
        min=1,
        help="The most units that are to be judged, as decided before the first look.",
    ),
]
Looks = Annotated[
    Any,
    _option(
        "--looks",
        panel="Test",
        parser=_numbers_of_looks,
        metavar="N or N,N,...",
        help="The number of looks, equally far apart; or the numbers of units after which they "
        "come, as in 50,100,200. Name every look at which you could have stopped, also those that "
        "nobody planned.",
    ),
]
Spending = Annotated[
    Spendings,
    _option(
        "--spending",
        panel="Test",
        help="How much of the error early looks may spend: obrien-fleming (hardly any), pocock (as "
        "much as late ones), or even. Choose before the first look.",
    ),
]
Futility = Annotated[
    float,
    _option(
        "--futility",
        panel="Test",
        help="A pair is given up if its probability of being told apart at the end is below this.",
    ),
]
JudgedUnits = Annotated[
    Units,
    _option("--units", panel="Test", help="The independent units, which are also what is counted."),
]
NFlips = Annotated[
    int | None,
    _option(
        "--resamples",
        "-n",
        panel="Test",
        min=1,
        help="Number of sign flips, for all looks. By default 10,000, and up to 100,000 from the "
        "first look that is near the boundary.",
    ),
]

# --- a gate ---------------------------------------------------------------------------------------

GateBaseline = Annotated[
    str | None,
    _option(
        "--baseline",
        panel="Gate",
        help="The name of the system that candidates must not lose to. By default the first after "
        "-i.",
    ),
]
Margin = Annotated[
    list[str],
    _option(
        "--margin",
        panel="Gate",
        metavar="NUMBER or METRIC=NUMBER",
        help="How much worse than the baseline is too much, in points of the metric. It must be "
        "larger than 0, and chosen before the scores are seen. For several metrics, give one for "
        "each, as in --margin BLEU=0.5 --margin COMET=0.005.",
    ),
]
GateAlpha = Annotated[
    float,
    _option(
        "--alpha",
        "-a",
        panel="Gate",
        help="How often a candidate that is worse by exactly the margin may pass.",
    ),
]
NBootstraps = Annotated[
    int | None,
    _option(
        "--resamples", "-n", panel="Gate", min=1, help="Number of resamples. By default 10,000."
    ),
]


def margins_named(texts: Sequence[str]) -> float | dict[str, float]:
    """The margin for all metrics, or for each by its name."""
    if len(texts) == 1 and "=" not in texts[0]:
        return _margin(texts[0], texts[0])
    margins: dict[str, float] = {}
    for text in texts:
        metric, equals, number = text.rpartition("=")
        if not equals:
            raise typer.BadParameter(
                f"--margin {text}: there are several margins. Name the metric of each: "
                f"METRIC={text}."
            )
        if metric in margins:
            raise typer.BadParameter(f"--margin {text}: {metric} already has a margin.")
        margins[metric] = _margin(number, text)
    return margins


def _margin(number: str, text: str) -> float:
    """A margin, which has to be a number."""
    try:
        return float(number)
    except ValueError:
        raise typer.BadParameter(f"--margin {text}: {number!r} is not a number.") from None


# --- a leaderboard --------------------------------------------------------------------------------


class Aggregates(StrEnum):
    """What orders the systems of a board."""

    mean_score = "mean-score"
    mean_rank = "mean-rank"
    borda = "borda"
    win_rate = "win-rate"


class TasksAre(StrEnum):
    """What tasks are."""

    fixed = "fixed"
    sample = "sample"


Aggregate = Annotated[
    Aggregates,
    _option(
        "--aggregate",
        panel="Board",
        help="What orders the systems: the mean of their scores (of one metric), the mean of their "
        "ranks, Borda count, or the mean share of the others that they beat.",
    ),
]
TasksOption = Annotated[
    TasksAre,
    _option(
        "--tasks",
        panel="Board",
        help="fixed: how would the board look with other segments of these tasks? sample: with "
        "other tasks like these?",
    ),
]
BoardConfidence = Annotated[
    float,
    _option(
        "--confidence", panel="Board", help="Confidence level of intervals and possible ranks."
    ),
]
NBoards = Annotated[
    int | None,
    _option(
        "--resamples", "-n", panel="Board", min=1, help="Number of resamples. By default 2,000."
    ),
]

# --- output ---------------------------------------------------------------------------------------

Baseline = Annotated[
    str | None,
    _option(
        "--baseline",
        panel="Output",
        help="The system that the table compares all others with. By default the first after -i, "
        "or else the best.",
    ),
]
Pairs = Annotated[bool, _option("--pairs", panel="Output", help="Show all pairs as well.")]
MetricPairs = Annotated[
    bool,
    _option(
        "--pairs", panel="Output", help="Show the pairs of metrics, in formats with one table."
    ),
]
Examples = Annotated[
    int | None,
    _option(
        "--examples",
        panel="Output",
        min=1,
        metavar="N",
        help="The N segments (or documents) that contribute most to the difference, and the N "
        "that count most against it, with their texts if there are any: for the best system and "
        "the next, or for --baseline and each other system. With -f csv they replace the pairs.",
    ),
]
People = Annotated[
    bool,
    _option(
        "--people",
        panel="Output",
        help="How often people agree with differences as large as those from the best, in the "
        "embedded campaigns.",
    ),
]
Digits = Annotated[
    int | None,
    _option("--width", "-w", panel="Output", min=0, max=15, help="Decimals of scores."),
]
#: The formats that only a gate has.
_OF_GATES = (Format.junit,)
OutputFormat = Annotated[
    Format | None,
    _option(
        "--format",
        "-f",
        panel="Output",
        metavar=f"<{'|'.join(form for form in Format if form not in _OF_GATES)}>",
        help="By default the format that the suffix of --output names, or else text. html is a "
        "report, mail an HTML table to paste into a mail, bibtex the papers that the sentence on "
        "methods cites; pdf, svg and png are a figure as wide as a column.",
    ),
]
GateFormat = Annotated[
    Format | None,
    _option(
        "--format",
        "-f",
        panel="Output",
        help="By default the format that the suffix of --output names (.xml for junit), or else "
        "text.",
    ),
]
Output = Annotated[
    Path | None,
    _option(
        "--output",
        "-o",
        panel="Output",
        parser=_output,
        metavar="FILE",
        help="Write to this file, completely or not at all, instead of standard output (-). "
        "Devices, pipes and links are written through; an input is refused.",
    ),
]
Outputs = Annotated[
    list[Path] | None,
    _option(
        "--output",
        "-o",
        panel="Output",
        parser=_output,
        metavar="FILE",
        help="Write to this file, completely or not at all, instead of standard output (-). Its "
        "suffix sets the format: .html the report, .tex, .md, .csv, .json, .bib, or a figure "
        "(.pdf, .svg, .png). Repeat it for several files. Devices, pipes and links are written "
        "through; an input is refused.",
    ),
]
Title = Annotated[str, _option("--title", panel="Output", help="Title of the report.")]
ExitCode = Annotated[
    bool,
    _option("--exit-code", panel="Output", help="Exit with 3 if no pair is distinguished."),
]
CampaignName = Annotated[
    str | None,
    typer.Argument(help="A campaign, such as wmt12/es-en: shows what is known about it."),
]
