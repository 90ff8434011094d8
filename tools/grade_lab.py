"""The earlier name of `tools.labs.grade`, which goes with the next version."""

import sys

from .labs.grade import main

if __name__ == "__main__":
    print("python -m tools.grade_lab is now python -m tools.labs.grade", file=sys.stderr)
    sys.exit(main())
