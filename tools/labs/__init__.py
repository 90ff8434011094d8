"""Labs: how they are made and handed out, graded and marked."""
