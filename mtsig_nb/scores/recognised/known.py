"""How a file that is recognised is refused."""

from __future__ import annotations

import dataclasses

from ...errors import InputError
from ..source import ScoreSource

#: What to do with scores of whole test sets.
SEGMENTS_NEEDED = (
    "Significance needs the score of each segment. Give the texts (mtsig compare -r REF A B -m "
    "bleu), or let the metric write its segments' scores."
)
#: What to do with sacreBLEU's scores of whole test sets.
TEXTS_NEEDED = (
    "Give the texts, from which the same scores are computed: mtsig compare -r REF A B -m bleu"
)
#: How promptfoo writes what is read, without asking any model again.
PROMPTFOO_EXPORT = "Export it as JSON: promptfoo export eval latest -o results.json"


def python(code: str) -> str:
    """A command that runs a line of Python, which may have no double quotation marks."""
    return f'python -c "{code}"'


def as_csv(code: str) -> str:
    """The advice to write a file as CSV by a line of Python."""
    return f"Write it as CSV: {python(code)}"


def as_json(code: str) -> str:
    """The advice to write a file as JSON by a line of Python."""
    return f"Write it as JSON: {python(code)}"


@dataclasses.dataclass(frozen=True)
class Known:
    """A kind of file that has no scores of segments.

    Parameters
    ----------
    what : str
        What the file does, with its verb: ``"is a notebook"``.
    advice : str
        What to do; ``{file}`` stands for the file.  A command stands last, without a full stop, so
        that it can be copied.
    """

    what: str
    advice: str

    def error(self, source: ScoreSource) -> InputError:
        """The error for a file of this kind."""
        advice = self.advice.replace("{file}", str(source.path))
        return InputError(f"{source.at()} {self.what}. {advice}")
