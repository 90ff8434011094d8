"""Plain text: ends of lines, tabs, several references in a line, and lengths that differ."""

from __future__ import annotations

import re

import pytest

import mtsig_nb as mt

from ..messages import naming

REFERENCE = ["The cat sleeps.", "It purrs.", "The dog barks."]
A = ["The cat sleeps.", "It purrs loudly.", "A dog barks."]


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: str | list[str]):
        if isinstance(content, list):
            content = "".join(f"{line}\n" for line in content)
        (tmp_path / name).write_bytes(content.encode())
        return tmp_path / name

    return write


def error_of(**given) -> str:
    with pytest.raises(mt.InputError) as caught:
        mt.read_test_set(**given)
    return str(caught.value)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("\n", None),
        ("\r\n", None),
        ("\r", "CR alone"),
        ("\r\r\n", "CR CR LF"),
        ("\r\r\r\n", "CR CR LF"),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_however_lines_end(write, end, said, last):
    given = end.join(A) + end * last
    found = mt.read_test_set(reference=write("ref.txt", REFERENCE), systems=write("a.txt", given))
    assert found.hypotheses["a"] == tuple(A)
    assert [note.values["ends"] for note in found.notes] == ([] if said is None else [said])


def test_windows_and_unix_mixed(write):
    given = "The cat sleeps.\r\nIt purrs loudly.\nA dog barks."
    found = mt.read_test_set(reference=write("ref.txt", REFERENCE), systems=write("a.txt", given))
    assert found.hypotheses["a"] == tuple(A)


def test_an_output_of_blank_lines_is_a_system_that_failed(write):
    reference = write("ref.txt", REFERENCE)
    texts = mt.read_test_set(
        reference=reference, systems=[write("a.txt", A), write("nothing.txt", "\n \n\n")]
    )
    assert [said.code for said in texts.caveats] == ["empty-outputs"]
    for metric, worst in (
        ("BLEU", 0.0),
        ("chrF", 0.0),
        ("TER", 100.0),
        ("NIST", 0.0),
        ("GTM", 0.0),
    ):
        scores = mt.measure(texts, metric, cache=False).scores()
        assert scores["nothing"] == worst
        assert scores.index[-1] == "nothing"
    said = error_of(reference=write("blank.txt", "\n\n\n"), systems=reference)
    assert re.search(naming("reference in 'blank.txt'", "all 3 segments", "empty", "Give"), said)
    said = error_of(reference=write("no.txt", ""), systems=reference)
    assert re.search(naming("'no.txt'", "empty", "no bytes"), said)


# --- several references ---------------------------------------------------------------------------


def test_several_references_in_a_line(write):
    lines = [f"{one}\t{two}" for one, two in zip(REFERENCE, A, strict=True)]
    a = write("a.txt", A)
    for name in ("refs.txt", "refs.tsv"):
        found = mt.read_test_set(reference=write(name, lines), systems=a, n_references=2)
        assert found.references == (tuple(REFERENCE), tuple(A))
    lines[1] = "It purrs.\t"
    found = mt.read_test_set(reference=write("refs.txt", lines), systems=a, n_references=2)
    assert found.references[1] == (A[0], "", A[2])
    lines[1] = "It purrs."
    said = error_of(reference=write("refs.txt", lines), systems=a, n_references=2)
    assert re.search(naming("'refs.txt', line 2", "1 fields", "n_references"), said)
    said = error_of(reference=a, systems=a, n_references=0)
    assert said.startswith("n_references=0 ")


def test_columns_are_not_taken_for_a_text(write):
    lines = [f"{one}\t{two}" for one, two in zip(REFERENCE, A, strict=True)]
    said = error_of(reference=write("refs.txt", lines), systems=write("a.txt", A))
    assert re.search(naming("'refs.txt'", "2 columns", "tabs"), said)
    assert "n_references=2 (--num-refs 2)" in said
    # A tab here and there belongs to the text.
    lines[0] = REFERENCE[0]
    found = mt.read_test_set(reference=write("refs.txt", lines), systems=write("a.txt", A))
    assert found.references == (tuple(lines),)


def test_a_reference_that_is_missing_in_places(write):
    first, second = ["a b c d", "e f g", "h i j k"], ["a c b d", "", "h j"]
    output = ["a b d", "e g f", "h i k"]
    files = [write("1.txt", first), write("2.txt", second)]
    texts = mt.read_test_set(reference=files, systems=write("a.txt", output))
    assert texts.references == (tuple(first), tuple(second))
    assert [said.code for said in texts.caveats] == ["references-missing"]
    from_lists = mt.Texts.from_texts(
        reference=[first, ["a c b d", None, "h j"]], systems={"a": output}
    )
    assert from_lists.references == texts.references


# --- numbers of lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([*A, ""], "the last line is blank in system 'a' in 'a.txt': remove what is blank there."),
        ([*A, "", " "], "the last 2 lines are blank in system 'a' in 'a.txt': remove what is"),
        ([line for text in A for line in (text, "")], "every second line is blank in system 'a'"),
        ("The cat sleeps.\rIt purrs loudly.\nA dog barks.\n", "some lines end with CR alone in sy"),
        ("The cat sleeps.\u2028It purrs loudly.\nA dog barks.\n", "there would be 3 if U+2028, U+"),
        ("The cat sleeps.\fIt purrs loudly.\nA dog barks.\n", "there would be 3 if U+2028, U+0085"),
        (A[:2], "look for a line missing or broken in two."),
    ],
)  # fmt: skip
def test_why_there_is_another_number_of_lines(write, content, reason):
    files = {"reference": write("ref.txt", REFERENCE), "systems": [write("b.txt", A)]}
    files["systems"].append(write("a.txt", content))
    assert reason in error_of(**files)


def test_a_blank_last_line_of_the_reference(write):
    systems = [write("a.txt", A), write("b.txt", A)]
    said = error_of(reference=write("ref.txt", [*REFERENCE, ""]), systems=systems)
    assert re.search(naming("last line", "blank", "reference in 'ref.txt'"), said)
