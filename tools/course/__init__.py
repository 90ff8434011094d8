"""What a unit of the course asks of its reader, counted, and what every unit has to have.

``python -m tools.course 07`` prints it; `tests/repository/test_course.py` holds every unit to it.
CONTRIBUTING.md has the conventions for whoever writes one.
"""
