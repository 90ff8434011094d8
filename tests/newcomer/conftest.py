"""The page in a browser, as the browser tests have it."""

from ..browser.pages import page

__all__ = ["page"]
