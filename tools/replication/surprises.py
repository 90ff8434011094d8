"""The rows that surprised us most: what came out, in a paragraph of computed numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from .computed import graham, koehn_design, riezler_maxwell
from .rows import Outcome

#: The records of the ledger by their keys.
Records = Mapping[str, Mapping[str, Any]]


@dataclasses.dataclass(frozen=True)
class Surprise:
    """One of them.

    Attributes
    ----------
    key : str
        Of its row.
    title : str
    tell : callable
        The paragraph, from the records.
    code : callable
        What computes the row.
    printed : str
        The file with the printed numbers, in ``datasets/published``.
    """

    key: str
    title: str
    tell: Callable[[Records], str]
    code: Callable[[], Outcome]
    printed: str

    def told(self, records: Records) -> dict[str, str]:
        """Title, paragraph, and where to check it."""
        return {
            "key": self.key,
            "title": self.title,
            "text": self.tell(records),
            "function": self.code.__name__,
            "file": f"{self.code.__module__.replace('.', '/')}.py",
            "printed": f"datasets/published/{self.printed}",
        }


def values(record: Mapping[str, Any]) -> dict[str, str]:
    """Our numbers by name, rounded as in the table; of a count, the count."""
    return {v["name"]: format(v["value"], v["spec"]) for v in record["values"]}


def table(record: Mapping[str, Any]) -> pd.DataFrame:
    """The row's table."""
    shown = record["table"]
    return pd.DataFrame(shown["rows"], columns=shown["columns"])


def table_3(records: Records) -> str:
    """Koehn's Table 3: ours beside it, and a curve of two numbers."""
    row = values(records["koehn-table-3"])
    three = table(records["koehn-table-3"])
    whose, shares, gap = three.columns[0], three.columns[3::2], "difference (BLEU)"
    his, ours = (three[three[whose] == name].reset_index(drop=True) for name in ("his", "ours"))
    apart = (ours[shares].astype(float) - his[shares].astype(float)).abs()
    worst = int(apart.max(axis=1).argmax())
    cells, ceiling = apart.size, int(row["cells at the ceiling"])
    return (
        "His outputs are not public. Ours are of other engines, partly from other languages, "
        f"news in place of a parliament, eight years later. In {ceiling} of his {cells} cells he "
        "prints 100 % right. There we agree with him, which says little. In the other "
        f"{cells - ceiling} we are {row['points, cells not at the ceiling']} points apart on "
        f"average, where two draws of as many test sets would be {row['those by chance']}; "
        f"chi-square is {row['chi-square of the others']} with {cells - ceiling} degrees of "
        f"freedom. The furthest apart, by {row['points, most']} points, is {ours['pair'][worst]}, "
        f"{ours[gap][worst]:.2f} BLEU apart where his pair is {his[gap][worst]}. So his numbers "
        "do not come back. Their shape does, and takes no outputs at all: the curve "
        f"Φ(d√n/{row['σ of the curve closest to his cells']} − z) of the difference d and the "
        "number of sentences n, with one parameter chosen by his cells, is "
        f"{row['points of it, all cells']} points from them on average, and "
        f"{row['points of it, cells not at the ceiling']} where he is not at the ceiling; our "
        f"table is {row['points, all cells']} and {row['points, cells not at the ceiling']} away. "
        f"With {row['σ of the curve closest to our cells']}, chosen by our cells, the curve is "
        f"{row['points of that from his, all cells']} and "
        f"{row['points of that from his, not at the ceiling']} points from his. Something is left "
        "beside these two numbers: where he is not at the ceiling, chi-square of his cells and "
        f"the curve is {row['chi-square of it, cells not at the ceiling']}. But the table depends "
        "mostly on how far apart the systems are and how many sentences there are. (The curve is "
        "given his differences, which our pairs have only nearly. Cells share sentences and "
        "systems, so that both values of chi-square only describe.)"
    )


def doubled(records: Records) -> str:
    """Riezler & Maxwell's Table 2, as Graham et al. read it."""
    row = values(records["rm-table-2-doubled"])
    pairs = table(records["rm-table-2-doubled"])
    passing = pairs[pairs["as printed"] == "larger"]
    certain = row["whatever was rounded off"]
    each = ", ".join(
        f"{p['comparison']} ({p['doubled']:g} against {p['p_approxrand']:g})"
        for _, p in passing.iterrows()
    )
    return (
        f"In all {len(pairs)} pairs the bootstrap's p is smaller than that of approximate "
        "randomization, which is read as one test being the more conservative. Graham et al. "
        "(2014, section 2) saw that their bootstrap, as printed, counts one tail of two, and "
        f"doubled: {len(passing)} of its {len(pairs)} p-values then pass "
        f"randomization's, {each}. What is added here is the rounding: whatever was "
        f"rounded off before printing, {certain if certain != '0' else 'none'} of these is certain."
    )


def reversal(records: Records) -> str:
    """Graham et al.'s Table 1."""
    row = values(records["graham-reversal"])
    at_05 = table(records["graham-reversal"]).query("alpha == 0.05").set_index("metric")
    said = {
        whose: {
            place: (
                " and ".join(at_05.index[at_05[whose] == extreme]),
                int(extreme),
            )
            for place, extreme in (("best", at_05[whose].max()), ("worst", at_05[whose].min()))
        }
        for whose in ("printed", "ours")
    }
    theirs, ours = said["printed"], said["ours"]
    chance = values(records["graham-chi-square-printed"])["p of all four, es-en"]
    here = values(records["graham-chi-square"])["smallest p of six"]
    return (
        f"At .05 they find {theirs['best'][0]} right most often, about {theirs['best'][1]} pairs "
        f"of systems, and {theirs['worst'][0]} least often, about {theirs['worst'][1]}. The same "
        "outputs, the same test, METEOR in a later version, and the organisers' rankings in the "
        "place of their assessments: "
        f"{ours['best'][0]} is right most often, {ours['best'][1]} times, and "
        f"{ours['worst'][0]} least often, {ours['worst'][1]} times. If metrics left as few pairs "
        "undecided there as here, their people decided at least "
        f"{row['pairs that their people decided, at least']}; the rankings decide "
        f"{row['pairs that the rankings decide']}. That can account for the height of the counts, "
        "but not for their order, which has the same metric first where the rankings are read at "
        "looser levels. Nor need an order be explained at all: "
        f"{theirs['best'][1] - theirs['worst'][1]} pairs lie between their best and their worst "
        f"metric, and chi-square finds p = {chance} for all four; of ours its smallest p is {here}."
    )


SURPRISES = (
    Surprise(
        "koehn-table-3",
        "Koehn's Table 3 depends mostly on two numbers",
        table_3,
        koehn_design.table_3,
        "koehn2004_table3.csv",
    ),
    Surprise(
        "rm-table-2-doubled",
        "Riezler & Maxwell's Table 2, as Graham et al. doubled it",
        doubled,
        riezler_maxwell.table_2_doubled,
        "riezler_maxwell2005_table2.csv",
    ),
    Surprise(
        "graham-reversal",
        "The first metric of Graham et al. is not the first here, and chance could be why",
        reversal,
        graham.reversal,
        "graham2014_table1.csv",
    ),
)


def told(ledger: Mapping[str, Any]) -> list[dict[str, str]]:
    """All of them that the ledger has a row for."""
    records = {row["key"]: row for row in ledger["rows"]}
    return [surprise.told(records) for surprise in SURPRISES if surprise.key in records]
