"""The page in a browser, as the browser tests have it."""

from ..browser.test_explorer_in_browser import page

__all__ = ["page"]
