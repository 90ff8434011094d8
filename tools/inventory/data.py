"""The inventory as it lies in ``notebooks/labs/inventory.toml``."""

from __future__ import annotations

import dataclasses
import string
import tomllib
from pathlib import Path
from typing import Any

from mtsig_nb.errors import InputError

from ..notebook_files import LABS

INVENTORY = LABS / "inventory.toml"
LETTERS = string.ascii_uppercase


@dataclasses.dataclass(frozen=True)
class Option:
    """An answer to choose: the right one, or one that comes from a misconception."""

    text: str
    right: bool = False
    misconception: str = ""


@dataclasses.dataclass(frozen=True)
class Item:
    """A question, the number of the unit that it is about, and why its answer is right."""

    unit: int
    stem: str
    options: tuple[Option, ...]
    because: str

    @property
    def right(self) -> Option:
        """The answer that counts; `checks.one_is_right` sees to it that there is one."""
        return next(option for option in self.options if option.right)

    @property
    def wrong(self) -> list[Option]:
        """The others."""
        return [option for option in self.options if not option.right]

    @property
    def position(self) -> int:
        """Where the right answer stands, from 0."""
        return self.options.index(self.right)

    @property
    def lettered(self) -> list[tuple[str, Option]]:
        """The answers with the letters of the exam."""
        return list(zip(LETTERS, self.options, strict=False))


@dataclasses.dataclass(frozen=True)
class Inventory:
    """All items, in order, and a sentence for each misconception."""

    misconceptions: dict[str, str]
    items: tuple[Item, ...]


def read(path: Path = INVENTORY) -> Inventory:
    """The inventory in a file; `InputError` if the file has another form."""
    try:
        return inventory(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"path={str(path)!r} is not TOML: {error}. Mend the line.") from error


def inventory(data: dict[str, Any]) -> Inventory:
    """The inventory that a parsed file stands for."""
    items = []
    for number, entry in enumerate(data["item"], 1):
        try:
            options = tuple(Option(**option) for option in entry["options"])
            items.append(Item(**{**entry, "options": options}))
        except (KeyError, TypeError) as error:
            raise InputError(
                f"item={number} of the inventory has other keys than an item and its options "
                f"have ({error}). An item has unit, stem, options, because; an option text, and "
                "right = true or a misconception."
            ) from error
    return Inventory(dict(data["misconceptions"]), tuple(items))
