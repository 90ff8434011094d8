"""The page that every browser test gets, and the pages of the course."""

from .course import site
from .pages import browser, page

__all__ = ["browser", "page", "site"]
