"""The earlier name of `tools.notebooks.build`, which goes with the next version."""

import sys

from .notebooks.build import main

if __name__ == "__main__":
    print(
        "python -m tools.build_notebooks is now python -m tools.notebooks.build",
        file=sys.stderr,
    )
    sys.exit(main())
