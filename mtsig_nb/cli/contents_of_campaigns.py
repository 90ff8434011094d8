"""What ``mtsig datasets`` shows: the list of embedded campaigns, and the facts about one."""

from __future__ import annotations

import pandas as pd

from ..campaigns.embedded import list_campaigns, load
from .printing import Answer, for_paper


def of_all_campaigns() -> Answer:
    """The list of embedded campaigns."""
    table = list_campaigns()
    shown = table[["name", "systems", "segments", "documents", "metrics", "human"]]
    advice = "mtsig datasets NAME says more of one. Most need mtsig_nb_data."
    return Answer(
        page=lambda _: [shown, advice],
        table=lambda: table,
        content=lambda: {"campaigns": table},
        paper=for_paper(shown),
    )


def of_campaign(name: str) -> Answer:
    """The facts about one campaign."""
    facts = load(name).facts()
    table = pd.DataFrame({"fact": facts.keys(), "value": facts.values()})
    shown = table.set_axis([name, ""], axis=1)
    return Answer(
        page=lambda _: [shown],
        table=lambda: table,
        content=lambda: {"name": name, **facts},
        paper=for_paper(table),
    )
