"""The columns that are labels, by their names: systems, segments, documents, test sets, raters."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Any

from ..texts.files import toml_beside

#: The labels that have ordinary names.
LABELS = ("system", "segment", "document")

# Names in brackets cannot be mistaken for a file's own columns.  `labels.toml` lists the columns
# of files that mean the same.

#: Which of several trained systems of one name, such as its seed; each run becomes a system.
RUN = "(run)"
#: Which test set a row belongs to, such as its pair of languages.
TEST_SET = "(test set)"
#: Which of several answers of a system to one item; answers are averaged.
REPEAT = "(repeat)"
#: Who rated: a person, or a model that is asked to judge.
RATER = "(rater)"
#: Which of several times that a model was asked to judge one output.
CALL = "(call)"

#: All labels that a row can have.
KEYS = (*LABELS, RUN, TEST_SET, REPEAT, RATER, CALL)
#: The labels that tell segments apart.
OF_A_SEGMENT = (TEST_SET, "document", "segment")

_TABLES = toml_beside(__file__)

#: For each label, the names of columns that have its meaning, as `normalized` has them.  Where a
#: file has several of these columns, the first name counts.
NAMES: dict[str, list[str]] = _TABLES["labels"]

_WORDS: dict[str, list[str]] = _TABLES["words"]
_METRICS = set(_TABLES["metrics"]["names"])
_BESIDE_METRICS = set(_TABLES["metrics"]["beside"])

#: Columns of numbers that are no scores, by the last word of their names.  A rate, such as "errors
#: per word", is a score.
_NO_SCORE = re.compile(
    r"target|Unnamed: \d+|(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch|group|hit"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|repeat|repetition|sample|lead_?time"
    r"|position|pos|offset|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)


def labels_in(columns: Container[Any], labels: Iterable[str] = KEYS) -> list[str]:
    """The labels that a table has, in the order of `labels`.

    >>> labels_in(["segment", "COMET", "system"])
    ['system', 'segment']
    """
    return [label for label in labels if label in columns]


def is_label(name: str) -> bool:
    """Whether a column of this name is a label."""
    return any(normalized(name) in names for names in NAMES.values())


def normalized(name: str) -> str:
    """A name in small letters, with one underscore between words."""
    return re.sub(r"[\W_]+", "_", str(name).casefold()).strip("_")


def by_plain_name(columns: Iterable[str]) -> dict[str, str]:
    """The names of columns, by what `normalized` makes of them; of names alike, the last one.

    >>> by_plain_name(["Model A", "winner"])
    {'model_a': 'Model A', 'winner': 'winner'}
    """
    return {normalized(name): name for name in columns}


def columns_called(columns: Iterable[str], plain_names: Iterable[str]) -> list[str]:
    """The columns that have one of `plain_names`, in the order of these.

    Parameters
    ----------
    columns : iterable of str
        The columns, as a file calls them.
    plain_names : iterable of str
        Names as `normalized` has them.

    >>> columns_called(["Judge", "winner", "Judge ID"], ["judge_id", "judge", "rater"])
    ['Judge ID', 'Judge']
    """
    names = by_plain_name(columns)
    return [names[plain] for plain in plain_names if plain in names]


def names_items(name: str) -> bool:
    """Whether a column of this name says what was translated or asked.

    >>> names_items("src_text"), names_items("Prompt"), names_items("source translation")
    (True, True, False)
    """
    return not _words(name).isdisjoint(_WORDS["of_items"]) and not names_outputs(name)


def names_outputs(name: str) -> bool:
    """Whether a column of this name has what systems made.

    >>> names_outputs("model_answer"), names_outputs("source")
    (True, False)
    """
    return not _words(name).isdisjoint(_WORDS["of_outputs"])


def names_no_score(name: str) -> bool:
    """Whether numbers in a column of this name are no scores: who judged, how long, which run.

    >>> [names_no_score(name) for name in ("n_words", "judge", "Year", "errors per word")]
    [True, True, True, False]
    """
    return _NO_SCORE.fullmatch(str(name)) is not None


def names_setting(name: str) -> bool:
    """Whether a column of this name has a setting of the evaluation.

    >>> names_setting("Temperature"), names_setting("COMET")
    (True, False)
    """
    return normalized(name) in _WORDS["of_settings"]


def names_criteria(name: str) -> bool:
    """Whether a column of this name says what is judged, or by which metric.

    >>> names_criteria("Criterion"), names_criteria("score")
    (True, False)
    """
    return normalized(name) in _WORDS["of_criteria"]


def names_metric(name: str) -> bool:
    """Whether this is the name of a known metric, and of nothing else.

    >>> [names_metric(name) for name in ("wmt22-comet-da", "chrF++", "F1", "A", "comet-ft", "da")]
    [True, True, True, False, False, False]
    """
    words = _words(name)
    known = {word for word in words if word in _METRICS or _without_digits(word) in _METRICS}
    others = {_without_digits(word) for word in words - known}
    return bool(known) and others <= _BESIDE_METRICS | {""}


def _without_digits(word: str) -> str:
    """A word without the digits at its end, such as those of a year or a version."""
    return word.rstrip("0123456789")


def _words(name: str) -> set[str]:
    """The words in a name, which signs, blanks or capital letters part."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", str(name))
    return set(normalized(parted).split("_"))
