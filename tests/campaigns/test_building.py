"""`datasets/build.py`: rebuilds what is embedded, goes on where it stopped, refuses bad inputs."""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sacrebleu

import mtsig_nb as mt
from mtsig_nb.campaigns.data_files import campaign_names, description
from mtsig_nb.campaigns.fetching import clean
from mtsig_nb.statistics.storage import read_statistics

from ..in_turn import in_turn
from ..messages import naming

ROOT = Path(__file__).parents[2]
DATASETS = ROOT / "datasets"
DATA = ROOT.parent / "shared" / "data"
NAME = "wmt21/cs-en"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        not DATA.exists(), reason="needs the texts, which are not in the repository"
    ),
]


def lines(path):
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def build(out, *options, data=DATA, name=NAME):
    command = [sys.executable, str(DATASETS / "build.py"), name, "--out", str(out)]
    command += ["--data", str(data), "--workers", "1", *options]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("datasets")
    done = build(out, "--metrics", "BLEU", "GTM")
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.slow
def test_a_rebuild_gives_what_is_embedded(built):
    files = [path for path in (built / NAME).rglob("*") if path.suffix in (".npz", ".gz")]
    assert len(files) >= 10
    for path in files:
        embedded = DATASETS / path.relative_to(built)
        if path.parent.name == "statistics":
            np.testing.assert_array_equal(
                read_statistics(path).values, read_statistics(embedded).values
            )
        if path.suffix == ".gz":
            # Not the compressed bytes: they depend on the zlib at hand.
            assert gzip.decompress(path.read_bytes()) == gzip.decompress(embedded.read_bytes())


def test_the_description_names_what_was_built_and_no_more(built):
    about = json.loads((built / NAME / "campaign.json").read_text(encoding="utf-8"))
    assert {entry["metric"] for entry in about["statistics"]} == {"BLEU", "GTM"}
    embedded = mt.load(NAME).provenance
    assert about["provenance"] == embedded
    sheet = (built / NAME / "README.md").read_text(encoding="utf-8")
    for needed in (embedded["licence"], embedded["citation"], "What is not known", "SHA-256"):
        assert needed in sheet


@pytest.mark.slow
@in_turn(
    "name",
    lambda: [
        n for n in campaign_names() if "bleu" not in mt.load(n).published and mt.load(n).texts
    ],
)
def test_where_no_bleu_is_recorded_it_is_sacrebleus(name):
    (reference,) = (DATA / name).glob("ref.*")
    scores = mt.load(name).statistics("BLEU").scores()
    for system in (scores.index[0], scores.index[-1]):
        output = DATA / name / "hyp" / f"{system}.txt.gz"
        expected = sacrebleu.corpus_bleu(lines(output), [lines(reference)])
        assert scores[system] == pytest.approx(expected.score, abs=1e-9)


@pytest.mark.parametrize("name", ["wmt25/en-ja_JP", "wmt25/en-bho_IN"])
def test_embedded_scores_are_those_of_the_source(name):
    """To the last bit, on the grid that scores from a file are put on."""
    pytest.importorskip("pyarrow")
    campaign = mt.load(name)
    frame = pd.read_parquet(DATA / name / "scores.parquet")
    compared = 0
    for entry in description(name)["statistics"]:
        source = entry["settings"]["source"]
        given = mt.from_segment_scores(frame, score=source, higher_is_better=True)
        ours = campaign.statistics(source)
        assert ours.systems == given.systems
        assert ours.metric.resolution == given.metric.resolution
        np.testing.assert_array_equal(ours.values, given.values)
        if not source.startswith("chrF"):
            wide = frame.pivot(index="system", columns="segment", values=source)
            # No score of a model is rounded but those within 2**-9 of 0.
            exact = wide.loc[list(ours.systems)].to_numpy(np.float64)
            differs = ours.segment_scores() != exact
            assert np.abs(exact[differs]).max(initial=0) < 2.0**-9
        compared += 1
    assert compared == len(campaign.metrics) >= 5


def test_texts_of_wmt24_are_the_released_ones_without_their_first_line():
    for name in (n for n in campaign_names() if n.startswith("wmt24/")):
        campaign = mt.load(name)
        kinds = {"first_line": "canary", "entities": "kept"}
        for text in campaign.texts:
            assert {key: text[key] for key in kinds} == kinds
        outputs = {text["label"]: text["sha256"] for text in campaign.texts}
        for system in ("ONLINE-B", "GPT-4"):
            here = gzip.decompress((DATA / name / f"hyp/{system}.txt.gz").read_bytes())
            released = b"CANARY GUID 26b5c67b\r\n" + here.replace(b"\n", b"\r\n")
            again = clean(released, **kinds).encode()
            assert hashlib.sha256(again).hexdigest() == outputs[system]


def test_texts_of_wmt23_are_those_lines_of_the_released_ones_that_were_rated():
    for name in ("wmt23/zh-en", "wmt23/en-de"):
        wanted = pd.read_csv(DATA / name / "lines.tsv", sep="\t")["line_of_test_set"].to_list()
        texts = mt.load(name).texts
        assert len({text["lines"] for text in texts}) == 1
        runs = [map(int, run.split("-")) for run in texts[0]["lines"].split(",")]
        assert [n for first, last in runs for n in range(first, last + 1)] == wanted
        (output,) = (text for text in texts if text["label"] == "ONLINE-B")
        rated = dict(zip(wanted, lines(DATA / name / "hyp/ONLINE-B.txt.gz"), strict=True))
        released = "".join(f"{rated.get(n, 'not rated')}\n" for n in range(1, max(wanted) + 3))
        again = clean(released.encode(), lines=output["lines"])
        assert hashlib.sha256(again.encode()).hexdigest() == output["sha256"]


def test_a_second_build_counts_nothing_and_changes_nothing(built):
    before = {path: path.read_bytes() for path in built.rglob("*") if path.is_file()}
    done = build(built, "--metrics", "BLEU", "GTM")
    assert (done.returncode, done.stdout) == (0, "")
    assert {path: path.read_bytes() for path in built.rglob("*") if path.is_file()} == before


def test_inputs_that_do_not_have_their_manifests_checksum_are_refused(tmp_path):
    data = tmp_path / "data"
    shutil.copytree(DATA / NAME, data / NAME)
    for file in ("MANIFEST.tsv", "duplicates.tsv"):
        shutil.copy(DATA / file, data)
    bleu = data / NAME / "bleu.tsv"
    bleu.chmod(0o644)
    bleu.write_text(bleu.read_text().replace("0", "1"))
    done = build(tmp_path / "out", "--metrics", data=data)
    assert done.returncode != 0
    assert re.search(naming("bleu.tsv", "checksum"), done.stderr)


def test_references_against_each_other_score_what_sacrebleu_says():
    people = pd.read_csv(DATASETS / "between_references.csv").query("campaign == @NAME")
    files = {"A": "ref.en.txt.gz", "B": "ref.B.en.txt.gz"}
    texts = {label: lines(DATA / NAME / file) for label, file in files.items()}
    bleu = mt.load(NAME).statistics("BLEU").metric
    for output, other in ("AB", "BA"):
        sums = people.set_index("output").loc[output, list(bleu.columns)].to_numpy(dtype=float)
        said = sacrebleu.corpus_bleu(texts[output], [texts[other]]).score
        assert bleu.score(sums) == pytest.approx(said)


@pytest.mark.parametrize("pair", ["en-cs", "en-ja", "en-zh"])
def test_judgements_of_wmt24_are_embedded_nearly_in_the_order_of_their_times(pair):
    """As unit 36 says: 97 of 100 are at most twenty places off; times are not embedded."""
    source = pd.read_csv(DATA / "wmt24" / pair / "human" / "ratings.csv.gz")
    used = source[source["type"] == "SYSTEM"]
    embedded = mt.load(f"wmt24/{pair}").judgements["esa_ratings"].frame
    embedded = embedded[embedded["type"] == "SYSTEM"]
    columns = ["system", "segment"]
    assert embedded[columns].to_numpy().tolist() == used[["system", "line"]].to_numpy().tolist()
    places = np.arange(len(used))
    off = np.abs(used["end"].rank(method="first").to_numpy() - 1 - places)
    assert np.mean(off <= 20) >= 0.97
