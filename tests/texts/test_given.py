"""Which files are meant, what their systems are called, and what is left out and said so."""

from __future__ import annotations

import io
import os
import types
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.texts.given import Given, files_below, given_files
from mtsig_nb.texts.naming import alike, names_after_paths, shown

from ..messages import naming

REFERENCE = ["The cat sleeps.", "It purrs.", "The dog barks."]
A = ["The cat sleeps.", "It purrs loudly.", "A dog barks."]
B = ["Cat sleep.", "", "Dog bark."]


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: list[str]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("".join(f"{line}\n" for line in content), encoding="utf-8")
        return path

    return write


def codes(texts: mt.Texts) -> list[str]:
    return [said.code for said in texts.notes]


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.txt", "b.txt.gz", "c.en"], ["a", "b", "c.en"]),
        (["elm/test.en", "oak/test.en"], ["elm", "oak"]),
        (["elm/test.en", "oak/test.en", "ash.txt"], ["elm", "oak", "ash"]),
        (["x/elm/out/t.txt", "x/oak/out/t.txt"], ["elm", "oak"]),
        (["elm/1/t.txt", "elm/2/t.txt", "oak/1/t.txt"], ["elm/1", "elm/2", "oak/1"]),
        (["elm/t.txt", "oak/t.txt.gz"], ["elm", "oak"]),
        (["out/t.txt", "out/t.tsv"], ["t.txt", "t.tsv"]),
        (["elm/t.txt", "elm/t.tsv", "oak/t.txt"], ["elm/t.txt", "elm/t.tsv", "oak/t.txt"]),
        (["elm/t.txt", "oak/t.txt", "elm.txt"], ["elm/t", "oak", "elm"]),
        (["t.txt", "elm/t.txt"], [Path.cwd().name, "elm"]),
    ],
)
def test_files_of_one_name_are_called_after_what_tells_their_paths_apart(paths, names):
    assert names_after_paths([Path(path) for path in paths]) == names
    assert len(set(names)) == len(names)


def test_systems_in_folders_are_called_after_them_and_the_test_set_says_so(write):
    paths = [write("elm/test.en", A), write("oak/test.en", B)]
    found = mt.read_test_set(reference=write("ref.txt", REFERENCE), systems=paths)
    assert found.systems == ("elm", "oak")
    assert codes(found) == ["named-after-folders"]


def test_systems_that_their_files_call_alike_are_called_after_the_files(write):
    def sgml(text: str) -> list[str]:
        segments = f'<seg id="1">{text}</seg><seg id="2">{text}</seg>'
        return [f'<tstset><doc sysid="primary" docid="d">{segments}</doc></tstset>']

    paths = [write("elm/out.sgm", sgml("a")), write("oak/out.sgm", sgml("b"))]
    found = mt.read_test_set(reference=write("ref.txt", A[:2]), systems=paths)
    assert found.hypotheses == {"elm": ("a", "a"), "oak": ("b", "b")}
    named = mt.read_test_set(
        reference=write("ref.txt", A[:2]), systems={"first": paths[0], "second": paths[1]}
    )
    assert named.systems == ("first", "second")


@pytest.mark.parametrize(
    "names", [("elm", "ELM"), ("elm 1", "elm1"), ("café", "cafe\u0301"), ("elm", "e\u200blm")]
)
def test_names_that_differ_in_what_is_hardly_seen(names):
    assert alike([*names, "oak"]) == [names]
    assert len({*shown(names)}) == 2
    texts = mt.Texts.from_texts(reference=REFERENCE, systems=dict.fromkeys(names, A) | {"oak": B})
    notes = mt.compare_all(mt.measure(texts, "BLEU", cache=False), interval=None).notes
    (said,) = [said for said in notes if said.code == "names-alike"]
    assert said.values["about"] == names


# --- what is meant and what is left out -----------------------------------------------------------


def test_the_reference_is_no_system_by_whatever_path(write, tmp_path):
    reference = write("out/ref.txt", REFERENCE)
    others = [write("out/a.txt", A), write("out/b.txt", B)]
    link = tmp_path / "out" / "human.txt"
    link.symlink_to(reference)
    given = [
        tmp_path / "out",
        [*others, reference],
        [*others, tmp_path / "out" / ".." / "out" / "ref.txt"],
        {"a": others[0], "b": others[1], "human": link},
    ]
    for systems in given:
        found = mt.read_test_set(reference=reference, systems=systems)
        assert found.systems == ("a", "b")
        assert set(codes(found)) == {"not-a-system"}
    # The score of the reference itself may be asked for.
    alone = mt.read_test_set(reference=reference, systems=reference)
    assert [said.code for said in alone.caveats] == ["copy-of-reference"]


def test_the_file_of_documents_is_no_system(write, tmp_path):
    write("out/a.txt", A)
    documents = write("out/docs.txt", ["d1", "d1", "d2"])
    found = mt.read_test_set(
        reference=write("ref.txt", REFERENCE), systems=tmp_path / "out", documents=documents
    )
    assert found.systems == ("a",)
    assert found.notes[0].values["what"] == "file of documents"


def test_tables_are_reference_and_systems_at_once(write):
    table = write("pets.tsv", ["reference\tA\tB", "a\tb\tc", "d\te\tf"])
    found = mt.read_test_set(reference=table, systems=table)
    assert found.systems == ("A", "B")
    assert not found.notes


def test_what_is_left_out_of_a_folder_is_named(write, tmp_path):
    for name in ("a.txt", "b.txt"):
        write(f"out/{name}", A)
    for name in ("README", "README.md", "run.log", "config.yaml", "old/a.txt", ".hidden"):
        write(f"out/{name}", ["something else"])
    found = mt.read_test_set(reference=write("ref.txt", REFERENCE), systems=tmp_path / "out")
    assert found.systems == ("a", "b")
    (said,) = found.notes
    assert said.code == "left-out-of-folder"
    for name in ("old/", "README", "README.md", "config.yaml", "run.log"):
        assert name in said
    assert ".hidden" not in said


def test_a_file_given_twice_is_taken_once_and_twice_under_two_names(write, tmp_path):
    a, reference = write("a.txt", A), write("ref.txt", REFERENCE)
    again = tmp_path / "." / ".." / tmp_path.name / "a.txt"
    found = mt.read_test_set(reference=reference, systems=[a, write("b.txt", B), again])
    assert found.systems == ("a", "b")
    assert codes(found) == ["given-twice"]
    assert mt.read_test_set(reference=reference, systems={"x": a, "y": a}).systems == ("x", "y")


def test_patterns_and_homes(write, tmp_path, monkeypatch):
    write("out/a.txt", A)
    write("out/b.txt", B)
    reference = write("ref.txt", REFERENCE)
    found = mt.read_test_set(reference=reference, systems=str(tmp_path / "out" / "*.txt"))
    assert found.systems == ("a", "b")
    with pytest.raises(mt.InputError, match=naming("*.en'", "no file")):
        mt.read_test_set(reference=reference, systems=str(tmp_path / "*.en"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert mt.read_test_set(reference="~/ref.txt", systems=["~/out/"]).systems == ("a", "b")
    # A file may be called like a pattern.
    odd = write("out/[a].txt", A)
    assert mt.read_test_set(reference=reference, systems=odd).systems == ("[a]",)


@pytest.mark.parametrize(
    ("argument", "files", "message"),
    [
        ("reference", "{folder}", "reference='{folder}' is a folder. Name the file in it."),
        ("documents", "{folder}", "documents='{folder}' is a folder. Name the file in it."),
        ("systems", {"one": "{folder}"}, "systems: 'one' is a name for one file, and '{folder}'"),
        ("systems", "{folder}/deeper", "systems: the folder '{folder}/deeper' has no file with an"),
        ("systems", 7, "systems=7: give the path of a file, or of a folder with files; several"),
        ("systems", {}, "systems={}: give the path of a file, or of a folder with files; several"),
    ],
)
def test_what_cannot_be_meant(write, tmp_path, argument, files, message):
    folder = str(tmp_path / "out")
    write("out/a.txt", A)
    write("out/b.txt", B)
    write("out/deeper/README.md", A)
    if isinstance(files, str):
        files = files.replace("{folder}", folder)
    elif isinstance(files, dict):
        files = {name: path.replace("{folder}", folder) for name, path in files.items()}
    with pytest.raises(mt.InputError) as caught:
        given_files(argument, files)
    assert str(caught.value).startswith(message.replace("{folder}", folder))


def test_names_and_files_in_one_list(tmp_path):
    listing = [Given("x", tmp_path / "a"), Given(None, tmp_path / "b")]
    assert given_files("systems", listing) == (listing, [])


@pytest.fixture
def piped(monkeypatch):
    """Put lines into standard input."""

    def piped(lines: list[str]) -> None:
        stream = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        monkeypatch.setattr("sys.stdin", types.SimpleNamespace(buffer=stream))

    return piped


def test_standard_input_is_a_system_or_the_reference_and_read_once(write, piped):
    a, reference = write("a.txt", A), write("ref.txt", REFERENCE)
    piped(B)
    for _ in range(2):  # it is known from then on
        found = mt.read_test_set(reference=reference, systems=[a, "-"])
        assert found.hypotheses == {"a": tuple(A), "stdin": tuple(B)}
    piped(REFERENCE)
    assert mt.read_test_set(reference="-", systems={"b": a}).references == (tuple(REFERENCE),)
    with pytest.raises(mt.InputError, match=r"^Standard input \(-\).*systems.*once"):
        mt.read_test_set(reference="-", systems=[a, "-"])


@pytest.mark.skipif(os.name != "posix", reason="POSIX's links")
def test_all_files_below_a_folder_but_for_pages(write, tmp_path):
    write("logs/a.json", ["{}"])
    write("logs/deep/er/b.jsonl", ["{}"])
    write("logs/report.html", ["<html>"])
    outside = write("elsewhere/c.json", ["{}"])
    (tmp_path / "logs" / "linked").symlink_to(outside.parent)
    for loop in ("logs/loop", "logs/deep/loop"):
        (tmp_path / loop).symlink_to(tmp_path / "logs")
    found = {path.name for path in files_below(tmp_path / "logs")}
    assert found == {"a.json", "b.jsonl", "c.json"}
    assert files_below(outside) == [outside]
