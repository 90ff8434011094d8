"""GTM and DependencyF on examples worked by hand, and what files are told that are no parses."""

from __future__ import annotations

import pytest

from mtsig_nb.errors import InputError
from mtsig_nb.metrics import GTM, DependencyF, read_conllu

OUTPUT = ["the tea the tea the", "Two cups , please ."]
TRANSLATION = ["the hot tea is the best tea", "two cups, please!"]


def test_gtm_by_hand():
    # Segment 0: "the" occurs 3 times in the output, 2 times in the reference: 2 match; "tea" 2
    # and 2: 2 match.  4 matches of 5 and 7 words.
    # Segment 1: the reference is tokenised to "two cups , please !".  "cups", "," and "please"
    # match; "Two" is not "two", "." is not "!".  3 matches of 5 and 5 words.
    gtm = GTM()
    stats = gtm.statistics(OUTPUT, [TRANSLATION])
    assert stats.tolist() == [[4, 5, 7], [3, 5, 5]]
    # Together 7 matches of 10 and 12 words: P = 7/10, R = 7/12, F = 2·7/(10 + 12) = 7/11.
    assert gtm.score(stats.sum(axis=0)) == pytest.approx(7 / 11)


def test_lowercase():
    # "Two" now matches "two": 4 of 5 and 5.
    assert GTM(lowercase=True).statistics(OUTPUT, [TRANSLATION])[1].tolist() == [4, 5, 5]


def test_best_of_several_references():
    # Segment 0 against "the the the": 3 matches of 5 and 3 words, F = 6/8, better than the 8/12
    # of the first reference.  Segment 1 against "cups": 1 of 5 and 1, F = 2/6, worse than 6/10.
    stats = GTM().statistics(OUTPUT, [TRANSLATION, ["the the the", "cups"]])
    assert stats.tolist() == [[3, 5, 3], [3, 5, 5]]


def test_gtm_of_nothing():
    gtm = GTM()
    stats = gtm.statistics(["", "a", ""], [["", "", "b"]])
    assert stats.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert gtm.score(stats).tolist() == [0, 0, 0]


def conllu(*sentences: str) -> str:
    """CoNLL-U from lines of "id form lemma head label", a comment, or nothing."""
    blocks = []
    for sentence in sentences:
        rows = []
        for line in sentence.strip().splitlines():
            if line.lstrip().startswith("#"):
                rows.append(line.strip())
            else:
                number, form, lemma, head, label = line.split()
                rows.append(f"{number}\t{form}\t{lemma}\t_\t_\t_\t{head}\t{label}\t_\t_")
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


REFERENCE = conllu(
    """
    # sent_id = 1
    1 The   the   2 det
    2 cats  cat   3 nsubj
    3 drank drink 0 root
    4 milk  milk  3 obj
    5 .     .     3 punct
    """,
    """
    # sent_id = 2
    1-2 Don't _ _ _
    1 Do    do    3 aux
    2 n't   not   3 advmod
    3 pay   pay   0 root
    """,
)
HYPOTHESIS = conllu(
    """
    # sent_id = 1
    1 A     a     2 det
    2 Cat   cat   3 nsubj
    3 drinks drink 0 root
    4 the   the   5 det
    5 milk  milk  3 obl
    6 .     .     3 punct
    """,
    """
    # sent_id = 2
    1 Not   not   2 advmod
    2 pay   pay   0 root
    2.1 up  _ _ _
    3 pay   pay   2 conj
    """,
)


@pytest.fixture
def parses(tmp_path):
    paths = []
    for name, text in (("hyp", HYPOTHESIS), ("ref", REFERENCE)):
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(text, encoding="utf-8", newline="")
    return [read_conllu(path) for path in paths]


def test_by_hand(parses):
    hypothesis, reference = parses
    # Sentence 1, (head, label, dependent) in lemmas.
    #   output:    (cat det a) (drink nsubj cat) (ROOT root drink) (milk det the) (drink obl milk)
    #              (drink punct .)
    #   reference: (cat det the) (drink nsubj cat) (ROOT root drink) (drink obj milk)
    #              (drink punct .)
    #   common: nsubj, root, punct: 3 of 6 and 5.
    # Sentence 2; the multiword token 1-2 and the empty node 2.1 are no words.
    #   output:    (pay advmod not) (ROOT root pay) (pay conj pay)
    #   reference: (pay aux do) (pay advmod not) (ROOT root pay)
    #   common: advmod, root: 2 of 3 and 3.
    metric = DependencyF()
    stats = metric.statistics(hypothesis, [reference])
    assert stats.tolist() == [[3, 6, 5], [2, 3, 3]]
    # Together 5 of 9 and 8: P = 5/9, R = 5/8, F = 10/17.
    assert metric.score(stats.sum(axis=0)) == pytest.approx(10 / 17)


ONE = conllu("1 Tea tea 0 root")


@pytest.mark.parametrize(
    ("output", "reference", "counts"),
    [
        # As often as both sides have it: "tea" is a conjunct of "tea" twice, and once.
        ("1 tea tea 0 root\n2 tea tea 1 conj\n3 tea tea 1 conj",
         "1 tea tea 0 root\n2 tea tea 1 conj", [2, 3, 2]),
        # Subtypes count.
        ("1 sold sell 0 root\n2 tea tea 1 nsubj:pass", "1 sold sell 0 root\n2 tea tea 1 nsubj",
         [1, 2, 2]),
        # A lemma that is left out is the form.
        ("1 Tea _ 0 root", "1 tea tea 0 root", [1, 1, 1]),
    ],
)  # fmt: skip
def test_what_matches(output, reference, counts):
    assert DependencyF().statistics([conllu(output)], [[conllu(reference)]]).tolist() == [counts]


def test_blocks_of_two_sentences_and_of_none():
    two = conllu("1 Tea tea 0 root", "1 Milk milk 0 root")
    stats = DependencyF().statistics([two, "# text =", ""], [[ONE, ONE, ""]])
    assert stats.tolist() == [[1, 2, 1], [0, 0, 1], [0, 0, 0]]


def test_sentences_must_be_the_same(parses):
    hypothesis, reference = parses
    with pytest.raises(
        InputError, match="segment 0 is the sentence '1' in the hypotheses and '2' in reference 0"
    ):
        DependencyF().statistics(hypothesis, [reference[::-1]])


ROW = ONE.strip()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", " is empty"),
        ("# x\n1\tTea\ttea\n", ", line 2: 3 fields instead of the 10 of CoNLL-U"),
        (ROW.replace("\t", " "), ", line 1: 1 fields instead of the 10"),
        (ROW + "\n" + ROW, ", line 2: ID '1' where 2 should come"),
        ("x" + ROW, ", line 1: ID 'x1' where 1 should come"),
        (ROW.replace("\t0\t", "\t7\t"), ", line 1: HEAD '7' is neither 0 nor the ID of another"),
        (ROW.replace("\t0\t", "\t_\t"), ", line 1: HEAD '_' is neither 0 nor"),
        (ROW.replace("\t0\t", "\t1\t"), ", line 1: HEAD '1' is neither 0 nor"),
        (ROW.replace("root", "_"), ", line 1: DEPREL is empty"),
    ],
)
def test_files_that_are_no_parses(tmp_path, text, problem):
    path = tmp_path / "bad.conllu"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_conllu(path)
    assert f"'bad.conllu'{problem}" in str(raised.value)
