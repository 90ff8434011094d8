"""F-measures of the words (GTM) or labelled dependencies that output and reference share."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

import numpy as np

from ..errors import InputError
from ..texts.files import expanded, lines, quoted, read_text
from .base import ArrayLike, FloatArray, Lines, Metric, counts_first
from .references import best_reference, check_aligned
from .sacrebleu_counts import TokenizedMetric, sacrebleu_version

Item = TypeVar("Item", bound=Hashable)


class OverlapF(Metric):
    """A metric with three statistics: matching items, and those of output and of reference."""

    def score(self, sums: ArrayLike) -> FloatArray:
        """F, the harmonic mean of precision and recall; see `Metric.score`."""
        matches, n_hypothesis, n_reference = counts_first(sums)
        n_both = n_hypothesis + n_reference
        with np.errstate(divide="ignore", invalid="ignore"):
            # 2PR / (P + R) with P = m/h and R = m/r is 2m / (h + r).
            return np.where(n_both > 0, 2.0 * matches / n_both, 0.0)

    def _overlaps(
        self, hypotheses: Sequence[Counter[Item]], references: Sequence[Sequence[Counter[Item]]]
    ) -> FloatArray:
        """The statistics of each segment against its best reference.

        Parameters
        ----------
        hypotheses : sequence of Counter, length segments
            How often the output has each item.
        references : sequence of sequences of Counter, shape (references, segments)
            How often each reference has each item.

        Returns
        -------
        ndarray of float64, shape (segments, 3)
        """
        rows = []
        for reference in references:
            for in_hypothesis, in_reference in zip(hypotheses, reference, strict=True):
                in_both = in_hypothesis & in_reference
                rows.append((in_both.total(), in_hypothesis.total(), in_reference.total()))
        shape = (len(references), len(hypotheses), 3)
        per_reference = np.array(rows, dtype=np.float64).reshape(shape)
        return best_reference(self, per_reference)


@dataclass(frozen=True)
class GTM(OverlapF, TokenizedMetric):
    """F-measure of matching words, from 0 to 1, whatever their order.

    A word of the output and one of the reference match if they are equal, and each may be used
    once.  The size of the largest such matching is that of the intersection of both texts as
    multisets: for each word, the smaller of its two counts.  Precision is that size divided by the
    words of the output, recall by those of the reference, and the score is their harmonic mean.
    Unlike BLEU it has no brevity penalty, because recall does its work.

    With several references each segment is counted against the one that gives it the highest F,
    so no word is matched in one reference while the length comes from another.

    Parameters
    ----------
    tokenize : str
        A tokeniser of sacreBLEU; ``"13a"`` as for BLEU, so that the two differ in nothing else.
        ``"none"`` splits at spaces only.
    lowercase : bool
        Ignore case.

    Notes
    -----
    This is the measure with exponent 1, which gives no credit for word order; the later GTM tool
    (Turian, Shen & Melamed 2003) weighs runs of matches with larger exponents.

    Examples
    --------
    >>> gtm = GTM()
    >>> stats = gtm.statistics(["the tea the tea"], [["the tea is hot here"]])
    >>> dict(zip(gtm.columns, stats[0].tolist()))
    {'matches': 2.0, 'hyp_words': 4.0, 'ref_words': 5.0}
    >>> round(float(gtm.score(stats.sum(axis=0))), 3)  # of precision 2/4 and recall 2/5
    0.444
    """

    name: ClassVar[str] = "GTM"
    columns = ("matches", "hyp_words", "ref_words")

    @property
    def signature(self) -> str:
        case = "lc" if self.lowercase else "mixed"
        return (
            f"GTM|case:{case}|tok:{self.tokenize}|exponent:1|refs:best"
            f"|version:sacrebleu-{sacrebleu_version()}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        hypotheses, references = check_aligned(hypotheses, references)
        in_hypotheses = self._multisets(hypotheses)
        in_references = [self._multisets(lines) for lines in references]
        return self._overlaps(in_hypotheses, in_references)

    def _multisets(self, lines: Lines) -> list[Counter[str]]:
        """How often each line has each word."""
        return [Counter(self.words(line)) for line in lines]

    def words(self, line: str) -> Sequence[str]:
        """What is matched; see `Metric.words`."""
        cased = line.lower() if self.lowercase else line
        return self._tokenizer(cased.rstrip()).split()


# --- labelled dependencies ------------------------------------------------------------------------

#: Fields in a line of CoNLL-U.
N_FIELDS = 10
#: A multiword token ("3-4") or an empty node ("5.1"): no words of the basic tree.
OTHER_ID = re.compile(r"[1-9][0-9]*-[1-9][0-9]*|[0-9]+\.[1-9][0-9]*")
#: The comments above the words up to the one that names the sentence, and this name.
SENT_ID = re.compile(r"(?:#.*\n)*?#[ \t]*sent_id[ \t]*=[ \t]*(\S.*)")
# Places of fields in a line.
ID = 0
FORM = 1
LEMMA = 2
HEAD = 6
LABEL = 7
#: What the root of a sentence depends on.
ROOT = "ROOT"
#: Head, label and dependent.
Relation = tuple[str, str, str]


@dataclass(frozen=True)
class DependencyF(OverlapF):
    r"""F-measure of the labelled dependencies that output and reference share, from 0 to 1.

    A relation is a triple of head, label and dependent, such as (drink, obj, tea); the root of a
    sentence depends on ``ROOT``.  Relations match if all three parts are equal; each counts as
    often as both sides have it.  A word is represented by its lemma, or by its form if the parser
    left the lemma out (``_``), in lower case.  The subtype of a label such as ``nsubj:pass``
    counts, too.  Precision is the share of the output's relations that match, recall that of the
    reference's, and the score is their harmonic mean.  This is what Riezler & Maxwell (2005)
    compute from their grammar's parses, here with any parser that writes CoNLL-U.

    With several references each segment is counted against the one that gives it the highest F.

    Parameters
    ----------
    parser : str
        The parser and its version, such as ``"stanza-1.9"``.  It is part of the signature, since
        scores of different parsers are not comparable, and changes no count.

    See Also
    --------
    read_conllu : reads a file of parses; :doc:`/docs/howto` goes from there to a verdict.

    Examples
    --------
    >>> def parse(*rows):
    ...     columns = "{}\t{}\t{}\t_\t_\t_\t{}\t{}\t_\t_"
    ...     return "\n".join(columns.format(i, *row) for i, row in enumerate(rows, start=1))
    >>> reference = parse(("We", "we", 2, "nsubj"), ("drank", "drink", 0, "root"),
    ...                   ("tea", "tea", 2, "obj"))
    >>> output = parse(("We", "we", 2, "nsubj"), ("drink", "drink", 0, "root"))
    >>> metric = DependencyF()
    >>> stats = metric.statistics([output], [[reference]])
    >>> dict(zip(metric.columns, stats[0].tolist()))
    {'matched': 2.0, 'hyp_relations': 2.0, 'ref_relations': 3.0}
    >>> float(metric.score(stats.sum(axis=0)))
    0.8
    """

    name: ClassVar[str] = "DependencyF"
    columns = ("matched", "hyp_relations", "ref_relations")
    parser: str = ""

    @property
    def signature(self) -> str:
        parser = f"|parser:{self.parser}" if self.parser else ""
        # "ignore" names the labels whose relations are left out.  Like "words", "case" and
        # "subtypes" it was a setting once, and it stays because stored statistics were counted
        # under this signature.
        return (
            f"DependencyF|words:lemma|case:lc|subtypes:yes|ignore:none{parser}|refs:best|version:1"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        """Sufficient statistics of one system's parses.

        Parameters
        ----------
        hypotheses : sequence of str, length segments
            One block of CoNLL-U for each segment, as `read_conllu` gives them.  A block may hold
            several sentences, or none (comments only, or nothing) for an empty translation.
        references : sequence of sequences of str, shape (references, segments)
            Blocks likewise.  Where both sides name their first sentence (``# sent_id``), the
            names must agree.

        Returns
        -------
        ndarray of float64, shape (segments, 3)

        Raises
        ------
        InputError
            If a block is not CoNLL-U, or parses of different sentences are at the same place.
        """
        hypotheses, references = check_aligned(hypotheses, references)
        for place, reference in enumerate(references):
            _check_same_sentences(hypotheses, reference, place)
        in_hypotheses = _relations_of_segments(hypotheses, "hypothesis")
        in_references = []
        for place, reference in enumerate(references):
            where = f"reference {place}, segment"
            in_references.append(_relations_of_segments(reference, where))
        return self._overlaps(in_hypotheses, in_references)


def _check_same_sentences(hypotheses: Lines, reference: Lines, place: int) -> None:
    """Raise `InputError` if a segment's first sentence has another name in the reference.

    A name is a block's ``sent_id``.  Segments are compared where both blocks have one.

    Parameters
    ----------
    hypotheses, reference : sequence of str, length segments
        Blocks of CoNLL-U: the output's, and those of one reference.
    place : int
        The place of this reference among all, from 0, as the error names it.
    """
    for segment, (in_output, in_reference) in enumerate(zip(hypotheses, reference, strict=True)):
        name = _sent_id(in_output)
        reference_name = _sent_id(in_reference)
        if name and reference_name and name != reference_name:
            raise InputError(
                f"segment {segment} is the sentence {name!r} in the hypotheses and "
                f"{reference_name!r} in reference {place}; put both files in the same order."
            )


def _relations_of_segments(blocks: Lines, where: str) -> list[Counter[Relation]]:
    """How often each segment has each relation, from the segments' blocks of CoNLL-U.

    Errors call a segment by `where` and its number from 0: "hypothesis 3", or "reference 0, segment
    3".
    """
    return [_relations(block, f"{where} {segment}") for segment, block in enumerate(blocks)]


def _relations(block: str, where: str) -> Counter[Relation]:
    """How often a segment has each relation; `where` is what errors call the segment."""
    relations: Counter[Relation] = Counter()
    for sentence in _sentences(block.split("\n")):
        rows = _parse(sentence, where)
        lemmas = [_lemma(row) for row in rows]
        words = [ROOT, *lemmas]
        for row, dependent in zip(rows, lemmas, strict=True):
            head = words[int(row[HEAD])]
            relations[head, row[LABEL], dependent] += 1
    return relations


def _lemma(row: Sequence[str]) -> str:
    """The lemma of a word, or its form where the parser left that out; in lower case."""
    field = FORM if row[LEMMA] == "_" else LEMMA
    return row[field].lower()


def read_conllu(path: str | Path) -> list[str]:
    r"""The sentences of a CoNLL-U file, one block of lines each, in the order of the file.

    Every sentence must be one segment of the test set.  A parser that splits a segment into
    several sentences should be told not to; or join their blocks, with an empty line between.

    Parameters
    ----------
    path : str or Path
        A file in CoNLL-U, UTF-8, compressed with gzip or not: ten columns, sentences followed by an
        empty line.  A sentence of comments only stands for an empty translation.

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        If the file cannot be read, or a line is not CoNLL-U; the message says in which line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "parses.conllu")
    ...     row = "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_"
    ...     _ = path.write_text(f"# sent_id = a\n{row}\n\n# sent_id = b\n\n", encoding="utf-8")
    ...     len(read_conllu(path))
    2
    """
    file = expanded(path)
    sentences = list(_sentences(lines(read_text(file))))
    for sentence in sentences:
        _parse(sentence, quoted(file))
    return ["\n".join(line for _, line in sentence) for sentence in sentences]


def _sentences(text: Iterable[str]) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence, which end at an empty line, with their numbers from 1."""

    def is_filled(numbered: tuple[int, str]) -> bool:
        _, line = numbered
        return bool(line.strip())

    for filled, sentence in itertools.groupby(enumerate(text, start=1), is_filled):
        if filled:
            yield list(sentence)


def _sent_id(block: str) -> str:
    """The name that a comment above the words gives their sentence, if there is one."""
    found = SENT_ID.match(block)
    return found[1].strip() if found else ""


def _parse(sentence: list[tuple[int, str]], where: str) -> list[list[str]]:
    """The fields of each word of a sentence.

    Parameters
    ----------
    sentence : list of (int, str)
        The lines of the sentence with their numbers.
    where : str
        What errors call the text.

    Raises
    ------
    InputError
        If a line is not CoNLL-U; the message says which.
    """

    def wrong(number: int, reason: str) -> InputError:
        return InputError(f"{where}, line {number}: {reason}.")

    words: dict[int, list[str]] = {}  # by the number of the line
    for number, line in sentence:
        fields = line.split("\t")
        if line.startswith("#"):
            continue
        if len(fields) != N_FIELDS:
            raise wrong(number, f"{len(fields)} fields instead of the {N_FIELDS} of CoNLL-U")
        if OTHER_ID.fullmatch(fields[ID]):
            continue
        words[number] = fields
        if fields[ID] != str(len(words)):
            raise wrong(number, f"ID {fields[ID]!r} where {len(words)} is expected")
    ids = {str(i) for i in range(len(words) + 1)}
    for number, fields in words.items():
        if fields[HEAD] not in ids - {fields[ID]}:
            raise wrong(number, f"HEAD {fields[HEAD]!r} is neither 0 nor the ID of another word")
        if fields[LABEL] in ("", "_"):
            raise wrong(number, "DEPREL is empty; the parse needs labelled relations")
    return list(words.values())
