"""Logs of programs that evaluate, as tables: a module of `programs` for each.

A row is one answer of one system to one item.  Columns are ``system``, ``segment``, maybe
`TEST_SET` (the task) and `REPEAT`, and one for each metric.  What a log does not say about its
system is taken from where the program puts the file; what would not be comparable is refused.

Rows of one system and item are repeats only if the log proves it: they come from the same setting
of the evaluation, and they are other answers.  Otherwise they are different systems, different
metrics, or an error that names what tells them apart.
"""
