"""Where p meets alpha: which system is called better, and which order follows.

`deciding` is the only place that compares a p-value with a level; it knows no test, so that metrics
and people end in the same conclusions.  `clustering` and `ranking` read conclusions and nothing
else, and significance may import only `deciding`.  Imports statistics.
"""
