"""Files of other programs that have no scores of segments, and the one line that helps.

By their text, by what their JSON has, and by the names of their columns.  What is no text at all is
recognised by :mod:`mtsig_nb.texts.recognised`.
"""
