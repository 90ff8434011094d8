"""METEOR 1.5 itself: segment statistics read from its jar over its ``-stdio`` protocol."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..browser import needs_computer
from ..errors import InputError, MtsigError, check_all_of
from .base import FloatArray, Lines
from .meteor import MODULES, MeteorScore, jar_for
from .references import check_aligned

#: Java's memory: the English paraphrase table takes about half of it.
HEAP = "-Xmx1g"
#: Java's first compiler alone: the second takes longer than it saves, even for 20,000 segments.
FIRST_COMPILER = "-XX:TieredStopAtLevel=1"
#: The numbers in an answer of the jar: counts of words, as in the first columns of `MeteorScore`;
#: matches of four modules, however many are chosen; chunks; and the sums of matches of both sides.
N_ANSWERS = 4 + 4 * len(MODULES) + 1 + 2


@dataclass(frozen=True)
class METEORJar(MeteorScore):
    """METEOR 1.5 through its own jar, from 0 to 1, with synonyms and paraphrases for English.

    Needs Java and the optional extra ``meteor``, which installs the package that ships the jar.
    Options are ``-l`` language and ``-norm``; statistics of each segment are read from the jar
    and the score of their sum equals the one that the jar prints for the whole test set.  With
    several references the jar picks the best one for each segment.

    Parameters
    ----------
    language : {"en", "cs", "de", "es", "fr", "ru"}
        The language of hypotheses and references.
    modules : tuple of str, optional
        Among ``"exact"``, ``"stem"``, ``"synonym"`` and ``"paraphrase"``, in this order.  By
        default all that the language has *and* for which the package ships data: paraphrase
        tables other than the English one are not in it.

    Notes
    -----
    Java is started for each system, which for English takes about ten seconds, since it reads the
    table of paraphrases.

    Examples
    --------
    >>> METEORJar(language="de").match_modules
    ('exact', 'stem')
    """

    name: ClassVar[str] = "METEORJar"
    modules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        available = tuple(self.parameters.weights)
        shipped = available
        if self.language != "en":
            shipped = tuple(module for module in available if module != "paraphrase")
        check_all_of("modules", self.modules, available)
        chosen = tuple(self.modules) or shipped
        in_order = tuple(module for module in MODULES if module in chosen)
        if chosen != in_order:
            raise InputError(f"modules={chosen!r} must be distinct and in the order {MODULES!r}.")
        object.__setattr__(self, "modules", chosen)

    def require(self) -> None:
        command(self)

    @property
    def match_modules(self) -> tuple[str, ...]:
        return self.modules

    @property
    def signature(self) -> str:
        return (
            f"METEOR|lang:{self.language}|norm:yes|modules:{'+'.join(self.modules)}"
            "|task:rank|version:1.5-jar"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        """Sufficient statistics of one system's output; see `Metric.statistics`.

        Raises
        ------
        InputError
            If Java or the jar is missing; the message says how to get it.
        MtsigError
            If Java fails; the message has its own words.
        """
        hypotheses, references = check_aligned(hypotheses, references)
        requests = []
        for hyp, *refs in zip(hypotheses, *references, strict=True):
            fields = ["SCORE", *map(_one_line, refs), _one_line(hyp)]
            requests.append(" ||| ".join(fields))
        answers = [answer.split() for answer in _answers(command(self), requests)]
        numbers = np.array(answers, dtype=np.float64).reshape(-1, N_ANSWERS)
        # The chosen modules come first.
        lengths_and_matches = numbers[:, : len(self.columns) - 1]
        chunks = numbers[:, [-3]]
        rows = np.hstack([lengths_and_matches, chunks])
        return self.forgive_whole_segments(rows)


def command(metric: METEORJar) -> tuple[str, ...]:
    """The command line that starts the jar with the metric's settings.

    Raises
    ------
    InputError
        If Java or the jar is missing; the message says how to get it.
    """
    needs_computer("metric='METEORJar'", "use metric='METEOR'")
    jar = jar_for("metric='METEORJar'", "metric='METEOR', which needs no Java")
    java = shutil.which("java")
    if java is None:
        raise InputError(
            "metric='METEORJar' needs Java, and there is no 'java' on the PATH: install a "
            "Java runtime (version 8 or newer), or use metric='METEOR', which needs none."
        )
    language = "cz" if metric.language == "cs" else metric.language
    weights = " ".join(str(metric.parameters.weights[module]) for module in metric.modules)
    return (
        # Lower-casing must not follow the rules of the user's own language.
        java, HEAP, "-XX:+UseSerialGC", FIRST_COMPILER,
        "-Duser.language=en", "-Duser.country=US",
        "-jar", str(jar), "-", "-", "-stdio", "-l", language, "-norm",
        "-m", " ".join(metric.modules), "-w", weights,
    )  # fmt: skip


def _one_line(text: str) -> str:
    """`text` without what the protocol would take for the end of a line or field.

    METEOR's tokeniser puts a space around every bar, so a space between bars changes nothing.
    """
    line = re.sub(r"[\r\n]+", " ", text)
    return re.sub(r"\|(?=\|)", "| ", line)


def _answers(jar_command: tuple[str, ...], requests: Sequence[str]) -> list[str]:
    """One line of answer to each request, from a jar that ends when its input does."""
    text = "".join(f"{request}\n" for request in requests)
    encoded = text.encode("utf-8", "replace")
    completed = subprocess.run(jar_command, input=encoded, capture_output=True, check=False)
    answers = completed.stdout.decode("ascii", "replace").splitlines()
    if len(answers) != len(requests):
        complaint = completed.stderr.decode("utf-8", "replace").strip()
        message = complaint[-500:] or "nothing"
        raise MtsigError(f"METEOR's jar failed: Java stopped. It said: {message}")
    return answers
