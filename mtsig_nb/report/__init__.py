"""The same analysis in other words and files: sentences, tables, a page.

`analysis` is an analysis as plain settings, which command line, page and widgets share; `verdicts`
are its sentences, `summary` and `system_table` its tables, `page` the report.  Decides how things
are said and never what is concluded.  Imports every room that computes.
"""
