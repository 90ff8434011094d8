"""`docs/wmt-rule.md`: its code prints what stands below it, and the script makes its table."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from pathlib import Path

import pytest

from docs import wmt_rule

PAGE = (Path(__file__).parents[2] / "docs" / "wmt-rule.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
(TABLE,) = re.findall(r"<!-- made by .*? -->\n(.*?)\n<!-- end -->", PAGE, re.DOTALL)
#: By rule: the rate among equal systems, its standard error, and how many there were.
ROWS = {
    rule: (float(equal), float(error), int(n_equal.replace(",", "")))
    for rule, equal, error, n_equal in re.findall(
        r"^\| (.*?) \| ([.\d]+) ± ([.\d]+) of ([\d,]+) \|", TABLE, re.MULTILINE
    )
}


def test_the_code_prints_what_the_page_says():
    names: dict[str, object] = {}
    for code, expected in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # statsmodels': so few clusters have no rank
            exec(compile(code, "docs/wmt-rule.md", "exec"), names)
        assert printed.getvalue() == expected


def test_the_rules_are_those_of_the_script():
    assert list(ROWS) == list(wmt_rule.RULES)
    every_pair = wmt_rule.N_CAMPAIGNS * wmt_rule.CAMPAIGN.systems // 2
    assert max(n_equal for _, _, n_equal in ROWS.values()) == every_pair


def test_the_page_says_who_errs():
    """What the letter is written for: two rules keep their level, and the others do not."""
    whole = ROWS["WMT26's rule"][0]
    halves = [ROWS[f"its {half} half alone"][0] for half in ("paired", "unpaired")]
    assert whole > max(halves) > 2 * 0.10
    assert ROWS["Pearmut's dashboard"][0] > 2 * 0.05
    assert ROWS["documents resampled, raters' means subtracted"][0] > 1.5 * 0.05
    for rule, (rate, error, _) in ROWS.items():
        if rule.startswith(("least squares", "mixed model")):
            assert rate < 0.05 + 2 * error


@pytest.mark.takes_time
def test_a_few_campaigns_agree_with_the_table():
    """Six campaigns, of the same seeds: a rule that differs by much from its row would show."""
    found = wmt_rule.rates(6)
    for rule, row in found.iterrows():
        rate, _, _ = ROWS[rule]
        error = (rate * (1 - rate) / row["n_equal"]) ** 0.5
        assert abs(row["equal"] - rate) < 4 * error + 0.05


@pytest.mark.thorough
def test_the_table_is_what_the_script_makes():
    table = wmt_rule.as_markdown(wmt_rule.rates(wmt_rule.N_CAMPAIGNS))
    assert table == TABLE
