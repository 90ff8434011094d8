"""What long computations have found, as it is kept beside the pages that show it."""

from __future__ import annotations

import json
from typing import Any

from ..notebooks.files import ROOT

LEDGER = ROOT / "docs" / "replication.json"
TRUST = ROOT / "docs" / "trust.json"
JUDGED_AGAIN = ROOT / "docs" / "judged_again.json"


def ledger() -> dict[str, Any]:
    """The ledger of `tools.replication`."""
    kept: dict[str, Any] = json.loads(LEDGER.read_text(encoding="utf-8"))
    return kept


def trust() -> dict[str, Any]:
    """The counts of `tools.trust`."""
    kept: dict[str, Any] = json.loads(TRUST.read_text(encoding="utf-8"))
    return kept


def judged_again() -> dict[str, Any]:
    """The campaigns of `tools.judged_again`."""
    kept: dict[str, Any] = json.loads(JUDGED_AGAIN.read_text(encoding="utf-8"))
    return kept
