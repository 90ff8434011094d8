"""An analysis as plain settings, and its outcome as a page.

`analysis` has the settings that command line, explorer and page share, and `inputs` those of them
that say what is read; `watch` has those of a campaign that is still coming in.  `page` is the
report, and `citing` says what to cite.  Decides which functions an analysis goes through, and how a
page looks.  Imports every room that computes, and outcomes.
"""
