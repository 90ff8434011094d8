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
from .fold import fold
from .model import State, corrections_for
from .sources import Source

# These stand for None: a menu in which that is chosen looks blank.
_AS_NEEDED = 0
_NO_CORRECTION = "none"
_RESAMPLES = (200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_USUAL_RESAMPLES = 10_000
_TESTS = {procedure.label: name for name, procedure in PROCEDURES.items()}
_TAILS = {
    "two-sided: they differ": "two-sided",
    "one-sided: the leader is better": "greater",
    "one-sided: the leader is worse": "less",
}
_INTERVALS = {
    "percentile: each pair alone": "percentile",
    "basic: each pair alone": "basic",
    "simultaneous: all pairs together": "simultaneous",
}


def _counting_rules() -> dict[str, str]:
    """The names of the counting rules, by what the menu says of them."""
    names = {}
    for name, rule in RULES.items():
        ties = ", ties not counted" if rule.comparator == ">" else ""
        names[f"{name}: {rule.formula}{ties}"] = name
    return names


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
        numbers = {f"{n:,}": n for n in _RESAMPLES}
        numbers["as needed"] = _AS_NEEDED
        self.resamples = _made(w.Dropdown, "resamples", numbers, value=_USUAL_RESAMPLES)
        self.units = _made(w.Dropdown, "units", {"segments": "segments"})
        self.counting = _made(w.Dropdown, "counting", _counting_rules())
        self.correction = _made(w.Dropdown, "correction", {"holm": "holm"})
        self.interval = _made(w.Dropdown, "interval", _INTERVALS)
        levels = {f"{level:g}": level for level in (0.1, 0.05, 0.01, 0.001)}
        self.alpha = _made(w.Dropdown, "α", levels, value=0.05)
        self.seed = _made(w.BoundedIntText, "seed", value=12345, min=0, max=2**31 - 1)
        #: The controls by their names, in the order in which they are made above.  They are set in
        #: this order, too, since what some offer depends on others: pairs on systems, and
        #: corrections on the test.
        self._all: dict[str, Any] = {}
        for name, attribute in vars(self).items():
            if isinstance(attribute, w.Widget):
                self._all[name] = attribute
        self._agree()
        self.box = self._arranged()
        for name, control in self._all.items():
            control.observe(partial(self._changed, name), "value")

    def _arranged(self) -> w.VBox:
        """All controls in a column, most of them folded."""
        which_pair = [self.first, self.second]
        how = [self.metric, self.test]
        on_all_pairs = [self.systems, self.metrics, self.correction, self.interval]
        placed = [*which_pair, *how, *on_all_pairs]
        others = [control for control in self._all.values() if control not in placed]
        more = fold("More", [*others, w.HTML("<h3>Compared together</h3>"), *on_all_pairs])
        return w.VBox(
            [w.HTML("<h3>Which pair</h3>"), *which_pair, w.HTML("<h3>How</h3>"), *how, more]
        )

    def offer(self, source: Source, pair: Sequence[str]) -> None:
        """Offer a source's systems and metrics; all systems and the first metric are chosen."""
        with self._silently():
            # A browser must never be asked to mark an option that it does not have (yet).
            self.systems.value = ()
            self.metrics.value = ()
            self.systems.options = source.systems
            self.systems.value = source.systems
            self.metrics.options = source.metrics
            self.metric.options = source.metrics
            self.metrics.value = source.metrics[:1]
            self.metric.value = source.metrics[0]
            units = ["segments"]
            if source.has_documents:
                units.append("documents")
            self.units.options = units
            self.units.value = "segments"
            self.resamples.value = _USUAL_RESAMPLES
            self._agree()
            self.first.value, self.second.value = pair

    def set(self, **values: Any) -> None:
        """Set controls by their names, all or none, and make all agree; `on_change` is not called.

        ``pair`` stands for ``first`` and ``second``.  As a correction, None means none; as
        resamples, as many as are needed.  Any other control stays as it is where None is given.

        Raises
        ------
        InputError
            For an unknown choice.
        """
        for name, stand_in in {"resamples": _AS_NEEDED, "correction": _NO_CORRECTION}.items():
            if name in values and values[name] is None:
                values[name] = stand_in
        pair = values.pop("pair", None)
        if pair is not None:
            values["first"], values["second"] = pair
        check_all_of("choice", values, ["pair", *self._all])
        changes = {name: value for name, value in values.items() if value is not None}
        before = {name: control.value for name, control in self._all.items()}
        with self._silently():
            try:
                self._set_in_order(changes)
            except InputError:
                self._set_in_order(before)
                raise

    def _set_in_order(self, values: Mapping[str, Any]) -> None:
        """Set controls to `values`, by their names, and make the others agree after each."""
        for name, control in self._all.items():
            if name not in values:
                continue
            try:
                control.value = values[name]
            except (t.TraitError, ValueError, TypeError):
                known = ", ".join(map(repr, _values_of_options(control)))
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
        analysis = source.analysis_of(
            self.systems.value,
            self.metrics.value,
            test=self.test.value,
            alternative=self.tails.value,
            correction=None if self.correction.value == _NO_CORRECTION else self.correction.value,
            alpha=self.alpha.value,
            n_resamples=None if self.resamples.value == _AS_NEEDED else self.resamples.value,
            units=self.units.value,
            counting=self.counting.value,
            interval=self.interval.value,
            seed=self.seed.value,
        )
        pair = self.first.value, self.second.value
        return State(analysis=analysis, metric=self.metric.value, pair=pair)

    @contextmanager
    def _silently(self) -> Iterator[None]:
        """Change controls without a call of `on_change`."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def _changed(self, name: str, _: Any) -> None:
        """Make all controls agree with one that the user has changed, then call `on_change`."""
        if not self._silent:
            with self._silently():
                self._agree(name)
            self._on_change()

    def _agree(self, changed: str = "") -> None:
        """Change the controls that do not agree with others.

        Where the one that the user has `changed` does not agree with another, the other is changed.
        """
        self._agree_with_test()
        self._agree_on_metric(changed)
        self._agree_on_pair()

    def _agree_with_test(self) -> None:
        """Offer the tails and the corrections that the test has."""
        tails = procedure_named(self.test.value).alternatives
        if self.tails.value not in tails:
            self.tails.value = tails[0]
        self.tails.disabled = len(tails) == 1
        corrections = corrections_for(self.test.value, self.tails.value)
        _offer(self.correction, [name or _NO_CORRECTION for name in corrections], "holm")

    def _agree_on_metric(self, changed: str) -> None:
        """Have the metric in view among the metrics that are chosen, if any are."""
        if not self.metrics.value or self.metric.value in self.metrics.value:
            return
        if changed == "metric":
            self.metrics.value = (self.metric.value,)
        else:
            self.metric.value = self.metrics.value[0]

    def _agree_on_pair(self) -> None:
        """Offer the systems that are chosen, and have two different ones in view if there are."""
        chosen = self.systems.value
        has_pair = len(chosen) > 1
        _offer(self.first, chosen)
        _offer(self.second, chosen, chosen[1] if has_pair else None)
        if has_pair and self.first.value == self.second.value:
            self.second.value = next(system for system in chosen if system != self.first.value)


def _made(
    kind: Any, description: str, options: Mapping[str, Any] | None = None, **settings: Any
) -> Any:
    """A control of a `kind` of widget; `options` has the values to choose from by their names."""
    if options is not None:
        settings["options"] = list(options.items())
    style = {"description_width": "72px"}
    return kind(description=description, layout={"width": "auto"}, style=style, **settings)


def _values_of_options(control: Any) -> list[Any]:
    """The values that can be chosen; an option is a value, or a name and a value."""
    options = getattr(control, "options", ())
    return [option[1] if isinstance(option, tuple) else option for option in options]


def _offer(control: Any, options: Sequence[Any], otherwise: Any = None) -> None:
    """Offer new options.

    What was chosen stays so if it is among them; if not, `otherwise` is chosen, or the first.
    """
    if tuple(control.options) == tuple(options):
        return
    before = control.value
    control.options = options
    values = _values_of_options(control)
    if before in values:
        control.value = before
    elif otherwise in values:
        control.value = otherwise
    else:
        control.value = values[0] if values else None
