"""The links that every notebook offers: open it on Binder, download it.

They follow from one setting, `PUBLIC_HOME`.  While it is empty there is no link to Binder, because
Binder needs a public address; the download link is relative and always there.

``python -m tools.course.notebook_links OWNER/REPOSITORY`` prints the addresses for any public copy,
for instance a lecturer's own.
"""

from __future__ import annotations

import argparse
import sys
from html import escape
from urllib.parse import quote, urlencode

import nbformat

#: "OWNER/REPOSITORY" on GitHub, once there is one.  After a change: make notebooks, make labs.
PUBLIC_HOME = ""
#: What Binder checks out: a branch, a tag, or HEAD for the newest.
PUBLIC_REF = "HEAD"
#: Marks the cell, so that one that JupyterLab has saved into a source is known again.
TAG = "links"


def links_cell(name: str) -> nbformat.NotebookNode:
    """The cell for the notebook whose path from the top of the repository is `name`."""
    file = quote(name.rpartition("/")[2])
    links = [f'<a href="{escape(binder(name))}">Open on Binder</a>'] if PUBLIC_HOME else []
    links.append(f'<a href="{file}" download>Download this notebook</a>')
    # HTML, because a book would turn a Markdown link to a notebook into one to the page itself;
    # in a paragraph of its own, because nbconvert closes tags within a line at once.
    cell = nbformat.v4.new_markdown_cell(f"<p>{' · '.join(links)}</p>", metadata={"tags": [TAG]})
    cell.id = TAG
    return cell


def binder(name: str, *, home: str = "", ref: str = "") -> str:
    """Where Binder opens the notebook `name`: in JupyterLab, or as an application if it is one."""
    # `ref` is one part of the path: a slash in a branch's name is escaped, in `urlpath` it is not.
    where = f"{quote(home or PUBLIC_HOME)}/{quote(ref or PUBLIC_REF, safe='')}"
    query = urlencode({"urlpath": _opened(name)}, safe="/")
    return f"https://mybinder.org/v2/gh/{where}?{query}"


def hub(name: str, *, hub_address: str, home: str, branch: str) -> str:
    """The nbgitpuller link that puts the repository on a JupyterHub and opens `name` there."""
    query = {
        "repo": f"https://github.com/{home}",
        "branch": branch,
        "urlpath": _opened(name, folder=f"{home.rpartition('/')[2]}/"),
    }
    return f"{hub_address.rstrip('/')}/hub/user-redirect/git-pull?{urlencode(query)}"


def _opened(name: str, folder: str = "") -> str:
    server = "voila/render" if name.startswith("notebooks/app/") else "lab/tree"
    return f"{server}/{folder}{name}"


def main(arguments: list[str] | None = None) -> int:
    """Print an address for every notebook of the series, every lab and every application."""
    # Here, because notebook_files needs this module to make a notebook.
    from . import notebook_files as files

    parser = argparse.ArgumentParser(
        prog="python -m tools.course.notebook_links", description=__doc__
    )
    parser.add_argument("home", nargs="?", default=PUBLIC_HOME, metavar="OWNER/REPOSITORY")
    parser.add_argument("--ref", default=PUBLIC_REF, help="branch or tag (default: %(default)s)")
    parser.add_argument("--hub", metavar="ADDRESS", help="of a JupyterHub that has nbgitpuller")
    parser.add_argument(
        "--branch", default="main", help="that the hub pulls (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    if options.home.count("/") != 1:
        parser.error("which public copy? Give it as OWNER/REPOSITORY")
    others = (files.LABS / "student", files.SERIES / "app")
    notebooks = [path for folder in others for path in sorted(folder.glob("*.ipynb"))]
    part = None
    for path in files.series() + notebooks:
        if files.part_of(path) != part and (part := files.part_of(path)):
            print(f"\n{part.heading}\n")
        name = files.name_of(path)
        if options.hub:
            address = hub(name, hub_address=options.hub, home=options.home, branch=options.branch)
        else:
            address = binder(name, home=options.home, ref=options.ref)
        print(f"{path.stem}\n    {address}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
