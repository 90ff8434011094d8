"""The kernel that runs a filled-in lab: IPython's, but the tests go past what one can hook into.

`tools.labs.worker` starts it as a program, with the tests in a file, which it deletes.  A test is
compiled before any cell has run.  When its cell comes, Python itself carries it out, and not
IPython, whose events and transformers a submission may have changed; built-in functions are those
of the beginning, whatever the cells call ``__builtins__``, and nothing traces it.  `own_work` is a
copy that no cell has seen.  A test that has reached its end is answered with a word that was
nowhere in what the cells could see.

All this is in one process with the submission.  Code that looks through the memory of the kernel
finds the word, and what a test calls, such as a function of NumPy's, may have been exchanged.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: In a reply to the request to execute a test, among the "user expressions": the word of that test.
PASSED = "passed"
OWN_WORK = Path(__file__).resolve().parents[2] / "mtsig_nb" / "own_work.py"
#: The module that tests import `own_work` from, and its name there.
TEACHING = "mtsig_nb.teaching"
NAME = "own_work"


def main() -> None:
    """Start, with the arguments of IPython's kernel after the file of tests."""
    # Not the grader's folder, nor, until IPython puts it back, the one that this runs in.
    del sys.path[0]
    # The kernel would end where its parent has the number 1, as in a namespace of its own.
    os.environ.pop("JPY_PARENT_PID", None)
    file = Path(sys.argv.pop(1))
    tests = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(kernel_class=_kernel(tests))


def _kernel(tests: dict[str, dict[str, str]]) -> type:
    """The class of a kernel that knows `tests`: by the code that asks for one, source and word."""
    from ipykernel.ipkernel import IPythonKernel

    compiled = {
        code: compile(test["source"], "<test>", "exec", dont_inherit=True, optimize=0)
        for code, test in tests.items()
    }
    look_outs = {code: _own_work() for code, test in tests.items() if NAME in test["source"]}
    words = {code: test["word"] for code, test in tests.items()}
    # A submission may give these names another meaning.
    carry_out = exec
    restore = vars(builtins).update
    built_in = dict(vars(builtins))
    no_trace = sys.settrace

    class Kernel(IPythonKernel):
        async def do_execute(self, code: str, silent: bool, *given: Any, **named: Any) -> Any:
            if code not in compiled:
                return await super().do_execute(code, silent, *given, **named)
            test = compiled.pop(code)
            word = words.pop(code)
            no_trace(None)
            restore(built_in)
            if code in look_outs:
                with contextlib.suppress(ImportError):  # the test says so
                    teaching = importlib.import_module(TEACHING)
                    vars(teaching)[NAME] = look_outs.pop(code)
            assert self.shell is not None
            own = self.shell.user_ns
            # Without what goes by the name of a built-in function, such as another `all`.
            names = {name: own[name] for name in own if name not in built_in}
            own_built_in = names.pop("__builtins__", builtins)
            names["__builtins__"] = dict(built_in)
            reply = {"execution_count": self.execution_count, "payload": []}
            try:
                carry_out(test, names)
            except BaseException as error:  # SystemExit ends a test, and not the kernel
                failure = {
                    "ename": type(error).__name__,
                    "evalue": _words(error),
                    "traceback": [],
                }
                with contextlib.suppress(Exception):  # it may be the submission's
                    sys.stdout.flush()  # so that the error comes last
                self.send_response(self.iopub_socket, "error", failure)
                return reply | failure | {"status": "error"}
            finally:
                own.update(names, __builtins__=own_built_in)
            return reply | {"status": "ok", "user_expressions": {PASSED: word}}

    return Kernel


def _own_work() -> Callable[..., Any]:
    """A copy of `mtsig_nb.own_work.own_work` whose parts nobody else knows."""
    source = OWN_WORK.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "mtsig_nb.own_work"}
    exec(compile(source, str(OWN_WORK), "exec"), names)
    own_work: Callable[..., Any] = names[NAME]
    return own_work


def _words(error: BaseException) -> str:
    """The message of an error, whose class may be the submission's."""
    try:
        return str(error)
    except Exception:
        return ""


if __name__ == "__main__":
    main()
