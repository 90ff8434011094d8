"""Restricted maximum likelihood of variance components, with exact information, in bounded memory.

The model is ``y = X b + sum of Z_t u_t + e``: a fixed effect for each group (each system), and
independent normal draws for the levels of each random term.  The covariance matrix of `y` is
``V = sum of theta_t A_t``, where ``A_t = Z_t Z_t'`` and the rest has ``A = I``.

Ratings are sorted into *blocks*, such as documents.  Terms whose levels lie within one block each
make a block-diagonal matrix ``B`` with the rest.  Terms whose levels reach across blocks, such as
raters, enter as columns, together with the fixed effects.  With ``U = [X, Z_across]``,

    P = V⁻¹ - V⁻¹ X (X' V⁻¹ X)⁻¹ X' V⁻¹ = B⁻¹ - H K H',    H = B⁻¹ U,

where ``K`` is no larger than there are columns (Woodbury's identity, with a flat prior for the
fixed effects).  Its corner that belongs to `X` is the covariance matrix of the estimates.  So all
traces that are needed are exact, and nothing as large as ``V`` is ever made.

References
----------
Patterson & Thompson (1971); Searle, Casella & McCulloch (1992), chapters 6 to 8; Gilmour, Thompson
& Cullis (1995) on the average information; Kenward & Roger (1997).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..metrics.base import FloatArray, Indices

if TYPE_CHECKING:
    from scipy import sparse

#: What is left when all terms are taken away.
REST = "rest"
#: Blocks of one size are worked on together, up to so many entries of their matrices.
_MOST_ENTRIES = 500_000
#: Matrices of all blocks are kept between two passes if they have no more entries than this.
_MOST_KEPT = 30_000_000
#: A step that promises to raise the log-likelihood by less than this is the last.
_SMALLEST_GAIN = 1e-10
#: Where no step leads further, the fit has converged if a step promises less than this.
_SMALLEST_GAIN_LEFT = 1e-6
#: Of a log-likelihood, rounding.
_ROUNDING = 1e-12
#: Added to the diagonal of the information, as a share of it.
_RIDGE = 1e-6
#: A variance this close to its least, as a share of the sum of all, is there.
_AT_LEAST = 1e-12
_MOST_STEPS = 100
_MOST_HALVINGS = 12
#: How far down the variance of the rest may go in one step, as a share of it.
_LARGEST_CUT = 0.05
#: How far up any variance may go in one step, as a multiple of the sum of all.
_LARGEST_GROWTH = 10.0
#: The least variance of the rest, as a share of the variance within groups.
LEAST_REST = 1e-6
#: The rest is as good as nothing if its variance is at most so many times the least.
_NEARLY_NONE = 2.0


@dataclasses.dataclass(frozen=True, eq=False)
class Term:
    """A random term: which of its levels each rating has.

    Attributes
    ----------
    name : str
    codes : ndarray of int, shape (ratings,)
    """

    name: str
    codes: Indices

    @property
    def n_levels(self) -> int:
        """How many levels it has."""
        return int(self.codes.max()) + 1

    def lies_within(self, block: Indices) -> bool:
        """Whether no level is in two blocks."""
        pairs = np.unique(np.stack([self.codes, block]), axis=1)
        return pairs.shape[1] == self.n_levels

    def sorted_by(self, order: Indices) -> Term:
        """The same term, of ratings in another order."""
        return Term(self.name, self.codes[order])

    @functools.cached_property
    def members(self) -> sparse.csr_array:
        """One where a level (row) has a rating (column)."""
        from scipy import sparse  # slow to import

        n = len(self.codes)
        return sparse.csr_array((np.ones(n), (self.codes, np.arange(n))))

    def spread(self, values: FloatArray) -> FloatArray:
        """``A_t @ values``: for each rating the sum over all ratings of its level."""
        return (self.members @ values)[self.codes]


@dataclasses.dataclass(frozen=True, eq=False)
class _Stack:
    """Blocks of the same number of ratings, which lie one after the other.

    Attributes
    ----------
    rows : slice
        Of all ratings.
    size : int
        Ratings of a block.
    columns : ndarray of int, shape (blocks, columns of a block)
        Which columns of U each block has; filled up with the number of all columns.
    members : ndarray of float64, shape (blocks, size, columns of a block)
        The rows of U, in these columns.
    codes : list of ndarray of int, shape (blocks, size)
        Levels of the terms within blocks.
    """

    rows: slice
    size: int
    columns: Indices
    members: FloatArray
    codes: list[Indices]

    def of(self, values: FloatArray) -> FloatArray:
        """The part of these blocks of an array with a row for each rating."""
        return values[self.rows].reshape(len(self.columns), self.size, *values.shape[1:])

    def same_level(self) -> Iterator[FloatArray]:
        """The blocks of ``A_t``, of one term within blocks after the other."""
        for codes in self.codes:
            yield (codes[:, :, None] == codes[:, None, :]).astype(np.float64)

    def covariance(self, rest: float, variances: FloatArray) -> FloatArray:
        """The blocks of B."""
        result = np.zeros((len(self.columns), self.size, self.size))
        diagonal = np.arange(self.size)
        result[:, diagonal, diagonal] = rest
        for variance, same in zip(variances, self.same_level(), strict=True):
            result += variance * same
        return result

    def corners(self) -> tuple[Indices, Indices]:
        """Rows and columns that take blocks' columns out of a matrix of all columns."""
        return self.columns[:, :, None], self.columns[:, None, :]


@dataclasses.dataclass(frozen=True, eq=False)
class _BlockMatrices:
    """What is needed of the blocks of a stack at some variances.

    Attributes
    ----------
    inverse : ndarray of float64, shape (blocks, size, size)
        Of B.
    half : ndarray of float64, shape (blocks, size, columns of a block)
        Of H.
    log_determinant : float
        Of B.
    """

    inverse: FloatArray
    half: FloatArray
    log_determinant: float


def _transposed(matrices: FloatArray) -> FloatArray:
    return np.swapaxes(matrices, 1, 2)


class BlockedModel:
    """A mixed model whose random terms lie within blocks, or are few enough to be columns.

    Parameters
    ----------
    values : ndarray of float64, shape (ratings,)
    fixed : ndarray of int, shape (ratings,)
        The group of each rating that has a fixed effect of its own.
    terms : sequence of Term
    block : ndarray of int, shape (ratings,)

    Attributes
    ----------
    names : list of str
        The rest, the terms within blocks, and the terms across; variances are in this order.
    n_columns : int
        Fixed effects and levels of the terms across blocks.
    """

    def __init__(
        self, values: FloatArray, fixed: Indices, terms: Sequence[Term], block: Indices
    ) -> None:
        within = [term for term in terms if term.lies_within(block)]
        across = [term for term in terms if not term.lies_within(block)]
        sizes = np.bincount(block)
        order = np.lexsort([block, sizes[block]])  # the smallest blocks first
        self.values = values[order]
        self.fixed = fixed[order]
        self.within = [term.sorted_by(order) for term in within]
        self.across = [term.sorted_by(order) for term in across]
        self.rest = Term(REST, np.arange(len(values)))
        self.terms = [self.rest, *self.within, *self.across]
        self.names = [term.name for term in self.terms]
        self.n_fixed = int(fixed.max()) + 1
        widths = [self.n_fixed, *(term.n_levels for term in self.across)]
        ends = np.cumsum(widths)
        self.n_columns = int(ends[-1])
        #: Where the columns of each term across blocks are.
        self.slices = [slice(ends[i], ends[i + 1]) for i in range(len(across))]
        self.stacks = list(self._stacked(np.sort(sizes)))
        n_entries = sum(
            stack.members.size + stack.size * len(stack.columns) for stack in self.stacks
        )
        n_entries += sum(len(stack.columns) * stack.size**2 for stack in self.stacks)
        self.keeps_matrices = n_entries <= _MOST_KEPT

    def _stacked(self, sizes: Indices) -> Iterator[_Stack]:
        """Stacks of blocks, whose sizes these are in ascending order."""
        starts = [term_slice.start for term_slice in self.slices]
        codes = [start + term.codes for start, term in zip(starts, self.across, strict=True)]
        columns = np.stack([self.fixed, *codes], axis=1)
        first_row = 0
        for size, n_blocks in zip(*np.unique(sizes, return_counts=True), strict=True):
            at_once = max(1, _MOST_ENTRIES // int(size) ** 2)
            for first in range(0, int(n_blocks), at_once):
                n = min(at_once, int(n_blocks) - first)
                rows = slice(first_row, first_row + n * int(size))
                first_row = rows.stop
                yield self._stack(rows, n, int(size), columns[rows])

    def _stack(self, rows: slice, n_blocks: int, size: int, columns: Indices) -> _Stack:
        """The stack of so many blocks, from the columns of its ratings."""
        by_block = columns.reshape(n_blocks, size, -1)
        own = [np.unique(of_block) for of_block in by_block]
        width = max(len(numbers) for numbers in own)
        filled = np.full((n_blocks, width), self.n_columns)
        members = np.zeros((n_blocks, size, width))
        for i, numbers in enumerate(own):
            filled[i, : len(numbers)] = numbers
            place = np.searchsorted(numbers, by_block[i])
            members[i, np.arange(size)[:, None], place] = 1.0
        codes = [term.codes[rows].reshape(n_blocks, size) for term in self.within]
        return _Stack(rows, size, filled, members, codes)

    def at(self, variances: FloatArray) -> Point:
        """The model at these variances."""
        return Point(self, variances)

    def start(self) -> FloatArray:
        """Half of the variance within groups to the rest, half to all terms."""
        means = np.bincount(self.fixed, self.values) / np.bincount(self.fixed)
        variance = np.var(self.values - means[self.fixed])
        n_terms = len(self.terms) - 1
        if not n_terms:
            return np.array([variance])
        return variance * np.array([0.5] + [0.5 / n_terms] * n_terms)


class Point:
    """A mixed model at given variances: its likelihood, and what follows from it.

    Parameters
    ----------
    model : BlockedModel
    variances : ndarray of float64, shape (terms,)
        By the model's `names`.

    Attributes
    ----------
    log_likelihood : float
        Restricted.
    solution : ndarray of float64, shape (columns,)
        Estimates of the fixed effects, and predictions of the levels of the terms across blocks.
    residual : ndarray of float64, shape (ratings,)
        ``P @ values``.
    """

    def __init__(self, model: BlockedModel, variances: FloatArray) -> None:
        self.model = model
        self.variances = variances
        self._kept: list[_BlockMatrices] = []
        n = model.n_columns
        products = np.zeros(
            (n + 1, n + 1)
        )  # U' B^-1 U; blocks that have fewer columns use the last
        sums = np.zeros(n + 1)  # U' B^-1 y
        square = 0.0  # y' B^-1 y
        log_determinant = 0.0
        for stack, blocks in self._blocks():
            values = stack.of(model.values)
            np.add.at(products, stack.corners(), _transposed(stack.members) @ blocks.half)
            np.add.at(sums, stack.columns, np.einsum("bij,bi->bj", blocks.half, values))
            square += float(np.einsum("bi,bij,bj->", values, blocks.inverse, values, optimize=True))
            log_determinant += blocks.log_determinant
        self.products = products[:n, :n]
        sums = sums[:n]
        self._padded, of_columns = self._inner()
        self.solution = self.inner @ sums
        n_free = len(model.values) - model.n_fixed
        self.log_likelihood = -0.5 * (
            log_determinant
            + of_columns
            + square
            - float(sums @ self.solution)
            + n_free * np.log(2 * np.pi)
        )
        self.residual = self.project(model.values[:, None])[:, 0]

    def _blocks(self) -> Iterator[tuple[_Stack, _BlockMatrices]]:
        """The stacks with their matrices, which are made again if they are too large to keep."""
        if self._kept:
            yield from zip(self.model.stacks, self._kept, strict=True)
            return
        made = []
        for stack in self.model.stacks:
            blocks = self._block_matrices(stack)
            if self.model.keeps_matrices:
                made.append(blocks)
            yield stack, blocks
        self._kept = made

    def _block_matrices(self, stack: _Stack) -> _BlockMatrices:
        n_within = len(self.model.within)
        covariance = stack.covariance(self.variances[0], self.variances[1 : 1 + n_within])
        root = np.linalg.cholesky(covariance)
        log_determinant = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum()
        inverse: FloatArray = np.linalg.inv(covariance).astype(np.float64, copy=False)
        return _BlockMatrices(inverse, inverse @ stack.members, float(log_determinant))

    def _inner(self) -> tuple[FloatArray, float]:
        """K, and the log determinant that the columns add to that of B.

        K has a further row and column of zeros, for the columns that blocks are filled up with.
        """
        from scipy import linalg  # slow to import

        model = self.model
        deviation = np.ones(model.n_columns)
        prior = np.zeros(model.n_columns)  # precision, in units of the variance; flat if fixed
        prior[model.n_fixed :] = 1.0
        across = self.variances[1 + len(model.within) :]
        for columns, variance in zip(model.slices, across, strict=True):
            deviation[columns] = np.sqrt(variance)
        scaled = deviation[:, None] * self.products * deviation + np.diag(prior)
        root = linalg.cholesky(scaled, lower=True)
        inverse = linalg.cho_solve((root, True), np.eye(model.n_columns))
        padded = np.zeros((model.n_columns + 1, model.n_columns + 1))
        padded[:-1, :-1] = deviation[:, None] * inverse * deviation
        return padded, float(2 * np.log(np.diag(root)).sum())

    @property
    def inner(self) -> FloatArray:
        """K, of shape (columns, columns)."""
        return self._padded[:-1, :-1]

    def half(self, weights: FloatArray) -> FloatArray:
        """``H @ weights``, of shape (ratings, …)."""
        padded = np.vstack([weights, np.zeros((1, weights.shape[1]))])
        parts = [blocks.half @ padded[stack.columns] for stack, blocks in self._blocks()]
        return np.concatenate([part.reshape(-1, weights.shape[1]) for part in parts])

    def project(self, values: FloatArray) -> FloatArray:
        """``P @ values``, of shape (ratings, columns of `values`)."""
        n_values = values.shape[1]
        sums = np.zeros((self.model.n_columns + 1, n_values))  # H' values
        parts = []
        for stack, blocks in self._blocks():
            of_stack = stack.of(values)
            parts.append((blocks.inverse @ of_stack).reshape(-1, n_values))
            np.add.at(sums, stack.columns, _transposed(blocks.half) @ of_stack)
        return np.concatenate(parts) - self.half(self.inner @ sums[:-1])

    @functools.cached_property
    def _across_products(self) -> FloatArray:
        """``U' P U``."""
        return self.products - self.products @ self.inner @ self.products

    @functools.cached_property
    def gradient(self) -> FloatArray:
        """Of the restricted log-likelihood, by the variances."""
        model = self.model
        n_within = len(model.within)
        traces = np.zeros(len(model.terms))  # of P A_t
        for stack, blocks in self._blocks():
            between = self._padded[stack.corners()]
            projection = blocks.inverse - blocks.half @ between @ _transposed(blocks.half)
            traces[0] += np.einsum("bii->", projection)
            for t, same in enumerate(stack.same_level(), start=1):
                traces[t] += np.sum(projection * same)
        for t, columns in enumerate(model.slices, start=1 + n_within):
            traces[t] = np.trace(self._across_products[columns, columns])
        squares = [np.sum((term.members @ self.residual) ** 2) for term in model.terms]
        return -0.5 * (traces - np.array(squares))

    def average_information(self) -> FloatArray:
        """The mean of observed and expected information (Gilmour et al. 1995)."""
        spread = np.stack([term.spread(self.residual) for term in self.model.terms], axis=1)
        information: FloatArray = 0.5 * spread.T @ self.project(spread)
        return information

    def expected_information(self) -> FloatArray:
        """Half the traces of ``P A_s P A_t``, exactly."""
        model = self.model
        n_terms = len(model.terms)
        n_within = 1 + len(model.within)  # with the rest
        traces = np.zeros((n_terms, n_terms))
        traces[:n_within, :n_within] = self._traces_of_blocks()
        between = self._between_blocks()  # S_t = H' A_t H
        for s in range(n_within):
            weighted = self.inner @ (between[s] @ self.inner)
            for t in range(n_within):
                traces[s, t] += between[t].multiply(weighted).sum()
        reduced = np.eye(model.n_columns) - self.inner @ self.products  # P U = H (I - K U' B^-1 U)
        for r, columns in enumerate(model.slices, start=n_within):
            for t in range(n_within):
                of_columns = reduced[:, columns]
                traces[r, t] = np.sum((between[t] @ of_columns) * of_columns)
                traces[t, r] = traces[r, t]
            for c, others in enumerate(model.slices, start=n_within):
                traces[r, c] = np.sum(self._across_products[columns, others] ** 2)
        return (traces + traces.T) / 4

    def _traces_of_blocks(self) -> FloatArray:
        """Of ``B⁻¹ A_s B⁻¹ A_t - 2 Q A_s B⁻¹ A_t``, with the blocks of ``Q = H K H'``."""
        n_within = 1 + len(self.model.within)
        traces = np.zeros((n_within, n_within))
        for stack, blocks in self._blocks():
            weighted = blocks.half @ self._padded[stack.corners()] @ _transposed(blocks.half)
            right = [blocks.inverse]
            right += [blocks.inverse @ same for same in stack.same_level()]
            rest = blocks.inverse - 2 * weighted
            for t, product in enumerate(right):
                traces[0, t] += np.sum(rest * _transposed(product))
            for s, same in enumerate(stack.same_level(), start=1):
                left = rest @ same
                for t, product in enumerate(right):
                    traces[s, t] += np.sum(left * _transposed(product))
        return traces

    def _between_blocks(self) -> list[sparse.csr_array]:
        """``H' A_t H`` of the rest and the terms within blocks."""
        from scipy import sparse  # slow to import

        n = self.model.n_columns
        sums = [sparse.csr_array((n + 1, n + 1)) for _ in range(1 + len(self.model.within))]
        for stack, blocks in self._blocks():
            rows, columns = np.broadcast_arrays(*stack.corners())
            place = (rows.ravel(), columns.ravel())
            turned = _transposed(blocks.half)
            products = [turned @ blocks.half]
            products += [turned @ (same @ blocks.half) for same in stack.same_level()]
            for t, product in enumerate(products):
                sums[t] += sparse.csr_array((product.ravel(), place), shape=(n + 1, n + 1))
        return [total[:n, :n] for total in sums]

    def effects(self) -> FloatArray:
        """Estimates of the fixed effects."""
        return self.solution[: self.model.n_fixed]

    def contributions(self) -> dict[str, FloatArray]:
        """What the predicted draws of each term add to the mean of each group's values.

        The mean of a group is its effect and the sum of these, exactly: ``theta_t A_t P y`` is the
        best linear unbiased prediction of what a term adds to each rating.
        """
        model = self.model
        counts = np.bincount(model.fixed)
        result = {}
        for term, variance in zip(model.terms, self.variances, strict=True):
            predicted = variance * term.spread(self.residual)
            result[term.name] = np.bincount(model.fixed, predicted) / counts
        return result


@dataclasses.dataclass(frozen=True, eq=False)
class Fit:
    """Variances by restricted maximum likelihood.

    Attributes
    ----------
    point : Point
        The model at these variances.
    converged : bool
        Whether no step raises the likelihood any more.
    n_steps : int
    has_rest : bool
        Whether the variance of the rest is above the least that is admitted; if not, the terms
        account for everything.
    """

    point: Point
    converged: bool
    n_steps: int
    has_rest: bool


def fit(model: BlockedModel) -> Fit:
    """Variances that maximise the restricted likelihood, none below zero.

    Newton's steps with the average information, or where that leads nowhere, with the expected one.
    A variance that a step would push below zero stays at zero while its gradient is negative.  The
    rest keeps a millionth of the variance within groups, since likelihoods without it may have no
    maximum.
    """
    start = model.start()
    least = np.zeros(len(start))
    least[0] = LEAST_REST * start.sum()
    point = model.at(start)
    for n_steps in range(_MOST_STEPS):
        step = _newton_step(point, point.average_information(), least)
        if step.gain < _SMALLEST_GAIN:
            return _fit(point, least, n_steps, converged=True)
        better = _along(point, step, least)
        if better is None:
            step = _newton_step(point, point.expected_information(), least)
            better = _along(point, step, least)
        if better is None:  # rounding is all that is left, or the way is barred
            return _fit(point, least, n_steps, converged=step.gain < _SMALLEST_GAIN_LEFT)
        point = better
    return _fit(point, least, _MOST_STEPS, converged=False)


def _fit(point: Point, least: FloatArray, n_steps: int, *, converged: bool) -> Fit:
    has_rest = bool(point.variances[0] > _NEARLY_NONE * least[0])
    return Fit(point, converged, n_steps, has_rest)


class _Step(NamedTuple):
    """A step of all variances, and by how much it promises to raise the log-likelihood."""

    move: FloatArray
    gain: float


def _newton_step(point: Point, information: FloatArray, least: FloatArray) -> _Step:
    """The step that maximises the quadratic approximation among variances not at their least."""
    gradient = point.gradient
    ridge = _RIDGE * np.diag(np.diag(information))
    is_at_least = point.variances <= least
    is_free = ~is_at_least | (gradient > 0)
    while True:
        free = np.flatnonzero(is_free)
        move = np.zeros(len(gradient))
        move[free] = np.linalg.solve((information + ridge)[np.ix_(free, free)], gradient[free])
        is_pushed_below = is_free & is_at_least & (move < 0)
        if not is_pushed_below.any():
            return _Step(move, 0.5 * float(move @ gradient))
        is_free &= ~is_pushed_below


def _along(point: Point, step: _Step, least: FloatArray) -> Point | None:
    """The first point along the step, or part of it, that is better; None if there is none."""
    if step.gain > len(point.model.values):  # no quadratic approximation
        return None
    total = point.variances.sum()
    rounding = _ROUNDING * abs(point.log_likelihood)
    for length in _lengths(point.variances - least, step.move):
        variances = point.variances + length * step.move
        variances[0] = max(variances[0], _LARGEST_CUT * point.variances[0])
        variances = np.clip(variances, least, _LARGEST_GROWTH * total)
        variances = np.where(variances - least <= _AT_LEAST * total, least, variances)
        try:
            tried = point.model.at(variances)
        except np.linalg.LinAlgError:  # too far for floating-point numbers
            continue
        if tried.log_likelihood >= point.log_likelihood - rounding:
            return tried
    return None


def _lengths(room: FloatArray, move: FloatArray) -> Iterator[float]:
    """The whole step, half of it, a quarter, …; then the same of what leaves no variance behind.

    Where a variance that is nearly at its least would go far below, it is held there, and the
    others' part of the step need not lead upwards.  Up to where the first variance arrives it does.
    """
    halves = 0.5 ** np.arange(_MOST_HALVINGS)
    yield from halves
    is_down = move < 0
    if is_down.any():
        yield from halves * np.min(room[is_down] / -move[is_down])


@dataclasses.dataclass(frozen=True, eq=False)
class AdjustedCovariance:
    """Covariance of the estimated effects that allows for variances being estimates, too.

    Attributes
    ----------
    covariance : ndarray of float64, shape (groups, groups)
        By Kenward & Roger (1997).
    model_based : ndarray of float64, shape (groups, groups)
        As if the variances were known.
    slopes : ndarray of float64, shape (terms, groups, groups)
        By how much each variance raises `model_based`.
    of_variances : ndarray of float64, shape (terms, terms)
        Covariance of the estimated variances: the inverse of the expected information.
    """

    covariance: FloatArray
    model_based: FloatArray
    slopes: FloatArray
    of_variances: FloatArray

    def scaled(self, scale: float) -> AdjustedCovariance:
        """Of effects of values that are so many times as large."""
        squared = scale**2
        return AdjustedCovariance(
            self.covariance * squared,
            self.model_based * squared,
            self.slopes,
            self.of_variances * squared**2,
        )

    def ordered(self, order: Indices) -> AdjustedCovariance:
        """Of the same groups in another order."""
        both = np.ix_(order, order)
        return AdjustedCovariance(
            self.covariance[both],
            self.model_based[both],
            self.slopes[:, order[:, None], order],
            self.of_variances,
        )

    def of_contrasts(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Standard errors and degrees of freedom of linear combinations of the effects.

        For a single contrast Kenward & Roger's factor for F is 1, and their degrees of freedom are
        twice the squared variance over the variance of its estimate.

        Parameters
        ----------
        contrasts : ndarray of shape (contrasts, groups)
        """
        adjusted = _quadratic(contrasts, self.covariance)
        model_based = _quadratic(contrasts, self.model_based)
        slopes = np.stack([_quadratic(contrasts, slope) for slope in self.slopes], axis=1)
        spread = _quadratic(slopes, self.of_variances)
        freedom = np.maximum(2 * model_based**2 / spread, 1.0)
        return np.sqrt(np.maximum(adjusted, model_based)), freedom


def _quadratic(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """``v' M v`` of each row."""
    result: FloatArray = np.sum((vectors @ matrix) * vectors, axis=1)
    return result


def kenward_roger(point: Point) -> AdjustedCovariance:
    """The covariance of the effects at variances that were estimated.

    All variances count, those that were estimated at zero as well: they might have come out above.

    Notes
    -----
    With ``G = V⁻¹ X C`` for the model-based covariance C, the adjusted one is
    ``C + 2 sum of W_st (A_s G)' P (A_t G)``, where W is the covariance of the variances, and a
    variance raises C by ``G' A_t G``.
    """
    model = point.model
    model_based = point.inner[: model.n_fixed, : model.n_fixed]
    information = point.expected_information()
    of_variances = np.linalg.inv(information).astype(np.float64, copy=False)
    weights = point.half(point.inner[:, : model.n_fixed])  # G
    spread = np.stack([term.spread(weights) for term in model.terms])
    slopes = np.stack([weights.T @ of_term for of_term in spread])
    projected = np.stack([point.project(of_term) for of_term in spread])
    increase = np.zeros_like(model_based)
    for s, of_term in enumerate(spread):
        increase += of_term.T @ np.tensordot(of_variances[s], projected, 1)
    covariance = model_based + increase + increase.T
    return AdjustedCovariance(covariance, model_based, slopes, of_variances)
