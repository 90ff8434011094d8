"""The replication ledger: tables, figures and claims of the papers, computed again.

`rows` says what a row is.  For each paper, `papers` has its rows in order and `computed` what they
compute; `shared` and `pseudocode` have what several papers need.  `ledger` runs all rows and keeps
the results as JSON, `rendering` makes pages of it.  The only numbers typed in are the printed ones.
"""
