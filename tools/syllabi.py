"""The earlier name of `tools.course.syllabi`, which goes with the next version."""

import sys

from .course.syllabi import main

if __name__ == "__main__":
    print("python -m tools.syllabi is now python -m tools.course.syllabi", file=sys.stderr)
    sys.exit(main())
