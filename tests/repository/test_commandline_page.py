"""The pages on the command line: what they list is what the program reads, refuses and writes.

`docs/commandline.md` is the first of them, and links to all others.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer

import mtsig_nb as mt
from mtsig_nb.cli import app
from mtsig_nb.engine.spending import crossing_probabilities
from mtsig_nb.scores.logs.programs.harness import whole_tasks
from mtsig_nb.scores.recognised import by_columns, by_json, by_text
from mtsig_nb.scores.recognised.known import Known
from mtsig_nb.texts import reading, recognised, wmt_xml
from mtsig_nb.texts.recognised import Format
from tools.repository import results
from tools.trust.decimals import number

from ..cli.program import answer, run
from ..scores.log_files import inspect_log, result, samples, write
from ..tables.test_paper import overfull
from ..tables.test_tables import lacks_latex

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    """The text of a page of the documentation."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


FIRST_PAGE = page("commandline")
FORMATS = page("formats")
#: The keys of all kinds of data.
JSON = page("json") + page("json-kinds")
#: Every page to which the first one links, by name.
PAGES = {"commandline": FIRST_PAGE} | {
    name: page(name) for name in re.findall(r"\]\(([\w-]+)\.md[)#]", FIRST_PAGE)
}

#: Kinds that are recognised and refused, by the words for them in the table's first column.
IN_THE_TABLE = {
    by_columns: {
        "_RUNS": "Weights & Biases, MLflow",
        "_SUMMARY": "one row for each system, method, metric or run",
        "_TURNED": "a table with a column for each segment",
    },
    by_json: {
        "_EMPTY": "with nothing in it",
        "_NOTEBOOK": "a notebook",
        "_SACREBLEU": "sacreBLEU's output, printed or as JSON",
        "_INSPECT_LISTING": "Inspect: a list of logs",
        "_PROMPTFOO_CONFIG": "or its settings",
        "_PANDAS": "JSON as pandas writes it",
        "_WANDB": "Weights & Biases, MLflow",
        "_WHOLE": "one number for each name",
        "_WHOLE_OR_SEGMENTS": "one number for each name",
        "_HELM_STATS": "HELM",
        "_HELM": "HELM",
        "_DEEPEVAL": "DeepEval",
        "_OPENCOMPASS": "OpenCompass",
        "_OPENAI": "OpenAI's evals",
        "_COLUMNS_AND_DATA": "with columns and data apart",
        "_VIEWER": "Hugging Face's viewer",
        "_LISTS_AND_VALUES": "lists beside single values",
        "_HARNESS_SAMPLES": "samples within the results",
        "_NESTED": "nested",
        "_NESTED_LINES": "nested",
    },
    by_text: {
        "_LFS": "a Git LFS pointer",
        "_PROMPTFOO_PAGE": "promptfoo: CSV, HTML, YAML, XML",
        "_PROMPTFOO_TABLE": "promptfoo: CSV, HTML, YAML, XML",
        "_PAGE": "an HTML page",
        "_TEXTS": "test sets of texts",
        "_XML": "XML",
        "_LATEX": "LaTeX",
        "_MARKDOWN": "a table in Markdown",
        "_DRAWN": "a table drawn with characters",
        "_YAML": "YAML",
        "_SACREBLEU": "sacreBLEU's output, printed or as JSON",
        "_COMET_COMPARE": "what comet-compare prints",
        "_COARSE": "`*.sys.score`",
        "_HARNESS": "its printed table",
        "_RICH": "rich text",
        "_SETTINGS": "settings in TOML or INI",
        "_PYTHON": "Python's own notation",
        "_PYTHON_LINES": "Python's own notation",
        "_MLFLOW": "Weights & Biases, MLflow",
    },
}
#: Words of a format's name that say nothing of the format.
FILLERS = {"a", "an", "of", "in", "text", "file", "files", "archive", "arrays", "array", "log"}
FILLERS |= {"compressed", "with", "workbook", "spreadsheet", "document", "database", "old"}


def rows(section: str) -> dict[str, str]:
    """The rows of a part of the table: what is given, and what happens."""
    found: dict[str, str] = {}
    part = ""
    for line in FORMATS.splitlines():
        if not line.startswith("| ") or line.startswith("| ---"):
            continue
        given, happens = (cell.strip() for cell in line.strip("|").split(" | ", 1))
        if given.startswith("**"):
            part = given.strip("*")
        elif part.startswith(section):
            found[given] = happens.strip("| ")
    assert found, section
    return found


def test_every_kind_that_is_recognised_stands_in_the_table():
    refused = " ".join(rows("refused, because it has no segment scores"))
    for module, words in IN_THE_TABLE.items():
        kinds = {name for name, value in vars(module).items() if isinstance(value, Known)}
        assert kinds == {*words}, module.__name__
        for name, phrase in words.items():
            assert phrase in refused, name


def formats() -> list[Format]:
    by_bytes = recognised._BY_FIRST_BYTES.values()
    in_zip = recognised._BY_NAME_IN_ZIP.values()
    return [*by_bytes, *in_zip, recognised._TAR, recognised._ZIP]


def test_every_format_that_is_no_text_stands_in_the_table():
    refused = " ".join(rows("refused, because it is not UTF-8 text"))
    for kind in formats():
        names = set(kind.name.split()) - FILLERS
        assert names, kind.name
        assert all(name.removeprefix("old ") in refused for name in names), kind.name


def test_every_format_of_texts_stands_in_the_table():
    read = " ".join(rows("texts")).casefold()
    for name in reading._READERS:
        assert {"text": "plain text", "tsv": "`.tsv`"}.get(name, name.casefold()) in read
    refused = " ".join(rows("refused, because it has no texts"))
    for name in ("JSON", *reading._OTHER_TABLES.values(), *wmt_xml._OTHERS.values()):
        assert name in refused


def test_the_lines_that_help_are_those_of_the_errors():
    advice = [kind.advice for kind in formats()]
    for module in IN_THE_TABLE:
        advice += [kind.advice for kind in vars(module).values() if isinstance(kind, Known)]
    advice += [str(whole_tasks("")), "numpy.savetxt", "without --scores"]
    pool = "\n".join(advice)
    for section in (
        "refused, because it is not UTF-8 text",
        "refused, because it has no segment scores",
    ):
        for given, happens in rows(section).items():
            for line in re.findall(r"`([^`]+)`", happens):
                parts = [part.strip(" \"'") for part in line.split("…")]
                assert all(part in pool for part in parts), (given, line)


# --- what is read ---------------------------------------------------------------------------------

TEXTS = "One boat left.\nTwo gulls sat.\nIt rained.\n"
OTHER = "One boat leaves.\nTwo gulls sit.\nIt rained.\n"
SGML = '<{kind} setid="x" srclang="any"><doc docid="d" sysid="{name}">{segments}</doc></{kind}>'
SEGMENTS = "".join(f'<seg id="{n}">{line}</seg>' for n, line in enumerate(TEXTS.splitlines(), 1))
WMT = (
    f'<dataset id="x"><doc id="d"><src><p>{SEGMENTS}</p></src>'
    f'<ref translator="A"><p>{SEGMENTS}</p></ref><hyp system="A"><p>{SEGMENTS}</p></hyp>'
    "</doc></dataset>"
)
SIMULEVAL = "".join(
    json.dumps({"index": n, "prediction": line, "delays": [1.0], "reference": line}) + "\n"
    for n, line in enumerate(TEXTS.splitlines())
)
FAIRSEQ = "".join(
    f"S-{n}\tEins\nT-{n}\t{line}\nH-{n}\t-0.3\t{line}\nD-{n}\t-0.3\t{line}\n"
    for n, line in enumerate(TEXTS.splitlines())
)
#: Files for each row of the table about texts, and how they are given.
READ_AS_TEXTS = {
    "plain text": ({"r.txt": TEXTS, "A.txt": OTHER}, "-r r.txt A.txt"),
    "NIST's SGML": (
        {
            "r.sgm": SGML.format(kind="refset", name="r", segments=SEGMENTS),
            "A.sgm": SGML.format(kind="tstset", name="A", segments=SEGMENTS),
        },
        "-r r.sgm A.sgm",
    ),
    "WMT's XML": ({"x.xml": WMT}, "-r x.xml"),
    "a table with tabs": ({"x.tsv": "reference\tA\nOne.\tOne.\nTwo.\tA two.\n"}, "-r x.tsv"),
    "SimulEval's": (
        {"A/instances.log": SIMULEVAL, "gen.txt": FAIRSEQ},
        "-r A/instances.log A/instances.log",
    ),
}

SCORES = {"A": [0.5, 0.75, 0.25], "B": [0.25, 0.5, 0.125]}
LONG = "system,segment,x\n" + "".join(
    f"{name},{n},{score}\n" for name, own in SCORES.items() for n, score in enumerate(own)
)
RIGHT = "model,question_id,right\nA,q1,correct\nA,q2,incorrect\nB,q1,correct\nB,q2,correct\n"
COMPARED = {
    "source": ["", "", ""],
    "translations": [{"name": f"{name}.txt", "scores": own} for name, own in SCORES.items()],
}
TASK = "x\ten-de\ttest\tref\t{name}\t{n}\t{score}\n"


def of_each(line: str) -> str:
    return "".join(
        line.format(name=name, n=n + 1, score=score)
        for name, own in SCORES.items()
        for n, score in enumerate(own)
    )


MARKS = "system\tsegment\trater\tcategory\tseverity\n" + "".join(
    f"{name}\t{n}\tann\tStyle/Awkward\t{severity}\n"
    for name, own in (("A", ("Major", "Minor", "Minor")), ("B", ("Minor", "No-error", "Minor")))
    for n, severity in enumerate(own)
)
EXPORT = "".join(
    f"{rater},{name},{n},TGT,deu,eng,{100 * score},news,False,1700000000.5,1700000009.5\n"
    for rater in ("ann", "bob")
    for name, own in SCORES.items()
    for n, score in enumerate(own)
)
SCREENS = [
    {
        "user_id": rater,
        "item_i": n,
        "item": [
            {"src": f"Eins {n}.", "tgt": {"A": "One.", "B": "A one."}, "item_id": f"d_###_{n}"}
        ],
        "annotation": [{name: {"score": 100 * own[n]} for name, own in SCORES.items()}],
    }
    for rater in ("ann", "bob")
    for n in range(3)
]

#: Files for each row of the table about scores, and how they are given.
READ_AS_SCORES = {
    "a long table": ({"x.csv": LONG}, "x.csv"),
    "a leaderboard's items": ({"x.csv": RIGHT}, "x.csv"),
    "a wide table": ({"x.csv": "segment,A,B\n1,.5,.2\n2,.7,.5\n"}, "x.csv -m COMET"),
    "a JSON object of lists": ({"x.json": json.dumps(SCORES)}, "x.json -m COMET"),
    "a number in each line": ({"A.txt": "0.5\n0.75\n", "B.txt": "0.25\n0.5\n"}, "A.txt B.txt"),
    "comet-score": ({"x.txt": of_each("{name}.txt\tSegment {n}\tscore: {score}\n")}, "x.txt"),
    "comet-compare": ({"x.json": json.dumps(COMPARED)}, "x.json"),
    "`*.seg.score`": ({"x.seg.score": of_each("{name}\t{score}\n")}, "x.seg.score"),
    "lm-evaluation-harness": (
        {f"{name}/samples_t.jsonl": samples([own, 1, 0]) for name, own in (("A", 1), ("B", 0))},
        "A/samples_t.jsonl B/samples_t.jsonl",
    ),
    "Inspect": (
        {"a.json": inspect_log("A", [1, 0, 1]), "b.json": inspect_log("B", [1, 0, 0])},
        "a.json b.json",
    ),
    "promptfoo": (
        {"x.jsonl": [result(p, n, (p + n) % 2, "AB"[p]) for p in (0, 1) for n in range(3)]},
        "x.jsonl",
    ),
    "error annotations": ({"x.tsv": MARKS}, "x.tsv --units segments"),
    "Appraise": ({"x.csv": EXPORT}, "x.csv --units segments"),
    "Pearmut": ({"x.json": {"x": SCREENS}}, "x.json --units segments"),
    "a folder": ({"logs/a.csv": LONG, "logs/notes.md": "Mine.\n"}, "logs"),
}
BATTLES = "model_a,model_b,winner\nelm,oak,model_a\noak,elm,tie\nelm,oak,oak\noak,elm,elm\n"
RANKINGS = "system1Id,system1rank,system2Id,system2rank\nelm,1,oak,2\noak,1,elm,1\nelm,2,oak,1\n"
READ_AS_COMPARISONS = {
    "an arena's battles": ({"x.csv": BATTLES}, "x.csv"),
    "WMT's rankings": ({"x.csv": RANKINGS}, "x.csv"),
}


def written(folder: Path, files: dict[str, object]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            write(path, content)


def row_of(section: str, beginning: str) -> str:
    (found,) = (given for given in rows(section) if given.startswith(beginning))
    return found


def test_every_row_of_what_is_read_is_tried():
    for section, tried in (
        ("texts", READ_AS_TEXTS),
        ("segment scores", READ_AS_SCORES),
        ("comparisons", READ_AS_COMPARISONS),
    ):
        assert {row_of(section, beginning) for beginning in tried} == {*rows(section)}


@pytest.mark.parametrize("row", READ_AS_TEXTS)
def test_texts_in_the_table_are_read(tmp_path, monkeypatch, row):
    files, given = READ_AS_TEXTS[row]
    written(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    assert answer(f"measure {given}")["systems"][0]["system"] == "A"
    if "gen.txt" in files:
        assert answer("measure -r gen.txt gen.txt")["systems"][0]["system"] == "gen"


@pytest.mark.parametrize("row", [*READ_AS_SCORES, *READ_AS_COMPARISONS])
def test_scores_and_comparisons_in_the_table_are_read(tmp_path, monkeypatch, row):
    compares = row in READ_AS_COMPARISONS
    files, given = (READ_AS_COMPARISONS if compares else READ_AS_SCORES)[row]
    written(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    found = answer(f"compare --scores {given}")
    assert found["kind"] == ("battles" if compares else "pairs")
    systems = {"elm", "oak"} if compares else {"A", "B"}
    assert {own["system"] for own in found["systems"]} == systems


# --- what is written ------------------------------------------------------------------------------

RUNS = "system,seed,segment,x\n" + "".join(
    f"{name},{seed},{n},{score + seed * n / 100}\n"
    for name, own in SCORES.items()
    for seed in (1, 2)
    for n, score in enumerate(own)
)
TEST_SETS = RUNS.replace("seed", "test_set")
RATINGS = RUNS.replace("seed", "rater")
OF_EACH_KIND = {
    "pairs": LONG,
    "runs": RUNS,
    "test sets": TEST_SETS,
    "ratings": RATINGS,
    "battles": BATTLES,
    "looks": LONG,
}


def keys_listed(heading: str) -> set[str]:
    """The keys in the JSON table under a heading; none where there is no such table."""
    table = re.search(rf"^\| {re.escape(heading)} \|.*\n((?:\|.*\n)+)", JSON, re.MULTILINE)
    if table is None:
        return set()
    firsts = [line.split("|")[1] for line in table[1].splitlines()]
    return {name for first in firsts for name in re.findall(r"`(\w+)`", first)}


@pytest.mark.parametrize("kind", OF_EACH_KIND)
def test_the_json_of_every_kind_has_what_the_page_lists(tmp_path, kind):
    path = tmp_path / "x.csv"
    path.write_text(OF_EACH_KIND[kind])
    typed = "watch --planned 9 --looks 1,9" if kind == "looks" else "compare"
    found = answer(f"{typed} --scores {path}")
    assert found["kind"] == kind
    common = keys_listed("key in every comparison")
    assert common
    assert {*found} == common | keys_listed(f"key for the kind `{kind}`")
    _, _, prose = JSON.partition("A row of `pairs`")
    unexplained = {"rank_top", "rank_bottom", "weight", "ratio"}
    for name in {*found["pairs"][0], *found["systems"][0]} - unexplained:
        stem = re.sub(r"_(low|high)$|^share_.*", "", name)
        named = stem in ("", "system", "letters") or f"`{stem}`" in prose or f"`{name}`" in prose
        adjusted = name.startswith(("pvalue_adjusted_", "conclusion_"))
        assert named or adjusted, name


def test_the_json_of_a_gate_has_what_the_page_lists(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(LONG)
    typed = f"gate --scores {path} --baseline B --margin 0.9 -n 99 -f json"
    found = json.loads(run(typed, code=2).stdout)  # three segments cannot tell
    assert {*found} == keys_listed("key in every comparison") | keys_listed(
        "key for the kind `gate`"
    )
    _, _, prose = JSON.partition("A row of `pairs`")
    assert all(f"`{name}`" in prose for name in found["pairs"][0])


def test_the_json_of_a_leaderboard_has_what_the_page_lists(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(TEST_SETS)
    found = answer(f"leaderboard --scores {path} -n 99")
    assert {*found} == keys_listed("key in every comparison") | keys_listed(
        "key for the kind `leaderboard`"
    )
    _, _, prose = JSON.partition("A row of `pairs`")
    for name in {*found["pairs"][0], *found["systems"][0], *found["by_task"][0]}:
        assert f"`{name}`" in prose or name == "system", name


def test_the_leaderboard_of_the_page_is_what_the_screen_shows(monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    (typed,) = re.findall(r"```bash\nmtsig (leaderboard .*?)\n```", page("leaderboards"))
    (shown,) = re.findall(r"```text\n(.*?)```", page("leaderboards"), re.DOTALL)
    assert run(typed).stdout.startswith(shown.rstrip())


def test_the_gate_of_the_page_says_what_stands_there(monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    gates = page("gates")
    (typed,) = re.findall(r"```bash\nmtsig (gate .*?)\n```", gates)
    (shown,) = re.findall(r"```text\n(.*?)```", gates, re.DOTALL)
    assert run(typed).stdout.startswith(shown.rstrip())
    (workflow,) = re.findall(r"```yaml\n(.*?)```", gates, re.DOTALL)
    parameters = typer.main.get_command(app).commands["gate"].params
    known = {name for parameter in parameters for name in parameter.opts}
    typed_there = re.findall(r"(?<=\s)--?[a-z]\S*", workflow.replace("\\", ""))
    assert typed_there
    assert {*typed_there} <= known


def test_the_first_page_begins_with_six_commands():
    commands = re.findall(r"^# [^\n]+\nmtsig (\w+) ", first_block(), re.MULTILINE)
    assert commands == ["compare"] * 4 + ["agreement", "watch"]
    assert "## " not in FIRST_PAGE.partition(first_block())[0]


def test_the_six_commands_run_as_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    n_segments = 40
    n_wrong_words = {"ref": 0, "elm": 1, "oak": 3, "yew": 5}
    words = np.array(["boat", "gull", "rain", "hill", "left", "came", "over", "cold"])
    reference = [words[rng.permutation(8)] for _ in range(n_segments)]
    for name, n_wrong in n_wrong_words.items():
        lines = [" ".join(["x"] * n_wrong + list(line[n_wrong:])) for line in reference]
        Path(f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    documents = [f"d{segment // 4}" for segment in range(n_segments)]
    Path("documents.txt").write_text("\n".join(documents), encoding="utf-8")
    frame = pd.DataFrame(
        {
            "system": np.repeat([*n_wrong_words], n_segments),
            "segment": np.tile(range(n_segments), len(n_wrong_words)),
        }
    )
    n_errors = frame["system"].map(n_wrong_words)
    for name, sign in (("COMET", -1), ("chrF", -1), ("MQM", 1)):
        frame[name] = sign * n_errors + rng.normal(size=len(frame))
    frame.to_csv("scores.csv", index=False)
    judgements = frame[["system", "segment", "COMET"]]
    judgements.to_json("judgements.jsonl", orient="records", lines=True)
    for typed in re.findall(r"^mtsig (.*)", first_block(), re.MULTILINE):
        run(typed)
    assert "elm" in Path("report.html").read_text(encoding="utf-8")


def first_block() -> str:
    """The commands with which the first page begins."""
    block = re.search(r"^```sh\n(.*?)^```", FIRST_PAGE, re.DOTALL | re.MULTILINE)
    assert block is not None
    return block[1]


@pytest.mark.parametrize("name", PAGES)
def test_the_options_typed_on_a_page_are_those_of_the_program(name):
    commands = typer.main.get_command(app).commands
    for block in re.findall(
        r"^```(?:sh|bash|text)\n(.*?)^```", PAGES[name], re.DOTALL | re.MULTILINE
    ):
        for command, arguments in re.findall(r"^mtsig (\w+) (.*)$", block, re.MULTILINE):
            known = {option for parameter in commands[command].params for option in parameter.opts}
            typed = {word for word in arguments.split() if word.startswith("-")}
            assert typed <= known, arguments


def test_the_recipes_for_counts_and_their_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    counts, examples = page("counts"), page("examples")
    tables = re.findall(r"^`(\S+\.csv)`\n\n```text\n(.*?)```", counts, re.DOTALL | re.MULTILINE)
    assert len(tables) == 4
    for name, table in tables:
        (tmp_path / name).write_text(table)
    blocks = re.findall(r"^```bash\n(.*?)^```", counts + examples, re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^mtsig (.*)", "".join(blocks), re.MULTILINE)
    assert len(lines) == 7
    for typed in lines:
        found = answer(typed)
        assert len(found["scores"]) == typed.count(":")
    (shown,) = re.findall(r"```text\n(WER: large against.*?)```", examples, re.DOTALL)
    assert shown in run(lines[-1]).stdout


def test_the_json_with_examples_has_what_the_page_lists(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(OF_EACH_KIND["pairs"])
    usual = answer(f"compare --scores {path}")
    found = answer(f"compare --scores {path} --examples 2")
    listed = keys_listed("key with `--examples`")
    assert {*found} - {*usual} == listed
    row, _, counts = JSON.partition("| `examples_counts` |")[2].partition("`examples_counts`")
    assert {*found["examples"][0]} <= {*re.findall(r"`(\w+)`", row)}
    assert {*found["examples_counts"][0]} <= {*re.findall(r"`(\w+)`", counts)}


def test_three_output_files_become_a_paper(tmp_path, monkeypatch):
    """By the lines on the page alone."""
    monkeypatch.chdir(tmp_path)
    typed, compile_it = re.findall(r"```bash\n(.*?)```", page("into-a-paper"), re.DOTALL)
    (paper,) = re.findall(r"```latex\n(.*?)```", page("into-a-paper"), re.DOTALL)
    words = ["the", "boat", "left", "before", "rain", "came", "over", "all", "hills"]
    reference = [" ".join(words[n % 5 :] + words[: n % 5]) for n in range(40)]
    Path("ref.txt").write_text("\n".join(reference), encoding="utf-8")
    for every, name in ((9, "elm"), (5, "oak"), (2, "yew")):
        lines = [
            line.replace("rain", "snow").replace("left", "leaves") if n % every == 0 else line
            for n, line in enumerate(reference)
        ]
        Path(f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    run(typed.strip().removeprefix("mtsig ") + " -n 500")
    if lacks_latex() or shutil.which("bibtex") is None:
        pytest.skip(lacks_latex() or "bibtex is not installed (Debian: texlive-binaries)")
    Path("paper.tex").write_text(paper, encoding="utf-8")
    for command in compile_it.strip().splitlines():
        options = ["-interaction=nonstopmode", "-no-shell-escape", "-halt-on-error"]
        program, name = command.split()
        arguments = [program, *(options if program == "pdflatex" else []), name]
        subprocess.run(arguments, capture_output=True, check=True, timeout=120)
    log = Path("paper.log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log
    assert overfull(log) == []
    assert Path("paper.pdf").stat().st_size > 10_000


def test_the_campaign_that_is_watched_is_stopped_as_the_page_has_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    invented, so_far, later, by_raters, of_raters = blocks_on_watching("python|text")
    typed, typed_of_raters = blocks_on_watching("bash")
    names: dict[str, object] = {}
    exec(invented, names)
    assert run(typed.removeprefix("mtsig ")).stdout.startswith(so_far)
    exec(invented.replace("< 200", "< 400"), names)
    assert run(typed.removeprefix("mtsig ")).stdout.startswith(so_far + later)
    exec(by_raters, names)
    assert run(typed_of_raters.removeprefix("mtsig ")).stdout.startswith(of_raters)


def blocks_on_watching(languages: str) -> list[str]:
    """The blocks of some languages on the page about watching a campaign."""
    return re.findall(rf"```(?:{languages})\n(.*?)```", page("watching"), re.DOTALL)


def test_rates_of_watching_are_those_measured():
    worlds = {world["key"]: world for world in results.trust()["worlds"]}
    watching = page("watching") + page("watching-settings")
    no_difference, _, small, _ = worlds["watched-given-up"]["settings"]
    for setting in (no_difference, small):
        (row,) = [row for row in setting["rows"] if row["name"] == "given-up-0.1"]
        n_given_up = row["counts"]["given_up"]
        assert number(n_given_up / row["of"]) in watching
    assert number(row["counts"]["0.05"] / n_given_up) in watching
    three_raters = worlds["watched-raters"]["settings"][0]
    (row,) = [row for row in three_raters["rows"] if row["name"] == "segments-at-looks"]
    assert row["counts"]["0.05"] / row["of"] == pytest.approx(1 / 4, abs=0.02)
    shares = np.arange(1, 11) / 10
    of_ten_looks = crossing_probabilities(np.full(10, 1.96), shares).sum()
    assert f"about {number(of_ten_looks)[:3]} of campaigns" in watching


def test_the_seed_decides_what_the_page_says_it_does():
    _, _, section = FIRST_PAGE.partition("## Why two p-values differ")
    typed = re.findall(r"^mtsig (compare .* --units documents -n 10000.*)$", section, re.MULTILINE)
    found = [answer(line) for line in typed]
    assert len(found) == 2
    for own in found:
        (pair,) = own["pairs"]
        assert f"p = {pair['pvalue']:.4f}" in section
    before, after = (re.sub(r"seed:\d+", "seed", own["signature"]) for own in found)
    assert before == after
    for n, shown in ((10_000, ".0022"), (100_000, ".0007")):
        assert number(np.sqrt(0.05 * 0.95 / n), 4) == shown
        assert shown in section
    reach = 1.96 * np.sqrt(0.05 * 0.95 / 10_000)
    assert f"between {number(0.05 - reach, 4)} and {number(0.05 + reach, 4)}" in section


def test_seeds_scatter_as_the_formula_says():
    bleu = mt.load("wmt12/es-en").statistics("BLEU")
    pvalues = [
        mt.approximate_randomization(
            bleu, "uk-dan-moses", "onlineF", units="documents", n_resamples=10_000, rng=seed
        ).pvalue
        for seed in range(100)
    ]
    p = np.mean(pvalues)
    assert np.std(pvalues) == pytest.approx(np.sqrt(p * (1 - p) / 10_000), rel=0.25)


@pytest.mark.slow
def test_the_plans_for_numbers_of_raters_are_those_of_the_page():
    ratings = page("ratings")
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", ratings, re.DOTALL | re.MULTILINE):
        exec(block, names)
    rows = {
        f"| {int(row.raters)} | {int(row.ratings):,} | {row.standard_error:.2f} "
        f"| {row.detectable:.1f} | {number(row.power, 2)} |"
        for row in names["plans"].table.itertuples()
    }
    assert rows == {*re.findall(r"^\| \d+ \| [\d,]+ \| .*\|$", ratings, re.MULTILINE)}


def test_no_embedded_campaign_has_both_neural_metrics_and_judgements():
    campaigns = mt.list_campaigns()
    is_neural = campaigns["metrics"].astype(str).str.contains("COMET|MetricX")
    assert set(campaigns[is_neural]["campaign"]) == {"wmt25"}
    assert is_neural.sum() == 29
    assert "WMT25's 29 language pairs" in page("metrics-against-people")
    assert set(campaigns[is_neural]["human"]) == {"none"}
