"""Uploaded files are not to be trusted: too large, too many, badly named, or up to something."""

from __future__ import annotations

import base64
import gzip
import io
import json
import pickle
import re
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.texts.formats.markup import read_sgml
from mtsig_nb.widgets import transfers, uploads
from mtsig_nb.widgets.downloads import links, report
from mtsig_nb.widgets.dropzone import DropZone
from mtsig_nb.widgets.inputs import Inputs
from mtsig_nb.widgets.model import Model, State
from mtsig_nb.widgets.sources import ScoreSource, TextSource
from mtsig_nb.widgets.transfers import MOST_AT_ONCE, Transfer
from mtsig_nb.widgets.uploads import Upload

HOSTILE = "<script>alert(1)</script>&_#$%"
REFERENCE = [f"The cat number {i} sleeps." for i in range(60)]
GOOD = [line if i % 5 else line.replace("cat", "dog") for i, line in enumerate(REFERENCE)]
POOR = [line.replace("sleeps", "sleep") for line in REFERENCE]


@pytest.fixture(autouse=True)
def private_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))


def text(name: str, lines: list[str]) -> Upload:
    return Upload(name, "".join(f"{line}\n" for line in lines).encode())


REF = text("ref.txt", REFERENCE)


def state_of(source, **choices) -> State:
    analysis = source.describe(source.systems, source.metrics[:1])
    return State(analysis=analysis, metric=source.metrics[0], pair=source.systems[:2], **choices)


def test_three_files_and_documents_make_a_test_set():
    documents = text("docs.txt", [f"d{i // 6}" for i in range(60)])
    source = TextSource([REF], [text("a.txt", GOOD), text("b.txt", POOR)], [documents])
    assert source.systems == ("a", "b")
    assert source.has_documents
    code = Model(source).code(state_of(source))
    assert "reference=['ref.txt'], systems=['a.txt', 'b.txt'], documents='docs.txt'" in code
    assert str(source.folder) not in code


def test_files_go_with_the_source():
    source = TextSource([REF], [text("a.txt", GOOD), text("b.txt", POOR)])
    folder = source.folder
    assert folder.stat().st_mode & 0o077 == 0
    source.close()
    assert not folder.exists()


def sgml(kind: str, lines: list[str]) -> bytes:
    segments = "".join(f"<seg id={i}>{line}</seg>\n" for i, line in enumerate(lines, start=1))
    return f'<{kind} setid="t"><doc docid="d">{segments}</doc></{kind}>'.encode()


def test_gzip_and_sgml_are_read():
    packed = Upload("a.txt.gz", gzip.compress(text("", GOOD).content))
    odd = Upload("b (copy).sgm", sgml("tstset", POOR))
    reference = sgml("refset", REFERENCE)
    source = TextSource([Upload("ref.sgm", reference)], [packed, odd])
    assert source.systems == ("a", "b (copy)")


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..\\..\\evil.txt",
        "a/../../b.txt",
        "~root",
        ".bashrc",
        "",
        "\0",
        "con\nnew.txt",
        "é.txt",
        "x" * 300 + ".txt",
        f"{HOSTILE}.txt",
        "name=with=equals.txt",
        "$HOME.txt",
        "; rm -rf *",
    ],
)
def test_no_name_reaches_the_file_system(name):
    source = TextSource([REF], [text(name, GOOD), text("other.txt", POOR)])
    inside = sorted(source.folder.rglob("*"))
    assert len(inside) == 3
    assert {path.parent for path in inside} == {source.folder}
    for path in inside:
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}", path.name)
    assert len(Model(source).comparisons(state_of(source)).table) == 1


def test_two_files_of_one_name_are_both_kept_or_refused():
    with pytest.raises(mt.InputError, match="'a'"):
        TextSource([REF], [text("a.txt", GOOD), text("a.txt", POOR)])


def test_a_hostile_name_is_the_systems_name():
    source = TextSource([REF], [text(f"{HOSTILE}.txt", GOOD), text("b.txt", POOR)])
    assert source.systems == (HOSTILE, "b")
    assert f"{HOSTILE!r}: {f'{HOSTILE}.txt'!r}" in Model(source).code(state_of(source))


@pytest.fixture
def small_limits(monkeypatch):
    monkeypatch.setattr(uploads, "MOST_OF_ONE_FILE", 20_000)
    monkeypatch.setattr(uploads, "MOST_UNPACKED", 50_000)
    monkeypatch.setattr(uploads, "MOST_TOGETHER", 60_000)


@pytest.mark.usefixtures("small_limits")
def test_sizes_are_limited_one_by_one_and_together():
    big = Upload("big.txt", b"x" * 20_001)
    with pytest.raises(mt.InputError, match=r"'big.txt' has 0.0 MB; a file may have"):
        uploads.check_sizes([big])
    with pytest.raises(mt.InputError, match="together, which is the limit"):
        uploads.check_sizes([Upload(f"{i}.txt", b"x" * 20_000) for i in range(4)])
    uploads.check_sizes([Upload(f"{i}.txt", b"x" * 20_000) for i in range(3)])
    with pytest.raises(mt.InputError, match="61 files are too many"):
        uploads.check_sizes([Upload("a", b"x")] * 61)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("members", [1, 3])
def test_a_gzip_bomb_is_not_unpacked(members):
    bomb = Upload("bomb.gz", gzip.compress(bytes(10_000_000 // members)) * members)
    assert len(bomb.content) < 20_000
    with pytest.raises(mt.InputError, match=r"'bomb.gz' unpacks to more than"):
        uploads.check_sizes([bomb])


def test_lines_and_fields_of_uploads_are_counted_before_they_are_read():
    lines = Upload("a.txt.gz", gzip.compress(b"0\n1\n" * 500_000, mtime=0))
    uploads.check_sizes([lines])
    more = Upload("b.txt.gz", gzip.compress(b"0\n1\n" * 500_001, mtime=0))
    with pytest.raises(mt.InputError, match=r"'b.txt.gz' unpacks to more than 1,000,000 lines"):
        ScoreSource([more])
    with pytest.raises(mt.InputError, match=r"more than 1,000,000 lines together, which is the"):
        ScoreSource([lines, Upload("c.txt", b"1\n0\n")])
    with pytest.raises(mt.InputError, match=r"'x.csv' has more than 4,000,000 fields"):
        ScoreSource([Upload("x.csv", b"," * 4_000_001)])


def test_unpacked_sizes_are_counted_exactly(monkeypatch):
    content = gzip.compress(b"a" * 1_234_567) + gzip.compress(b"b" * 1_000)
    for limit in ("MOST_UNPACKED", "MOST_TOGETHER"):
        with monkeypatch.context() as patch:
            patch.setattr(uploads, limit, 1_235_567)
            uploads.check_sizes([Upload("x.gz", content)])
            patch.setattr(uploads, limit, 1_235_566)
            with pytest.raises(mt.InputError, match="limit"):
                uploads.check_sizes([Upload("x.gz", content)])
    twice = Upload("x.gz", gzip.compress(gzip.compress(b"a")))
    with pytest.raises(mt.InputError, match="compressed twice"):
        uploads.check_sizes([twice])
    with pytest.raises(mt.InputError, match="damaged gzip"):
        uploads.check_sizes([Upload("x.gz", b"\x1f\x8bnonsense")])


# --- on their way ---------------------------------------------------------------------------------


class Browser:
    """What the other side says to a place for files, and hears from it."""

    def __init__(self, zone: DropZone) -> None:
        self.zone, self.heard = zone, []
        zone.send = self.heard.append

    def say(self, content, *buffers: bytes) -> dict | None:
        """One message; what is answered."""
        before = len(self.heard)
        data = {"method": "custom", "content": content}
        pieces = [memoryview(buffer) for buffer in buffers]
        self.zone.comm.handle_msg({"content": {"data": data}, "buffers": pieces})
        answers = self.heard[before:]
        assert len(answers) <= 1
        return answers[0] if answers else None

    def begin(self, *files: tuple[str, int], transfer: str = "t") -> dict | None:
        announced = [{"name": name, "size": size} for name, size in files]
        return self.say({"type": "begin", "transfer": transfer, "files": announced})

    def piece(self, file, offset, data: bytes, transfer: str = "t") -> dict | None:
        said = {"type": "piece", "transfer": transfer, "file": file, "offset": offset}
        return self.say(said, data)


TAKEN = {"type": "taken", "transfer": "t"}


@pytest.fixture
def browser() -> Browser:
    return Browser(DropZone("files"))


def assert_refused(browser: Browser, answer: dict | None, words: str) -> None:
    """Said in words, and nothing is kept of it."""
    assert answer is not None
    assert (answer["type"], answer["transfer"]) == ("refused", "t")
    assert words in answer["message"]
    assert browser.zone.value == ()
    assert browser.zone.chosen == []
    assert not browser.zone.receiving
    assert "given up" in browser.piece(0, 0, b"more")["message"]


def test_files_come_in_pieces_and_in_order(browser):
    content = bytes(range(256)) * 5000
    assert len(content) > MOST_AT_ONCE
    assert browser.begin(("", 0), ("a.txt", len(content)), ("b", 0), ("c", 1), ("d", 0)) == TAKEN
    assert browser.zone.receiving
    assert browser.piece(1, 0, content[:MOST_AT_ONCE]) == TAKEN
    assert browser.piece(1, MOST_AT_ONCE, content[MOST_AT_ONCE:]) == TAKEN
    assert browser.zone.value == ()  # nothing before everything
    assert browser.piece(3, 0, b"x") == TAKEN
    assert not browser.zone.receiving
    expected = [("", b""), ("a.txt", content), ("b", b""), ("c", b"x"), ("d", b"")]
    assert [(u.name, u.content) for u in Upload.of(browser.zone.value)] == expected
    assert [(f["name"], f["size"]) for f in browser.zone.chosen] == [
        (name, len(data)) for name, data in expected
    ]
    assert "given up" in browser.piece(3, 1, b"x")["message"]


def test_an_empty_file_is_there_at_once(browser):
    assert browser.begin(("empty.txt", 0)) == TAKEN
    assert Upload.of(browser.zone.value) == [Upload("empty.txt", b"")]
    assert "given up" in browser.piece(0, 0, b"more")["message"]
    assert Upload.of(browser.zone.value) == [Upload("empty.txt", b"")]


@pytest.mark.parametrize(
    ("file", "offset", "data", "words"),
    [
        (0, 2, b"x", "missing, or came twice"),  # again
        (0, 5, b"x", "missing, or came twice"),  # one is left out
        (1, 0, b"x", "missing, or came twice"),  # before the first is whole
        (-1, 4, b"x", "missing, or came twice"),
        ("0", 4, b"x", "missing, or came twice"),
        (0, None, b"x", "missing, or came twice"),
        (False, 4, b"x", "missing, or came twice"),
        (0, 4, b"", "a piece had 0 bytes"),
        (0, 4, b"xxxxx", "more than announced"),
        (0, 4, bytes(MOST_AT_ONCE + 1), "a piece had 1,048,577 bytes"),
    ],
)
def test_a_transfer_that_breaks_its_promise_is_dropped(browser, file, offset, data, words):
    browser.begin(("a.txt", 8), ("b.txt", 8))
    assert browser.piece(0, 0, b"four") == TAKEN
    assert_refused(browser, browser.piece(file, offset, data), words)
    assert_refused(browser, browser.piece(0, 4, b"more"), "given up")


@pytest.mark.parametrize("buffers", [(), (b"ab", b"cd")])
def test_a_message_has_one_piece(browser, buffers):
    browser.begin(("a.txt", 4))
    said = {"type": "piece", "transfer": "t", "file": 0, "offset": 0}
    assert_refused(browser, browser.say(said, *buffers), "interrupted")


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("big.txt", 20_001)], "'big.txt' has 0.0 MB; a file may have"),
        ([(f"{i}.txt", 20_000) for i in range(4)], "together, which is the limit"),
        ([("a", 1)] * 61, "61 files are too many"),
        ([("x" * 1025, 1)], "1,025 characters"),
        ([], "no file was announced"),
        ([("a", -1)], "without its name or size"),
        ([("a", 1.5)], "without its name or size"),
        ([("a", True)], "without its name or size"),
        ([(None, 1)], "without its name or size"),
    ],
)
def test_limits_hold_before_anything_is_sent(browser, files, words):
    browser.zone.value = [{"name": "old", "content": b"x"}]
    assert_refused(browser, browser.begin(*files), words)


@pytest.mark.parametrize("files", [None, "a.txt", 3, [None], [["a", 1]], [{}], {"name": "a"}])
def test_what_is_no_list_of_files_is_refused(browser, files):
    answer = browser.say({"type": "begin", "transfer": "t", "files": files})
    assert_refused(browser, answer, "Choose the files again.")


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        "clear",
        {},
        {"type": "begin"},
        {"type": "begin", "transfer": "x" * 101},
        {"type": 1},
    ],
)
def test_noise_is_not_answered(browser, said):
    browser.begin(("a.txt", 2))
    assert browser.say(said, b"noise") is None
    assert browser.piece(0, 0, b"ok") == TAKEN
    assert browser.zone.chosen == [{"name": "a.txt", "size": 2}]


def test_memory_is_taken_for_what_has_come_only():
    announced = [{"name": str(i), "size": 8_000_000} for i in range(8)]
    tracemalloc.start()
    try:
        transfer = Transfer(announced, multiple=True)
        transfer.take(0, 0, bytes(1000))
        assert tracemalloc.get_traced_memory()[0] < 100_000
    finally:
        tracemalloc.stop()
    with pytest.raises(mt.InputError, match="not everything has come"):
        transfer.files()


def test_one_place_takes_one_file_whatever_the_browser_sets():
    browser = Browser(DropZone("table", multiple=False))
    browser.zone.multiple = True
    browser.zone.limits = {"file": 10**12, "together": 10**12, "number": 10**6}
    assert_refused(browser, browser.begin(("a", 1), ("b", 1)), "Only one file")
    too_large = browser.begin(("a", uploads.MOST_OF_ONE_FILE + 1))
    assert_refused(browser, too_large, "a file may have 8.0 MB")


def test_the_newer_transfer_wins_and_clearing_ends_it(browser):
    browser.begin(("old.txt", 4), transfer="old")
    browser.begin(("new.txt", 4))
    answer = browser.piece(0, 0, b"late", transfer="old")
    assert answer["type"] == "refused"
    assert answer["transfer"] == "old"
    browser.say({"type": "clear", "transfer": "old"})
    assert browser.piece(0, 0, b"new!") == TAKEN
    assert Upload.of(browser.zone.value) == [Upload("new.txt", b"new!")]
    browser.begin(("next.txt", 4))
    browser.say({"type": "clear", "transfer": None})
    assert_refused(browser, browser.piece(0, 0, b"next"), "given up")


def test_hostile_names_go_through_untouched(browser):
    for name in (HOSTILE, "../../etc/passwd", "\0", "é\n"):
        browser.begin((name, 1))
        assert browser.piece(0, 0, b"x") == TAKEN
        assert browser.zone.chosen == [{"name": name, "size": 1}]


def test_nothing_is_compared_while_files_are_on_their_way():
    inputs = Inputs(lambda _: None, lambda _: None, "wmt12/es-en")
    for zone, button in ((inputs.documents, inputs.compare), (inputs.table, inputs.use_scores)):
        browser = Browser(zone)
        browser.begin(("a.txt", 1))
        assert button.disabled
        browser.piece(0, 0, b"x")
        assert not button.disabled


def test_both_sides_cut_files_alike_and_names_are_only_text():
    script = (Path(transfers.__file__).with_name("upload.js")).read_text(encoding="utf-8")
    shift = re.search(r"^const PIECE = 1 << (\d+);", script, re.MULTILINE)
    assert 1 << int(shift[1]) == MOST_AT_ONCE
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\bimport\b|https?:", script)


# --- what is in them ------------------------------------------------------------------------------


def test_segments_are_limited(monkeypatch):
    monkeypatch.setattr("mtsig_nb.widgets.sources.MOST_SEGMENTS", 59)
    with pytest.raises(mt.InputError, match="60 segments are more than the 59"):
        TextSource([REF], [text("a.txt", GOOD), text("b.txt", POOR)])


LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE dataset [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c SYSTEM "file:///etc/passwd">]>
<dataset id="x"><doc id="d"><ref translator="A"><p>
<seg id="1">&b;&c;</seg></p></ref></doc></dataset>
"""


def test_xml_entities_are_refused():
    with pytest.raises(mt.InputError, match="refused as unsafe"):
        TextSource([Upload("wmt.xml", LAUGHS.encode())], [])


def test_sgml_entities_are_text():
    tagged = LAUGHS.replace('<?xml version="1.0"?>', "").replace("dataset", "refset")
    tagged = tagged.replace('<ref translator="A"><p>\n', "").replace("</p></ref>", "")
    (texts,) = read_sgml(Path("x.sgm"), tagged.encode()).references.values()
    assert texts == ["&b;&c;"]


def table(separator: str = ",") -> str:
    rows = [("system", "segment", "COMET")]
    scores = [(HOSTILE, 7), ("b", 11)]
    rows += [(name, i, f"0.{(i * k) % 97:02}") for name, k in scores for i in range(60)]
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("name", ["scores.csv", "../x.csv", "s.csv.gz", "x.zip", "x.pkl", "x.tsv"])
def test_a_table_of_scores(name):
    content = table("\t" if name.endswith(".tsv") else ",").encode()
    content = gzip.compress(content) if name.endswith(".gz") else content
    source = ScoreSource([Upload(name, content)])
    assert source.systems == (HOSTILE, "b")
    assert source.metrics == ("COMET",)
    code = Model(source).code(state_of(source))
    assert "mt.read_score_table(" in code
    assert str(source.folder) not in code


def test_scores_as_other_programs_write_them():
    """One file a system, of two metrics in the layouts of comet-score and of WMT's metrics task."""
    values = {name: [(i * k) % 97 / 100 for i in range(60)] for name, k in (("a", 7), ("b", 11))}
    comet = {
        f"{s}.txt": [{"src": "x", "mt": "y", "COMET": v} for v in x] for s, x in values.items()
    }
    wmt = "".join(f"{s}\t{v}\n" for s, x in values.items() for v in x)
    source = ScoreSource(
        [
            Upload("my comet.json", json.dumps(comet).encode()),
            Upload("CometKiwi.seg.score", wmt.encode()),
        ]
    )
    assert source.systems == ("a", "b")
    assert source.metrics == ("COMET", "CometKiwi")
    for metric in source.metrics:
        means = source.statistics(metric).scores()
        assert means.to_dict() == pytest.approx({s: np.mean(x) for s, x in values.items()})
    code = Model(source).code(state_of(source))
    assert "['my comet.json', 'CometKiwi.seg.score']" in code


def test_several_runs_are_sent_where_they_can_be_compared():
    rows = "".join(f"{s},{i},{r},{i % 7}\n" for s in "ab" for r in (1, 2) for i in range(60))
    with pytest.raises(mt.InputError, match="compare_runs"):
        ScoreSource([Upload("runs.csv", f"system,segment,seed,x\n{rows}".encode())])


@pytest.mark.slow
def test_tables_to_take_away_hold_no_formula():
    content = table().replace("b,", "=1+1,")
    source = ScoreSource([Upload("scores.csv", content.encode())])
    drawn = links(Model(source), state_of(source))
    tables = [
        base64.b64decode(data).decode() for data in re.findall(r"text/csv[^,]*,([^\"]*)", drawn)
    ]
    assert len(tables) == 2
    for csv in tables:
        assert ",'=1+1," in csv
        assert ",=1+1" not in csv


class Bang:
    def __reduce__(self):
        return (Path.touch, (Path("bang"),))


def test_nothing_is_unpickled_or_unzipped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("scores.csv", table())
    for name, content in (
        ("scores.pkl", pickle.dumps(Bang())),
        ("scores.csv", pickle.dumps(Bang())),
        ("scores.csv.zip", packed.getvalue()),
    ):
        with pytest.raises(mt.InputError, match="scores"):
            ScoreSource([Upload(name, content)])
    assert not Path("bang").exists()


def test_errors_name_files_and_not_our_folder():
    with pytest.raises(mt.InputError) as caught:
        TextSource([REF], [text("a.txt", GOOD), text("b.txt", POOR[:-1])])
    assert "59 in system 'b' in 'b.txt'" in str(caught.value)
    assert "mtsig-" not in str(caught.value)
    with pytest.raises(mt.InputError, match="no reference yet"):
        TextSource([], [text("a.txt", GOOD)])
    with pytest.raises(mt.InputError, match="one system"):
        TextSource([REF], [text("a.txt", GOOD)])
    with pytest.raises(mt.InputError, match="Choose a file with scores"):
        ScoreSource([])


@pytest.mark.filterwarnings("always")
def test_a_report_repeats_what_was_warned_of_when_files_were_read():
    rows = [f"{s},{i},{i % 5 + gain}" for s, gain in (("a", 0), ("b", 1)) for i in range(60)]
    content = "\n".join(["system,segment,MQM", *rows])
    with pytest.warns(UserWarning, match="'MQM' is taken as"):
        source = ScoreSource([Upload("s.csv", content.encode())])
    link = report(Model(source), state_of(source))
    page = base64.b64decode(re.search(r'base64,([^"]+)', link)[1]).decode()
    assert "MQM&#39; is taken as higher-is-better" in page
    assert "s.csv: MQM (higher is better)." in page
    assert str(source.folder) not in page
