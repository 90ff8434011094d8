"""Builds the site of the course that runs in a browser; see docs/homes.md on publishing it."""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import subprocess
import sys
import time
from pathlib import Path

from ...notebooks.files import ROOT, shown
from ..book import environment
from . import staging
from .staging import PRODUCTION, Configuration

OUTPUT = ROOT / "build" / "lite"
#: Inside `.venv`, where git, ruff and the others look for nothing.
ENVIRONMENTS = ROOT / ".venv"


def main(arguments: list[str] | None = None) -> int:
    """Build the site that readers get; it appears in `OUTPUT` only if all went well."""
    parser = argparse.ArgumentParser(prog="make lite", description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    parser.add_argument(
        "--pyodide",
        type=Path,
        metavar="FOLDER",
        help="an unpacked Pyodide to put on the site; by default pages load it from its CDN",
    )
    options = parser.parse_args(arguments)
    output = options.output.resolve()
    started = time.monotonic()
    try:
        site = build(output, dataclasses.replace(PRODUCTION, pyodide=options.pyodide))
    except subprocess.CalledProcessError as error:
        print(
            f"make lite: this failed, see above: {' '.join(map(str, error.cmd))}\nThe first time "
            "it needs a network, to install what lite/environment.lock and wheels.lock name.",
            file=sys.stderr,
        )
        return 1
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"{size / 1e6:.0f} MB in {time.monotonic() - started:.0f} s: {shown(site)}")
    return 0


def build(output: Path, configuration: Configuration) -> Path:
    """The folder of the built site, all of whose addresses are relative.

    Raises
    ------
    subprocess.CalledProcessError
        If a program failed.
    """
    lock = configuration.folder / "environment.lock"
    programs = environment.prepare(ENVIRONMENTS / f"lite-{configuration.name}", lock)
    staged, built = output / "staged", output / "built"
    staging.stage(staged, configuration, programs)
    shutil.rmtree(built, ignore_errors=True)
    command = [str(programs / "jupyter"), "lite", "build", "--lite-dir", "."]
    # In its own folder, or it would leave its cache in ours.
    done = subprocess.run(command, cwd=staged, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        done.check_returncode()
    # JupyterLite's own leads to an empty launcher.
    (built / "index.html").write_text(staging.start_page(), encoding="utf-8")
    shutil.rmtree(output / "site", ignore_errors=True)
    return built.rename(output / "site")


if __name__ == "__main__":
    sys.exit(main())
