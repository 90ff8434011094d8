"""The options of the commands: read from the table in ``options.toml``, for typer."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ..texts.files import toml_beside

#: As an output: standard output, said in so many words.
STANDARD_OUTPUT = Path("-")
#: How a table is written.
Format = StrEnum("Format", "text json latex csv markdown html")
_TABLE = toml_beside(__file__)
#: What to write in the place of other tools' options.
INSTEAD: dict[str, str] = _TABLE.pop("instead")


def _output(text: str) -> Path:
    if not text or Path(text).is_dir():
        raise typer.BadParameter(f"{text!r} is no file; - stands for standard output.")
    return Path(text)


_enumeration: Any = StrEnum  # whose names mypy wants to see
#: Types by their names in the table, each with what typer is told of it.
_TYPES: dict[str, tuple[Any, dict[str, Any]]] = {
    "text": (str, {}),
    "list": (list[str], {}),
    "number": (int, {}),
    "format": (Format, {}),
    "output": (Path, {"parser": _output}),
}


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that the table has for one of its name."""
    parameters = [
        _parameter(name, **option)
        for name, option in _TABLE.items()
        if command.__name__ in option.get("commands", ["compare"])
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def _parameter(
    name: str,
    *,
    names: str = "",
    type: str = "text",
    choices: list[str] | None = None,
    default: Any = None,
    panel: str | None = None,
    commands: object = None,
    **told: Any,
) -> inspect.Parameter:
    kind: Any = _TYPES[type][0] if default is None else default.__class__
    if choices is not None:
        kind = _enumeration(name, choices)
        default = default and kind(default)
    told |= _TYPES[type][1] | {"rich_help_panel": panel}
    info = typer.Option(*names.split(), **told) if names else typer.Argument(**told)
    annotation: Any = Annotated[kind if default is not None else kind | None, info]
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=annotation)
