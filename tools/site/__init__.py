"""What is read in a browser: the pages of ``make run``, the book, and the site that runs Python."""
