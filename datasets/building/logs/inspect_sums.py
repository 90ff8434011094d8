"""Inspect itself, with a mock model that knows some of the answers; each item is asked thrice."""

import random
import zlib

from inspect_ai import Task, eval
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes, match
from inspect_ai.solver import generate


def model(name: str, share: float) -> Model:
    """A model that knows a share of the answers, now this, now that."""
    asked: list[str] = []

    def answer(messages, tools, tool_choice, config) -> ModelOutput:
        question = messages[-1].text
        asked.append(question)
        right = str(sum(map(int, question.replace("?", " ").split()[2::2])))
        word = f"{name} {question} {asked.count(question)}".encode()
        known = random.Random(zlib.crc32(word)).random() < share
        output = ModelOutput.from_content(name, f"It is {right}." if known else "None of them")
        output.usage = ModelUsage()
        return output

    return get_model(f"mockllm/{name}", custom_outputs=answer)


for name, share in (("alpha", 0.9), ("beta", 0.4)):
    data = json_dataset("items.jsonl", FieldSpec(input="question", target="answer"))
    task = Task(data, solver=generate(), scorer=[match(), includes()], epochs=3, name="sums")
    eval(
        task,
        model=model(name, share),
        log_dir="inspect/json",
        log_format="json",
        limit=16,
        max_samples=1,
        display="none",
    )
