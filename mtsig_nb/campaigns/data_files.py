"""The files of the embedded campaigns: where they are, and whether they are the right ones.

The registry of the data has each file of each campaign, with its SHA-256.  A campaign's files are
read through `content`, so that a file which was damaged, exchanged or removed is named before
anything is computed from it.

The package always has the registry and the descriptions of all campaigns.  Where a campaign's
other files are depends on where the package runs.  On a computer it has those of a few campaigns,
and another package, ``mtsig_nb_data``, has those of all others.  In a browser they come in an
archive from the page's site (`from_site`).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..browser import IN_BROWSER
from ..errors import InputError, MtsigError

# Inside an installed wheel data are part of the package; an editable install reads the
# repository's own folder, where all campaigns are.
PLACES = (Path(__file__).parents[1] / "_datasets", Path(__file__).parents[2] / "datasets")

#: The name of the registry, in the folder of the data.
REGISTRY = "registry.tsv"
#: What the package itself has of each campaign.
DESCRIPTION = "campaign.json"
#: The folder of sufficient statistics, which every campaign has.
STATISTICS = "statistics"
#: What `datasets/pyproject.toml` builds: the campaigns that are not in the package's own wheel.
OTHERS = "mtsig_nb_data"
_FIX = (
    "Reload the page without the browser's cache (Shift and reload)."
    if IN_BROWSER
    else f"Install mtsig_nb again, and {OTHERS} if you have it; in a copy of the repository, run "
    "git checkout -- datasets, or build the data with datasets/build.py."
)


def data_folder() -> Path:
    """Where the embedded data are: in the package, or in the repository."""
    for place in PLACES:
        if (place / REGISTRY).exists():
            return place
    raise InputError(
        f"The embedded campaigns are not where they should be, in {' or '.join(map(str, PLACES))}."
        " Install mtsig_nb again, or build them with datasets/build.py."
    )


def campaign_folder(name: str) -> Path:
    """Where a campaign's files are: beside its description, or in the package `OTHERS`."""
    data = data_folder()
    # `OTHERS` is a folder of data without code, so that it is looked for and not imported.
    packages = [Path(entry, OTHERS) for entry in sys.path]
    for place in (data, *packages):
        folder = place / name
        # Where the description alone is installed, its folder is there but has no statistics.
        if (folder / STATISTICS).is_dir():
            return folder
    version, _ = registry(data)
    raise InputError(
        f"{name} is not installed: mtsig_nb comes with few campaigns, and {OTHERS} has the others. "
        f'python -m pip install "{OTHERS}=={version}.*" installs them; in a copy of the '
        "repository, python -m pip install ./datasets does."
    )


def campaign_names() -> tuple[str, ...]:
    """The names that `load` takes, in alphabetical order."""
    data = data_folder()
    _, campaigns = registry(data)
    listed = {name for name, files in campaigns.items() if DESCRIPTION in files}
    # Also what a damaged registry has lost, so that `load` refuses it by its name.
    folders = [path.parent for path in data.glob(f"*/*/{DESCRIPTION}")]
    present = {folder.relative_to(data).as_posix() for folder in folders}
    return tuple(sorted(listed | present))


@lru_cache
def description(name: str) -> dict[str, Any]:
    """A campaign's description: its systems, texts, metrics, judgements and sources."""
    return json.loads(content(data_folder(), name, DESCRIPTION))


@lru_cache
def registry(data: Path) -> tuple[str, Mapping[str, Mapping[str, str]]]:
    """Version and files of the folder `data`, read once in a process.

    Returns
    -------
    version : str
    campaigns : mapping of str to mapping of str to str
        By the name of a campaign, the SHA-256 of each file in hexadecimal digits, by the file's
        path in the campaign's folder.

    Raises
    ------
    MtsigError
        If it cannot be read.
    """
    files: dict[str, dict[str, str]] = {}
    version = ""
    try:
        for line in (data / REGISTRY).read_text(encoding="utf-8").splitlines()[1:]:
            # Every line has the same version, that of the data as a whole.
            name, version, file, digest = line.split("\t")
            files.setdefault(name, {})[file] = digest
    except (OSError, ValueError) as error:
        raise MtsigError(
            f"{str(data / REGISTRY)!r}, which has the checksums of the embedded data, cannot be "
            f"read ({error}). {_FIX}"
        ) from None
    return version, files


def registered(data: Path, name: str) -> Mapping[str, str]:
    """The files of a campaign, with their checksums."""
    _, campaigns = registry(data)
    return campaigns.get(name, {})


def content(data: Path, name: str, file: str, folder: Path | None = None) -> bytes:
    """What a campaign's file holds, as the registry in the folder `data` knows it.

    The campaign's `folder` is in `data` unless it is given.

    Raises
    ------
    MtsigError
        If the file is not there, cannot be read, or is another.

    Examples
    --------
    >>> content(data_folder(), "wmt12/es-en", "campaign.json")[:1]
    b'{'
    """
    try:
        folder = folder or data / name
        read = (folder / file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _wrong(data, name, file, f"cannot be read: {reason}") from None
    check(data, name, file, read)
    return read


def check(data: Path, name: str, file: str, read: bytes) -> None:
    """Raise `MtsigError` unless what was read is what the registry of `data` has for the file."""
    expected = registered(data, name).get(file)
    if expected is None:
        raise _wrong(data, name, file, "is not in the registry of the data")
    digest = hashlib.sha256(read).hexdigest()
    if digest != expected:
        reason = (
            "is not the file that belongs to this version of mtsig_nb: its SHA-256 begins with "
            f"{digest[:12]}, and that in the registry with {expected[:12]}"
        )
        raise _wrong(data, name, file, reason)


def _wrong(data: Path, name: str, file: str, reason: str) -> MtsigError:
    """The error for a file that is not as it should be, with the fix."""
    version, _ = registry(data)
    return MtsigError(f"{name}, version {version} of the data: {file} {reason}. {_FIX}")
