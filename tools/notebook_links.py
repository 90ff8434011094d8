"""The earlier name of `tools.course.notebook_links`, which goes with the next version."""

import sys

from .course.notebook_links import main

if __name__ == "__main__":
    print(
        "python -m tools.notebook_links is now python -m tools.course.notebook_links",
        file=sys.stderr,
    )
    sys.exit(main())
