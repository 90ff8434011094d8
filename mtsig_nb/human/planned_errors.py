"""The standard error that a planned evaluation by people will have, and its degrees of freedom.

It will be estimated by sums of squares, as in :mod:`mtsig_nb.human.variance_components`.  A mean
square between raters holds what raters add, but also what raters and documents add together, and
the rest; so its degrees of freedom are those of a sum of squares, and not of one variance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.base import FloatArray, Mask

if TYPE_CHECKING:
    from .plans import Designs

#: What lies within each other, from the widest to the narrowest.
NESTED = ("document", "segment", "generation")
#: With fewer raters, documents or segments than this, t has at most as many degrees of freedom as
#: there are of them, less one.
FEW_LEVELS = 5


@dataclasses.dataclass(frozen=True)
class Sources:
    """The sources of variation that a pilot tells apart, and which of them are sampled.

    Attributes
    ----------
    variances : mapping of str to float
        By source, of what it adds to each system apart.
    samples : collection of str
        What counts as a sample; with documents their segments, and with segments their generations.
    """

    variances: Mapping[str, float]
    samples: Collection[str]

    @property
    def nested(self) -> list[str]:
        """Those of `NESTED` that the pilot tells apart."""
        return [name for name in NESTED if name in self.variances]

    @property
    def block(self) -> str | None:
        """The widest of them, which raters share out among themselves."""
        return self.nested[0] if self.nested else None

    @property
    def sampled(self) -> str | None:
        """The widest of them that is a sample."""
        return next((name for name in self.nested if name in self.samples), None)

    @property
    def is_block_sampled(self) -> bool:
        """Whether what raters share out is a sample."""
        return self.block is not None and self.sampled == self.block

    @property
    def are_raters_known(self) -> bool:
        """Whether the pilot tells raters apart."""
        return "rater" in self.variances

    @property
    def are_raters_sampled(self) -> bool:
        """Whether raters are known, and a sample."""
        return self.are_raters_known and "rater" in self.samples

    def around(self, sampled: str) -> str:
        """What a sample lies in, such as the document of a segment; it is taken as given."""
        return self.nested[self.nested.index(sampled) - 1]

    def can_be_told_apart(self, designs: Designs) -> Mask:
        """Whether what is sampled and what is not can be told apart in a design."""
        possible = np.full(len(designs.raters), fill_value=True)
        if self.are_raters_known and not self.are_raters_sampled:
            has_several_documents = designs.raters < designs.documents * designs.ratings
            possible &= has_several_documents | (designs.raters == 1)
        if self.block is None or self.is_block_sampled:
            return possible
        if self.are_raters_sampled:
            possible &= designs.ratings > 1
        if self.sampled is not None:
            levels = designs.levels()
            possible &= levels[self.sampled] > levels[self.around(self.sampled)]
        return possible


def squared_errors(designs: Designs, sources: Sources) -> tuple[FloatArray, FloatArray]:
    """Squared standard errors of the difference of two means, and their degrees of freedom.

    As if all draws were normal, by Satterthwaite's rule.  Exact where all raters rate everything or
    each output has one rater; in between, raters are taken to be dealt out so evenly that any two
    of them meet about as often.

    Parameters
    ----------
    designs : Designs
    sources : Sources

    Returns
    -------
    squared_errors, degrees_of_freedom : ndarray of shape (designs,)
    """
    levels = designs.levels()
    parts = {name: 2 * sources.variances.get(name, 0.0) / n for name, n in levels.items()}
    squared = np.zeros(len(designs.raters))
    half_variance = np.zeros(len(designs.raters))
    if sources.are_raters_sampled or sources.is_block_sampled:
        crossing = _Crossing.of(designs, sources, parts)
        squared += crossing.squared_error()
        half_variance += crossing.half_variance()
    if sources.sampled is not None and not sources.is_block_sampled:
        squared_within, half_variance_within = _within_what_is_given(
            sources.sampled, designs, sources, parts
        )
        squared += squared_within
        half_variance += half_variance_within
    if sources.sampled is None and not sources.are_raters_sampled:
        squared += parts["rest"]
        half_variance += parts["rest"] ** 2 / (levels["rest"] - 1)
    freedom = np.maximum(squared**2 / half_variance, 1.0)
    for name in sources.samples:
        is_few = levels[name] < FEW_LEVELS
        freedom = np.where(is_few, np.minimum(freedom, levels[name] - 1), freedom)
    return squared, freedom


def _total(parts: Mapping[str, FloatArray], names: Iterable[str]) -> FloatArray:
    """The sum of some parts of the squared error, which are by source."""
    total = np.zeros_like(parts["rest"])
    for name in names:
        total = total + parts[name]
    return total


def _within_what_is_given(
    sampled: str, designs: Designs, sources: Sources, parts: Mapping[str, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """What segments of given documents, or generations of given segments, add as a sample.

    Their mean square holds what raters add to them, too, which counts already where raters are a
    sample.

    Returns
    -------
    squared_error : ndarray of shape (designs,)
    half_variance : ndarray of shape (designs,)
        Half the variance of its estimate.
    """
    within = NESTED[NESTED.index(sampled) :]
    own = _total(parts, within)
    by_raters = _total(parts, [f"rater × {name}" for name in within]) + parts["rest"]
    levels = designs.levels()
    freedom = levels[sampled] - levels[sources.around(sampled)]
    if sampled == "generation":  # those of the two systems are not paired
        freedom = 2 * freedom
    half_variance = (own + by_raters) ** 2 / freedom
    if not sources.are_raters_sampled:
        return own + by_raters, half_variance
    half_variance += by_raters**2 / (freedom * (designs.ratings - 1))
    return own, half_variance


@dataclasses.dataclass(frozen=True)
class _Crossing:
    """Raters who share out blocks, which are documents or, where these are unknown, segments.

    A cell is what a rater's mean difference in a block holds.  Take P and Q, the projections of
    cells on raters and on blocks less the mean of all.  The covariance matrix of cells is then, but
    for a factor, aP + bQ + cI, and the squared error is estimated by a quadratic form xP + yQ + zI,
    whose expectation determines x, y and z.  Raters and blocks span planes in which they meet at
    the same angle; a trace is a sum over these planes and over what is left.

    Attributes
    ----------
    raters, blocks, cells : ndarray
        How many there are; one of what the pilot does not tell apart.
    planes : ndarray
        How many planes there are.
    overlap : ndarray
        The trace of PQ: the number of planes times the squared cosine of the angle.
    a, b, c : ndarray
        What raters, blocks and the rest add to the squared error, if they count.
    counts_raters, counts_blocks : bool
    """

    raters: FloatArray
    blocks: FloatArray
    cells: FloatArray
    planes: FloatArray
    overlap: FloatArray
    a: FloatArray
    b: FloatArray
    c: FloatArray
    counts_raters: bool
    counts_blocks: bool

    @classmethod
    def of(cls, designs: Designs, sources: Sources, parts: Mapping[str, FloatArray]) -> _Crossing:
        """The crossing in each design, with the parts of its squared error by source."""
        ones = np.ones_like(designs.raters)
        levels = designs.levels()
        raters = designs.raters if sources.are_raters_known else ones
        blocks = ones
        cells = levels["rest"]
        nested: tuple[str, ...] = ()
        if sources.block is not None:
            blocks = levels[sources.block]
            cells = blocks * designs.ratings
            nested = NESTED[NESTED.index(sources.block) :]
        planes = np.zeros_like(ones)
        overlap = np.zeros_like(ones)
        if sources.are_raters_known and sources.block is not None:
            planes = np.minimum(raters, designs.documents) - 1
            overlap = raters / designs.ratings - 1
        by_raters = [name for name in parts if name.startswith("rater ×")]
        return cls(
            raters=raters,
            blocks=blocks,
            cells=cells,
            planes=planes,
            overlap=overlap,
            a=parts["rater"],
            b=_total(parts, nested),
            c=_total(parts, by_raters) + parts["rest"],
            counts_raters=sources.are_raters_sampled,
            counts_blocks=sources.is_block_sampled,
        )

    def squared_error(self) -> FloatArray:
        """What raters and blocks and the rest add to it."""
        return self.a * self.counts_raters + self.b * self.counts_blocks + self.c

    def half_variance(self) -> FloatArray:
        """Half the variance of the estimated squared error: the trace of a squared product."""
        a = self.a
        b = self.b
        c = self.c
        x, y, z = self._form()
        squared_cosine = self.overlap / np.maximum(self.planes, 1)
        squared_sine = 1 - squared_cosine
        trace = a * x + b * y + squared_cosine * (a * y + b * x)
        trace += c * (x + y) + z * (a + b) + 2 * c * z
        of_form = z**2 + z * (x + y) + x * y * squared_sine
        of_covariance = c**2 + c * (a + b) + a * b * squared_sine
        in_planes = trace**2 - 2 * of_form * of_covariance
        only_raters = (x + z) * (a + c)
        only_blocks = (y + z) * (b + c)
        n_left = self.cells + 1 - self.raters - self.blocks
        return (
            self.planes * in_planes
            + (self.raters - 1 - self.planes) * only_raters**2
            + (self.blocks - 1 - self.planes) * only_blocks**2
            + n_left * (z * c) ** 2
        )

    def _form(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The weights x, y and z; zero for raters or blocks that cannot be told from cells.

        The expectation of the form has a trace for each of a, b and c, which has to be one for what
        counts and zero for what does not.
        """
        trace_p = self.raters - 1
        trace_q = self.blocks - 1
        equations = np.empty((len(self.cells), 3, 3))
        equations[:, 0] = np.stack([trace_p, self.overlap, trace_p], axis=1)
        equations[:, 1] = np.stack([self.overlap, trace_q, trace_q], axis=1)
        equations[:, 2] = np.stack([trace_p, trace_q, self.cells - 1], axis=1)
        expected = np.empty((len(self.cells), 3, 1))
        expected[:, :, 0] = [self.counts_raters, self.counts_blocks, 1]
        for k, levels in enumerate((self.raters, self.blocks)):
            is_untold = (levels == 1) | (levels == self.cells)
            equations[is_untold, k] = np.eye(3)[k]
            expected[is_untold, k] = 0
        weights = np.linalg.solve(equations, expected).astype(np.float64)
        return weights[:, 0, 0], weights[:, 1, 0], weights[:, 2, 0]
