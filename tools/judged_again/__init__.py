"""WMT's campaigns of ratings, judged again: the organisers' ranking beside that of a mixed model.

`organisers` has what was published, or what a rule of the organisers says; `computing` has one
campaign's numbers as they are kept; `comparing` says what follows from them; `drawing` and
`rendering` show it.
"""
