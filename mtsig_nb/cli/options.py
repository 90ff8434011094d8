"""The options that several commands share, each described once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

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


def _in(panel: str, names: str, text: str, **settings: Any) -> Any:
    """An option under the heading `panel`, with its `names` as they are typed."""
    return typer.Option(*names.split(), help=text, rich_help_panel=panel, **settings)


def _output(text: str) -> Path:
    if not text or Path(text).is_dir():
        raise typer.BadParameter(f"{text!r} is no file; - stands for standard output.")
    return Path(text)


#: What may be given once is a list as well, so that a second one is noticed and refused.
Texts = list[str] | None

# A table, one option after the other: with a line for each bracket it would be three times as long.
# fmt: off
Systems = Annotated[Texts, typer.Argument(help=
    "Files with the outputs of systems, as FILE or NAME=FILE, or a folder of them; with -i, as "
    "for sacreBLEU, the references. With -t or --scores: names of systems, by default all.")]
Inputs = Annotated[Texts, _in(INPUT, "--input -i",
    "The systems, as for sacreBLEU: mtsig compare REF -i BASELINE A B. All are compared with "
    "the first.", metavar="FILE...")]
References = Annotated[Texts, _in(INPUT, "--reference -r",
    "File with a reference; repeat it for several. With -t: label of a reference.")]
Documents = Annotated[Texts, _in(INPUT, "--documents -d",
    "File with the name of each segment's document, one per line.")]
TestSetName = Annotated[Texts, _in(INPUT, "--test-set -t",
    "An embedded campaign in place of files, such as wmt12; mtsig datasets lists them.")]
Pair = Annotated[Texts, _in(INPUT, "--language-pair --langpair -l",
    "Language pair of the campaign, such as es-en.")]
Scores = Annotated[Texts, _in(INPUT, "--scores",
    "Segment scores (COMET, ratings) in place of texts: a table (CSV, TSV, JSON lines) with a "
    "row for each system and segment or a column for each system, what comet-score prints or "
    "writes with --to_json, WMT's .seg.score, logs of lm-evaluation-harness, Inspect and "
    "promptfoo, or a folder of them; an arena's battles. -m names the columns to take.",
    metavar="FILE...")]
SmallerIsBetter = Annotated[bool, _in(INPUT, "--smaller-is-better",
    "Said of all segment scores; -m MQM:lower says it of one.")]
By = Annotated[str | None, _in(INPUT, "--by",
    "The column of --scores that says which test set a row belongs to, such as domain; by "
    "default test_set or lp.", metavar="COLUMN")]
Missing = Annotated[str, _in(INPUT, "--missing",
    "Systems that lack scores of a test set: raise (an error that names them), or common (only "
    "systems that have all are compared).")]
Metrics = Annotated[Texts, _in(METRICS, "--metric --metrics -m",
    "BLEU (the default), chrF, chrF++, TER, NIST, GTM, METEOR, METEORJar (needs Java), or all "
    "that need nothing but text. Settings follow a colon: "
    "BLEU:tokenize=intl,smooth_method=floor. With --scores: a column, and which way is better, "
    "as in MQM:lower or COMET:higher.", metavar="NAME...")]
Tokenize = Annotated[str | None, _in(METRICS, "--tokenize -tok",
    "sacreBLEU's tokenizer, for metrics that have a choice (spm, flores200, ja-mecab and "
    "ko-mecab need packages of their own).")]
Lowercase = Annotated[bool, _in(METRICS, "--lowercase -lc", "Ignore case.")]
Test = Annotated[str, _in(TEST, "--test",
    "ar (approximate randomization), sign-flip (the same where scores are means; for systems of "
    "different lengths), bootstrap (shift method), paired-bootstrap (Koehn 2004), "
    "studentized-bootstrap (bootstrap-t), or riezler-maxwell-bootstrap (the pitfall, for "
    "study).")]
PairedBootstrap = Annotated[bool, _in(TEST, "--paired-bs",
    "--test bootstrap, two-sided, and what sacreBLEU's option of this name prints.")]
PairedRandomization = Annotated[bool, _in(TEST, "--paired-ar",
    "--test ar, and what sacreBLEU's option of this name prints.")]
Correction = Annotated[str | None, _in(TEST, "--correction",
    "For many comparisons, all pairs under all metrics: holm (the default), bonferroni, "
    "hochberg, hommel, sidak, benjamini-hochberg (fdr), benjamini-yekutieli, westfall-young "
    "(the default over several test sets), romano-wolf, tukey, or none.")]
Alpha = Annotated[float, _in(TEST, "--alpha -a", "Level of significance.")]
Tails = Annotated[Alternative, _in(TEST, "--alternative",
    "In each pair the system with the better score comes first: 'greater' tests it.")]
Resamples = Annotated[int | None, _in(TEST, "--resamples --paired-bs-n --paired-ar-n -n",
    "How many. By default 10,000, and up to 100,000 for pairs that so many leave open.", min=1)]
ResampledUnits = Annotated[Units | None, _in(TEST, "--units",
    "What is resampled. By default documents if they are given with -d or, over several test "
    "sets, known; or else segments.")]
CountingRule = Annotated[str, _in(TEST, "--counting",
    "add-one: (c+1)/(R+1), ties counted; plain: c/R; stroppa: (c+1)/R; strict: add-one with "
    "ties not counted, as in sacreBLEU.")]
Intervals = Annotated[Interval, _in(TEST, "--interval",
    "Of differences: percentile and basic hold each for its pair alone, simultaneous for all "
    "pairs under all metrics together.")]
Confidence = Annotated[float, _in(TEST, "--confidence", "Level of intervals.")]
Seed = Annotated[int, _in(TEST, "--seed", "Of the resamples.", min=0)]
Baseline = Annotated[str | None, _in(OUTPUT, "--baseline",
    "The system that the table compares all others with. By default the first after -i, or else "
    "the best.")]
AllPairs = Annotated[bool, _in(OUTPUT, "--pairs", "All pairs as well.")]
People = Annotated[bool, _in(OUTPUT, "--people",
    "How often people agree with differences as large as those from the best, in the embedded "
    "campaigns.")]
Width = Annotated[int | None, _in(OUTPUT, "--width -w", "Decimals of scores.", min=0, max=15)]
OutputFormat = Annotated[Format | None, _in(OUTPUT, "--format -f",
    "By default what the suffix of --output says, or else text.")]
Output = Annotated[Path | None, _in(OUTPUT, "--output -o",
    "Write to this file, all of it or nothing, in place of standard output (-). Devices, pipes "
    "and links are written through; an input is refused.", parser=_output, metavar="FILE")]
Title = Annotated[str, _in(OUTPUT, "--title", "Of the report.")]
ExitCode = Annotated[bool, _in(OUTPUT, "--exit-code", "Exit with 3 if no pair is distinguished.")]
# fmt: on
