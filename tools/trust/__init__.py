"""What can be relied on: every test, interval and correction in worlds without a difference.

`worlds` has the worlds, and `simulated` makes the data of most of them.  `measuring` runs them part
by part; `of_pairs`, `of_runs`, `of_test_sets`, `of_metrics`, `of_people` and `of_ratings` count in
`rows` what everything that the package offers says in them.  `beside_r` compares the mixed model
with R's.  `recommending` chooses a test for each world.  `rendering` makes the pages, with the
table of `ratings_table`; `places` says which page shows a world.  Resampling tests, interval
methods and corrections are read off the package's own lists, so that a new one is on the pages the
next time they are made; `coverage` says what else has to be.  ``python -m tools.trust`` runs it
all: ``docs/trust.json`` keeps the counts, ``docs/trust.md`` and the pages in ``docs/trust`` show
them.
"""
