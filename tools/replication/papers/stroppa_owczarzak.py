"""Stroppa & Owczarzak (2007): clusters in place of rankings."""

from __future__ import annotations

from ..computed import stroppa_owczarzak as computed
from ..rows import Link, Paper, Printed, Row, Verdict

OTHER = Verdict.OTHER_DATA
DRAWN = "drawn, not printed"
quoted, text = computed.quoted, computed.text
SIX = "WMT12, six metrics, approximate randomization, corrected after Westfall & Young, at .05."

PAPER = Paper(
    "Stroppa & Owczarzak 2007",
    "Stroppa, N. & Owczarzak, K. (2007). A cluster-based representation for multi-system MT "
    "evaluation. TMI, Skövde.",
    (
        Row(
            "so-data",
            "Data",
            "IWSLT 2006 with fluency and adequacy",
            Verdict.IMPOSSIBLE,
            Link(notebook="21_clusters"),
            printed=f"{text('s-conditions')} conditions of {text('s-systems')} systems, "
            f"{text('s-refs')} references (section 4.1)",
            reason="neither outputs nor ratings are public",
            note="In their place: campaigns of WMT with rankings or direct assessment.",
        ),
        Row(
            "so-similarity",
            "Similarity",
            "example with six systems",
            Verdict.ARITHMETIC,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.similarity,
            printed={"agreements": quoted("s-ex-agree-n"), "similarity": quoted("s-ex-S")},
            note="The groups are not printed. Of four and two groups that do not overlap only "
            "{0,1} {2} {3} {4,5} and {0,1,2,3} {4,5} give the listed pairs, up to their order.",
        ),
        Row(
            "so-p",
            "Section 3.1",
            "p can exceed one",
            Verdict.ARITHMETIC,
            Link(notebook="06_too_many_to_count"),
            computed.p_range,
            printed=f"{text('s-p')}, k = {text('s-k')} (section 3.1)",
            note="All shuffles count where two outputs are the same. The single cluster that "
            f"section 4.4 calls inevitable at {text('s-unique')} follows from a p below it, which "
            "this p never is; where p may equal the level, a pair could still be told apart.",
        ),
        Row(
            "so-table-1",
            "Table 1",
            "metrics against people",
            OTHER,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.with_people,
            printed="32 cells, in the table",
            claim="BLEU and METEOR are closer to people than NIST and GTM",
            where="section 4.3",
            note=f"{SIX} People: sign test on relative rankings at .05, in place of fluency and "
            "adequacy; the claim is asked of the means over both campaigns. In part: METEOR is "
            "closer than both, or BLEU is, and not the other. In print the claim does not hold of "
            "the means either: see Tables 1, 2.",
        ),
        Row(
            "so-multiples",
            "Table 1, cells",
            "multiples of one over the number of pairs",
            Verdict.ARITHMETIC,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.multiples,
            printed={
                "RS-CRR, METEOR, adequacy": Printed(
                    computed.cell("RS-CRR", "METEOR", "adequacy"), "Table 1"
                )
            },
            note="A similarity is a whole number over the number of pairs, of six systems or of "
            "eighteen. One row above, where NIST has the same nearest multiple, "
            f"{computed.cell('RS-CRR', 'NIST', 'adequacy')} is printed: this "
            "cell is cut off, not rounded.",
        ),
        Row(
            "so-readings",
            "Tables 1, 2",
            "readings of them, in their own numbers",
            Verdict.ARITHMETIC,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.readings,
            printed="sections 4.3, 5",
            claim="their tables show what the text reads from them",
            where="section 4.3",
            note="In part: in some conditions or for some metrics only, or of means and not of "
            "each cell. Gaps are differences of two printed numbers.",
        ),
        Row(
            "so-chance",
            "Table 1, yardsticks",
            "what chance gives, and what a ranking can reach",
            Verdict.OWN,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.chance,
            printed={"example, similarity": quoted("s-ex-S")},
            note=f"{SIX} Their clusterings are drawn, not printed, so that theirs can be computed "
            "for the example of section 3.3 alone: two judgements by people, whose similarity is "
            "a ceiling of a kind for metrics. One that equals people's clusters would have 1.",
        ),
        Row(
            "so-table-1-later",
            "Table 1",
            "the same on seven campaigns",
            Verdict.OWN,
            Link(
                {
                    "campaigns on which finding nothing agrees better": "campaigns of 7 on which a "
                    "lazy test agrees with people better than any of four metrics"
                }
            ),
            computed.later_campaigns,
            printed=computed.span_of_table_1(),
            note="Four metrics, 1,000 resamples, corrected after Westfall & Young, at .05.",
        ),
        Row(
            "so-table-2",
            "Table 2",
            "metrics against metrics",
            OTHER,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.among_metrics,
            printed="6 cells, in the table",
            claim="metrics are closer to each other than to people",
            where="section 4.3",
            note=f"{SIX} es-en. The claim is asked of the means.",
        ),
        Row(
            "so-rankings",
            "Clusters or rankings",
            "which is closer to people",
            Verdict.OWN,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.against_rankings,
            printed="–",
            note=f"{SIX} es-en. A ranking decides every "
            "pair, and people leave some open, which bounds what it can score.",
        ),
        Row(
            "so-figure-1",
            "Figure 1",
            "systems as overlapping clusters",
            OTHER,
            Link({"clusters": "WMT12 es-en, chrF, α = .05: clusters of twelve systems"}),
            computed.figure_1,
            printed=DRAWN,
            note="WMT12 es-en, chrF. Systems without a letter in common differ.",
        ),
        Row(
            "so-figure-3",
            "Figure 3",
            "clusters by level",
            OTHER,
            Link(notebook="21_clusters"),
            computed.figure_3,
            printed={
                f"clusters at {text('s-clusters-one-p')}": quoted("s-clusters-one"),
                f"clusters at {text('s-clusters-flu-p')}": quoted("s-clusters-flu"),
            },
            claim="from .002 to .05 clusters change very little",
            where="section 4.2",
            selected="nearly all pairs are told apart at .002 already, so that few are left to "
            "change",
            note="WMT12 es-en, chrF, in the paper's way: one-tailed, 1,000 shuffles, no "
            "correction, p divided by their number and below the level, which no p is at .001. "
            "Very little is taken as a tenth of the pairs. The clusters of six systems are drawn; "
            "the text says how many at two levels, and which levels give the same. The printed "
            "number at the higher one is that of fluency.",
        ),
        Row(
            "so-figures-2-4-5",
            "Figure 2",
            "clusters by other judges",
            OTHER,
            Link(notebook="21_clusters"),
            computed.other_diagrams,
            printed=DRAWN,
            note=f"{SIX} Here are the numbers of clusters of all judges.",
        ),
        Row(
            "so-figures-4-5",
            "Figures 4, 5",
            "agreement with people by level",
            OTHER,
            Link(notebook="21_clusters"),
            computed.agreement_by_level,
            printed=f"{DRAWN}; little change from {text('s-flat-flu')} to "
            f"{text('s-flat-flu', 'value_to')} (section 4.4)",
            claim="from .002 to .05 the agreement of a metric with people changes little",
            where="section 4.4",
            note="WMT12 es-en; metrics in the paper's way as for Figure 3, people by sign tests on "
            "relative rankings at the same levels, which still tell systems apart at .001. Little "
            "is taken as a tenth, as for Figure 3, for each of the four metrics. People conclude "
            "at the same level as the metric, so that the gold standard moves as well. In part: "
            "where people are kept at .05 it changes by less than that, as the last values say, so "
            "that most of the change is that of the people.",
        ),
        Row(
            "so-speed",
            "Speed",
            "1,000 shuffles of 500 segments",
            OTHER,
            Link(notebook="06_too_many_to_count"),
            computed.speed,
            printed=f"{text('s-time-bleu')} s (BLEU), {text('s-time-nist')} s (NIST), Pentium 4, "
            f"{text('s-time-cpu')} GHz (section 3.1.1)",
            note="The (processor) time depends on the machine and is not kept here; `make "
            "replicate` prints it. What does not depend on it is the number of multiplications.",
        ),
        Row(
            "so-future-systems",
            "Future work",
            "more systems",
            OTHER,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.more_systems,
            printed="–",
            note="WMT13 de-en, BLEU; people judged part of the systems.",
        ),
        Row(
            "so-future-metrics",
            "Future work",
            "more metrics",
            OTHER,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.more_metrics,
            printed="–",
            note=f"{SIX} es-en.",
        ),
        Row(
            "so-future-references",
            "Future work",
            "one reference or several",
            OTHER,
            Link(notebook="25_how_alike_are_two_clusterings"),
            computed.several_references,
            printed="–",
            note="BLEU, 2,000 shuffles, corrected after Westfall & Young. WMT21 en-de has three "
            "references, the others two.",
        ),
        Row(
            "so-future-resampling",
            "Future work",
            "bootstrap or randomization",
            OTHER,
            Link(notebook="10_the_same_sentences_for_both"),
            computed.two_resamplings,
            printed="–",
            note="WMT12 es-en and en-es, two-sided, uncorrected, 2,000 resamples, at .05.",
        ),
    ),
)
