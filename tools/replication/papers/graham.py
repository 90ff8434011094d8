"""Graham, Mathur & Baldwin (2014): three tests beside people."""

from __future__ import annotations

from .. import pseudocode
from ..computed import graham as computed
from ..rows import Link, Paper, Row, Verdict
from ..shared import Page

PAGE = Page("graham2014")
EQUALLY_ACCURATE = "the three tests are about equally accurate"
OTHER, SAME = Verdict.OTHER_DATA, Verdict.SAME_DATA
ES_EN, EN_ES = computed.ES_EN, computed.EN_ES
RANKINGS = (
    "Gold standard: sign test on WMT12's relative rankings at .05; their direct assessments are "
    "not public, so accuracies cannot be compared with theirs one by one."
)

_AT_05 = ", ".join(f"{p.text} {m}" for m, p in computed.printed_at_05(ES_EN).items())
_NIST_AT_001 = ", ".join(map(str, computed.theirs(EN_ES).xs((0.001, "NIST"))))


def _algorithm(number: int, shows: str, loop: pseudocode.Loop, link: Link) -> Row:
    return Row(
        f"graham-figure-{number}",
        f"Figure {number}",
        shows,
        Verdict.PROCEDURE,
        link,
        pseudocode.beside_the_package(loop),
        printed="pseudo-code",
        note="Run line by line beside the package, on the same draws.",
    )


PAPER = Paper(
    "Graham et al. 2014",
    "Graham, Y., Mathur, N. & Baldwin, T. (2014). Randomized significance tests in machine "
    "translation. WMT, W14-3333.",
    (
        Row(
            "graham-data",
            "Data",
            "crowd-sourced adequacy and fluency",
            Verdict.IMPOSSIBLE,
            Link(notebook="26_do_the_tests_agree_with_people"),
            printed="counts of assessments (section 4), in a row below",
            reason="their direct assessments are not public",
            note="In their place: the relative rankings of the same systems.",
        ),
        _algorithm(
            1,
            "bootstrap, two-sided",
            pseudocode.bootstrap_two_sided,
            Link(notebook="13_the_pitfall"),
        ),
        _algorithm(
            2,
            "approximate randomization, one-sided",
            pseudocode.randomization_one_sided,
            Link(notebook="03_where_to_draw_the_line"),
        ),
        _algorithm(
            3,
            "bootstrap, one-sided",
            pseudocode.bootstrap_one_sided,
            Link(notebook="13_the_pitfall"),
        ),
        _algorithm(
            4,
            "paired bootstrap",
            pseudocode.paired_bootstrap,
            Link(notebook="10_the_same_sentences_for_both"),
        ),
        Row(
            "graham-figures-5-6",
            "Figures 5, 6",
            "distributions that the tests draw",
            OTHER,
            Link(notebook="13_the_pitfall"),
            computed.distributions,
            printed="drawn, not printed (Figures 5, 6)",
            note="WMT13 es-en, BLEU, DCU-Prompsit against online-A, 5,000 draws.",
        ),
        Row(
            "graham-figure-7",
            "Figure 7",
            "heatmap of people's conclusions",
            OTHER,
            Link(notebook="24_rankings"),
            computed.human_heatmap,
            data=(ES_EN, EN_ES),
            printed="drawn, not printed (Figure 7)",
            note=RANKINGS,
        ),
        Row(
            "graham-figure-7-criteria",
            "Figure 7",
            "fluency where adequacy does not decide",
            Verdict.OWN,
            Link(
                {
                    "adequacy alone": "false claims at .05, adequacy alone",
                    "fluency as tie-break": "false claims at .05, adequacy with fluency as "
                    "tie-break",
                }
            ),
            computed.two_criteria,
            printed="–",
            claim="a second criterion nearly doubles the false claims, as two tests would",
            note="The paper uses the criteria in this order (section 4), and says nothing of "
            "false claims. 2,000 pairs of simulated systems that differ in neither criterion, "
            "100 segments, rank-sum tests at .05.",
        ),
        Row(
            "graham-figure-8",
            "Figure 8",
            "heatmaps of the tests' conclusions",
            SAME,
            Link(notebook="20_comparisons_that_share_systems"),
            computed.metric_heatmaps,
            printed="drawn, not printed (Figure 8)",
            data=(ES_EN,),
            claim="the three tests tell the same pairs apart, BLEU at .05",
            where="section 4.1, Figure 8",
            note="WMT12 es-en, BLEU, pairs told apart at .05, one-sided and uncorrected as in the "
            "paper, 5,000 resamples; beside it what is left with two sides and a correction for 66 "
            "comparisons (Westfall & Young).",
        ),
        Row(
            "graham-table-1",
            "Table 1",
            "accuracy of metric, test and level, es-en",
            OTHER,
            Link(
                {
                    "BLEU at .05": "WMT12 es-en, BLEU with approximate randomization at .05: "
                    "correct of 66"
                }
            ),
            computed.agreement_table(ES_EN),
            printed=computed.printed_at_05(ES_EN),
            data=(ES_EN,),
            claim=EQUALLY_ACCURATE,
            where="abstract",
            note="Taken as: at most 5 points apart. Correct conclusions of 66 pairs, 5,000 "
            f"resamples. {RANKINGS}",
        ),
        Row(
            "graham-table-2",
            "Table 2",
            "accuracy of metric, test and level, en-es",
            OTHER,
            Link(notebook="26_do_the_tests_agree_with_people"),
            computed.agreement_table(EN_ES),
            printed=computed.printed_at_05(EN_ES),
            data=(EN_ES,),
            claim=EQUALLY_ACCURATE,
            where="abstract",
            note="Taken as: at most 5 points apart. Correct conclusions of 55 pairs, 5,000 "
            f"resamples. {RANKINGS}",
        ),
        Row(
            "graham-intervals",
            "Tables 1, 2",
            "their Clopper–Pearson intervals",
            Verdict.ARITHMETIC,
            Link(notebook="26_do_the_tests_agree_with_people"),
            computed.intervals_again,
            printed="all of them (Tables 1, 2)",
            note="`mtsig_nb.engine.proportions.clopper_pearson(correct, total)`, 95 %; the paper "
            "does not say which intervals they are. They take pairs of systems as independent, "
            "which pairs that share systems are not.",
        ),
        Row(
            "graham-reversal",
            "Table 1, metrics",
            "which metric concludes rightly most often, es-en",
            OTHER,
            Link(notebook="27_what_accuracy_rewards"),
            computed.reversal,
            printed="in the table (Table 1)",
            data=(ES_EN,),
            claim="at .05 no metric concludes rightly more often than NIST",
            where="section 4.1",
            but="chance could make another order, here as well as in print",
            note=f"To check: printed are {_AT_05}; the rankings give another order (table). In "
            "both, METEOR leads or ties for first at .01 and .001. Of c right conclusions at "
            "most the pairs that the metric leaves undecided are not about pairs that people "
            "decided: if a metric left as many undecided there as here, their people decided at "
            "least the first number of ours, the rankings fewer. METEOR is right about every "
            "pair that the rankings decide; NIST leaves next to none undecided, and so loses "
            "nearly all of the others. But METEOR stays first where the rankings are read at "
            "levels at which they decide about as many pairs as their people (last columns, .2 "
            "and .5): how many are decided may account for the height of the counts, not for "
            "their order. METEOR here is 1.5 with synonyms and paraphrases; exact and stem "
            "matches alone are not embedded for es-en, so that what the version adds is open. By "
            "chi-square neither table shows a difference between metrics.",
        ),
        Row(
            "graham-section-4.1",
            "Section 4.1, accuracies",
            "the accuracies that the text quotes",
            Verdict.ARITHMETIC,
            Link(notebook="26_do_the_tests_agree_with_people"),
            computed.printed_section_4_1,
            printed={
                "best at .05, es-en": PAGE.quoted("g-best-n"),
                "the same in %": PAGE.quoted("g-best-pct"),
                "best at .05 in %, en-es": PAGE.quoted("g-best-enes"),
            },
            note="From the counts of Tables 1 and 2; it says, too, that all lower limits into "
            "Spanish are below 50 %.",
        ),
        Row(
            "graham-section-4.1-tests",
            "Section 4.1, tests",
            "rows in which the tests' counts differ",
            Verdict.ARITHMETIC,
            Link(notebook="26_do_the_tests_agree_with_people"),
            computed.text_against_table,
            printed="counts (Tables 1, 2)",
            claim="for BLEU and NIST the three tests never conclude differently into Spanish",
            where="section 4.1",
            note="To check: the text of section 4.1 has the three tests draw the same conclusions "
            "for BLEU and NIST, English to Spanish; Table 2 has NIST at .001 with "
            f"{_NIST_AT_001} (paired bootstrap, bootstrap, AR). "
            "Where counts differ, conclusions do. Where they are the same, "
            "conclusions need not be, which the text alone says.",
        ),
        Row(
            "graham-assessments",
            "Section 4, assessments",
            "assessments kept, from averages per system",
            Verdict.ARITHMETIC,
            Link(notebook="23_do_people_agree_with_themselves"),
            computed.assessments,
            printed="collected, and averages kept per system (section 4)",
            note="Systems × average, over both directions; the sums are not printed.",
        ),
        Row(
            "graham-claim",
            "Central claim",
            "rows of 3 × 4 × 2 in which the tests agree",
            SAME,
            Link({"identical rows": "the same with 5,000 resamples"}),
            computed.identical_rows,
            printed=f"{computed.equal_counts(computed.theirs).sum()} rows of equal counts (counted "
            "in Tables 1, 2)",
            data=(ES_EN, EN_ES),
            claim="the three tests hardly ever conclude differently",
            where="section 5",
            but="the rows of METEOR are of a later version than theirs",
            note="Three levels, four metrics, two language pairs; 5,000 resamples. Hardly ever: "
            "of less than 1 % of the pairs in all rows. The outputs and references are theirs, "
            "METEOR is a later version.",
        ),
        Row(
            "graham-coin",
            "Table 2, reading",
            "accuracy into Spanish, beside a coin",
            OTHER,
            Link(
                {
                    "interval contains 50 %, en-es": "en-es: combinations of 36 whose interval "
                    "contains 50 %"
                }
            ),
            computed.coin,
            printed="every lower limit below 50 % (section 4.1)",
            data=(EN_ES,),
            claim="into Spanish no metric with any test is shown to do better than a coin",
            where="abstract",
            selected="the rankings decide so few pairs that somebody who concludes something about "
            "every pair could not be shown to do better, however good",
            note="Clopper–Pearson intervals at 95 %. With three possible conclusions a coin is an "
            "odd yardstick; the notebook has a better one.",
        ),
        Row(
            "graham-chi-square-printed",
            "Section 4.1, metrics",
            "chi-square test of their own accuracies",
            Verdict.ARITHMETIC,
            Link(notebook="27_what_accuracy_rewards"),
            computed.printed_chi_square,
            printed="no significant difference (section 4.1)",
            note="From the counts at .05, approximate randomization; two metrics at a time with "
            "Yates's correction, and all four at once.",
        ),
        Row(
            "graham-chi-square",
            "Comparison of metrics",
            "chi-square test of accuracies",
            OTHER,
            Link({"p, NIST and METEOR": "NIST against METEOR, es-en, as if on different pairs: p"}),
            computed.chi_square,
            printed="no significant difference (section 4.1)",
            data=(ES_EN,),
            claim="at .05 accuracies of metrics do not differ significantly",
            where="section 4.1",
            note="es-en, AR. Takes the metrics as judged on different pairs, which they are not.",
        ),
        Row(
            "graham-mcnemar",
            "Comparison of metrics",
            "McNemar's test, on the same pairs",
            Verdict.OWN,
            Link({"p, NIST and METEOR": "the same, McNemar's test: p"}),
            computed.mcnemar,
            printed="–",
            claim="at .05 accuracies of metrics do not differ significantly by this test either",
            note="es-en, AR. It reckons with conclusions about the same pairs, but takes these "
            "pairs as independent, though they share systems. The intervals of the differences, "
            "which have systems as units, do not, and are to go by.",
        ),
    ),
    data=(ES_EN, EN_ES),
)
