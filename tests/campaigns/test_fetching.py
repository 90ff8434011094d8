"""Fetching texts, against a server of our own: normalisation, checksums, resumption, trouble."""

import bz2
import contextlib
import errno
import gzip
import hashlib
import json
import os
import pickle
import random
import threading
import time
from collections import Counter
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest

import mtsig_nb as mt
from mtsig_nb.campaigns import data_files, fetching
from mtsig_nb.campaigns.data_files import registry
from mtsig_nb.campaigns.fetching import FetchError, clean, fetch_texts
from mtsig_nb.campaigns.plain_pickle import plain_data

from ..messages import naming

CLEAN = {
    "A": "Tea & milk are here.\nSit down.\nGood night.\n",
    "src": "Té y leche.\nSiéntate.\nBuenas noches.\n",
    "one": "Tea & milk are here.\n\nGood night…\n",
    "two": "Tea and milk is here.\nSit down, do.\nNight good.\n",
}
#: What lies at the public home, before cleaning.
RAW = {
    "A": b"\xef\xbb\xbfTea &amp; milk are here.\r\nSit down.\r\nGood night.\r\n",
    "src": CLEAN["src"].encode("utf-8"),
    "one": b"Tea &amp; milk are here.\n\nGood night\x85",
    "two": "Tea and milk is here.\nSit\u2028down, do.\nNight good.\n".encode(),
}
ROLES = {"A": "reference", "src": "source", "one": "system", "two": "system"}
COMMIT = "0" * 40
ABOUT = data_files.description("wmt17/en-de")


class Server(ThreadingHTTPServer):
    """Serves a folder, and remembers what it was asked for."""

    def __init__(self, folder):
        server = self

        class Handler(SimpleHTTPRequestHandler):
            def log_request(self, code="-", size="-"):
                server.asked.append((self.path, int(code)))

            def log_message(self, *args):
                pass

        self.asked = []
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=folder))
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A public home of the RAW texts and a campaign, toy/es-en, that comes from there."""
    monkeypatch.setattr(fetching, "RETRIES", 0)
    paths = {"A": "ref.A", "src": "src", "one": "sys:one.txt", "two": "two.txt"}
    folder = tmp_path / "home" / "owner" / "texts" / COMMIT
    folder.mkdir(parents=True)
    for label, path in paths.items():
        (folder / path).write_bytes(RAW[label])
    _make_campaign(tmp_path / "datasets", paths, monkeypatch)
    server = Server(tmp_path / "home")
    server.folder = folder
    yield server
    server.shutdown()
    server.server_close()


def _make_campaign(root, paths, monkeypatch):
    """A campaign whose texts are to be fetched from those paths of their public home."""
    about = ABOUT | {"n_segments": 3, "references": ["A"]}
    about["systems"] = [{"system": "one"}, {"system": "two"}]
    about["texts"] = [
        {
            "repository": "owner/texts",
            "commit": COMMIT,
            "role": ROLES[label],
            "label": label,
            "path": path,
            "source_name": label,
            "sha256": hashlib.sha256(CLEAN[label].encode()).hexdigest(),
        }
        for label, path in paths.items()
    ]
    (root / "toy" / "es-en" / "statistics").mkdir(parents=True)
    description = json.dumps(about).encode()
    (root / "toy" / "es-en" / "campaign.json").write_bytes(description)
    row = "toy/es-en", "0.1", "campaign.json", hashlib.sha256(description).hexdigest()
    (root / "registry.tsv").write_text("name\tversion\tfile\tsha256\n" + "\t".join(row))
    monkeypatch.setattr(data_files, "PLACES", (root,))
    data_files.description.cache_clear()
    registry.cache_clear()


@pytest.fixture(autouse=True)
def _forget_campaigns():
    yield
    data_files.description.cache_clear()


def _kept(cache):
    folder = cache / "texts" / "toy" / "es-en"
    return {path.name for path in folder.iterdir()}


ALL = {"reference.A.txt", "source.src.txt", "system.one.txt", "system.two.txt"}


def test_texts_arrive_clean_and_aligned(home, tmp_path):
    texts = fetch_texts("toy/es-en", cache=tmp_path / "cache", home=home.address)
    assert texts.systems == ("one", "two")
    assert texts.hypotheses["one"] == ("Tea & milk are here.", "", "Good night…")
    assert texts.hypotheses["two"][1] == "Sit down, do."
    assert texts.references == (("Tea & milk are here.", "Sit down.", "Good night."),)
    assert texts.source[0] == "Té y leche."
    assert _kept(tmp_path / "cache") == ALL
    assert (f"/owner/texts/{COMMIT}/{quote('sys:one.txt')}", 200) in home.asked
    again = fetch_texts("toy/es-en", cache=tmp_path / "cache", home="http://127.0.0.1:9")
    assert len(home.asked) == 4
    assert again.hypotheses == texts.hypotheses


def test_an_interrupted_download_goes_on_where_it_stopped(home, tmp_path):
    missing = home.folder / "two.txt"
    missing.rename(home.folder / "elsewhere")
    with pytest.raises(FetchError, match=r"404.*mtsig_nb\.load"):
        fetch_texts("toy/es-en", cache=tmp_path, home=home.address)
    assert _kept(tmp_path) == ALL - {"system.two.txt"}
    home.asked.clear()
    (home.folder / "elsewhere").rename(missing)
    fetch_texts("toy/es-en", cache=tmp_path, home=home.address)
    assert [path for path, _ in home.asked] == [f"/owner/texts/{COMMIT}/two.txt"]


def test_of_a_text_with_the_wrong_checksum_nothing_is_kept(home, tmp_path):
    (home.folder / "two.txt").write_text(CLEAN["two"].replace("Tea", "Tee"))
    with pytest.raises(FetchError, match=r"'two'.*[0-9a-f]{64}"):
        fetch_texts("toy/es-en", cache=tmp_path, home=home.address)
    assert _kept(tmp_path) == ALL - {"system.two.txt"}


def test_a_full_disk_is_said_in_plain_words(home, tmp_path, monkeypatch):
    def full(path, content, write=Path.write_bytes):
        if b"Tea and" in content:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FetchError, match=naming(os.strerror(errno.ENOSPC), "MTSIG_CACHE")):
        fetch_texts("toy/es-en", cache=tmp_path, home=home.address)
    assert _kept(tmp_path) == ALL - {"system.two.txt"}


def test_unknown_references_are_refused_before_anything_is_fetched(home, tmp_path):
    with pytest.raises(mt.InputError, match="references='B'"):
        fetch_texts("toy/es-en", references="B", cache=tmp_path, home=home.address)
    assert home.asked == []


@pytest.fixture
def collection(home, tmp_path, monkeypatch):
    """Several texts in one file, as those of WMT17 are published."""
    paths = dict.fromkeys(("A", "one", "two"), "all.pkl.bz2")
    _make_campaign(tmp_path / "collected", paths, monkeypatch)

    def publish(content):
        (home.folder / "all.pkl.bz2").write_bytes(bz2.compress(pickle.dumps(content)))

    return publish


def test_a_collection_is_downloaded_once_and_taken_apart(collection, home, tmp_path):
    lines = {label: CLEAN[label].removesuffix("\n").split("\n") for label in ("A", "one", "two")}
    collection([("one", lines["one"]), ("two", lines["two"]), ("_REF", [lines["A"]])])
    texts = fetch_texts("toy/es-en", cache=tmp_path / "cache", home=home.address)
    assert len(home.asked) == 1
    assert texts.hypotheses["two"] == tuple(lines["two"])
    assert texts.references[0] == tuple(lines["A"])
    assert texts.source is None


def test_a_pickle_that_runs_programs_is_refused(collection, home, tmp_path):
    class Evil:
        def __reduce__(self):
            return Path.touch, (tmp_path / "was-run",)

    collection([Evil()])
    with pytest.raises(FetchError, match="plain data"):
        fetch_texts("toy/es-en", cache=tmp_path / "cache", home=home.address)
    assert not (tmp_path / "was-run").exists()
    assert _kept(tmp_path / "cache") == set()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_are_those_that_unpickling_gives(protocol):
    shared = ["a", "b"]
    data = [
        ("one", shared),
        ("two", shared),
        ("", [["é" * 300, "\u2028"]]),
        ((), (1,), (1, 2, 3, 4)),
    ]
    data += [None, True, False, 1, 300, 70_000, -5, 2**40, 2.5]
    assert plain_data(pickle.dumps(data, protocol)) == data


@pytest.mark.parametrize("asks", [print, {1: 2}, {1}, b"bytes", Path("."), Counter("a"), 2**3000])
def test_a_pickle_of_anything_else_is_refused(asks):
    with pytest.raises(ValueError, match="plain data"):
        plain_data(pickle.dumps([asks]))


def test_a_damaged_pickle_is_a_value_error_wherever_it_is_damaged():
    whole = pickle.dumps([("one", ["a", "b"]), ("two", ["c", "d"])])
    rng = random.Random(1)
    for _ in range(3000):
        damaged = bytearray(whole[: rng.randrange(1, len(whole) + 1)])
        for _ in range(rng.randrange(3)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        with contextlib.suppress(ValueError):
            plain_data(bytes(damaged))


REF = ("_REF", [CLEAN["A"].removesuffix("\n").split("\n")])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([1, 2], "not a list of names"),
        (5, "not a list of names"),
        ([], "has no text called 'A'"),
        ([("one", ["a"]), ("two", 3), REF], "not a list of names"),
        ([("one", [1, 2, 3]), ("two", ["a"]), REF], "segments of 'one' are not texts"),
        ([("two", ["a"]), REF], "has no text called 'one'"),
        ([("one", ["a" * 1000] * 300), ("two", ["a"]), REF], "more than 0.1 MB"),
        ([("one", [["a"], ["b"]]), ("two", ["a"]), REF], "segments of 'one' are not texts"),
    ],
)
def test_a_collection_of_another_form_is_refused_in_one_sentence(
    collection, home, tmp_path, monkeypatch, content, reason
):
    monkeypatch.setattr(fetching, "MOST_UNPACKED", 100_000)
    collection(content)
    with pytest.raises(FetchError, match=reason):
        fetch_texts("toy/es-en", cache=tmp_path / "cache", home=home.address)


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (bz2.compress(bytes(1_000_000)), "unpacks to more than 0.1 MB"),
        (bz2.compress(pickle.dumps([("one", ["a"])]))[:-8], "it is cut off"),
        (b"BZh9 not packed", "cannot be read"),
    ],
)
def test_what_unpacks_to_too_much_or_not_at_all_is_refused(
    collection, home, tmp_path, monkeypatch, packed, reason
):
    monkeypatch.setattr(fetching, "MOST_UNPACKED", 100_000)
    (home.folder / "all.pkl.bz2").write_bytes(packed)
    with pytest.raises(FetchError, match=reason):
        fetch_texts("toy/es-en", cache=tmp_path / "cache", home=home.address)
    assert _kept(tmp_path / "cache") == set()


# Servers that do not do what they should.


def answering(answer):
    """A server on which every request is answered so; its address comes with it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            with contextlib.suppress(OSError):
                answer(self)

        def log_message(self, *args):
            pass

    asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.asked = asked
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"more and more\n" * 1000)


def packed_bomb(handler):
    body = gzip.compress(bytes(20_000_000))
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def dripping(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"a")
        time.sleep(0.05)


def silent(handler):
    time.sleep(5)


def dripping_headers(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"X-More: 1\r\n")
        time.sleep(0.05)


def truncated(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(CLEAN["A"].encode())


def sent_on(handler, address):
    handler.send_response(302)
    handler.send_header("Location", address)
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def going_round(handler):
    sent_on(handler, handler.path)


def to_a_file(handler):
    sent_on(handler, "file:///etc/hostname")


def answered(handler, body):
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def page(handler):
    answered(handler, b"\n<!DOCTYPE html>\n<html><body>Log in</body></html>")


def another_text(handler):
    answered(handler, b"Another text.\n")


def broken(handler):
    handler.send_error(503)


def no_http(handler):
    handler.wfile.write(b"220 ready\r\n")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (endless, "more than 1 MB"),
        (packed_bomb, "more than 1 MB"),
        (dripping, "takes more than 1 seconds"),
        (dripping_headers, "takes more than 1 seconds|more than 100 headers"),
        (silent, "takes more than 1 seconds"),
        (truncated, "cannot be fetched|its checksum is"),
        (going_round, "redirects"),
        (to_a_file, "cannot be fetched"),
        (page, "it is a web page"),
        (another_text, "its checksum is"),
        (broken, "503"),
        (no_http, "cannot be fetched"),
    ],
)
def test_bad_servers_are_refused_in_one_sentence_and_soon(
    home, tmp_path, monkeypatch, answer, reason
):
    monkeypatch.setattr(fetching, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr(fetching, "MOST_SECONDS", 1)
    server = answering(answer)
    began = time.monotonic()
    try:
        with pytest.raises(FetchError, match=reason) as refused:
            fetch_texts(
                "toy/es-en",
                cache=tmp_path / "cache",
                home=f"http://127.0.0.1:{server.server_address[1]}",
            )
    finally:
        server.shutdown()
        server.server_close()
    assert time.monotonic() - began < 30
    assert "\n" not in str(refused.value)
    assert _kept(tmp_path / "cache") == set()


def test_what_may_pass_is_tried_again_and_what_will_not_is_not(home, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "RETRIES", 1)
    monkeypatch.setattr(fetching, "MOST_BYTES", 1_000_000)
    for answer, asked in ((broken, 2), (endless, 1)):
        server = answering(answer)
        address = f"http://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(FetchError):
            fetch_texts("toy/es-en", cache=tmp_path / "cache", home=address)
        server.shutdown()
        server.server_close()
        assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"one &amp;lt; two\n", "one &lt; two\n"),  # once only
        (b"&quot;a&apos;s&#39; &gt; &nbsp;\n", "\"a's' > &nbsp;\n"),
        (b"\xef\xbb\xbfa\r\nb\r\n", "a\nb\n"),
        ("a\x0bb\x0cc\x1cd\x85e\u2029f\rg\n".encode(), "a b c d e f g\n"),
        (b"caf\xc3\xa9 caf\xe9 \x85\n", "café café …\n"),
        (b"a\n\nb", "a\n\nb\n"),
    ],
)
def test_clean(raw, expected):
    assert clean(raw) == expected


def test_clean_leaves_out_a_canary_and_nothing_else():
    released = b"\xef\xbb\xbfCANARY GUID 1\r\na &amp; b\r\n\xe2\x80\xa8c\n"
    assert clean(released, first_line="canary", entities="kept") == "a &amp; b\n c\n"
    assert clean(released, first_line="canary") == "a & b\n c\n"
    with pytest.raises(ValueError, match="not a canary"):
        clean(b"a\nb\n", first_line="canary")


def test_every_text_of_every_campaign_has_an_address_and_the_inputs_checksum():
    for name in data_files.campaign_names():
        campaign = mt.load(name)
        if name.startswith("wmt25/"):
            assert not campaign.texts  # scores by models
            continue
        roles = Counter(text["role"] for text in campaign.texts)
        assert roles["system"] == len(campaign.systems)
        assert roles["reference"] == len(campaign.references)
        inputs = set(campaign.provenance["inputs"].values())
        for text in campaign.texts:
            assert text["path"]
            assert len(text["commit"]) == 40
            assert text["role"] == "source" or text["sha256"] in inputs
