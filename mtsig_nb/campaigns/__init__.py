"""Public test sets with their figures and human judgements, and where their texts are.

Decides what is embedded, under which name and version; holds no text of a translation.  Imports
statistics and human.
"""
