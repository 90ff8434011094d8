"""The columns that are labels, by their names: systems, segments, documents, test sets, raters."""

from __future__ import annotations

import re

from ..texts.files import toml_beside

LABELS = ("system", "segment", "document")

# Names in brackets cannot be mistaken for a file's own columns.  `labels.toml` lists the columns
# of files that mean the same.
RUN = "(run)"
TEST_SET = "(test set)"
REPEAT = "(repeat)"
RATER = "(rater)"
CALL = "(call)"

#: All labels that a row can have.
KEYS = (*LABELS, RUN, TEST_SET, REPEAT, RATER, CALL)

#: Names of columns that are labels, as `normalized` has them.
NAMES: dict[str, list[str]] = toml_beside(__file__)

#: What is kept beside scores and is a number too: who judged, how long, which run.
NO_SCORE = re.compile(
    r"target|Unnamed: \d+|(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch|group"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)


def is_label(name: str) -> bool:
    """Whether a column of this name is a label."""
    return any(normalized(name) in names for names in NAMES.values())


def normalized(name: str) -> str:
    """A name in small letters, with one underscore between words."""
    return re.sub(r"[\W_]+", "_", str(name).casefold()).strip("_")
