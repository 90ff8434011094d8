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

#: Packages that have what students are asked to write; scores are not what labs are about.
READY_MADE = ("mtsig_nb", "scipy.stats", "statsmodels")
NOT_MEANT = (
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
#: Talks to itself: starting its processes is seen, and so are its threads.
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
    watch = _Watch(tests=sys._getframe(2), also=also)  # past contextlib's own
    profile = _get_profile()
    profile_of_threads = threading.getprofile()
    look = watch.look
    threading.setprofile(look)
    _set_profile(look)
    try:
        yield
    finally:
        kept = _get_profile() is look and threading.getprofile() is look
        _set_profile(profile)
        threading.setprofile(profile_of_threads)
    if not kept:
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
        self._ready = (*READY_MADE, *also)
        self._fine = tuple(module for module in NOT_MEANT if module not in also)
        self._folders = _folders_of(self._ready)
        self._fine_folders = tuple(_folders_of(self._fine))
        self._seconds_before = _seconds_worked(_earlier_threads())

    def look(self, frame: FrameType, event: str, built_in: Any) -> None:
        """What Python calls at each call (`sys.setprofile`)."""
        if event == "call":
            self._look_at_function(frame)
        elif event == "c_call":
            self._look_at_built_in(frame, built_in)

    def _look_at_function(self, frame: FrameType) -> None:
        name = _module_of(frame)
        code = frame.f_code
        talking = TALKS_TO_PROCESSES.get(name)
        if talking is not None:
            talks = code.co_qualname.startswith(talking)
            if talks and self._is_answers_call(frame, except_from=TALKS_TO_ITSELF):
                self.complaints.append(f"this hands work to another process, {_UNSEEN}")
        elif code is threading.setprofile.__code__:
            if frame.f_back is not None and frame.f_back.f_code is not _OWN_CODE:
                self.complaints.append(_SWITCHED_OFF)
        else:
            module = self._ready_made(frame)
            if module and self._is_answers_call(frame):
                function = code.co_qualname.removesuffix(".__init__")
                package = module.partition(".")[0]
                called = module if "<locals>" in function else f"{function} of {package}"
                self.complaints.append(f"this calls {called}, {_YOURS}")

    def _look_at_built_in(self, frame: FrameType, built_in: Any) -> None:
        if built_in is _set_profile:
            if frame.f_code is not _OWN_CODE:
                self.complaints.append(_SWITCHED_OFF)
            return
        module = getattr(built_in, "__module__", None)
        starting = STARTS_PROCESSES.get(module, ()) if isinstance(module, str) else ()
        if starting and built_in.__name__.startswith(starting) and self._is_answers_call(frame):
            self.complaints.append(f"this starts another process, {_UNSEEN}")

    def _ready_made(self, frame: FrameType) -> str:
        """The module of a function of those packages; "" for any other function."""
        name = _module_of(frame)
        if _begins(name, self._ready):
            return "" if _begins(name, self._fine) else name
        # A function may have been made anew, with another namespace, from the code of theirs.
        file = frame.f_code.co_filename
        if file.startswith(self._fine_folders):
            return ""
        for folder, module in self._folders.items():
            if file.startswith(folder):
                return module
        return ""

    def _is_answers_call(self, frame: FrameType, except_from: Sequence[str] = ()) -> bool:
        """Not by another function of the package, and not because a module is being imported."""
        others = ("importlib", *self._ready, *except_from)
        caller = frame.f_back
        while caller is not None and caller is not self._tests:
            name = _module_of(caller)
            # Anybody may give this name to a namespace of their own.
            is_module = caller.f_globals is getattr(sys.modules.get(name), "__dict__", None)
            if is_module and _begins(name, others):
                return False
            caller = caller.f_back
        return True

    def earlier_threads_worked(self) -> bool:
        """Whether a thread that was there at the beginning has worked since, or has ended."""
        seconds_now = _seconds_worked(_earlier_threads())
        before = self._seconds_before.items()
        return any(seconds_now.get(thread) != seconds for thread, seconds in before)


#: The code that sets and restores the profile function.
_OWN_CODE: CodeType = own_work.__wrapped__.__code__  # type: ignore[attr-defined]


def _begins(name: str, modules: Sequence[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _module_of(frame: FrameType) -> str:
    name = frame.f_globals.get("__name__")
    return name if type(name) is str else ""


def _folders_of(modules: Sequence[str]) -> dict[str, str]:
    """Modules that have been imported, by the folder of a package or the file of a module."""
    files = {getattr(sys.modules.get(module), "__file__", None): module for module in modules}
    return {file.removesuffix("__init__.py"): module for file, module in files.items() if file}


def _earlier_threads() -> list[int]:
    """Threads beside this one in which nothing of an installed package runs, such as a kernel's."""
    own = threading.get_ident()
    return [
        thread
        for thread, frame in sys._current_frames().items()
        if thread != own and not _runs_installed_package(frame)
    ]


def _runs_installed_package(frame: FrameType | None) -> bool:
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
