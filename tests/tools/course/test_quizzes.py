"""Questions for learning platforms: what a platform reads is what the course asks."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
import zipfile

import pytest

from tools.course import quizzes

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
PACKAGING = "{http://www.imsglobal.org/xsd/imscp_v1p1}"


@pytest.fixture(scope="module")
def asked():
    return [*quizzes.of_inventory(), *quizzes.of_units()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quizzes")
    assert quizzes.main(["--to", str(folder)]) == 0
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
    assert len(set(names)) == len(names) == len(quizzes.inventory.read().items) + 3 * 40
    for question in asked:
        assert [choice.right for choice in question.choices].count(True) == 1, question.name
        texts = [text for choice in question.choices for text in (choice.text, choice.feedback)]
        assert all(text.strip() for text in (question.stem, question.answer, *texts))


@pytest.mark.takes_time
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


@pytest.mark.takes_time
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
