"""Texts of the embedded campaigns, downloaded from their public homes and checked."""

from __future__ import annotations

import bz2
import codecs
import hashlib
import io
import re
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..browser import needs_computer
from ..errors import InputError, MtsigError, check_all_of, require_extra
from ..progress import ProgressBar
from ..statistics.measuring import cache_folder
from ..texts.reading import Texts
from ..writing import whole_file
from .campaign import Campaign
from .embedded import load
from .plain_pickle import plain_data

HOME = "https://raw.githubusercontent.com"
RETRIES = 2
#: Seconds without an answer, and for one file in all.
_TIMEOUT = 30
MOST_SECONDS = 300
#: Bytes of one file, as it comes and unpacked; the largest has less than 2 MB, and unpacks to 7.
MOST_BYTES = 50_000_000
MOST_UNPACKED = 200_000_000

_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'"}
_ENTITY = re.compile("|".join(_ENTITIES))
_OTHER_BREAKS = re.compile("[\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_AS_CP1252 = "mtsig_nb.cp1252"
_PAGE = "it is a web page, such as a network shows before one logs in"


class FetchError(MtsigError):
    """Texts that could not be downloaded, checked or kept; the message says why and what to do."""


def fetch_texts(
    name: str, *, references: str | None = None, cache: str | Path | None = None, home: str = HOME
) -> Texts:
    """The texts of an embedded campaign, from its public home.

    Each text is downloaded, cleaned as described in the campaign's data sheet, compared with the
    checksum of the text that the embedded statistics were counted from, and only then kept.
    Texts kept earlier are not downloaded again, so an interrupted download resumes where it
    stopped.  If all texts are there, nothing is downloaded.

    Parameters
    ----------
    name : str
        Campaign and language pair, such as ``"wmt12/es-en"``.
    references : str, optional
        Labels of the references wanted, such as ``"B"`` or ``"A+C+D"``, or ``"all"``;
        the campaign's first by default, as for `Campaign.statistics`.
    cache : path, optional
        Folder to keep texts in; by default that of the environment variable ``MTSIG_CACHE``, or
        else the user's cache folder.
    home : str
        Address of GitHub's raw files, or of a mirror with the same paths
        (``<owner>/<repository>/<commit>/<path>``).

    Returns
    -------
    Texts
        References, outputs, source where there is one, and documents.

    Raises
    ------
    InputError
        If there is no such campaign, it has no such reference, or no texts at all.
    FetchError
        If a text cannot be downloaded, is larger or takes longer than any of these texts does, is
        not the expected text (nothing of it is kept), or cannot be written.

    Notes
    -----
    The texts belong to others; ``load(name).provenance`` quotes their sources on licences.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> try:
    ...     fetch_texts("wmt21/en-de", references="Z")
    ... except mt.InputError as error:
    ...     print(error)
    references='Z' is not known. Known: 'A', 'C', 'D'.
    """
    instead = "mtsig_nb.load(name).statistics(metric) has what was counted in the texts"
    needs_computer("fetch_texts", instead)
    campaign = load(name)
    if not campaign.texts:
        raise InputError(
            f"name={name!r}: this campaign has scores, but no texts. "
            f"mtsig_nb.load({name!r}).statistics(...) has the scores."
        )
    if references == "all":
        labels = campaign.references
    else:
        labels = tuple((references or campaign.references[0]).split("+"))
    check_all_of("references", labels, campaign.references)
    cache_of_texts = Path(cache, "texts") if cache else cache_folder("texts")
    folder = cache_of_texts / name
    try:
        _complete(folder, campaign, home)
    except OSError as error:
        raise FetchError(
            f"cache={str(folder)!r} cannot be written ({error}). Free some space or check its "
            "permissions, or name another folder with cache= or the environment variable "
            "MTSIG_CACHE. Texts already complete are kept."
        ) from error
    return _test_set(campaign, folder, labels)


def _complete(folder: Path, campaign: Campaign, home: str) -> None:
    """Download the texts of a campaign that its folder does not have."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [text for text in campaign.texts if not _is_kept(folder, text)]
    if missing:
        require_extra("pooch", extra="data", purpose="fetch_texts")
    by_address: dict[str, list[Mapping[str, Any]]] = {}
    for text in missing:
        address = f"{home}/{text['repository']}/{text['commit']}/{quote(text['path'])}"
        by_address.setdefault(address, []).append(text)
    task = f"fetching {campaign.name}"
    for address, texts in ProgressBar(by_address.items(), description=task, unit="files"):
        _fetch(address, texts, folder)


def clean(raw: bytes, *, first_line: str = "", entities: str = "", lines: str = "") -> str:
    """A text as the statistics were counted from: one segment a line, each ended by LF.

    Bytes that are not UTF-8 are read as Windows' code page 1252; a leading byte-order mark is
    removed; CRLF becomes LF; XML's entities are unescaped, once; and every other character at
    which Python's ``str.splitlines`` would break a segment in two becomes a space.

    Where `first_line` says ``"canary"`` it is no segment, and left out; where `entities` says
    ``"kept"`` they stay as they are.  Of `lines`, counted from 1, as in ``"488-497,502-511"``, the
    others are left out.
    """
    text = raw.decode("utf-8", errors=_AS_CP1252).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    text = text.replace("\r\n", "\n")
    if first_line == "canary":
        canary, _, text = text.partition("\n")
        if not canary.startswith("CANARY"):
            raise ValueError("its first line is not a canary string")
    if entities != "kept":
        text = _ENTITY.sub(lambda match: _ENTITIES[match.group()], text)
    text = _OTHER_BREAKS.sub(" ", text)
    if not text.endswith("\n"):
        text += "\n"
    if lines:
        return _only_lines(text, lines)
    return text


def _only_lines(text: str, ranges: str) -> str:
    """The lines of a text in these ranges, which are counted from 1 and include their ends."""
    all_lines = text.splitlines(keepends=True)
    kept: list[str] = []
    for line_range in ranges.split(","):
        first, last = map(int, line_range.split("-"))
        kept += all_lines[first - 1 : last]
    return "".join(kept)


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """What a decoder puts in the place of bytes that are not UTF-8, and where it goes on."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    undecoded = error.object[error.start : error.end]
    return undecoded.decode("cp1252", errors="replace"), error.end


codecs.register_error(_AS_CP1252, _as_cp1252)


def _fetch(address: str, texts: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """Download one file and keep the texts in it that are as they should be."""
    raw = _download(address, RETRIES)
    for text in texts:
        try:
            content = _content(raw, text)
        except (OSError, ValueError) as error:
            reason = _PAGE if _is_page(raw) else f"it cannot be read ({error})"
            raise _wrong(address, text, reason) from error
        digest = hashlib.sha256(content).hexdigest()
        if digest != text["sha256"]:
            reason = _PAGE if _is_page(raw) else f"its checksum is {digest}, not {text['sha256']}"
            raise _wrong(address, text, reason)
        with whole_file(folder / _file(text)) as part:
            part.write_bytes(content)


def _content(raw: bytes, text: Mapping[str, Any]) -> bytes:
    """A text as it is kept, from the file that was downloaded for it."""
    cleaned = clean(
        _extract(raw, text),
        first_line=text.get("first_line", ""),
        entities=text.get("entities", ""),
        lines=text.get("lines", ""),
    )
    return cleaned.encode("utf-8")


def _is_page(raw: bytes) -> bool:
    """Whether what came is a web page."""
    beginning = raw.lstrip()[:15].lower()
    return beginning.startswith((b"<!doctype html", b"<html"))


class _TooMuch(Exception):
    """More than any text has, in bytes or seconds."""


class _Received(io.BytesIO):
    """What has come of a file; an error if it is too much, or nobody waits for it any more."""

    given_up = False

    def write(self, data: Any) -> int:
        if self.given_up:
            raise _TooMuch
        if self.tell() + len(data) > MOST_BYTES:
            raise _TooMuch(f"it has more than {MOST_BYTES / 1e6:,g} MB, which no text has")
        return super().write(data)


def _download(address: str, retries: int) -> bytes:
    """The content of a file at an address, tried again where that may help."""
    import requests

    error: Exception | None = None
    for attempt in range(retries + 1):
        if attempt:
            time.sleep(1)
        try:
            return _received(address)
        except (_TooMuch, requests.TooManyRedirects) as final:
            error = final
            break
        except requests.RequestException as passing:
            error = passing
    raise FetchError(
        f"{address} cannot be fetched ({error}). Check the connection and call again: texts "
        "already here are kept. If the public copy has moved, give home= the address of a mirror. "
        "Embedded statistics, mtsig_nb.load(...), need no connection."
    ) from error


def _received(address: str) -> bytes:
    """The content of a file at an address, asked for once.

    A server may send a byte now and then for ever, which no limit on its silence notices.  So the
    download has a thread of its own, which is waited for as long as a file may take.
    """
    import pooch

    content = _Received()
    errors: list[BaseException] = []
    responses: list[Any] = []

    def keep(response: Any, **_: Any) -> None:
        responses.append(response)

    def download() -> None:
        try:
            get = pooch.HTTPDownloader(timeout=_TIMEOUT, hooks={"response": keep})
            get(address, content, None)
        except BaseException as error:
            errors.append(error)
        finally:
            for response in responses:
                response.close()

    thread = threading.Thread(target=download, name="mtsig-download", daemon=True)
    thread.start()
    try:
        thread.join(MOST_SECONDS)
    finally:
        content.given_up = True
    if thread.is_alive():
        raise _TooMuch(f"it takes more than {MOST_SECONDS:g} seconds")
    if errors:
        raise errors[0]
    return content.getvalue()


def _wrong(address: str, text: Mapping[str, Any], reason: str) -> FetchError:
    """The error for a text that is not as it should be."""
    return FetchError(
        f"{text['role']} {text['label']!r} from {address} is not the text that the embedded "
        f"statistics were counted from: {reason}. Nothing of it was kept. The connection may have "
        "changed it, or the public copy has changed: try again later or from elsewhere."
    )


def _extract(raw: bytes, text: Mapping[str, Any]) -> bytes:
    """The bytes of one text, out of a collection of texts if need be."""
    if not text["path"].endswith(".pkl.bz2"):
        return raw
    collection = plain_data(_unpacked(raw))
    segments = _segments_in(collection, text)
    # One string may stand there many times.
    if sum(map(len, segments)) > MOST_UNPACKED:
        raise ValueError(f"its segments have more than {MOST_UNPACKED / 1e6:,g} MB")
    return "".join(f"{segment}\n" for segment in segments).encode("utf-8")


def _segments_in(collection: Any, text: Mapping[str, Any]) -> list[str]:
    """One text's segments in sacreBLEU's test data.

    They are a list of pairs: a name and a list of segments, in which the reference, the last of the
    pairs, stands within another list.
    """
    if not isinstance(collection, list) or not all(map(_is_named, collection)):
        raise ValueError("it is not a list of names with their segments")
    named = dict(collection)
    name = text["source_name"]
    if text["role"] == "reference" and collection:
        name, _ = collection[-1]
    if name not in named:
        raise ValueError(f"it has no text called {name!r}")
    segments = named[name]
    if len(segments) == 1 and isinstance(segments[0], list):
        (segments,) = segments
    if not all(isinstance(segment, str) for segment in segments):
        raise ValueError(f"segments of {name!r} are not texts")
    return list(segments)


def _is_named(entry: Any) -> bool:
    """Whether an entry of a collection is a name with a list of segments."""
    is_pair = isinstance(entry, tuple) and len(entry) == 2
    return is_pair and isinstance(entry[0], str) and isinstance(entry[1], list)


def _unpacked(raw: bytes) -> bytes:
    """What bzip2 has packed, of which no more is unpacked than any collection has."""
    unpacker = bz2.BZ2Decompressor()
    unpacked = unpacker.decompress(raw, max_length=MOST_UNPACKED)
    if not unpacker.eof:
        if len(unpacked) < MOST_UNPACKED:
            raise ValueError("it is cut off")
        raise ValueError(f"it unpacks to more than {MOST_UNPACKED / 1e6:,g} MB")
    return unpacked


def _file(text: Mapping[str, Any]) -> str:
    """The name of the file that keeps a text."""
    return f"{text['role']}.{text['label']}.txt"


def _is_kept(folder: Path, text: Mapping[str, Any]) -> bool:
    """Whether the cache has the text, and as it should be."""
    path = folder / _file(text)
    if not path.exists():
        return False
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return bool(digest == text["sha256"])


def _test_set(campaign: Campaign, folder: Path, references: Sequence[str]) -> Texts:
    """The texts of a campaign, from the folder that keeps them."""
    lines: dict[tuple[str, str], tuple[str, ...]] = {}
    for text in campaign.texts:
        content = (folder / _file(text)).read_bytes().decode("utf-8")
        # At LF only: `str.splitlines` would break some segments.
        segments = content.removesuffix("\n").split("\n")
        lines[text["role"], text["label"]] = tuple(segments)
    return Texts(
        hypotheses={system: lines["system", system] for system in campaign.systems},
        references=tuple(lines["reference", label] for label in references),
        documents=None if campaign.documents is None else tuple(campaign.documents),
        source=lines.get(("source", "src")),
        name=campaign.name,
    )
