"""The page that every browser test gets."""

from .pages import page

__all__ = ["page"]
