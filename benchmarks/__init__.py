"""How long things take, how much memory they need, and whether that meets the aims.

``make bench`` runs `bench`, which only puts the tables together.  A module measures each subject:
`engine` and `bound` the tests themselves, `systems` comparisons of many systems, `memory` millions
of segments, `commands` whole commands, and `explorer` the page with controls.  All aims are in
`aims`.
"""
