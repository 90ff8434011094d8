"""Uploaded files are not to be trusted: too large, too many, badly named, or up to something."""

from __future__ import annotations

import base64
import gzip
import html
import io
import pickle
import re
import zipfile
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.texts.reading import read_sgml
from mtsig_nb.widgets import question, sources
from mtsig_nb.widgets.model import Model, State
from mtsig_nb.widgets.panels import report, take_away, whole
from mtsig_nb.widgets.question import DropZone, Question
from mtsig_nb.widgets.sources import WholeOutcome, campaign_source, score_source, text_source

from ..messages import naming

HOSTILE = "<img src=x onerror=alert(1)>&_#$%"
REFERENCE = [f"The cat number {i} sleeps." for i in range(60)]
GOOD = [line if i % 5 else line.replace("cat", "dog") for i, line in enumerate(REFERENCE)]
POOR = [line.replace("sleeps", "sleep") for line in REFERENCE]


@pytest.fixture(autouse=True)
def private_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))


def text(name: str, lines: list[str]) -> sources.Upload:
    return name, "".join(f"{line}\n" for line in lines).encode()


REF, A, B = text("ref.txt", REFERENCE), text("a.txt", GOOD), text("b.txt", POOR)


def state_of(source, systems=None) -> State:
    analysis = source.analysis_of(systems or source.systems, source.metrics[:1])
    return State(analysis=analysis, metric=source.metrics[0], pair=source.systems[:2])


def code_of(source, systems=None) -> str:
    code = Model(source).code(state_of(source, systems))
    assert "/tmp" not in code
    return code


def test_metrics_that_lack_scores_are_not_offered_and_it_is_said_why():
    source = campaign_source("wmt25/en-kn_IN")
    assert source.metrics == ("MetricX", "XCOMET", "CometKiwi", "GEMBA-ESA-GPT4.1")
    (warning,) = source.warnings
    assert re.search(naming("GEMBA-ESA-CMDA", "7 segments"), warning)
    assert not campaign_source("wmt25/en-ja_JP").warnings


def test_files_make_a_test_set_and_go_with_the_source():
    documents = text("docs.txt", [f"d{i // 6}" for i in range(60)])
    source = text_source([REF], [A, B, text("c.txt", POOR)], [documents])
    assert source.systems == ("a", "b", "c")
    assert source.has_documents
    all_of_them = "systems={'a': 'a.txt', 'b': 'b.txt', 'c': 'c.txt'}, documents='docs.txt'"
    assert f"reference=['ref.txt'], {all_of_them}" in code_of(source)
    assert "systems={'a': 'a.txt', 'b': 'b.txt'}" in code_of(source, ["a", "b"])
    folder = source.folder
    assert folder.stat().st_mode & 0o077 == 0
    source.close()
    assert not folder.exists()


def sgml(kind: str, lines: list[str]) -> bytes:
    segments = "".join(f"<seg id={i}>{line}</seg>\n" for i, line in enumerate(lines, start=1))
    return f'<{kind} setid="t"><doc docid="d">{segments}</doc></{kind}>'.encode()


def test_gzip_and_sgml_are_read():
    packed = "a.txt.gz", gzip.compress(A[1])
    odd = "b (copy).sgm", sgml("tstset", POOR)
    source = text_source([("ref.sgm", sgml("refset", REFERENCE))], [packed, odd])
    assert source.systems == ("a", "b (copy)")


PATHS = ["../../etc/passwd", "..\\..\\evil.txt", "~root", "con\nnew.txt", "; rm -rf *"]


@pytest.mark.parametrize("name", [*PATHS, f"{HOSTILE}.txt"])
def test_a_name_is_a_name_and_no_path(name):
    source = text_source([REF], [text(name, GOOD), text("other.txt", POOR)])
    plain = re.split(r"[/\\]", name)[-1]
    inside = [path.relative_to(source.folder) for path in source.folder.rglob("*")]
    assert {*map(str, inside)} == {"1", "1/ref.txt", "2", f"2/{plain}", "3", "3/other.txt"}
    assert source.systems == (plain.removesuffix(".txt"), "other")
    assert repr(plain) in code_of(source)


@pytest.mark.parametrize("name", ["", "..", "a/", "\0", "x" * 300 + ".txt"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(mt.InputError, match="cannot be called"):
        text_source([REF], [text(name, GOOD), B])


@pytest.fixture
def small(monkeypatch):
    for name, limit in {"file": 20_000, "together": 60_000, "segments": 59}.items():
        monkeypatch.setitem(sources.LIMITS, name, limit)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("big.txt", b"x" * 20_001)], r"'big.txt' has 0.0 MB; a file may have"),
        ([(f"{i}.txt", b"x" * 20_000) for i in range(4)], "4 files of 0.1 MB are too many"),
        ([("a", b"x")] * 61, "61 files of 0.0 MB are too many"),
        ([("bomb.gz", gzip.compress(bytes(10_000_000)))], "'bomb.gz' unpacks to more than"),
        ([("bomb.gz", gzip.compress(bytes(3_000_000)) * 3)], "'bomb.gz' unpacks to more than"),
        ([("x.gz", b"\x1f\x8bnonsense")], "damaged or cut-off gzip"),
    ],
)
def test_sizes_are_limited_as_they_come_and_unpacked(files, words):
    with pytest.raises(mt.InputError, match=words):
        score_source(files)


def test_lines_fields_and_unpacked_bytes_are_counted_exactly(monkeypatch):
    lines = "a.txt.gz", gzip.compress(b"0\n1\n" * 500_000, mtime=0)
    with pytest.raises(mt.InputError, match=naming("'c.txt'", "0 lines")):
        score_source([lines, ("c.txt", b"1\n0\n")])
    with pytest.raises(mt.InputError, match=naming("'x.csv'", "4,000,000 fields")):
        score_source([("x.csv", b"," * 4_000_001)])
    content = table().encode()
    packed = "x.csv", gzip.compress(content[:99]) + gzip.compress(content[99:])
    monkeypatch.setitem(sources.LIMITS, "together", len(content))
    assert score_source([packed]).metrics == ("COMET",)
    monkeypatch.setitem(sources.LIMITS, "together", len(content) - 1)
    with pytest.raises(mt.InputError, match=naming("'x.csv'", "unpacks")):
        score_source([packed])


@pytest.mark.usefixtures("small")
def test_segments_are_limited():
    with pytest.raises(mt.InputError, match=naming("60 segments", "59")):
        text_source([REF], [A, B])


# --- on their way ---------------------------------------------------------------------------------


class Browser:
    """What the other side says to a place for files, and hears from it."""

    def __init__(self, zone: DropZone) -> None:
        self.zone, self.heard = zone, []
        zone.send = self.heard.append

    def say(self, content: dict, *buffers: bytes) -> str | None:
        """One message; what is answered, in one word or in the words of a refusal."""
        self.heard.clear()
        data = {"method": "custom", "content": content}
        pieces = [memoryview(buffer) for buffer in buffers]
        self.zone.comm.handle_msg({"content": {"data": data}, "buffers": pieces})
        if not self.heard:
            return None
        (answer,) = self.heard
        assert answer["transfer"] == content["transfer"]
        return answer.get("message", answer["type"])

    def begin(self, *files: tuple[str, int], transfer: str = "t") -> str | None:
        announced = [{"name": name, "size": size} for name, size in files]
        return self.say({"type": "begin", "transfer": transfer, "files": announced})

    def file(self, name: str, content: bytes, transfer: str = "t") -> str | None:
        return self.say({"type": "file", "transfer": transfer, "name": name}, content)


@pytest.fixture
def browser() -> Browser:
    return Browser(DropZone("files"))


def test_files_come_one_by_one(browser):
    files = [("", b""), ("a.txt", bytes(range(256)) * 5000), (HOSTILE, b""), ("../../etc", b"x")]
    assert browser.begin(*((name, len(content)) for name, content in files)) == "taken"
    assert browser.zone.receiving
    for file in files[:-1]:
        assert browser.file(*file) == "taken"
    assert browser.zone.value == ()  # nothing before everything
    assert browser.file(*files[-1]) == "taken"
    assert not browser.zone.receiving
    assert browser.zone.value == tuple(files)
    assert [(f["name"], f["size"]) for f in browser.zone.chosen] == [
        (name, len(content)) for name, content in files
    ]
    assert "abandoned" in browser.file("late.txt", b"x")
    assert browser.zone.value == tuple(files)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("files", "culprit"),
    [([("big.txt", 20_001)], "'big.txt'"), ([("a", 1)] * 61, "61 files")],
    ids=["size", "number"],
)
def test_limits_hold_before_anything_is_sent(browser, files, culprit):
    browser.zone.value = [("old", b"x")]
    assert culprit in browser.begin(*files)
    assert browser.zone.value == [("old", b"x")]
    assert "abandoned" in browser.file("a", b"x")


def test_the_newer_transfer_wins_and_clearing_ends_it(browser):
    browser.begin(("old.txt", 4), transfer="old")
    browser.begin(("new.txt", 4))
    assert "abandoned" in browser.file("old.txt", b"late", transfer="old")
    assert browser.say({"type": "clear", "transfer": "old"}) is None
    assert browser.file("new.txt", b"new!") == "taken"
    assert browser.zone.value == (("new.txt", b"new!"),)
    browser.begin(("next.txt", 4))
    browser.say({"type": "clear", "transfer": None})
    assert browser.zone.value == ()
    assert "abandoned" in browser.file("next.txt", b"next")


def test_nothing_is_compared_while_files_are_on_their_way():
    asked = Question(lambda _: None, "wmt12/es-en")
    for zone, button in ((asked.documents, asked.compare), (asked.table, asked.use_scores)):
        browser = Browser(zone)
        browser.begin(("a.txt", 1))
        assert button.disabled
        browser.file("a.txt", b"x")
        assert not button.disabled


def test_files_are_below_what_servers_pass_on_and_names_are_only_text():
    script = Path(question.__file__).with_name("upload.js").read_text(encoding="utf-8")
    assert sources.LIMITS["file"] < 10 * 2**20
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\bimport\b|https?:", script)


# --- what is in them ------------------------------------------------------------------------------


def test_entities_of_sgml_are_text():
    entities = '<!DOCTYPE refset [<!ENTITY b "ha"><!ENTITY c SYSTEM "file:///etc/passwd">]>\n'
    reference, *_ = read_sgml(Path("x.sgm"), entities + sgml("refset", ["&b;&c;"]).decode())
    assert reference.texts == ["&b;&c;"]


def table(separator: str = ",", second: str = "b") -> str:
    rows = [("system", "segment", "COMET")]
    scores = [(HOSTILE, 7), (second, 11)]
    rows += [(name, i, f"0.{(i * k) % 97:02}") for name, k in scores for i in range(60)]
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("name", ["scores.csv", "../x.csv", "s.csv.gz", "x.tsv", "my scores.txt"])
def test_a_table_of_scores(name):
    content = table("\t" if name.endswith(".tsv") else ",").encode()
    content = gzip.compress(content) if name.endswith(".gz") else content
    source = score_source([(name, content)])
    assert source.systems == (HOSTILE, "b")
    assert source.metrics == ("COMET",)
    assert "mt.read_score_table(" in code_of(source)


def test_several_files_of_scores_are_joined():
    wmt = "".join(f"{s}\t{(i * k) % 97}\n" for s, k in (("a", 7), ("b", 11)) for i in range(60))
    names = ["COMET.seg.score", "CometKiwi.seg.score"]
    source = score_source([(name, wmt.encode()) for name in names])
    assert (source.systems, source.metrics) == (("a", "b"), ("COMET", "CometKiwi"))
    assert str(names) in code_of(source)


def test_several_runs_and_battles_are_shown_as_a_whole():
    rows = "".join(f"{s},{i},{r},{i % 7}\n" for s in "ab" for r in (1, 2) for i in range(60))
    runs = score_source([("runs.csv", f"system,segment,seed,x\n{rows}".encode())])
    assert isinstance(runs, WholeOutcome)
    assert runs.outcome.kind == "runs"
    rows = "a,b,model_a\n" * 9 + "a,b,model_b\n" * 3
    battles = score_source([("b.csv", f"model_a,model_b,winner\n{rows}".encode())])
    assert isinstance(battles, WholeOutcome)
    assert battles.outcome.kind == "battles"
    shown = whole(battles)
    assert "a is ahead" in shown
    assert shown.count(" download=") == 3
    assert str(battles.folder) not in shown


def test_a_campaign_that_is_still_coming_in_is_watched():
    rows = "".join(f"{s},{i},{i % 7 + 3 * (s == 'a')}\n" for i in range(60) for s in "ab")
    judged = ("judged.csv", f"system,segment,score\n{rows}".encode())
    source = score_source([judged], planned=100, looks=5)
    assert isinstance(source, WholeOutcome)
    assert source.outcome.found.table["n_units"].tolist() == [20, 40, 60]
    shown = whole(source)
    assert "stop: a is better" in shown
    assert shown.count("<img") == 1
    assert str(source.folder) not in shown
    with pytest.raises(mt.InputError, match="first look is after 400 segments"):
        score_source([judged], planned=400, looks=1)


@pytest.mark.slow
def test_tables_to_take_away_hold_no_formula():
    source = score_source([("scores.csv", table(second="=1+1").encode())])
    drawn = take_away(Model(source), state_of(source))
    found = re.findall(r'\.csv" href="[^,]*,([^"]*)', drawn)
    tables = [base64.b64decode(data).decode() for data in found]
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
            score_source([(name, content)])
    assert not Path("bang").exists()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: text_source([REF], [A, text("b.txt", POOR[:-1])]), "59 in system 'b' in 'b.txt'"),
        (lambda: text_source([REF], [A, text("a.txt", POOR)]), "'a'"),
        (lambda: text_source([], [A]), "no reference yet"),
        (lambda: text_source([REF], [A]), "one system"),
        (lambda: text_source([REF], [A, B], [A, B]), "choose a single file"),
        (lambda: score_source([]), "Choose a file with scores"),
        (lambda: score_source([("my scores (1).csv", b"system,score\na,1\n")]), "'my scores (1)"),
    ],
)
def test_errors_name_files_and_not_our_folder(make, words):
    with pytest.raises(mt.InputError) as caught:
        make()
    assert words in str(caught.value)
    assert "mtsig-" not in str(caught.value)


@pytest.mark.filterwarnings("always")
def test_a_report_repeats_what_was_warned_of_when_files_were_read():
    with pytest.warns(UserWarning, match=naming("'MQM'", "higher-is")):
        source = score_source([("s.csv", table().replace("COMET", "MQM").encode())])
    link = report(Model(source), state_of(source))
    page = base64.b64decode(re.search(r'base64,([^"]+)', link)[1]).decode()
    assert re.search(naming("'MQM' is taken", "higher-is-better"), html.unescape(page))
    assert "s.csv: MQM (higher " in page
    assert str(source.folder) not in page
