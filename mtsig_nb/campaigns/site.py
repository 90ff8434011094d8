"""Campaigns on the site of a page in a browser: fetched one by one, checked, and unpacked.

The package has descriptions, and the registry of all files with their checksums; an archive has the
other files of one campaign.
"""

from __future__ import annotations

import csv
import hashlib
import io
import zipfile
from pathlib import Path

from ..browser import site_file
from ..errors import MtsigError

#: What the package itself has of each campaign.
DESCRIPTION = "campaign.json"


def archive_of(name: str) -> str:
    """Where the site has the archive of a campaign.

    >>> archive_of("wmt12/es-en")
    'files/campaigns/wmt12-es-en.zip'
    """
    return f"files/campaigns/{name.replace('/', '-')}.zip"


def registered(data: Path) -> dict[str, dict[str, str]]:
    """The files of each campaign in the folder `data`, with their SHA-256."""
    files: dict[str, dict[str, str]] = {}
    with (data / "registry.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            files.setdefault(row["name"], {})[row["file"]] = row["sha256"]
    return files


def complete(name: str, data: Path) -> None:
    """Fetch what is missing of a campaign in the folder `data`.

    Raises
    ------
    MtsigError
        If it cannot be fetched, or is not what the registry says; nothing is kept then.
    """
    wanted = registered(data)[name]
    if all((data / name / file).exists() for file in wanted):
        return
    with zipfile.ZipFile(io.BytesIO(site_file(archive_of(name)))) as archive:
        found = {file: archive.read(file) for file in archive.namelist() if file in wanted}
    for file, digest in wanted.items():
        if file != DESCRIPTION and hashlib.sha256(found.get(file, b"")).hexdigest() != digest:
            raise MtsigError(
                f"{name}: the site's {file} is not the one that this version of mtsig_nb belongs "
                "to. Load the page again, without what the browser has kept of it (Shift and "
                "reload)."
            )
    for file, content in found.items():
        path = data / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


__all__ = ["DESCRIPTION", "archive_of", "complete", "registered"]
