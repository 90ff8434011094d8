"""Embedded campaigns: all there, readable, and the figures that others recorded or published."""

import csv
import hashlib
import itertools
import re
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.campaigns.data_files import campaign_names, description

from ..in_turn import in_turn

ROOT = Path(__file__).parents[2]
DATASETS = ROOT / "datasets"
SOURCES = (DATASETS / "building" / "sources.toml").read_text(encoding="utf-8")
VERSION = tomllib.loads(SOURCES)["version"]
NAMES = campaign_names()
#: Those whose texts are public, and those that are scores by models.
SCORED = [name for name in NAMES if name.startswith("wmt25/")]
MEASURED = [name for name in NAMES if name not in SCORED]

#: The pairs with texts that the project promises.
PROMISED = {
    *("wmt12/es-en", "wmt12/en-es", "wmt12/de-en", "wmt12/fr-en", "wmt12/cs-en"),
    *("wmt13/es-en", "wmt13/de-en", "wmt13/fr-en", "wmt13/cs-en", "wmt13/en-es", "wmt13/ru-en"),
    *("wmt17/en-de", "multeval/en", "wmt21/en-de", "wmt21/zh-en"),
    *("wmt21/cs-en", "wmt21/de-en", "wmt21/is-en", "wmt21/ja-en", "wmt21/ru-en"),
    *("wmt22/de-en", "wmt22/ja-en", "wmt22/ru-en", "wmt22/zh-en", "wmt22/en-de", "wmt22/en-ru"),
    *("wmt23/zh-en", "wmt23/en-de", "wmt24/en-cs", "wmt24/en-ja", "wmt24/en-zh"),
}
#: People rated these by error span annotation.
ESA = [name for name in NAMES if name.startswith("wmt24/")]
JUDGES = ("GEMBA-ESA-CMDA", "GEMBA-ESA-GPT4.1")


def test_every_promised_campaign_is_there():
    assert set(NAMES) >= PROMISED
    assert len(SCORED) == 29
    assert [name for name in NAMES if not mt.load(name).texts] == SCORED


def test_list_campaigns_has_one_row_for_each():
    table = mt.list_campaigns()
    assert list(table["name"]) == list(NAMES)
    assert (table["campaign"] + "/" + table["pair"] == table["name"]).all()
    by_name = table.set_index("name")
    es_en = by_name.loc["wmt12/es-en"]
    assert (es_en["systems"], es_en["segments"], es_en["documents"]) == (12, 3003, 99)
    assert "1141 tasks" in es_en["human"]
    assert by_name["documents"].isna()["wmt17/en-de"]


@pytest.mark.slow
@in_turn("name", MEASURED)
def test_campaign_loads_with_consistent_shapes(name):
    campaign = mt.load(name)
    assert len(set(campaign.systems)) == len(campaign.systems)
    assert campaign.documents is None or campaign.documents.shape == (campaign.n_segments,)
    assert name in repr(campaign)
    least = {"BLEU", "chrF", "TER", "NIST", "METEOR", "GTM"}
    assert set(campaign.metrics) >= (least if name not in ESA else {"BLEU", "chrF", "chrF++"})
    for row in description(name)["statistics"]:
        references = row["references"]
        stats = campaign.statistics(row["label"], references=references, **row["settings"])
        assert stats.systems == campaign.systems
        assert stats.n_segments == campaign.n_segments
        assert stats.n_references == len(references.split("+"))
        scores = stats.scores()
        assert (scores >= 0).all()
        assert scores.nunique() > 1


@pytest.mark.takes_time
@in_turn("name", SCORED)
def test_scores_of_models_load_with_consistent_shapes(name):
    campaign = mt.load(name)
    assert set(campaign.metrics) >= {"MetricX", "XCOMET", "CometKiwi", *JUDGES}
    assert campaign.documents.shape == campaign.domains.shape == (campaign.n_segments,)
    assert pd.Series(campaign.domains).groupby(campaign.documents).nunique().max() == 1
    n_segments = set()
    for metric in campaign.metrics:
        stats = campaign.statistics(metric, missing="leave-out")
        n_segments.add(stats.n_segments)
        assert stats.systems == campaign.systems
        assert stats.label == metric
        assert stats.documents.shape == (stats.n_segments,)
        scores, weights = np.moveaxis(stats.values, -1, 0)
        assert (weights == 1).all()
        low, high = (-25, 0) if metric == "MetricX" else (-0.25, 100)
        assert low <= scores.min() < scores.max() <= high
        if metric in JUDGES:
            assert (scores == np.rint(scores)).all()
        assert stats.scores().nunique() > 1
    assert len(n_segments) == 1  # so that metrics can be compared
    published = campaign.published["systems"]
    assert tuple(published["system"]) == campaign.systems
    assert set(published["role"]) <= {"participant", "llm", "online", "mt-model"}


@in_turn("name", NAMES)
def test_the_original_language_is_known_of_wmt12_and_wmt13(name):
    campaign = mt.load(name)
    languages = campaign.original_language
    if not name.startswith(("wmt12/", "wmt13/")):
        assert languages is None
        return
    assert languages.shape == campaign.documents.shape
    assert pd.Series(languages).groupby(campaign.documents).nunique().max() == 1
    # Whole blocks, in the file's order, the same in all pairs of a year.
    blocks = [(language, len(list(run))) for language, run in itertools.groupby(languages)]
    assert blocks == (
        [("cs", 646), ("de", 611), ("en", 604), ("es", 596), ("fr", 546)]
        if name.startswith("wmt12/")
        else [(language, 500) for language in ("fr", "ru", "cs", "de", "en", "es")]
    )


def test_a_missing_score_is_refused_by_name_or_left_out_for_all():
    campaign = mt.load("wmt25/en-kn_IN")
    lacking = [3, 33, 87, 169, 290, 299, 316]
    words = (
        "wmt25/en-kn_IN: 7 scores of GEMBA-ESA-CMDA are missing, on the segments 3, 33, 87, 169, "
        "290, 299, 316. "
    )
    with pytest.raises(mt.InputError, match=f"^{re.escape(words)}"):
        campaign.statistics("GEMBA-ESA-CMDA")
    assert campaign.incomplete == {"GEMBA-ESA-CMDA": lacking}
    assert campaign.statistics("GEMBA-ESA-CMDA", missing="leave-out").n_segments == 332 - 7
    whole = campaign.statistics("MetricX")
    assert whole.n_segments == 332
    left = whole.subset(np.delete(np.arange(332), lacking))
    np.testing.assert_array_equal(
        left.values, campaign.statistics("MetricX", missing="leave-out").values
    )
    complete = mt.load("wmt25/en-ja_JP")
    assert complete.statistics("GEMBA-ESA-CMDA", missing="leave-out").n_segments == 332


def test_scores_of_models_have_their_sources_names_too():
    campaign = mt.load("wmt25/en-ja_JP")
    signature = campaign.statistics("metricx-24-hybrid-xl").signature
    assert signature == "MetricX|nrefs:1|mean of segment scores|source:MetricX-24-Hybrid-XL"
    # Without a reference the same metric is another one.
    assert "nrefs" not in mt.load("wmt25/en-it_IT").statistics("MetricX").signature


@in_turn("name", ESA)
def test_people_rated_every_system_once_on_each_rated_segment(name):
    campaign = mt.load(name)
    assert len(set(campaign.domains)) == 4
    people = campaign.human
    assert people.label == "ESA"
    matrix = people.matrix()
    assert matrix.notna().all(axis=None)
    assert matrix.shape[1] == (297 if name == "wmt24/en-cs" else 634)
    assert set(people.systems) - set(campaign.systems) == {"HUMAN-A"}
    assert set(campaign.published["esa_interim"]["system"]) == set(people.systems)
    ratings = campaign.judgements["esa_ratings"]
    assert len(ratings.raters) in (12, 14)
    # Who gives damaged outputs less can be seen from the accounts' control items.
    assert len(ratings.quality_control().passing) >= 11


def test_three_professionals_rated_each_translation_of_wmt23():
    campaign = mt.load("wmt23/zh-en")
    ratings = campaign.judgements["mqm_ratings"].frame
    assert (ratings.groupby(["system", "segment"])["rater"].nunique() == 3).all()
    # Crossed: a document has the same raters for all systems.
    documents = campaign.documents[ratings["segment"]]
    assert (ratings.groupby([documents, "system"])["rater"].unique().map(len) == 3).all()
    means = campaign.human.scores()
    expected = -ratings.groupby("system")["raw"].mean().mul(-1)
    np.testing.assert_allclose(means, expected[means.index])
    assert list(means.index[:2]) == ["Lan-BridgeMT", "GPT4-5shot"]
    assert round(-means["Lan-BridgeMT"], 2) == 2.68
    assert len(means) == 10
    bleu = campaign.statistics("BLEU").scores()
    assert (round(bleu["Lan-BridgeMT"], 2), round(bleu["HW-TSC"], 2)) == (37.00, 42.77)
    by_rater = -ratings.groupby("rater")["raw"].mean()
    assert round(by_rater["rater6"], 1) == 10.7
    assert round(by_rater["rater4"], 1) == 2.3


def test_penalties_of_wmt23_are_what_their_marks_add_up_to():
    for name, n_marks in (("wmt23/zh-en", 21_226), ("wmt23/en-de", 9_977)):
        campaign = mt.load(name)
        marks = campaign.published["mqm_marks"]
        assert marks["marks"].sum() == n_marks
        minor = np.where(marks["category"] == "Fluency/Punctuation", 0.1, 1.0)
        each = marks["severity"].map({"Major": 5.0, "Minor": 1.0}).fillna(0.0)
        each = np.where(marks["severity"] == "Minor", minor, each)
        each = np.where(marks["category"].str.startswith("Non-translation"), 25.0, each)
        names = ["system", "segment", "rater"]
        added = (marks["marks"] * each).groupby([marks[name] for name in names]).sum()
        given = -campaign.judgements["mqm_ratings"].frame.set_index(names)["raw"]
        np.testing.assert_allclose(added.reindex(given.index, fill_value=0.0), given, atol=1e-9)


@pytest.mark.parametrize("year", ["wmt12/", "wmt13/"])
def test_pairs_into_english_share_their_reference_line_by_line(year):
    pairs = [mt.load(n) for n in NAMES if n.startswith(year) and n.endswith("-en")]
    assert len(pairs) >= 4
    assert len({pair.provenance["inputs"]["ref.en.txt.gz"] for pair in pairs}) == 1
    counted = [pair.statistics("BLEU") for pair in pairs]
    first, *others = (bleu.values[:, :, bleu.metric.columns.index("ref_len")] for bleu in counted)
    for other in (first, *others):
        np.testing.assert_array_equal(other, np.broadcast_to(first[0], other.shape))


def test_datasets_stay_small():
    size = sum(path.stat().st_size for path in DATASETS.rglob("*") if path.is_file())
    assert size <= 40e6


@pytest.mark.takes_time
@in_turn("name", lambda: [name for name in NAMES if "bleu" in mt.load(name).published])
def test_bleu_is_what_was_recorded_when_the_inputs_were_collected(name):
    campaign = mt.load(name)
    recorded = campaign.published["bleu"]
    assert set(recorded["system"]) == set(campaign.systems)
    for reference, rows in recorded.groupby("reference"):
        scores = campaign.statistics("BLEU", references=reference).scores()
        # Recorded to four decimals.
        np.testing.assert_allclose(scores[rows["system"]], rows["bleu"], rtol=0, atol=5.1e-5)
        if "chrf" in rows:
            scores = campaign.statistics("chrF", references=reference).scores()
            np.testing.assert_allclose(scores[rows["system"]], rows["chrf"], rtol=0, atol=5.1e-5)


@pytest.mark.takes_time
@in_turn("name", [n for n in NAMES if n.startswith(("wmt21", "wmt22"))])
@in_turn("metric", ["BLEU", "chrF"])
def test_scores_are_those_the_organisers_published(name, metric):
    campaign = mt.load(name)
    published = campaign.published["metrics"].set_index("system")
    # Texts with entities, say, scored as they are, by others; BLEU's tokeniser resolves them.
    changed = list(campaign.system_notes)
    compared = 0
    labelled = [s for s in description(name)["statistics"] if s["label"] == metric]
    for references in (s["references"] for s in labelled):
        column = f"{metric.lower()}-{'all' if '+' in references else references}"
        rows = published[published["metric"] == column]["score"]
        if metric == "chrF":
            rows = rows.drop(changed)
        scores = campaign.statistics(metric, references=references).scores()
        np.testing.assert_allclose(scores[rows.index], rows, rtol=1e-9)
        compared += len(rows)
    assert compared >= len(campaign.systems) - len(changed)


@pytest.mark.slow
@in_turn("name", NAMES)
def test_human_judgements_are_about_the_campaigns_systems_and_segments(name):
    campaign = mt.load(name)
    if not campaign.judgements:
        with pytest.raises(mt.InputError, match="no human judgements"):
            campaign.human  # noqa: B018
        return
    assert campaign.human is next(iter(campaign.judgements.values()))
    for kind, judgements in campaign.judgements.items():
        # People also scored references, and systems whose output is not public (MQM).
        known = set(campaign.systems) & set(judgements.systems)
        assert len(known) >= 4
        assert kind.startswith("mqm") or len(set(judgements.systems) - known) <= 1
    conclusions = campaign.human.conclusions(alpha=0.05)
    assert set(conclusions.systems) == set(campaign.human.systems)


def test_settings_and_references_choose_among_variants():
    wmt17 = mt.load("wmt17/en-de")
    assert "tok:13a" in wmt17.statistics("BLEU").signature
    assert "tok:none" in wmt17.statistics("bleu", tokenize="none").signature
    assert wmt17.statistics(mt.metrics.BLEU(tokenize="none")).metric.tokenize == "none"
    # Counts serve every setting that only the score depends on, and those of chrF++ serve chrF.
    assert wmt17.statistics("BLEU", smooth_method="none").metric.smooth_method == "none"
    chrf = wmt17.statistics("chrF", beta=1)
    assert (chrf.metric.beta, chrf.metric.word_order) == (1, 0)
    assert wmt17.statistics("chrF++").metric.word_order == 2
    en_de = mt.load("wmt21/en-de")
    several = en_de.statistics("BLEU", references="A+C+D")
    assert several.n_references == 3
    assert (several.totals()[:, 2] >= en_de.statistics("BLEU").totals()[:, 2]).all()
    np.testing.assert_array_equal(several.values, en_de.statistics("BLEU", references="all").values)


COUNTED, JUDGED = mt.load("wmt12/es-en"), mt.load("wmt25/en-ja_JP")
OLD = (
    f"version='0.9': the embedded wmt12/es-en has version {VERSION!r}, and its figures may "
    "differ. Install the release of mtsig_nb whose CHANGELOG names data version 0.9, or leave "
    "version out."
)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mt.load("wmt12/es_en"), "'wmt12/es-en'"),
        (lambda: mt.load("wmt25/en-ja"), "Did you mean 'wmt25/en-ja_JP'"),
        (lambda: mt.load("wmt12/es-en", version="0.9"), OLD),
        (lambda: mt.fetch_texts("wmt25/en-ja_JP"), "this campaign has scores, but no texts"),
        (lambda: JUDGED.statistics(), "Known: 'MetricX', 'XCOMET'"),
        (lambda: JUDGED.statistics("XCOMET", references="A"), "has no XCOMET with"),
        (lambda: JUDGED.statistics("XCOMET", missing="no"), "'leave-out'"),
        (lambda: COUNTED.statistics("BLEW"), "Did you mean 'BLEU'"),
        (lambda: COUNTED.statistics("BLEU", tokenize="zh"), "tokenize='13a'"),
        (lambda: COUNTED.statistics("BLEU", tokenizer="zh"), "'tokenize'"),
        (lambda: COUNTED.statistics("BLEU", references="B"), "references='A'"),
        (lambda: COUNTED.published["wilcoxon"], "'bleu'"),
    ],
)
def test_unknown_names_are_answered_with_those_known(call, words):
    with pytest.raises(mt.InputError, match=re.escape(words)):
        call()


@in_turn("name", NAMES)
def test_provenance_says_where_from_and_how_to_rebuild(name):
    provenance = mt.load(name).provenance
    for key in ("source", "licence", "citation", "not_known", "rebuild", "version"):
        assert provenance[key], key
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in provenance["inputs"].values())
    assert len(provenance["inputs"]) > (len(mt.load(name).systems) if name in MEASURED else 3)


def test_version_is_shown():
    campaign = mt.load("wmt12/es-en", version=VERSION)
    assert campaign.facts()["version of the data"] == VERSION
    assert f">{VERSION}<" in campaign._repr_html_()
    assert f"Version {VERSION}." in (campaign.folder / "README.md").read_text(encoding="utf-8")


def _files(name):
    return sorted(path for path in (DATASETS / name).rglob("*") if path.is_file())


@in_turn("name", NAMES)
def test_registry_has_every_file_with_its_checksum(name):
    with (DATASETS / "registry.tsv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["name"] == name]
    registered = {row["file"]: row["sha256"] for row in rows}
    assert {row["version"] for row in rows} == {mt.load(name).version} == {VERSION}
    found = {path.relative_to(DATASETS / name).as_posix(): path for path in _files(name)}
    assert set(registered) == set(found)
    for file, path in found.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == registered[file], file


@pytest.mark.takes_time
@in_turn("name", NAMES)
def test_no_table_holds_sentences(name):
    """Labels have no spaces; every other column is numbers."""
    for path in _files(name):
        if path.suffix != ".gz":
            continue
        table = pd.read_csv(path)
        for column in table.select_dtypes(exclude=["number", "bool"]):
            values = table[column].dropna().astype(str)
            assert not values.str.contains(r"\s").any(), (path, column)


@pytest.mark.takes_time
@in_turn("name", NAMES)
def test_statistics_are_compact_integers(name):
    for path in (DATASETS / name / "statistics").iterdir():
        with np.load(path, allow_pickle=False) as stored:
            kinds = {column: stored[column].dtype.kind for column in stored}
        assert kinds.pop("about") == "U", path
        assert set(kinds.values()) == {"i"}, path
