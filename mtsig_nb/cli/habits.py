"""What users of sacreBLEU are used to typing, in the words of this command line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from .options import INSTEAD

_INPUTS = ("-i", "--input")
#: sacreBLEU's; with its one dash, it would be read as -n with the value "r".
_NUM_REFS = "-nr"
_METRICS = ("-m", "--metric", "--metrics")
#: With these, systems are given by their names, and not by files that stand alone.
_BY_NAME = ("-t", "--test-set", "--scores")


class Habits(TyperCommand):
    """A command that takes several values after ``-i``, ``-m`` and ``--scores``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(spelled_out(args)))


def spelled_out(args: Sequence[str]) -> Iterator[str]:
    """`args` with the option repeated before each of its values, as typer needs it.

    As in sacreBLEU, everything after ``-i`` is a system and everything after ``-m`` a metric; where
    systems are files and stand alone, a file that follows is one of them.

    >>> " ".join(spelled_out("ref.txt -i a b -m bleu chrf2 --confidence --paired-bs".split()))
    'ref.txt -i a -i b -m bleu -m chrf2 --paired-bs'
    >>> " ".join(spelled_out("-r ref.txt -m bleu ter a.txt --confidence 0.9".split()))
    '-r ref.txt -m bleu -m ter a.txt --confidence 0.9'
    """
    from ..texts.files import is_number  # `mtsig --help` does without it

    may_follow = _values_that_follow(args)
    args = ["--num-refs" if arg == _NUM_REFS else arg for arg in args]
    option = ""
    n_values = 0  # of this option so far
    for arg, next_arg in itertools.pairwise([*args, ""]):
        _refuse_other_options(arg)
        if arg == "--confidence" and not is_number(next_arg):
            continue  # sacreBLEU's switch; here intervals are always printed
        if arg.startswith("-") and arg != "-":
            option = arg
            n_values = 0
        elif option in may_follow:
            if n_values and not may_follow[option](arg):
                option = ""
            elif n_values:
                yield option
            n_values += 1
        yield arg


def _values_that_follow(args: Sequence[str]) -> dict[str, Callable[[str], bool]]:
    """For each option that takes several values, whether a text can be one beyond the first."""
    from ..texts.files import split_name  # `mtsig --help` does without it

    names_systems = any(arg in (*_INPUTS, *_BY_NAME) for arg in args)
    may_follow: dict[str, Callable[[str], bool]] = {}
    for option in _INPUTS:
        may_follow[option] = lambda _: True
    for option in _METRICS:
        may_follow[option] = lambda text: names_systems or _is_metric(text)
    may_follow["--scores"] = lambda text: split_name(text)[1].is_file()
    return may_follow


def _refuse_other_options(arg: str) -> None:
    """Raise `typer.BadParameter` for an option of sacreBLEU's with what there is instead."""
    is_setting_of_metric = arg.startswith(("--chrf-", "--ter-"))
    advice = INSTEAD.get("--METRIC-SETTING" if is_setting_of_metric else arg)
    if advice:
        raise typer.BadParameter(f"{arg} is not an option here. {advice}")


def _is_metric(text: str) -> bool:
    """Whether it may be the name of a metric, known or mistyped, with settings."""
    name, _, _ = text.partition(":")
    looks_like_name = re.fullmatch(r"[\w+]+", name) is not None
    return looks_like_name and not Path(text).exists()
