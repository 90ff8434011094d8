"""What can be relied on: every test, interval and correction in worlds without a difference.

`worlds` has the worlds, `measuring` counts what everything that the package offers says in them,
`rendering` makes the page.  Tests, interval methods and corrections are read off the package's own
lists, so that a new one is on the page the next time it is made.  ``python -m tools.trust`` runs it
all: ``docs/trust.json`` keeps the counts, ``docs/trust.md`` shows them.
"""
