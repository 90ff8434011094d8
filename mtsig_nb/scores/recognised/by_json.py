"""Files that are recognised by what their JSON has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...texts.files import is_number
from ..battles import layout_of
from ..labels import NAMES, is_label, names_no_score, normalized
from ..logs.programs import harness
from ..score_file import is_nested
from ..source import ScoreSource
from .known import PROMPTFOO_EXPORT, SEGMENTS_NEEDED, TEXTS_NEEDED, Known, as_csv, python

_EMPTY = Known("is empty JSON", "Write the scores again: an object for each system and segment.")
_NOTEBOOK = Known(
    "is a notebook",
    "Write the table from one of its cells: table.to_csv('scores.csv', index=False)",
)
_SACREBLEU = Known(
    "has sacreBLEU's scores of whole test sets",
    TEXTS_NEEDED,
)
_INSPECT_LISTING = Known(
    "lists logs of Inspect, and has no samples",
    "Give the folder of the logs: inspect log convert logs --to json --output-dir logs-json",
)
_PROMPTFOO_CONFIG = Known("has promptfoo's settings, and no results", PROMPTFOO_EXPORT)
_PANDAS = Known(
    "is a table as pandas writes it by default, column by column",
    "Write it row by row: table.to_json('{file}', orient='records')",
)
_WANDB = Known("has the last values of a run of Weights & Biases", SEGMENTS_NEEDED)
_WHOLE = Known("has one number for each name, as scores of whole test sets have", SEGMENTS_NEEDED)
_WHOLE_OR_SEGMENTS = Known(
    "has objects of single numbers. If they are named after systems, they have scores of whole "
    "test sets, and significance needs those of segments",
    "If they are named after segments, write a list of them, each with a name 'segment'.",
)
_HELM_STATS = Known("has HELM's statistics of whole runs", "Give per_instance_stats.json.")
_HELM = Known(
    "has HELM's statistics of instances, in lists",
    as_csv(
        "import json, pandas; pandas.DataFrame([{'segment': r['instance_id'], "
        "**{s['name']['name']: s['mean'] for s in r['stats'] if 'mean' in s}} for r in json.load("
        "open('{file}')) if 'perturbation' not in r]).to_csv('SYSTEM.csv', index=False)"
    ),
)
_DEEPEVAL = Known(
    "has DeepEval's test cases, with metrics in lists",
    as_csv(
        "import json, pandas; pandas.DataFrame([{'segment': c['name'], **{m['name']: m['score'] "
        "for m in c['metricsData']}} for c in json.load(open('{file}'))['testCases']]).to_csv("
        "'SYSTEM.csv', index=False)"
    ),
)
_OPENCOMPASS = Known(
    "has OpenCompass's score of a data set, and its answers under 'details'",
    as_csv(
        "import json, pandas; d = json.load(open('{file}'))['details']; pandas.DataFrame("
        "[{'segment': k, **{n: int(x) if isinstance(x, bool) else x for n, x in v.items()}} "
        "for k, v in d.items() if isinstance(v, dict)]).to_csv('SYSTEM.csv', index=False)"
    ),
)
_OPENAI = Known(
    "is a record of OpenAI's evals, whose scores are in events",
    as_csv(
        "import json, pandas; pandas.DataFrame([{'segment': e['sample_id'], 'correct': "
        "int(e['data']['correct'])} for e in map(json.loads, open('{file}')) if e.get('type') == "
        "'match']).to_csv('SYSTEM.csv', index=False)"
    ),
)
_COLUMNS_AND_DATA = Known(
    "has the names of the columns apart from the rows",
    as_csv(
        "import json, pandas; d = json.load(open('{file}')); pandas.DataFrame(d['data'], "
        "columns=d['columns']).to_csv('{file}.csv', index=False)"
    ),
)
_VIEWER = Known(
    "is what Hugging Face's viewer of data sets gives",
    as_csv(
        "import json, pandas; pandas.DataFrame([r['row'] for r in json.load(open('{file}'))"
        "['rows']]).to_csv('{file}.csv', index=False)"
    ),
)
_LISTS_AND_VALUES = Known(
    "has lists beside single values",
    as_csv(
        "import json, pandas; pandas.DataFrame({k: v for k, v in json.load(open('{file}')).items() "
        "if isinstance(v, list)}).to_csv('{file}.csv', index=False)"
    ),
)
_HARNESS_SAMPLES = Known(
    "has the results of lm-evaluation-harness, and its samples among them",
    "Write the samples of each task: "
    + python(
        "import json; [open(f'samples_{t}.jsonl', 'w').write('\\n'.join(map(json.dumps, s))) "
        "for t, s in json.load(open('{file}'))['samples'].items()]"
    ),
)
_NESTED = Known(
    "has numbers only in objects within objects",
    "Write it as CSV, and choose columns with -m: "
    + python(
        "import json, pandas; pandas.json_normalize(json.load(open('{file}'))).to_csv("
        "'{file}.csv', index=False)"
    ),
)
_NESTED_LINES = Known(
    _NESTED.what,
    "Write it as CSV, and choose columns with -m: "
    + python(
        "import json, pandas; pandas.json_normalize(list(map(json.loads, open('{file}')))).to_csv("
        "'{file}.csv', index=False)"
    ),
)


#: The longest list that stands beside the score of a whole test set: the precisions of BLEU.
_N_PRECISIONS = 4
#: Objects of a known kind, by names that all of them have, maybe beside others.
_BY_NAMES: tuple[tuple[set[str], Known], ...] = (
    ({"cells", "nbformat"}, _NOTEBOOK),
    ({"name", "score", "signature"}, _SACREBLEU),
    ({"testCases"}, _DEEPEVAL),
    ({"providers", "prompts"}, _PROMPTFOO_CONFIG),
    ({"_wandb"}, _WANDB),
    ({"_runtime", "_step"}, _WANDB),
    ({"columns", "data"}, _COLUMNS_AND_DATA),
    ({"schema", "data"}, _PANDAS),
    ({"features", "rows"}, _VIEWER),
)


def check_json(source: ScoreSource, content: Any, *, is_lines: bool = False) -> None:
    """Raise `InputError` for JSON that has no scores of segments, if its kind is known.

    Parameters
    ----------
    source : ScoreSource
    content
        All JSON of the file.
    is_lines : bool
        Whether the file has JSON in each line, and `content` is a list of all lines.
    """
    if not content and not isinstance(content, bool | int | float):
        raise _EMPTY.error(source)
    if isinstance(content, dict):
        _check_object(source, content)
    records = content if isinstance(content, list) else []
    if records and all(isinstance(record, dict) for record in records):
        _check_records(source, records, is_lines=is_lines)


def _check_object(source: ScoreSource, content: dict[str, Any]) -> None:
    """Raise `InputError` for an object that has no scores of segments, if its kind is known."""
    _check_names(source, content)
    _check_wrapped(source, content)
    if layout_of(content) is not None:  # a single battle
        return
    values = list(content.values())
    if all(isinstance(value, dict) for value in values):
        _check_objects(source, values)
        return
    if any(normalized(name) in NAMES["segment"] for name in content):
        return
    lists = [value for value in values if isinstance(value, list)]
    has_lists_and_values = 0 < len(lists) < len(values)
    if has_lists_and_values and _are_of_segments(lists, values):
        raise _LISTS_AND_VALUES.error(source)
    if has_lists_and_values or not any(map(is_nested, values)):
        raise _WHOLE.error(source)


def _check_names(source: ScoreSource, content: dict[str, Any]) -> None:
    """Raise `InputError` for an object whose names tell which program wrote it."""
    names = {*content}
    if harness.is_results(names):
        if isinstance(content.get("samples"), dict):
            raise _HARNESS_SAMPLES.error(source)
        raise harness.whole_tasks(source.at())
    if isinstance(content.get("details"), dict) and names & {"accuracy", "score"}:
        raise _OPENCOMPASS.error(source)
    for wanted, known in _BY_NAMES:
        if wanted <= names:
            raise known.error(source)


def _are_of_segments(lists: Sequence[list[Any]], values: Sequence[Any]) -> bool:
    """Whether lists beside single values are as long as each other, and may be of segments."""
    lengths = {len(members) for members in lists}
    longest_summary = _N_PRECISIONS if any(map(_is_number, values)) else 1
    return len(lengths) == 1 and max(lengths) > longest_summary


def _check_wrapped(source: ScoreSource, content: dict[str, Any]) -> None:
    """Raise `InputError` for records under the only name that has a list.

    The name may be that of a system, with a record for each segment.  It is none if there is
    something else beside the records, or if these name their systems themselves.
    """
    names_of_lists = [name for name, value in content.items() if isinstance(value, list) and value]
    if len(names_of_lists) != 1:
        return
    (name,) = names_of_lists
    records = content[name]
    if not all(isinstance(record, dict) for record in records):
        return
    fields = {normalized(field) for record in records for field in record}
    name_their_systems = not fields.isdisjoint(NAMES["system"])
    if len(content) > 1 or name_their_systems:
        raise Known(
            f"has its records under {name!r}",
            "Write them alone: "
            + python(
                f"import json; json.dump(json.load(open('{{file}}'))[{name!r}], "
                "open('{file}.json', 'w'))"
            ),
        ).error(source)


def _check_objects(source: ScoreSource, values: Sequence[dict[str, Any]]) -> None:
    """Raise `InputError` for an object of objects, `values`, if its kind is known."""
    if all({"eval", "status"} <= {*value} for value in values):
        raise _INSPECT_LISTING.error(source)
    row_numbers = [str(row) for row in range(len(values[0]))]
    if all(list(value) == row_numbers for value in values):
        raise _PANDAS.error(source)
    cells = [cell for value in values for cell in value.values()]
    if cells and all(_is_number(cell) for cell in cells):
        raise _WHOLE_OR_SEGMENTS.error(source)


def _check_records(
    source: ScoreSource, records: Sequence[dict[str, Any]], *, is_lines: bool
) -> None:
    """Raise `InputError` for records that have no scores of segments, if their kind is known."""
    first = records[0]
    names = {*first}
    if {"name", "score", "signature"} <= names and "version:" in str(first["signature"]):
        raise _SACREBLEU.error(source)
    if is_lines and any({"spec", "final_report"} & {*record} for record in records):
        raise _OPENAI.error(source)
    if {"instance_id", "stats"} <= names:
        raise _HELM.error(source)
    if {"name", "count", "sum", "mean"} <= names and isinstance(first["name"], dict):
        raise _HELM_STATS.error(source)
    if layout_of(names) is not None:  # battles, which have no scores
        return
    cells = [(name, cell) for record in records for name, cell in record.items()]
    has_score = any(_may_be_score(name, cell) for name, cell in cells)
    if not has_score and any(_holds_number(cell) for _, cell in cells):
        kind = _NESTED_LINES if is_lines else _NESTED
        raise kind.error(source)


def _is_number(cell: Any) -> bool:
    """Whether a cell is a number, and neither true nor false."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _may_be_score(name: str, cell: Any) -> bool:
    """Whether a cell is a score by itself: a number under the name of no label."""
    if is_label(name) or names_no_score(name):
        return False
    if isinstance(cell, str):
        return is_number(cell)
    return isinstance(cell, bool | int | float)


def _holds_number(cell: Any) -> bool:
    """Whether an object has a number, at any depth but not in lists."""
    if isinstance(cell, dict):
        return any(_is_number(value) or _holds_number(value) for value in cell.values())
    return False
