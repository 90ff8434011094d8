"""Later campaigns: what WMT's organisers and other tools published, recomputed."""

from __future__ import annotations

from ..computed import later as computed
from ..rows import Link, Paper, Printed, Row, Verdict

README = "README of MultEval 0.5.1"
BASELINE = ("18.5", "0.3", "0.1")
SYS1 = ("18.8", "0.3", "0.3")
COLUMNS = ("BLEU", "s_sel", "s_opt")
SAME = Verdict.SAME_DATA
COMES_OUT = "Comes out: each within five joint standard errors of the draws."


def _campaign_row(name: str) -> Row:
    year, pair = name.split("/")
    return Row(
        f"{year}-{pair}",
        f"{year.upper()} {pair}",
        "p-values, stars, wins, clusters of direct assessment",
        SAME,
        Link(notebook="23_do_people_agree_with_themselves"),
        computed.DIRECT_ASSESSMENTS[name],
        printed="published table",
        data=(name,),
        note="From the ratings, by the organisers' recipe; compared with wilcoxon.csv and "
        "direct_assessment.csv of the campaign. Published p-values of 0 (underflow) and "
        "placeholders are left out.",
    )


def _scores_row(year: str, metric: str) -> Row:
    return Row(
        f"{year}-{metric.casefold()}",
        year.upper(),
        f"the organisers' {metric}",
        SAME,
        Link(notebook="04_what_a_score_is_made_of"),
        computed.automatic_scores(year, metric),
        printed="published scores",
        data=computed.campaigns_of(year),
        note="From the stored counts, against reference A; compared with metrics.csv of the "
        "campaigns. Some outputs came with HTML entities, which were resolved before counting; "
        "scores that were published before that differ.",
    )


PAPER = Paper(
    "Later campaigns",
    "Akhbardeh, F. et al. (2021). Findings of WMT21, 2021.wmt-1.1. Kocmi, T. et al. (2022). "
    "Findings of WMT22, 2022.wmt-1.1. Kocmi, T. et al. (2024). Findings of WMT24, 2024.wmt-1.1. "
    "Kocmi, T. et al. (2025). Preliminary ranking of WMT25 general machine translation systems. "
    "Post, M. (2018). A call for clarity in reporting BLEU "
    "scores, W18-6319. Clark, J. H. et al. (2011). Better hypothesis testing for statistical "
    "machine translation, P11-2031.",
    (
        *(_campaign_row(name) for name in computed.DIRECT_ASSESSMENTS),
        Row(
            "wmt21-22-together",
            "WMT21, WMT22",
            "all published p-values into English",
            SAME,
            Link({"p to 12 digits": "the same, all nine campaigns"}),
            computed.all_p_values,
            printed="published tables",
            data=tuple(computed.DIRECT_ASSESSMENTS),
            note="The sum of the nine rows above.",
        ),
        Row(
            "wmt21-de-en-cluster",
            "WMT21 de-en",
            "the first cluster, by the rule as stated",
            SAME,
            Link(notebook="23_do_people_agree_with_themselves"),
            computed.first_cluster,
            printed={
                "systems in the first cluster, by wins": Printed("4", "direct_assessment.csv"),
            },
            data=("wmt21/de-en",),
            note="A cluster is said to end where all systems above beat all below. The published "
            "one follows from counts of wins instead.",
        ),
        _scores_row("wmt21", "BLEU"),
        _scores_row("wmt22", "BLEU"),
        _scores_row("wmt22", "chrF"),
        _scores_row("wmt21", "chrF"),
        Row(
            "wmt21-ja-en-twins",
            "WMT21 ja-en",
            "one output, rated as two systems",
            Verdict.OWN,
            Link(
                {
                    "systems against which they fare differently": "systems of 14 against which "
                    "the same output fares differently"
                }
            ),
            computed.twins,
            printed="–",
            claim="neither a metric nor people tell the two apart",
            note="KwaiNLP and XMU, the same in every line.",
        ),
        Row(
            "later-people",
            "WMT21, WMT22",
            "tests beside people, as Graham et al. asked",
            Verdict.OWN,
            Link(
                {
                    "opposite, BLEU": "opposite conclusions of BLEU in nine campaigns",
                    "opposite, chrF": "opposite conclusions of chrF in nine campaigns",
                }
            ),
            computed.metrics_beside_people,
            printed="–",
            note="Approximate randomization at .05, two-sided, uncorrected, 1,000 shuffles; "
            "people: rank-sum test at .05.",
        ),
        Row(
            "wmt21-mqm",
            "WMT21, MQM",
            "tests beside experts",
            Verdict.OWN,
            Link(notebook="26_do_the_tests_agree_with_people"),
            computed.mqm,
            printed="–",
            note="Systems with both an output and MQM scores; experts: signed-rank test at .05.",
        ),
        Row(
            "wmt22-mqm",
            "WMT22, MQM",
            "tests beside experts",
            Verdict.IMPOSSIBLE,
            Link(notebook="26_do_the_tests_agree_with_people"),
            reason="MQM of WMT22 is not in the sources of the data",
        ),
        Row(
            "wmt24-esa",
            "WMT24",
            "people's averages, ranks and clusters (ESA)",
            Verdict.IMPOSSIBLE,
            Link(notebook="22_from_ratings_to_a_gold_standard"),
            reason="of two rounds of ratings, the first is not in the sources of the data",
        ),
        Row(
            "wmt25-averages",
            "WMT25, preliminary ranking",
            "averages of five metrics, two of them judges that are models, and of chrF++",
            SAME,
            Link(notebook="04_what_a_score_is_made_of"),
            computed.averages_of_models,
            printed="published tables",
            data=computed.campaigns_of("wmt25"),
            note="From the embedded scores of segments, rounded as printed. Averages are over the "
            "segments that have a score; two pairs are ranked by chrF++ alone.",
        ),
        Row(
            "wmt17-moses",
            "WMT17 en-de",
            "p-values of Moses' bootstrap",
            SAME,
            Link(notebook="14_a_table_read_again"),
            computed.other_tool("moses", "moses_bootstrap_bleu", 2000, 3 * 2000),
            printed="15 p-values, tests of sacreBLEU",
            data=computed.campaigns_of("wmt17"),
            note="By the package's emulation of the tool (the bootstrap as printed in 2005); mean "
            f"of three runs of 2,000 resamples there, 2,000 here. {COMES_OUT}",
        ),
        Row(
            "wmt17-multeval",
            "WMT17 en-de",
            "p-values of MultEval's randomization",
            SAME,
            Link(notebook="14_a_table_read_again"),
            computed.other_tool("multeval", "multeval_ar_bleu", 5000, 10_000),
            printed="15 p-values, tests of sacreBLEU",
            data=computed.campaigns_of("wmt17"),
            note=f"10,000 shuffles there, 5,000 here. {COMES_OUT}",
        ),
        Row(
            "multeval-runs",
            "MultEval, example",
            "BLEU and spreads over three runs",
            SAME,
            Link(notebook="26_do_the_tests_agree_with_people"),
            computed.multeval_scores,
            printed={
                f"{system} {name}": Printed(text, README)
                for system, texts in (("baseline", BASELINE), ("sys1", SYS1))
                for name, text in zip(COLUMNS, texts, strict=True)
            },
            data=computed.campaigns_of("multeval"),
            note="s_sel: over test sets, by the bootstrap; s_opt: over optimizer runs.",
        ),
        Row(
            "multeval-copy",
            "MultEval, example",
            "p of a system and its own copy",
            SAME,
            Link(notebook="14_a_table_read_again"),
            computed.multeval_copy,
            printed={"p as MultEval counts": Printed("0.00", README)},
            data=computed.campaigns_of("multeval"),
            note="sys2 is a copy of the baseline, byte by byte. Ties do not count in MultEval; "
            "where they do, p is 1.",
        ),
    ),
    data=tuple(
        name
        for year in ("wmt17", "wmt21", "wmt22", "wmt25", "multeval")
        for name in computed.campaigns_of(year)
    ),
    later=True,
)
