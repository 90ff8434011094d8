"""The earlier name of `tools.course.quizzes`, which goes with the next version."""

import sys

from .course.quizzes import main

if __name__ == "__main__":
    print("python -m tools.quizzes is now python -m tools.course.quizzes", file=sys.stderr)
    sys.exit(main())
