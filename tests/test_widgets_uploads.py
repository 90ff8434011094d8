"""Uploaded files are not to be trusted: too large, too many, badly named, or up to something."""

from __future__ import annotations

import gzip
import io
import pickle
import zipfile
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.testset_formats.markup import read_sgml
from mtsig_nb.widgets import uploads
from mtsig_nb.widgets.model import Model, State
from mtsig_nb.widgets.sources import ScoreSource, TextSource
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
        assert uploads._HARMLESS.fullmatch(path.name)
    assert len(Model(source).comparisons(state_of(source)).table) == 1


def test_two_files_of_one_name_are_both_kept_or_refused():
    with pytest.raises(mt.InputError, match="'a'"):
        TextSource([REF], [text("a.txt", GOOD), text("a.txt", POOR)])


def test_a_hostile_name_is_the_systems_name():
    source = TextSource([REF], [text(f"{HOSTILE}.txt", GOOD), text("b.txt", POOR)])
    assert source.systems == (HOSTILE, "b")
    assert f"{HOSTILE!r}: 'system-1.txt'" in Model(source).code(state_of(source))


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


def test_unpacked_sizes_are_counted_exactly():
    content = gzip.compress(b"a" * 1_234_567) + gzip.compress(b"b" * 1_000)
    assert uploads._unpacked_size(Upload("x.gz", content)) == 1_235_567
    twice = Upload("x.gz", gzip.compress(gzip.compress(b"a")))
    with pytest.raises(mt.InputError, match="compressed twice"):
        uploads.check_sizes([twice])
    with pytest.raises(mt.InputError, match="damaged gzip"):
        uploads.check_sizes([Upload("x.gz", b"\x1f\x8bnonsense")])


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
    assert "pd.read_csv('" in code
    assert str(source.folder) not in code


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
    with pytest.raises(mt.InputError, match="Choose one table"):
        ScoreSource([])
