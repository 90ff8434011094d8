"""`docs/wmt-rule.md`: its code prints what stands below it, and the script makes its table."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from docs import wmt_rule

PAGE = (Path(__file__).parents[2] / "docs" / "wmt-rule.md").read_text(encoding="utf-8")
((CODE, PRINTED),) = re.findall(
    r"^```python\n(.*?)^```$\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
(TABLE,) = re.findall(r"<!-- made by .*? -->\n(.*?)\n<!-- end -->", PAGE, re.DOTALL)
#: By rule: the rate among equal systems, how many there were, and the same of unequal ones.
ROWS = {
    rule: (float(equal), int(n_equal.replace(",", "")), float(unequal))
    for rule, equal, n_equal, unequal in re.findall(
        r"^\| (.*?) \| ([.\d]+) of ([\d,]+) \| ([.\d]+) of ", TABLE, re.MULTILINE
    )
}


def test_the_code_prints_what_the_page_says():
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(CODE, "docs/wmt-rule.md", "exec"), {})
    assert printed.getvalue() == PRINTED


def test_the_rules_are_those_of_the_script():
    assert list(ROWS) == list(wmt_rule.RULES)
    every_pair = wmt_rule.N_CAMPAIGNS * wmt_rule.CAMPAIGN.systems // 2
    assert max(n_equal for _, n_equal, _ in ROWS.values()) == every_pair


def test_the_page_says_who_errs():
    """What the letter is written for: one rule keeps its level, and finds most of those that do."""
    equal = {rule: rate for rule, (rate, _, _) in ROWS.items()}
    assert equal["WMT26's rule"] > 4 * 0.05
    assert equal["Pearmut's dashboard"] > 2 * 0.05
    resampled = equal["documents resampled, raters' means taken off"]
    assert f"it still errs in {resampled:.3f}".replace("0.", ".") in " ".join(PAGE.split())
    (model,) = [rule for rule in ROWS if "mixed model" in rule]
    n = ROWS[model][1]
    assert equal[model] < 0.05 + 3 * (0.05 * 0.95 / n) ** 0.5


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
