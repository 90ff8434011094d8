"""What notebooks and labs share that is not statistics: headlines, moving pictures, own work.

Importing it in a notebook also has numbers printed as a reader reads them (`printed`), and figures
drawn as `mtsig_nb.plots.style` says.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import itertools
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .components import Component
from .components.chance import chance_machine as chance_machine
from .components.codes import Codes, answers_of, entries_in, exam
from .components.judge import planted, quiz
from .errors import InputError, check_all_of
from .own_work import own_work as own_work

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

#: The output type that carries a headline number in an executed notebook.
MIME_TYPE = "application/x-mtsig-headline+json"


def printed(value: float) -> str:
    """A number below a cell: five significant digits at most, and four decimals of a p-value.

    Further digits of a float tell a reader nothing, and the last ones differ between processors.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> [printed(value) for value in (0.0269730269, 33.42611725, 793475.2356, 0.5, 0.000123456)]
    ['0.0270', '33.426', '793475', '0.5', '0.000123']
    """
    size = abs(value)
    if float(f"{value:.5g}") == value or not size < float("inf"):
        return repr(float(value))
    if size < 1:
        return f"{value:.4f}" if size >= 0.001 else f"{value:.3g}"
    return f"{value:#.5g}" if size < 1e4 else f"{value:.0f}"


def _print_for_readers() -> None:
    """Set how IPython, NumPy and pandas print floats, and figures look, in a notebook alone."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd

    from .plots import style

    plain = shell.display_formatter.formatters["text/plain"]
    for kind in (float, np.float64, np.float32):
        plain.for_type(kind, lambda value, printer, _: printer.text(printed(value)))
    # The older form shows a scalar without its type.
    np.set_printoptions(precision=4, suppress=True, legacy="1.25")
    pd.set_option("display.precision", 4)
    plt.style.use(style.SHEET)


@dataclasses.dataclass(frozen=True)
class Headline:
    """One number that a notebook publishes, as it is printed.

    Attributes
    ----------
    name : str
        What the number is, in a few words.
    value : str
        The number, rounded as it is shown, so that the last bits of a float cannot matter.
    """

    name: str
    value: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {MIME_TYPE: dataclasses.asdict(self)}

    def __repr__(self) -> str:
        return f"{self.name}: {self.value}"


def headline(name: str, value: object, *, spec: str = "") -> None:
    """Show a number and publish it: ``make run`` lists it, and tests can check it.

    Parameters
    ----------
    name : str
        What the number is, in a few words.
    value : number or str
    spec : str
        How `value` is rounded for print, as in `format`.

    See Also
    --------
    headlines : reads them back from an executed notebook.

    Examples
    --------
    >>> headline("heads in 1,000 tosses, share", 0.51249, spec=".3f")
    heads in 1,000 tosses, share: 0.512
    """
    from IPython.display import display

    display(Headline(name, format(value, spec)))


def headlines(notebook: Mapping[str, Any]) -> list[Headline]:
    """The numbers that an executed notebook publishes, in order.

    Parameters
    ----------
    notebook : mapping
        A notebook as `nbformat` or `json` reads it.

    Returns
    -------
    list of Headline

    Examples
    --------
    >>> output = {"data": {MIME_TYPE: {"name": "pairs", "value": "66"}}}
    >>> headlines({"cells": [{"cell_type": "code", "outputs": [output]}]})
    [pairs: 66]
    """
    return [
        Headline(**output["data"][MIME_TYPE])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if MIME_TYPE in output.get("data", {})
    ]


def be_the_judge(
    campaign: str | None = None,
    systems: Sequence[str] = ("GPT4-5shot", "HW-TSC"),
    *,
    n_items: int = 20,
    rng: int = 1,
    n_resamples: int = 10_000,
    **fetching: Any,
) -> Component:
    """Outputs side by side for the reader to judge, blind; then what the judgements show.

    Without a campaign: twenty-four items that were written for the course.  Into one output of
    twenty of them a fault was planted, such as real systems make.  With one: real outputs, and what
    people said of them.  At the end the reader's preferences meet fair coins, chrF and the faults,
    and become a code that :func:`read_codes` reads.  With a campaign, a table has each rater beside
    the reader, on the pairs that both have judged.

    Parameters
    ----------
    campaign : str, optional
        An embedded campaign whose raters gave scores to each output, such as ``"wmt23/zh-en"``.
        Its texts are fetched from their public home (:func:`mtsig_nb.fetch_texts`).
    systems : sequence of two str
    n_items : int
    rng : int
        Which items: the same for a class.  Drawn from the segments that were rated and on which the
        outputs differ.
    n_resamples : int
        Of the chance machine at the end; a multiple of 500.
    **fetching
        Of :func:`mtsig_nb.fetch_texts`, such as ``cache``.

    Returns
    -------
    Component
        The last expression of a cell, so that it is shown.

    Raises
    ------
    InputError
        If the campaign has no such ratings, or too few segments.

    Examples
    --------
    >>> be_the_judge()
    quiz of 24 pairs of outputs: which is better?
    """
    if campaign is None:
        return quiz(planted(), n_resamples=n_resamples)
    return quiz(
        _rated(campaign, systems, n_items, rng, fetching),
        systems,
        verdict="People's marks",
        said="A person's translation",
        told="People marked one of the two outputs as worse in {n} of the items that you judged.",
        n_resamples=n_resamples,
    )


def _rated(
    name: str, systems: Sequence[str], n_items: int, rng: int, fetching: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Segments on which two systems differ, with their texts and what raters gave for them."""
    import numpy as np

    from .campaigns.embedded import load
    from .campaigns.fetching import fetch_texts
    from .human import Ratings

    campaign = load(name)
    rated = next((one for one in campaign.judgements.values() if isinstance(one, Ratings)), None)
    if rated is None:
        raise InputError(
            f"campaign={name!r}: who rated its outputs is not known. Take 'wmt23/zh-en'."
        )
    check_all_of("systems", systems, [s for s in campaign.systems if s in rated.systems])
    texts = fetch_texts(name, **fetching)
    outputs = [texts.hypotheses[system] for system in systems]
    marks = rated.frame.groupby(["segment", "system"])["raw"].agg(list).unstack()
    marks = marks[list(systems)].dropna()
    each = rated.frame.pivot_table(index=["segment", "rater"], columns="system", values="raw")
    leads = (each[systems[0]] - each[systems[1]]).dropna()  # of raters who rated both
    preferred = 3 - 2 * leads.gt(0) - leads.lt(0)
    differ = [segment for segment in marks.index if outputs[0][segment] != outputs[1][segment]]
    if len(differ) < n_items:
        raise InputError(
            f"n_items={n_items}: outputs differ on {len(differ)} rated segments. Ask for fewer."
        )
    asked = []
    for segment in np.random.default_rng(rng).permutation(differ)[:n_items].tolist():
        given = marks.loc[segment]
        own = preferred.index.isin([segment], level=0)
        means = [float(np.mean(one)) for one in given]
        words = [
            f"{system} {', '.join(f'{value + 0.0:g}' for value in one)}"  # no -0
            for system, one in given.items()
        ]
        asked.append(
            {
                "source": texts.source[segment] if texts.source else "",
                "reference": next(
                    filter(None, (reference[segment] for reference in texts.references))
                ),
                "outputs": [output[segment] for output in outputs],
                "worse": 0 if means[0] == means[1] else 1 + means.index(min(means)),
                "fault": "; ".join(words),
                "raters": preferred[own].droplevel(0).to_dict(),
            }
        )
    return asked


def read_codes(codes: Codes, judged: Component | None = None) -> pd.DataFrame:
    """What readers have said, from the codes that their pages showed them.

    Parameters
    ----------
    codes : sequence of str, or path
        Codes; or a text file with one a line, or a folder of such files.
    judged : Component, optional
        What they have judged or answered, as :func:`be_the_judge` or :func:`inventory` gives it; by
        default the items of the course.

    Returns
    -------
    DataFrame
        A row for each code and a column for each item: ``"Ash"``, ``"Birch"``,
        ``"no difference"``, or None where it was not judged; of the inventory letters.  A row has
        its code's number, counted from 0, or its label where `codes` is a Series.

    Raises
    ------
    InputError
        If none of the codes is one of this page; the message names the first.

    Warns
    -----
    UserWarning
        For each code that has been mistyped, or answers what was not asked, with its place.  It has
        no row.

    Examples
    --------
    >>> table = read_codes(["N3VGN3VGN2Q"])
    >>> table.iloc[0].value_counts().to_dict()
    {'Ash': 12, 'Birch': 12}
    """
    import pandas as pd

    table = answers_of(entries_in(codes), judged or quiz(planted(), n_resamples=500))
    if isinstance(codes, pd.Series):
        table.index = codes.index[table.index]
    return table


def inventory(path: str | os.PathLike[str]) -> Component:
    """The concept inventory as an exam that gives a code, and says nothing of what is right.

    Parameters
    ----------
    path : path
        Of ``notebooks/labs/inventory.toml``, or of a file like it.

    Returns
    -------
    Component
        The last expression of a cell; ``make handouts`` makes a page of it.
    """
    return exam([_question(item) for item in _items(path)])


def inventory_results(
    path: str | os.PathLike[str], before: Codes, after: Codes = ()
) -> pd.DataFrame:
    """A class's inventory, item by item, before a course and after it.

    Parameters
    ----------
    path : path
        As of :func:`inventory`.
    before, after : sequence of str, or path
        Codes, as of :func:`read_codes`.

    Returns
    -------
    DataFrame
        A row for each item: unit, the share of the class that is right ``before`` and ``after``
        (missing without such codes), and of the latest codes the wrong answer that was given most:
        ``wrong``, its share, and the ``misconception`` behind it.

    Raises
    ------
    InputError
        If `path` is no inventory, there are no codes, or none of a list is one of this inventory.

    Warns
    -----
    UserWarning
        For each code that is left out, as by :func:`read_codes`.

    Examples
    --------
    >>> path = "notebooks/labs/inventory.toml"
    >>> inventory_results(path, [])
    Traceback (most recent call last):
    ...
    mtsig_nb.errors.InputError: before: there are no codes. Give those of the class.
    """
    import pandas as pd

    items, asked = _items(path), inventory(path)
    entries = {"before": entries_in(before), "after": entries_in(after)}
    if not entries["before"]:
        raise InputError("before: there are no codes. Give those of the class.")
    given = []
    for time, found in entries.items():
        if found:
            argument = f"codes {time}" if entries["after"] else "codes"
            given.append(answers_of(found, asked, argument))
    rows = []
    for number, item in enumerate(items, start=1):
        options = dict(zip(asked.data["answers"], item["options"], strict=False))
        right = next(letter for letter, option in options.items() if option.get("right"))
        shares = given[-1][number].value_counts(normalize=True).drop(right, errors="ignore")
        wrong = str(shares.index[0]) if len(shares) else ""
        rows.append(
            {
                "item": number,
                "unit": item["unit"],
                "before": (given[0][number] == right).mean(),
                "after": (given[1][number] == right).mean() if len(given) > 1 else None,
                "wrong": wrong,
                "share": shares.iloc[0] if len(shares) else 0.0,
                "misconception": options[wrong]["misconception"] if wrong else "",
            }
        )
    return pd.DataFrame(rows).set_index("item")


def handed_in(**times: Codes) -> pd.DataFrame:
    """Codes with the pseudonyms that students made up, so that one student's can be matched.

    Parameters
    ----------
    **times : sequence of str, or path
        For each time, such as ``before`` and ``after``, lines with a pseudonym and then a code: the
        lines, a text file with them, or a folder of text files.

    Returns
    -------
    DataFrame
        A row for each line that is not empty: ``student``, the pseudonym in small letters, without
        spaces and punctuation; ``time``; ``attempt``, 1 for a student's first line of that time;
        ``code``; and ``alone``, whether the pseudonym occurs at one time only.  A line without a
        pseudonym is named by its place, and stays.

    Examples
    --------
    >>> handed_in(before=["Amber 17, N3VG", "N2QA"], after=["amber-17 N3VH"])
          student    time  attempt  code  alone
    0     amber17  before        1  N3VG  False
    1  (before 2)  before        1  N2QA   True
    2     amber17   after        1  N3VH  False
    """
    import pandas as pd

    rows = []
    for time, given in times.items():
        lines = [entry.text.strip() for entry in entries_in(given) if entry.text.strip()]
        for number, line in enumerate(lines, start=1):
            *name, code = re.split(r"[\s,;]+", line)
            student = "".join(filter(str.isalnum, "".join(name))).casefold()
            rows.append((student or f"({time} {number})", time, code))
    table = pd.DataFrame(rows, columns=["student", "time", "code"])
    table.insert(2, "attempt", table.groupby(["student", "time"]).cumcount() + 1)
    table["alone"] = table.groupby("student")["time"].transform("nunique") == 1
    return table


def _items(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The items of an inventory, as they are written."""
    try:
        with open(path, "rb") as file:
            items = tomllib.load(file)["item"]
    except OSError as error:
        raise InputError(f"path={str(path)!r} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError) as error:
        reason = "it has no [[item]]" if isinstance(error, KeyError) else error
        raise InputError(
            f"path={str(path)!r} is no inventory: {reason}. Give notebooks/labs/inventory.toml, or "
            "a file like it."
        ) from None
    return list(items)


def _question(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"stem": item["stem"], "options": [option["text"] for option in item["options"]]}


def classroom(codes: Codes, judged: Component | None = None) -> Figure:
    """A class's codes as one picture; see :func:`mtsig_nb.plots.classroom.classroom`."""
    from .plots.classroom import classroom as draw

    return draw(codes, judged)


def movable(draw: Callable[..., None], **controls: Sequence[Any]) -> Component:
    """A picture with a slider for each of its settings, which moves on a page without a kernel.

    Parameters
    ----------
    draw : callable
        ``draw(ax, **values)`` draws into an empty pair of axes.
    **controls : sequence
        For each setting of `draw`, the values that its slider goes through, the first one first.
        All of their combinations are drawn, so a few dozens are the most.

    Returns
    -------
    Component
        The last expression of a cell, so that it is shown.  Such a cell is tagged
        ``nbval-ignore-output``: pictures differ between processors in what nobody sees.

    Examples
    --------
    >>> movable(lambda ax, n: ax.bar([0], [n]), n=[1, 2, 3])
    picture with a slider for n: 3 positions
    """
    frames = [
        _drawn(draw, dict(zip(controls, values, strict=True)))
        for values in itertools.product(*controls.values())
    ]
    names = [name.replace("_", " ") for name in controls]
    data = {
        "controls": [
            {"name": name, "values": [f"{v:,}" if isinstance(v, int) else str(v) for v in values]}
            for name, values in zip(names, controls.values(), strict=True)
        ],
        "frames": frames,
    }
    sliders = "a slider" if len(names) == 1 else "sliders"
    title = f"picture with {sliders} for {', '.join(names)}: {len(frames)} positions"
    return Component(title, data, ("movable",))


def _drawn(draw: Callable[..., None], values: Mapping[str, Any]) -> str:
    """One position as PNG of few colours, in base64."""
    import matplotlib.pyplot as plt
    from PIL import Image

    figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    draw(ax, **values)
    large, small = io.BytesIO(), io.BytesIO()
    figure.savefig(large, format="png", dpi=100)
    plt.close(figure)
    Image.open(large).convert("RGB").quantize(48).save(small, "PNG", optimize=True)
    return base64.b64encode(small.getvalue()).decode()


_print_for_readers()
