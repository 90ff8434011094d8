"""The earlier name of `tools.site.lite`, which goes with the next version."""

import sys

from .site.lite.__main__ import main

if __name__ == "__main__":
    print("python -m tools.lite is now python -m tools.site.lite", file=sys.stderr)
    sys.exit(main())
