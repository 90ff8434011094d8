"""The course: units and their notebooks, decks, quizzes, inventory, syllabi, what is printed."""

from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
