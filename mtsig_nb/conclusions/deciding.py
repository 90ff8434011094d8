"""Conclusions: better, indistinguishable or worse for each pair, whoever drew them.

A metric with a test and a group of people with a rank test end in the same object, so heatmaps,
clusters, the ordered Rand score and the agreement with people are functions of conclusions alone.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError, check_all_of, unknown_name
from ..frames import pd
from ..metrics.base import ArrayLike, FloatArray
from ..statistics.sufficient import pair_indices

#: +1, 0 and -1.
Signs = npt.NDArray[np.int8]
#: What +1, 0 and -1 are called.  Never "equal": a test that finds nothing shows no equality.
WORDS = {1: "better", 0: "indistinguishable", -1: "worse"}
#: Those of pairs that are told apart.
TELLING_APART = (WORDS[1], WORDS[-1])
#: In place of "indistinguishable" where more resamples could distinguish the two.
UNRESOLVED = "cannot tell"
#: Levels from here down would make the number of resamples that they ask for infinite.
SMALLEST_LEVEL = 1e-290


@dataclasses.dataclass(frozen=True, eq=False)
class Conclusions:
    """For each pair of systems, whether the first is better, worse, or neither was shown.

    Parameters
    ----------
    systems : sequence of str
        Best first where scores are known.
    matrix : array_like of int, shape (systems, systems)
        +1 where the row's system is better than the column's, -1 where it is worse, 0 where they
        are indistinguishable.  Antisymmetric, zero on the diagonal.
    alpha : float, optional
        The level at which they were drawn.
    source : str
        Who or what drew them, as one phrase.
    pvalues : array_like, shape (systems, systems), optional
        The (adjusted) p-value behind each conclusion, NaN on the diagonal; shades the heatmap.
    scores : array_like, shape (systems,), optional
        The systems' scores, for tables and for ordering.
    unresolved : sequence of pairs of str
        Pairs that are not distinguished, but might be with more resamples.  So they were not found
        to be indistinguishable.
    higher_is_better : bool
        The direction of `scores`; False for penalties and error rates.  It cannot be derived from
        the conclusions, since a rank test may contradict the means.

    Examples
    --------
    >>> c = Conclusions.from_pairs({("a", "b"): 1, ("a", "c"): 1, ("b", "c"): 0})
    >>> c.conclusion("c", "a"), c.word("b", "c")
    (-1, 'indistinguishable')
    >>> c.index("b"), c.pairs().tolist()
    (1, [1, 1, 0])
    >>> c.reorder(["c", "b"]).systems
    ('c', 'b')
    >>> advantage, p = [[0, 1.2], [-1.2, 0]], [[np.nan, 0.01], [0.01, np.nan]]
    >>> Conclusions.from_pvalues(["a", "b"], advantage, p, alpha=0.05).word("a", "b")
    'better'
    """

    systems: tuple[str, ...]
    matrix: Signs
    alpha: float | None = None
    source: str = ""
    pvalues: FloatArray | None = None
    scores: FloatArray | None = None
    unresolved: tuple[tuple[str, str], ...] = ()
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "systems", tuple(map(str, self.systems)))
        n = len(self.systems)
        if len(set(self.systems)) < n:
            raise InputError("systems: the same name is given twice.")
        matrix = np.array(self.matrix, dtype=np.int8)
        if not _are_conclusions(matrix, n):
            raise InputError(f"matrix must be ({n}, {n}) of +1, 0 and -1, and antisymmetric.")
        matrix.flags.writeable = False
        set_field(self, "matrix", matrix)
        unresolved = [(str(a), str(b)) for a, b in self.unresolved]
        set_field(self, "unresolved", tuple(unresolved))
        if self.pvalues is not None:
            set_field(self, "pvalues", self._of_shape("pvalues", (n, n)))
        if self.scores is not None:
            set_field(self, "scores", self._of_shape("scores", (n,)))
        if not isinstance(self.higher_is_better, bool | np.bool_):
            # -1, a metric's direction, would pass for True.
            raise InputError(f"higher_is_better={self.higher_is_better!r} must be True or False.")

    def _of_shape(self, field: str, shape: tuple[int, ...]) -> FloatArray:
        """The numbers in a field; `InputError` if they do not have that shape."""
        array = np.asarray(getattr(self, field), dtype=np.float64)
        if array.shape != shape:
            n = len(self.systems)
            raise InputError(f"{field} has shape {array.shape}; {n} systems need {shape}.")
        return array

    @classmethod
    def from_pairs(
        cls,
        pairs: Mapping[tuple[str, str], int],
        *,
        systems: Sequence[str] | None = None,
        **details: Any,
    ) -> Conclusions:
        """Conclusions from ``{(a, b): +1, 0 or -1}``, one entry for every unordered pair.

        Systems are taken in order of first appearance unless `systems` is given.  A pair that is
        missing, or given twice with different conclusions, is an `InputError`.
        """
        named = dict.fromkeys(itertools.chain.from_iterable(pairs))
        names = list(systems or named)
        check_all_of("system", named, names)
        n = len(names)
        upper = np.zeros((n, n), dtype=np.int8)
        for i, j in itertools.combinations(range(n), 2):
            upper[i, j] = _given_conclusion(pairs, names[i], names[j])
        return cls(tuple(names), upper - upper.T, **details)

    @classmethod
    def from_pvalues(
        cls,
        systems: Sequence[str],
        advantage: ArrayLike,
        pvalues: ArrayLike,
        *,
        alpha: float = 0.05,
        **details: Any,
    ) -> Conclusions:
        """Conclusions from p-values and the direction of each difference.

        Parameters
        ----------
        systems : sequence of str
        advantage : array_like, shape (systems, systems)
            How much better the row's system is than the column's (only the sign matters).
        pvalues : array_like, shape (systems, systems)
            The p-values of the row against the column.  The pair is distinguished if ``p <= alpha``
            on the side of the better system.  No other function compares p with alpha.
        alpha : float
            Level, between 0 and 1.
        """
        check_level(alpha)
        p = np.asarray(pvalues, dtype=np.float64)
        is_better = (decide(advantage, p, alpha) > 0).astype(np.int8)
        matrix = is_better - is_better.T
        return cls(tuple(systems), matrix, alpha=alpha, pvalues=p, **details)

    def index(self, system: str) -> int:
        """Position of `system`; if it is absent, the `InputError` names the closest."""
        if system not in self.systems:
            raise unknown_name("system", system, self.systems)
        return self.systems.index(system)

    def conclusion(self, a: str, b: str) -> int:
        """+1 if `a` is better than `b`, -1 if worse, 0 if they are indistinguishable."""
        row = self.index(a)
        column = self.index(b)
        return int(self.matrix[row, column])

    def word(self, a: str, b: str) -> str:
        """``"better"``, ``"indistinguishable"`` or ``"worse"``, said of `a` against `b`."""
        return WORDS[self.conclusion(a, b)]

    def reorder(self, systems: Iterable[str]) -> Conclusions:
        """The conclusions about `systems`, in that order; others are left out."""
        names = list(systems)
        places = [self.index(name) for name in names]
        square = np.ix_(places, places)
        pvalues = self.pvalues
        if pvalues is not None:
            pvalues = pvalues[square]
        scores = self.scores
        if scores is not None:
            scores = scores[places]
        unresolved = [pair for pair in self.unresolved if set(pair) <= set(names)]
        return dataclasses.replace(
            self,
            systems=tuple(names),
            matrix=self.matrix[square],
            pvalues=pvalues,
            scores=scores,
            unresolved=tuple(unresolved),
        )

    def pairs(self) -> Signs:
        """Conclusions of the unordered pairs, first against second, shape (pairs,)."""
        return self.matrix[pair_indices(len(self.systems))]

    def to_frame(self) -> pd.DataFrame:
        """One row per unordered pair: system_a, system_b, conclusion (about a), maybe pvalue.

        The conclusion is a word, "cannot tell" where the pair is unresolved.
        """
        unresolved = set(map(frozenset, self.unresolved))
        rows = []
        for a, b in itertools.combinations(self.systems, 2):
            is_unresolved = frozenset([a, b]) in unresolved
            word = UNRESOLVED if is_unresolved else self.word(a, b)
            rows.append((a, b, word))
        frame = pd.DataFrame(rows, columns=["system_a", "system_b", "conclusion"])
        if self.pvalues is not None:
            of_better = np.where(self.matrix >= 0, self.pvalues, self.pvalues.T)
            frame["pvalue"] = of_better[pair_indices(len(self.systems))]
        return frame

    def heatmap(self, **kwargs: Any) -> Any:
        """Draw them; see :func:`mtsig_nb.plots.heatmap`."""
        from .. import plots  # matplotlib only when something is drawn

        return plots.heatmap(self, **kwargs)

    def __eq__(self, other: object) -> bool:
        """The same systems with the same conclusions, in whatever order."""
        if not isinstance(other, Conclusions):
            return NotImplemented
        if set(self.systems) != set(other.systems):
            return False
        reordered = other.reorder(self.systems)
        return bool((reordered.matrix == self.matrix).all())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        pairs = self.pairs()
        n_decided = np.count_nonzero(pairs)
        level = f" at alpha {self.alpha:g}" if self.alpha is not None else ""
        source = f", {self.source}" if self.source else ""
        unresolved = f", {len(self.unresolved)} unresolved" if self.unresolved else ""
        return (
            f"Conclusions({len(self.systems)} systems{source}: {n_decided} of {len(pairs)} pairs "
            f"distinguished{level}{unresolved})"
        )


def _given_conclusion(pairs: Mapping[tuple[str, str], int], a: str, b: str) -> int:
    """The one conclusion about `a` against `b`, whichever of them a pair has first."""
    given = set()
    if (a, b) in pairs:
        given.add(pairs[a, b])
    if (b, a) in pairs:
        given.add(-1 * pairs[b, a])
    if len(given) != 1:
        raise InputError(f"pairs: {a!r} and {b!r} need one conclusion, not {len(given)}.")
    return given.pop()


def _are_conclusions(matrix: Signs, n: int) -> bool:
    """Whether a matrix has the shape (n, n), no entries but +1, 0 and -1, and is antisymmetric."""
    if matrix.shape != (n, n):
        return False
    is_antisymmetric = (matrix == -matrix.T).all()
    is_known = np.isin(matrix, (-1, 0, 1)).all()
    return bool(is_antisymmetric and is_known)


def decide(advantage: ArrayLike, pvalues: ArrayLike, alpha: float) -> Signs:
    """+1, 0 or -1 for each comparison: the one place where a p-value meets alpha.

    >>> decide([0.4, -0.4, 0.4], [0.05, 0.01, 0.06], 0.05).tolist()
    [1, -1, 0]
    """
    sign = np.sign(np.asarray(advantage, dtype=np.float64))
    is_significant = np.asarray(pvalues) <= alpha
    return np.where(is_significant, sign, 0).astype(np.int8)


def is_number(value: object) -> bool:
    """Whether a value that a caller gave is a number, and no truth value."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def check_level(alpha: float, argument: str = "alpha") -> None:
    """Raise `InputError` unless `alpha` lies strictly between 0 and 1."""
    if not (is_number(alpha) and SMALLEST_LEVEL < alpha < 1):
        usual = 0.95 if argument == "confidence_level" else 0.05
        raise InputError(f"{argument}={alpha!r} must lie between 0 and 1, such as {usual}.")
