"""Damages to files of scores: to their rows, to their text, or to which files there are.

A damage of rows changes the rows, and the oracle goes by the changed ones.  A damage of the text or
of files says itself what is to come: that nothing changes, or which places an error has to name.
"""

from __future__ import annotations

import copy
import dataclasses
import random
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from .oracle import Place
from .tables import COLUMNS, LOGS, Case, File, Page, Row, Spelled

#: Kinds of files that are JSON as a whole.
WHOLE_JSON = ("json", "lists", "comet json", "inspect", "promptfoo")
#: Kinds of files with an object in each line.
_JSON_LINES = ("json lines", "harness")


@dataclasses.dataclass
class Effect:
    """What a damage does beside what the rows say.

    Parameters
    ----------
    places : list of Place
        Of which an error has to name one; empty where what the rows say is to be read.
    may_refuse : list of Place
        Of which an error may name one, although the rows could be read.
    told : list of str
        What the sentence has to say if the table is read.
    without : frozenset of str
        Metrics that need not be read, if they are told.
    ignored : tuple of str
        Labels that may be there or not.
    is_by_order : bool
        Whether segments of one file have to be taken in their order, whatever that is.
    """

    places: list[Place] = dataclasses.field(default_factory=list)
    may_refuse: list[Place] = dataclasses.field(default_factory=list)
    told: list[str] = dataclasses.field(default_factory=list)
    without: frozenset[str] = frozenset()
    ignored: tuple[str, ...] = ()
    is_by_order: bool = False


#: A damage of rows: changes a case, and returns None where it does not apply.
OfRows = Callable[[random.Random, Case], Effect | None]


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _any_place(case: Case) -> list[Place]:
    return [Place(_file_name(file.path)) for file in case.files]


# --- rows -----------------------------------------------------------------------------------------


def undamaged(rng: random.Random, case: Case) -> Effect:
    """Nothing at all."""
    return Effect()


def row_lost(rng: random.Random, case: Case) -> Effect | None:
    """A row that is not there."""
    file = rng.choice(case.files)
    if len(file.rows) < 4:
        return None
    del file.rows[rng.randrange(len(file.rows))]
    if file.has_segments:
        return Effect()
    # All rows below it are in other places, and any of them may be named.
    return Effect(may_refuse=[Place(_file_name(file.path))])


def row_twice(rng: random.Random, case: Case) -> Effect | None:
    """A row that is there once more, beside itself or elsewhere."""
    file = rng.choice(case.files)
    row = dict(rng.choice(file.rows))
    place = rng.choice((file.rows.index(row), len(file.rows), 0))
    file.rows.insert(place, row)
    if file.kind in ("inspect", "promptfoo"):
        return Effect(may_refuse=[Place(_file_name(file.path))])
    return Effect()


def row_contradicted(rng: random.Random, case: Case) -> Effect | None:
    """A row that is there once more with other scores."""
    file = rng.choice(case.files)
    row = dict(rng.choice(file.rows))
    for column in file.scores:
        row[column] = round(row[column] + 0.00000137, 8)
    file.rows.append(row)
    return Effect()


def rows_shuffled(rng: random.Random, case: Case) -> Effect | None:
    """The rows of one file in another order."""
    file = rng.choice(case.files)
    if file.kind in ("tabs", "comet json") and not file.has_segments:
        return None  # where systems follow each other
    rng.shuffle(file.rows)
    if file.has_segments:
        return Effect()
    return Effect(may_refuse=_any_place(case))


def rows_reversed(rng: random.Random, case: Case) -> Effect | None:
    """The rows of all files but one in the reverse order."""
    if len(case.files) < 2:
        return None
    for file in case.files[1:]:
        file.rows.reverse()
    if all(file.has_segments for file in case.files):
        return Effect()
    return Effect(may_refuse=_any_place(case))


def _changed_label(rng: random.Random, text: str) -> tuple[str, str]:
    """Another label that looks much like this one, and what was done to it."""
    ways: list[tuple[str, str]] = [
        ("blank behind", f"{text} "),
        ("blank before", f" {text}"),
        ("no-break space", f"{text}\u00a0"),
        ("cut", text[:-1]),
        ("another case", text.swapcase()),
        ("decomposed", unicodedata.normalize("NFD", text)),
        ("wide letters", "".join(_wide(character) for character in text)),
        ("zero-width space", f"{text}\u200b"),
        ("zeros before", f"0{text}"),
        ("decimal", f"{text}.0"),
        ("hash", f"{text}#2"),
        ("quotation mark", f'{text}"'),
    ]
    other = [(way, label) for way, label in ways if label != text and label.strip()]
    return rng.choice(other)


def _wide(character: str) -> str:
    return chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character


def _label_places(file: File) -> list[str]:
    return [column for column in file.labels if column in file.columns]


def _is_spoilt(file: File, label: str, text: str) -> bool:
    """Whether a layout cannot have this label in a file."""
    has_no_blanks = file.kind in ("tabs", "spaces", "comet-score", "comet json")
    if has_no_blanks and any(character.isspace() for character in text):
        return True
    if file.kind in ("comet-score", "tabs") and label == "segment":
        is_number = text.isascii() and text.isdecimal()
        return not is_number or (file.kind == "comet-score" and str(int(text)) != text)
    return file.kind in LOGS and label == "repeat"


def label_changed(rng: random.Random, case: Case) -> Effect | None:
    """A label in one row that is nearly another one."""
    file = rng.choice(case.files)
    columns = _label_places(file)
    if not columns:
        return None
    column = rng.choice(columns)
    row = rng.choice(file.rows)
    _, text = _changed_label(rng, str(row[column]))
    if _is_spoilt(file, file.labels[column], text):
        return None
    row[column] = text
    if file.has_segments:
        return Effect()
    # Another answerer in the midst of a file: rows below are in other places, if order counts.
    return Effect(may_refuse=[Place(_file_name(file.path))])


def label_changed_everywhere(rng: random.Random, case: Case) -> Effect | None:
    """A label that one file writes in another manner in all its rows."""
    file = rng.choice(case.files)
    columns = _label_places(file)
    if not columns:
        return None
    column = rng.choice(columns)
    before = rng.choice(file.rows)[column]
    _, text = _changed_label(rng, str(before))
    if _is_spoilt(file, file.labels[column], text):
        return None
    if any(str(row[column]) == text for row in file.rows):
        return None
    for row in file.rows:
        if row[column] == before:
            row[column] = text
    return Effect()


def label_absent(rng: random.Random, case: Case) -> Effect | None:
    """Nothing, or a word for nothing, in the place of a label."""
    file = rng.choice(case.files)
    columns = _label_places(file)
    if not columns or file.kind in (*LOGS, "tabs", "spaces", "comet-score", "comet json"):
        return None
    row = rng.choice(file.rows)
    values = ["", "NA", "nan", "null", "None", "   "]
    if file.kind != "table":
        values = [None, "", "null"]
    row[rng.choice(columns)] = rng.choice(values)
    return Effect()


def label_nested(rng: random.Random, case: Case) -> Effect | None:
    """An object, a list or yes in the place of a label, in one row or in several."""
    file = rng.choice(case.files)
    columns = _label_places(file)
    if not columns or file.kind not in ("json", "json lines", "lists"):
        return None
    column = rng.choice([name for name in columns if file.labels[name] != "test set"] or [""])
    if not column:
        return None
    values: list[Any] = [{"v": 1}, ["x"], [], {}, True]
    some = rng.sample(file.rows, rng.randint(1, len(file.rows) - 1))
    value = rng.choice(values)
    for row in some:
        row[column] = value
    return Effect()


def number_damaged(rng: random.Random, case: Case) -> Effect | None:
    """Something that is no number in the place of a score."""
    file = rng.choice(case.files)
    row = rng.choice(file.rows)
    column = rng.choice(list(file.scores))
    if file.kind in LOGS and file.kind != "harness":
        return None
    values: list[Any] = ["n/a", "abc", "0.5.1", "O.5", "inf", "12..", "0.3 0.4", "0x1A", "1_0"]
    if file.kind in ("table", "json", "json lines", "lists"):
        values += ["", "  ", "NA", "1,234", "--"]
    if file.kind in ("json", "json lines", "lists", "harness"):
        values += [None, [0.5], {"score": 0.5}]
    if file.kind in ("spaces", "tabs"):
        values.remove("0.3 0.4")
    if file.has_comma:
        values = [value for value in values if value not in ("1,234",)]
    row[column] = rng.choice(values)
    if file.kind == "harness" and isinstance(row[column], list | dict):
        return Effect(without=frozenset([column]), may_refuse=_any_place(case), told=[column])
    return Effect()


def number_spelled(rng: random.Random, case: Case) -> Effect | None:
    """A score in an unusual spelling."""
    file = rng.choice(case.files)
    if file.kind in LOGS or file.has_comma:
        return None
    row = rng.choice(file.rows)
    column = rng.choice(list(file.scores))
    value = row[column]
    ways = [f"{value:.8e}", f"{value}000", f"{value:+}"]
    if file.kind in ("table", "json"):
        ways += [f" {value}", f"{value} "]
    row[column] = Spelled(rng.choice(ways), value)
    return Effect()


def segments_renumbered(rng: random.Random, case: Case) -> Effect | None:
    """Segments of one file, or of one system, that count from another number."""
    file = rng.choice(case.files)
    column = file.column_of("segment")
    system = file.column_of("system")
    if column is None or not all(str(row[column]).isdecimal() for row in file.rows):
        return None
    name = rng.choice(file.rows)[system] if system else None
    for row in file.rows:
        if system is None or row[system] == name:
            row[column] = str(int(row[column]) + 1)
    return Effect()


def repeat_missing(rng: random.Random, case: Case) -> Effect | None:
    """A repeat that one system, or one item, lacks."""
    file = rng.choice(case.files)
    column = file.column_of("repeat")
    if column is None or file.kind == "inspect":
        return None
    row = rng.choice(file.rows)
    system = file.column_of("system")
    segment = file.column_of("segment")
    same = [name for name in (system, column) if name]
    if rng.random() < 0.5 and segment:
        same.append(segment)
    kept = [own for own in file.rows if any(own[name] != row[name] for name in same)]
    if not kept:
        return None
    file.rows[:] = kept
    return Effect()


def setting_varies(rng: random.Random, case: Case) -> Effect | None:
    """Repeats whose setting is not the same."""
    files = [file for file in case.files if file.column_of("repeat")]
    if not files or files[0].kind in LOGS:
        return None
    name = rng.choice(("temperature", "prompt_id", "template"))
    for file in files:
        column = file.column_of("repeat")
        for row in file.rows:
            scores = {score: row.pop(score) for score in file.scores}
            row[name] = f"t{row[column]}"
            row |= scores
    return Effect(places=[Place(_file_name(file.path), labels=(name,)) for file in files])


def metric_called_like_label(rng: random.Random, case: Case) -> Effect | None:
    """A column of scores whose name is that of something else."""
    file = case.files[0]
    if len(case.files) > 1 or len(file.scores) < 2 or file.kind in LOGS:
        return None
    if any(system for _, system in file.scores.values()):
        return None
    column = rng.choice(list(file.scores))
    taken = {name for label in file.labels.values() for name in COLUMNS[label]}
    names = ["id", "run", "seed", "line", "sample", "segment_number", "doc"]
    if not {"run", "repeat"} & set(file.labels.values()):
        names.append("rater")
    choice = [name for name in names if name not in file.columns and name not in taken]
    name = rng.choice(choice)
    _rename(file, column, name)
    file.scores = {own: about for own, about in file.scores.items() if own != name}
    case.metrics = []
    places = [Place(_file_name(file.path)), Place(labels=(name,))]
    return Effect(may_refuse=places, told=[name])


def _rename(file: File, column: str, name: str) -> None:
    file.rows = [{name if key == column else key: row[key] for key in row} for row in file.rows]
    if column in file.scores:
        metric, system = file.scores[column]
        renamed = {column: (name if metric == column else metric, system)}
        file.scores = {
            (name if key == column else key): renamed.get(key, about)
            for key, about in file.scores.items()
        }


def label_column_lost(rng: random.Random, case: Case) -> Effect | None:
    """A column of labels that one of several files has not."""
    if len(case.files) < 2 or case.files[0].kind in (*LOGS, "tabs", "comet-score", "comet json"):
        return None
    file = rng.choice(case.files)
    columns = [name for name in file.labels if file.labels[name] in ("document", "segment", "run")]
    if not columns:
        return None
    column = rng.choice(columns)
    label = file.labels[column]
    if not file.has_segments:
        return None  # rows are counted in documents, or in the whole file
    if label == "segment" and len({row[column] for row in file.rows}) < len(file.rows):
        case.has_names = False
    for row in file.rows:
        del row[column]
    del file.labels[column]
    places = _any_place(case)
    if label == "run":
        return Effect(places=places)
    if label == "segment":
        return Effect(may_refuse=places, is_by_order=True, told=["order"])
    # What other files say of it may be taken, or not.
    case.has_names = False
    return Effect(may_refuse=places, ignored=(label,))


def metric_column_lost(rng: random.Random, case: Case) -> Effect | None:
    """A metric that one of several files has not."""
    if len(case.files) < 2 or len(case.files[0].scores) < 2:
        return None
    if any(system for _, system in case.files[0].scores.values()):
        return None
    file = rng.choice(case.files)
    if file.kind in ("inspect", "harness"):
        return None
    column = rng.choice(list(file.scores))
    for row in file.rows:
        del row[column]
    del file.scores[column]
    return Effect(places=[*_any_place(case), Place(labels=(column,))])


def metric_column_renamed(rng: random.Random, case: Case) -> Effect | None:
    """A metric that one of several files calls otherwise."""
    if len(case.files) < 2 or not set(case.files[0].scores) & set(case.files[1].scores):
        return None
    if any(system for _, system in case.files[0].scores.values()):
        return None
    file = rng.choice(case.files)
    if case.metrics not in ([], ["all"]) or file.kind not in ("table", "json", "json lines"):
        return None
    column = rng.choice(list(file.scores))
    name = rng.choice((column.lower(), column.upper(), f"{column} "))
    if name.strip() == column:
        return None
    _rename(file, column, name)
    return Effect(places=[*_any_place(case), Place(labels=(column,))])


def systems_of_one_name(rng: random.Random, case: Case) -> Effect | None:
    """Two systems that have the same name."""
    file = rng.choice(case.files)
    column = file.column_of("system")
    if column is None or file.kind in ("promptfoo", "comet json"):
        return None
    names = list(dict.fromkeys(row[column] for row in file.rows))
    if len(names) < 2:
        return None
    for row in file.rows:
        if row[column] == names[1]:
            row[column] = names[0]
    return Effect(may_refuse=_any_place(case))


def document_contradicted(rng: random.Random, case: Case) -> Effect | None:
    """A segment that is in another document in one row."""
    file = rng.choice(case.files)
    column = file.column_of("document")
    if column is None:
        return None
    row = rng.choice(file.rows)
    others = [own[column] for own in file.rows if own[column] != row[column]]
    if not others:
        return None
    row[column] = rng.choice(others)
    return Effect(may_refuse=[Place(_file_name(file.path), labels=(row[column],))])


def source_contradicted(rng: random.Random, case: Case) -> Effect | None:
    """A row without the name of its segment that says another source than the others."""
    file = rng.choice(case.files)
    if file.has_segments or file.kind not in ("table", "json", "json lines", "comet json"):
        return None
    column = next((name for name in ("source", "src") if name in file.columns), None)
    if column is None:
        return None
    row = rng.choice(file.rows)
    row[column] = "Something else."
    return Effect()


def control_items(rng: random.Random, case: Case) -> Effect | None:
    """Rows of control items among the ratings, as their type says."""
    files = [file for file in case.files if file.column_of("rater")]
    if not files:
        return None
    for file in files:
        ratings: list[Row] = []
        for row in file.rows:
            scores = {name: row.pop(name) for name in file.scores}
            ratings.append({**row, "itemType": "TGT", **scores})
        controls = [dict(row) for row in rng.sample(ratings, 2)]
        for row in controls:
            row["itemType"] = rng.choice(("BAD", "REF"))
            for column in file.scores:
                row[column] = round(row[column] + 0.001, 6)
        file.rows[:] = ratings + controls
    return Effect()


OF_ROWS: dict[str, OfRows] = {
    function.__name__.replace("_", " "): function
    for function in (
        *(undamaged, row_lost, row_twice, row_contradicted, rows_shuffled, rows_reversed),
        *(label_changed, label_changed_everywhere, label_absent, label_nested),
        *(number_damaged, number_spelled, segments_renumbered, repeat_missing, setting_varies),
        *(metric_called_like_label, label_column_lost, metric_column_lost, metric_column_renamed),
        *(systems_of_one_name, document_contradicted, source_contradicted, control_items),
    )
}


# --- texts ----------------------------------------------------------------------------------------

#: A damage of the text of one page.
OfText = Callable[[random.Random, Case, Page], Effect | None]


def _at(page: Page, *numbers: int) -> Place:
    """A place in a page; of JSON as a whole the file will do, as its end may be the culprit."""
    name = _file_name(page.path)
    return Place(name) if page.file.kind in WHOLE_JSON else Place(name, numbers)


def _lines_of_rows(page: Page) -> list[int]:
    """The indices of lines that have a row each."""
    if page.file.kind in WHOLE_JSON:
        return list(range(1, len(page.lines) - 1))
    return [place - 1 for place in page.places]


def _separator(page: Page) -> str:
    kinds = {"spaces": "  ", "tabs": "\t", "comet-score": "\t", "numbers": ""}
    if page.file.kind == "table":
        return page.file.separator
    return kinds.get(page.file.kind, ",")


def line_cut(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A line that ends too early."""
    separator = _separator(page)
    index = rng.choice(_lines_of_rows(page))
    line = page.lines[index]
    most = line.rfind(separator) if separator else 0
    if most < 2:
        return None
    page.lines[index] = line[: rng.randint(1, most - 1)]
    if not page.lines[index].strip():
        return None
    places = [_at(page, index + 1)]
    if page.file.kind == "comet-score":  # what is left may look like a word of the program
        row = page.file.rows[index]
        places.append(Place(labels=(row["segment"],)))
    return Effect(places=places)


def stray_separator(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """One separator more in a line."""
    separator = _separator(page)
    if page.file.kind not in ("table", "tabs", "comet-score") or '"' in "".join(page.lines):
        return None
    index = rng.choice(_lines_of_rows(page))
    line = page.lines[index]
    place = rng.randint(1, len(line) - (page.file.kind == "comet-score"))
    page.lines[index] = line[:place] + separator + line[place:]
    if page.file.kind == "table" and len(page.file.columns) == 1:
        return Effect(places=[_at(page)])
    return Effect(places=[_at(page, index + 1)])


def other_separator(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A line with another separator than the others."""
    separator = _separator(page)
    if page.file.kind not in ("table", "tabs") or len(page.file.columns) < 2:
        return None
    index = rng.choice(_lines_of_rows(page))
    other = rng.choice([mark for mark in ",;|" if mark != separator])
    page.lines[index] = page.lines[index].replace(separator, other)
    return Effect(places=[_at(page, index + 1)])


def quotation_over_lines(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A quotation mark that opens in one line and closes in another."""
    file = page.file
    if file.kind != "table" or file.separator == "\t" or len(file.columns) < 2:
        return None
    first, second = sorted(rng.sample(range(len(page.places)), 2))
    lines = [page.places[first] - 1, page.places[second] - 1]
    if any('"' in page.lines[index] for index in range(lines[0], lines[1] + 1)):
        return None
    opened = page.lines[lines[0]].split(file.separator)
    place = rng.randrange(len(opened))
    opened[place] = f'"{opened[place]}'
    page.lines[lines[0]] = file.separator.join(opened)
    closed = page.lines[lines[1]].split(file.separator)
    place = rng.randrange(len(closed))
    closed[place] = f'{closed[place]}"'
    page.lines[lines[1]] = file.separator.join(closed)
    return Effect(places=[_at(page, lines[0] + 1)])


def quotation_left_open(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A quotation mark that nothing closes."""
    file = page.file
    if file.kind != "table" or file.separator == "\t":
        return None
    index = rng.choice(_lines_of_rows(page))
    if any('"' in line for line in page.lines[index:]):
        return None
    fields = page.lines[index].split(file.separator)
    place = rng.randrange(len(fields))
    fields[place] = f'"{fields[place]}'
    page.lines[index] = file.separator.join(fields)
    return Effect(places=[_at(page, index + 1)])


def blank_line(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A blank line among the others, or behind them."""
    index = rng.randint(0, len(page.lines))
    page.lines.insert(index, rng.choice(("", "", "  ")))
    page.places = [place + (place > index) for place in page.places]
    if page.file.has_segments or page.file.kind in WHOLE_JSON:
        return Effect()
    return Effect(may_refuse=[_at(page, index + 1)])


def names_again(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """The names of the columns once more, as in files below each other."""
    if page.file.kind != "table":
        return None
    index = rng.randint(2, len(page.lines))
    page.lines.insert(index, page.lines[0])
    page.places = [place + (place > index) for place in page.places]
    effect = Effect(told=["names of the columns"])
    if not page.file.has_segments:
        effect.may_refuse.append(_at(page, index + 1))
    return effect


def names_lost(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A table without the line of names."""
    if page.file.kind not in ("table", "spaces"):
        return None
    del page.lines[0]
    return Effect(places=[Place(_file_name(page.path))])


def comment(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A line of comments above, or among the rows."""
    if page.file.kind != "table":
        return None
    index = rng.choice((0, rng.randint(1, len(page.lines))))
    page.lines.insert(index, "# made by a script")
    page.places = [place + (place > index) for place in page.places]
    return Effect(told=["comment"])


def blanks_behind(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """Blanks at the ends of lines."""
    last = page.file.columns[-1]
    if page.file.kind == "table" and last not in page.file.scores:
        return None
    chosen = set(rng.sample(range(len(page.lines)), rng.randint(1, len(page.lines))))
    page.lines = [f"{line}  " if n in chosen else line for n, line in enumerate(page.lines)]
    return Effect()


def other_line_ends(rng: random.Random, case: Case, page: Page) -> Effect:
    """Ends of lines as on other machines."""
    page.ending = rng.choice(("\r\n", "\r", "\r\r\n"))
    return Effect()


def mixed_line_ends(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """Ends of lines of several kinds."""
    if len(page.lines) < 3:
        return None
    chosen = set(rng.sample(range(len(page.lines)), rng.randint(1, len(page.lines) - 1)))
    page.lines = [f"{line}\r" if n in chosen else line for n, line in enumerate(page.lines)]
    return Effect()


def old_line_end(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """Two lines with a carriage return alone between them."""
    if page.file.kind in WHOLE_JSON or len(page.lines) < 4:
        return None
    index = rng.choice(_lines_of_rows(page)[:-1])
    page.lines[index : index + 2] = ["\r".join(page.lines[index : index + 2])]
    return Effect(places=[_at(page, index + 1)])


def lines_joined(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """Two lines without an end between them."""
    rows = _lines_of_rows(page)
    if page.file.kind in WHOLE_JSON or len(rows) < 3:
        return None
    index = rng.choice(rows[:-1])
    page.lines[index : index + 2] = ["".join(page.lines[index : index + 2])]
    return Effect(places=[_at(page, index + 1)])


def line_parted(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A line that ends once more in its middle."""
    separator = _separator(page)
    if page.file.kind in (*WHOLE_JSON, "numbers", *_JSON_LINES) or len(page.file.columns) < 2:
        return None
    index = rng.choice(_lines_of_rows(page))
    place = page.lines[index].find(separator)
    if place < 1 or '"' in page.lines[index]:
        return None
    line = page.lines[index]
    page.lines[index : index + 1] = [line[:place], line[place + len(separator) :]]
    return Effect(places=[_at(page, index + 1, index + 2)])


def junk_line(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A line that a program printed among its scores."""
    if page.file.kind in WHOLE_JSON:
        return None
    index = rng.choice(_lines_of_rows(page))
    page.lines.insert(index, rng.choice(("Done in 3.2 s", "Traceback (most recent call last):")))
    page.places = [place + (place > index) for place in page.places]
    if page.file.kind == "comet-score":
        return Effect(may_refuse=[_at(page, index + 1)])
    if page.file.kind == "table" and index == 0:
        return None
    return Effect(places=[_at(page, index + 1)])


def byte_order_mark(rng: random.Random, case: Case, page: Page) -> Effect:
    """A byte-order mark of UTF-8."""
    page.before = b"\xef\xbb\xbf"
    return Effect()


def other_encoding(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """A text that is not UTF-8."""
    page.encoding = rng.choice(("utf-16", "utf-16-le", "latin-1"))
    text = "".join(page.lines)
    if page.encoding == "latin-1":
        try:
            is_same = text.encode("latin-1") == text.encode()
        except UnicodeEncodeError:
            return None
        if is_same:
            return None
    return Effect(places=[Place(_file_name(page.path))])


def bad_byte(rng: random.Random, case: Case, page: Page) -> Effect:
    """A byte that no text in UTF-8 has, or a zero."""
    index = rng.randrange(len(page.lines))
    line = page.lines[index]
    place = rng.randint(0, len(line))
    page.lines[index] = line[:place] + rng.choice(("\udcff", "\udcc3", "\0")) + line[place:]
    return Effect(places=[_at(page, index + 1)])


def end_lost(rng: random.Random, case: Case, page: Page) -> Effect | None:
    """JSON, or a compressed file, without its end."""
    if page.is_packed:
        page.n_cut = rng.randint(1, 12)
    elif page.file.kind in WHOLE_JSON:
        page.n_cut = rng.randint(2, max(3, len(page.content) // 3))
    else:
        return None
    return Effect(places=[Place(_file_name(page.path))])


def emptied(rng: random.Random, case: Case, page: Page) -> Effect:
    """A file with nothing in it, or with blank lines or names alone."""
    keep = rng.choice((0, 0, 1)) if page.file.kind == "table" else 0
    page.lines = page.lines[:keep] or rng.choice(([], ["", ""]))
    places = [Place(_file_name(page.path))]
    others = [file for file in case.files if file is not page.file]
    own = {metric for metric, _ in page.file.scores.values()}
    elsewhere = {metric for file in others for metric, _ in file.scores.values()}
    if keep and others and not own & elsewhere:
        return Effect(may_refuse=places, without=frozenset(own), told=[*own, places[0].file])
    return Effect(places=places)


OF_TEXT: dict[str, OfText] = {
    function.__name__.replace("_", " "): function
    for function in (
        *(line_cut, stray_separator, other_separator, quotation_over_lines, quotation_left_open),
        *(blank_line, names_again, names_lost, comment, blanks_behind, other_line_ends),
        *(mixed_line_ends, old_line_end, lines_joined, line_parted, junk_line, byte_order_mark),
        *(other_encoding, bad_byte, end_lost, emptied),
    )
}


# --- files ----------------------------------------------------------------------------------------


def file_missing(rng: random.Random, case: Case) -> Effect | None:
    """A file that is not there."""
    if case.is_folder:
        return None
    page = rng.choice(case.pages)
    page.is_missing = True
    return Effect(places=[Place(_file_name(page.path))])


def file_twice(rng: random.Random, case: Case) -> Effect | None:
    """A file that is given twice."""
    if case.is_folder:
        return None
    page = rng.choice(case.pages)
    case.pages.append(page)
    return Effect(places=[Place(_file_name(page.path))])


def file_copied(rng: random.Random, case: Case) -> Effect | None:
    """A copy of a file that says the systems itself, under another name."""
    page = rng.choice(case.pages)
    if page.file.implied or not page.file.has_segments or page.file.kind != "table":
        return None
    if any(system for _, system in page.file.scores.values()):
        return None
    _add_copy(case, page)
    if "rater" in page.file.labels.values():
        return Effect(may_refuse=[Place("copy.csv"), Place(_file_name(page.path))])
    return Effect()


def _add_copy(case: Case, page: Page) -> Page:
    folder, _, name = page.file.path.rpartition("/")
    suffix = name.rpartition(".")[2]
    path = f"{folder}/copy.{suffix}" if folder else f"copy.{suffix}"
    file = copy.deepcopy(page.file)
    file.path = path
    made = dataclasses.replace(page, file=file)
    case.files.append(file)
    case.pages.append(made)
    return made


def file_contradicted(rng: random.Random, case: Case) -> Effect | None:
    """A copy of a file with another score in one row."""
    page = rng.choice(case.pages)
    if page.file.implied or not page.file.has_segments or page.file.kind != "table":
        return None
    if any(system for _, system in page.file.scores.values()):
        return None
    if page.file.has_comma or '"' in "".join(page.lines):
        return None
    made = _add_copy(case, page)
    row = rng.choice(made.file.rows)
    column = rng.choice(list(made.file.scores))
    row[column] = round(row[column] + 0.0000019, 8)
    index = made.places[made.file.rows.index(row)] - 1
    fields = made.lines[index].split(made.file.separator)
    fields[made.file.columns.index(column)] = repr(row[column])
    made.lines = [*made.lines]
    made.lines[index] = made.file.separator.join(fields)
    if "rater" in page.file.labels.values():
        return Effect(may_refuse=_any_place(case))
    return Effect()


def files_in_another_order(rng: random.Random, case: Case) -> Effect | None:
    """The files the other way round."""
    if len(case.files) < 2 or case.is_folder:
        return None
    case.files.reverse()
    case.pages.reverse()
    return Effect()


def stray_file(rng: random.Random, case: Case) -> Effect | None:
    """A file in the folder that has nothing to do with the others."""
    if not case.is_folder:
        return None
    name, text = rng.choice(
        (
            ("README.md", "# Results\n"),
            ("run.log", "Done in 3.2 s\n"),
            ("summary.txt", "COMET 0.8\n"),
            ("page.html", "<html></html>\n"),
        )
    )
    file = File(name, "stray", [], {}, {})
    case.pages.append(Page(file, text.splitlines(), []))
    return Effect(told=[name], may_refuse=[Place(name)])


OF_FILES: dict[str, OfRows] = {
    function.__name__.replace("_", " "): function
    for function in (
        *(file_missing, file_twice, file_copied, file_contradicted, files_in_another_order),
        stray_file,
    )
}

#: All damages, by name.
DAMAGES: Sequence[str] = (*OF_ROWS, *OF_TEXT, *OF_FILES)
