"""The page in a browser, as the browser tests have it."""

from ..browser.pages import browser, page

__all__ = ["browser", "page"]
