"""Metrics against people: whose conclusions agree, and is one metric better than another at it.

Decides which pairs are asked and what counts as agreement.  Imports conclusions, significance and
human.
"""
