"""METEOR 1.5's score as a function of summed counts; what its two implementations here share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import check_one_of
from .base import FloatArray, Metric

MODULES = ("exact", "stem", "synonym", "paraphrase")
SIDES = ("hyp", "ref")


class Parameters(NamedTuple):
    """What METEOR 1.5 was tuned to for one language (task "rank")."""

    name: str
    #: Weight of recall against precision in their harmonic mean.
    alpha: float
    #: Exponent of the fragmentation, and the share of the score that it can cost.
    beta: float
    gamma: float
    #: Weight of content words; that of function words is 1 - delta.
    delta: float
    #: Weights of exact, stem, synonym and paraphrase matches, for the modules the language has.
    weights: dict[str, float]


#: Denkowski & Lavie (2014), Meteor Universal, and the constants that version 1.5 prints with its
#: scores.  Languages by ISO code; METEOR itself says "cz" for Czech.
LANGUAGES = {
    "en": Parameters(
        "english", 0.85, 0.2, 0.6, 0.75,
        {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6},
    ),
    "cs": Parameters("czech", 0.95, 0.2, 0.6, 0.8, {"exact": 1.0, "paraphrase": 0.4}),
    "de": Parameters(
        "german", 0.95, 1.0, 0.55, 0.55, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.2}
    ),
    "es": Parameters(
        "spanish", 0.65, 1.3, 0.5, 0.8, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.6}
    ),
    "fr": Parameters(
        "french", 0.9, 1.4, 0.6, 0.65, {"exact": 1.0, "stem": 0.2, "paraphrase": 0.4}
    ),
    "ru": Parameters(
        "russian", 0.75, 1.4, 0.7, 0.5, {"exact": 1.0, "stem": 0.5, "paraphrase": 0.5}
    ),
}  # fmt: skip


@dataclass(frozen=True)
class MeteorScore(Metric):
    """Columns and score of METEOR 1.5; how words are matched is up to its subclasses.

    Content and function words are counted apart on either side, and matches by the module that
    found them.  Precision and recall weigh these counts; the score is their harmonic mean
    (``alpha``), less a penalty for the number of chunks into which the matches fall.
    """

    name: ClassVar[str] = "METEOR"
    language: str = "en"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_one_of("language", self.language, LANGUAGES)

    @property
    def parameters(self) -> Parameters:
        """METEOR 1.5's parameters for the language."""
        return LANGUAGES[self.language]

    @property
    def match_modules(self) -> tuple[str, ...]:
        """The modules that find matches, in the order in which they are tried."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        lengths = [f"{side}_{count}" for count in ("len", "function") for side in SIDES]
        matches = [
            f"{side}_{module}_{kind}"
            for module in self.match_modules
            for kind in ("content", "function")
            for side in SIDES
        ]
        return (*lengths, *matches, "chunks")

    def forgive_whole_segments(self, rows: FloatArray) -> FloatArray:
        """Count no chunk, in place, where all words of both sides match in one piece.

        METEOR does so both when it scores a segment and when it adds segments up: what is
        perfectly in order is not fragmented at all.

        Parameters
        ----------
        rows : ndarray of float64, shape (..., counts)
        """
        matches = rows[..., 4:-1]
        whole = rows[..., -1] == 1
        for side in range(len(SIDES)):
            whole &= matches[..., side::2].sum(axis=-1) == rows[..., side]
        rows[whole, -1] = 0
        return rows

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        sums = np.asarray(sums)
        alpha, beta, gamma, delta = self.parameters[1:5]

        def column(index: int) -> FloatArray:
            return sums[..., index].astype(np.float64)

        with np.errstate(divide="ignore", invalid="ignore"):
            ratios, matched = [], np.zeros(sums.shape[:-1])
            for side in range(len(SIDES)):
                weighted = np.zeros(sums.shape[:-1])
                for number, module in enumerate(self.match_modules):
                    content = column(4 + 4 * number + side)
                    function = column(6 + 4 * number + side)
                    matched += content + function
                    weighted += self.parameters.weights[module] * (
                        delta * content + (1 - delta) * function
                    )
                length, function = column(side), column(2 + side)
                ratios.append(weighted / (delta * (length - function) + (1 - delta) * function))
            precision, recall = ratios
            mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
            fragmentation = column(-1) / (0.5 * matched)
            if beta != 1.0:
                fragmentation = np.power(fragmentation, beta)
            score = mean * (1.0 - gamma * fragmentation)
        return np.where(matched > 0, score, 0.0)
