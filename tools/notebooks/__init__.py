"""Notebooks: as files, made from their sources and executed, linked, and read as prose."""
