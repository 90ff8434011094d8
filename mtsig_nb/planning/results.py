"""What power analyses return: tables with how they came about, and a sentence to plan by."""

from __future__ import annotations

import dataclasses

import pandas as pd

from ..told import Tabled

#: Probabilities that have a phrase of their own.
PHRASES = {
    0.5: "every other time",
    0.8: "four times in five",
    0.9: "nine times in ten",
    0.95: "nineteen times in twenty",
}


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class _Planned(Tabled):
    """Fields of both results."""

    table: pd.DataFrame
    alpha: float
    alternative: str
    comparisons: int
    method: str
    test: str
    unit: str
    n_pilot: int
    metric: str
    metric_signature: str
    test_set: str
    n_simulations: int
    rng: int | None
    notes: tuple[str, ...] = ()

    @property
    def n_pairs(self) -> int:
        """Pairs of systems in the table."""
        return len(self.table[["system_a", "system_b"]].drop_duplicates())

    @property
    def _how(self) -> str:
        """Method, level and pilot, in one line."""
        level = f"{self.alpha:g}" + (
            f" / {self.comparisons:,} comparisons" if self.comparisons > 1 else ""
        )
        how = "normal theory"
        if self.n_simulations:
            how = f"{self.n_simulations:,} simulated test sets each, {self.test}, rng={self.rng}"
        where = f" of {self.test_set}" if self.test_set else ""
        return f"{self.alternative} at {level}; {how}; pilot: {self.n_pilot:,} {self.unit}{where}"

    @property
    def _who(self) -> str:
        first = self.table.iloc[0]
        if self.n_pairs == 1:
            return f"{first['system_a']} against {first['system_b']}"
        return f"median of {self.n_pairs} pairs"


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Power(_Planned):
    """How often chosen differences would be found on test sets of chosen sizes.

    Attributes
    ----------
    table : DataFrame
        One row per pair, effect and size: system_a, system_b, effect (the true difference, in the
        metric's units), n_units, standard_error (of the difference), power, and its 95 % Monte
        Carlo limits low and high where it was simulated.
    alpha, alternative, comparisons, method, test, unit, n_pilot, metric, n_simulations, rng
        What made it.
    notes : tuple of str

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> planned = mt.power(bleu, "onlineC", "onlineD", effect=0.5, n_units=[500, 2000])
    >>> planned.table[["n_units", "power"]].round(2)
       n_units  power
    0      500   0.22
    1     2000   0.67
    """

    @property
    def summary(self) -> pd.DataFrame:
        """For each effect and size the median, least and largest power over the pairs."""
        groups = self.table.groupby(["effect", "n_units"])["power"]
        return groups.agg(["median", "min", "max"]).reset_index()

    @property
    def sentence(self) -> str:
        """Where power is least and largest, and how it was computed."""
        by_power = self.summary.sort_values("median", kind="stable").drop_duplicates("median")
        ends = [by_power.iloc[0], by_power.iloc[-1]][: len(by_power)]
        said = [
            f"a true difference of {row['effect']:g} {self.metric} would be found with "
            f"{row['n_units']:,.0f} {self.unit} {row['median']:.0%} of the time"
            for row in ends
        ]
        return "\n".join([f"{self._who}: {'; '.join(said)}", self._how, *self.notes])


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DetectableDifference(_Planned):
    """The true difference that would be found with a given power.

    Attributes
    ----------
    table : DataFrame
        One row per pair and size: system_a, system_b, n_units, standard_error, difference (in the
        metric's units); NaN where the pilot's two outputs are the same.
    power : float
    alpha, alternative, comparisons, method, test, unit, n_pilot, metric, n_simulations, rng
        What made it.
    notes : tuple of str

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> seen = mt.minimum_detectable_difference(bleu, "onlineC", "onlineD", n_units=[500, 2000])
    >>> seen.table[["n_units", "difference"]].round(2)
       n_units  difference
    0      500        1.17
    1     2000        0.59
    """

    power: float

    @property
    def summary(self) -> pd.DataFrame:
        """For each size the median, least and largest difference over the pairs."""
        groups = self.table.groupby("n_units")["difference"]
        return groups.agg(["median", "min", "max"]).reset_index()

    @property
    def sentence(self) -> str:
        """What you would see with so many units, and how it was computed."""
        phrase = PHRASES.get(self.power, f"{100 * self.power:g} % of the time")
        lines = []
        for n, median, low, high in self.summary.to_numpy():
            spread = ""
            if self.n_pairs > 1:
                spread = f" ({self._who}; {_two_digits(low)} to {_two_digits(high)})"
            lines.append(
                f"With {n:,.0f} {self.unit} you would see a difference of "
                f"{_two_digits(median)} {self.metric} {phrase}{spread}."
            )
        who = f"{self._who}; " if self.n_pairs == 1 else ""
        return "\n".join([*lines, f"{who}{self._how}", *self.notes])


def _two_digits(value: float) -> str:
    """Two significant digits, a zero among them: 0.51, 1.0, 12."""
    return f"{value:#.2g}".rstrip(".")
