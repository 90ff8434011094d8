"""The embedded campaigns: which there are, and one of them by its name."""

from __future__ import annotations

from ..browser import IN_BROWSER
from ..errors import InputError, check_one_of
from ..frames import pd
from .campaign import Campaign, metric_names
from .data_files import (
    DESCRIPTION,
    campaign_folder,
    campaign_names,
    content,
    data_folder,
    description,
    registered,
    registry,
)
from .from_site import archive_of, complete

__all__ = [
    "DESCRIPTION",
    "Campaign",
    "archive_of",
    "campaign_names",
    "content",
    "data_folder",
    "description",
    "list_campaigns",
    "load",
    "registered",
    "registry",
]


def list_campaigns() -> pd.DataFrame:
    """The embedded data: one row per campaign and language pair.

    Returns
    -------
    DataFrame
        ``campaign``, ``pair``, ``name`` (what `load` takes), ``systems``, ``segments``,
        ``documents`` (missing where unknown), ``metrics``, ``human`` judgements and ``source``.

    Examples
    --------
    >>> campaigns = list_campaigns().set_index("name")
    >>> campaigns.loc["wmt12/es-en", ["systems", "segments", "documents"]].tolist()
    [12, 3003, 99]
    """
    rows = []
    for name in campaign_names():
        about = description(name)
        campaign, pair = about["name"].split("/")
        rows.append(
            {
                "campaign": campaign,
                "pair": pair,
                "name": about["name"],
                "systems": len(about["systems"]),
                "segments": about["n_segments"],
                "documents": about["n_documents"],
                "metrics": ", ".join(metric_names(about)),
                "human": "; ".join(about["human"].values()) or "none",
                "source": about["provenance"]["source"],
            }
        )
    return pd.DataFrame(rows).astype({"documents": "Int64"})


def load(name: str, *, version: str | None = None) -> Campaign:
    """An embedded campaign: a test set's systems with their statistics and human judgements.

    Only a small description is read at first; everything else is read when it is needed.  In a page
    of a browser, the campaign's files are first fetched from the page's site, once.

    Parameters
    ----------
    name : str
        Campaign and language pair, such as ``"wmt12/es-en"``; `list_campaigns` has them all.
    version : str, optional
        The version of the data that the caller's numbers belong to.  If another version is
        embedded, nothing is loaded.  By default, the embedded version is loaded; see
        `Campaign.version`.

    Raises
    ------
    InputError
        If there is no such campaign (the message has the closest name), it is not installed (the
        message has the command that installs it), or not in that version.
    MtsigError
        If its description is not the one in the registry of the data; files that are read later are
        checked in the same way.

    Examples
    --------
    >>> campaign = load("wmt12/es-en")
    >>> campaign.statistics("BLEU").scores().round(2)["onlineF"].item()
    21.71
    """
    check_one_of("name", name, campaign_names())
    if IN_BROWSER:
        complete(name, data_folder())
    campaign = Campaign(name=name, folder=campaign_folder(name))
    if version is not None and version != campaign.version:
        raise InputError(
            f"version={version!r}: the embedded {name} has version {campaign.version!r}, and its "
            "figures may differ. Install the release of mtsig_nb whose CHANGELOG names data "
            f"version {version}, or leave version out."
        )
    return campaign
