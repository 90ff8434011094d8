"""*Referee the paper*: cards with claims about real systems, computed when they are made.

``notebooks/labs/referee.toml`` has the cards.  A card names a campaign, a metric, systems and a
test; what a paper might say about them; and the lines that recompute it.  Its sentences are
templates, whose fields are what those lines found, so no number stands in a card that was not
computed: ``{claimed.pvalue:p}`` is a p-value as papers print them.

``python -m tools.course.referee`` prints the claims for a class, ``--answers`` the answers as well,
and ``--lab`` writes the claims into the lab, with what its tests say to a wrong verdict.  In every
mode, cards that the data contradict are listed, nothing else is done, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import re
import string
import sys
import textwrap
import tomllib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import mtsig_nb as mt

from ..notebooks import files
from ..repository.templating import templates
from . import TEMPLATES, reading

CARDS = files.LABS / "referee.toml"
LAB = files.LABS / "source" / "lab_13_referee_the_paper.py"
VERDICTS = ("stands", "says too much", "does not follow")
#: The texts of a card; only `family`, `claim` and `discussion` have fields.
TEXTS = ("title", "family", "claim", "fault", "hint", "discussion")
#: What may be written in digits: campaigns, years of papers, the level and its complement.
ALLOWED_DIGITS = re.compile(r"WMT\d\d|\b(?:19|20)\d\d\b|(?<!\d)\.05\b|\b95 %")
INTRODUCTION = """\
# Referee the paper

Claims about real systems. Does each stand, does it say too much, or does it not follow?"""
#: What the lab has from the cards: claims from one number to another, and hints.
IN_LAB = re.compile(r"^# <!-- cards (\d+) to (\d+) -->\n.*?(?=^# %%)", re.MULTILINE | re.DOTALL)
HINTS_IN_LAB = re.compile(r"^HINTS = \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"\{[^{}]*\}")


class PaperStyle(string.Formatter):
    """Templates whose format ``p`` gives p-values as papers print them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """`value` in words or figures."""
        if format_spec != "p":
            return str(super().format_field(value, format_spec))
        if value < 0.001:
            return "p < .001"
        decimals = 3 if value < 0.1 else 2
        return "p = " + f"{value:.{decimals}f}".removeprefix("0")


@dataclasses.dataclass(frozen=True)
class Card:
    """A claim and what to say about it.

    Attributes
    ----------
    name, title : str
        An identifier, and what the kind of claim is called.
    unit : int
        The unit that a student needs.
    campaign, metric, test, options : str
        What was compared and how; `options` are the arguments of `test` as they are written.
    systems : sequence of str
        Called ``a``, ``b``, ``c`` in code and templates.  Empty for all systems.
    comparisons : sequence of str
        Systems of each call of `test` by letter, such as ``"ab"``.  A single result is called
        ``claimed``, several are ``first``, ``second`` and so on.
    family : str
        Template: what was tested in all.
    claim : str
        Template: the sentence to be judged.
    verdict : str
        One of `VERDICTS`.
    recompute : str
        Lines of Python that follow `setup` and find what `holds` and the templates need.
    holds : sequence of str
        Expressions that are true if the card is.
    fault : str
        One sentence: what is wrong with the claim, or why it stands.
    hint : str
        What to look at again, for a student whose verdict was wrong.
    discussion : str
        Template: the numbers, and what to make of them.
    """

    name: str
    title: str
    unit: int
    campaign: str
    metric: str
    test: str
    options: str
    family: str
    claim: str
    verdict: str
    fault: str
    hint: str
    recompute: str
    holds: Sequence[str]
    discussion: str
    systems: Sequence[str] = ()
    comparisons: Sequence[str] = ("ab",)

    @cached_property
    def setup(self) -> str:
        """The claimed tests as a student would run them."""
        lines = [f'counts = mt.load("{self.campaign}").statistics("{self.metric}")']
        for letter, system in zip("abc", self.systems, strict=False):
            lines.append(f'{letter} = "{system}"')
        calls = self.comparisons if self.systems else ("",)  # one call, on all systems
        names = ("first", "second", "third") if len(calls) > 1 else ("claimed",)
        for name, letters in zip(names, calls, strict=False):
            arguments = ", ".join(["counts", *letters, self.options])
            lines.append(f"{name} = mt.{self.test}({arguments})")
        return "\n".join(lines)

    @cached_property
    def code(self) -> str:
        """All that is to be run."""
        return f"import mtsig_nb as mt\n\n{self.setup}\n\n{self.recompute.strip()}"

    @cached_property
    def found(self) -> dict[str, Any]:
        """What the code finds, by the names it gives; computed once."""
        names: dict[str, Any] = {"mt": mt}
        exec(self.code, names)
        return names

    def text(self, part: str) -> str:
        """One of `TEXTS` with its fields filled in."""
        template = getattr(self, part).strip()
        return PaperStyle().vformat(template, (), self.found)

    def facts(self) -> dict[str, str]:
        """What stands above the claim: test set, scores, test and family."""
        counts = self.found["counts"]
        scores = counts.scores()
        if self.systems:
            scores = scores[list(self.systems)]
        listed = ", ".join(f"{system} {score:#.4g}" for system, score in scores.items())
        return {
            "test set": mt.load(self.campaign).facts()["test set"],
            "segments": f"{counts.n_segments:,}",
            "scores": f"{counts.label}: {listed}",
            "test": self._described_test(),
            "family": self.text("family"),
        }

    def _described_test(self) -> str:
        """The test of the first claim, its sides and its resamples."""
        result = self.found["claimed"] if "claimed" in self.found else self.found["first"]
        sides = {"two-sided": "two-sided", "greater": "one-sided"}
        facts = [self.test.replace("_", " ")]
        alternative = getattr(result, "alternative", None)
        if alternative in sides:
            facts.append(sides[alternative])
        facts.append(f"{result.n_resamples:,} resamples of {result.n_units:,} {result.unit}")
        return ", ".join(facts)

    def problems(self) -> list[str]:
        """What is wrong with the card itself, and what the data do not bear out."""
        problems = []
        if self.verdict not in VERDICTS:
            problems.append(f"verdict {self.verdict!r} is none of {', '.join(VERDICTS)}")
        for part in TEXTS:
            without_fields = FIELD.sub("", getattr(self, part))
            typed = re.findall(r"\d+", ALLOWED_DIGITS.sub("", without_fields))
            if typed:
                problems.append(f"{part} has {', '.join(typed)}, which nothing computes")
        if len(self.systems) > 3 or len(self.comparisons) > 3:
            problems.append("there are letters for three systems, and names for three calls")
        names = dict(self.found)  # a copy, because eval may add names
        problems += [f"{fact} does not hold" for fact in self.holds if not eval(fact, names)]
        for part in TEXTS:
            try:
                self.text(part)
            except (KeyError, AttributeError, IndexError, ValueError, TypeError) as error:
                problems.append(f"{part} asks for what the code does not find: {error}")
        return [f"{self.name}: {problem}" for problem in problems]


def cards() -> list[Card]:
    """All cards, in the order in which they are handed out."""
    listed = tomllib.loads(CARDS.read_text(encoding="utf-8"))["card"]
    return [Card(**card) for card in listed]


def page(number: int, card: Card, *, answers: bool) -> str:
    """A card as Markdown."""
    unit = reading.units()[card.unit]
    _, _, name = unit.stem.partition("_")
    template = templates(TEMPLATES).get_template("card.md.j2")
    text = template.render(number=number, card=card, answers=answers, unit=name.replace("_", " "))
    return text.rstrip("\n")


def pack(cards: Sequence[Card], *, answers: bool) -> str:
    """The cards for a class, or for whoever leads it, as Markdown."""
    pages = [page(k, card, answers=answers) for k, card in enumerate(cards, start=1)]
    return "\n\n".join([INTRODUCTION, *pages])


def seal(number: int, stands: bool) -> str:
    """A hash of an answer to a card: the tests recognize it, and the source does not show it."""
    verdict = f"card {number} stands: {stands}"
    return hashlib.sha256(verdict.encode()).hexdigest()[:8]


def in_lab(source: str, every: list[Card]) -> str:
    """The lab's source with the cards as they are."""

    def claims(match: re.Match[str]) -> str:
        heading, _, _ = match[0].partition("\n")
        lines = [heading]
        for number in range(int(match[1]), int(match[2]) + 1):
            lines += _claim_in_lab(number, every[number - 1])
        return "\n".join(lines) + "\n\n"

    hints = []
    for number, card in enumerate(every, start=1):
        stands = card.verdict == VERDICTS[0]
        wrong_answer = seal(number, not stands)  # the hint is shown for the wrong answer
        hint = json.dumps(card.text("hint"), ensure_ascii=False)
        hints.append(f'    "{wrong_answer}": {hint},\n')
    hints.sort()  # by their seals, in no order that says anything
    source = IN_LAB.sub(claims, source)
    return HINTS_IN_LAB.sub(lambda _: "HINTS = {\n" + "".join(hints) + "}\n", source)


def _claim_in_lab(number: int, card: Card) -> list[str]:
    """The lines of a claim, and of what was tested, as a source has them."""
    facts = card.facts()
    tested = f"*{card.campaign}, {card.metric}; {facts['test']}; {facts['family']}.*"
    lines = []
    for paragraph in (f"**{number}.** {card.text('claim')}", tested):
        lines.append("#")
        lines += [f"# {line}" for line in textwrap.wrap(paragraph, 118)]
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Print the cards; 1 if one is not true."""
    parser = argparse.ArgumentParser(prog="python -m tools.course.referee", description=__doc__)
    parser.add_argument("--answers", action="store_true", help="with verdicts and discussions")
    parser.add_argument("--lab", action="store_true", help=f"into {LAB.name}; prints nothing")
    wanted = parser.parse_args(arguments)
    every = cards()
    problems = [problem for card in every for problem in card.problems()]
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 1
    if wanted.lab:
        LAB.write_text(in_lab(LAB.read_text(encoding="utf-8"), every), encoding="utf-8")
        return 0
    print(pack(every, answers=wanted.answers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
