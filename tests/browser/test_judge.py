"""Be the judge in Chromium: what the reader says becomes a statistic, a p-value and a code."""

from __future__ import annotations

import gzip
import itertools
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import mtsig_nb as mt
from mtsig_nb.teaching import be_the_judge, read_codes

from ..messages import naming
from ..plots.test_classroom import class_of
from .accessibility import assert_accessible
from .pages import cells_of, in_jupyterlab, said, show

DATA = Path(__file__).parents[3] / "shared" / "data" / "wmt23" / "zh-en"


def judge_all(page, data, decide) -> list[str]:
    """Answer every question as `decide` says of an item; the answers in the items' order."""
    given = {}
    by_reference = {" ".join(item["reference"].split()): item for item in data["items"]}
    for _ in by_reference:
        head = f"{data['said']}: "
        shown = page.locator(".mtsig-judge p", has_text=head).first.inner_text()
        reference = " ".join(shown.removeprefix(head).split())
        item = by_reference[reference]
        wanted = given[reference] = decide(item)
        first = page.locator(".mtsig-judge .outputs p").first.text_content()
        place = "first" if wanted == data["names"][item["outputs"].index(first)] else "second"
        button = "No difference" if wanted == "no difference" else f"The {place} is better"
        page.get_by_role("button", name=button).click()
    return list(map(given.get, by_reference))


def better(names):
    return lambda item: ["no difference", names[1], names[0]][item["worse"]]


def test_answers_become_p_a_machine_and_a_code(page):
    quiz = be_the_judge()
    show(page, quiz)
    assert_accessible(page)
    answers = judge_all(page, quiz.data, better(quiz.data["names"]))
    found = said(page)
    ash, birch = answers.count("Ash"), answers.count("Birch")
    assert float(found["p"]) == pytest.approx(binomtest(ash, ash + birch).pvalue)
    (row,) = read_codes([found["code"]]).to_numpy().tolist()
    assert row == answers
    page.locator(".mtsig-judge summary").first.click()
    assert page.locator(".mtsig-judge details[open] p").count() == 2  # both outputs
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert_accessible(page)
    text = page.locator(".mtsig-judge").inner_text()
    assert re.search(naming(f"Ash {ash} ", f"Birch {birch} "), text)
    assert re.search(naming("better output", f" {ash + birch} of "), text)
    page.get_by_role("button", name="All 10,000").click()
    page.wait_for_function("document.querySelector('.mtsig-judge [data-n]').dataset.n === '10000'")
    machine = said(page, ".mtsig-judge [data-n]")
    # The package's own coins, on the same preferences.
    ours = np.array([a == "Ash" for a in answers if a != "no difference"], dtype=float)
    frame = pd.DataFrame({"Ash": ours, "Birch": 1 - ours}).rename_axis("segment").reset_index()
    shares = mt.from_segment_scores(frame.melt("segment", var_name="system", value_name="score"))
    expected = mt.approximate_randomization(shares, "Ash", "Birch", exact=False, rng=2014)
    assert int(machine["count"]) == expected.count
    assert page.said == []


def test_a_reload_loses_no_answer(page, tmp_path):
    quiz = be_the_judge()
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><meta charset='utf-8'><body>{quiz._repr_html_()}")
    page.goto(path.as_uri())
    for _ in range(5):
        page.get_by_role("button", name="No difference").click()
    page.reload()
    for _ in range(5, len(quiz.data["items"])):
        page.get_by_role("button", name="The first is better").click()
    code = page.locator(".mtsig-judge code").text_content()
    page.reload()
    assert page.locator(".mtsig-judge code").text_content() == code
    (row,) = read_codes([code]).to_numpy().tolist()
    assert row.count("no difference") == 5
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Judge again").click()
    assert page.locator(".mtsig-judge code").count() == 1, "it asks first"
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Judge again").click()
    assert page.get_by_text(f"1 of {len(quiz.data['items'])}").is_visible()


def test_one_can_go_back_and_change_an_answer_and_the_code_follows(page, tmp_path):
    quiz = be_the_judge()
    path = tmp_path / "page.html"
    path.write_text(
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Judge</title><main>"
        f"<h1>Judge</h1>{quiz._repr_html_()}</main>"
    )
    page.goto(path.as_uri())
    n_items = len(quiz.data["items"])
    same, first = (
        page.get_by_role("button", name=name) for name in ("No difference", "The first is better")
    )
    back, forward = (page.get_by_role("button", name=name) for name in ("Back", "Forward"))
    assert back.count() == 0
    for _ in range(4):
        same.click()
    assert forward.count() == 0, "what has no answer is not passed over"
    for number in (4, 3):
        back.press("Enter")
        heading = page.locator(".mtsig-judge h2")
        assert heading.inner_text() == f"{number} of {n_items}"
        assert page.evaluate("document.activeElement.tagName") == "H2"
    assert same.get_attribute("aria-pressed") == "true"
    assert_accessible(page)
    first.click()
    assert same.get_attribute("aria-pressed") == "true", "the fourth pair is as it was"
    page.reload()
    assert page.get_by_text(f"5 of {n_items}").is_visible(), "going back takes no answer away"
    back.click()
    back.click()
    assert first.get_attribute("aria-pressed") == "true"
    forward.click()
    forward.click()
    for _ in range(4, n_items - 1):
        same.click()
    back.click()
    first.click()
    same.click()
    (row,) = read_codes([said(page)["code"]]).to_numpy().tolist()
    assert row.count("no difference") == n_items - 2
    kept = page.evaluate("JSON.parse(Object.values(localStorage)[0])")
    preferred = {place for place, answer in enumerate(row) if answer != "no difference"}
    assert preferred == {kept["order"][2], kept["order"][n_items - 2]}
    for place in preferred:
        assert row[place] == quiz.data["names"][1 if kept["turned"][place] else 0]
    assert page.said == []


@pytest.mark.thorough
def test_in_jupyterlab_a_reader_judges_and_a_class_is_drawn(page, tmp_path):
    quiz = be_the_judge()
    codes = class_of(30, np.random.default_rng(1))
    unit = cells_of(
        "from mtsig_nb.teaching import be_the_judge, classroom\nbe_the_judge()",
        f"figure = classroom({codes})",
    )
    with in_jupyterlab(page, tmp_path, unit):
        page.locator(".jp-OutputArea-output img").first.wait_for()
        answers = judge_all(page, quiz.data, better(quiz.data["names"]))
        code = said(page)["code"]
    (row,) = read_codes([code]).to_numpy().tolist()
    assert row == answers


@pytest.fixture
def home(tmp_path):
    """WMT23's texts as their public home has them: lines that nobody rated between the rated."""
    if not DATA.exists():
        pytest.skip("needs the texts of WMT23, which are not in the repository")
    names = {"reference": "ref.A.en", "source": "src.zh"}
    for text in mt.load("wmt23/zh-en").texts:
        name = names.get(text["role"], f"hyp/{text['label']}")
        rated = iter(gzip.decompress((DATA / f"{name}.txt.gz").read_bytes()).decode().split("\n"))
        lines = ["not rated"] * 2000
        for first, last in (map(int, run.split("-")) for run in text["lines"].split(",")):
            lines[first - 1 : last] = itertools.islice(rated, last - first + 1)
        path = tmp_path / "home" / text["repository"] / text["commit"] / text["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path / "home")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_real_outputs_meet_three_professionals(page, home, tmp_path):
    options = {"cache": tmp_path / "cache", "n_resamples": 500}
    quiz = be_the_judge("wmt23/zh-en", home=home, **options)
    assert quiz == be_the_judge("wmt23/zh-en", home="nowhere", **options)
    data, names = quiz.data, ["GPT4-5shot", "HW-TSC"]
    assert (data["names"], len(data["items"])) == (names, 20)
    people = mt.load("wmt23/zh-en").human.matrix().loc[names]
    texts = mt.fetch_texts("wmt23/zh-en", cache=tmp_path / "cache")
    for item in data["items"]:
        segment = texts.source.index(item["source"])
        first, second = people[segment]
        assert item["worse"] == (0 if first == second else 1 if first < second else 2)
        assert len(item["fault"].split(", ")) == 5  # three raters of each
        assert len(item["raters"]) == 3
    show(page, quiz)
    answers = judge_all(page, data, better(names))
    code = said(page)["code"]
    assert read_codes([code], quiz).iloc[0].tolist() == answers
    with pytest.raises(mt.InputError, match="of this page"):
        read_codes([code])
    n = sum(item["worse"] > 0 for item in data["items"])
    text = page.locator(".mtsig-judge").inner_text()
    assert re.search(naming("as worse", f" {n} of "), text)
    assert re.search(naming("better output", f" {n} of "), text)
    beside_each_rater(page, data, [[*names, "no difference"].index(each) + 1 for each in answers])
    assert page.said == []


def beside_each_rater(page, data, answers):
    """The table has a row for each who judged one of the pairs, computed here from the marks."""
    rows = page.locator(".mtsig-judge table").nth(0).locator("tr").all_inner_texts()[1:]
    shown = {cells[0]: cells[1:] for cells in (row.split("\t") for row in rows)}
    pairs = list(zip(data["items"], answers, strict=True))
    assert set(shown) == {rater for item, _ in pairs for rater in item["raters"]}
    for rater, cells in shown.items():
        both = [(item["raters"][rater], mine) for item, mine in pairs if rater in item["raters"]]
        leads = np.array([0, 1, -1, 0])[np.array(both)].mean(axis=0)
        alike = sum(theirs == mine for theirs, mine in both)
        assert cells[:2] == [str(len(both)), str(alike)]
        assert [float(cell.replace("−", "-")) for cell in cells[2:]] == pytest.approx(
            leads, abs=0.006
        )


def test_campaigns_without_raters_and_too_many_items_are_refused(home, tmp_path):
    with pytest.raises(mt.InputError, match="who rated"):
        be_the_judge("wmt12/es-en")
    with pytest.raises(mt.InputError, match=r"^n_items=400: .* 3\d\d "):
        be_the_judge("wmt23/zh-en", n_items=400, home=home, cache=tmp_path)
    with pytest.raises(mt.InputError, match="'Yishu' is"):
        be_the_judge("wmt23/zh-en", ("Yishu", "HW-TSC"))


def test_the_order_of_systems_and_items_is_dealt_anew(page):
    firsts = []
    for _ in range(4):
        show(page, be_the_judge(n_resamples=500))
        page.get_by_role("button", name="No difference").wait_for()
        firsts.append(page.locator(".mtsig-judge").inner_text())
    assert len(set(firsts)) > 1


def test_metric_and_faults_of_the_items():
    data = be_the_judge(n_resamples=500).data
    assert len(data["items"]) == 24
    assert sorted(item["worse"] for item in data["items"]) == [0] * 4 + [1] * 6 + [2] * 14
    for item in data["items"]:
        assert (item["fault"] == "none") == (item["worse"] == 0)
        assert len({item["reference"], *item["outputs"]}) == 3


@pytest.mark.parametrize("code", ["", "N3VGN3VGN2", "N3VGN3VGN2R", "N3VGN3VG1QQ", "hello"])
def test_a_mistyped_code_is_named_with_its_place_and_left_out(code):
    with pytest.warns(UserWarning, match=naming("number 2", f"{code!r}", "this page")):
        table = read_codes(["n3vgn3vgn2q", code, "N3VGN3VGN2Q"])
    assert table.index.tolist() == [0, 2]
    assert table.loc[0].tolist() == table.loc[2].tolist()
    with pytest.raises(mt.InputError, match="number 1"):
        read_codes([code])
