"""`datasets/build.py`: rebuilds what is embedded, goes on where it stopped, refuses bad inputs."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.statistics.storage import read_statistics

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
    assert "bleu.tsv does not have its manifest's checksum" in done.stderr
