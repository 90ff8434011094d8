"""The earlier name of `tools.labs.gradebook`, which goes with the next version."""

import sys

from .labs.gradebook import main

if __name__ == "__main__":
    print("python -m tools.gradebook is now python -m tools.labs.gradebook", file=sys.stderr)
    sys.exit(main())
