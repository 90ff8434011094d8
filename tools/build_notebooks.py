"""The earlier name of `tools.course.build_notebooks`, which goes with the next version."""

import sys

from .course.build_notebooks import main

if __name__ == "__main__":
    print(
        "python -m tools.build_notebooks is now python -m tools.course.build_notebooks",
        file=sys.stderr,
    )
    sys.exit(main())
