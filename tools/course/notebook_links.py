"""``python -m tools.course.notebook_links OWNER/REPOSITORY``: addresses of all notebooks in a copy.

The copy may be any public one, for instance a lecturer's own.  `tools.notebooks.links` makes the
addresses, and has the setting from which the links in the notebooks follow.
"""

from __future__ import annotations

import argparse
import sys

from ..notebooks import files, links


def main(arguments: list[str] | None = None) -> int:
    """Print an address for every notebook of the series, every lab and every application."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.course.notebook_links", description=__doc__
    )
    parser.add_argument("home", nargs="?", default=links.PUBLIC_HOME, metavar="OWNER/REPOSITORY")
    parser.add_argument(
        "--ref", default=links.PUBLIC_REF, help="branch or tag (default: %(default)s)"
    )
    other_homes = parser.add_mutually_exclusive_group()
    other_homes.add_argument("--colab", action="store_true", help="for Colab, not for Binder")
    other_homes.add_argument(
        "--hub", metavar="ADDRESS", help="of a JupyterHub that has nbgitpuller"
    )
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
            address = links.hub(
                name, hub_address=options.hub, home=options.home, branch=options.branch
            )
        elif options.colab:
            address = links.colab(name, home=options.home, ref=options.ref)
        else:
            address = links.binder(name, home=options.home, ref=options.ref)
        print(f"{path.stem}\n    {address}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
