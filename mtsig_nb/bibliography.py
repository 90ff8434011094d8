"""What a paper cites: this package, the papers that our sentences name, and those of the metrics.

The entries are in `papers.bib`.  Above each stands, as a comment, the paper's name as our sentences
have it: ``Holm 1979``.  In a sentence it may also read ``Holm (1979)`` or ``Holm's (1979)``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from . import __version__
from .errors import in_prose

#: The name of this package in sentences, and its key in a bibliography.
SOFTWARE = "mtsig_nb"
#: When this version was made.
_YEAR = 2026
#: Where the package is published.  Empty while it has no public address.
_ADDRESS = ""
#: By the first part of a metric's signature: the paper that describes the metric.
_PAPER_OF_METRIC = {
    "BLEU": "Papineni et al. 2002",
    "chrF2": "Popović 2015",
    "chrF2++": "Popović 2017",
    "TER": "Snover et al. 2006",
    "NIST": "Doddington 2002",
    "GTM": "Turian, Shen & Melamed 2003",
    "METEOR": "Denkowski & Lavie 2014",
}
#: The metrics that sacreBLEU computes, and its paper.
_BY_SACREBLEU = ("BLEU", "chrF2", "chrF2++", "TER")
_PAPER_OF_SACREBLEU = "Post 2018"
#: Names of methods that stand for a paper.
_METHODS = {
    "Bradley-Terry": "Bradley & Terry 1952",
    "Satterthwaite's": "Satterthwaite 1946",
}
#: What may follow the year in ``Holm's (1979) correction``.
_NOUNS = r"(?: step-down)?(?: correction| maxT)"


class Citation(NamedTuple):
    """A place where works are cited.

    Attributes
    ----------
    keys : tuple of str
        Those of the works' entries.
    is_in_sentence : bool
        Whether the authors are part of the sentence, as in "after Holm (1979)".
    """

    keys: tuple[str, ...]
    is_in_sentence: bool = False


def works() -> tuple[str, ...]:
    """The names of all papers that there are entries of."""
    return tuple(_entries_by_name())


def entries(names: Iterable[str]) -> str:
    r"""The package, and the papers of these names, as BibTeX.

    Examples
    --------
    >>> text = entries(["Holm 1979"])
    >>> text.count("\n@"), "holm-1979-simple" in text, "year = {2026}" in text
    (1, True, True)
    """
    wanted = set(names)
    by_name = _entries_by_name()
    return "\n\n".join([_software(), *(by_name[name] for name in by_name if name in wanted)])


def named_in(text: str) -> list[str]:
    """The papers that a text names, each once.

    Examples
    --------
    >>> named_in("by approximate randomization (Graham et al. 2014), with Holm's (1979) correction")
    ['Graham et al. 2014', 'Holm 1979']
    """
    name_of = {_key(entry): name for name, entry in _entries_by_name().items()}
    names: dict[str, None] = {}
    for part in cited(text):
        if isinstance(part, Citation):
            for key in part.keys:
                if key in name_of:
                    names[name_of[key]] = None
    return list(names)


def cited(text: str) -> Iterator[str | Citation]:
    """A text in parts: what stays as it is, and citations in the place of papers' names.

    Examples
    --------
    >>> list(cited("We used Holm's (1979) correction for 3 pairs (Post 2018)."))
    ["We used Holm's correction", Citation(keys=('holm-1979-simple',), is_in_sentence=False),
     ' for 3 pairs', Citation(keys=('post-2018-call',), is_in_sentence=False), '.']
    """
    key_of = {name: _key(entry) for name, entry in _entries_by_name().items()}
    end_of_last = 0
    for found in _pattern().finditer(text):
        before = text[end_of_last : found.start()]
        end_of_last = found.end()
        if found["group"]:
            yield before.removesuffix(" ")
            yield Citation(tuple(key_of[name] for name in found["group"].split("; ")))
        elif found["software"]:
            yield before + found["software"]
            yield Citation((SOFTWARE,))
        elif found["method"]:
            yield before + found["method"]
            yield Citation((key_of[_METHODS[found["method"]]],))
        else:
            year = found["year"] or found["bare_year"]
            keys = (key_of[f"{found['authors']} {year}"],)
            # The authors of "Holm's (1979) correction" stay in the text, and are not cited by name.
            is_in_sentence = not found["possessive"]
            if is_in_sentence:
                yield before.removesuffix(" ")
            else:
                yield f"{before}{found['authors']}'s{found['noun'] or ''}"
            yield Citation(keys, is_in_sentence)
    yield text[end_of_last:]


def on_metrics(signatures: Mapping[str, str]) -> str:
    """Which papers describe the metrics, in a sentence; empty if none of them is known.

    Parameters
    ----------
    signatures : dict of str to str
        The signature of each metric.

    Examples
    --------
    >>> print(on_metrics({"BLEU": "BLEU|nrefs:1", "TER": "TER|nrefs:1", "MQM": "SegmentMean"}))
    BLEU (Papineni et al. 2002) and TER (Snover et al. 2006) are computed as in sacreBLEU (Post
    2018).
    """
    described = []
    is_by_sacrebleu = True
    for metric, signature in signatures.items():
        kind, _, _ = signature.partition("|")
        if kind in _PAPER_OF_METRIC:
            described.append(f"{metric} ({_PAPER_OF_METRIC[kind]})")
            is_by_sacrebleu &= kind in _BY_SACREBLEU
    if not described:
        return ""
    metrics = in_prose(described)
    has_several = len(described) > 1
    verb = "are" if has_several else "is"
    if is_by_sacrebleu:
        return f"{metrics} {verb} computed as in sacreBLEU ({_PAPER_OF_SACREBLEU})."
    return f"The metrics {verb} {metrics}." if has_several else f"The metric is {metrics}."


@functools.cache
def _entries_by_name() -> dict[str, str]:
    """By a paper's name: its entry."""
    bibliography = Path(__file__).with_name("papers.bib").read_text(encoding="utf-8")
    found = re.findall(r"^% ([^\n]+)\n(@.+?^})", bibliography, flags=re.MULTILINE | re.DOTALL)
    return dict(found)


def _key(entry: str) -> str:
    """The key of an entry in BibTeX."""
    key, _, _ = entry.partition("{")[2].partition(",")
    return key


def _software() -> str:
    """The entry of this package."""
    lines = [
        f"@misc{{{SOFTWARE},",
        "  title = {mtsig\\_nb: randomized significance tests for machine translation evaluation},",
        "  author = {{The mtsig\\_nb developers}},",
        f"  year = {{{_YEAR}}},",
        f"  version = {{{__version__}}},",
        f"  howpublished = {{Python package, version {__version__}}},",
    ]
    if _ADDRESS:
        lines.append(f"  url = {{{_ADDRESS}}},")
    return "\n".join([*lines, "}"])


@functools.cache
def _pattern() -> re.Pattern[str]:
    """What is a citation in a text: a group in parentheses, a paper in the sentence, a method."""
    longest_first = sorted(_entries_by_name(), key=len, reverse=True)
    name = "|".join(map(re.escape, longest_first))
    in_sentence = []
    for paper in longest_first:
        authors, _, year = paper.rpartition(" ")
        in_sentence.append(rf"{re.escape(authors)}(?=(?:'s)? (?:\({year}\)|{year}\b))")
    return re.compile(
        rf"\((?P<group>(?:{name})(?:; (?:{name}))*)\)"
        rf"|(?<!\w)(?P<authors>{'|'.join(in_sentence)})(?P<possessive>'s)?"
        rf" (?:\((?P<year>\d{{4}})\)(?P<noun>{_NOUNS})?|(?P<bare_year>\d{{4}}))"
        rf"|(?P<software>\b{SOFTWARE} \d[\w.+]*\d)"
        rf"|(?P<method>{'|'.join(map(re.escape, _METHODS))})"
    )
