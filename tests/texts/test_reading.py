"""Texts in: formats, alignment, and errors whose whole text is checked."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

import mtsig_nb as mt

from ..messages import naming

REFERENCE = ["The cat sleeps.", "It purrs.", "The dog barks."]
A = ["The cat sleeps.", "It purrs loudly.", "A dog barks."]
B = ["Cat sleep.", "", "Dog bark."]


@pytest.fixture
def write(tmp_path):
    """Write a file of the test's folder; texts as UTF-8 with the line ends they have."""

    def write(name: str, content: str | bytes | list[str]) -> Path:
        if isinstance(content, list):
            content = "".join(f"{line}\n" for line in content)
        data = content.encode("utf-8") if isinstance(content, str) else content
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


def error_of(read=mt.read_test_set, **given) -> str:
    with pytest.raises(mt.InputError) as caught:
        read(**given)
    return str(caught.value)


# --- plain text -----------------------------------------------------------------------------------


def test_plain_text_with_everything(write):
    found = mt.read_test_set(
        reference=[write("ref.A.txt", REFERENCE), write("ref.B.txt.gz", A)],
        systems={"first": write("a.txt", A), "second": write("b.txt.gz", B)},
        documents=write("docs.txt", ["d1", "d1", "d2"]),
    )
    assert found.systems == ("first", "second")
    assert found.hypotheses == {"first": tuple(A), "second": tuple(B)}
    assert found.references == (tuple(REFERENCE), tuple(A))
    assert found.documents == ("d1", "d1", "d2")
    assert re.search(naming("ref.A", "2 systems", "3 segments", "2 references"), repr(found))


def test_names_come_from_files(write):
    paths = [write("hyp/UPC.2.txt.gz", A), write("hyp/newstest.es-en.GTH", B)]
    write("hyp/.DS_Store", b"\x00\xff")
    reference = write("ref.en", REFERENCE)
    for systems in (paths, paths[0].parent):
        found = mt.read_test_set(reference=reference, systems=systems)
        assert (found.name, found.systems) == ("ref.en", ("UPC.2", "newstest.es-en.GTH"))


@pytest.mark.parametrize("inside", [*"\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r"], ids=ascii)
def test_only_lf_ends_a_line(write, inside):
    texts = [f"one{inside}still one", "two", "three"]
    found = mt.read_test_set(reference=write("ref.txt", REFERENCE), systems=write("a.txt", texts))
    assert found.hypotheses["a"] == tuple(texts)


def test_byte_order_mark_and_crlf_do_not_show(write):
    marked = write("a.txt", b"\xef\xbb\xbf" + "".join(f"{line}\r\n" for line in A).encode())
    found = mt.read_test_set(reference=write("ref.txt", REFERENCE), systems={"A": marked})
    assert found.hypotheses["A"] == tuple(A)


# --- SGML and XML ---------------------------------------------------------------------------------

REFSET = """<?xml version="1.0" encoding="UTF-8"?>
<refset setid="pets" srclang="any" trglang="en">
<doc sysid="ref" docid="d1" genre="news" origlang="de">
<hl>
<seg id="1">The cat &amp; the dog &lt;sleep&gt;.</seg>
</hl>
<p>
<seg id="2"> AT&T says it's 3 < 4. </seg>
</p>
</doc>
<DOC sysid='ref' docid=d2>
<seg id=1>A line
 broken in two.</seg>
</DOC>
</refset>
"""
# The other way round, and of two systems.
TSTSET = """<tstset setid="pets" srclang="any" trglang="en">
<doc sysid="A" docid="d2"><seg id="1">A2</seg></doc>
<doc sysid="A" docid="d1"><seg id="2">A1.2</seg><seg id="1">A1.1</seg></doc>
<doc sysid="B" docid="d1"><seg id="1">B1.1 caf&#233; &copy; &amp;amp;</seg><seg id="2"/></doc>
<doc sysid="B" docid="d2"><seg id="1">B2</seg></doc>
</tstset>
"""


def test_sgml_is_matched_by_document_and_segment(write):
    paths = {"reference": write("ref.sgm", REFSET), "systems": write("systems.sgm", TSTSET)}
    found = mt.read_test_set(**paths)
    assert found.references == (
        ("The cat & the dog <sleep>.", "AT&T says it's 3 < 4.", "A line broken in two."),
    )
    assert found.hypotheses == {
        "A": ("A1.1", "A1.2", "A2"),
        "B": ("B1.1 café &copy; &amp;", "", "B2"),
    }
    assert found.documents == ("d1", "d1", "d2")
    assert found.name == "ref"


def test_sgml_source_reference_and_system_in_one_mteval_file(write):
    everything = (
        '<?xml version="1.0"?>\n<!DOCTYPE mteval SYSTEM "mteval.dtd">\n<mteval>'
        '<srcset><doc docid="d"><seg id="1">eins</seg><seg id="2">zwei</seg></doc></srcset>'
        '<refset refid="1"><doc docid="d"><seg id="1">one</seg><seg id="2">two</seg></doc></refset>'
        '<refset refid="2"><doc docid="d"><seg id="1">1</seg><seg id="2">2</seg></doc></refset>'
        '<tstset sysid="A"><doc docid="d"><seg id="1">on</seg><seg id="2">tow</seg></doc></tstset>'
        "</mteval>"
    )
    found = mt.read_test_set(reference=write("all.xml", everything))
    assert found.references == (("one", "two"), ("1", "2"))
    assert found.hypotheses == {"A": ("on", "tow")}
    assert found.source == ("eins", "zwei")


WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="pets">
  <collection id="general">
    <doc id="d1" origlang="de">
      <src lang="de"><p><seg id="1">Die Katze.</seg><seg id="2">Der Hund.</seg></p></src>
      <ref lang="en" translator="A"><seg id="1">The cat.</seg><seg id="2">The dog.</seg></ref>
      <ref lang="en" translator="B"><seg id="1">A cat.</seg><seg id="2">A dog.</seg></ref>
      <hyp lang="en" system="X"><p><seg id="1">Cat &amp; co.</seg><seg id="2"></seg></p></hyp>
      <hyp lang="en" system="Y"><p><seg id="2">Dogs.</seg><seg id="1">Cats.</seg></p></hyp>
    </doc>
    <doc id="hard" origlang="de" testsuite="negation">
      <src lang="de"><p><seg id="1">Nie.</seg></p></src>
    </doc>
  </collection>
</dataset>
"""


def test_wmt_xml(write):
    path = write("pets.de-en.xml", WMT)
    found = mt.read_test_set(reference=path)
    assert found.systems == ("X", "Y")
    assert found.hypotheses["X"] == ("Cat & co.", "")
    assert found.hypotheses["Y"] == ("Cats.", "Dogs.")
    assert found.references == (("The cat.", "The dog."), ("A cat.", "A dog."))
    assert found.source == ("Die Katze.", "Der Hund.")
    assert found.documents == ("d1", "d1")
    assert found.name == "pets.de-en"
    with path.open("rb") as file:
        sacrebleus = WMTXMLDataset._unwrap_wmt21_or_later(file)
    ours = {"src": found.source, "docid": found.documents, **found.hypotheses}
    ours |= dict(zip(("ref:A", "ref:B"), found.references, strict=True))
    assert {name: tuple(sacrebleus[name]) for name in ours} == ours


def test_a_mapping_chooses_from_a_file_with_several(write):
    path = write("pets.xml", WMT)
    found = mt.read_test_set(reference={"B": path}, systems={"Y": path})
    assert found.references == (("A cat.", "A dog."),)
    assert found.systems == ("Y",)
    said = "system in 'pets.xml'='Z' is not known. Known: 'X', 'Y'."
    assert error_of(reference=path, systems={"Z": path}) == said


# --- tables ---------------------------------------------------------------------------------------


def test_tsv(write):
    path = write(
        "pets.tsv",
        [
            "segment\tdocument\tsource\tref:A\tReference_2\tX\tY",
            '1\td1\tKatze\tcat "x\ta cat\tkat\tcats',
            "2\td1\tHund\tdog\ta dog\t\tdogs",
        ],
    )
    found = mt.read_test_set(reference=path)
    assert found.hypotheses == {"X": ("kat", ""), "Y": ("cats", "dogs")}
    assert found.references == (('cat "x', "dog"), ("a cat", "a dog"))
    assert found.source == ("Katze", "Hund")
    assert found.documents == ("d1", "d1")


def test_tables_of_single_systems_are_matched_by_segment(write):
    found = mt.read_test_set(
        reference=write("ref.tsv", ["id\treference", "s1\tone", "s2\ttwo"]),
        systems=[
            write("X.tsv", ["id\tmt", "s2\tX2", "s1\tX1"]),
            write("Y.tsv", ["id\thyp", "s2\tY2", "s1\tY1"]),
        ],
    )
    assert found.hypotheses == {"X": ("X1", "X2"), "Y": ("Y1", "Y2")}
    assert found.references == (("one", "two"),)


# --- errors: files --------------------------------------------------------------------------------


REFUSED = [
    ("a.txt", "", "is empty: it has no bytes. Give a file with one line per segment."),
    ("a.txt", b"\xef\xbb\xbf", "is empty: it has no bytes. Give a file with one line per segment."),
    ("a.txt", b"one\ntwo\nna\xefve\n", "line 3, byte 3 (0xEF) is not UTF-8. Save the file as UTF-"),
    ("a.txt", b"\xef\xbb\xbf\xe9\nx\n", "line 1, byte 4 (0xE9) is not UTF-8. Save the file"),
    ("a.txt", "x\ny\nz\n".encode("utf-16"), "is text in UTF-16. Convert it to UTF-8: iconv"),
    ("a.sgm", TSTSET[:-10], "line 1: <tstset> has no </tstset>; the file seems to be cut off. Rep"),
    ("a.sgm", TSTSET.replace("A1.2</seg>", "A1.2"), "line 3: <seg> has no </seg>. Repair the file"),
    ("a.sgm", "<tstset>\n<seg id=1>x</seg></tstset>", "line 2: <seg> is not inside a <doc>. Repai"),
    ("a.sgm", "</seg>", "line 1: </seg> closes nothing. Repair the file."),
    ("a.sgm", "x", "has no segments (<seg>) of any source, reference or system."),
    ("a.sgm", TSTSET.replace('<seg id="2"/>', '<seg id="1">x</seg>'),
     "has segment '1' of document 'd1' of system 'B' twice. Remove one of them."),
    ("a.sgm", TSTSET.replace('<seg id="2"/>', ""),
     "lacks segment '2' of document 'd1', which system 'A' in 'a.sgm' has. Give both the same"),
    ("a.sgm", REFSET, "has no system. It holds reference 'ref', documents."),
    ("a.xml", WMT[:-5], "cannot be read as XML: unclosed token: line 15, column 0. Repair it."),
    ("a.xml", f"<dataset>{'<p>' * 50_000}{'</p>' * 50_000}</dataset>", "has no segments (<seg>) o"),
    ("a.xml", WMT.replace("<dataset", '<!DOCTYPE x [<!ENTITY a "ha">]><dataset'),
     "'a.xml' cannot be read as XML: EntitiesForbidden("),
    ("a.xml", WMT.replace("<dataset", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///x">]><dataset'),
     "'a.xml' cannot be read as XML: EntitiesForbidden("),
    ("a.tsv", "A\tB\na\tb\na\n", "line 3 has 1 fields; line 1 names 2 columns. A field must not c"),
    ("a.tsv", "A\tB\t\na\tb\t\n", "line 1 has a column without a name, number 3 of 3. The column "),
    ("a.tsv", "A\t \tB\na\tb\tc\n", "line 1 has a column without a name, number 2 of 3. Write its"),
    ("a.csv", "A,B\na,b\n", "is CSV, from which no texts are read. Write one segment a line"),
    ("a.txt", '{"hyp": "a"}\n{"hyp": "b"}\n', "is JSON, from which no texts are read. Write o"),
    ("a.txt", "<!DOCTYPE html>\n<html></html>\n", "is HTML, from which no texts are read. Write"),
    ("a.xml", "<?xml version='1.0'?><tmx><body><tu><tuv><seg>x</seg></tuv></tu></body></tmx>",
     "is TMX, from which no texts are read. Take the segments of one language out of it"),
    ("a.txt", b"one\ntw\0o\nthree\n", "line 2, byte 3 is a zero byte, which no text has."),
    ("a.txt", "1\tone\n2\ttwo\n3\tthree\n", "has 2 columns with tabs between them in every line, "),
    ("a.tsv", "A\tB\tA\na\tb\tc\n", "line 1: 'A' is given more than once. Rename one of them."),
    ("a.jsonl", '{"A": "x"}', "is JSON, from which no texts are read. Write one s"),
    ("a.tsv", "id\tA\n1\tx\n1\ty\n", "segments: '1' is given more than once. Rename one of them."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), REFUSED)
def test_error_in_a_system_file(write, name, content, message):
    found = error_of(reference=write("ref.txt", REFERENCE), systems=write(name, content))
    assert repr(name) in found
    assert message in found


def test_damaged_gzip(write):
    whole = gzip.compress("".join(f"{line}\n" for line in A).encode(), mtime=0)
    flipped = whole[:20] + bytes([whole[20] ^ 255]) + whole[21:]
    for data in (whole[:-6], whole[:15], flipped):
        said = error_of(reference=write("ref.txt", REFERENCE), systems=write("a.txt", data))
        assert re.search(naming("'a.txt'", "gzip", "Compress it again."), said)


def test_documents_of_one_segment_each_are_a_warning(write):
    texts = [f"Segment {i}." for i in range(20)]
    arguments = {"reference": write("ref.txt", texts), "systems": {"A": write("a.txt", texts)}}
    names = [f"Text {i}" for i in range(20)]
    culprit = naming("documents in 'docs.txt'", "20 documents", "20 segments", "'Text 0'")
    with pytest.warns(UserWarning, match=culprit) as caught:
        found = mt.read_test_set(**arguments, documents=write("docs.txt", names))
    assert caught[0].filename == __file__
    assert found.documents == tuple(names)
    with pytest.warns(UserWarning, match=naming("documents:", "20 documents", "20 segments")):
        mt.Texts.from_texts(reference=texts, systems={"A": texts}, documents=texts)
    mt.read_test_set(**arguments, documents=write("docs.txt", [*"aabbcdefghijklmnopqr"]))
    chinese = [f"第{i}句。" for i in range(20)]
    with pytest.warns(UserWarning, match=naming("20 documents", "20 segments", "'第0句。'")):
        mt.Texts.from_texts(reference=texts, systems={"A": texts}, documents=chinese)


@pytest.mark.parametrize("name", ["flores.{}", "{}", "s{}", "doc-{}#1"])
def test_names_of_sentences_may_be_given_as_documents(write, name, recwarn):
    texts = [f"Segment {i}." for i in range(20)]
    names = [name.format(i) for i in range(20)]
    found = mt.read_test_set(
        reference=write("ref.txt", texts),
        systems={"A": write("a.txt", texts)},
        documents=write("docs.txt", names),
    )
    assert found.documents == tuple(names)
    assert not recwarn.list


# --- errors: alignment ----------------------------------------------------------------------------


def test_every_column_of_another_length_is_named(write):
    texts = {"a": A, "b": B[:2], "c": A, "d": [*A, "", ""]}
    paths = {name.upper(): write(f"{name}.txt", lines) for name, lines in texts.items()}
    arguments = {"reference": write("ref.txt", REFERENCE), "systems": paths}
    said = error_of(**arguments, documents=write("docs.txt", ["d1"]))
    counts = [
        "3 in reference in 'ref.txt'",
        "2 more",
        "2 in system 'B' in 'b.txt'",
        "5 in system 'D' in 'd.txt'",
        "1 in documents in 'docs.txt'",
    ]
    assert re.search(naming("segments", *counts, "last 2 lines", "blank", "'D' in 'd.txt'"), said)
    assert said.count("system ") == 3


def test_segments_that_differ_between_files(write):
    reference = write("ref.sgm", REFSET)
    without = re.sub('<doc sysid="." docid="d2">.*</doc>', "", TSTSET)
    said = error_of(reference=reference, systems=write("s.sgm", without))
    lacking = ("system 'A' in 's.sgm'", "segment '1'", "document 'd2'")
    assert re.search(naming(*lacking, "reference 'ref' in 'ref.sgm'", "Give both"), said)


def test_duplicate_system_name(write):
    paths = [
        write("one/A.tsv", ["X\tY", "a\tb", "c\td"]),
        write("two/A.tsv", ["X\tZ", "a\tb", "c\td"]),
    ]
    said = error_of(reference=write("ref.txt", REFERENCE[:2]), systems=paths)
    fixes = ("NAME=FILE", "systems={'name': path}")
    assert re.search(naming("systems: 'X'", "once", "'A.tsv', 'A.tsv'", *fixes), said)


def test_missing_files_and_folders(write, tmp_path):
    reference = write("ref.txt", REFERENCE)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no file '~nosuchuser/r'" in error_of(reference="~nosuchuser/r")
    for arguments, message in (
        ({}, "systems: 'ref.txt' has none besides the reference"),
        ({"systems": empty}, f"systems: the folder {str(empty)!r} has no file with an output."),
        ({"systems": []}, "systems=[]: give the path of a file, or of a folder with files; sever"),
        ({"systems": [3]}, "systems=[3]: give the path of a file, or of a folder with files; se"),
        ({"systems": 3}, "systems=3: give the path of a file, or of a folder with files; several"),
        ({"systems": "nul\0"}, "'nul\\x00' cannot be read: embedded null byte."),
        ({"systems": reference, "documents": write("a.tsv", ["source\tA", "x\ty"])},
         "'a.tsv' has no documents. It holds source, system 'A'."),
    ):  # fmt: skip
        assert error_of(reference=reference, **arguments).startswith(message)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"reference": "one"}, ("reference='one'", "one text", "list")),
        ({"systems": {"A": "a.txt"}}, ("A='a.txt'", "one text", "list")),
        ({"systems": {}}, ("systems:", "none")),
        ({"systems": {"caf\udce9": A}}, ("systems:", "'caf\\udce9'", "UTF-8", "Rename")),
        ({"reference": []}, ("reference:", "none")),
        ({"reference": REFERENCE[:2]}, ("Not the same", "2 in reference", "3 in system 'A'")),
        ({"reference": ["x", "", " "]}, ("reference:", "2 (and 1 more)", "empty", "from 1")),
        ({"reference": ["x", None, "y"]}, ("reference:", "segment 2 ", "empty", "from 1", "Fill")),
        ({"reference": [["x", None, "y"], ["z", " ", ""]]},
         ("reference 1 and reference 2:", "segment 2 ", "empty", "from 1")),
        ({"reference": [REFERENCE, ["", " ", ""]]}, ("reference 2 ", "no text", "all 3 ")),
        ({"reference": ["x", 3, "y"]}, ("reference,", "segment 2 is 3", "a text")),
        ({"reference": ["x"], "systems": {"A": ["y"]}}, ("The test set ", "1 segment")),
        ({"systems": {"A": ["x", None, "y"]}}, ("system 'A'", "segment 2 is None", "a text")),
        ({"documents": ["d1", "", "d2"]}, ("documents:", "segment 2 ", "empty", "from 1")),
        ({"documents": ["d1", None, "d2"]}, ("documents:", "segment 2 is None", "a name")),
        ({"documents": ["d1", float("nan"), "d2"]}, ("documents:", "segment 2 is nan", "a name")),
    ],
)  # fmt: skip
def test_error_in_texts(change, names):
    given = {"reference": REFERENCE, "systems": {"A": A}} | change
    assert re.match(naming(*names), error_of(mt.Texts.from_texts, **given))
