"""Headline numbers: a notebook publishes them, and ``make run`` and the tests read them back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

#: The output type that carries a headline number in an executed notebook.
MIME_TYPE = "application/x-mtsig-headline+json"


@dataclasses.dataclass(frozen=True)
class Headline:
    """One number that a notebook publishes, as it is printed.

    Attributes
    ----------
    name : str
        What the number is, in a few words.
    value : str
        The number, rounded as it is shown, so that the last bits of a float cannot matter.
    """

    name: str
    value: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {MIME_TYPE: dataclasses.asdict(self)}

    def __repr__(self) -> str:
        return f"{self.name}: {self.value}"


def headline(name: str, value: object, *, spec: str = "") -> None:
    """Show a number and publish it: ``make run`` lists it, and tests can check it.

    Parameters
    ----------
    name : str
        What the number is, in a few words.
    value : number or str
    spec : str
        How `value` is rounded for print, as in `format`.

    See Also
    --------
    headlines : reads them back from an executed notebook.

    Examples
    --------
    >>> headline("heads in 1,000 tosses, share", 0.51249, spec=".3f")
    heads in 1,000 tosses, share: 0.512
    """
    from IPython.display import display

    display(Headline(name, format(value, spec)))


def headlines(notebook: Mapping[str, Any]) -> list[Headline]:
    """The numbers that an executed notebook publishes, in order.

    Parameters
    ----------
    notebook : mapping
        A notebook as `nbformat` or `json` reads it.

    Returns
    -------
    list of Headline

    Examples
    --------
    >>> output = {"data": {MIME_TYPE: {"name": "pairs", "value": "66"}}}
    >>> headlines({"cells": [{"cell_type": "code", "outputs": [output]}]})
    [pairs: 66]
    """
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if MIME_TYPE in data:
                found.append(Headline(**data[MIME_TYPE]))
    return found
