"""The options that several commands share, each described once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

INPUT, METRICS, TEST, OUTPUT = "Input", "Metrics", "Test", "Output"

#: As an output: standard output, said in so many words.
STANDARD_OUTPUT = Path("-")


class Format(StrEnum):
    """How a table is written."""

    text = "text"
    json = "json"
    latex = "latex"
    csv = "csv"
    markdown = "markdown"
    html = "html"


class Alternative(StrEnum):
    """Which tails are counted."""

    two_sided = "two-sided"
    greater = "greater"
    less = "less"


class Units(StrEnum):
    """What is resampled."""

    segments = "segments"
    documents = "documents"


class Interval(StrEnum):
    """What kind of intervals differences have."""

    percentile = "percentile"
    basic = "basic"
    simultaneous = "simultaneous"


Systems = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files with the outputs of systems, as FILE or NAME=FILE, or a folder of them; with "
        "-i, as for sacreBLEU, the references. With -t or --scores: names of systems, by default "
        "all.",
        show_default=False,
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        "-i",
        metavar="FILE...",
        help="The systems, as for sacreBLEU: mtsig compare REF -i BASELINE A B. All are compared "
        "with the first.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
References = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        "-r",
        help="File with a reference; repeat it for several. With -t: label of a reference.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
#: Lists of what may be given once, so that a second one is noticed and refused.
Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--documents",
        "-d",
        help="File with the name of each segment's document, one per line.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
TestSetName = Annotated[
    list[str] | None,
    typer.Option(
        "--test-set",
        "-t",
        help="An embedded campaign in place of files, such as wmt12; mtsig datasets lists them.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
Pair = Annotated[
    list[str] | None,
    typer.Option(
        "--language-pair",
        "--langpair",
        "-l",
        help="Language pair of the campaign, such as es-en.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
Scores = Annotated[
    list[str] | None,
    typer.Option(
        "--scores",
        metavar="FILE...",
        help="Segment scores (COMET, ratings) in place of texts: a table (CSV, TSV, JSON lines) "
        "with a row for each system and segment or a column for each system, what comet-score "
        "prints or writes with --to_json, WMT's .seg.score. -m names the columns to take.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
SmallerIsBetter = Annotated[
    bool,
    typer.Option(
        "--smaller-is-better",
        help="Said of all segment scores; -m MQM:lower says it of one.",
        rich_help_panel=INPUT,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        help="The column of --scores that says which test set a row belongs to, such as domain; "
        "by default test_set or lp.",
        rich_help_panel=INPUT,
        show_default=False,
    ),
]
Missing = Annotated[
    str,
    typer.Option(
        "--missing",
        help="Systems that lack scores of a test set: raise (an error that names them), or common "
        "(only systems that have all are compared).",
        rich_help_panel=INPUT,
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "--metrics",
        "-m",
        metavar="NAME...",
        help="BLEU (the default), chrF, chrF++, TER, NIST, GTM, METEOR, METEORJar (needs Java), "
        "or all that need nothing but text. Settings follow a colon: "
        "BLEU:tokenize=intl,smooth_method=floor. With --scores: a column, and which way is better, "
        "as in MQM:lower or COMET:higher.",
        rich_help_panel=METRICS,
        show_default=False,
    ),
]
Tokenize = Annotated[
    str | None,
    typer.Option(
        "--tokenize",
        "-tok",
        help="sacreBLEU's tokenizer, for metrics that have a choice (spm, flores200, ja-mecab and "
        "ko-mecab need packages of their own).",
        rich_help_panel=METRICS,
        show_default=False,
    ),
]
Lowercase = Annotated[
    bool, typer.Option("--lowercase", "-lc", help="Ignore case.", rich_help_panel=METRICS)
]
Test = Annotated[
    str,
    typer.Option(
        "--test",
        help="ar (approximate randomization), sign-flip (the same where scores are means; for "
        "systems of different lengths), bootstrap (shift method), paired-bootstrap (Koehn 2004), "
        "studentized-bootstrap (bootstrap-t), or riezler-maxwell-bootstrap (the pitfall, for "
        "study).",
        rich_help_panel=TEST,
    ),
]
PairedBootstrap = Annotated[
    bool,
    typer.Option(
        "--paired-bs",
        help="--test bootstrap, two-sided, and what sacreBLEU's option of this name prints.",
        rich_help_panel=TEST,
    ),
]
PairedRandomization = Annotated[
    bool,
    typer.Option(
        "--paired-ar",
        help="--test ar, and what sacreBLEU's option of this name prints.",
        rich_help_panel=TEST,
    ),
]
Correction = Annotated[
    str | None,
    typer.Option(
        "--correction",
        help="For many comparisons, all pairs under all metrics: holm (the default), bonferroni, "
        "hochberg, hommel, sidak, benjamini-hochberg (fdr), benjamini-yekutieli, westfall-young "
        "(the default over several test sets), romano-wolf, tukey, or none.",
        rich_help_panel=TEST,
        show_default=False,
    ),
]
Alpha = Annotated[
    float, typer.Option("--alpha", "-a", help="Level of significance.", rich_help_panel=TEST)
]
Tails = Annotated[
    Alternative,
    typer.Option(
        "--alternative",
        help="In each pair the system with the better score comes first: 'greater' tests it.",
        rich_help_panel=TEST,
    ),
]
Resamples = Annotated[
    int | None,
    typer.Option(
        "--resamples",
        "--paired-bs-n",
        "--paired-ar-n",
        "-n",
        min=1,
        help="How many. By default 10,000, and up to 100,000 for pairs that so many leave open.",
        rich_help_panel=TEST,
        show_default=False,
    ),
]
ResampledUnits = Annotated[
    Units | None,
    typer.Option(
        "--units",
        help="What is resampled. By default documents if they are given with -d or, over several "
        "test sets, known; or else segments.",
        rich_help_panel=TEST,
        show_default=False,
    ),
]
CountingRule = Annotated[
    str,
    typer.Option(
        "--counting",
        help="add-one: (c+1)/(R+1), ties counted; plain: c/R; stroppa: (c+1)/R; strict: add-one "
        "with ties not counted, as in sacreBLEU.",
        rich_help_panel=TEST,
    ),
]
Intervals = Annotated[
    Interval,
    typer.Option(
        "--interval",
        help="Of differences: percentile and basic hold each for its pair alone, simultaneous for "
        "all pairs under all metrics together.",
        rich_help_panel=TEST,
    ),
]
Confidence = Annotated[
    float, typer.Option("--confidence", help="Level of intervals.", rich_help_panel=TEST)
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of the resamples.", rich_help_panel=TEST)]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        help="The system that the table compares all others with. By default the first after -i, "
        "or else the best.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
AllPairs = Annotated[
    bool, typer.Option("--pairs", help="All pairs as well.", rich_help_panel=OUTPUT)
]
People = Annotated[
    bool,
    typer.Option(
        "--people",
        help="How often people agree with differences as large as those from the best, in the "
        "embedded campaigns.",
        rich_help_panel=OUTPUT,
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        "--width",
        "-w",
        min=0,
        max=15,
        help="Decimals of scores.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
OutputFormat = Annotated[
    Format | None,
    typer.Option(
        "--format",
        "-f",
        help="By default what the suffix of --output says, or else text.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]


def _output(text: str) -> Path:
    if not text or Path(text).is_dir():
        raise typer.BadParameter(f"{text!r} is no file; - stands for standard output.")
    return Path(text)


Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        parser=_output,
        metavar="FILE",
        help="Write to this file, all of it or nothing, in place of standard output (-). Devices, "
        "pipes and links are written through; an input is refused.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
