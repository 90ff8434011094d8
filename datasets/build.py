#!/usr/bin/env python3
"""Build the embedded campaigns from texts and judgements: ``python datasets/build.py``.

Writes ``datasets/<campaign>/<pair>/`` with figures only: statistics of metrics, document labels,
human judgements, published results, and a data sheet.  Statistics that are there and were counted
from the same inputs with the same settings are left alone, so an interrupted build goes on where it
stopped; the same inputs and versions give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from building import parsing
from building.describe import write_description, write_registry
from building.inputs import Pair, ScoredPair, pair_named, sources
from building.plan import Variant, variants
from building.references import TABLE, between_references
from building.storing import describe, write_statistics
from building.tables import write_tables

from mtsig_nb import metrics
from mtsig_nb.errors import MtsigError, unknown_name
from mtsig_nb.metrics import Metric
from mtsig_nb.statistics.sufficient import SufficientStatistics

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="campaign/pair; all by default")
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--metrics", nargs="*", help="count only these, or none; the rest stays")
    parser.add_argument("--force", action="store_true", help="count again what is there already")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()

    order = sources()["order"]
    for name in options.names:
        if name not in order:
            raise unknown_name("name", name, order)
    failures: list[tuple[str, str]] = []
    # A parser is for those who ask for it.
    optional = ["DependencyF"] if options.metrics is None and parsing.problem() else []
    with ProcessPoolExecutor(options.workers) as executor:
        for name in options.names or order:
            pair = pair_named(name, options.data)
            folder = options.out / name
            (folder / "statistics").mkdir(parents=True, exist_ok=True)
            write_tables(pair, folder)
            for variant in variants(pair):
                if options.metrics is None or variant.metric in options.metrics:
                    reason = build_statistics(pair, variant, folder, executor, options.force)
                    if reason:
                        failures.append((variant.metric, f"{name} {variant.file}: {reason}"))
                    # At once, so that an interrupted build leaves nothing undescribed.
                    write_description(pair, folder)
                    write_registry(options.out)
            write_description(pair, folder)
            write_registry(options.out)
    if not options.names:
        people = pd.concat(between_references(pair_named(name, options.data)) for name in order)
        people.to_csv(options.out / TABLE, index=False, lineterminator="\n")
    for _, failure in failures:
        print(f"not built: {failure}", file=sys.stderr)
    return 1 if any(metric not in optional for metric, _ in failures) else 0


def build_statistics(
    pair: Pair, variant: Variant, folder: Path, executor: Executor, force: bool
) -> str:
    """Count one metric for all systems, unless that is done; the reason if it cannot be."""
    path = folder / "statistics" / variant.file
    try:
        metric = metric_of(pair, variant)
        recipe = fingerprint(pair, variant, metric)
        if not force and path.exists() and describe(path)["notes"].get("recipe") == recipe:
            return ""
        if isinstance(pair, ScoredPair):
            values: Any = pair.values(variant.settings["source"])
        else:
            values = counted(pair, variant, metric, executor)
    except (MtsigError, OSError) as error:
        return str(error)
    statistics = SufficientStatistics(
        metric=metric,
        systems=pair.systems,
        values=values,
        test_set=pair.name,
        n_references=n_references(pair, variant),
    )
    write_statistics(
        path, statistics, notes={"recipe": recipe, "references": "+".join(variant.references)}
    )
    best = statistics.scores()
    built = f"{pair.name} {variant.file}: {path.stat().st_size:,} bytes"
    print(f"{built}, {best.index[0]} {best.iloc[0]:.4f}", flush=True)
    return ""


def metric_of(pair: Pair, variant: Variant) -> Metric:
    """The metric of a variant."""
    if not isinstance(pair, ScoredPair):
        return metrics.get(variant.metric, **variant.settings)
    source = variant.settings["source"]
    return metrics.get("SegmentMean", source=source, label=sources()["scores"][source]["label"])


def n_references(pair: Pair, variant: Variant) -> int | None:
    """How many references a metric saw; None where it saw none."""
    if not isinstance(pair, ScoredPair):
        return len(variant.references)
    needs_one = sources()["scores"][variant.settings["source"]]["by_reference"]
    return 1 if needs_one and pair.name in sources()["with_reference"] else None


def counted(pair: Pair, variant: Variant, metric: Metric, executor: Executor) -> list[np.ndarray]:
    """Each system's statistics, counted from the texts."""
    outputs, references = files(pair, variant)
    texts = {file: pair.lines(file) for file in [*outputs, *references]}
    if variant.metric == "DependencyF":
        texts = parsing.parsed(texts, variant.settings["parser"], executor)
    compared = [texts[file] for file in references]
    return list(executor.map(count, [(metric, texts[file], compared) for file in outputs]))


def files(pair: Pair, variant: Variant) -> tuple[list[str], list[str]]:
    """Outputs and references that are counted, or the scores that somebody made of them."""
    if isinstance(pair, ScoredPair):
        return ["scores.parquet"], []
    return (
        [f"hyp/{system}.txt.gz" for system in pair.systems],
        [pair.reference_file(label) for label in variant.references],
    )


def count(job: tuple[Metric, list[str], list[list[str]]]) -> np.ndarray:
    """One system's statistics, in a process of its own."""
    metric, hypotheses, references = job
    return metric.statistics(hypotheses, references)


def fingerprint(pair: Pair, variant: Variant, metric: Metric) -> str:
    """Changes whenever the statistics may: inputs, systems, settings or versions."""
    parts = [metric.signature, repr(sorted(metric.settings.items())), repr(metric.columns)]
    outputs, references = files(pair, variant)
    parts += [f"{file} {pair.sha256(file)}" for file in [*outputs, *references]]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
