"""Files that are recognised by how their text begins."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...texts.files import without_gz
from ...texts.recognised import log_program
from ..source import ScoreSource
from .known import PROMPTFOO_EXPORT, SEGMENTS_NEEDED, TEXTS_NEEDED, Known, as_csv, as_json

#: How much of a text is looked at.
_HEAD = 8192

_MARKDOWN_TO_CSV = as_csv(
    "import pandas; pandas.read_csv('{file}', sep=r'\\s*\\|\\s*', engine='python', skiprows=[1])"
    ".dropna(axis=1, how='all').to_csv('{file}.csv', index=False)"
)
_YAML_TO_JSON = as_json(
    "import json, yaml; json.dump(yaml.safe_load(open('{file}')), open('{file}.json', 'w'), "
    "default=str)"
)

_LFS = Known("is a pointer of Git LFS, and not the file", "Fetch the file: git lfs pull")
_PROMPTFOO_PAGE = Known("is promptfoo's report", PROMPTFOO_EXPORT)
_PROMPTFOO_TABLE = Known("is promptfoo's table, whose cells are texts", PROMPTFOO_EXPORT)
_PAGE = Known(
    "is a page in HTML",
    "Download the file itself (on GitHub and Hugging Face by 'raw' or 'download'), or save its "
    "table as CSV.",
)
_TEXTS = Known("has the texts of a test set, and no scores", "Compare texts without --scores.")
_XML = Known("is XML", "Write its scores as CSV, with a row for each system and segment.")
_LATEX = Known(
    "is LaTeX",
    "Give the table behind it as CSV, with the scores of segments instead of means.",
)
_MARKDOWN = Known("is a table in Markdown", _MARKDOWN_TO_CSV)
_DRAWN = Known("is a table drawn with characters", "Have the program write it as CSV.")
_YAML = Known("is YAML", _YAML_TO_JSON)
_SACREBLEU = Known("is what sacreBLEU prints", TEXTS_NEEDED)
_COMET_COMPARE = Known(
    "is what comet-compare prints", "Have it write the scores of segments: comet-compare --to_json"
)
_COARSE = Known(
    "has scores of documents, domains or whole test sets, as its name says",
    "Give the scores of segments: *.seg.score",
)
_HARNESS = Known(
    "is the table of whole tasks that lm-evaluation-harness prints",
    "Run lm_eval with --log_samples, and give the files samples_*.jsonl.",
)
_RICH = Known("is rich text", "Save it as plain text in UTF-8.")
_SETTINGS = Known("has settings (TOML or INI), and no scores", "Give a table of scores.")
_PYTHON = Known(
    "is written as Python writes objects, and not as JSON",
    as_json(
        "import ast, json; json.dump(ast.literal_eval(open('{file}').read()), "
        "open('{file}.json', 'w'))"
    ),
)
_PYTHON_LINES = Known(
    "has objects as Python writes them, and not as JSON does",
    as_json(
        "import ast, json; json.dump([ast.literal_eval(line) for line in open('{file}')], "
        "open('{file}.json', 'w'))"
    ),
)
_MLFLOW = Known("is MLflow's record of one metric, a line for each step", SEGMENTS_NEEDED)


def _begins(pattern: str) -> Callable[[str], bool]:
    """Whether a text begins so, in small letters or in capitals."""
    beginning = re.compile(pattern, re.IGNORECASE)
    return lambda head: beginning.match(head) is not None


def _speaks_of_promptfoo(head: str) -> bool:
    """Whether promptfoo is named."""
    return "promptfoo" in head.casefold()


def _is_xml(head: str) -> bool:
    """Whether a text begins with a tag of XML or SGML."""
    return re.match(r"<(\?xml|[A-Za-z!])", head) is not None


def _is_markdown(head: str) -> bool:
    """Whether the second line has the dashes below a header of a table."""
    lines = head.split("\n")
    if len(lines) < 2 or "|" not in lines[0]:
        return False
    return re.fullmatch(r"\s*\|?(\s*:?-{3,}:?\s*\|)+(\s*:?-{3,}:?)?\s*", lines[1]) is not None


def _is_mlflow(head: str) -> bool:
    """Whether all lines have a time, a value and a step; the last may be cut off."""
    lines = head.split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return all(re.fullmatch(r"\d{13} [-+.\deEnaN]+ \d+\s*", line) for line in whole)


def _is_harness_table(head: str) -> bool:
    """Whether a line has the header of the table that lm-evaluation-harness prints."""
    return re.search(r"^\|\s*Tasks\s*\|\s*Version\s*\|", head, re.MULTILINE) is not None


def _is_promptfoo_table(head: str) -> bool:
    """Whether this is a table of promptfoo's, with a cell for each answer."""
    header = head.partition("\n")[0]
    if all(name in header for name in ("Status", "Score", "Named Scores", "Grader Reason")):
        return True
    return re.search(r"(^|[,\t\"])\[(PASS|FAIL|ERROR)\] ", head) is not None


_is_page = _begins(r"<(!doctype html|html|head|body|table)\b")
#: What may stand above the outermost tag of XML and SGML.
_PROLOGUE = r"(<\?xml[^>]*>\s*)?(<!DOCTYPE \w+[^>]*>\s*)?"

#: Tests of the beginning of a text, and the kind of file that it is if one holds; the first counts.
_KINDS: tuple[tuple[Callable[[str], bool], Known], ...] = (
    (_begins(r"version https://git-lfs\.github\.com/spec/"), _LFS),
    (lambda head: _is_page(head) and _speaks_of_promptfoo(head), _PROMPTFOO_PAGE),
    (_is_page, _PAGE),
    (_begins(_PROLOGUE + r"<(refset|srcset|tstset|mteval|dataset|doc)\b"), _TEXTS),
    (lambda head: _is_xml(head) and _speaks_of_promptfoo(head), _PROMPTFOO_PAGE),
    (_is_xml, _XML),
    (_begins(r"(%[^\n]*\n\s*)*\\(documentclass|begin|toprule|usepackage)\b"), _LATEX),
    (_is_harness_table, _HARNESS),
    (_is_markdown, _MARKDOWN),
    (_begins(r"\{\\rtf"), _RICH),
    (_begins(r"\[{1,2}[A-Za-z][\w. -]*\]{1,2}\s*\n"), _SETTINGS),
    (_begins(r"\{'[^\n]*\}\s*\n\s*\{'"), _PYTHON_LINES),
    (_begins(r"\[?\s*\{\s*'"), _PYTHON),
    (_begins(r"\+[-=+]{3,}\+\s*\n|[┌╭╒┏]"), _DRAWN),
    (_begins(r"(BLEU|chrF\d?\+*|TER|WER)\|[^\n]*version:"), _SACREBLEU),
    (_begins(r"=+\s*\nx_name: "), _COMET_COMPARE),
    (_is_mlflow, _MLFLOW),
    (_is_promptfoo_table, _PROMPTFOO_TABLE),
    (_begins(r"(---\s*\n)?(?-i:evalId):"), _PROMPTFOO_PAGE),
    (_begins(r"---\s*\n"), _YAML),
)


def check_text(source: ScoreSource, text: str) -> None:
    """Raise `InputError` for a text that is no file of scores, if its kind is known."""
    if re.search(r"\.(sys|doc|domain)\.score(\.gz)?$", source.path.name):
        raise _COARSE.error(source)
    head = text.lstrip()[:_HEAD]
    for fits, known in _KINDS:
        if fits(head):
            raise known.error(source)
    if without_gz(source.path).suffix.lower() in (".yaml", ".yml"):
        raise _YAML.error(source)
    program = log_program(text)
    if program:
        raise Known(
            f"is a log of {program}, which has outputs and references, and no scores",
            "Compare them without --scores: mtsig compare -r '{file}' '{file}' OTHER_LOG",
        ).error(source)
