"""Numbers as the page writes them: so many decimals, without the zero before the point."""

from __future__ import annotations

from collections.abc import Sequence


def number(value: float, decimals: int = 3) -> str:
    """One number, such as .050 or −1.25."""
    shown = f"{abs(value):.{decimals}f}".removeprefix("0")
    return f"−{shown}" if value < 0 else shown


def span(values: Sequence[float], decimals: int = 3) -> str:
    """The least and the most of some numbers; a single one where they are shown alike."""
    least = number(min(values), decimals)
    most = number(max(values), decimals)
    return least if least == most else f"{least} to {most}"
