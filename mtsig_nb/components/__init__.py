"""Pieces of a page that work without a kernel: plain JavaScript, with numbers from Python.

Imports engine and what that imports.
"""
