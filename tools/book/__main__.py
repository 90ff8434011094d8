"""Builds the book and checks it; the exit status is 1 if anything is wrong with it."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from ..notebook_files import ROOT
from . import checks, environment, staging

OUTPUT = ROOT / "build" / "book"


def main(arguments: list[str] | None = None) -> int:
    """Stage, build, check; the site appears in `OUTPUT`/html only if all went well."""
    parser = argparse.ArgumentParser(prog="make book", description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    output = parser.parse_args(arguments).output.resolve()
    started = time.monotonic()
    try:
        programs = environment.prepare()
    except subprocess.CalledProcessError:
        print(
            "make book: its environment could not be made (see above); the first time needs a "
            f"network, to install what {environment.LOCK.relative_to(ROOT)} names",
            file=sys.stderr,
        )
        return 1
    pages = staging.stage(output / "source")
    built = output / "_build" / "html"
    shutil.rmtree(output / "_build", ignore_errors=True)
    if build(programs, output):
        print(
            "make book: Jupyter Book stopped at a warning or an error; see above", file=sys.stderr
        )
        return 1
    staging.finish(built, pages)
    problems = checks.problems(built)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    shutil.rmtree(output / "html", ignore_errors=True)
    built.replace(output / "html")
    shown = output.relative_to(ROOT) if output.is_relative_to(ROOT) else output
    count = len(list((output / "html").rglob("*.html")))
    print(f"{count} pages in {time.monotonic() - started:.0f} s: {shown}/html/index.html")
    return 0


def build(programs: Path, output: Path) -> int:
    """Jupyter Book's exit status; its warnings are errors."""
    command = [str(programs / "jupyter-book"), "build", str(output / "source")]
    command += ["--path-output", str(output), "--all", "-W", "--keep-going", "--quiet"]
    # The package is imported from here; figures are not drawn, yet Matplotlib may be imported.
    extra = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env={**os.environ, **extra}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
