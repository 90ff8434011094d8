"""Koehn (2004): how much BLEU wobbles, and the paired bootstrap."""

from __future__ import annotations

from .. import pseudocode
from ..computed import koehn as computed
from ..rows import Link, Paper, Row, Verdict

IN_02 = "02_how_much_a_score_wobbles"
IN_03 = "03_paired_bootstrap"
OTHER = Verdict.OTHER_SYSTEMS
_POPULATION_NOTE = (
    "Population: 30,000 segments drawn from WMT13 es-en, whose scores are the truth; nine pairs, a "
    "hundred test sets of each size."
)

PAPER = Paper(
    "Koehn 2004",
    "Koehn, P. (2004). Statistical significance tests for machine translation evaluation. EMNLP, "
    "W04-3250.",
    (
        Row(
            "koehn-test-set",
            "Data",
            "30,000 translated sentences of Europarl",
            Verdict.IMPOSSIBLE,
            Link(IN_03, "Koehn's validation, repeated"),
            printed="30,000 sentences",
            reason="his outputs are not public",
            note="A population of the same size is drawn from WMT13 es-en instead.",
        ),
        Row(
            "koehn-table-1",
            "Table 1",
            "n-gram precisions beside BLEU",
            OTHER,
            Link("01_scores_from_counts", "Which n-grams drive the score?"),
            computed.table_1,
            printed="not at hand (Table 1)",
            claim="the longer the n-gram, the further systems lie apart",
            note="WMT12 es-en, twelve systems; the worst system's value over the best system's.",
        ),
        Row(
            "koehn-figure-1",
            "Figure 1",
            "BLEU and GTM against the length ratio",
            OTHER,
            Link("01_scores_from_counts", "Too short, too long"),
            computed.figure_1,
            printed="not at hand (Figure 1)",
            claim="both scores fall where outputs are too short and where they are too long",
            note="uedin-wmt12 on windows of 1,000 segments in order of their excess length; those "
            "of one excess share their places. Each point has other segments, where the paper has "
            "one text at several lengths.",
        ),
        Row(
            "koehn-figure-2",
            "Figure 2",
            "BLEU on blocks of 300 sentences",
            OTHER,
            Link(
                IN_02,
                "Ten test sets out of one",
                {"s.d.": "GTH-UPM: s.d. of BLEU on blocks of 300 sentences"},
            ),
            computed.figure_2,
            printed="not at hand (Figure 2)",
            note="GTH-UPM, WMT12 es-en, in the test set's own order: five original languages, one "
            "after the other, which is most of what the blocks differ by.",
        ),
        Row(
            "koehn-figure-3",
            "Figure 3",
            "BLEU on broad samples of 300",
            OTHER,
            Link(
                IN_02,
                "Ten test sets out of one",
                {"s.d.": "GTH-UPM: s.d. of BLEU on broad samples of 300"},
            ),
            computed.figure_3,
            printed="not at hand (Figure 3)",
            claim="broad samples vary less than blocks",
            note="The same sentences, every tenth of them in one test set.",
        ),
        Row(
            "koehn-table-2",
            "Table 2",
            "quantiles of Student's t, n = 100",
            Verdict.ARITHMETIC,
            Link(IN_02, "An interval from ten scores: Student's t"),
            computed.table_2,
            printed=computed.PRINTED_T,
            note="n = 100 has 99 degrees of freedom. The last two values say which n the printed "
            "numbers would fit. The other rows of the table are not at hand.",
        ),
        Row(
            "koehn-figures-4-6-coverage",
            "Figures 4–6",
            "95 % intervals on 100 test sets of 300",
            OTHER,
            Link(
                IN_02,
                "Does 95 % mean 95 %?",
                {"contain the truth": "percentile intervals that contain the truth, of 100"},
            ),
            computed.coverage,
            printed="not at hand (Figures 4–6)",
            claim="about 95 of 100 intervals contain the true score",
            note="GTH-UPM; the 3,003 sentences of WMT12 es-en are the population.",
        ),
        Row(
            "koehn-figures-4-6-sizes",
            "Figures 4–6",
            "intervals by size of the test set",
            OTHER,
            Link(IN_02, "How many sentences?"),
            computed.intervals_by_size,
            printed="not at hand (Figures 4–6)",
            claim="intervals narrow with size and miss about one time in twenty",
            note=f"{_POPULATION_NOTE} Intervals of all systems in the nine pairs. What each of the "
            "three figures shows on its own is not at hand.",
        ),
        Row(
            "koehn-section-6",
            "Section 6",
            "the paired bootstrap as a procedure",
            Verdict.EXACT,
            Link(IN_03, "The loop"),
            pseudocode.beside_the_package(pseudocode.paired_bootstrap),
            printed="procedure",
            note="Run line by line beside the package, on the same draws.",
        ),
        Row(
            "koehn-table-3",
            "Table 3",
            "conclusions at 95 % by size of the test set",
            OTHER,
            Link(
                IN_03,
                "By number of sentences",
                {
                    "one pair, 300": "our pair's difference found on 300 sentences, of 100 test "
                    "sets",
                    "one pair, 3,000": "our pair's difference found on 3,000 sentences, of 100 "
                    "test sets",
                },
            ),
            computed.table_3,
            printed="not at hand (Table 3)",
            claim="more sentences, more conclusions, and at every size nearly all of them right",
            note=f"{_POPULATION_NOTE} A conclusion is drawn where either system wins 95 % of 1,000 "
            "resamples; “nearly all” is taken as 90 %.",
        ),
        Row(
            "koehn-table-4",
            "Table 4",
            "conclusions on 300 sentences by level",
            OTHER,
            Link(
                IN_03,
                "By level",
                {
                    "drawn at 95 %": "conclusions drawn at 95 % on 300 sentences, of 900",
                    "share right at 95 %": "share of them that is right",
                },
            ),
            computed.table_4,
            printed="not at hand (Table 4)",
            claim="conclusions at a level are right at least that often",
            note="As Table 3. Ours count all conclusions that reach a level, where the paper sorts "
            "them into bins between one level and the next. That the share right exceeds the level "
            "depends on how different the nine pairs are; the notebook shows a pair for which it "
            "does not.",
        ),
        Row(
            "koehn-figures-7-8",
            "Figures 7, 8",
            "share of resamples won on 100 test sets",
            OTHER,
            Link(IN_03, "A hundred verdicts"),
            computed.figures_7_8,
            printed="not at hand (Figures 7, 8)",
            claim="with more sentences the better system wins more of the resamples",
            note="DCU-Prompsit against online-A, test sets of 300 and of 3,000 sentences.",
        ),
        Row(
            "koehn-abstract",
            "Abstract",
            "300 sentences can be enough",
            OTHER,
            Link(IN_03, "By number of sentences"),
            computed.three_hundred,
            printed="in words",
            claim="conclusions at 95 % on 300 sentences can be relied on",
            note="As Table 3. Relied on: 95 % of the conclusions are right. Most differences below "
            "two BLEU points go unnoticed.",
        ),
    ),
)
