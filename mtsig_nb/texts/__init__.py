"""Which lines belong together: files of test sets in, aligned columns of text out.

Decides which files are meant and what their systems are called, how files are told apart and read,
how much of one is read, what is refused, and what is doubtful about the texts; it cuts nothing into
tokens and counts nothing of a metric.  Imports nothing but errors and notes.
"""
