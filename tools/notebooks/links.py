"""The links that every notebook offers: open it on Binder or in Colab, download it.

They follow from one setting, `PUBLIC_HOME`.  While it is empty there is only the download link,
which is relative: Binder and Colab need a public address.  `tools.site.public_copy` gives one.
"""

from __future__ import annotations

from html import escape
from urllib.parse import quote, urlencode

import nbformat

#: "OWNER/REPOSITORY" on GitHub, once there is one.  After a change: make notebooks, make labs.
PUBLIC_HOME = ""
#: What is opened: a branch or a tag.  Neither Colab nor pip takes HEAD.
PUBLIC_REF = "main"
#: Marks the cell, so that one that JupyterLab has saved into a source is known again.
TAG = "links"
#: In labs of a public copy, as docs/handing-in.md has it for Colab.
HAND_IN = """\
**To hand this in from Colab:** choose *File, Save a copy in Drive*, work in the copy, and put your
id before its name, as in `s12_{file}`. At the end choose *Runtime, Restart session and run all*,
then *File, Download, Download .ipynb*, and hand in that file."""
#: In notebooks of the site that runs Python in the browser.
IN_BROWSER = (
    "This notebook runs in your browser. Results that it has were computed beforehand. To compute "
    "them yourself, choose *Run*, *Run All Cells*. The first time, what it needs has to be loaded, "
    "which may take a minute; a line below says how many cells have run. The browser keeps what "
    "you change; *File*, *Download* gives you the file."
)


def links_cell(name: str, *, home: str = "", ref: str = "") -> nbformat.NotebookNode:
    """The cell for the notebook whose path from the top of the repository is `name`."""
    file = quote(name.rpartition("/")[2])
    links = []
    if home or PUBLIC_HOME:
        on_binder = binder(name, home=home, ref=ref)
        in_colab = colab(name, home=home, ref=ref)
        links.append(f'<a href="{escape(on_binder)}">Open on Binder</a>')
        links.append(f'<a href="{escape(in_colab)}">Open in Colab</a>')
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


def colab(name: str, *, home: str = "", ref: str = "") -> str:
    """Where Google's Colab opens the notebook `name`, which has to install what it needs."""
    where = f"{quote(home or PUBLIC_HOME)}/blob/{quote(ref or PUBLIC_REF)}"
    return f"https://colab.research.google.com/github/{where}/{quote(name)}"


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
