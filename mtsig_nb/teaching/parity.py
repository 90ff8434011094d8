"""The preferences with which a claim of human parity was examined again, for the course."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from ..campaigns.printed import printed_table
from ..errors import check_one_of
from ..statistics.sufficient import SufficientStatistics, from_segment_scores

#: The tables of ``laeubli2018`` that have the answers by text, and by rater.
TABLES = {"text": 1, "rater": 2}
#: The columns of both tables that count answers, with what each answer gives to the two.
ANSWERS = {"human": (1, 0), "tie": (0, 0), "machine": (0, 1)}


def parity(
    question: str, shown: str, *, by: Literal["text", "rater"] = "text"
) -> SufficientStatistics:
    """Answers of professional translators who compared a human and a machine translation.

    In March 2018 Microsoft announced that a machine translated Chinese news as well as people
    (Hassan et al. 2018).  Läubli, Sennrich and Volk (2018) had professional translators compare
    the same translations, as single sentences and as whole articles.  The counts come from the
    ratings that these three published.

    Parameters
    ----------
    question : {"adequacy", "fluency"}
        Which translation has the meaning of the original, or which is better English.
    shown : {"sentences", "articles"}
        What the translators saw.
    by : {"text", "rater"}
        What the documents of the statistics are: the sentences or articles, or the translators.

    Returns
    -------
    SufficientStatistics
        Of the systems ``human`` and ``machine``.  Each segment is an answer: 1 for the translation
        that was preferred and 0 for the other one, or 0 for both.

    Raises
    ------
    InputError
        For another question, other texts, or documents of another kind.

    References
    ----------
    Läubli, Sennrich and Volk, EMNLP 2018, D18-1512; ratings at github.com/laeubli/parity.

    Examples
    --------
    >>> parity("adequacy", "articles").scores().to_dict()
    {'human': 0.52, 'machine': 0.37}
    """
    check_one_of("by", by, TABLES)
    table = printed_table("laeubli2018", TABLES[by])
    check_one_of("question", question, table["question"].unique())
    check_one_of("shown", shown, table["shown"].unique())
    asked = table[(table["question"] == question) & (table["shown"] == shown)]
    if by == "text":
        # A row has the counts that several texts have in common.
        asked = asked.loc[asked.index.repeat(asked["texts"].astype(int))]
    answers = []
    for document, counts in enumerate(asked.to_dict("records")):
        for answer, (human, machine) in ANSWERS.items():
            answers += [(document, human, machine)] * int(counts[answer])
    wide = pd.DataFrame(answers, columns=["document", "human", "machine"])
    wide = wide.rename_axis("segment").reset_index()
    frame = wide.melt(["segment", "document"], var_name="system", value_name="preferred")
    return from_segment_scores(frame, score="preferred", document="document")
