"""How a file that is recognised is refused."""

from __future__ import annotations

import dataclasses

from ...errors import InputError
from ..source import ScoreSource

#: What to do with scores of whole test sets.
SEGMENTS_NEEDED = (
    "Significance needs the score of each segment. Give the texts (mtsig compare REF A B -m bleu), "
    "or let the metric write its segments' scores."
)
#: How promptfoo writes what is read, without asking any model again.
PROMPTFOO_EXPORT = "Export it as JSON: promptfoo export eval latest -o results.json"


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
