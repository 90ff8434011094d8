"""Says which optional programs the tests would use and how to install those that are missing."""

from __future__ import annotations

import shutil

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
#: A program by any of its names, what needs it, and Debian's package.
PROGRAMS = [
    (CHROMIUM, "browser tests", "chromium"),
    (("java",), "METEOR 1.5's jar", "default-jre-headless"),
    (("pdflatex",), "LaTeX tables and the article", "texlive-latex-recommended"),
]


def chromium() -> str | None:
    """Where Chromium is, by any of its names, if it is installed."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def main() -> None:
    """One line for each program that is missing, and the command that installs them."""
    missing = [entry for entry in PROGRAMS if not any(map(shutil.which, entry[0]))]
    for names, purpose, _ in missing:
        print(f"Not installed: {names[0]}. Tests of {purpose} are skipped.")
    if missing:
        print(f"On Debian: sudo apt-get install {' '.join(package for *_, package in missing)}")


if __name__ == "__main__":
    main()
