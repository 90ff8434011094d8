"""Whatever is in a file, reading it ends in a test set or in the project's own error."""

from __future__ import annotations

import contextlib
import gzip
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mtsig_nb as mt
from mtsig_nb.metrics import read_conllu
from mtsig_nb.texts.reading import read_texts

from .test_reading import REFSET, TSTSET, WMT

SUFFIXES = {"text": "txt", "sgml": "sgm", "xml": "xml", "tsv": "tsv"}
TEXT = "The cat sleeps.\nIt purrs.\n\u2028The dog barks.\n"
TSV = "id\tdocument\tsource\treference\tA\tB\n1\td\tx\tone\ton\t1\n2\td\ty\ttwo\ttow\t\n"
SGML, XML = REFSET + TSTSET, WMT
VALID = {name: s.encode() for name, s in zip(SUFFIXES, (TEXT, SGML, XML, TSV), strict=True)}
VALID |= {f"{name}, gzip": gzip.compress(data, mtime=0) for name, data in VALID.items()}

#: Pieces that parsers of these formats stumble over.
PIECES = [
    b"", b"\x00", b"\n", b"\r", b"\t", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe2\x80\xa8", b"\xc2\x85",
    b"\xed\xa0\x80", b"<", b">", b"&", b"'", b'"', b"&#0;", b"&#xD800;", b"&#x110000;", b"&nbsp;",
    b"<![CDATA[", b"]]>", b"<![if", b"<!--", b"-->", b"<?", b"<!DOCTYPE x [", b'<!ENTITY a "b">',
    b'<!ENTITY % a SYSTEM "x">%a;', b"<seg>", b"</seg>", b"<doc>", b"</doc>", b"<refset>",
    b"</tstset>", b"<seg id=", b"<p/>", b'encoding="utf-16"', b'encoding="idna"', b"<script>",
    b"{", b"}", b"[" * 3000, b"null", b"NaN", b"1e999", b"9" * 5000, b'"\\ud800"', b'"\\u0000"',
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """`data` after a few cuts, insertions, changed bytes and repeated parts."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, len(data)))
        after = draw(st.sampled_from([start, start + 1, end, len(data)]))
        part = draw(st.sampled_from([*PIECES, data[start:end]]) | st.binary(max_size=3))
        data = data[:start] + part + data[after:]
    return data


def read_or_refuse(folder: Path, data: bytes, file_format: str) -> mt.Texts | None:
    path = folder / f"file.{SUFFIXES[file_format]}"
    path.write_bytes(data)
    found = None
    for systems in (path, None):
        try:
            found = mt.read_test_set(reference=path, systems=systems)
        except mt.MtsigError:
            continue
        columns = [*found.references, *found.hypotheses.values()]
        assert {len(column) for column in columns} == {found.n_segments}
    return found


fuzz = settings(
    max_examples=150,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("name", VALID)
def test_the_seeds_are_valid(tmp_path, name):
    """Otherwise the other tests would only damage what is refused anyway."""
    found = read_or_refuse(tmp_path, VALID[name], _format(name))
    assert found is not None
    assert found.n_segments in (2, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", VALID)
@fuzz
@given(data=st.data())
def test_damaged_files(tmp_path, name, data):
    read_or_refuse(tmp_path, data.draw(damaged(VALID[name])), _format(name))


@pytest.mark.parametrize("name", VALID)
def test_every_truncation(tmp_path, name):
    """A file that was cut off is refused where the format can tell."""
    data = VALID[name]
    for length in range(len(data)):
        found = read_or_refuse(tmp_path, data[:length], _format(name))
        if name in ("sgml", "xml") or "gzip" in name:
            assert found is None or data[length:].isspace()


def _format(name: str) -> str:
    return name.removesuffix(", gzip")


CONLLU = b"# sent_id = a\n1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n\n# sent_id = b\n\n"
#: What a run is made of, besides `PIECES`.
UNITS = [
    b" ", b"\t ", b"\n", b" \n", b"\r", b"\xc2\xa0", b"a", b"1", b"-", b"a ", b" a", b"a=", b"=",
    b"a='", b'a="', b"' ", b'" "', b"<a>", b"<seg> ", b"<seg>x", b"<seg id='1'>x</seg>",
    b"<doc><src>", b"</doc>", b"\ta", b"ref_", b'{"a":', b"#", b"# sent_id =",
]  # fmt: skip
LONG = 200_000
#: Of processor time: a reading takes some hundredths of one, and minutes in a quadratic reader.
SECONDS = 2


@pytest.mark.thorough
@pytest.mark.parametrize("file_format", [*SUFFIXES, "conllu"])
def test_time_grows_no_faster_than_a_run_of_anything(tmp_path, file_format):
    seed, read = VALID.get(file_format, CONLLU), read_texts if file_format in VALID else read_conllu
    path = tmp_path / f"file.{SUFFIXES.get(file_format, file_format)}"
    # Wherever one kind of character ends and another begins, a run means something else.
    edges = [found.end() for found in re.finditer(rb"\w+|\s+|[^\w\s]", seed)]
    rng = random.Random(14)
    for unit in [*UNITS, *filter(None, PIECES)]:
        run = unit * (LONG // len(unit))
        for at in [edges[0], edges[-1], *rng.sample(edges, 3)]:
            path.write_bytes(seed[:at] + run + seed[at:])
            started = time.process_time()
            with contextlib.suppress(mt.MtsigError):
                read(path)
            assert time.process_time() - started < SECONDS, (unit, at)


DEPTH = 100_000
DOCUMENTS = "".join(f"<doc id='{i}'><src>" for i in range(DEPTH))
NESTED = {
    "spaces in sgml": SGML.replace("B2", "B" + " " * DEPTH + "2"),
    "spaces in xml": XML.replace("Dogs", "Dog" + " " * DEPTH + "s"),
    "nested in sgml": SGML.replace("B2", "B2<seg>" * DEPTH),
    "nested in xml": XML.replace("Die", "<seg>Die" * DEPTH + "</seg>" * DEPTH),
    "nested documents in xml": (
        f"<dataset>{DOCUMENTS}<seg>x</seg>{'</src></doc>' * DEPTH}</dataset>"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", NESTED)
def test_time_grows_no_faster_than_spaces_or_depth(tmp_path, which):
    started = time.process_time()
    found = read_or_refuse(tmp_path, NESTED[which].encode(), which.split()[-1])
    assert time.process_time() - started < 5 * SECONDS
    assert (found is None) == which.startswith("nested")


@pytest.mark.parametrize("inside", [" \n ", "\t\r\n\n  ", "\n\u2028", " \r \r "])
def test_a_line_break_in_a_segment_is_one_space(tmp_path, inside):
    content = SGML.replace("B2", f" \u00a0 a {inside}b  c\u00a0{inside}")
    found = read_or_refuse(tmp_path, content.encode(), "sgml")
    assert found.hypotheses["B"][2] == "a b  c"


def test_a_segment_in_a_segment_is_refused(tmp_path):
    (tmp_path / "f.xml").write_text(XML.replace("Dogs", "D<seg>og</seg>s"), encoding="utf-8")
    with pytest.raises(mt.InputError, match=r"^'f\.xml': .*<seg>.*<seg>"):
        mt.read_test_set(reference=tmp_path / "f.xml")
