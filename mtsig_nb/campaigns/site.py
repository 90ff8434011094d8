"""Campaigns on the site of a page in a browser: fetched one by one, checked, and unpacked.

The package has descriptions, and the registry of all files with their checksums; an archive has the
other files of one campaign.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from ..browser import site_file
from .registry import check, registry

#: What the package itself has of each campaign.
DESCRIPTION = "campaign.json"


def archive_of(name: str) -> str:
    """Where the site has the archive of a campaign.

    >>> archive_of("wmt12/es-en")
    'files/campaigns/wmt12-es-en.zip'
    """
    return f"files/campaigns/{name.replace('/', '-')}.zip"


def complete(name: str, data: Path) -> None:
    """Fetch what is missing of a campaign in the folder `data`.

    Raises
    ------
    MtsigError
        If it cannot be fetched, or is not what the registry says; nothing is kept then.
    """
    wanted = registry(data).files.get(name, {})
    if all((data / name / file).exists() for file in wanted):
        return
    with zipfile.ZipFile(io.BytesIO(site_file(archive_of(name)))) as archive:
        found = {file: archive.read(file) for file in archive.namelist() if file in wanted}
    for file in wanted:
        if file != DESCRIPTION:
            check(data, name, file, found.get(file, b""))
    for file, content in found.items():
        path = data / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


__all__ = ["DESCRIPTION", "archive_of", "complete"]
