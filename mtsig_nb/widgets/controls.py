"""The explorer's controls: what there is to choose from, and what is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import ipywidgets as w
import traitlets as t

from ..engine.counting import RULES
from ..engine.procedures import PROCEDURES, procedure_named
from ..errors import InputError, check_all_of
from .model import State, corrections_for
from .sources import Source

_AS_NEEDED = 0  # a slider takes None for nothing
_RESAMPLES = (200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_USUAL = 10_000
_TESTS = {procedure.label: name for name, procedure in PROCEDURES.items()}
_TAILS = {
    "two-sided: they differ": "two-sided",
    "one-sided: the leader is better": "greater",
    "one-sided: the leader is worse": "less",
}
_COUNTING = {
    f"{name}: {rule.formula}{', ties not counted' * (rule.comparator == '>')}": name
    for name, rule in RULES.items()
}
_INTERVALS = {
    "percentile: each pair alone": "percentile",
    "basic: each pair alone": "basic",
    "simultaneous: all pairs together": "simultaneous",
}


class Controls:
    """All controls, and one place to hear of changes.

    Parameters
    ----------
    on_change : callable
        Called after a change by the user, when all controls agree with each other again.

    Attributes
    ----------
    metrics, systems, metric, first, second, test, tails, resamples, units, counting, correction, \
    interval, alpha, seed : ipywidgets.Widget
    box : ipywidgets.Widget
        The pair, the metric and the test in view, the others folded under "More".
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._silent = False
        self.systems = _made(w.SelectMultiple, "systems", rows=6)
        self.first = _made(w.Dropdown, "pair")
        self.second = _made(w.Dropdown, "and")
        self.metrics = _made(w.SelectMultiple, "metrics", rows=4)
        self.metric = _made(w.Dropdown, "metric")
        self.test = _made(w.Dropdown, "test", _TESTS)
        self.tails = _made(w.Dropdown, "tails", _TAILS)
        numbers = {f"{n:,}": n for n in _RESAMPLES} | {"as needed": _AS_NEEDED}
        self.resamples = _made(
            w.SelectionSlider, "resamples", numbers, value=_USUAL, continuous_update=False
        )
        self.units = _made(w.Dropdown, "units", {"segments": "segments"})
        self.counting = _made(w.Dropdown, "counting", _COUNTING)
        self.correction = _made(w.Dropdown, "correction", {"holm": "holm"})
        self.interval = _made(w.Dropdown, "interval", _INTERVALS)
        levels = {f"{level:g}": level for level in (0.1, 0.05, 0.01, 0.001)}
        self.alpha = _made(w.Dropdown, "α", levels, value=0.05)
        self.seed = _made(w.BoundedIntText, "seed", value=12345, min=0, max=2**31 - 1)
        #: By their names, in the order in which they can be set.
        self._all = {name: c for name, c in vars(self).items() if isinstance(c, w.Widget)}
        self._agree()
        in_view = [self.first, self.second, self.metric, self.test]
        of_several = [self.systems, self.metrics, self.correction, self.interval]
        others = [c for c in self._all.values() if c not in (*in_view, *of_several)]
        folded = [*others, w.HTML("<h3>Compared together</h3>"), *of_several]
        more = w.Accordion([w.VBox(folded)], titles=["More"])
        which_pair = w.HTML("<h3>Which pair</h3>")
        how = w.HTML("<h3>How</h3>")
        self.box = w.VBox([which_pair, self.first, self.second, how, self.metric, self.test, more])
        for name, control in self._all.items():
            control.observe(partial(self._changed, name), "value")

    def offer(self, source: Source, pair: Sequence[str]) -> None:
        """Offer a source's systems and metrics; all systems and the first metric are chosen."""
        with self._silently():
            # A browser must never be asked to mark an option that it does not have (yet).
            self.systems.value = self.metrics.value = ()
            self.systems.options = self.systems.value = source.systems
            self.metrics.options = self.metric.options = source.metrics
            self.metrics.value = source.metrics[:1]
            self.metric.value = source.metrics[0]
            has_documents = source.texts.documents is not None
            self.units.options = ["segments", "documents"] if has_documents else ["segments"]
            self.units.value = "segments"
            self.resamples.value = _USUAL
            self._agree()
            self.first.value, self.second.value = pair

    def set(self, **values: Any) -> None:
        """Set controls by their names, all or none; then make all agree, without telling anybody.

        ``pair`` stands for ``first`` and ``second``.  None is no correction, and as many resamples
        as are needed; it leaves any other control as it is.

        Raises
        ------
        InputError
            For a choice that is not there.
        """
        if "resamples" in values:
            values["resamples"] = values["resamples"] or _AS_NEEDED
        if (pair := values.pop("pair", None)) is not None:
            values["first"], values["second"] = pair
        check_all_of("choice", values, ["pair", *self._all])
        before = {name: control.value for name, control in self._all.items()}
        with self._silently():
            try:
                self._put({n: v for n, v in values.items() if v is not None or n == "correction"})
            except InputError:
                self._put(before)
                raise

    def _put(self, values: Mapping[str, Any]) -> None:
        for name, control in self._all.items():
            if name in values:
                try:
                    control.value = values[name]
                except (t.TraitError, ValueError, TypeError):
                    known = ", ".join(map(repr, _values(control)))
                    raise InputError(
                        f"{name}={values[name]!r} cannot be chosen here. Known: {known}."
                    ) from None
                self._agree(name)

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
        as_they_are = ("test", "correction", "alpha", "units", "counting", "interval", "seed")
        analysis = source.describe(
            self.systems.value,
            self.metrics.value,
            alternative=self.tails.value,
            n_resamples=self.resamples.value or None,
            **{name: self._all[name].value for name in as_they_are},
        )
        pair = self.first.value, self.second.value
        return State(analysis=analysis, metric=self.metric.value, pair=pair)

    @contextmanager
    def _silently(self) -> Iterator[None]:
        """Change controls without telling anybody."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def _changed(self, name: str, _: Any) -> None:
        if not self._silent:
            with self._silently():
                self._agree(name)
            self._on_change()

    def _agree(self, changed: str = "") -> None:
        """Take back what does not go with something else, first of all with what has `changed`."""
        tails = procedure_named(self.test.value).alternatives
        if self.tails.value not in tails:
            self.tails.value = tails[0]
        self.tails.disabled = len(tails) == 1
        fitting = corrections_for(self.test.value, self.tails.value)
        _offer(self.correction, [(name or "none", name) for name in fitting], "holm")
        if self.metric.value not in self.metrics.value and self.metrics.value:
            if changed == "metric":
                self.metrics.value = (self.metric.value,)
            else:
                self.metric.value = self.metrics.value[0]
        chosen = self.systems.value
        _offer(self.first, chosen)
        _offer(self.second, chosen, chosen[1] if len(chosen) > 1 else None)
        if self.first.value == self.second.value and len(chosen) > 1:
            self.second.value = next(s for s in chosen if s != self.first.value)


def _made(
    kind: Any, description: str, options: Mapping[str, Any] | None = None, **settings: Any
) -> Any:
    if options is not None:
        settings["options"] = list(options.items())
    style = {"description_width": "72px"}
    return kind(description=description, layout={"width": "auto"}, style=style, **settings)


def _values(control: Any) -> list[Any]:
    return [o[1] if isinstance(o, tuple) else o for o in getattr(control, "options", ())]


def _offer(control: Any, options: Sequence[Any], otherwise: Any = None) -> None:
    """New options; what was chosen stays so if it is among them."""
    if tuple(control.options) != tuple(options):
        before = control.value
        control.options = options
        known = _values(control)
        wanted = [value for value in (before, otherwise, *known) if value in known]
        control.value = wanted[0] if wanted else None
