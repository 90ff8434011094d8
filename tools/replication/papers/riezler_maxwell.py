"""Riezler & Maxwell (2005): sensitivity of metrics, two tests, and many comparisons."""

from __future__ import annotations

from mtsig_nb.campaigns.printed import printed_table

from .. import pseudocode
from ..computed import riezler_maxwell as computed
from ..rows import Link, Paper, Printed, Row, Verdict
from ..shared import Page

TABLE_1 = printed_table("riezler_maxwell2005", 1).set_index("metric").T.to_dict()
PAGE = Page("riezler_maxwell2005")
STANDARD = PAGE.text("r-standard")
RESTRICTIVE, NEXT = PAGE.text("r-restrictive"), PAGE.text("r-five-pc")
#: By how much each score changed in their Table 1.
CHANGES = {
    measure: abs(float(row["reranking"]) / float(row["baseline"]) - 1)
    for measure, row in TABLE_1.items()
}
SHARES = ", ".join(f"{change:.1%} ({measure})" for measure, change in CHANGES.items())
MORE_SENSITIVE = "NIST is more sensitive than BLEU and F"
SAME_PAIRS = "WMT12 es-en, BLEU, the pairs whose p is above the reach of 10,000 resamples."

PAPER = Paper(
    "Riezler & Maxwell 2005",
    "Riezler, S. & Maxwell, J. T. (2005). On some pitfalls in automatic evaluation and "
    "significance testing for MT. W05-0908, pages 57–64.",
    (
        Row(
            "rm-systems",
            "Data",
            "reranked variants of one system",
            Verdict.IMPOSSIBLE,
            Link(notebook="16_small_differences"),
            printed="–",
            reason="their variants are not public",
            note="In their place: neighbours in WMT12, and pseudo-systems equal by construction.",
        ),
        Row(
            "rm-table-1",
            "Table 1",
            "which metrics notice small differences",
            Verdict.OTHER_DATA,
            Link(
                {
                    "NIST": "close pairs of eight that NIST notices",
                    "BLEU": "close pairs of eight that BLEU notices",
                }
            ),
            computed.small_differences,
            printed="one difference for each metric (Table 1), beside ours in a row below",
            claim="NIST notices small differences that BLEU does not",
            where="section 3",
            selected="the pairs were chosen for being close under BLEU, which leaves BLEU least to "
            "notice",
            but="NIST is ahead by one pair",
            note="WMT12 es-en, neighbours less than one BLEU point apart; noticed: beyond 1.96 "
            "jackknife standard errors. Taken as: NIST notices more of them. Rows below choose "
            "otherwise.",
        ),
        Row(
            "rm-table-1-all",
            "Table 1",
            "the same for all 66 pairs",
            Verdict.OWN,
            Link(
                {
                    "NIST clearer than BLEU": "pairs of 66 that NIST sees more clearly than BLEU",
                    "median, NIST": "median |effect| of 66 pairs in standard errors, NIST",
                    "median, BLEU": "the same, BLEU",
                }
            ),
            computed.all_differences,
            printed="one difference for each metric (Table 1), beside ours in a row below",
            claim="NIST shows differences more clearly than BLEU",
            note="WMT12 es-en; clearly: in jackknife standard errors. The paper's finding is about "
            "small differences, which few of these are.",
        ),
        Row(
            "rm-table-1-layout",
            "Table 1",
            "scores and p-values of small differences",
            Verdict.OTHER_DATA,
            Link(notebook="16_small_differences"),
            computed.table_1,
            printed="in the table",
            claim=MORE_SENSITIVE,
            where="abstract",
            selected="the bounds are so tight for BLEU and F that these notice next to no pair "
            "within their own, whatever the other bounds; that of NIST is wide enough",
            note="Taken as: NIST notices more pairs. All pairs of systems, over all WMT test "
            "sets into English, that are no further apart than theirs under each of the three "
            "measures, so that none of them chooses alone. The first values count those with p "
            f"at most {STANDARD} by approximate randomization, the others all pairs that are no "
            "further apart than theirs under one measure, whatever the others say; 2,000 "
            "resamples, two-sided, the bootstrap as in their Figure 2. Reranking stands for the "
            f"better one under NIST, as theirs is. Not all is even: their difference is {SHARES} "
            "of the score, which leaves NIST most room here too. The next row sets no bounds.",
        ),
        Row(
            "rm-table-1-f",
            "Table 1, F",
            "which measures notice neighbours",
            Verdict.OTHER_DATA,
            Link(notebook="16_small_differences"),
            computed.neighbours,
            printed=f"{TABLE_1['F']['baseline']} and {TABLE_1['F']['reranking']}, "
            f"p {TABLE_1['F']['p_approxrand']} (Table 1)",
            claim=MORE_SENSITIVE,
            where="abstract",
            note=f"Taken as: at {STANDARD} NIST notices more pairs. Neighbours in a ranking of "
            "all WMT test sets into English: under each of the three measures in turn, which "
            "chooses pairs that are close under itself, so that only their union favours none; "
            "and by people, where they ranked systems. Who chooses matters more than which "
            "measure is asked: see the first three lines. Noticed: as in the row above. Our F "
            "counts relations of spaCy's parses, theirs those of a grammar.",
        ),
        Row(
            "rm-table-1-resamples",
            "Table 1 and Figures 1 and 2",
            "resamples behind p < .0001, loops from 0",
            Verdict.ARITHMETIC,
            Link(notebook="06_too_many_to_count"),
            computed.enough_resamples,
            printed=f"p {TABLE_1['NIST']['p_approxrand_relation']} "
            f"{TABLE_1['NIST']['p_approxrand']} (Table 1); "
            f"{PAGE.text('r-fig1-loop')} and {PAGE.text('r-fig1-p')} (Figure 1); R is not printed",
            note="A loop that runs from 0 to R draws R + 1 times, so that p can exceed 1 if all "
            "draws count.",
        ),
        Row(
            "rm-figure-1",
            "Figure 1",
            "approximate randomization in pseudo-code",
            Verdict.PROCEDURE,
            Link(notebook="06_too_many_to_count"),
            pseudocode.beside_the_package(pseudocode.randomization_two_sided),
            printed="pseudo-code",
            note="Run line by line beside the package, on the same draws.",
        ),
        Row(
            "rm-figure-2",
            "Figure 2",
            "their bootstrap test in pseudo-code",
            Verdict.PROCEDURE,
            Link(notebook="13_the_pitfall"),
            pseudocode.beside_the_package(pseudocode.bootstrap_as_printed),
            printed="pseudo-code",
            note="Run line by line beside the package, on the same draws. It takes absolute values "
            "before it centres, and so loses a tail.",
        ),
        Row(
            "rm-figure-2-pair",
            "Figure 2",
            "what the lost tail does to one pair",
            Verdict.OWN,
            Link(
                {
                    "p as printed": "WMT13 es-en, DCU-Prompsit against online-A: p as printed in "
                    "2005",
                    "p corrected": "the same pair and resamples, corrected: p",
                }
            ),
            computed.one_pair,
            printed="–",
            claim=f"the conclusion at {STANDARD} changes with two lines of the algorithm",
            note="WMT13 es-en, DCU-Prompsit against online-A, 10,000 resamples.",
        ),
        Row(
            "rm-table-2",
            "Table 2",
            "p of their bootstrap beside AR's",
            Verdict.OTHER_DATA,
            Link(notebook="14_a_table_read_again"),
            computed.table_2,
            printed="five pairs, in the next row (Table 2)",
            claim="their bootstrap's p is smaller than that of approximate randomization",
            where="section 4.3",
            note=f"{SAME_PAIRS} One tail of two makes about half of p: see Table 2, reading.",
        ),
        Row(
            "rm-table-2-doubled",
            "Table 2, doubled",
            "bootstrap's p, doubled, above AR's",
            Verdict.ARITHMETIC,
            Link(notebook="14_a_table_read_again"),
            computed.table_2_doubled,
            printed={
                "larger than AR's as printed": Printed(
                    Page("graham2014").text("g-rm-exceed"),
                    "Graham et al. 2014, section 2",
                )
            },
            note="Found by Graham et al. (2014, section 2): doubled, since one tail of two is "
            "counted, two of the five bootstrap p's pass AR's, 1:3 and 1:4. Ours is the "
            "rounding: a printed p may be off by half of its last digit, its double by a whole "
            "one, and two of the p-values of AR are printed with two decimals. A difference no "
            "larger than that decides nothing, and 1:4 is just at that edge. How much of the gap "
            "is one tail against two is measured on other systems, "
            "under Table 2, reading.",
        ),
        Row(
            "rm-section-4.3",
            "Section 4.3",
            f"the restrictive level, {RESTRICTIVE} or {NEXT}",
            Verdict.ARITHMETIC,
            Link(notebook="14_a_table_read_again"),
            computed.restrictive_level,
            printed={f"bootstrap rejects at {RESTRICTIVE}": PAGE.quoted("r-restrictive-boot")},
            note=f"The section prints {RESTRICTIVE}, at which both tests reject in all rows of "
            f"Table 2. Its counts hold at {NEXT}, the level of section 4.4.",
        ),
        Row(
            "rm-conservative",
            "Table 2, reading",
            "randomization as the more conservative test",
            Verdict.OWN,
            Link(
                {
                    "median p / AR's p, as printed": "median ratio to the p of approximate "
                    "randomization, as printed",
                    "both tails counted": "median ratio to the p of approximate randomization, "
                    "corrected",
                }
            ),
            computed.conservative,
            printed="in words, of their bootstrap (abstract)",
            claim="a bootstrap that counts both tails has the smaller p as well",
            note=f"{SAME_PAIRS} The paper says it of the bootstrap of its Figure 2, as asked under "
            "Table 2. Graham et al. (2014, section 2) saw that this one counts a single tail. With "
            "the tail put back, these pairs show no such gap.",
        ),
        Row(
            "rm-reranking-tests",
            "Reranking experiment",
            "type-I error of the tests",
            Verdict.OTHER_DATA,
            Link(notebook="15_what_a_test_promises"),
            computed.reranking_tests,
            printed="in words (abstract)",
            claim="type-I errors are likelier with their bootstrap than with approximate "
            "randomization",
            where="abstract",
            but="with both tails counted (“shifted”) the bootstrap errs no more often than "
            "randomization",
            note="400 pairs of variants of WMT13 es-en that are equal by construction and differ "
            "on the surface: a coin decides, sentence by sentence, who gets which output. Every "
            f"tenth sentence, level {STANDARD}. Taken as: under each metric their bootstrap errs "
            "more often than its level by three standard errors, and randomization does not. "
            "“Shifted” is the bootstrap of Graham et al. The notebook takes all sentences. "
            "(Section 4.3 describes the type-I error the wrong way round, as not rejecting what "
            "is true; its conclusions use it rightly.)",
        ),
        Row(
            "rm-reranking-metrics",
            "Reranking experiment",
            "false claims by metric",
            Verdict.OWN,
            Link(
                {
                    "NIST": "type-I error at .05 under NIST, 600 null pairs",
                    "BLEU": "type-I error at .05 under BLEU, 600 null pairs",
                }
            ),
            computed.reranking_metrics,
            printed="–",
            claim="no metric rejects more often than the level, beyond chance",
            note="600 pairs made in the same way from WMT12 es-en, every twentieth sentence; "
            f"approximate randomization at {STANDARD}.",
        ),
        Row(
            "rm-section-4.4-error",
            "Section 4.4",
            f"error of {PAGE.text('r-bench-pairs')} comparisons at {PAGE.text('r-bench-pc')}",
            Verdict.ARITHMETIC,
            Link({"error": "experimentwise error of 105 independent comparisons at 0.05"}),
            lambda: computed.experimentwise(
                int(computed.number("r-bench-pairs")), computed.number("r-bench-pc")
            ),
            printed={"error": PAGE.quoted("r-bench-pe")},
            note="If the comparisons were independent; those that share systems are not.",
        ),
        Row(
            "rm-section-4.4-level",
            "Section 4.4",
            f"error of {PAGE.text('r-five')} comparisons at {NEXT}",
            Verdict.ARITHMETIC,
            Link({"error": "experimentwise error of 5 independent comparisons at 0.015"}),
            lambda: computed.experimentwise(
                int(computed.number("r-five")), computed.number("r-five-pc")
            ),
            printed={"error": PAGE.quoted("r-five-pe")},
            note="Printed as approximate.",
        ),
    ),
)
