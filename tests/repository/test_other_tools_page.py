"""`docs/other-tools.md`: its code prints what stands below it, and its table says the same."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "other-tools.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


def test_the_code_prints_what_the_page_says():
    names: dict[str, object] = {}
    shown = []
    for code, expected in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/other-tools.md", "exec"), names)
        assert printed.getvalue() == expected
        shown.append(expected.split())
    rows = [line.split("|")[-2] for line in PAGE.splitlines() if " of 1000 |" in line]
    assert rows == [f" {count} of 1000 " for count in shown[0]]
