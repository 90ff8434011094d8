"""The page that every browser test gets."""

from .pages import browser, page

__all__ = ["browser", "page"]
