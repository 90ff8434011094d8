"""The report: one HTML file with figures and a verdict that asks nothing of the network."""

from __future__ import annotations

import base64
import html
import re

import lxml.html
import pytest

import mtsig_nb as mt
from mtsig_nb.outcomes.verdicts import verdict
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.report.page import report_page
from mtsig_nb.tables import printed_pvalue

from ..messages import naming, printed
from ..worse_and_worse import write_texts

HOSTILE = "<script>alert(1)</script>&_#$%"


@pytest.fixture
def analysis(tmp_path, monkeypatch):
    """Three systems in a table, one of them with a name that means harm."""
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    write_texts(tmp_path)
    return Analysis(
        references=["ref.txt"],
        systems=["good.txt", "fair.txt", f"{HOSTILE}\"'\\n=poor.txt"],
        metrics=["BLEU", "TER"],
        n_resamples=500,
    )


@pytest.mark.slow
def test_a_report_is_whole_in_itself(analysis):
    source = report_page(analysis.run(), title="Mine & yours")
    page = lxml.html.fromstring(source)
    text = page.text_content()

    assert not page.xpath("//script | //link")
    assert not re.search(r"@import|url\(", source)
    assert all(a.startswith(("data:", "#")) for a in page.xpath("//@src | //@href | //@data"))

    figures = page.xpath("//img")
    assert len(figures) == 4  # a heatmap and clusters for each metric
    for figure in figures:
        kind, data = figure.get("src").split(",")
        assert kind == "data:image/svg+xml;base64"
        assert b"<svg" in base64.b64decode(data)
        assert figure.get("alt")

    comparisons = analysis.compare()
    for metric in ("BLEU", "TER"):
        assert verdict(comparisons, metric=metric) in text
    for p in comparisons.table["pvalue_adjusted"]:
        assert printed_pvalue(p) in text
    assert HOSTILE in text
    assert html.escape(HOSTILE) in source
    assert "<title>Mine &amp; yours</title>" in source
    assert "Mine & yours" in text
    assert analysis.code() in text
    assert "default-src 'none'; img-src data:" in source


CLOSE = {"campaign": "wmt12/es-en", "systems": ["onlineC", "onlineD"], "n_resamples": 500}
NOT_SETTLED_BY_10_000 = {"systems": ["uk-dan-moses", "onlineF"], "n_resamples": None}


@pytest.mark.takes_time
@pytest.mark.parametrize(
    "settings", [{}, {"test": "bootstrap"}, {"test": "paired-bootstrap"}, NOT_SETTLED_BY_10_000]
)
def test_a_pair_is_drawn_with_the_p_value_of_its_table(settings):
    found = Analysis(metrics=["BLEU", "TER"], **CLOSE | settings).run()
    drawn = [found.pair_tests[metric].pvalue for metric in ("BLEU", "TER")]
    assert drawn == found.comparisons.table["pvalue"].tolist()
    images = lxml.html.fromstring(report_page(found)).xpath("//img")
    assert [image.get("alt")[:13] for image in images] == ["Histogram of "] * 2


@pytest.mark.filterwarnings("always")
def test_a_report_on_scores_lists_the_columns_and_has_its_warnings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{s},{i},{i % 5 + gain},{i % 3}" for s, gain in (("a", 0), ("b", 1)) for i in range(60)
    ]
    (tmp_path / "s.csv").write_text("\n".join(["system,segment,MQM,judge", *rows]))
    with pytest.warns(UserWarning, match=naming("'MQM'", "higher-is", "MQM:lower")) as warned:
        source = report_page(Analysis(scores="s.csv", n_resamples=200).run())
    text = lxml.html.fromstring(source).text_content()
    assert re.search(naming("s.csv: MQM (higher ", "not used", "judge ("), text)
    direction, *_ = printed(text, "direction")
    assert direction["name"].endswith("'MQM'")
    assert direction["taken"] == "higher"
    assert "UserWarning" not in text  # which would come with a path of this machine
    assert len(warned) == 1  # and it is shown as ever


@pytest.mark.takes_time
def test_a_name_that_is_not_utf8_stands_there_as_python_writes_it(analysis):
    page = report_page(analysis.run(), title="caf\udce9")
    assert "<title>caf\\udce9</title>" in page


def test_verdicts_claim_no_equality():
    systems = mt.load("wmt12/es-en").statistics("BLEU")
    pair = mt.compare_all(systems.select(["onlineC", "onlineD"]), n_resamples=500, rng=1)
    said = verdict(pair)
    assert re.match(naming("BLEU: no difference", "onlineD and onlineC"), said)
    assert re.search(naming("not show", "equally good."), said)
    low, high = pair.table.loc[0, ["ci_low", "ci_high"]]
    assert f"{low:+.2f} to {high:+.2f}" in said
