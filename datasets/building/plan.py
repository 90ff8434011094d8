"""Which statistics each pair gets: metrics, settings and references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import parsing
from .inputs import Pair, ScoredPair, sources

#: sacreBLEU's tokenisers of languages that are written without spaces.
_WITHOUT_SPACES = {"ja": "char", "zh": "zh"}


@dataclass(frozen=True)
class Variant:
    """One metric with the settings that differ from its defaults, against some references."""

    metric: str
    references: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Metric, references and settings, such as ``BLEU.A+C+D.npz``."""
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        references = ["+".join(self.references)] if self.references else []
        return ".".join([self.metric, *references, *settings]) + ".npz"


def variants(pair: Pair) -> list[Variant]:
    """All variants of a pair, the most wanted first."""
    if isinstance(pair, ScoredPair):
        columns = [name for name in sources()["scores"] if name in pair.scores]
        return [Variant("SegmentMean", (), {"source": name}) for name in columns]
    first = pair.references[:1]
    bleu = settings("BLEU", pair)
    planned = [Variant("BLEU", first, bleu)]
    if pair.campaign == "wmt17":
        # The published p-values belong to BLEU of the texts as they are.
        planned.append(Variant("BLEU", first, {"tokenize": "none"}))
    if pair.campaign == "wmt24":
        return [*planned, Variant("chrF", first, settings("chrF", pair))]
    # Synonyms and paraphrases are to be had for English only, and only from METEOR's own jar.
    meteor = "METEORJar" if pair.target == "en" else "METEOR"
    others = ("chrF", "TER", "NIST", "GTM", meteor)
    planned += [Variant(name, first, settings(name, pair)) for name in others]
    for label in pair.references[1:]:
        planned += [Variant(name, (label,), settings(name, pair)) for name in ("BLEU", "chrF")]
    if len(pair.references) > 1:
        planned.append(Variant("BLEU", pair.references, bleu))
    if pair.target == "en":
        planned.append(Variant("DependencyF", first, settings("DependencyF", pair)))
    return planned


def settings(metric: str, pair: Pair) -> dict[str, Any]:
    """What a metric needs to be told about a pair's language or tokenisation."""
    if metric == "chrF":
        return {"word_order": 2}  # chrF++, whose counts contain those of chrF
    if metric.startswith("METEOR"):
        return {"language": pair.target}
    # MultEval's texts are lower-cased and tokenised already.
    tokenized = pair.campaign == "multeval"
    if metric == "DependencyF":
        return {"parser": parsing.parser_name(tokenized=tokenized)}
    if metric in ("BLEU", "GTM") and tokenized:
        return {"tokenize": "none"}
    if metric == "BLEU" and pair.target in _WITHOUT_SPACES:
        return {"tokenize": _WITHOUT_SPACES[pair.target]}
    return {}
