"""One progress bar for everything that lasts."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import ContextVar
from typing import Any

from .browser import IN_BROWSER

#: Seconds before a bar comes up.
DELAY = 1.0

#: Called with what is being done, how much of it is done, and how much there is if that is known.
Listener = Callable[[str, int, int | None], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextlib.contextmanager
def reported_to(listener: Listener | None) -> Iterator[None]:
    """Have progress reported to `listener` in place of bars, in this thread; None: in bars again.

    What the listener raises ends the work: so an application stops what nobody waits for.

    Examples
    --------
    >>> with reported_to(lambda what, done, total: print(what, done, "of", total)):
    ...     for _ in ProgressBar(range(2), description="reading"):
    ...         pass
    reading 0 of 2
    reading 1 of 2
    reading 2 of 2
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


class ProgressBar:
    """A bar for work that may last: it appears only if it does, and vanishes when it is done.

    It comes up in notebooks and at terminals, after `DELAY` seconds, and nowhere if the environment
    variable ``TQDM_DISABLE`` is set (as when notebooks are executed unattended).

    Parameters
    ----------
    iterable : iterable, optional
        What to go through; without it, use the bar as a context manager and call ``update(n)``.
    total : int, optional
        How many pieces of work there are; the length of `iterable` if it has one.
    description : str
        What is being done.
    unit : str
        What is counted.

    Examples
    --------
    >>> [n * n for n in ProgressBar(range(3), description="squaring")]
    [0, 1, 4]
    >>> with ProgressBar(total=10, description="working") as bar:
    ...     bar.update(10)
    """

    def __init__(
        self,
        iterable: Iterable[Any] = (),
        *,
        total: int | None = None,
        description: str = "",
        unit: str = "items",
    ) -> None:
        if total is None and isinstance(iterable, Sized):
            total = len(iterable)
        self._iterable = iterable
        self._total = total
        self._description = description
        self._unit = unit
        self._listener = _listener.get()
        self._done = 0
        self._started = time.monotonic()
        # Made when it is first shown: its widgets would be stored with a cell that never showed it.
        self._bar: Any = None
        self._output: Any = None  # the output of a notebook's cell that holds the bar
        self._report()

    def update(self, n: int = 1) -> None:
        """Count `n` more pieces of work as done."""
        self._done += n
        self._report()
        if self._bar is not None:
            self._bar.update(n)
        elif time.monotonic() - self._started >= DELAY:
            self._show()

    def _report(self) -> None:
        """Tell the listener, if there is one, how far the work is."""
        if self._listener is not None:
            self._listener(self._description, self._done, self._total)

    def _show(self) -> None:
        """Make the bar and show it, unless a listener has taken its place."""
        if self._listener is not None or os.environ.get("TQDM_DISABLE"):
            return
        from tqdm.auto import tqdm  # chosen for notebook or terminal when it is imported

        in_notebook = tqdm.__bases__[0].__module__ == "tqdm.notebook"
        if IN_BROWSER:
            tqdm.monitor_interval = 0  # the monitor would be a thread
        settings_in_notebook = {"display": False} if in_notebook else {}
        self._bar = tqdm(
            desc=self._description,
            total=self._total,
            initial=self._done,
            unit=f" {self._unit}",
            unit_scale=(self._total or 0) >= 10_000,
            leave=False,
            disable=None,  # tqdm's word for "only in a notebook or at a terminal"
            **settings_in_notebook,
        )
        if in_notebook:
            from IPython.display import display

            # An output with an id can be emptied; that of tqdm itself would stay in the saved file.
            # The view is written out, since ipywidgets 7, which Colab has, drops the id.
            model_id = self._bar.container.model_id
            view = {"version_major": 2, "version_minor": 0, "model_id": model_id}
            bundle = {"application/vnd.jupyter.widget-view+json": view, "text/plain": ""}
            self._output = display(bundle, raw=True, display_id=True)

    def __iter__(self) -> Iterator[Any]:
        with self:
            for item in self._iterable:
                yield item
                self.update()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._output is not None:
            self._output.update({}, raw=True)
