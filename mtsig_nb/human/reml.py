"""Restricted maximum likelihood of variance components, with exact information, in bounded memory.

The model is ``y = X b + sum of Z_t u_t + e``: a fixed effect for each group (each system) and a
slope for each covariate, and independent normal draws for the levels of each random term.  The
covariance matrix of `y` is ``V = sum of theta_t A_t``, where ``A_t = Z_t Z_t'`` and the rest has
``A = I``.

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
#: A log-likelihood that falls by no more than this share of it has not fallen, but for rounding.
_ROUNDING = 1e-12
#: Added to the diagonal of the information, as a share of it.
_RIDGE = 1e-6
#: A variance this close to its lower bound, as a share of the sum of all, is set to it.
_AT_BOUND = 1e-12
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
        """Whether no level is in two blocks, where `block` has the number of each rating's."""
        levels_in_blocks = np.unique(np.stack([self.codes, block]), axis=1)
        return levels_in_blocks.shape[1] == self.n_levels

    def sorted_by(self, order: Indices) -> Term:
        """The same term, of ratings in another order."""
        return Term(self.name, self.codes[order])

    @functools.cached_property
    def members(self) -> sparse.csr_array:
        """One where a level (row) has a rating (column)."""
        from scipy import sparse  # slow to import

        n = len(self.codes)
        return sparse.csr_array((np.ones(n), (self.codes, np.arange(n))))

    def level_sums(self, values: FloatArray) -> FloatArray:
        """``A_t @ values``: for each rating the sum over all ratings of its level."""
        return (self.members @ values)[self.codes]

    def of_rows(self, rows: slice) -> Term:
        """The same term, of these ratings alone, with the levels that they have."""
        _, codes = np.unique(self.codes[rows], return_inverse=True)
        return Term(self.name, codes)


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
        The numbers of the columns of U that are not zero in each block.  Blocks that have fewer
        than others are filled up with `n_columns` of the model, a column of zeros after the last.
    members : ndarray of float64, shape (blocks, size, columns of a block)
        The rows of U, in these columns.
    terms : list of Term
        The terms within blocks, of the ratings of the stack.
    """

    rows: slice
    size: int
    columns: Indices
    members: FloatArray
    terms: list[Term]

    @property
    def n_entries(self) -> int:
        """How many entries the `_BlockMatrices` of this stack have."""
        n_blocks = len(self.columns)
        return self.members.size + n_blocks * self.size**2

    def in_blocks(self, values: FloatArray) -> FloatArray:
        """The rows of these blocks of an array with a row for each rating: (blocks, size, …)."""
        return values[self.rows].reshape(len(self.columns), self.size, *values.shape[1:])

    def same_level(self) -> Iterator[FloatArray]:
        """The blocks of ``A_t`` for each term within blocks: one where ratings share a level."""
        for term in self.terms:
            codes = term.codes.reshape(-1, self.size)
            yield (codes[:, :, None] == codes[:, None, :]).astype(np.float64)

    def terms_times(self, matrices: FloatArray) -> Iterator[FloatArray]:
        """``A_t @ matrices`` for the rest, and for each term within blocks."""
        yield matrices
        rows = matrices.reshape(-1, matrices.shape[2])
        for term in self.terms:
            yield term.level_sums(rows).reshape(matrices.shape)

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
    """The blocks of a stack in the matrices B⁻¹ and H, at some variances.

    Attributes
    ----------
    inverse : ndarray of float64, shape (blocks, size, size)
        The blocks of B⁻¹.
    half : ndarray of float64, shape (blocks, size, columns of a block)
        The rows of H, in the columns of each block.
    log_determinant : float
        Of the blocks of B together.
    """

    inverse: FloatArray
    half: FloatArray
    log_determinant: float


class _BlockSums(NamedTuple):
    """What the likelihood needs of all blocks together."""

    products: FloatArray  # U' B^-1 U
    sums: FloatArray  # U' B^-1 y
    square: float  # y' B^-1 y
    log_determinant: float  # of B


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
    covariates : ndarray of float64, shape (ratings, covariates), optional
        What has a slope, such as the time of each rating; by default nothing.

    Attributes
    ----------
    within, across : list of Term
        The terms whose levels lie within one block each, and the others.
    terms : list of Term
        The rest, the terms within blocks, and the terms across; variances are in this order.
    names : list of str
        Of `terms`.
    n_blocked : int
        The rest and the terms within blocks, which are the first of `terms`.
    n_groups, n_fixed : int
        Effects of groups, and these with the slopes of covariates: the first columns of U.
    n_columns : int
        Columns of U: fixed effects and levels of the terms across blocks.
    slices : list of slice
        The columns of each term across blocks.
    stacks : list of _Stack
    keeps_matrices : bool
        Whether matrices of all blocks are small enough to be kept between two passes.
    """

    def __init__(
        self,
        values: FloatArray,
        fixed: Indices,
        terms: Sequence[Term],
        block: Indices,
        covariates: FloatArray | None = None,
    ) -> None:
        if covariates is None:
            covariates = np.empty((len(values), 0))
        sizes = np.bincount(block)
        order = np.lexsort([block, sizes[block]])  # the smallest blocks first
        within = [term for term in terms if term.lies_within(block)]
        across = [term for term in terms if term not in within]
        self.values = values[order]
        self.fixed = fixed[order]
        self.covariates = covariates[order]
        self.within = [term.sorted_by(order) for term in within]
        self.across = [term.sorted_by(order) for term in across]
        rest = Term(REST, np.arange(len(values)))
        self.terms = [rest, *self.within, *self.across]
        self.names = [term.name for term in self.terms]
        self.n_blocked = 1 + len(within)
        self.n_groups = int(fixed.max()) + 1
        self.n_fixed = self.n_groups + covariates.shape[1]
        self.slices = self._slices()
        self.n_columns = self.n_fixed + sum(term.n_levels for term in self.across)
        self.stacks = list(self._stacked(np.sort(sizes)))
        n_entries = sum(stack.n_entries for stack in self.stacks)
        self.keeps_matrices = n_entries <= _MOST_KEPT

    def _slices(self) -> list[slice]:
        """The columns of each term across blocks, one term after the other."""
        slices = []
        start = self.n_fixed
        for term in self.across:
            end = start + term.n_levels
            slices.append(slice(start, end))
            start = end
        return slices

    def _stacked(self, sizes: Indices) -> Iterator[_Stack]:
        """Stacks of blocks, whose sizes these are in ascending order."""
        columns_of_ratings = self._columns_of_ratings()
        first_row = 0
        different_sizes, counts = np.unique(sizes, return_counts=True)
        for size, count in zip(different_sizes.tolist(), counts.tolist(), strict=True):
            at_once = max(1, _MOST_ENTRIES // size**2)
            for first in range(0, count, at_once):
                n_blocks = min(at_once, count - first)
                rows = slice(first_row, first_row + n_blocks * size)
                first_row = rows.stop
                columns = columns_of_ratings[rows].reshape(n_blocks, size, -1)
                yield self._stack(rows, columns)

    def _columns_of_ratings(self) -> Indices:
        """The columns of U that have a one for each rating: a row for each rating.

        Those of covariates, which have other values, are not among them.
        """
        columns = [self.fixed]
        for term, term_columns in zip(self.across, self.slices, strict=True):
            columns.append(term_columns.start + term.codes)
        return np.stack(columns, axis=1)

    def _stack(self, rows: slice, columns: Indices) -> _Stack:
        """The stack of these rows, from the columns of its ratings: (blocks, size, columns)."""
        n_blocks, size, _ = columns.shape
        of_covariates = np.arange(self.n_groups, self.n_fixed)
        columns_of_blocks = [np.union1d(of_block, of_covariates) for of_block in columns]
        width = max(len(numbers) for numbers in columns_of_blocks)
        filled = np.full((n_blocks, width), self.n_columns)
        members = np.zeros((n_blocks, size, width))
        rating = np.arange(size)[:, None]
        covariates = self.covariates[rows].reshape(n_blocks, size, -1)
        for i, numbers in enumerate(columns_of_blocks):
            filled[i, : len(numbers)] = numbers
            place = np.searchsorted(numbers, columns[i])
            members[i, rating, place] = 1.0
            place_of_covariates = np.searchsorted(numbers, of_covariates)
            members[i][:, place_of_covariates] = covariates[i]
        terms = [term.of_rows(rows) for term in self.within]
        return _Stack(rows, size, filled, members, terms)

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
        shares = np.full(len(self.terms), 0.5 / n_terms)
        shares[0] = 0.5
        return variance * shares


class Point:
    """A mixed model at given variances: its likelihood, and what follows from it.

    Parameters
    ----------
    model : BlockedModel
    variances : ndarray of float64, shape (terms,)
        By the model's `names`.

    Attributes
    ----------
    products : ndarray of float64, shape (columns, columns)
        ``U' B⁻¹ U``.
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
        of_blocks = self._block_sums()
        self.products = of_blocks.products
        self._padded_inner, log_determinant_of_columns = self._inner()
        self.solution = self.inner @ of_blocks.sums
        n_free = len(model.values) - model.n_fixed
        self.log_likelihood = -0.5 * (
            of_blocks.log_determinant
            + log_determinant_of_columns
            + of_blocks.square
            - float(of_blocks.sums @ self.solution)
            + n_free * np.log(2 * np.pi)
        )
        self.residual = self.project(model.values[:, None])[:, 0]

    def _block_sums(self) -> _BlockSums:
        """What the likelihood needs of all blocks, in one pass."""
        n = self.model.n_columns
        # The last row and column are those that blocks are filled up with.
        products = np.zeros((n + 1, n + 1))
        sums = np.zeros(n + 1)
        square = 0.0
        log_determinant = 0.0
        for stack, blocks in self._blocks():
            values = stack.in_blocks(self.model.values)
            np.add.at(products, stack.corners(), _transposed(stack.members) @ blocks.half)
            np.add.at(sums, stack.columns, np.einsum("bij,bi->bj", blocks.half, values))
            square += float(np.einsum("bi,bij,bj->", values, blocks.inverse, values, optimize=True))
            log_determinant += blocks.log_determinant
        return _BlockSums(products[:n, :n], sums[:n], square, log_determinant)

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
        """The matrices of a stack at the variances of this point."""
        rest = self.variances[0]
        within = self.variances[1 : self.model.n_blocked]
        covariance = stack.covariance(rest, within)
        root = np.linalg.cholesky(covariance)
        diagonals = np.diagonal(root, axis1=1, axis2=2)
        log_determinant = 2 * np.log(diagonals).sum()
        inverse: FloatArray = np.linalg.inv(covariance).astype(np.float64, copy=False)
        return _BlockMatrices(inverse, inverse @ stack.members, float(log_determinant))

    def _inner(self) -> tuple[FloatArray, float]:
        """K, and the log determinant that the columns add to that of B.

        K has a further row and column of zeros, for the columns that blocks are filled up with.
        Columns of terms are scaled by standard deviations, which may be zero; then each of them has
        a prior precision of one, and the fixed effects have none.
        """
        from scipy import linalg  # slow to import

        model = self.model
        deviation = np.ones(model.n_columns)
        across = self.variances[model.n_blocked :]
        for columns, variance in zip(model.slices, across, strict=True):
            deviation[columns] = np.sqrt(variance)
        prior_precision = np.zeros(model.n_columns)
        prior_precision[model.n_fixed :] = 1.0
        scaled = deviation[:, None] * self.products * deviation + np.diag(prior_precision)
        root = linalg.cholesky(scaled, lower=True)
        inverse = linalg.cho_solve((root, True), np.eye(model.n_columns))
        padded = np.zeros((model.n_columns + 1, model.n_columns + 1))
        padded[:-1, :-1] = deviation[:, None] * inverse * deviation
        return padded, float(2 * np.log(np.diag(root)).sum())

    @property
    def inner(self) -> FloatArray:
        """K, of shape (columns, columns)."""
        return self._padded_inner[:-1, :-1]

    def half(self, weights: FloatArray) -> FloatArray:
        """``H @ weights``, of shape (ratings, columns of `weights`)."""
        n_weights = weights.shape[1]
        padded = np.vstack([weights, np.zeros((1, n_weights))])
        parts = []
        for stack, blocks in self._blocks():
            of_stack = blocks.half @ padded[stack.columns]
            parts.append(of_stack.reshape(-1, n_weights))
        return np.concatenate(parts)

    def project(self, values: FloatArray) -> FloatArray:
        """``P @ values``, of shape (ratings, columns of `values`)."""
        n_values = values.shape[1]
        sums = np.zeros((self.model.n_columns + 1, n_values))  # H' values
        parts = []
        for stack, blocks in self._blocks():
            of_stack = stack.in_blocks(values)
            parts.append((blocks.inverse @ of_stack).reshape(-1, n_values))
            np.add.at(sums, stack.columns, _transposed(blocks.half) @ of_stack)
        return np.concatenate(parts) - self.half(self.inner @ sums[:-1])

    @functools.cached_property
    def _across_products(self) -> FloatArray:
        """``U' P U``."""
        return self.products - self.products @ self.inner @ self.products

    @functools.cached_property
    def gradient(self) -> FloatArray:
        """The gradient of the restricted log-likelihood by the variances, of shape (terms,)."""
        model = self.model
        traces = np.zeros(len(model.terms))  # of A_t P
        for stack, blocks in self._blocks():
            inner = self._padded_inner[stack.corners()]
            projection = blocks.inverse - blocks.half @ inner @ _transposed(blocks.half)
            for t, of_term in enumerate(stack.terms_times(projection)):
                traces[t] += np.einsum("bii->", of_term)
        for t, columns in enumerate(model.slices, start=model.n_blocked):
            traces[t] = np.trace(self._across_products[columns, columns])
        squares = [np.sum((term.members @ self.residual) ** 2) for term in model.terms]
        return -0.5 * (traces - np.array(squares))

    def average_information(self) -> FloatArray:
        """The mean of observed and expected information (Gilmour et al. 1995)."""
        sums = np.stack([term.level_sums(self.residual) for term in self.model.terms], axis=1)
        information: FloatArray = 0.5 * sums.T @ self.project(sums)
        return information

    @functools.cached_property
    def expected_information(self) -> FloatArray:
        """Half the traces of ``P A_s P A_t``, exactly."""
        model = self.model
        n_terms = len(model.terms)
        n_blocked = model.n_blocked
        half_products = self._half_products()
        traces = np.zeros((n_terms, n_terms))
        traces[:n_blocked, :n_blocked] = self._traces_within(half_products)
        reduced = np.eye(model.n_columns) - self.inner @ self.products  # P U = H (I - K U' B^-1 U)
        for r, columns in enumerate(model.slices, start=n_blocked):
            of_columns = reduced[:, columns]
            for t in range(n_blocked):
                traces[r, t] = np.sum((half_products[t] @ of_columns) * of_columns)
                traces[t, r] = traces[r, t]
            for c, others in enumerate(model.slices, start=n_blocked):
                traces[r, c] = np.sum(self._across_products[columns, others] ** 2)
        return (traces + traces.T) / 4

    def _traces_within(self, half_products: list[sparse.csr_array]) -> FloatArray:
        """Traces of ``P A_s P A_t`` for the rest and the terms within blocks.

        With ``Q = H K H'`` they are those of ``B⁻¹ A_s B⁻¹ A_t - 2 Q A_s B⁻¹ A_t``, for which
        blocks suffice, and of ``Q A_s Q A_t``.
        """
        traces = self._traces_of_blocks()
        for s in range(len(traces)):
            weighted = self.inner @ (half_products[s] @ self.inner)
            for t in range(len(traces)):
                traces[s, t] += half_products[t].multiply(weighted).sum()
        return traces

    def _traces_of_blocks(self) -> FloatArray:
        """Traces of ``(B⁻¹ - 2 Q) A_s B⁻¹ A_t``, with the blocks of ``Q = H K H'``."""
        n_blocked = self.model.n_blocked
        traces = np.zeros((n_blocked, n_blocked))
        for stack, blocks in self._blocks():
            inner = self._padded_inner[stack.corners()]
            weighted = blocks.half @ inner @ _transposed(blocks.half)
            inverses = list(stack.terms_times(blocks.inverse))
            for s, left in enumerate(stack.terms_times(blocks.inverse - 2 * weighted)):
                for t, right in enumerate(inverses):
                    traces[s, t] += np.sum(left * _transposed(right))
        return traces

    def _half_products(self) -> list[sparse.csr_array]:
        """``H' A_t H`` of the rest and the terms within blocks."""
        from scipy import sparse  # slow to import

        n = self.model.n_columns
        padded = (n + 1, n + 1)
        totals = [sparse.csr_array(padded) for _ in range(self.model.n_blocked)]
        for stack, blocks in self._blocks():
            rows, columns = np.broadcast_arrays(*stack.corners())
            place = (rows.ravel(), columns.ravel())
            half_transposed = _transposed(blocks.half)
            for t, of_term in enumerate(stack.terms_times(blocks.half)):
                product = half_transposed @ of_term
                totals[t] += sparse.csr_array((product.ravel(), place), shape=padded)
        return [total[:n, :n] for total in totals]

    def effects(self) -> FloatArray:
        """Estimates of the effects of groups, where all covariates are 0."""
        return self.solution[: self.model.n_groups]

    def slopes(self) -> FloatArray:
        """Estimates of what values gain where a covariate gains 1, of shape (covariates,)."""
        return self.solution[self.model.n_groups : self.model.n_fixed]

    def contributions(self) -> dict[str, FloatArray]:
        """What the predicted draws of each term add to the mean of each group's values.

        The mean of a group is its effect, the sum of these, and what covariates add, exactly:
        ``theta_t A_t P y`` is the best linear unbiased prediction of what a term adds to each
        rating.
        """
        model = self.model
        counts = np.bincount(model.fixed)
        result = {}
        for term, variance in zip(model.terms, self.variances, strict=True):
            predicted = variance * term.level_sums(self.residual)
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
    bounds = np.zeros(len(start))
    bounds[0] = LEAST_REST * start.sum()
    point = model.at(start)
    for n_steps in range(_MOST_STEPS):
        step = _newton_step(point, point.average_information(), bounds)
        if step.gain < _SMALLEST_GAIN:
            return _fit_at(point, bounds, n_steps, converged=True)
        better = _first_better(point, step, bounds)
        if better is None:
            step = _newton_step(point, point.expected_information, bounds)
            better = _first_better(point, step, bounds)
        if better is None:  # rounding is all that is left, or the way is barred
            return _fit_at(point, bounds, n_steps, converged=step.gain < _SMALLEST_GAIN_LEFT)
        point = better
    return _fit_at(point, bounds, _MOST_STEPS, converged=False)


def _fit_at(point: Point, bounds: FloatArray, n_steps: int, *, converged: bool) -> Fit:
    """The fit that ends at a point, where variances have these lower bounds."""
    has_rest = bool(point.variances[0] > _NEARLY_NONE * bounds[0])
    return Fit(point, converged, n_steps, has_rest)


class _Step(NamedTuple):
    """A step of all variances, and by how much it promises to raise the log-likelihood."""

    move: FloatArray
    gain: float


def _newton_step(point: Point, information: FloatArray, bounds: FloatArray) -> _Step:
    """The step that maximises the quadratic approximation, without pushing below lower bounds.

    A variance at its bound stays there if its gradient is not positive, or if the step would take
    it below.
    """
    gradient = point.gradient
    ridge = _RIDGE * np.diag(np.diag(information))
    is_at_bound = point.variances <= bounds
    is_free = ~is_at_bound | (gradient > 0)
    while True:
        free = np.flatnonzero(is_free)
        equations = (information + ridge)[np.ix_(free, free)]
        move = np.zeros(len(gradient))
        move[free] = np.linalg.solve(equations, gradient[free])
        is_pushed_below = is_free & is_at_bound & (move < 0)
        if not is_pushed_below.any():
            return _Step(move, 0.5 * float(move @ gradient))
        is_free &= ~is_pushed_below


def _first_better(point: Point, step: _Step, bounds: FloatArray) -> Point | None:
    """The first point along the step, or part of it, that is better; None if there is none."""
    if step.gain > len(point.model.values):  # no quadratic approximation
        return None
    rounding = _ROUNDING * abs(point.log_likelihood)
    for length in _lengths(point.variances - bounds, step.move):
        variances = _after_step(point.variances, length * step.move, bounds)
        try:
            candidate = point.model.at(variances)
        except np.linalg.LinAlgError:  # too far for floating-point numbers
            continue
        if candidate.log_likelihood >= point.log_likelihood - rounding:
            return candidate
    return None


def _after_step(variances: FloatArray, move: FloatArray, bounds: FloatArray) -> FloatArray:
    """Variances after a move, which is cut where it would lead out of the limits of a step."""
    total = variances.sum()
    moved = variances + move
    moved[0] = max(moved[0], _LARGEST_CUT * variances[0])
    moved = np.clip(moved, bounds, _LARGEST_GROWTH * total)
    is_at_bound = moved - bounds <= _AT_BOUND * total
    return np.where(is_at_bound, bounds, moved)


def _lengths(room: FloatArray, move: FloatArray) -> Iterator[float]:
    """Lengths of a step to try: one, a half, a quarter, …; then such shares of a shorter one.

    The shorter step ends where the first variance arrives at its bound, `room` below where it is.
    The whole step goes on with that variance held at the bound, and what is left of the step need
    not lead upwards.
    """
    halves = 0.5 ** np.arange(_MOST_HALVINGS)
    yield from halves
    is_down = move < 0
    if is_down.any():
        first_arrival = np.min(room[is_down] / -move[is_down])
        yield from halves * first_arrival


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
        """The covariance of effects of values that are so many times as large."""
        squared = scale**2
        return AdjustedCovariance(
            self.covariance * squared,
            self.model_based * squared,
            self.slopes,
            self.of_variances * squared**2,
        )

    def ordered(self, order: Indices) -> AdjustedCovariance:
        """The covariance of the effects of the same groups in another order."""
        rows = order[:, None]
        return AdjustedCovariance(
            self.covariance[rows, order],
            self.model_based[rows, order],
            self.slopes[:, rows, order],
            self.of_variances,
        )

    def of_contrasts(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Standard errors and degrees of freedom of linear combinations of the effects.

        For a single contrast Kenward & Roger's factor for F is 1, and their degrees of freedom are
        twice the squared variance over the variance of its estimate.

        Parameters
        ----------
        contrasts : ndarray of shape (contrasts, groups)

        Returns
        -------
        standard_errors : ndarray of shape (contrasts,)
        degrees_of_freedom : ndarray of shape (contrasts,)
            At least 1.
        """
        adjusted = _quadratic(contrasts, self.covariance)
        model_based = _quadratic(contrasts, self.model_based)
        slopes = np.stack([_quadratic(contrasts, slope) for slope in self.slopes], axis=1)
        variance_of_estimate = _quadratic(slopes, self.of_variances)
        freedom = np.maximum(2 * model_based**2 / variance_of_estimate, 1.0)
        return np.sqrt(np.maximum(adjusted, model_based)), freedom


def _quadratic(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """``v' M v`` of each vector, a row of `vectors`."""
    result: FloatArray = np.sum((vectors @ matrix) * vectors, axis=1)
    return result


def kenward_roger(point: Point) -> AdjustedCovariance:
    """The covariance of the effects, and of slopes behind them, at variances that were estimated.

    All variances count, those that were estimated at zero as well: they might have come out above.

    Notes
    -----
    With ``G = V⁻¹ X C`` for the model-based covariance C, the adjusted one is
    ``C + 2 sum of W_st (A_s G)' P (A_t G)``, where W is the covariance of the variances, and a
    variance raises C by ``G' A_t G``.
    """
    model = point.model
    model_based = point.inner[: model.n_fixed, : model.n_fixed]
    information = point.expected_information
    of_variances = np.linalg.inv(information).astype(np.float64, copy=False)
    weights = point.half(point.inner[:, : model.n_fixed])  # G
    sums = [term.level_sums(weights) for term in model.terms]  # A_t G
    slopes = np.stack([weights.T @ of_term for of_term in sums])
    projected = np.stack([point.project(of_term) for of_term in sums])
    increase = np.zeros_like(model_based)
    for s, of_term in enumerate(sums):
        increase += of_term.T @ np.tensordot(of_variances[s], projected, 1)
    covariance = model_based + increase + increase.T
    return AdjustedCovariance(covariance, model_based, slopes, of_variances)
