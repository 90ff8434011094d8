"""Starts the benchmark as a script: ``python benchmarks/bench.py`` is ``python -m benchmarks``.

`benchmarks/__main__.py` has the options.
"""

import runpy
import sys
from pathlib import Path

# A script has its own folder on Python's path, and not the one that has the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
runpy.run_module("benchmarks", run_name="__main__")
