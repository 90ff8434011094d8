"""The replication ledger: tables, figures and claims of the papers, computed again.

`rows` says what a row is, and where it is taught.  For each paper, ``papers/`` has its rows in
order and `computed` what they compute; `shared` has what the rows of several papers need.
`ledger` reads and runs all rows and keeps the results as JSON, `rendering` makes the page.  The
only numbers typed in are the printed ones.
"""
