"""What the rows of each paper compute, as functions without arguments that call the package."""
