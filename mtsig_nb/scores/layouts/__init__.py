"""Layouts of files of scores that programs write, one in each module."""
