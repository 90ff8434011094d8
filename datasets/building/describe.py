"""Descriptions of what was built: `campaign.json` for the package, a data sheet, the registry."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from mtsig_nb import metrics
from mtsig_nb.writing import write_whole

from .inputs import HERE, ORIGINAL_LANGUAGES, Pair, RatedPair, ScoredPair, sources
from .plan import variants
from .storing import describe
from .tables import human_files, published_files

#: What a stored metric is asked for by, where that is not its own name.
LABELS = {"METEORJar": "METEOR"}


def write_description(pair: Pair, folder: Path) -> None:
    """Write `campaign.json` and `README.md` of what the pair's folder holds now."""
    about = description(pair, folder)
    text = json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    write_whole(folder / "campaign.json", text)
    write_whole(folder / "README.md", data_sheet(about, folder))


def description(pair: Pair, folder: Path) -> dict[str, Any]:
    """All that the package needs to know before it reads a table."""
    columns = ["system", "source_name", "notes"]
    outputs = pair.table[pair.table["role"] == "system"]
    about: dict[str, Any] = {
        "name": pair.name,
        "title": sources()["campaign"][pair.campaign]["title"],
        "systems": outputs[columns].to_dict("records"),
        "n_segments": pair.n_segments,
        "n_documents": len(set(pair.documents)) if pair.documents else None,
        "original_languages": Counter(pair.original_language) if pair.original_language else None,
        "references": [] if isinstance(pair, ScoredPair) else list(pair.references),
        "duplicates": pair.duplicates.to_numpy().tolist(),
        "statistics": list(_stored_statistics(pair, folder)),
        "human": _judgements(pair),
        "texts": _texts(pair),
        "provenance": _provenance(pair),
    }
    if isinstance(pair, ScoredPair) and len(pair.missing):
        about["incomplete"] = {
            sources()["scores"][column]["label"]: sorted({int(i) for i in missing["segment"]})
            for column, missing in pair.missing.groupby("column")
        }
    if pair.domains is not None:
        about["domains"] = Counter(pair.domains)
    return about


def data_sheet(about: dict[str, Any], folder: Path) -> str:
    """The pair's `README.md`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown of our own and of the sources, no HTML
    )
    sections = [
        ("Human judgements", [_table(path, folder) for path in sorted(folder.glob("human/*"))]),
        (
            "Published results",
            [_table(path, folder) for path in sorted(folder.glob("published/*"))],
        ),
    ]
    # The inputs say "1 entities".
    systems = [
        {**system, "notes": re.sub(r"\b1 entities\b", "1 entity", system["notes"])}
        for system in about["systems"]
    ]
    content = {**about, "systems": systems, "sections": sections}
    return environment.get_template("datasheet.md.j2").render(content)


def write_registry(root: Path) -> None:
    """Write `registry.tsv`: pair, version, file and SHA-256 of every file there is."""
    version = sources()["version"]
    lines = ["name\tversion\tfile\tsha256"]
    for description_file in sorted(root.glob("*/*/campaign.json")):
        folder = description_file.parent
        name = folder.relative_to(root).as_posix()
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            lines.append(f"{name}\t{version}\t{path.relative_to(folder).as_posix()}\t{digest}")
    write_whole(root / "registry.tsv", "\n".join(lines) + "\n")


def _stored_statistics(pair: Pair, folder: Path) -> Iterator[dict[str, Any]]:
    """Metrics that the stored files serve; the columns of chrF++ serve chrF too."""
    for variant in variants(pair):
        path = folder / "statistics" / variant.file
        if not path.exists():
            continue
        stored = describe(path)
        seen = stored["n_references"] if isinstance(pair, ScoredPair) else None
        settings = [stored["settings"]]
        if stored["metric"] == "chrF" and stored["n_references"] == 1:
            settings.insert(0, {**stored["settings"], "word_order": 0})
        for one in settings:
            metric = metrics.get(stored["metric"], **one)
            yield {
                "file": variant.file,
                "metric": metric.name,
                "label": LABELS.get(metric.name) or getattr(metric, "label", metric.name),
                "settings": metric.settings,
                "references": stored["notes"]["references"],
                "columns": list(metric.columns),
                "quantum": metric.quantum,
                **({"references_seen": seen} if seen else {}),
            }


def _judgements(pair: Pair) -> dict[str, str]:
    """Human judgements by name, the main ones first, each with what it is in a few words."""
    tables = {name: pair.csv(file) for name, file in human_files(pair).items()}
    found = {}
    if "ranks" in tables:
        ranks = tables["ranks"]
        found["ranks"] = (
            f"relative ranking, {ranks['task'].nunique()} tasks of five outputs, "
            f"{ranks['judge'].nunique()} judges"
        )
    if "ratings" in tables:
        ratings = tables["ratings"]
        found["direct_assessment"] = (
            f"direct assessment, {len(ratings)} ratings of {ratings['judge'].nunique()} judges"
        )
    if "pairwise" in tables:
        pairs = tables["pairwise"]
        systems = set(pairs["system_better"]) | set(pairs["system_worse"])
        found["pairwise"] = (
            f"{len(pairs)} strict pairwise preferences, {len(systems)} of the systems"
        )
    if "segment_da" in tables:
        found["segment_da"] = f"mean direct assessment of {len(tables['segment_da'])} translations"
    if "mqm" in tables:
        mqm = tables["mqm"]
        found["mqm"] = f"MQM, {mqm['line'].nunique()} segments of {mqm['system'].nunique()} systems"
    if "mqm_ratings" in tables:
        mqm = tables["mqm_ratings"]
        each = int(mqm.groupby(["system", "segment"]).size().max())
        found["mqm"] = (
            f"MQM, {mqm['segment'].nunique()} segments of {mqm['system'].nunique()} systems, the "
            f"mean of {each} raters"
        )
        found["mqm_ratings"] = f"the same rater by rater, {mqm['rater'].nunique()} raters"
    if "esa" in tables:
        esa = tables["esa"][tables["esa"]["type"] == "SYSTEM"]
        found["esa"] = (
            f"error span annotation (ESA), {esa['line'].nunique()} segments of "
            f"{esa['system'].nunique()} systems by {esa['rater'].nunique()} raters"
        )
        found["esa_ratings"] = (
            f"the same with raters and control items, {len(tables['esa'])} ratings"
        )
    return found


def _texts(pair: Pair) -> list[dict[str, str]]:
    """Where each text comes from, for `mtsig_nb.fetch_texts`."""
    if isinstance(pair, ScoredPair):
        return []
    as_released = sources()["campaign"][pair.campaign].get("texts", {})
    if isinstance(pair, RatedPair):
        as_released = as_released | {"lines": pair.released_lines}
    texts = []
    for row in pair.table.to_dict("records"):
        label = row["system"].removeprefix("ref.")
        file = {
            "system": f"hyp/{row['system']}.txt.gz",
            "reference": pair.reference_file(label) if row["role"] == "reference" else "",
            "source": pair.source_file,
        }[row["role"]]
        origin, _, path = row["source"].partition(":")
        texts.append(
            {
                "role": row["role"],
                "label": label,
                "repository": origin.replace("+", "/"),
                "commit": sources()["commits"][origin.replace("+", "/")],
                "path": path,
                "source_name": row["source_name"],
                "sha256": pair.sha256(file),
                **as_released,
            }
        )
    return texts


def _provenance(pair: Pair) -> dict[str, Any]:
    campaign = sources()["campaign"][pair.campaign]
    own = sources().get("pair", {}).get(pair.name, {})
    others = [*human_files(pair).values(), *published_files(pair).values()]
    if isinstance(pair, ScoredPair):
        texts = ["scores.parquet", "segments.csv.gz"]
    else:
        texts = [f"hyp/{system}.txt.gz" for system in pair.systems]
        texts += [pair.reference_file(label) for label in pair.references]
        others += [file for file in ("docs.txt.gz", "domains.txt.gz") if pair.has(file)]
    if pair.original_language:
        others.append(ORIGINAL_LANGUAGES)
    return {
        "source": ", ".join(own.get("sources", campaign["sources"])),
        "sources": [
            {"repository": repository, "commit": sources()["commits"][repository]}
            for repository in own.get("sources", campaign["sources"])
        ],
        "licence": own.get("licence", campaign["licence"]),
        "citation": own.get("citation", campaign["citation"]),
        "not_known": own.get("not_known", campaign["not_known"]),
        "notes": [*campaign.get("notes", []), *own.get("notes", []), *_found(pair)],
        "inputs": {file: pair.sha256(file) for file in sorted([*texts, *others])},
        "rebuild": f"python datasets/build.py {pair.name}",
        "version": sources()["version"],
    }


def _found(pair: Pair) -> list[str]:
    """What a reader should know of the scores at hand."""
    if not isinstance(pair, ScoredPair):
        return []
    found = []
    for column, missing in pair.missing.groupby("column"):
        label = sources()["scores"][column]["label"]
        where = ", ".join(f"{row.system} on {row.segment}" for row in missing.itertuples())
        how_often = "once" if len(missing) == 1 else f"{len(missing)} times"
        found.append(
            f"{label} is missing {how_often} (system on segment): {where}. Published "
            "averages use the available scores. Tests refuse the metric unless these segments are "
            f"left out for all systems: statistics({label!r}, missing='leave-out')."
        )
    return found


def _table(path: Path, folder: Path) -> dict[str, Any]:
    """File, rows and columns of a table, for the data sheet."""
    table = pd.read_csv(path)
    meanings = sources()["columns"][path.name.removesuffix(".csv.gz")]
    return {
        "file": path.relative_to(folder).as_posix(),
        "rows": len(table),
        "columns": [(name, meanings[name]) for name in table.columns],
    }
