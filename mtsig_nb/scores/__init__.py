"""Segment scores from files, whatever program wrote them.

Decides what a file's layout means, which columns are labels and which are metrics, and how several
files become one table.  Imports statistics, metrics and texts.

The contract of everything that reads scores here:

- every value of a file is used, is named as left out with the reason, or is refused with file,
  line and column;
- what is paired is paired by keys that the file has, never by order where a column says otherwise;
- labels are compared whole;
- repeats need proof;
- one question is answered at a time.
"""
