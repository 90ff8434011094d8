"""The explorer's controls: what there is to choose from, and what is chosen."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import ipywidgets as w

from ..engine.procedures import Alternative
from ..errors import InputError, unknown_name
from .model import PITFALL, State, corrections_for
from .sources import Source

_AS_NEEDED = 0  # a slider takes None for nothing
_RESAMPLES = (200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_TESTS = {
    "approximate-randomization": "approximate randomization",
    "bootstrap": "bootstrap (shift method)",
    "paired-bootstrap": "paired bootstrap (Koehn 2004)",
    PITFALL: "⚠ bootstrap printed in 2005",
}
_TAILS = {
    "two-sided": "two-sided: they differ",
    "greater": "one-sided: the leader is better",
    "less": "one-sided: the leader is worse",
}
#: All controls, in the order in which they stand.
_NAMES = (
    *("metrics", "systems", "metric", "first", "second", "test", "tails", "resamples"),
    *("units", "counting", "correction", "alpha", "seed"),
)
_NARROW = {"description_width": "72px"}
_COUNTING = {
    "add-one": "add-one: (c+1)/(R+1)",
    "plain": "plain: c/R",
    "stroppa": "Stroppa: (c+1)/R",
    "strict": "strict: ties not counted",
}


class Controls:
    """All controls, and one place to hear of changes.

    Parameters
    ----------
    on_change : callable
        Called after a change by the user, when all controls agree with each other again.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._silent = threading.local()
        self.metrics = _many("metrics", rows=4)
        self.systems = _many("systems", rows=7)
        self.metric = _choice("look at", [])
        self.first = _choice("pair", [])
        self.second = _choice("and", [])
        self.test = _choice("test", [(label, name) for name, label in _TESTS.items()])
        self.tails = _choice("tails", [(label, name) for name, label in _TAILS.items()])
        self.counting = _choice("counting", [(label, name) for name, label in _COUNTING.items()])
        self.resamples = w.SelectionSlider(
            options=[("as needed", _AS_NEEDED), *((f"{n:,}", n) for n in _RESAMPLES)],
            value=_AS_NEEDED,
            description="resamples",
            continuous_update=False,
            layout=w.Layout(width="auto"),
            style=_NARROW,
        )
        self.units = _choice("units", ["segments", "documents"])
        self.alpha = _choice("α", [("0.1", 0.1), ("0.05", 0.05), ("0.01", 0.01), ("0.001", 0.001)])
        self.alpha.value = 0.05
        self.correction = _choice("correction", _corrections("approximate-randomization"))
        self.correction.value = "holm"
        self.seed = w.BoundedIntText(
            value=12345,
            min=0,
            max=2**31 - 1,
            description="seed",
            layout=w.Layout(width="auto"),
            style=_NARROW,
        )
        for control in self._all():
            control.observe(self._changed, "value")

    def _all(self) -> list[Any]:
        return [getattr(self, name) for name in _NAMES]

    @property
    def box(self) -> w.VBox:
        """All controls under three headings."""
        return w.VBox(
            [
                _heading("What"),
                self.metrics,
                self.systems,
                _heading("Which pair"),
                self.metric,
                self.first,
                self.second,
                _heading("How"),
                self.test,
                self.tails,
                self.resamples,
                self.units,
                self.counting,
                self.correction,
                self.alpha,
                self.seed,
            ]
        )

    def offer(self, source: Source, pair: Sequence[str]) -> None:
        """Offer the systems and metrics of `source`, all and the first of which are chosen."""
        with self.silently():
            # A browser must never be asked to mark an option that it does not have (yet).
            self.systems.value = self.metrics.value = ()
            self.systems.options = source.systems
            self.systems.value = source.systems
            self.metrics.options = source.metrics
            self.metrics.value = source.metrics[:1]
            self.units.options = ["segments", "documents"] if source.has_documents else ["segments"]
            self.units.value = "segments"
            self.resamples.value = _AS_NEEDED
            self._agree()
            self.first.value, self.second.value = pair

    def set(self, **values: Any) -> None:
        """Set controls by their names, then make all agree, without telling anybody."""
        with self.silently():
            for name, value in values.items():
                if name not in _NAMES:
                    raise unknown_name("choice", name, _NAMES)
                control = getattr(self, name)
                try:
                    control.value = value
                except Exception:
                    known = ", ".join(repr(v) for v in _values(control))
                    raise InputError(
                        f"{name}={value!r} cannot be chosen here. Known: {known}."
                    ) from None
                self._agree()

    def state(self, source: Source) -> State:
        """What is chosen.

        Raises
        ------
        InputError
            If too little is chosen to compare anything.
        """
        if len(self.systems.value) < 2:
            raise InputError("Choose two systems or more.")
        if not self.metrics.value:
            raise InputError("Choose a metric.")
        if self.first.value == self.second.value:
            raise InputError("The pair is one system twice; choose two different ones.")
        analysis = dataclasses.replace(
            source.describe(self.systems.value, self.metrics.value),
            test=self.test.value,
            correction=self.correction.value,
            alpha=self.alpha.value,
            alternative=cast(Alternative, self.tails.value),
            n_resamples=self.resamples.value or None,
            units=self.units.value,
            counting=self.counting.value,
            seed=self.seed.value,
        )
        return State(
            analysis=analysis,
            metric=self.metric.value,
            pair=(self.first.value, self.second.value),
        )

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Change controls without telling anybody; changes in other threads are still told."""
        before = getattr(self._silent, "on", False)
        self._silent.on = True
        try:
            yield
        finally:
            self._silent.on = before

    def _changed(self, _: Any) -> None:
        if getattr(self._silent, "on", False):
            return
        with self.silently():
            self._agree()
        self._on_change()

    def _agree(self) -> None:
        """Take back what does not go with something else that is chosen."""
        bad = self.test.value == PITFALL
        if bad:
            self.tails.value = "two-sided"
        self.tails.disabled = bad
        _offer(self.correction, _corrections(self.test.value, self.tails.value), "holm")
        _offer(self.metric, self.metrics.value)
        chosen = self.systems.value
        _offer(self.first, chosen)
        _offer(self.second, chosen, chosen[1] if len(chosen) > 1 else None)
        if self.first.value == self.second.value and len(chosen) > 1:
            self.second.value = next(s for s in chosen if s != self.first.value)


def _corrections(test: str, alternative: str = "two-sided") -> list[tuple[str, str | None]]:
    return [(name or "none", name) for name in corrections_for(test, alternative)]


def _values(control: Any) -> list[Any]:
    options = getattr(control, "options", ())
    return [o[1] if isinstance(o, tuple) else o for o in options]


def _offer(control: Any, options: Sequence[Any], otherwise: Any = None) -> None:
    """New options; what was chosen stays so if it is among them."""
    before = control.value
    if tuple(control.options) == tuple(options):
        return
    control.options = options
    known = _values(control)
    control.value = next((v for v in (before, otherwise, *known) if v in known), None)


def _choice(description: str, options: Sequence[Any]) -> w.Dropdown:
    return w.Dropdown(
        description=description, options=options, layout=w.Layout(width="auto"), style=_NARROW
    )


def _many(description: str, *, rows: int) -> w.SelectMultiple:
    return w.SelectMultiple(
        description=description, rows=rows, layout=w.Layout(width="auto"), style=_NARROW
    )


def _heading(text: str) -> w.HTML:
    return w.HTML(f"<h3>{text}</h3>")


__all__ = ["Controls"]
