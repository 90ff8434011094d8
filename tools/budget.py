"""No folder outgrows its lines of code, nor the package its public names, in `pyproject.toml`.

Part of ``make check``.  A line of code has a token that is neither a comment nor a docstring.
"""

from __future__ import annotations

import ast
import sys
import tokenize
import tomllib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What is no code of its own: line ends, indentation, comments.
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
#: Where public names are.
ROOMS = ("mtsig_nb", "mtsig_nb.human", "mtsig_nb.metrics", "mtsig_nb.simulate", "mtsig_nb.plots")


def main() -> int:
    """Print what is over its budget; the exit status is 1 if anything is."""
    allowed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["budget"]
    counted = {name: n_lines(ROOT / name) for name in allowed if name != "public_names"}
    counted["public_names"] = len({name for room in ROOMS for name in import_module(room).__all__})
    over = {name: n for name, n in counted.items() if n > allowed[name]}
    for name, n in over.items():
        print(f"{name}: {n:,}, and [tool.budget] in pyproject.toml allows {allowed[name]:,}")
    return 1 if over else 0


def n_lines(folder: Path) -> int:
    """Lines of code in all modules of a folder."""
    return sum(len(lines_of_code(path)) for path in folder.rglob("*.py"))


def lines_of_code(path: Path) -> set[int]:
    """The numbers of a module's lines of code."""
    with tokenize.open(path) as stream:
        lines = {
            line
            for token in tokenize.generate_tokens(stream.readline)
            if token.type not in SILENT and token.string
            for line in range(token.start[0], token.end[0] + 1)
        }
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[:1]
            if ast.get_docstring(node, clean=False) is not None:
                lines -= set(range(first[0].lineno, (first[0].end_lineno or 0) + 1))
    return lines


if __name__ == "__main__":
    sys.exit(main())
