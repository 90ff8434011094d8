"""What units change in a process, taken back after each file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest


@pytest.fixture(autouse=True, scope="module")
def everything_is_printed_as_before() -> Iterator[None]:
    """Units say how numbers are printed and figures drawn, and some tests run units' cells."""
    with np.printoptions(), plt.rc_context():
        yield
    pd.reset_option("^display")
