"""Layouts that are no plain table: a module for each.

Each module decides which files are in its layout, and what their columns are.  Texts are read by
its function `read_text`, JSON by its function `read_json`; either answers None for a file that is
not its own, so that another module is asked.  A layout of texts states by `SIGN` what it knows its
files by.  `readers` has these interfaces.

Nothing lists the modules: each that lies in this folder is asked.  Logs of programs are in
`logs.programs`.
"""
