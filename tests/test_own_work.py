"""Calls of a package that an answer was to replace are noticed, wherever and however they run."""

from __future__ import annotations

import _thread
import asyncio
import builtins
import concurrent.futures
import functools
import importlib
import multiprocessing
import multiprocessing.pool
import os
import queue
import subprocess
import sys
import threading
import types

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import mtsig_nb as mt
from mtsig_nb.teaching import own_work

HANDED_OUT = "this calls .*, but the answer is yours to write"
PROCESS = "another process"


def ready_made(value):
    return scipy.stats.binomtest(int(value), 10).pvalue


def in_thread(function, value):
    found = []
    thread = threading.Thread(target=lambda: found.append(function(value)))
    thread.start()
    thread.join()
    return found[0]


def in_low_level_thread(value):
    found = queue.Queue()
    _thread.start_new_thread(lambda: found.put(ready_made(value)), ())
    return found.get()


def in_pool(value):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return max(pool.map(ready_made, [value, value]))


def in_thread_pool_of_multiprocessing(value):
    with multiprocessing.pool.ThreadPool(2) as pool:
        return pool.map(ready_made, [value])[0]


def in_asyncio(value):
    return asyncio.run(asyncio.to_thread(ready_made, value))


def in_timer(value):
    found = queue.Queue()
    threading.Timer(0, lambda: found.put(ready_made(value))).start()
    return found.get()


def in_class(value):
    class Answer(threading.Thread):
        def run(self):
            self.found = ready_made(value)

    answer = Answer()
    answer.start()
    answer.join()
    return answer.found


def nested(value):
    def inner():
        def innermost():
            return max(ready_made(v) for v in (value,))

        return innermost()

    return inner()


def swallowed(value):
    try:
        return ready_made(value)
    except BaseException:
        return 1.0


def by_import(value):
    module = importlib.import_module("scipy.stats")
    return getattr(module, "binom" + "test")(int(value), 10).pvalue


def by_text(value):
    names = {"value": value}
    exec("import scipy.stats\nfound = scipy.stats.binomtest(int(value), 10).pvalue", names)
    return names["found"] + eval("0 * value", {"value": value})


def under_a_false_name(value):
    """The namespace says that it is the package's own."""
    names = {"__name__": "scipy.stats._own", "value": value}
    exec("import scipy.stats\nfound = scipy.stats.binomtest(int(value), 10).pvalue", names)
    return names["found"]


def as_if_while_importing(value):
    names = {"__name__": "importlib", "value": value}
    exec("import scipy.stats\nfound = scipy.stats.binomtest(int(value), 10).pvalue", names)
    return names["found"]


def made_anew(value):
    theirs = scipy.stats.rankdata
    while hasattr(theirs, "__wrapped__"):
        theirs = theirs.__wrapped__
    own = types.FunctionType(theirs.__code__, dict(theirs.__globals__, __name__="mine"))
    return own([value, 1, 2], "average", axis=None, nan_policy="propagate")


class Patched:
    """Another function of NumPy's calls the package."""

    def __call__(self, value):
        before, np.mean = np.mean, ready_made
        try:
            return np.mean(value)
        finally:
            np.mean = before


@pytest.mark.parametrize(
    "answer",
    [
        ready_made,
        nested,
        swallowed,
        functools.partial(ready_made),
        functools.partial(scipy.stats.binomtest, 3),
        lambda value: list(map(ready_made, [value])),
        lambda value: sorted([value, 1], key=ready_made),
        lambda value: pd.Series([value]).apply(ready_made),
        lambda value: np.vectorize(ready_made)(value),
        lambda value: functools.reduce(lambda a, b: ready_made(b), [value, value]),
        functools.lru_cache(ready_made),
        by_import,
        by_text,
        under_a_false_name,
        as_if_while_importing,
        made_anew,
        Patched(),
        in_pool,
        in_thread_pool_of_multiprocessing,
        in_asyncio,
        in_timer,
        in_class,
        functools.partial(in_thread, ready_made),
        functools.partial(in_thread, functools.partial(in_thread, ready_made)),
        functools.partial(in_thread, by_import),
    ],
)
def test_the_package_is_noticed_however_and_in_whichever_thread_it_is_called(answer):
    with pytest.raises(AssertionError, match=HANDED_OUT), own_work():
        answer(3)


def test_threads_and_pools_of_own_functions_are_fine():
    def own(value):
        return np.mean([value, value])

    with own_work():
        assert in_thread(own, 3) == 3
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            assert list(pool.map(own, [1, 2])) == [1, 2]
        assert asyncio.run(asyncio.to_thread(own, 4)) == 4


def test_a_package_may_use_threads_and_itself():
    counts = mt.load("wmt12/en-es").statistics("BLEU")
    with own_work():
        assert in_thread(lambda _: counts.metric.score(counts.values[0].sum(axis=0)), 0) > 0


# Where nobody can look.


def in_process(value):
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        return pool.submit(ready_made, value).result()


def forked(value):
    process = multiprocessing.get_context("fork").Process(target=ready_made, args=(value,))
    process.start()
    process.join()


def forked_by_hand(_):
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.parametrize("answer", [forked, forked_by_hand, in_process])
def test_forked_processes_are_refused(answer):
    with pytest.raises(AssertionError, match=PROCESS), own_work():
        answer(3)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: subprocess.run([sys.executable, "-c", "1"], check=True),
        lambda: subprocess.check_output([sys.executable, "-c", "1"]),
        lambda: os.popen(f'"{sys.executable}" -c 1').close(),
        lambda: os.system(f'"{sys.executable}" -c 1'),
        lambda: in_thread(lambda _: subprocess.run([sys.executable, "-c", "1"], check=True), 0),
    ],
)
def test_other_programs_are_refused(answer):
    with pytest.raises(AssertionError, match=PROCESS), own_work():
        answer()


def module_that_runs_a_program(name):
    """A module whose function starts a process by a call of a built-in function."""
    module = types.ModuleType(name)
    exec("import os\ndef run():\n    return os.system('exit 0')", vars(module))
    return module


def test_an_allowed_module_may_start_a_process_itself(monkeypatch):
    module = module_that_runs_a_program("mtsig_nb.metrics.invented")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with own_work():
        assert module.run() == 0


def test_a_module_that_is_no_package_of_the_lab_may_not():
    module = module_that_runs_a_program("invented")
    with pytest.raises(AssertionError, match=PROCESS), own_work():
        module.run()


def test_a_namespace_with_the_name_of_an_allowed_module_may_not():
    module = module_that_runs_a_program("mtsig_nb.metrics.invented")
    with pytest.raises(AssertionError, match=PROCESS), own_work():
        module.run()


def test_an_imported_module_may_start_a_process(monkeypatch, tmp_path):
    (tmp_path / "invented_for_import.py").write_text("import os\nCODE = os.system('exit 0')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "invented_for_import", raising=False)
    with own_work():
        assert importlib.import_module("invented_for_import").CODE == 0


def test_tests_that_are_imported_refuse_a_process_of_their_own_line(monkeypatch, tmp_path):
    """What stands between the tests and `own_work` counts, and not who imports the tests."""
    program = (
        "import os\nfrom mtsig_nb.own_work import own_work\nwith own_work():\n    os.system('')\n"
    )
    (tmp_path / "invented_tests.py").write_text(program)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AssertionError, match=PROCESS):
        importlib.import_module("invented_tests")


def test_a_process_that_was_started_before_is_refused():
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs, pytest.raises(AssertionError, match=PROCESS), own_work():
        ours.send(3)


def waiting_pool():
    pool = concurrent.futures.ThreadPoolExecutor(1)
    pool.submit(int).result()
    return pool


measured = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how long threads work")


@measured
def test_a_thread_that_was_started_before_may_wait_and_not_work():
    with waiting_pool() as pool:
        with own_work():
            assert np.mean([1, 2]) == 1.5
        with pytest.raises(AssertionError, match="started before"), own_work():
            pool.submit(ready_made, 3).result()


@measured
@pytest.mark.parametrize(
    "start",
    [
        lambda loop: threading.Thread(target=loop, daemon=True).start(),
        lambda loop: _thread.start_new_thread(loop, ()),
    ],
)
def test_a_loop_of_our_own_that_was_started_before_is_seen(start):
    asked, answers = queue.Queue(), queue.Queue()

    def ask(value):
        asked.put(value)
        return answers.get()

    start(lambda: [answers.put(ready_made(value)) for value in iter(asked.get, None)])
    ask(1)
    with pytest.raises(AssertionError, match="started before"), own_work():
        ask(3)
    asked.put(None)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: sys.setprofile(None),
        lambda: threading.setprofile(None),
        lambda: in_thread(lambda _: sys.setprofile(None), 0),
        lambda: vars(sys)["setprofile"](lambda *_: None),
    ],
)
def test_whoever_switches_the_look_out_off_is_told_so(answer):
    with pytest.raises(AssertionError, match="profile function"), own_work():
        answer()
    assert sys.getprofile() is None
    assert threading.getprofile() is None


def test_the_threads_profile_function_comes_back_whatever_an_answer_calls_by_its_setters_name(
    monkeypatch,
):
    monkeypatch.setattr(threading, "setprofile", threading.setprofile)  # put back at the end
    with own_work():
        threading.setprofile = print
    assert threading.getprofile() is None


def test_an_answer_may_have_own_work_of_its_own():
    with own_work(), own_work():
        assert max([1, 2]) == 2


def test_profile_functions_of_others_come_back():
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(event))
    try:
        before = sys.getprofile()
        with own_work():
            assert builtins.sum([1, 2]) == 3
        assert sys.getprofile() is before
    finally:
        sys.setprofile(None)
