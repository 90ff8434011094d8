"""Koehn (2004): how much BLEU wobbles, and the paired bootstrap."""

from __future__ import annotations

from .. import pseudocode
from ..computed import koehn as computed
from ..computed import koehn_design as design
from ..rows import Link, Paper, Row, Verdict

OTHER = Verdict.OTHER_DATA
DRAWN = "drawn, not printed"
quoted = computed.quoted
_DESIGN = "Engines from Spanish, French, German and Czech on WMT12 and WMT13, as under Data:"
_POPULATION = (
    "Ours: as many test sets as his, disjoint and broad, of the population in which the real "
    "sentences stand over and over."
)
_ONCE = "“Each sentence once”: disjoint test sets of the real sentences, far fewer."
_CHOSEN = (
    "how often conclusions are right depends mostly on how far apart the pairs are, and ours were "
    "chosen to "
    "differ as his do (our closest pair: see Section 6, expectation)"
)

PAPER = Paper(
    "Koehn 2004",
    "Koehn, P. (2004). Statistical significance tests for machine translation evaluation. EMNLP, "
    "W04-3250.",
    (
        Row(
            "koehn-test-set",
            "Data",
            "one large test set, the same sentences from all languages",
            OTHER,
            Link(notebook="11_a_hundred_verdicts"),
            design.test_set,
            printed={
                "sentences": quoted("k-test-sentences"),
                "source languages": quoted("k-sources"),
            },
            note=f"His outputs are not public. In their place: {', '.join(design.ENGINES)}, each "
            "from Spanish, French, German and Czech, in WMT12 and WMT13. Both years took one "
            "text in all languages, as section 3.1 has it. Where his design takes more test sets "
            f"than these give, a population of {design.POPULATION:,} stands in: the real "
            "sentences over and over, in random order. Its test sets are as many as his; their "
            "sentences are real, but come back in others.",
        ),
        Row(
            "koehn-table-1",
            "Table 1",
            "n-gram precisions beside BLEU",
            OTHER,
            Link(notebook="04_what_a_score_is_made_of"),
            design.table_1,
            printed={"worst / best, 4-gram": quoted("k-half")},
            claim="systems lie further apart by 4-gram than by unigram precision",
            where="section 2.3",
            note=f"{_DESIGN} the worst language's value over the best one's, of uedin, his own "
            "group's engine; the claim is asked of all four. His table has no 2- and 3-grams.",
        ),
        Row(
            "koehn-equation-1",
            "Equation 1",
            "BLEU without the weight 1/N",
            Verdict.ARITHMETIC,
            Link(notebook="04_what_a_score_is_made_of"),
            computed.equation_1,
            printed="no weight 1/N on the sum, as far as glyph codes show (section 2.3)",
            note="That the weight is missing is read from damaged glyph codes of the formula in "
            "the text of the paper at hand, and may be their fault. Without the weight BLEU is "
            "at most the product of two of its precisions, and every score of Table 1 is above "
            "that. With it Table 1 is consistent: the mean of the precisions that it does not "
            "print lies between those that it prints (no brevity penalty assumed).",
        ),
        Row(
            "koehn-places",
            "Section 2.3, section 3.4",
            "numbers that differ from place to place",
            Verdict.ARITHMETIC,
            Link(notebook="07_five_languages_in_one_test_set"),
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
            Link(
                {
                    "BLEU, best": "the same, of the fifth shortest",
                    "BLEU, of the shortest": "ten systems by length: BLEU of the shortest",
                    "BLEU, of the longest": "the same, of the longest",
                }
            ),
            computed.figure_1,
            printed=DRAWN,
            claim="where outputs are too short or too long BLEU falls, and GTM does not",
            where="section 2.3",
            note="As in unit 18: of the ten best systems of WMT13 de-en, the shortest output of "
            "each sentence, the second shortest, and so on, where he has one system told to say "
            "more or less; so lengths are picked among ten systems. Values: the score over the "
            "best of the ten lengths. BLEU falls. GTM "
            "falls as well, by far less; p: approximate randomization, the best length against "
            "the shortest and the longest, the larger of the two.",
        ),
        Row(
            "koehn-figure-2",
            "Figure 2",
            "BLEU on blocks of 300 sentences",
            OTHER,
            Link(notebook="07_five_languages_in_one_test_set"),
            design.figure_2,
            printed=design.extremes("k-blocks-range"),
            note=f"{_DESIGN} uedin from Spanish, in the test sets' own order, which is one "
            "original language after the other. That is most of what the blocks differ by: left "
            "open is how far a block is from what its sentences' languages scored that year. His "
            "are the extremes of a hundred blocks.",
        ),
        Row(
            "koehn-figure-3",
            "Figure 3",
            "BLEU on broad samples of 300",
            OTHER,
            Link(notebook="07_five_languages_in_one_test_set"),
            design.figure_3,
            printed=design.extremes("k-broad-range"),
            claim="broad samples vary less than blocks",
            where="section 3.3",
            selected="the test sets have one original language after the other, which is most of "
            "what blocks differ by: without it they vary little more than broad samples do",
            note="The same sentences, those of a sample at equal distances; his are a hundred "
            "samples.",
        ),
        Row(
            "koehn-table-2",
            "Table 2",
            "quantiles of Student's t",
            Verdict.ARITHMETIC,
            Link(notebook="09_how_many_sentences"),
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
            Link(notebook="09_how_many_sentences"),
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
            Link(notebook="10_the_same_sentences_for_both"),
            design.figure_4,
            printed={
                "true difference": quoted("k-es-da-truth"),
                "largest lead": quoted("k-es-da-max"),
                "samples with the other one ahead": quoted("k-es-da-wrong-n"),
                "its largest lead": quoted("k-es-da-wrong-by"),
            },
            note=f"The pair that stands for Spanish and Danish in Table 3. {_POPULATION} {_ONCE}",
        ),
        Row(
            "koehn-figure-5",
            "Figure 5",
            "shaded share of a normal distribution",
            Verdict.ARITHMETIC,
            Link(notebook="09_how_many_sentences"),
            computed.figure_5,
            printed={"shaded": quoted("k-fig5-q")},
            note="Between plus and minus the t that Table 2 prints for an infinite sample.",
        ),
        Row(
            "koehn-figures-4-6-coverage",
            "Figure 6",
            "95 % intervals on 100 test sets of 300",
            OTHER,
            Link(notebook="08_an_interval_from_one_test_set"),
            design.coverage,
            printed={"contain the truth": quoted("k-cov-actual")},
            claim="95 % intervals contain the true score about as often as they say",
            where="section 5",
            note=f"{_POPULATION} {_ONCE} Blocks break what section 5 assumes, and the promise with "
            "it. A hundred intervals cannot tell 95 % from 97 %.",
        ),
        Row(
            "koehn-figures-4-6-sizes",
            "Section 5",
            "intervals by size of the test set",
            Verdict.OWN,
            Link(notebook="09_how_many_sentences"),
            design.intervals_by_size,
            printed=f"{quoted('k-cov-misses').text} of {quoted('k-cov-sets').text} miss, on "
            f"{quoted('k-cov-size').text} sentences",
            note=f"{_POPULATION} Intervals of all sixteen systems. The paper has those of 300 "
            "sentences.",
        ),
        Row(
            "koehn-section-6",
            "Section 6",
            "the paired bootstrap as a procedure",
            Verdict.PROCEDURE,
            Link(notebook="10_the_same_sentences_for_both"),
            pseudocode.beside_the_package(pseudocode.paired_bootstrap),
            printed="procedure",
            note="Run line by line beside the package, on the same draws.",
        ),
        Row(
            "koehn-table-3",
            "Table 3",
            "conclusions at 95 % by size of the test set",
            OTHER,
            Link(notebook="11_a_hundred_verdicts"),
            design.table_3,
            printed="36 cells, in the table",
            claim="on 100 sentences more conclusions are wrong than on 300",
            where="section 7.1",
            but="single cells differ from his by more than chance",
            note="The claim is about wrong conclusions alone, which are few. "
            f"{_POPULATION} {_ONCE} Below each of his pairs stands the one of ours in its "
            "place: nine whose true differences are closest to his, in all, chosen before any "
            "test. One engine from two languages, as his are, unless two engines on one language "
            f"come closer by more than {design.TWO_ENGINES} BLEU. His rule, one-sided: a "
            "conclusion is drawn where either system wins 95 % of 1,000 resamples. Points: ours "
            "and his, shares right, apart, on average over cells; by chance: what two draws of as "
            "many test sets from the same shares would be. Ceiling: cells in which he prints "
            "100 %, which says little. Chi-square: of ours and his in each other cell, summed, a "
            "degree of freedom each; cells share sentences and systems, so it only describes. "
            "Curve: the share right is taken as Φ(d√n/σ − z), of the "
            "difference d and the number of sentences n alone, with z for his 95 %; σ is the one "
            "that comes closest to his cells, or to ours, and then his differences are put in. An "
            "empty cell is one where nothing is printed.",
        ),
        Row(
            "koehn-tables-3-4",
            "Tables 3, 4",
            "whether they count the same conclusions",
            Verdict.ARITHMETIC,
            Link(notebook="11_a_hundred_verdicts"),
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
            Link(notebook="11_a_hundred_verdicts"),
            design.one_in_twenty,
            printed=f"1 in {quoted('k-expected-wrong').text} conclusions "
            f"({quoted('k-expected-wrong').where})",
            claim="of conclusions at 95 % one in twenty is expected to be wrong",
            where="section 6",
            note="A level bounds wrong conclusions among tests of equal systems; what share of the "
            "conclusions drawn is wrong depends on how different the systems are. Fewest and most: "
            "what the rounding of Tables 3 and 4 allows, which the claim is held against.",
        ),
        Row(
            "koehn-table-4",
            "Table 4",
            "conclusions by level",
            OTHER,
            Link(notebook="11_a_hundred_verdicts"),
            design.table_4,
            printed={"right from 90 to 94.9 %": quoted("k-72-correct")},
            claim="conclusions at a level are right about as often as it says, or more often",
            where="section 7.2",
            selected=_CHOSEN,
            note="Of all sizes and pairs of Table 3, in the bins that are printed. "
            f"{_POPULATION} {_ONCE}",
        ),
        Row(
            "koehn-figures-7-8",
            "Figures 7, 8",
            "two pairs on 100 test sets of 300",
            OTHER,
            Link(notebook="11_a_hundred_verdicts"),
            design.figures_7_8,
            printed={
                "Figure 7, right": quoted("k-fig7-sig"),
                "Figure 8, right": quoted("k-fig8-correct"),
                "Figure 8, wrong": quoted("k-fig8-wrong"),
            },
            note="The pairs that stand for his in Table 3; the shares of resamples won that he "
            f"draws are not printed. {_POPULATION}",
        ),
        Row(
            "koehn-abstract",
            "Abstract",
            "300 sentences can be enough",
            OTHER,
            Link(notebook="11_a_hundred_verdicts"),
            design.three_hundred,
            printed=f"{quoted('k-abstract-size').text} sentences; from "
            f"{quoted('k-reliable').text} to {quoted('k-reliable', 'value_to').text} BLEU on "
            f"({quoted('k-reliable').where})",
            claim="a conclusion at 95 % from only 300 sentences may be relied on",
            where="abstract",
            selected=_CHOSEN,
            note="As Table 3, with shares of its column for 300 sentences beside. Relied on: 95 % "
            "of the conclusions are right. Our pairs stand in the places of his, and some of his "
            "that "
            "are 2 BLEU apart or more have one of ours that is less: shares are given by our "
            "differences and by his places. Most differences below two BLEU points go unnoticed.",
        ),
    ),
)
