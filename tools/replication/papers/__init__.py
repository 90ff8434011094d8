"""The rows of each paper, in its order: what is printed, what it claims, our verdict."""
