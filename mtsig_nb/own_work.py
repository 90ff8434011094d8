"""Whether an answer calls a package for what it was to write: `own_work`, for the tests of labs.

A profile function is told of each call in a thread.  It looks at what is called, so that it does
not matter by which name, through which function, or from which text an answer calls it.  Threads
that the answer starts get the same profile function.  Where the profile function cannot look, in
other processes and in threads that were there before, handing over work is refused instead.
"""

from __future__ import annotations

import contextlib
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType
from typing import Any

#: Packages that have what students are asked to write.
READY_MADE = ("mtsig_nb", "scipy.stats", "statsmodels")
#: Modules of theirs that may be called: scores, for instance, are not what labs are about.
ALLOWED = (
    "mtsig_nb.metrics",
    "mtsig_nb.statistics",
    "mtsig_nb.teaching",
    "mtsig_nb.own_work",
)
#: Functions that talk to other processes, by the beginnings of their names within a module.
TALKS_TO_PROCESSES = {
    "subprocess": "",
    "multiprocessing.connection": "_ConnectionBase.",
    "concurrent.futures.process": "",
}
#: Modules that may call those functions: how they start processes and threads is seen already.
TALKS_TO_ITSELF = ("multiprocessing.pool",)
#: Built-in functions that start processes, by the modules that have them.
STARTS_PROCESSES = {
    "posix": ("exec", "fork", "posix_spawn", "spawn", "system"),
    "nt": ("exec", "spawn", "startfile", "system"),
    "_posixsubprocess": ("fork_exec",),
    "_winapi": ("CreateProcess",),
}
_YOURS = "where the answer is yours to write"
_UNSEEN = "where it cannot be seen who writes the answer: compute it in the function itself"
_SWITCHED_OFF = f"this exchanges Python's profile function, which notices calls, {_YOURS}"
#: Folders of installed packages.
_INSTALLED = tuple({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
# As they are when this is imported: an answer may give these names another meaning.
_set_profile = sys.setprofile
_get_profile = sys.getprofile


@contextlib.contextmanager
def own_work(*also: str) -> Iterator[None]:
    """Fail where an answer calls a package for what it was to write.

    The tests of a lab run the answer within it.  What counts is what is called, not what stands in
    the cell, so another name for a function, a function handed to another, code in a string, and
    threads that the answer starts are noticed as well.

    Parameters
    ----------
    *also : str
        Further modules that have the answer ready, by the beginnings of their names; also
        ``"mtsig_nb.metrics"`` where the score itself is to be written.

    Raises
    ------
    AssertionError
        At the end, unless the answer has raised another error: with the function's name where the
        answer calls such a package; and where it hands work to another process, or to a thread
        that was started before, in which calls cannot be seen.

    Notes
    -----
    Not seen: what an object that the answer returns does later; what a process does that was
    started before and is talked to through a pipe or a file by built-in functions alone; and, where
    the operating system does not tell how long a thread has worked (Linux does), threads that were
    started before.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> with own_work():
    ...     sorted([0.02, 0.01])
    [0.01, 0.02]
    >>> with own_work():
    ...     largest = max(mt.adjust_pvalues([0.02, 0.01], "holm"))
    Traceback (most recent call last):
    ...
    AssertionError: this calls adjust_pvalues of mtsig_nb, where the answer is yours to write
    """
    watch = _Watch(tests=sys._getframe(2), also=also)  # past the frame of contextlib
    profile_before = _get_profile()
    profile_of_threads_before = threading.getprofile()
    look = watch.look
    threading.setprofile(look)
    _set_profile(look)
    try:
        yield
    finally:
        is_still_set = _get_profile() is look and threading.getprofile() is look
        _set_profile(profile_before)
        threading.setprofile(profile_of_threads_before)
    if not is_still_set:
        watch.complaints.append(_SWITCHED_OFF)
    if watch.earlier_threads_worked():
        watch.complaints.append(
            f"this hands work to a thread that was started before the test, {_UNSEEN}"
        )
    if watch.complaints:
        raise AssertionError(watch.complaints[0])


class _Watch:
    """What an answer calls that it should not, as complaints in the order of the calls.

    Parameters
    ----------
    tests : frame
        The tests, which call the answer.
    also : sequence of str
        See `own_work`.
    """

    def __init__(self, tests: FrameType, also: Sequence[str]) -> None:
        self.complaints: list[str] = []
        self._tests = tests
        self._ready_made = (*READY_MADE, *also)
        self._allowed = tuple(module for module in ALLOWED if module not in also)
        self._folders = _folders_of(self._ready_made)
        self._allowed_folders = tuple(_folders_of(self._allowed))
        self._seconds_before = _seconds_worked(_earlier_threads())

    def look(self, frame: FrameType, event: str, built_in: Any) -> None:
        """Complain of a call that is not allowed; Python calls this at each (`sys.setprofile`)."""
        if event == "call":
            self._look_at_function(frame)
        elif event == "c_call":
            self._look_at_built_in(frame, built_in)

    def _look_at_function(self, frame: FrameType) -> None:
        """Complain of a function written in Python, by the frame that runs it."""
        code = frame.f_code
        beginning = TALKS_TO_PROCESSES.get(_module_of(frame))
        if beginning is not None:
            talks = code.co_qualname.startswith(beginning)
            if talks and self._is_answers_call(frame, except_from=TALKS_TO_ITSELF):
                self.complaints.append(f"this hands work to another process, {_UNSEEN}")
        elif code is threading.setprofile.__code__:
            if frame.f_back is not None and frame.f_back.f_code is not _OWN_CODE:
                self.complaints.append(_SWITCHED_OFF)
        else:
            module = self._ready_made_module(frame)
            if module and self._is_answers_call(frame):
                function = code.co_qualname.removesuffix(".__init__")
                package = module.partition(".")[0]
                called = module if "<locals>" in function else f"{function} of {package}"
                self.complaints.append(f"this calls {called}, {_YOURS}")

    def _look_at_built_in(self, frame: FrameType, built_in: Any) -> None:
        """Complain of a built-in function, which the code of `frame` calls."""
        if built_in is _set_profile:
            if frame.f_code is not _OWN_CODE:
                self.complaints.append(_SWITCHED_OFF)
            return
        module = getattr(built_in, "__module__", None)
        beginnings = STARTS_PROCESSES.get(module, ()) if isinstance(module, str) else ()
        starts_process = beginnings and built_in.__name__.startswith(beginnings)
        if starts_process and self._is_answers_call(frame):
            self.complaints.append(f"this starts another process, {_UNSEEN}")

    def _ready_made_module(self, frame: FrameType) -> str:
        """The module of a function that may not be called; "" for any other function."""
        name = _module_of(frame)
        if _is_in(name, self._ready_made):
            return "" if _is_in(name, self._allowed) else name
        # A function may have been made anew, with another namespace, from the code of theirs.
        file = frame.f_code.co_filename
        if file.startswith(self._allowed_folders):
            return ""
        for folder, module in self._folders.items():
            if file.startswith(folder):
                return module
        return ""

    def _is_answers_call(self, frame: FrameType, except_from: Sequence[str] = ()) -> bool:
        """Whether the answer makes a call itself.

        It does not where another function of those packages does, or of `except_from`, or where a
        module is being imported.
        """
        others = ("importlib", *self._ready_made, *except_from)
        caller = frame.f_back
        while caller is not None and caller is not self._tests:
            name = _module_of(caller)
            # Anybody may give this name to a namespace of their own.
            is_module = caller.f_globals is getattr(sys.modules.get(name), "__dict__", None)
            if is_module and _is_in(name, others):
                return False
            caller = caller.f_back
        return True

    def earlier_threads_worked(self) -> bool:
        """Whether a thread that was there at the beginning has worked since, or has ended."""
        seconds_now = _seconds_worked(_earlier_threads())
        for thread, seconds in self._seconds_before.items():
            if seconds_now.get(thread) != seconds:
                return True
        return False


#: The code that sets and restores the profile function.
_OWN_CODE: CodeType = own_work.__wrapped__.__code__  # type: ignore[attr-defined]


def _is_in(name: str, modules: Sequence[str]) -> bool:
    """Whether a module is one of `modules`, or a part of one."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _module_of(frame: FrameType) -> str:
    """The name of the module whose code a frame runs, as far as its namespace tells."""
    name = frame.f_globals.get("__name__")
    return name if type(name) is str else ""


def _folders_of(modules: Sequence[str]) -> dict[str, str]:
    """Modules that have been imported, by the folder of a package or the file of a module."""
    folders = {}
    for module in modules:
        file = getattr(sys.modules.get(module), "__file__", None)
        if file:
            folders[file.removesuffix("__init__.py")] = module
    return folders


def _earlier_threads() -> list[int]:
    """Threads beside this one in which nothing of an installed package runs, such as a kernel's."""
    this_thread = threading.get_ident()
    threads = []
    for thread, frame in sys._current_frames().items():
        if thread != this_thread and not _runs_installed_package(frame):
            threads.append(thread)
    return threads


def _runs_installed_package(frame: FrameType | None) -> bool:
    """Whether a frame, or one that called it, runs code of an installed package."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_INSTALLED):
            return True
        frame = frame.f_back
    return False


def _seconds_worked(threads: Sequence[int]) -> dict[int, float]:
    """How long each thread has worked so far; nothing where the operating system does not tell."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return {}
    clocks = {thread: time.pthread_getcpuclockid(thread) for thread in threads}
    return {thread: time.clock_gettime(clock) for thread, clock in clocks.items()}
