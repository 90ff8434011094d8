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

The steps, each a module:

1. `sources`: which files there are, and what each is called;
2. `reading`: the columns of a file, by a module of `layouts` or `logs.programs` that takes it for
   its own, or else as a table (`delimited`, `json_records`); numbers in other notations become
   plain (`notation`); marks of errors become ratings (`marks`);
3. `labelling`: which columns are labels (`labels`), and which are systems; control items are left
   out (`controls`), and columns that need not tell runs apart are none (`runs`);
4. `columns`: which columns are metrics, by what all files together have; ratios of columns, whose
   counts may stand in columns of each system (`counts`);
5. `pairing`: which rows are of the same segment, where rows have no segment's name;
6. `joining`: all files as one table; what is there twice is the same, or an error (`repeats`);
7. `averaging`: means over raters and repeats; runs as systems.  What raters failed (`checks`)
   stands beside their ratings, and texts beside scores (`segment_texts`).

`table` takes them one after the other; `rows` says where each row of several files is from.
"""
