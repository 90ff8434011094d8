"""One progress bar for everything that lasts."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .browser import IN_BROWSER

if TYPE_CHECKING:
    from tqdm import tqdm


#: Described of what is being done, how much of it is done, and how much there is.
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
    delay : float
        Seconds before the bar comes up.
    show : bool, optional
        None shows it in notebooks and at terminals, and nowhere if the environment variable
        ``TQDM_DISABLE`` is set (as when notebooks are executed unattended).

    Examples
    --------
    >>> [n * n for n in ProgressBar(range(3), description="squaring")]
    [0, 1, 4]
    >>> with ProgressBar(total=10, description="working") as bar:
    ...     bar.update(10)
    """

    def __init__(
        self,
        iterable: Iterable[Any] | None = None,
        *,
        total: int | None = None,
        description: str = "",
        unit: str = "items",
        delay: float = 1.0,
        show: bool | None = None,
    ) -> None:
        if total is None and hasattr(iterable, "__len__"):
            total = len(iterable)  # type: ignore[arg-type]
        self._iterable, self._total = iterable, total
        self._description, self._unit, self._delay = description, unit, delay
        self._listener = _listener.get()
        quiet = self._listener is not None or (show is None and os.environ.get("TQDM_DISABLE"))
        self._show = False if quiet else show
        self._done = 0
        self._started = time.monotonic()
        # Made when it is first shown: its widgets would be stored with a cell that never showed it.
        self._bar: tqdm | None = None
        self._output: Any = None  # the notebook's, that holds the bar
        self._tell()

    def update(self, n: int = 1) -> None:
        """Count `n` more pieces of work as done."""
        self._done += n
        self._tell()
        if self._bar is not None:
            self._bar.update(n)
        elif self._show is not False and time.monotonic() - self._started >= self._delay:
            self._bar = self._make_bar()

    def close(self) -> None:
        """Remove the bar, if it has come up."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._output is not None:
            self._output.update({}, raw=True)
            self._output = None

    def _tell(self) -> None:
        if self._listener is not None:
            self._listener(self._description, self._done, self._total)

    def _make_bar(self) -> tqdm:
        if "IPython" in sys.modules:
            # Chosen for notebook or terminal when it is imported.
            from tqdm.auto import tqdm as fitting
            from tqdm.notebook import tqdm_notebook

            in_notebook = issubclass(fitting, tqdm_notebook)
        else:  # no notebook, and IPython takes half a second to import
            from tqdm import tqdm as fitting

            in_notebook = False
        if IN_BROWSER:
            fitting.monitor_interval = 0  # it would be a thread
        bar = fitting(
            desc=self._description,
            total=self._total,
            initial=self._done,
            unit=f" {self._unit}",
            unit_scale=(self._total or 0) >= 10_000,
            leave=False,
            # None is tqdm's word for "only in a notebook or at a terminal".
            disable=None if self._show is None else not self._show,
            **({"display": False} if in_notebook else {}),
        )
        if in_notebook and not bar.disable:
            from IPython.display import display

            # With an identity the output can be emptied; tqdm's own would stay in the saved file.
            self._output = display(bar.container, display_id=True)
        return bar

    def __iter__(self) -> Iterator[Any]:
        if self._iterable is None:
            raise TypeError("this progress bar was made from a total; call its update instead.")
        with self:
            for item in self._iterable:
                yield item
                self.update()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["ProgressBar", "reported_to"]
