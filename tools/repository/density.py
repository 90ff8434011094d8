"""``python -m tools.repository.density [FOLDER …]``: how much a line of code says, by folder.

Counts lines that have code on them, and Python's tokens in them.  Comments and docstrings count for
neither.  A line that says one thing has some eight tokens.  It is a listing, and no gate: a folder
above the others is one to look at.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import sys
import tokenize
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("mtsig_nb", "tools", "tests")
#: Tokens by which Python says how lines are laid out, and comments.
LAYOUT = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


@dataclasses.dataclass(frozen=True)
class Density:
    """Lines with code on them, and the tokens of this code."""

    lines: int = 0
    tokens: int = 0

    def __add__(self, other: Density) -> Density:
        return Density(self.lines + other.lines, self.tokens + other.tokens)

    @property
    def tokens_per_line(self) -> float:
        """NaN where there is no code."""
        return self.tokens / self.lines if self.lines else float("nan")


def main(arguments: list[str] | None = None) -> int:
    """Print a row for each folder of code below those that are named."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.repository.density",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = [ROOT / name for name in FOLDERS]
    parser.add_argument("folders", nargs="*", type=Path, default=default, metavar="FOLDER")
    options = parser.parse_args(arguments)
    missing = [folder for folder in options.folders if not folder.is_dir()]
    if missing:
        parser.error(f"there is no folder {missing[0]}")
    Console().print(listing(options.folders))
    return 0


def listing(folders: Iterable[Path]) -> Table:
    """A row for each folder with code, and one for all of it below each of `folders`."""
    table = Table("folder", box=None)
    for name in ("files", "lines", "tokens", "tokens a line"):
        table.add_column(name, justify="right")
    for top in folders:
        by_folder: dict[Path, list[Density]] = {}
        for path in sorted(top.rglob("*.py")):
            of_file = density(path.read_text(encoding="utf-8"))
            by_folder.setdefault(path.parent, []).append(of_file)
        everything: list[Density] = []
        for folder, of_files in sorted(by_folder.items()):
            table.add_row(*row(shown(folder), of_files))
            everything += of_files
        table.add_row(*row(f"all of {shown(top)}", everything), style="bold", end_section=True)
    return table


def row(name: str, found: list[Density]) -> list[str]:
    """The cells of a row."""
    total = sum(found, Density())
    numbers = (len(found), total.lines, total.tokens)
    counts = [f"{number:,}" for number in numbers]
    return [name, *counts, f"{total.tokens_per_line:.1f}"]


def shown(folder: Path) -> str:
    """A folder's name, from the top of the repository if it lies in there."""
    folder = folder.resolve()
    return folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else str(folder)


def density(source: str) -> Density:
    r"""Lines of code and tokens of a module.

    Examples
    --------
    >>> density("x = 1  # one\ny = [\n    x,\n]\n")
    Density(lines=4, tokens=9)
    """
    lines: set[int] = set()
    n_tokens = 0
    for statement in statements(source):
        if is_docstring(statement):
            continue
        n_tokens += len(statement)
        for token in statement:
            lines.update(range(token.start[0], token.end[0] + 1))
    return Density(len(lines), n_tokens)


def statements(source: str) -> Iterable[list[tokenize.TokenInfo]]:
    """The tokens of each logical line that has code on it."""
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            statement.append(token)
        elif token.type == tokenize.NEWLINE:
            yield statement
            statement = []


def is_docstring(statement: list[tokenize.TokenInfo]) -> bool:
    """Whether a statement is nothing but a text."""
    return len(statement) == 1 and statement[0].type == tokenize.STRING


if __name__ == "__main__":
    sys.exit(main())
