"""Builds the book and checks it; the exit status is 1 if anything is wrong with it."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from lxml.html import HtmlElement, document_fromstring

from ...notebooks.files import ROOT, shown
from . import environment, staging

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
    problems = problems_of(built)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    shutil.rmtree(output / "html", ignore_errors=True)
    built.replace(output / "html")
    count = len(list((output / "html").rglob("*.html")))
    print(f"{count} pages in {time.monotonic() - started:.0f} s: {shown(output)}/html/index.html")
    return 0


def build(programs: Path, output: Path) -> int:
    """Jupyter Book's exit status; its warnings are errors."""
    command = [str(programs / "jupyter-book"), "build", str(output / "source")]
    command += ["--path-output", str(output), "--all", "-W", "--keep-going", "--quiet"]
    # The package is imported from here; figures are not drawn, yet Matplotlib may be imported.
    extra = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env={**os.environ, **extra}, check=False).returncode


#: `link` elements that only name another page, and attributes by which a page loads something.
NAMING = "canonical next prev index search author help license"
LOADED = "//@src | //@srcset | //@data | //@poster | //use/@* | //image/@*"
LOADED += f" | //link[not(contains('{NAMING}', @rel))]/@href"
#: Addresses in style sheets and inline styles.
IN_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')\s]+)""")
#: Ways in which a script on a page loads another one.
IN_SCRIPT = re.compile(
    r"""(?:\bimport\s*\(?\s*|\bfrom\s+|\bfetch\s*\(\s*|\bsrc\s*=\s*|_URL\s*=\s*|"src":\s*)"""
    r"""["'`]((?:https?:)?//[^"'`]+)"""
)
REMOTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


def problems_of(site: Path) -> list[str]:
    """Everything that is wrong with the site, each with its page."""
    found = [] if (site / "index.html").exists() else [f"{site} has no index.html"]
    for path in sorted(site.rglob("*.html")):
        if "_static" not in path.relative_to(site).parts:
            page = document_fromstring(path.read_text(encoding="utf-8"))
            name = path.relative_to(site).as_posix()
            for address in dict.fromkeys(loads(page)):
                if REMOTE.match(address):
                    found.append(f"{name}: loads {address}")
            for picture in page.iter("img"):
                # Sphinx puts the address where there are no words.
                if picture.get("alt", "").strip() in ("", picture.get("src")):
                    found.append(f"{name}: {picture.get('src', '')[:60]!r} has no alternative text")
    for style in sorted(site.rglob("*.css")):
        for address in IN_STYLE.findall(style.read_text(encoding="utf-8")):
            if REMOTE.match(address):
                found.append(f"{style.relative_to(site).as_posix()}: loads {address}")
    return found


def loads(page: HtmlElement) -> Iterator[str]:
    """What a page loads as soon as it is shown."""
    yield from page.xpath(LOADED)
    for text in page.xpath("//@style | //style/text()"):
        yield from IN_STYLE.findall(text)
    for text in page.xpath("//script/text()"):
        yield from IN_SCRIPT.findall(text)


if __name__ == "__main__":
    sys.exit(main())
