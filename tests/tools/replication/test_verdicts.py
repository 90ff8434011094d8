"""Which verdicts change: a campaign of the ledger's rows computed again, and by hand."""

from __future__ import annotations

import pytest

import mtsig_nb as mt
from tools.replication.computed import verdicts
from tools.repository import results

ROWS = {row["key"]: row for row in results.ledger()["rows"]}


@pytest.mark.takes_time
def test_a_campaign_computed_again_is_as_kept_and_one_change_is_as_by_hand():
    found = verdicts.verdicts("wmt22/en-de", "BLEU").drop(columns=["campaign", "neighbours"])
    kept = next(line for line in ROWS["verdicts-BLEU"]["table"]["rows"] if line[0] == "wmt22/en-de")
    changed = [int((found[a] != found[b]).sum()) for a, b in verdicts.CHANGES.values()]
    assert kept == ["wmt22/en-de", len(found), *changed]
    bleu = mt.load("wmt22/en-de").statistics("BLEU")
    p = {
        pair: mt.sign_flip_test(bleu, *pair, units="documents", n_resamples=2000, rng=1).pvalue
        for pair in found.index
    }
    far = [pair for pair in p if not 0.03 < p[pair] < 0.08]
    assert len(far) > 0.8 * len(p)
    assert all(found.loc[pair, "documents"] == (p[pair] <= 0.05) for pair in far)


def test_another_seed_changes_fewer_verdicts_than_any_change_that_is_reported():
    for metric in ("BLEU", "chrF", "MetricX"):
        values = {value["name"]: value for value in ROWS[f"verdicts-{metric}"]["values"]}
        noise = values["another seed"]["value"]
        for change in (
            "released bootstrap corrected",
            "documents for segments",
            "Holm's correction",
        ):
            assert values[change]["value"] > 10 * noise
        lines = ROWS[f"verdicts-{metric}"]["table"]["rows"]
        assert sum(line[1] for line in lines) == values["another seed"]["of"]
        assert sum(line[5] or 0 for line in lines) == values["Holm's correction"]["value"]
