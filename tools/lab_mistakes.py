"""The earlier name of `tools.labs.mistakes`, which goes with the next version."""

import sys

from .labs.mistakes import main

if __name__ == "__main__":
    print("python -m tools.lab_mistakes is now python -m tools.labs.mistakes", file=sys.stderr)
    sys.exit(main(sys.argv[1:]))
