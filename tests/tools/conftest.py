"""What units change in a process is taken back here, too."""

from ..repository.conftest import everything_is_printed_as_before

__all__ = ["everything_is_printed_as_before"]
