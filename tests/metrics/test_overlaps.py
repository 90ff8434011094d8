"""GTM and DependencyF on examples worked by hand, and what files are told that are no parses."""

from __future__ import annotations

import pytest

from mtsig_nb.errors import InputError
from mtsig_nb.metrics import GTM, DependencyF, read_conllu

from ..messages import naming

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
    """CoNLL-U from words as form/lemma/head/label; ID@ stands before what is no word of a tree."""
    blocks = []
    for name, sentence in enumerate(sentences, start=1):
        rows, n_words = [f"# sent_id = {name}"], 0
        for word in sentence.split():
            other, _, fields = word.rpartition("@")
            n_words += not other
            form, lemma, head, label = fields.split("/")
            rows.append(f"{other or n_words}\t{form}\t{lemma}\t_\t_\t_\t{head}\t{label}\t_\t_")
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


REFERENCE = conllu(
    "The/the/2/det cats/cat/3/nsubj drank/drink/0/root milk/milk/3/obj ././3/punct",
    "1-2@Don't/_/_/_ Do/do/3/aux n't/not/3/advmod pay/pay/0/root",
)
HYPOTHESIS = conllu(
    "A/a/2/det Cat/cat/3/nsubj drinks/drink/0/root the/the/5/det milk/milk/3/obl ././3/punct",
    "Not/not/2/advmod pay/pay/0/root 2.1@up/_/_/_ pay/pay/2/conj",
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


ONE = conllu("Tea/tea/0/root")


@pytest.mark.parametrize(
    ("output", "reference", "counts"),
    [
        # As often as both sides have it: "tea" is a conjunct of "tea" twice, and once.
        (
            "tea/tea/0/root tea/tea/1/conj tea/tea/1/conj",
            "tea/tea/0/root tea/tea/1/conj",
            [2, 3, 2],
        ),
        # Subtypes count.
        ("sold/sell/0/root tea/tea/1/nsubj:pass", "sold/sell/0/root tea/tea/1/nsubj", [1, 2, 2]),
        # A lemma that is left out is the form.
        ("Tea/_/0/root", "tea/tea/0/root", [1, 1, 1]),
    ],
)
def test_what_matches(output, reference, counts):
    assert DependencyF().statistics([conllu(output)], [[conllu(reference)]]).tolist() == [counts]


def test_blocks_of_two_sentences_and_of_none():
    two = conllu("Tea/tea/0/root", "Milk/milk/0/root")
    stats = DependencyF().statistics([two, "# text =", ""], [[ONE, ONE, ""]])
    assert stats.tolist() == [[1, 2, 1], [0, 0, 1], [0, 0, 0]]


def test_sentences_must_be_the_same(parses):
    hypothesis, reference = parses
    with pytest.raises(InputError, match=naming("0 is", "'1'", "hypotheses", "'2'", "reference 0")):
        DependencyF().statistics(hypothesis, [reference[::-1]])


ROW = ONE.splitlines()[1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", " is empty"),
        ("# x\n1\tTea\ttea\n", ", line 2: 3 fields instead of the 10 of CoNLL-U"),
        (ROW.replace("\t", " "), ", line 1: 1 fields instead of the 10"),
        (ROW + "\n" + ROW, ", line 2: ID '1' where 2 is expected"),
        ("x" + ROW, ", line 1: ID 'x1' where 1 is expected"),
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
