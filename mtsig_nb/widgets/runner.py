"""Work in a thread beside the notebook, of which only the newest is worth finishing."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable

from ..progress import reported_to

Job = Callable[[], None]
_PAUSE = 0.2  # seconds without work after which the thread tidies up, and ends


class Cancelled(BaseException):
    """Raised inside work that nobody waits for; not an `Exception`, so that nothing retries it."""


class Runner:
    """Runs one job at a time; a new one ends the one before, at its next report of progress.

    Parameters
    ----------
    on_progress : callable
        Told what is being done, and which share of it is done, at most ten times a second.
    on_end : callable
        Told how a job ended that no other took the place of: nothing, or the error;
        `Cancelled` if it was cancelled.
    """

    def __init__(
        self,
        on_progress: Callable[[str, float], None],
        on_end: Callable[[BaseException | None], None],
    ) -> None:
        self._on_progress = on_progress
        self._on_end = on_end
        self._changed = threading.Condition()
        self._next: Job | None = None
        self._running = False
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._told = 0.0

    def submit(self, job: Job) -> None:
        """Run `job` as soon as the one before it has ended, and have that end soon."""
        with self._changed:
            self._next = job
            self._stop.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="mtsig", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def cancel(self) -> None:
        """End the running job, and forget the one that waits."""
        with self._changed:
            self._next = None
            self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until there is nothing left to do; whether that came within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running and not self._next, timeout)

    def _work(self) -> None:
        """Job after job; threads of explorers that nobody uses any more should not add up."""
        while job := self._taken():
            ended: BaseException | None = None
            try:
                with reported_to(self._report):
                    job()
            except (Exception, Cancelled) as error:
                ended = error
            with self._changed:
                self._running = False
                if self._next is None:
                    self._on_end(ended)
                self._changed.notify_all()
            del job, ended  # what they hold on to is to be tidied up, too
        # Figures are cycles of many objects.  If Python looks for them when it sees fit, every few
        # changes wait as long again; here nobody waits.
        gc.collect()

    def _taken(self) -> Job | None:
        """The next job, which begins; None if there has been none for a moment."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._next is not None, _PAUSE):
                self._thread = None
                return None
            job, self._next, self._running = self._next, None, True
            self._stop.clear()
            return job

    def _report(self, what: str, done: int, total: int | None) -> None:
        if self._stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._told > 0.1:
            self._told = now
            self._on_progress(what, done / total if total else 0.0)


__all__ = ["Cancelled", "Runner"]
