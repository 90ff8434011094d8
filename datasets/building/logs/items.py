"""Items of our own for the programs to judge: which of four numbers a sum is, and what it is."""

import json
import random
from pathlib import Path

chance = random.Random(5)
lines = []
for _ in range(40):
    a, b = chance.randrange(10, 60), chance.randrange(10, 60)
    choices = [a + b, a + b + 1, a + b - 10, a + b + 10]
    chance.shuffle(choices)
    lines.append(
        json.dumps(
            {
                "question": f"What is {a} plus {b}?",
                "choices": [str(choice) for choice in choices],
                "target": choices.index(a + b),
                "answer": str(a + b),
            }
        )
    )
Path("items.jsonl").write_text("\n".join(lines) + "\n")
