"""What nbval takes for the same output: a changed count is not, a processor's last digit is."""

from __future__ import annotations

import pytest

from tools.notebooks import files

from ..nbval_numbers import Output

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("stored", "computed"),
    [
        ("3.4570527673745417", "3.4570527673745433"),
        ("p = .59916, three times", "p = .59918, three times"),
        ("793,475.2356", "793,475.2357"),
        ("a   1.00002\nb  -2.5", "a 1.00001\nb -2.5"),
        ("2.08520425888e-11", "2.08520425890e-11"),
        ("version 1.2.3", "version 1.2.3"),
    ],
)
def test_says_the_same(stored, computed):
    assert Output(stored) == Output(computed)


@pytest.mark.parametrize(
    ("stored", "computed"),
    [
        ("p = 0.0270", "p = 0.0271"),
        ("p = .59916", "p = .59926"),
        ("p = 0.02697302697", "p = 0.02797202797"),
        ("66 pairs", "67 pairs"),
        ("12345678 words", "12345679 words"),
        ("3.4571", "-3.4571"),
        ("3.4571 is better", "3.4571 is worse"),
        ("3.4571", "3.4571 3.4571"),
        ("version 1.23.45678", "version 1.23.45679"),
        ("0.5", "0.50"),
    ],
)
def test_says_something_else(stored, computed):
    assert Output(stored) != Output(computed)


def test_a_kernel_that_dies_at_its_start_is_started_again():
    """Another process had its port; nbval alone would call every cell of the unit an error."""
    starts = iter([RuntimeError("Kernel died before replying to kernel_info"), "a kernel"])

    def start():
        if isinstance(outcome := next(starts), Exception):
            raise outcome
        return outcome

    assert files.again_if_no_kernel(start) == "a kernel"
