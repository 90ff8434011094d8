"""Draws the README's picture, docs/pitfall.png: one pair under both bootstraps."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import mtsig_nb as mt
from mtsig_nb import plots

from .notebook_files import ROOT

PAIR = ("DCU-Prompsit.2880", "online-A")


def main() -> None:
    """Draw and save."""
    bleu = mt.load("wmt13/es-en").statistics("BLEU")
    printed = mt.riezler_maxwell_bootstrap(bleu, *PAIR, warn=False, rng=2005)
    corrected = mt.bootstrap_test(bleu, *PAIR, rng=2005)
    figure, axes = plt.subplots(
        1, 2, figsize=(10.4, 3.9), sharex=True, sharey=True, layout="constrained"
    )
    for ax, result in zip(axes, (printed, corrected), strict=True):
        plots.null_distribution(result, ax=ax)
    axes[1].set_ylabel("")
    figure.suptitle(
        f"{printed.system_a} against {printed.system_b}: {printed.statistic:+.2f} "
        f"{printed.metric} (dashed: the observed difference)"
    )
    figure.savefig(ROOT / "docs" / "pitfall.png", dpi=110)


if __name__ == "__main__":
    main()
