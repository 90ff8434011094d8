"""Which lines belong together: files of test sets in, aligned columns of text out.

Decides how files are told apart and read, how much of one is read, and what is refused; it cuts
nothing into tokens and counts nothing.  Imports nothing but errors.
"""
