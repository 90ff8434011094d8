"""What hands that know sacreBLEU type, in the words of this command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from ..texts.files import is_number, split_name
from .options import INSTEAD

_INPUTS = ("-i", "--input")
#: Written with one dash, it would be read as -n with a value.
_NUM_REFS = "-nr"
_METRICS = ("-m", "--metric", "--metrics")
#: With these, systems are named and no files.
_BY_NAME = ("-t", "--test-set", "--scores")


class Habits(TyperCommand):
    """A command that takes several values after ``-i``, ``-m`` and ``--scores``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(spelled_out(args)))


def spelled_out(args: Sequence[str]) -> Iterator[str]:
    """`args` with the option before each of several values.

    As in sacreBLEU, everything after ``-i`` is a system and everything after ``-m`` a metric; where
    systems are files and stand alone, a file that follows is one of them.

    >>> " ".join(spelled_out("ref.txt -i a b -m bleu chrf2 --confidence --paired-bs".split()))
    'ref.txt -i a -i b -m bleu -m chrf2 --paired-bs'
    >>> " ".join(spelled_out("-r ref.txt -m bleu ter a.txt --confidence 0.9".split()))
    '-r ref.txt -m bleu -m ter a.txt --confidence 0.9'
    """
    all_follow = any(arg in (*_INPUTS, *_BY_NAME) for arg in args)
    several: dict[str, Callable[[str], bool]] = {
        **dict.fromkeys(_INPUTS, lambda _: True),
        **dict.fromkeys(_METRICS, lambda text: all_follow or _is_metric(text)),
        "--scores": lambda text: split_name(text)[1].is_file(),
    }
    args = ["--num-refs" if arg == _NUM_REFS else arg for arg in args]
    option, taken = "", 0
    for place, arg in enumerate(args):
        following = args[place + 1] if place + 1 < len(args) else ""
        of_metric = arg.startswith(("--chrf-", "--ter-"))
        if instead := INSTEAD.get("--METRIC-SETTING" if of_metric else arg):
            raise typer.BadParameter(f"{arg} is no option here. {instead}")
        if arg == "--confidence" and not is_number(following):
            continue  # sacreBLEU's switch; here intervals are always printed
        if arg.startswith("-") and arg != "-":
            option, taken = arg, 0
        elif option in several:
            if taken and not several[option](arg):
                option = ""
            elif taken:
                yield option
            taken += 1
        yield arg


def _is_metric(text: str) -> bool:
    """Whether it may be the name of a metric, known or mistyped, with settings."""
    return bool(re.fullmatch(r"[\w+]+", text.partition(":")[0])) and not Path(text).exists()
