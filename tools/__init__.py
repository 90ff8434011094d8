"""Programs behind the Makefile's targets, by what they make; not part of the installed package."""
