"""Count both tails, and ties, in sacreBLEU's paired tests: ``python sacrebleu_mend.py FOLDER``.

`FOLDER` has the folder ``sacrebleu`` of commit f615c7286d4d813370efb824d94fc2bfcd3a6b94 in
github.com/mjpost/sacrebleu, or of release 2.6.0, whose ``significance.py`` is the same.  Expected
values of ``test/test_significance.py`` are mended, too, if it is there.  Python is all it needs.
Where a line is not the one expected, nothing is written.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

SOURCE = "sacrebleu/significance.py"
#: By file and line: how the SHA-256 of the line begins, and either our line or the p-value that
#: replaces the number at its end.
MENDED: dict[str, dict[int, tuple[str, str]]] = {
    SOURCE: {
        98: (
            "322f9923702c",
            "    # Both tails count, and ties: p is the probability, under the null",
        ),
        99: (
            "0e19bc79c3f1",
            "    # hypothesis, of a difference at least as large (to a last digit).",
        ),
        101: ("1382b9eb806d", "    c = np.sum(np.abs(stats) >= real_difference - 1e-9).item()"),
        209: (
            "8e7b173c34e6",
            "    centres resampled differences with their signs and counts both tails.",
        ),
        210: ("20be09da497e", "    Moses' script centres their absolute values and counts one."),
        265: ("4d3f47d09775", "        sample_diffs = scores_sys - scores_bl"),
    },
    "test/test_significance.py": {
        20: (
            "e5b9f3464300",
            "# No longer Moses': by mtsig_nb, 100,000 resamples, both tails and ties;",
        ),
        21: ("91ffc8e9c457", "# zero where no resample is as far out"),
        24: ("fcb0b0dfecc9", "0.02680"),
        25: ("a2c5cbf9d981", "0.04507"),
        26: ("dcc6a409ce81", "0.10172"),
        27: ("f85e1a112e61", "0.59287"),
        29: ("3ae2eefbc316", "0.93773"),
        33: ("3be604b5f1fb", "0.02082"),
        34: ("63a14d23fff0", "0.60671"),
        37: ("a0c68aecfd65", "0.71843"),
        102: (
            "a8f4c4441799",
            "    error = (max(expected_p_val * (1 - expected_p_val), 1e-3) / 2000) ** 0.5\n"
            "    assert -4 * error < p_val - expected_p_val < 4 * error",
        ),
    },
}


def mend(folder: Path) -> list[Path]:
    """Replace the lines, all or none, and say in which files."""
    texts = {}
    for name, replacements in MENDED.items():
        path = folder / name
        if not path.exists() and name != SOURCE:
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        for number, (digest, ours) in replacements.items():
            theirs = "".join(lines[number - 1 : number])
            if not hashlib.sha256(theirs.encode()).hexdigest().startswith(digest):
                raise ValueError(
                    f"{path}, line {number}, is not as in 2.6.0, or mended already: nothing was "
                    "written. Give a checkout of the commit named in this file."
                )
            whole = not re.fullmatch(r"\d\.\d+", ours)
            lines[number - 1] = ours if whole else re.sub(r"\d\.\d+(?=,$)", ours, theirs)
        texts[path] = "\n".join(lines)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return list(texts)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python sacrebleu_mend.py FOLDER")
    try:
        print(*(f"mended: {path}" for path in mend(Path(sys.argv[1]))), sep="\n")
    except (OSError, ValueError) as error:
        sys.exit(str(error))
