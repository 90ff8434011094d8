"""Koehn (2004): how much BLEU wobbles, and the paired bootstrap."""

from __future__ import annotations

from .. import pseudocode
from ..computed import koehn as computed
from ..rows import Link, Paper, Row, Verdict

IN_02 = "02_how_much_a_score_wobbles"
IN_03 = "03_paired_bootstrap"
OTHER = Verdict.OTHER_SYSTEMS
DRAWN = "drawn, not printed"
quoted = computed.quoted
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
            f"{computed.number('k-test-sentences'):,.0f} translated sentences of Europarl",
            Verdict.IMPOSSIBLE,
            Link(IN_03, "Koehn's validation, repeated"),
            printed=f"{computed.number('k-test-sentences'):,.0f} sentences (section 3.2)",
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
            printed={"worst / best, 4-gram": quoted("k-half")},
            claim="the longer the n-gram, the further systems lie apart",
            note="WMT12 es-en, twelve systems; the worst system's value over the best system's. "
            "His table has no 2- and 3-grams.",
        ),
        Row(
            "koehn-equation-1",
            "Equation 1",
            "BLEU without the weight 1/N",
            Verdict.ARITHMETIC,
            Link("01_scores_from_counts", "A test set is a sum"),
            computed.equation_1,
            printed="no weight 1/N on the sum (section 2.3)",
            note="Without the weight BLEU is at most the product of two of its precisions, and "
            "every score of Table 1 is above that. With it Table 1 is consistent: the mean of the "
            "precisions that it does not print lies between those that it prints (no brevity "
            "penalty assumed).",
        ),
        Row(
            "koehn-places",
            "Section 2.3, section 3.4",
            "numbers that differ from place to place",
            Verdict.ARITHMETIC,
            Link(IN_02, "Ten test sets out of one"),
            computed.contradictions,
            printed={
                "systems in Table 1": quoted("k-three-caption"),
                "broad samples in so many sentences": quoted("k-300-broad-n"),
            },
            note="Ours: the rows of Table 1, and all sentences over those of a sample. All places "
            "that print one of the two numbers are below.",
        ),
        Row(
            "koehn-figure-1",
            "Figure 1",
            "BLEU and GTM against the length ratio",
            OTHER,
            Link("01_scores_from_counts", "Too short, too long"),
            computed.figure_1,
            printed=DRAWN,
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
            printed=computed.extremes("k-blocks-range"),
            note="GTH-UPM, WMT12 es-en, in the test set's own order: five original languages, one "
            "after the other, which is most of what the blocks differ by. His are the extremes of "
            "a hundred blocks.",
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
            printed=computed.extremes("k-broad-range"),
            claim="broad samples vary less than blocks",
            note="The same sentences, every tenth of them in one test set; his are a hundred "
            "samples.",
        ),
        Row(
            "koehn-table-2",
            "Table 2",
            "quantiles of Student's t",
            Verdict.ARITHMETIC,
            Link(IN_02, "An interval from ten scores: Student's t"),
            computed.table_2,
            printed=computed.PRINTED_T,
            note="Equations (4) and (5) ask for n - 1 degrees of freedom; most cells have n. The "
            "cell at 95 % and n = 100 fits neither, nor any n near it: a misprint. The infinite "
            "sample has quantiles of the normal distribution.",
        ),
        Row(
            "koehn-section-4",
            "Section 4",
            "worked example of equations 3 to 5",
            Verdict.ARITHMETIC,
            Link(IN_02, "An interval from ten scores: Student's t"),
            computed.worked_example,
            printed={"mean (%)": quoted("k-ex-guess")},
            note=f"{computed.text('k-ex-correct')} of {computed.text('k-ex-n')} sentences are "
            "right. The paper stops before the half width; it is computed with the printed t, "
            "which is the misprint of Table 2, and with the right one.",
        ),
        Row(
            "koehn-figure-4",
            "Figure 4",
            "difference of two systems on 100 broad samples",
            OTHER,
            Link(IN_02, "Two systems: look at the difference"),
            computed.figure_4,
            printed={
                "true difference": quoted("k-es-da-truth"),
                "largest lead": quoted("k-es-da-max"),
                "samples with the other one ahead": quoted("k-es-da-wrong-n"),
                "its largest lead": quoted("k-es-da-wrong-by"),
            },
            note="Population as for Table 3; of the nine pairs the one whose true difference is "
            "closest to that of Spanish and Danish. Broad samples as in section 3.3, disjoint.",
        ),
        Row(
            "koehn-figure-5",
            "Figure 5",
            "shaded share of a normal distribution",
            Verdict.EXACT,
            Link(IN_02, "An interval from ten scores: Student's t"),
            computed.figure_5,
            printed={"shaded": quoted("k-fig5-q")},
            note="Between plus and minus the t that Table 2 prints for an infinite sample.",
        ),
        Row(
            "koehn-figures-4-6-coverage",
            "Figure 6",
            "95 % intervals on 100 test sets of 300",
            OTHER,
            Link(
                IN_02,
                "Does 95 % mean 95 %?",
                {"contain the truth": "percentile intervals that contain the truth, of 100"},
            ),
            computed.coverage,
            printed={"contain the truth": quoted("k-cov-actual")},
            claim="about 95 of 100 intervals contain the true score",
            note="GTH-UPM; the 3,003 sentences of WMT12 es-en are the population.",
        ),
        Row(
            "koehn-figures-4-6-sizes",
            "Section 5",
            "intervals by size of the test set",
            OTHER,
            Link(IN_02, "How many sentences?"),
            computed.intervals_by_size,
            printed=f"{quoted('k-cov-misses').text} of {quoted('k-cov-sets').text} miss, on "
            f"{quoted('k-cov-size').text} sentences",
            note=f"{_POPULATION_NOTE} Intervals of all systems in the nine pairs. Other sizes "
            "than 300 are a question of ours; the paper does not ask it.",
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
            printed="36 cells, in the table",
            claim="on 100 sentences more conclusions are wrong than on 300 (section 7.1)",
            note=f"{_POPULATION_NOTE} A conclusion is drawn where either system wins 95 % of 1,000 "
            "resamples. His shares are of "
            f"{', '.join(map(str, computed.his_samples().values()))} disjoint "
            "samples; an empty cell is one where nothing is printed.",
        ),
        Row(
            "koehn-tables-3-4",
            "Tables 3, 4",
            "whether they count the same conclusions",
            Verdict.EXACT,
            Link(IN_03, "Koehn's validation, repeated"),
            computed.tables_3_and_4,
            printed="Tables 1, 3, 4",
            note="Computed from the printed tables alone. Table 3 prints whole percents, which "
            "leaves several counts possible; Table 4 falls among them, in all conclusions at 95 % "
            "and in the wrong ones. Differences of systems are those of Table 1.",
        ),
        Row(
            "koehn-one-in-twenty",
            "Section 6, expectation",
            "one wrong conclusion in twenty",
            Verdict.ARITHMETIC,
            Link(IN_03, "Koehn's validation, repeated"),
            computed.one_in_twenty,
            printed=f"1 in {quoted('k-expected-wrong').text} conclusions "
            f"({quoted('k-expected-wrong').where})",
            claim="at a level of 95 % one conclusion in twenty is wrong",
            note="A level bounds wrong conclusions among tests of equal systems; what share of the "
            "conclusions drawn is wrong depends on how different the systems are. Fewest and most: "
            "what the rounding of Tables 3 and 4 allows, which the claim is held against.",
        ),
        Row(
            "koehn-table-4",
            "Table 4",
            "conclusions by level",
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
            printed="18 cells, in the table",
            claim="conclusions at a level are right at least that often",
            note="In the bins that are printed, on as many test sets of each size as his, drawn "
            "from the population of Table 3, where his are disjoint. Four of our pairs are closer "
            "than any of his, which is why fewer of the conclusions are right; the last two "
            "columns leave them out. A level is no promise about the share right. The last two "
            "values are the notebook's: all conclusions from 95 % up on 300 sentences.",
        ),
        Row(
            "koehn-figures-7-8",
            "Figures 7, 8",
            "two pairs on 100 test sets of 300",
            OTHER,
            Link(IN_03, "A hundred verdicts"),
            computed.figures_7_8,
            printed={
                "Figure 7, right": quoted("k-fig7-sig"),
                "Figure 8, right": quoted("k-fig8-correct"),
                "Figure 8, wrong": quoted("k-fig8-wrong"),
            },
            note="Of our nine pairs those whose true differences are closest to his; the shares of "
            "resamples won that he draws are not printed.",
        ),
        Row(
            "koehn-abstract",
            "Abstract",
            "300 sentences can be enough",
            OTHER,
            Link(IN_03, "By number of sentences"),
            computed.three_hundred,
            printed=f"{quoted('k-abstract-size').text} sentences; from "
            f"{quoted('k-reliable').text} to {quoted('k-reliable', 'value_to').text} BLEU on "
            f"({quoted('k-reliable').where})",
            claim="conclusions at 95 % on 300 sentences can be relied on",
            note="As Table 3, with shares of its column for 300 sentences beside. Relied on: 95 % "
            "of the conclusions are right. Most differences below two BLEU points go unnoticed.",
        ),
    ),
)
