"""Files of battles and of rankings: every row is counted as it says, or refused where it stands.

What has to be counted is counted here in plain Python from what was drawn, by no code of the
readers.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import mtsig_nb as mt
from mtsig_nb.human import PairwisePreferences
from mtsig_nb.notes import code_of
from mtsig_nb.scores.battles import Battles, read_battles
from mtsig_nb.scores.reading import read_layout, read_scores
from mtsig_nb.scores.sources import score_source

from ..messages import naming

#: Names that are easily taken for words or for each other, beside plain ones.
NAMES = ("Tiefighter-13B", "Llama", "both-v2", "draw it", "7", "Bing", "gpt-4", "GPT-4", "équipe")
FIRST = ("model_a", "Model_A", " model a ", "left", "LEFT", "system_a", "model_1", "first")
SECOND = ("model_b", "MODEL_B", "model b", "right", "Right ", "system_b", "model_2", "second")
TIED = ("tie", "Tie", "tie (bothbad)", "both_bad", "bothbad", " BOTH ", "draw", "equal", "tied")
#: What is none of these: with another word behind it, in another case, a third model, or nothing.
UNKNOWN = ("tiebreak", "bothered", "draws nigh", "model_c", "0", "-1", "3", "llama", "won", "true")
MISSING = ("", "   ", "nan", "None", "null", "N/A")

Battle = tuple[str, str, str]
#: Who beat whom, and who was tied with whom in alphabetical order, how often.
Counts = Counter[tuple[str, str, str]]


@st.composite
def battles(draw: st.DrawFn) -> tuple[list[Battle], Counts]:
    """Rows of a file, and what they count for."""
    rows: list[Battle] = []
    counts: Counts = Counter()
    for _ in range(draw(st.integers(1, 12))):
        first, second = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
        outcome = draw(st.sampled_from(["first", "second", "tie"]))
        if outcome == "first":
            winner = draw(st.sampled_from([*FIRST, first]))
            counts["beat", first, second] += 1
        elif outcome == "second":
            winner = draw(st.sampled_from([*SECOND, second]))
            counts["beat", second, first] += 1
        else:
            winner = draw(st.sampled_from(TIED))
            counts["tied", *sorted([first, second])] += 1
        rows.append((first, second, winner))
    return rows, counts


def as_csv(rows: list[Battle], names: tuple[str, ...], separator: str = ",") -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerows([names, *rows])
    return stream.getvalue()


def as_json_lines(rows: list[Battle], names: tuple[str, ...]) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def as_json_list(rows: list[Battle], names: tuple[str, ...]) -> str:
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows])


def as_json_columns(rows: list[Battle], names: tuple[str, ...]) -> str:
    return json.dumps(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


LAYOUTS = {
    "csv": as_csv,
    "tsv": lambda rows, names: as_csv(rows, names, "\t"),
    "jsonl": as_json_lines,
    "json": as_json_list,
    "columns.json": as_json_columns,
}
HEADERS = (
    ("model_a", "model_b", "winner"),
    ("Model A", "Model B", "Winner"),
    ("system_a", "system_b", "winner"),
    ("model_1", "model_2", "winner"),
)


def read(path: Path) -> Battles:
    found = read_layout(score_source(str(path)))
    assert found.kind == "battles"
    return read_battles(found.frame, found.where)


def counted(found: Battles) -> Counts:
    counts: Counts = Counter()
    for a, b, outcome in found.frame[["system_a", "system_b", "outcome"]].itertuples(index=False):
        if outcome == 0:
            counts["tied", *sorted([a, b])] += 1
        else:
            counts["beat", *((a, b) if outcome > 0 else (b, a))] += 1
    return counts


@pytest.mark.takes_time
@given(battles(), st.sampled_from(sorted(LAYOUTS)), st.sampled_from(HEADERS))
def test_every_battle_counts_as_it_says(tmp_path_factory, drawn, layout, header):
    rows, counts = drawn
    path = tmp_path_factory.mktemp("battles") / f"b.{layout}"
    path.write_text(LAYOUTS[layout](rows, header), encoding="utf-8")
    found = read(path)
    assert counted(found) == counts
    names = {name for row in rows for name in row[:2]}
    preferences = PairwisePreferences(found.frame)
    assert set(preferences.systems) == names
    assert preferences.wins.to_numpy().sum() == sum(
        n for (kind, *_), n in counts.items() if kind == "beat"
    )


@st.composite
def damages(draw: st.DrawFn) -> tuple[list[Battle], int, str]:
    """Rows of which one is damaged, its number, and the column that the message has to name."""
    rows, _ = draw(battles())
    at = draw(st.integers(0, len(rows) - 1))
    first, second, winner = rows[at]
    kind = draw(st.sampled_from(["winner", "third", "other-case", "missing", "itself"]))
    column = 2
    if kind == "winner":
        winner = draw(st.sampled_from(UNKNOWN))
        assume(winner not in (first, second))
    elif kind == "third":
        winner = draw(st.sampled_from([name for name in NAMES if name not in (first, second)]))
    elif kind == "other-case":
        winner = draw(st.sampled_from([first, second])).swapcase()
        assume(winner not in (first, second))
    elif kind == "itself":
        second = first
        column = 1
    else:
        cell = draw(st.sampled_from(MISSING))
        column = draw(st.integers(0, 2))
        whole = [first, second, winner]
        whole[column] = cell
        first, second, winner = whole
    damaged = [*rows[:at], (first, second, winner), *rows[at + 1 :]]
    return damaged, at, HEADERS[0][column]


@pytest.mark.takes_time
@given(damages(), st.sampled_from(["csv", "tsv", "jsonl"]))
def test_a_damaged_battle_is_refused_by_line_and_column(tmp_path_factory, drawn, layout):
    rows, at, column = drawn
    path = tmp_path_factory.mktemp("battles") / f"b.{layout}"
    path.write_text(LAYOUTS[layout](rows, HEADERS[0]), encoding="utf-8")
    place = f"line {at + (1 if layout == 'jsonl' else 2)}"
    if layout == "jsonl" and len(rows) == 1:
        place = "record 1"  # a single object is no JSON lines
    with pytest.raises(mt.InputError) as caught:
        read(path)
    message = str(caught.value)
    assert place in message
    assert column in message


@pytest.mark.parametrize("cell", ["null", "true", "false", '{"name": "x"}', '["x", "y"]'])
@pytest.mark.parametrize("column", HEADERS[0])
def test_cells_of_json_that_are_no_names_are_refused(tmp_path, column, cell):
    good = {"model_a": '"x"', "model_b": '"y"', "winner": '"tie"'}
    lines = [
        "{" + ", ".join(f'"{name}": {value}' for name, value in row.items()) + "}"
        for row in (good, good | {column: cell})
    ]
    path = tmp_path / "b.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(mt.InputError, match=naming("line 2", column)):
        read(path)


def frame_of(*rows: Battle) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=HEADERS[0])


@pytest.mark.parametrize(
    "rows",
    [
        [("model_b", "model_a", "model_b"), ("model_a", "model_b", "model_a")],
        [("right", "left", "left")],
        [("B", "A", "A"), ("A", "B", "B")],
        [("tie", "x", "tie")],
        [("x", "y", "Draw"), ("x", "draw", "x")],
        [("b", "a", "A")],  # a name in another case, or a side
        [("A", "C", "B"), ("A", "B", "A")],  # a third model, or a side
        [("2", "1", "1"), ("1", "3", "model_a")],
    ],
)
def test_models_that_are_called_as_sides_or_ties_have_to_be_renamed(rows):
    with pytest.raises(mt.InputError, match="Rename the models"):
        PairwisePreferences(frame_of(*rows))


@pytest.mark.parametrize(
    ("rows", "wins"),
    [
        # Both readings agree.
        ([("model_a", "model_b", "model_a"), ("model_a", "model_b", "model_b")], {"model_a": 1}),
        ([("A", "B", "A"), ("A", "B", "B"), ("A", "B", "A")], {"A": 2}),
        # The column has names, as one of them is no word for a side.
        ([("A", "B", "A"), ("B", "C", "C"), ("C", "A", "A"), ("B", "C", "B")], {"A": 2, "C": 1}),
        ([("1", "2", "1"), ("2", "3", "3"), ("3", "1", "1")], {"1": 2, "3": 1}),
        # Words for sides that no model has.
        ([("left", "right", "model_b"), ("right", "left", "model_b")], {"right": 1, "left": 1}),
        # Numbers.
        ([(7, "x", "model_a"), (7, "x", 7)], {"7": 2}),
    ],
)
def test_what_can_be_known_is_read(rows, wins):
    won = PairwisePreferences(frame_of(*rows)).wins.sum(axis=1)
    assert {name: won[name] for name in wins} == wins
    assert won.sum() == len(rows)


def test_names_that_are_nearly_the_same_are_told():
    found = read_battles(
        frame_of(("GPT", "gpt", "GPT"), ("x", "GPT", "x"), ("ﬁne", "x", "tie")), "row {}".format
    )
    (said,) = found.notes
    assert said.code == "names-alike"
    assert said.values["names"] == "'GPT' and 'gpt'"
    assert found.frame["outcome"].tolist() == [1, 1, 0]


def test_battles_that_are_there_again_are_told_and_counted():
    frame = frame_of(("x", "y", "x"), ("y", "x", "x"), ("x", "y", "y"), ("x", "z", "x"))
    assert not read_battles(frame, "row {}".format).notes  # nothing identifies them
    of_battles = frame.assign(battle_id=[1, 1, 2, 2])
    (said,) = read_battles(of_battles, "row {}".format).notes
    assert (said.code, said.values["n"], said.values["same"]) == ("battles-repeated", 1, 1)
    of_judges = frame.assign(question_id=[1, 1, 1, 1], judge=["j", "j", "j", "k"])
    (said,) = read_battles(of_judges, "row {}".format).notes
    assert (said.values["n"], said.values["same"]) == (2, 1)
    assert not read_battles(of_judges.assign(turn=[1, 2, 3, 1]), "row {}".format).notes
    assert len(read_battles(of_judges, "row {}".format).frame) == 4


def test_what_is_not_used_is_known_and_raters_go_by_many_names():
    frame = frame_of(("x", "y", "x"), ("y", "x", "tie")).assign(
        lang="en", judgeID=[3, "j"], tstamp=[1.5, 2.5]
    )
    found = read_battles(frame, "row {}".format)
    assert found.frame["rater"].tolist() == ["3", "j"]
    assert found.unused == ("lang", "tstamp")
    with pytest.raises(mt.InputError, match=naming("row 1", "'judgeID'", "no value")):
        read_battles(frame.assign(judgeID=["j", None]), "row {}".format)
    assert "rater" not in read_battles(frame.assign(judgeID=[None, ""]), "row {}".format).frame


def test_two_columns_of_scores_with_a_winner_are_no_battles(tmp_path):
    rows = "segment,model_a,model_b,winner\n1,.5,.75,model_b\n2,.25,1,model_b\n"
    path = tmp_path / "s.csv"
    path.write_text(rows)
    table = mt.read_score_table(str(path), ["s"])
    assert list(table.statistics()[0].systems) == ["model_a", "model_b"]
    path.write_text(rows.replace(",1,", ",broken,") + "3,.5,.5,model_a\n")
    with pytest.raises(mt.InputError, match=naming("'broken'", "finite number")):
        mt.read_score_table(str(path), ["s"])
    whole = "segment,model_a,model_b\n1,3,4\n2,4,2\n3,x,3\n"
    path.write_text(whole)
    with pytest.raises(mt.InputError, match=naming("'x'", "finite number")):
        mt.read_score_table(str(path), ["s"])


def test_battles_without_a_winner_are_known_as_such(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("model_a,model_b,vote\nx,y,model_a\n")
    with pytest.raises(mt.InputError, match="no column 'winner'"):
        read_scores(str(path))


def test_battles_beside_other_files_leave_nothing_out(tmp_path):
    (tmp_path / "b.csv").write_text("model_a,model_b,winner\nx,y,x\n")
    (tmp_path / "s.csv").write_text("system,segment,m\nx,1,.5\ny,1,.25\n")
    battles = str(tmp_path / "b.csv")
    scores = str(tmp_path / "s.csv")
    for paths in ([battles, scores], [scores, battles]):
        with pytest.raises(mt.InputError, match=naming("'b.csv' has battles", "the file alone")):
            mt.read_score_table(paths)


def test_battles_are_no_table_of_scores(tmp_path):
    path = tmp_path / "b.csv"
    path.write_text("model_a,model_b,winner\nx,y,x\n")
    for read in (mt.read_score_table, read_scores):
        with pytest.raises(mt.InputError, match=naming("'b.csv' has battles", "no scores")):
            read(str(path))


# Rankings.


@st.composite
def rankings(draw: st.DrawFn) -> tuple[list[dict[str, object]], Counts]:
    """Rows of WMT's rankings, blanks and -1 for what was not ranked; and what they imply."""
    places = draw(st.integers(2, 5))
    rows: list[dict[str, object]] = []
    counts: Counts = Counter()
    for _ in range(draw(st.integers(1, 6))):
        systems = draw(
            st.lists(st.sampled_from(NAMES), min_size=places, max_size=places, unique=True)
        )
        ranks = draw(
            st.lists(st.sampled_from([1, 2, 3, 5, -1, ""]), min_size=places, max_size=places)
        )
        row: dict[str, object] = {"judgeId": draw(st.sampled_from(["j1", "j2"])), "segmentId": 3}
        row |= {f"system{n}Id": name for n, name in enumerate(systems, start=1)}
        row |= {f"system{n}rank": rank for n, rank in enumerate(ranks, start=1)}
        rows.append(row)
        ranked = [(n, r) for n, r in zip(systems, ranks, strict=True) if r not in (-1, "")]
        for i, (name, rank) in enumerate(ranked):
            for other, other_rank in ranked[:i]:
                if rank == other_rank:
                    counts["tied", *sorted([name, other])] += 1
                else:
                    better_first = (name, other) if rank < other_rank else (other, name)
                    counts["beat", *better_first] += 1
    assume(counts)
    return rows, counts


@pytest.mark.takes_time
@given(rankings())
def test_rankings_count_as_all_pairs_of_their_systems(tmp_path_factory, drawn):
    rows, counts = drawn
    path = tmp_path_factory.mktemp("rankings") / "ranks.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    found = read(path)
    assert counted(found) == counts
    assert found.n_rankings == len(rows)
    assert set(found.unused) == {"segmentId"}
    said_nothing = len(rows) - found.frame["task"].nunique()
    told = [one.values["n"] for one in found.notes if code_of(one) == "rankings-of-one"]
    assert told == ([said_nothing] if said_nothing else [])


@pytest.mark.parametrize("rank", ["first", "0", "-2", "nan", "inf", "1;2"])
def test_ranks_that_are_none_are_refused(tmp_path, rank):
    path = tmp_path / "r.csv"
    path.write_text(
        f"system1Id,system1rank,system2Id,system2rank\nx,1,y,2\nx,2,y,{rank}\n", encoding="utf-8"
    )
    with pytest.raises(mt.InputError, match=naming("line 3", "'system2rank'")):
        read(path)


def test_a_system_stands_once_in_a_ranking():
    frame = pd.DataFrame(
        {"system1Id": ["x"], "system1rank": [1], "system2Id": ["x"], "system2rank": [2]}
    )
    with pytest.raises(mt.InputError, match=naming("'x'", "twice")):
        PairwisePreferences(frame)


#: The names of the columns of WMT's rankings, five ways until 2014, and in pairs in 2015 and 2016.
FIVE_WAYS = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{n}Number,system{n}Id" for n in range(1, 6))
    + ","
    + ",".join(f"system{n}rank" for n in range(1, 6))
)
IN_PAIRS = (
    "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,"
    "rankingID"
)
SYSTEMS = ("elm", "oak", "fir", "ash", "yew")


def five_ways(orders: list[list[int]], languages: str = "ces,eng") -> list[str]:
    """A line for each ranking of all systems."""
    lines = []
    for number, ranks in enumerate(orders, start=1):
        names = ",".join(f"{n},{name}" for n, name in enumerate(SYSTEMS))
        shown = ",".join(map(str, ranks))
        lines.append(f"{languages},{number},-1,{number},judge{number % 2},{names},{shown}")
    return lines


ORDERS = [[1, 2, 3, 4, 5], [2, 1, 2, -1, 3], [1, 1, 1, 1, 1], [5, 4, 3, 2, 1]]


def test_five_ways_and_in_pairs_say_the_same(tmp_path):
    lines = [IN_PAIRS]
    for number, ranks in enumerate(ORDERS, start=1):
        for a, b in itertools.combinations(range(5), 2):
            if -1 in (ranks[a], ranks[b]):
                continue
            pair = f"{SYSTEMS[a]},{ranks[a]},{SYSTEMS[b]},{ranks[b]}"
            lines.append(f"ces,eng,{number},{number},judge{number % 2},{pair},{number}")
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("\n".join(lines))
    whole = tmp_path / "whole.csv"
    whole.write_text("\n".join([FIVE_WAYS, *five_ways(ORDERS)]))
    of_pairs, of_whole = read(pairs), read(whole)
    assert counted(of_pairs) == counted(of_whole)
    assert of_pairs.n_rankings == of_whole.n_rankings == len(ORDERS)
    assert of_pairs.most_ranked == of_whole.most_ranked == len(SYSTEMS)
    for found in (of_pairs, of_whole):
        assert found.frame.groupby("task").size().tolist() == [10, 6, 10, 10]
        assert sorted(found.frame["rater"].unique()) == ["judge0", "judge1"]
    assert "rankingID" not in of_pairs.unused


def test_several_language_pairs_in_one_table_are_noted(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("\n".join([FIVE_WAYS, *five_ways(ORDERS), *five_ways(ORDERS, "deu,eng")]))
    (found,) = (one for one in read(path).notes if code_of(one) == "rankings-pooled")
    assert found.values == {"n": 2, "pairs": "ces-eng, deu-eng"}
    path.write_text("\n".join([FIVE_WAYS, *five_ways(ORDERS)]))
    assert "rankings-pooled" not in map(code_of, read(path).notes)
