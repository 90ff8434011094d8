"""Work beside the notebook, in a thread or in slices; only the newest is worth finishing."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from functools import partial

from ..browser import IN_BROWSER, let_others_in
from ..progress import reported_to

Job = Callable[[], None]
_PAUSE = 0.2  # seconds without work after which the thread tidies up, and ends
_SLICE = 0.05  # seconds of work on the event loop after which others are let in


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
        self._turn = 0  # which job runs, or ran last
        self._wanted = 0  # the turn that somebody waits for
        self._running = False
        self._told = 0.0
        self._thread: threading.Thread | None = None

    def submit(self, job: Job) -> None:
        """Run `job` as soon as the one before it has ended, and have that end soon."""
        with self._changed:
            self._next, self._wanted = job, 0
            self._start()
            self._changed.notify_all()

    def cancel(self) -> None:
        """End the running job, and forget the one that waits."""
        with self._changed:
            self._next, self._wanted = None, 0

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until there is nothing left to do; whether that came within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running and not self._next, timeout)

    def _start(self) -> None:
        """Have `_work` called, unless it is at work."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="mtsig", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        """Job after job; threads of explorers that nobody uses any more should not add up."""
        while job := self._taken():
            turn, ended = self._turn, None
            try:
                with reported_to(partial(self._report, turn)):
                    job()
            except (Exception, Cancelled) as error:
                ended = error
            with self._changed:
                if turn == self._turn:  # otherwise another has run to its end meanwhile
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
            if not self._come():
                self._thread = None
                return None
            job, self._next, self._running = self._next, None, True
            self._turn += 1
            self._wanted = self._turn
            return job

    def _come(self) -> bool:
        """Whether there is a next job, now or in a moment."""
        return self._changed.wait_for(lambda: self._next is not None, _PAUSE)

    def _report(self, turn: int, what: str, done: int, total: int | None) -> None:
        if self._wanted != turn:
            raise Cancelled
        now = time.monotonic()
        if now - self._told > 0.1:
            self._told = now
            self._on_progress(what, done / total if total else 0.0)


class SlicedRunner(Runner):
    """The same on the event loop, where there are no threads: others are let in between slices.

    Where the browser cannot hold up a computation (see `let_others_in`), each runs to its end,
    and only then is heard what was chosen meanwhile.
    """

    _job: Job | None = None
    _slice_began = 0.0
    _called = False

    def wait(self, timeout: float | None = None) -> bool:
        """Do what is left here and now, from its beginning: no slice comes while a cell waits."""
        if self._running and self._next is None:
            self._next = self._job
        self._work()
        return True

    def _start(self) -> None:
        if not (self._called or self._running):
            self._called = True
            # Not at once: what says that the old answer is out of date has to leave first.
            asyncio.get_running_loop().call_later(_SLICE, self._work)

    def _work(self) -> None:
        self._called = False
        super()._work()

    def _taken(self) -> Job | None:
        self._job, self._slice_began = super()._taken(), time.monotonic()
        return self._job

    def _come(self) -> bool:
        return self._next is not None

    def _report(self, turn: int, what: str, done: int, total: int | None) -> None:
        if time.monotonic() - self._slice_began > _SLICE:
            with reported_to(None):  # which is for others what it was before
                let_others_in()
            self._slice_began = time.monotonic()
        super()._report(turn, what, done, total)


def runner(
    on_progress: Callable[[str, float], None], on_end: Callable[[BaseException | None], None]
) -> Runner:
    """The `Runner` that can run here."""
    return (SlicedRunner if IN_BROWSER else Runner)(on_progress, on_end)


__all__ = ["Cancelled", "Runner", "SlicedRunner", "runner"]
