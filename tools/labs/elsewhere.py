"""What a student wrote in words outside the cells that are for it.

On Colab it takes one click to add a text cell below a question, or to delete the cell that was
given.  What was written there is no answer yet, but a person has to read it.
"""

from __future__ import annotations

import ast
import dataclasses
import re
import warnings
from collections.abc import Collection

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from ..notebooks import files, links
from .lab_files import HEADING, Lab, grade_id, role, student_version

#: Differs between the homes of a lab, or is put in by Colab, and says nothing.
_MARKUP = re.compile(r"<img[^>]*colab-badge[^>]*>|</?(?!img\b)[a-z][^>]*>", re.IGNORECASE)
#: Where a link leads, which also differs between homes.
_TARGET = re.compile(r"\]\([^)]*\)")
#: A picture that was pasted into a text.
_PASTED = re.compile(r"data:[\w/+.-]+;base64,[\w+/=]+")


@dataclasses.dataclass(frozen=True)
class Elsewhere:
    """Text of a student's outside the cells for answers.

    Attributes
    ----------
    number : int
        The cell's place in the file, counted from 1.
    exercise : str
        The lab's heading that it stands under, or "".
    text : str
        Lines that the lab does not have.
    """

    number: int
    exercise: str
    text: str

    def __str__(self) -> str:
        where = f", under {self.exercise}" if self.exercise else ""
        return f"[Cell {self.number} of the file{where}:]\n{self.text}"


def written_elsewhere(filled_in: NotebookNode, lab: Lab) -> list[Elsewhere]:
    """The text cells that a student added or changed, and added code cells that are only text."""
    instructor = files.read(lab.instructor)
    own_names = {grade_id(cell) for cell in instructor.cells if role(cell)}
    handed_out = _handed_out(instructor, lab)
    known = {_key(line) for text in handed_out for line in text.splitlines()}
    headings = {heading for text in handed_out for heading in HEADING.findall(text)}
    found = []
    exercise = ""
    for number, cell in enumerate(filled_in.cells, start=1):
        if grade_id(cell) in own_names:
            continue
        is_code = cell.cell_type == "code"
        if not is_code:
            below = [heading for heading in HEADING.findall(cell.source) if heading in headings]
            exercise = below[-1] if below else exercise
        if is_code and not _is_prose(cell.source):
            continue
        if text := _new_lines(cell.source, known):
            found.append(Elsewhere(number, exercise, text))
    return found


def _handed_out(instructor: NotebookNode, lab: Lab) -> list[str]:
    """All that students get to see of a lab, in any of its homes."""
    name = lab.student.name
    student = student_version(instructor, name)
    texts = [cell.source for cell in student.cells]
    with_all_links = links.links_cell(name, home="owner/repository")
    return [*texts, with_all_links.source, links.HAND_IN.format(file=name), links.IN_BROWSER]


def _new_lines(source: str, known: Collection[str]) -> str:
    """The lines of a text that the lab does not have; empty lines between them stay."""
    new = []
    for line in source.splitlines():
        key = _key(line)
        if not key or key not in known:
            new.append(line)
    text = _PASTED.sub("data:…", "\n".join(new)).strip()
    # Lines of punctuation, and markup without words, are no text.
    return text if any(re.search(r"\w", _key(line)) for line in new) else ""


def _key(line: str) -> str:
    """What a line says, in whichever home."""
    text = _TARGET.sub("]", _MARKUP.sub("", line))
    return " ".join(text.split())


def _is_prose(source: str) -> bool:
    """Whether a code cell computes nothing: comments, strings, or what is no Python at all."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as on a backslash in a formula
            code = TransformerManager().transform_cell(source)
            statements = ast.parse(code).body
    except (SyntaxError, ValueError):
        return True
    except (MemoryError, RecursionError):  # nested too deeply to be a text
        return False
    return all(map(_is_string, statements))


def _is_string(statement: ast.stmt) -> bool:
    """Whether a statement is a string, gives one a name, or prints it."""
    value = getattr(statement, "value", None)
    parts = [value]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        parts = list(value.args)
    return bool(parts) and all(
        isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts
    )
