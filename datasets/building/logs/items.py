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

tests = [
    {
        "vars": {"question": item["question"]},
        "assert": [{"type": "equals", "value": item["answer"]}],
    }
    for item in map(json.loads, lines[:24])
]
providers = [
    {"id": "file://knows.js", "label": name, "config": {"share": share}}
    for name, share in (("alpha", 0.9), ("beta", 0.5))
]
content = {"prompts": ["{{question}}"], "providers": providers, "tests": tests}
Path("promptfoo.json").write_text(json.dumps(content))
