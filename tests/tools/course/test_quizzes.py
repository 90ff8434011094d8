"""Questions for learning platforms: what a platform reads is what the course asks."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
import zipfile

import pytest

from tools.course import notebook_files as files
from tools.course import quizzes

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
CARTRIDGE = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"
QTI12 = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
ADDRESS = "https://course.example.org/pages/"
PACKAGING = "{http://www.imsglobal.org/xsd/imscp_v1p1}"


@pytest.fixture(scope="module")
def asked():
    return [*quizzes.of_inventory(), *quizzes.of_units()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quizzes")
    assert quizzes.main(["--to", str(folder), "--address", ADDRESS]) == 0
    return folder


def words(element) -> str:
    return " ".join("".join(element.itertext()).split())


def shown(html) -> str:
    """The words of a piece of HTML, as a platform shows them."""
    return words(ElementTree.fromstring(f"<p>{html}</p>"))


def said(markdown) -> str:
    return shown(quizzes.html(markdown))


def test_every_question_of_the_course_is_there(asked):
    names = [question.name for question in asked]
    assert len(set(names)) == len(names) == len(quizzes.inventory.read().items) + 3 * 37
    for question in asked:
        assert [choice.right for choice in question.choices].count(True) == 1, question.name
        texts = [text for choice in question.choices for text in (choice.text, choice.feedback)]
        assert all(text.strip() for text in (question.stem, question.answer, *texts))


def test_moodle_reads_keys_points_and_feedback(asked, folder):
    quiz = ElementTree.parse(folder / "questions.xml").getroot()
    read = quiz.findall("question[@type='multichoice']")
    for question, found in zip(asked, read, strict=True):
        named = [found.findtext(name) for name in ("name/text", "defaultgrade", "single")]
        assert named == [question.name, "1", "true"]
        assert shown(found.findtext("questiontext/text")) == said(question.stem)
        for choice, answer in zip(question.choices, found.findall("answer"), strict=True):
            assert answer.get("fraction") == ("100" if choice.right else "0")
            assert answer.findtext("text") == quizzes.html(choice.text)
            assert answer.findtext("feedback/text") == quizzes.html(choice.feedback)


def test_a_qti_package_lists_all_its_items(asked, folder):
    with zipfile.ZipFile(folder / "questions-qti.zip") as package:
        manifest = ElementTree.fromstring(package.read("imsmanifest.xml"))
        listed = [file.get("href") for file in manifest.iter(f"{PACKAGING}file")]
        assert sorted([*listed, "imsmanifest.xml"]) == sorted(package.namelist())
        for question in asked:
            item = ElementTree.fromstring(package.read(f"items/{question.identifier}.xml"))
            (right,) = item.iter(f"{QTI}correctResponse")
            offered = {c.get("identifier"): words(c) for c in item.iter(f"{QTI}simpleChoice")}
            feedback = {f.get("identifier"): words(f) for f in item.iter(f"{QTI}modalFeedback")}
            for (letter, text), choice in zip(offered.items(), question.choices, strict=True):
                assert text == said(choice.text)
                assert (letter == words(right)) == choice.right
                assert feedback[letter].startswith(said(choice.feedback))


def outline(package):
    """What stands in each folder, titles with resources; and the files of each resource."""
    manifest = ElementTree.fromstring(package.read("imsmanifest.xml"))
    (course,) = manifest.findall(f".//{CARTRIDGE}organization/{CARTRIDGE}item")
    folders = {
        folder.findtext(f"{CARTRIDGE}title"): {
            item.findtext(f"{CARTRIDGE}title"): item.get("identifierref")
            for item in folder.findall(f"{CARTRIDGE}item")
        }
        for folder in course.findall(f"{CARTRIDGE}item")
    }
    places = {
        one.get("identifier"): [file.get("href") for file in one.iter(f"{CARTRIDGE}file")]
        for one in manifest.iter(f"{CARTRIDGE}resource")
    }
    needed = {one.get("identifierref") for one in manifest.iter(f"{CARTRIDGE}dependency")}
    assert needed <= set(places)
    return folders, places


def test_a_cartridge_has_the_parts_links_to_units_and_their_questions(folder):
    with zipfile.ZipFile(folder / "course.imscc") as package:
        folders, places = outline(package)
        everything = [one for files in places.values() for one in files]
        assert sorted([*everything, "imsmanifest.xml"]) == sorted(package.namelist())
        first, *parts = folders
        assert folders[first] == {"Concept inventory": "test-1"}
        assert parts == [part.heading for part in files.parts()]
        names = {title: name for part in parts for title, name in folders[part].items()}
        for unit in (quizzes.Unit.of(path) for path in files.series()):
            page, test = (
                ElementTree.fromstring(package.read(places[names[title]][0]))
                for title in (unit.title, f"Check yourself: {unit.title}")
            )
            (address,) = (one.get("href") for one in page if one.get("href"))
            assert address == f"{ADDRESS}{unit.page}"
            assert test.find(f"{QTI12}assessment").get("title") == unit.title


@pytest.mark.parametrize("name", ["course.imscc", "questions-qti12.zip"])
def test_qti_1_2_has_the_key_and_what_each_answer_is_told(asked, folder, name):
    with zipfile.ZipFile(folder / name) as package:
        tests = [one for one in package.namelist() if one.startswith("tests/")]
        assert f'href="{tests[-1]}"'.encode() in package.read("imsmanifest.xml")
        read = [
            item
            for test in tests
            for item in ElementTree.fromstring(package.read(test)).iter(f"{QTI12}item")
        ]
    for question, item in zip(asked, read, strict=True):
        feedback = item.findall(f"{QTI12}itemfeedback")
        told = {one.get("ident"): shown(words(one)) for one in feedback}
        assert told.pop("general_fb") == said(question.answer)
        general, *answers = item.iter(f"{QTI12}respcondition")
        assert general.get("continue") == "Yes"
        labels = list(item.iter(f"{QTI12}response_label"))
        for choice, label, answer in zip(question.choices, labels, answers, strict=True):
            assert shown(words(label)) == said(choice.text)
            assert answer.findtext(f".//{QTI12}varequal") == label.get("ident")
            assert (answer.findtext(f"{QTI12}setvar") == "100") is choice.right
            (link,) = answer.iter(f"{QTI12}displayfeedback")
            assert told[link.get("linkrefid")] == said(choice.feedback)


def test_without_an_address_the_pages_are_inside_with_all_that_they_load(
    asked, tmp_path, monkeypatch
):
    unit = files.series()[2]
    monkeypatch.setattr(files, "series", lambda: [unit])
    quizzes.write_cartridge(tmp_path / "course.imscc", asked)
    with zipfile.ZipFile(tmp_path / "course.imscc") as package:
        _, places = outline(package)
        (page,) = places["unit-0"]
        text = package.read(page).decode()
        assert "What chance can do" in text
        assert "image/png;base64" in text
        needed = {"index.html", "guess.js", "mathjax/MathJax.js", "docs/glossary.html"}
        shared = set(places["shared"])
        assert {f"pages/{one}" for one in needed} <= shared <= set(package.namelist())
