"""The registry of the embedded data: each file of each campaign, with its SHA-256.

What a campaign has is read through `content`, so that a file which was damaged, exchanged or
removed is named before anything is computed from it.  In a page of a browser the package has the
descriptions and this registry; an archive on the page's site has a campaign's other files.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ..browser import IN_BROWSER, site_file
from ..errors import MtsigError

#: Its name, in the folder of the data.
REGISTRY = "registry.tsv"
#: What the package itself has of each campaign.
DESCRIPTION = "campaign.json"
_HEADER = "name\tversion\tfile\tsha256"
_FIX = (
    "Load the page again, without what the browser has kept of it (Shift and reload)."
    if IN_BROWSER
    else "Install mtsig_nb again; in a copy of the repository, run git checkout -- datasets, or "
    "build the data with datasets/build.py."
)


@lru_cache
def registry(data: Path) -> tuple[str, Mapping[str, Mapping[str, str]]]:
    """Version and files of the folder `data`, read once in a process.

    The files are by campaign, each with its SHA-256 in hexadecimal digits.

    Raises
    ------
    MtsigError
        If it cannot be read.
    """
    files: dict[str, dict[str, str]] = {}
    version = ""
    try:
        header, *lines = (data / REGISTRY).read_text(encoding="utf-8").splitlines()
        if header != _HEADER:
            raise ValueError("its first line does not name its columns")
        for line in lines:
            name, version, file, digest = line.split("\t")
            files.setdefault(name, {})[file] = digest
    except (OSError, ValueError) as error:
        raise MtsigError(
            f"{str(data / REGISTRY)!r}, which has the checksums of the embedded data, cannot be "
            f"read ({error}). {_FIX}"
        ) from None
    return version, files


def content(data: Path, name: str, file: str) -> bytes:
    """What a campaign's file in the folder `data` holds, as the registry knows it.

    Raises
    ------
    MtsigError
        If the file is not there, cannot be read, or is another.

    Examples
    --------
    >>> from mtsig_nb.campaigns.embedded import data_folder
    >>> content(data_folder(), "wmt12/es-en", "campaign.json")[:1]
    b'{'
    """
    try:
        found = (data / name / file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _wrong(data, name, file, f"cannot be read: {reason}") from None
    check(data, name, file, found)
    return found


def check(data: Path, name: str, file: str, found: bytes) -> None:
    """Raise `MtsigError` unless the registry of `data` has `found` as what the file holds."""
    expected = registered(data, name).get(file)
    if expected is None:
        raise _wrong(data, name, file, "is not in the registry of the data")
    digest = hashlib.sha256(found).hexdigest()
    if digest != expected:
        what = f"its SHA-256 begins {digest[:12]}, and in the registry {expected[:12]}"
        what = f"is not the one that this version of mtsig_nb belongs to: {what}"
        raise _wrong(data, name, file, what)


def registered(data: Path, name: str) -> Mapping[str, str]:
    """The files of a campaign, with their checksums."""
    return registry(data)[1].get(name, {})


def _wrong(data: Path, name: str, file: str, what: str) -> MtsigError:
    return MtsigError(f"{name}, version {registry(data)[0]} of the data: {file} {what}. {_FIX}")


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
    with zipfile.ZipFile(io.BytesIO(site_file(archive_of(name)))) as archive:
        found = {file: archive.read(file) for file in archive.namelist() if file in wanted}
    for file in wanted:
        if file != DESCRIPTION:
            check(data, name, file, found.get(file, b""))
    for file, content in found.items():
        path = data / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
