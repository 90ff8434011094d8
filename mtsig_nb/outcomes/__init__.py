"""What an analysis finds, whatever was asked: one class for each kind of question.

An `Outcome` has verdicts, notes, tables, figures and a methods sentence, and knows whether anything
was distinguished.  Command line, page, explorer, LaTeX and JSON render outcomes and know no kind.
Decides what is said and shown, and never what is concluded.  Imports every room that computes, and
`plots`.
"""
