"""Work beside the notebook, in a thread or in slices; only the newest job is finished."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ..browser import IN_BROWSER, let_others_in
from ..progress import reported_to

Job = Callable[[], None]
SLICE = 0.05  # seconds of work on the event loop after which others are let in
DELAY = 0.3  # seconds that a job lasts before its progress is reported


class Cancelled(BaseException):
    """Raised inside work that nobody waits for; not an `Exception`, so that nothing retries it."""


class Runner:
    """Runs one job at a time; a new one ends the one before, when that next reports progress.

    Parameters
    ----------
    on_progress : callable
        Called with what is being done, and which share of it is done, at most ten times a second,
        by a job that has lasted for `DELAY`.
    on_end : callable
        Called when a job ends and no other has taken its place: with None, with the error, or with
        `Cancelled` if it was cancelled.
    in_slices : bool, optional
        Whether jobs run on the event loop, which other work may use between their slices; by
        default where there are no threads.  Where the browser cannot hold up a computation (see
        `let_others_in`), each job runs to its end before later choices are heard.

    Attributes
    ----------
    when_idle : callable
        Gives the steps of work that is done in a thread when there is no job.  If a job comes, the
        remaining steps are not taken.
    """

    def __init__(
        self,
        on_progress: Callable[[str, float], None],
        on_end: Callable[[BaseException | None], None],
        *,
        in_slices: bool | None = None,
    ) -> None:
        self._on_progress = on_progress
        self._on_end = on_end
        self._in_slices = IN_BROWSER if in_slices is None else in_slices
        self.when_idle: Callable[[], Iterable[None]] = tuple
        #: Held while a job is put in place of another; notified when there is none left.
        self._changed = threading.Condition()
        self._next: Job | None = None
        #: The job that runs; None as soon as nobody waits for it.
        self._current: Job | None = None
        self._working = False
        #: The number of the job that was begun last.
        self._turn = 0
        #: When progress is to be reported next, and when the present slice began, in seconds.
        self._next_report_at = 0.0
        self._slice_began_at = 0.0

    def submit(self, job: Job) -> None:
        """Run `job` as soon as the one before it has ended, which ends at its next report."""
        with self._changed:
            self._next = job
            self._current = None
            if self._working:
                return
            self._working = True
            if self._in_slices:
                # The browser must first be told that the old answer is out of date.
                asyncio.get_running_loop().call_later(SLICE, self._begin)
            else:
                threading.Thread(target=self._work_in_thread, name="mtsig", daemon=True).start()

    def cancel(self) -> None:
        """End the running job, and forget the one that waits."""
        with self._changed:
            self._next = None
            self._current = None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is left to do; False if that takes more than `timeout` seconds."""
        if self._in_slices:
            # No slice runs while a cell waits, so a job that is not finished is run here anew.
            self._next = self._next or self._current
            self._work()
        with self._changed:
            return self._changed.wait_for(lambda: not self._working, timeout)

    def _begin(self) -> None:
        """Work, unless a job is running already and none is waiting.

        So it is if a cell that waits runs the job, and has let this in between its slices.
        """
        if self._next is not None or self._current is None:
            self._work()

    def _work_in_thread(self) -> None:
        """Run jobs until there is none, and then what is left for such times."""
        self._work()
        for _ in self.when_idle():
            if self._working:  # on a job, in another thread
                return

    def _work(self) -> None:
        """Run one job after the other, until there is none."""
        while True:
            with self._changed:
                job = self._next
                self._next = None
                self._current = job
                if job is None:
                    self._working = False
                    self._changed.notify_all()
                    return
                self._turn += 1
            self._run(job, self._turn)

    def _run(self, job: Job, turn: int) -> None:
        """Run a job, the one with the number `turn`; call `on_end` unless another replaced it."""
        error: BaseException | None = None
        self._slice_began_at = time.monotonic()
        self._next_report_at = self._slice_began_at + DELAY
        try:
            with reported_to(partial(self._report, job)), _no_garbage_collected():
                job()
        except (Exception, Cancelled) as raised:
            error = raised
        with self._changed:
            is_newest = self._next is None and turn == self._turn
            if is_newest:
                self._on_end(error)

    def _report(self, job: Job, what: str, done: int, total: int | None) -> None:
        """Tell how far a job is; let others in, and end the job if nobody waits for it any more."""
        is_slice_over = time.monotonic() - self._slice_began_at > SLICE
        if self._in_slices and is_slice_over:
            with reported_to(None):  # the progress of others is not the job's
                let_others_in()
            self._slice_began_at = time.monotonic()
        if self._current is not job:
            raise Cancelled
        now = time.monotonic()
        if now >= self._next_report_at:
            self._next_report_at = now + 0.1
            self._on_progress(what, done / total if total else 0.0)


@contextlib.contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """Have Python collect no garbage.

    A picture is made of so many objects that Python would look for garbage again and again, now and
    then among all objects of the session, which takes a tenth of a second.  At the end of a job its
    objects are still young, and Python looks for garbage among the young ones alone.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
