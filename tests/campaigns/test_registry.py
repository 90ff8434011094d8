"""Embedded data that were damaged or exchanged: the same data, or an error that names the file."""

import gzip
import re
import shutil

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.campaigns import data_files
from mtsig_nb.campaigns.data_files import registry
from tools.site.lite import staging

from ..messages import naming

NAME, OTHER = "multeval/en", "wmt17/en-de"
JUDGED = "wmt21/is-en"  # with documents and judgements


def forget():
    data_files.description.cache_clear()
    registry.cache_clear()


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A copy of the data that may be damaged."""
    home = data_files.data_folder()
    for name in (NAME, OTHER, JUDGED):
        shutil.copytree(home / name, tmp_path / name)
    header, *rows = (home / "registry.tsv").read_text().splitlines(keepends=True)
    kept = [row for row in rows if row.startswith((NAME, OTHER, JUDGED))]
    (tmp_path / "registry.tsv").write_text("".join([header, *kept]))
    monkeypatch.setattr(data_files, "PLACES", (tmp_path,))
    forget()
    yield tmp_path
    forget()


def asked_for(name, file):
    """Everything of a campaign that one of its files is read for, to compare."""
    campaign = mt.load(name)
    kind = file.partition("/")[0]
    if kind == "statistics":
        entries = data_files.description(name)["statistics"]
        entry = next(one for one in entries if f"statistics/{one['file']}" == file)
        metric = mt.metrics.get(entry["metric"], **entry["settings"])
        found = campaign.statistics(metric, references=entry["references"], missing="leave-out")
        return found.systems, found.signature, found.values.tobytes()
    if kind == "documents.csv.gz":
        return None if campaign.documents is None else campaign.documents.tolist()
    if kind == "human":
        return [judgement.scores().to_csv() for judgement in campaign.judgements.values()]
    if kind == "published":
        return [table.to_csv() for table in campaign.published.values()]
    return data_files.description(name)


def flipped(rng, content, _):
    changed = bytearray(content)
    for place in rng.integers(len(content), size=rng.integers(1, 5)):
        changed[place] ^= 1 << rng.integers(8)
    return bytes(changed)


def another(_, content, other):
    return other


def other_figure(rng, content, _):
    """Well formed, but not the same: a digit is another, and gzip's own checksum is right."""
    packed = content[:2] == b"\x1f\x8b"
    text = bytearray(gzip.decompress(content) if packed else content)
    digits = [i for i, byte in enumerate(text) if chr(byte).isdigit()]
    if digits:
        place = rng.choice(digits)
        text[place] = ord("0") + (text[place] - ord("0") + 1) % 10
    return gzip.compress(bytes(text), mtime=0) if packed else bytes(text)


DAMAGES = [flipped, another, other_figure]


@pytest.mark.takes_time
def test_damaged_data_are_refused_by_name_or_the_same(data):
    rng, n_refused = np.random.default_rng(20261122), 0
    files = [
        (name, path.relative_to(data / name).as_posix())
        for name in (NAME, OTHER, JUDGED)
        for path in sorted((data / name).rglob("*"))
        if path.is_file() and path.name != "README.md"
    ]
    sound = {one: asked_for(*one) for one in files}
    for _ in range(300):
        name, file = files[rng.integers(len(files))]
        of_registry = rng.random() < 0.1
        path = data / "registry.tsv" if of_registry else data / name / file
        content = path.read_bytes()
        other = (data / "/".join(files[rng.integers(len(files))])).read_bytes()
        damage = DAMAGES[rng.integers(len(DAMAGES))]
        damaged = damage(rng, content, other)
        path.write_bytes(damaged)
        forget()
        said = ""
        try:
            found = asked_for(name, file)
        except mt.MtsigError as error:
            said = str(error)
            n_refused += 1
        else:
            assert found == sound[name, file]
            assert of_registry or damaged == content
        finally:
            path.write_bytes(content)
        if said and not of_registry:
            assert re.search(naming(name, "1.2 ", file), said)
            assert "git checkout" in said
    assert n_refused > 250


def test_a_file_that_is_gone_or_in_nobodys_list_is_named(data):
    gone = "statistics/BLEU.A.tokenize=none.npz"
    (data / NAME / gone).unlink()
    said = re.escape(f"multeval/en, version 1.2 of the data: {gone} cannot be read: ")
    with pytest.raises(mt.MtsigError, match=said):
        mt.load(NAME).statistics("BLEU")
    table = data / NAME / "published" / "more.csv.gz"
    pd.DataFrame({"pvalue": [0.5]}).to_csv(table, index=False)
    with pytest.raises(mt.MtsigError, match=naming("published/more.csv.gz", "registry")):
        _ = mt.load(NAME).published


def test_what_the_registry_has_lost_does_not_vanish(data):
    lines = (data / "registry.tsv").read_text().splitlines(keepends=True)
    kept = [line for line in lines if f"{OTHER}\t" not in line]
    (data / "registry.tsv").write_text("".join(kept))
    forget()
    assert len(kept) < len(lines)
    with pytest.raises(mt.MtsigError, match=naming(f"{OTHER}, version 1.2 ", "registry")):
        mt.list_campaigns()


def test_a_registry_that_is_none_is_named(data):
    (data / "registry.tsv").write_bytes(b"\xff\xfe")
    forget()
    with pytest.raises(mt.MtsigError, match=naming("registry.tsv'", "checksums")):
        mt.list_campaigns()


def test_the_site_gets_no_damaged_file(data, tmp_path):
    (data / NAME / "published" / "bleu.csv.gz").write_bytes(b"")
    with pytest.raises(mt.MtsigError, match=naming("published/bleu.csv.gz", "not the file")):
        staging.stage_campaigns(tmp_path / "files", [NAME])
