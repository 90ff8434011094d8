"""Stroppa & Owczarzak (2007): clusters in place of rankings."""

from __future__ import annotations

from ..computed import stroppa_owczarzak as computed
from ..rows import Link, Paper, Printed, Row, Verdict

IN_08 = "08_clusters"
OTHER = Verdict.OTHER_SYSTEMS
NOT_AT_HAND = "not at hand"
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
            Link(IN_08, "What people say"),
            reason="neither outputs nor ratings are public",
            note="In their place: campaigns of WMT with rankings or direct assessment.",
        ),
        Row(
            "so-similarity",
            "Similarity",
            "example with six systems",
            Verdict.EXACT,
            Link(IN_08, "How alike are two clusterings?"),
            computed.similarity,
            printed={"similarity": Printed("0.67", "example of the similarity")},
            note="Two clusterings that agree about ten pairs and disagree weakly about five.",
        ),
        Row(
            "so-table-1",
            "Table 1",
            "metrics against people",
            OTHER,
            Link(IN_08, "Metrics among themselves, and against people"),
            computed.with_people,
            printed=f"{NOT_AT_HAND} (Table 1)",
            claim="every metric is closer to people than a test that finds nothing",
            note=f"{SIX} People: sign test on relative rankings at .05.",
        ),
        Row(
            "so-table-1-later",
            "Table 1",
            "the same on seven campaigns",
            OTHER,
            Link(
                IN_08,
                "Is that much?",
                {
                    "campaigns on which finding nothing agrees better": "campaigns of 7 on which a "
                    "lazy test agrees with people better than any of four metrics"
                },
            ),
            computed.later_campaigns,
            printed=f"{NOT_AT_HAND} (Table 1)",
            claim="the best metric is closer to people than a test that finds nothing",
            note="Four metrics, 1,000 resamples, corrected after Westfall & Young, at .05.",
        ),
        Row(
            "so-table-2",
            "Table 2",
            "metrics against metrics",
            OTHER,
            Link(IN_08, "Metrics among themselves, and against people"),
            computed.among_metrics,
            printed=f"{NOT_AT_HAND} (Table 2)",
            claim="metrics are closer to each other than to people",
            note=f"{SIX} es-en.",
        ),
        Row(
            "so-rankings",
            "Clusters or rankings",
            "which is closer to people",
            OTHER,
            Link(IN_08, "Is that much?"),
            computed.against_rankings,
            printed="–",
            note=f"{SIX} es-en. A question of ours; the paper does not claim it. A ranking decides "
            "every pair, and people leave some open, which bounds what it can score.",
        ),
        Row(
            "so-figure-1",
            "Figure 1",
            "systems as overlapping clusters",
            OTHER,
            Link(
                IN_08,
                "All twelve",
                {"clusters": "WMT12 es-en, chrF, α = .05: clusters of twelve systems"},
            ),
            computed.figure_1,
            printed=f"{NOT_AT_HAND} (Figure 1)",
            claim="clusters overlap, and have one order",
            note="WMT12 es-en, chrF. Systems without a letter in common differ.",
        ),
        Row(
            "so-figure-3",
            "Figure 3",
            "clusters by level",
            OTHER,
            Link(IN_08, "The level decides"),
            computed.figure_3,
            printed=f"{NOT_AT_HAND} (Figure 3)",
            claim="a milder level tells more pairs apart",
            note="WMT12 es-en, chrF.",
        ),
        Row(
            "so-figures-2-4-5",
            "Figures 2, 4, 5",
            "clusters by other judges",
            OTHER,
            Link(IN_08, "What people say"),
            computed.other_diagrams,
            printed=f"{NOT_AT_HAND} (Figures 2, 4, 5)",
            note=f"{SIX} What each of the three figures shows on its own is not at hand; here are "
            "the clusters of all judges.",
        ),
        Row(
            "so-speed",
            "Speed",
            "1,000 shuffles of 500 segments",
            OTHER,
            Link("04_approximate_randomization", "The real thing"),
            computed.speed,
            printed="0.3 s (BLEU), 0.7 s (NIST), Pentium 4",
            claim="this takes less time than they print",
            note="The (processor) time depends on the machine and is not kept here; `make "
            "replicate` prints it. What does not depend on it is the number of multiplications.",
        ),
        Row(
            "so-future-systems",
            "Future work",
            "more systems",
            OTHER,
            Link(IN_08, "Is that much?"),
            computed.more_systems,
            printed="–",
            note="WMT13 de-en, BLEU; people judged part of the systems.",
        ),
        Row(
            "so-future-metrics",
            "Future work",
            "more metrics",
            OTHER,
            Link(IN_08, "Metrics among themselves, and against people"),
            computed.more_metrics,
            printed="–",
            note=f"{SIX} es-en.",
        ),
        Row(
            "so-future-references",
            "Future work",
            "one reference or several",
            OTHER,
            Link(IN_08, "How alike are two clusterings?"),
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
            Link("03_paired_bootstrap", "What this test does not tell you"),
            computed.two_resamplings,
            printed="–",
            claim="both give nearly the same clusters (similarity above .95)",
            note="WMT12 es-en and en-es, two-sided, uncorrected, 2,000 resamples, at .05.",
        ),
    ),
)
