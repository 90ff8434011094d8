"""One progress bar for everything that lasts."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from .browser import IN_BROWSER

if TYPE_CHECKING:
    from tqdm import tqdm


T = TypeVar("T")

#: Told of what is being done, how much of it is done, and how much there is.
Listener = Callable[[str, int, int | None], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextlib.contextmanager
def reported_to(listener: Listener | None) -> Iterator[None]:
    """Have progress reported to `listener` in place of bars, in this thread; None: in bars again.

    What the listener raises ends the work: so an application stops what nobody waits for.

    Examples
    --------
    >>> with reported_to(lambda what, done, total: print(what, done, "of", total)):
    ...     for _ in progress_bar(range(2), description="reading"):
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


class ProgressBar(Generic[T]):
    """A bar that appears only if the work lasts, and vanishes when it is done; see `progress_bar`.

    The tqdm bar behind it is made when it is first shown: in a notebook its widgets would be
    stored with the cell even if nobody ever saw them.
    """

    def __init__(
        self,
        iterable: Iterable[T] | None,
        total: int | None,
        description: str,
        unit: str,
        delay: float,
        show: bool | None,
    ) -> None:
        if total is None and hasattr(iterable, "__len__"):
            total = len(iterable)  # type: ignore[arg-type]
        self._iterable = iterable
        self._total = total
        self._description = description
        self._unit = unit
        self._delay = delay
        self._listener = _listener.get()
        quiet = self._listener is not None or (show is None and os.environ.get("TQDM_DISABLE"))
        self._show = False if quiet else show
        self._done = 0
        self._started = time.monotonic()
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

    def __iter__(self) -> Iterator[T]:
        if self._iterable is None:
            raise TypeError("this progress bar was made from a total; call its update instead.")
        with self:
            for item in self._iterable:
                yield item
                self.update()

    def __enter__(self) -> ProgressBar[T]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


@overload
def progress_bar(
    iterable: Iterable[T],
    *,
    total: int | None = ...,
    description: str = ...,
    unit: str = ...,
    delay: float = ...,
    show: bool | None = ...,
) -> ProgressBar[T]: ...


@overload
def progress_bar(
    *,
    total: int,
    description: str = ...,
    unit: str = ...,
    delay: float = ...,
    show: bool | None = ...,
) -> ProgressBar[Any]: ...


def progress_bar(
    iterable: Iterable[Any] | None = None,
    *,
    total: int | None = None,
    description: str = "",
    unit: str = "items",
    delay: float = 1.0,
    show: bool | None = None,
) -> ProgressBar[Any]:
    """A progress bar for work that may last, silent for work that does not.

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
    >>> [n * n for n in progress_bar(range(3), description="squaring")]
    [0, 1, 4]
    >>> with progress_bar(total=10, description="working") as bar:
    ...     bar.update(10)
    """
    return ProgressBar(iterable, total, description, unit, delay, show)


__all__ = ["ProgressBar", "progress_bar", "reported_to"]
