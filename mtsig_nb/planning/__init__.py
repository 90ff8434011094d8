"""Before the test set is bought: power, and the smallest difference that would be found.

Decides how a planned test set is imagined from a pilot.  Imports significance and simulate.
"""
