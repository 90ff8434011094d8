"""Whether chance would do as much: the tests, of one pair and of all pairs.

Decides what is tested, corrected and said to be unresolved: one pair, all pairs, runs, documents,
equivalence, intervals, and what other tools do.  Imports the engine and `conclusions.deciding`.
"""
