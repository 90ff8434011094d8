"""How a resample is drawn, summed and scored, and how often it counts against a difference.

Decides weights, blocks and seeds, which distribution each published test takes (`procedures`),
which tail and whether ties count (`counting`, `tallies`).  Knows no level and draws no conclusion.
Imports statistics and metrics.
"""
