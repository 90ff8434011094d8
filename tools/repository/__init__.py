"""What keeps the repository in order: links, public names, programs, and how dense the code is."""
