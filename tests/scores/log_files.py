"""Logs in the layouts of lm-evaluation-harness, Inspect and promptfoo, with contents of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

#: Answers of two systems to eight items, right or wrong, for all that does not ask for others.
RIGHT = {"alpha": [1, 1, 1, 0, 1, 1, 0, 1], "beta": [1, 0, 0, 0, 1, 1, 0, 0]}


def write(path: Path, content: Any) -> Path:
    """Write JSON, or an object in each line where the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, content)) if lines else json.dumps(content))
    return path


def sample(doc_id: int, value: Any, **others: Any) -> dict[str, Any]:
    """A sample of the harness, whose answer is its score."""
    return {
        "doc_id": doc_id,
        "doc": {"question": f"What is {doc_id} plus 2?"},
        "target": str(doc_id + 2),
        "arguments": {"gen_args_0": {"arg_0": f"What is {doc_id} plus 2?", "arg_1": {}}},
        "resps": [[f"answer {value} to {doc_id}"]],
        "filtered_resps": [f"answer {value}"],
        "filter": "none",
        "metrics": ["acc"],
        "acc": value,
    } | others


def samples(right: Sequence[Any], **others: Any) -> list[dict[str, Any]]:
    """Samples of the harness."""
    return [sample(doc_id, value, **others) for doc_id, value in enumerate(right)]


def inspect_sample(number: int, value: Any, epoch: int = 1, **others: Any) -> dict[str, Any]:
    """A sample of Inspect, whose answer is its score."""
    return {
        "id": number,
        "epoch": epoch,
        "input": f"What is {number} plus 2?",
        "target": str(number + 2),
        "output": {"completion": f"answer {value} to {number} in {epoch}"},
        "scores": {"match": {"value": "C" if value == 1 else "I" if value == 0 else value}},
    } | others


def inspect_log(
    model: str, right: Sequence[Any], *, n_epochs: int = 1, **header: Any
) -> dict[str, Any]:
    """A log of Inspect."""
    found = [
        inspect_sample(number, value, epoch)
        for epoch in range(1, n_epochs + 1)
        for number, value in enumerate(right)
    ]
    about = {"eval_id": f"id of {model} {header}", "task": "sums", "model": model}
    return {
        "version": 2,
        "status": "success",
        "eval": about | {"config": {"epochs": n_epochs}} | header,
        "results": {"total_samples": len(found)},
        "samples": found,
    }


def result(column: int, test: int, value: Any, provider: Any, **others: Any) -> dict[str, Any]:
    """A result of promptfoo; tests of one question are numbered by `testIdx` in others."""
    variables = {"question": f"What is {test} plus 2?"}
    return {
        "promptIdx": column,
        "testIdx": test,
        "provider": provider,
        "prompt": {"raw": variables["question"], "label": "{{question}}"},
        "vars": variables,
        "testCase": {"vars": variables, "assert": [{"type": "equals", "value": str(test + 2)}]},
        "score": value,
        "namedScores": {},
        "failureReason": 0 if value else 1,
        "gradingResult": {"pass": bool(value)},
        "response": {"output": f"answer {value} of {column} to {test}"},
    } | others


def results(columns: Sequence[tuple[Any, Sequence[Any]]], **others: Any) -> dict[str, Any]:
    """Results of promptfoo, of a provider in each column."""
    records = [
        result(column, test, value, provider)
        for column, (provider, right) in enumerate(columns)
        for test, value in enumerate(right)
    ]
    return {"evalId": "eval-1", "results": {"version": 3, "results": records, "prompts": []}} | (
        others
    )


def as_version_2(content: dict[str, Any]) -> dict[str, Any]:
    """The same results as versions of promptfoo before 0.90 wrote them."""
    records = content["results"]["results"]
    heads = {r["promptIdx"]: {**r["prompt"], "provider": r["provider"]["id"]} for r in records}
    return {
        "evalId": "eval-1",
        "results": {
            "version": 2,
            "results": [],
            "table": {
                "head": {"prompts": list(heads.values()), "vars": ["question"]},
                "body": list(_rows(records)),
            },
            "stats": {},
        },
    }


def _rows(records: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for test in dict.fromkeys(record["testIdx"] for record in records):
        cells = [record for record in records if record["testIdx"] == test]
        outputs = [
            {
                "score": cell["score"],
                "pass": bool(cell["score"]),
                "text": cell["response"]["output"],
                "namedScores": {},
            }
            for cell in cells
        ]
        yield {
            "outputs": outputs,
            "vars": [*cells[0]["vars"].values()],
            "test": cells[0]["testCase"],
        }
