"""``python -m tools.course 07``: what a unit asks of its reader, and what it lacks."""

import sys

from .reading import main

sys.exit(main())
