"""The replication ledger: tables, figures and claims of the papers, computed again.

`rows` says what a row is, and where it is taught.  For each paper, ``papers/`` has its rows in
order and `computed` what they compute; `shared` has what the rows of several papers need.  `ledger`
reads all rows and keeps their results as JSON.  `rendering` makes the page with every row;
`publication` makes a page for each figure and table, which `pages` declares and `pictures` draws.
The only numbers typed in are the printed ones.
"""
