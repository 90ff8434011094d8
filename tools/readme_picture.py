"""Draws the README's picture, docs/pitfall.png: one pair under both bootstraps."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import mtsig_nb as mt
from mtsig_nb import plots

from .notebook_files import ROOT

PAIR = ("DCU-Prompsit.2880", "online-A")


def main() -> None:
    """Draw and save."""
    bleu = mt.load("wmt13/es-en").statistics("BLEU")
    printed = mt.riezler_maxwell_bootstrap(bleu, *PAIR, warn=False, rng=2005)
    corrected = mt.bootstrap_test(bleu, *PAIR, rng=2005)
    figure = plots.compare_null_distributions([printed, corrected])
    figure.savefig(ROOT / "docs" / "pitfall.png", dpi=110)


if __name__ == "__main__":
    main()
