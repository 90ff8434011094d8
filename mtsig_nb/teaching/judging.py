"""The reader as a judge: the quiz of a pair of systems, and a class's answers as one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..components import Component
from ..components.codes import Codes
from ..components.judge import Item, planted, quiz
from ..errors import InputError, check_all_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..campaigns.campaign import Campaign
    from ..human import Ratings


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
    and become a code that :func:`read_codes` reads.  The coins are tossed by a chance machine
    (:func:`chance_machine`) at the foot of the page.  With a campaign, a table has each rater
    beside the reader, on the pairs that both have judged.

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
        How often the chance machine can toss all coins; a multiple of 500, because resamples are
        drawn in blocks of 500.
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
        _rated_items(campaign, systems, n_items, rng, fetching),
        systems,
        verdict="People's marks",  # the head of a column
        reference_label="A person's translation",
        # `quiz` fills in {n} when the reader has judged.
        explanation="People marked one of the two outputs as worse in {n} of the items that you "
        "judged.",
        n_resamples=n_resamples,
    )


def _rated_items(
    name: str, systems: Sequence[str], n_items: int, rng: int, fetching: Mapping[str, Any]
) -> list[Item]:
    """Items as `quiz` takes them: segments drawn from those on which the systems' outputs differ.

    Two codes stand for no preference: 0 under ``worse``, where the raters' means are equal, and 3
    under ``raters``, where a rater gave both outputs the same score.
    """
    import numpy as np

    from ..campaigns.embedded import load
    from ..campaigns.fetching import fetch_texts

    campaign = load(name)
    ratings = _ratings_of(campaign)
    rated_systems = [system for system in campaign.systems if system in ratings.systems]
    check_all_of("systems", systems, rated_systems)
    texts = fetch_texts(name, **fetching)
    outputs = [texts.hypotheses[system] for system in systems]

    # A row for each segment and a column for each system; a cell lists the scores of all raters.
    scores = ratings.frame.groupby(["segment", "system"])["raw"].agg(list).unstack()
    scores = scores[list(systems)].dropna()
    preferred = _preferred_by_raters(ratings.frame, systems)

    differing = [segment for segment in scores.index if outputs[0][segment] != outputs[1][segment]]
    if len(differing) < n_items:
        raise InputError(
            f"n_items={n_items}: outputs differ on {len(differing)} rated segments. Ask for fewer."
        )
    items = []
    drawn = np.random.default_rng(rng).permutation(differing)[:n_items].tolist()
    for segment in drawn:
        is_of_segment = preferred.index.isin([segment], level="segment")
        references = [reference[segment] for reference in texts.references]
        item = {
            "source": texts.source[segment] if texts.source else "",
            "reference": next(text for text in references if text),
            "outputs": [output[segment] for output in outputs],
            "worse": _worse_output(scores.loc[segment]),
            # The reason for `worse`: a planted fault in the course's items, here the scores.
            "fault": _scores_in_words(scores.loc[segment]),
            "raters": preferred[is_of_segment].droplevel("segment").to_dict(),
        }
        items.append(item)
    return items


def _ratings_of(campaign: Campaign) -> Ratings:
    """The first judgements of a campaign that are scores by known raters."""
    from ..human import Ratings

    for judgement in campaign.judgements.values():
        if isinstance(judgement, Ratings):
            return judgement
    raise InputError(
        f"campaign={campaign.name!r}: it is not known who rated its outputs. Use 'wmt23/zh-en'."
    )


def _preferred_by_raters(ratings: pd.DataFrame, systems: Sequence[str]) -> pd.Series:
    """The output that each rater of both scored higher: 1 or 2, and 3 where neither was.

    The index has the segment and the rater.
    """
    import numpy as np
    import pandas as pd

    by_rater = ratings.pivot_table(index=["segment", "rater"], columns="system", values="raw")
    differences = (by_rater[systems[0]] - by_rater[systems[1]]).dropna()
    places = np.select([differences > 0, differences < 0], [1, 2], default=3)
    return pd.Series(places, index=differences.index)


def _worse_output(scores: pd.Series) -> int:
    """The place of the output with the lower mean score, from 1; 0 if the means are equal.

    `scores` has the list of the raters' scores of each output.
    """
    import numpy as np

    means = [float(np.mean(of_raters)) for of_raters in scores]
    if means[0] == means[1]:
        return 0
    return 1 + means.index(min(means))


def _scores_in_words(scores: pd.Series) -> str:
    """Each system with its raters' scores, such as ``"GPT4-5shot 0, -1; HW-TSC -5"``."""
    described = []
    for system, of_raters in scores.items():
        numbers = ", ".join(f"{score + 0.0:g}" for score in of_raters)  # adding 0 turns -0 into 0
        described.append(f"{system} {numbers}")
    return "; ".join(described)


def classroom(codes: Codes, judged: Component | None = None) -> Figure:
    """A class's codes as one picture; see :func:`mtsig_nb.plots.classroom.classroom`."""
    from ..plots.classroom import classroom as draw

    return draw(codes, judged)
