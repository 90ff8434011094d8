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
    command = [
        str(programs / "jupyter-book"),
        "build",
        str(output / "source"),
        "--path-output",
        str(output),
        "--all",
        "-W",
        "--keep-going",
        "--quiet",
    ]
    environment_of_build = {
        **os.environ,
        "PYTHONPATH": str(ROOT),  # the package is imported from here
        "MPLBACKEND": "agg",  # figures are not drawn, yet Matplotlib may be imported
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.run(command, env=environment_of_build, check=False).returncode


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
    found = []
    if not (site / "index.html").exists():
        found.append(f"{site} has no index.html")
    for path in sorted(site.rglob("*.html")):
        place = path.relative_to(site)
        if "_static" not in place.parts:
            page = document_fromstring(path.read_text(encoding="utf-8"))
            found += [f"{place.as_posix()}: {problem}" for problem in problems_of_page(page)]
    for path in sorted(site.rglob("*.css")):
        place = path.relative_to(site)
        for address in IN_STYLE.findall(path.read_text(encoding="utf-8")):
            if REMOTE.match(address):
                found.append(f"{place.as_posix()}: loads {address}")
    return found


def problems_of_page(page: HtmlElement) -> Iterator[str]:
    """What a page loads from elsewhere, and its pictures without words."""
    for address in dict.fromkeys(loads(page)):
        if REMOTE.match(address):
            yield f"loads {address}"
    for picture in page.iter("img"):
        source = picture.get("src", "")
        alt = picture.get("alt", "").strip()
        # Sphinx puts the address where there are no words.
        if alt in ("", source):
            yield f"{source[:60]!r} has no alternative text"


def loads(page: HtmlElement) -> Iterator[str]:
    """What a page loads as soon as it is shown."""
    yield from page.xpath(LOADED)
    for text in page.xpath("//@style | //style/text()"):
        yield from IN_STYLE.findall(text)
    for text in page.xpath("//script/text()"):
        yield from IN_SCRIPT.findall(text)


if __name__ == "__main__":
    sys.exit(main())
