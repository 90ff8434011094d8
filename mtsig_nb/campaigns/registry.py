"""The registry of the embedded data: each file of each campaign, with its SHA-256.

What a campaign has is read through `content`, so that a file which was damaged, exchanged or
removed is named before anything is computed from it.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ..browser import IN_BROWSER
from ..errors import MtsigError

#: Its name, in the folder of the data.
REGISTRY = "registry.tsv"
_HEADER = "name\tversion\tfile\tsha256"
_FIX = (
    "Load the page again, without what the browser has kept of it (Shift and reload)."
    if IN_BROWSER
    else "Install mtsig_nb again; in a copy of the repository, run git checkout -- datasets, or "
    "build the data with datasets/build.py."
)


@dataclasses.dataclass(frozen=True)
class Registry:
    """What there is.

    Attributes
    ----------
    version : str
        Of the data.
    files : mapping
        By campaign, the files it has, each with its SHA-256 in hexadecimal digits.
    """

    version: str
    files: Mapping[str, Mapping[str, str]]


@lru_cache
def registry(data: Path) -> Registry:
    """The registry of the folder `data`, read once in a process.

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
    return Registry(version, files)


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
    expected = registry(data).files.get(name, {}).get(file)
    if expected is None:
        raise _wrong(data, name, file, "is not in the registry of the data")
    digest = hashlib.sha256(found).hexdigest()
    if digest != expected:
        raise _wrong(
            data,
            name,
            file,
            "is not the one that this version of mtsig_nb belongs to: its SHA-256 begins "
            f"{digest[:12]}, and in the registry {expected[:12]}",
        )


def _wrong(data: Path, name: str, file: str, what: str) -> MtsigError:
    version = registry(data).version
    return MtsigError(f"{name}, version {version} of the data: {file} {what}. {_FIX}")


__all__ = ["REGISTRY", "Registry", "check", "content", "registry"]
