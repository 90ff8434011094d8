"""The earlier name of `tools.course.referee`, which goes with the next version."""

import sys

from .course.referee import main

if __name__ == "__main__":
    print("python -m tools.referee is now python -m tools.course.referee", file=sys.stderr)
    sys.exit(main())
