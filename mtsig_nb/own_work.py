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
#: Functions written in Python that talk to other processes: modules, and how the qualified names
#: of the functions begin there ("" for all functions of a module).
TALKS_TO_PROCESSES = {
    "subprocess": "",
    "multiprocessing.connection": "_ConnectionBase.",
    "concurrent.futures.process": "",
}
#: Modules that may call those functions.  A pool of threads talks through a pipe to its own
#: threads, which have the profile function.  A pool of processes starts them, which is noticed.
TALKS_TO_OWN_WORKERS = ("multiprocessing.pool",)
#: Built-in functions that start processes: modules, and how the functions' names begin there.
STARTS_PROCESSES = {
    "posix": ("exec", "fork", "posix_spawn", "spawn", "system"),
    "nt": ("exec", "spawn", "startfile", "system"),
    "_posixsubprocess": ("fork_exec",),
    "_winapi": ("CreateProcess",),
}
_YOURS = "but the answer is yours to write"
_UNSEEN = "where it cannot be seen who writes the answer: compute it in the function itself"
_SWITCHED_OFF = f"this replaces Python's profile function, which notices calls, {_YOURS}"
#: Folders of installed packages.
_INSTALLED = tuple({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
# As they are when this is imported: an answer may give these names another meaning.
_set_profile = sys.setprofile
_get_profile = sys.getprofile
_set_profile_of_threads = threading.setprofile
_get_profile_of_threads = threading.getprofile


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
    AssertionError: this calls adjust_pvalues of mtsig_nb, but the answer is yours to write
    """
    watch = _Watch(tests=sys._getframe(2), also=also)  # past the frame of contextlib
    profile_before = _get_profile()
    profile_of_threads_before = _get_profile_of_threads()
    look = watch.look
    _set_profile_of_threads(look)
    _set_profile(look)
    try:
        yield
    finally:
        is_still_set = _get_profile() is look and _get_profile_of_threads() is look
        _set_profile(profile_before)
        _set_profile_of_threads(profile_of_threads_before)
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
        self._seconds_before = _seconds_worked(_threads_to_watch())

    def look(self, frame: FrameType, event: str, built_in: Any) -> None:
        """Complain of a call that is not allowed; Python calls this at each (`sys.setprofile`)."""
        # `frame` is that of a function written in Python, but that of a built-in function's caller.
        if event == "call":
            self._look_at_function(frame)
        elif event == "c_call":
            self._look_at_built_in(built_in, caller=frame)

    def _look_at_function(self, frame: FrameType) -> None:
        """Complain of a function written in Python, by the frame that runs it."""
        caller = frame.f_back
        code = frame.f_code
        beginning = TALKS_TO_PROCESSES.get(_module_of(frame))
        if beginning is not None:
            talks = code.co_qualname.startswith(beginning)
            if talks and self._is_answers_call(caller, except_from=TALKS_TO_OWN_WORKERS):
                self.complaints.append(f"this hands work to another process, {_UNSEEN}")
        elif code is _set_profile_of_threads.__code__:
            # An answer may use `own_work` itself, within the `own_work` of its tests.
            if caller is not None and caller.f_code is not _OWN_CODE:
                self.complaints.append(_SWITCHED_OFF)
        else:
            module = self._ready_made_module(frame)
            if module and self._is_answers_call(caller):
                function = code.co_qualname.removesuffix(".__init__")
                package = module.partition(".")[0]
                # "decorate.<locals>.wrapper" and "<lambda>" would not say what was called.
                called = module if "<locals>" in function else f"{function} of {package}"
                self.complaints.append(f"this calls {called}, {_YOURS}")

    def _look_at_built_in(self, built_in: Any, caller: FrameType) -> None:
        """Complain of a built-in function, by itself and by the frame that calls it."""
        if built_in is _set_profile:
            if caller.f_code is not _OWN_CODE:
                self.complaints.append(_SWITCHED_OFF)
            return
        module = getattr(built_in, "__module__", None)
        beginnings = STARTS_PROCESSES.get(module, ()) if isinstance(module, str) else ()
        starts_process = beginnings and built_in.__name__.startswith(beginnings)
        if starts_process and self._is_answers_call(caller):
            self.complaints.append(f"this starts another process, {_UNSEEN}")

    def _ready_made_module(self, frame: FrameType) -> str:
        """The module of a function that may not be called; "" for any other function."""
        name = _module_of(frame)
        if _is_in(name, self._ready_made):
            return "" if _is_in(name, self._allowed) else name
        # `types.FunctionType` can give the code of a package's function another namespace, and so
        # another module; the code still names its file.
        file = frame.f_code.co_filename
        if file.startswith(self._allowed_folders):
            return ""
        for folder, module in self._folders.items():
            if file.startswith(folder):
                return module
        return ""

    def _is_answers_call(self, caller: FrameType | None, except_from: Sequence[str] = ()) -> bool:
        """Whether the answer, and no package on its behalf, makes the call that `caller` makes.

        A call is a package's if `caller`, or a function between it and the tests, belongs to a
        ready-made package, allowed or not, or to a module in `except_from`.  The call may also be
        made by the import of a module; then a function of ``importlib`` is among them.
        """
        packages = ("importlib", *self._ready_made, *except_from)
        frame = caller
        while frame is not None and frame is not self._tests:
            name = _module_of(frame)
            # An answer may give a namespace of its own the name of a package.
            is_module = frame.f_globals is getattr(sys.modules.get(name), "__dict__", None)
            if is_module and _is_in(name, packages):
                return False
            frame = frame.f_back
        return True

    def earlier_threads_worked(self) -> bool:
        """Whether a thread that was there at the beginning has worked since, or has ended."""
        seconds_now = _seconds_worked(_threads_to_watch())
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


def _threads_to_watch() -> list[int]:
    """Other threads than this one that an answer might give work to, by their identifiers.

    Threads that run code of an installed package are left out.  Such a package is the kernel of a
    notebook, whose threads work all the time, for nobody's answer.
    """
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
