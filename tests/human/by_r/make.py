"""Makes the ratings of this folder, and what R makes of them.

    python -m tests.human.by_r.make

needs Rscript with lme4, lmerTest and pbkrtest.  The ratings are invented; they are kept in files
since random numbers may differ between versions of NumPy.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pandas as pd

from tools.trust.campaigns_of_ratings import Campaign, Deviations

HERE = Path(__file__).parent
FIVE = ["rater", "system:rater", "document", "segment", "system:document"]


def crossed(rng: np.random.Generator) -> pd.DataFrame:
    """Each document by two raters of four; a fifth of the outputs were skipped."""
    rows = []
    of_rater = rng.normal(0, 6, 4)
    of_both = rng.normal(0, 6, (4, 15))
    of_output = rng.normal(0, 4, (15, 3, 5))
    for document in range(15):
        of_document = rng.normal(0, 5)
        for rater in rng.choice(4, 2, replace=False):
            for segment in range(3):
                for system in range(5):
                    if rng.random() < 0.2:
                        continue
                    score = (
                        70
                        + 3 * system
                        + of_document
                        + of_rater[rater]
                        + of_both[rater, document]
                        + of_output[document, segment, system]
                        + rng.normal(0, 8)
                    )
                    rows.append((f"r{rater}", f"s{system}", f"d{document:02}", segment, score))
    return pd.DataFrame(rows, columns=["rater", "system", "document", "segment", "raw"])


def nested(rng: np.random.Generator) -> pd.DataFrame:
    """Two systems, no documents, and raters who each saw one of the two."""
    rows = []
    for system in range(2):
        for rater in range(4):
            of_rater = rng.normal(0, 5)
            for segment in rng.choice(30, 12, replace=False):
                score = 70 + 2 * system + of_rater + np.sin(9.0 * segment) * 6 + rng.normal(0, 8)
                rows.append((f"r{system}{rater}", f"s{system}", segment, score))
    return pd.DataFrame(rows, columns=["rater", "system", "segment", "raw"])


#: Ratings, and the terms of the model that is fitted to them.
SETS = {
    "dynamic": (Campaign(systems=6, documents=30, screens=60), FIVE),
    "even": (Campaign(systems=6, raters=3, documents=20, screens=60, assignment="even"), FIVE),
    "alike": (
        Campaign(
            systems=4, raters=5, documents=20, screens=50, deviations=Deviations(0, 0, 4, 0, 0)
        ),
        FIVE,
    ),
    "crossed": (
        crossed,
        [*FIVE, "system:segment", "rater:document", "rater:segment", "system:rater:document"],
    ),
    "nested": (nested, ["rater", "segment"]),
}


def main() -> None:
    """Write the ratings and the models, and run R."""
    models = []
    for number, (name, (source, terms)) in enumerate(SETS.items()):
        rng = np.random.default_rng([49, number])
        frame = source.simulate(rng) if isinstance(source, Campaign) else source(rng)
        frame.round(2).to_csv(HERE / f"{name}.csv", index=False)
        models.append({"set": name, "terms": " ".join(terms)})
    pd.DataFrame(models).to_csv(HERE / "models.csv", index=False)
    subprocess.run(["Rscript", "mixed_models.R"], cwd=HERE, check=True)


if __name__ == "__main__":
    main()
