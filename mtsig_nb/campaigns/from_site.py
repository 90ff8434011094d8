"""A campaign's files in a page of a browser: an archive on the site that the page came from."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from ..browser import site_file
from .data_files import DESCRIPTION, check, registered


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
    wanted = registered(data, name)
    if all((data / name / file).exists() for file in wanted):
        return
    packed = io.BytesIO(site_file(archive_of(name)))
    with zipfile.ZipFile(packed) as archive:
        fetched = {file: archive.read(file) for file in archive.namelist() if file in wanted}
    for file in wanted:
        if file != DESCRIPTION:
            check(data, name, file, fetched.get(file, b""))
    for file, content in fetched.items():
        path = data / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
