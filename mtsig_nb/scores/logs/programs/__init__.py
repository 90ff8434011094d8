"""Programs whose logs are read: a module for each.

Each module decides which JSON is a log of its program (`is_log`), and what its columns are
(`read`).  `PROGRAM` is the program's name; in a folder, files of one program are read together.
`readers.Program` has this interface.

Nothing lists the modules: each that lies in this folder is asked.  None may take the log of another
program.
"""
