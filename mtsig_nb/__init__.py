"""Randomized significance tests for machine translation evaluation.

Every name is imported when it is first used (SPEC 1); ``__init__.pyi`` lists them with their rooms.
"""

import lazy_loader as _lazy

from . import browser  # noqa: F401

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

__version__ = "0.2.0"
