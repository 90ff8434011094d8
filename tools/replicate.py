"""The earlier name of `tools.replication`, which goes with the next version."""

import sys

from .replication.__main__ import main

if __name__ == "__main__":
    print("python -m tools.replicate is now python -m tools.replication", file=sys.stderr)
    sys.exit(main())
