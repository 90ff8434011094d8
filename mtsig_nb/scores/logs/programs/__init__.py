"""Programs that write logs, one in each module."""
