"""What the rows of the ledger compute, in modules by paper and subject.

A row is a function that returns an `Outcome`.  Its docstring names the item of the paper, and says
what is printed and where, what is recomputed from which data with which test, and what decides the
verdict.  `koehn_printed`, `graham_printed` and `stroppa_owczarzak` compute with printed numbers
alone, and so does the second half of `riezler_maxwell`; the others compute with data.
"""
