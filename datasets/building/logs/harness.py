"""lm-evaluation-harness itself, with its dummy model made to know some of the answers."""

import random
import sys
import zlib

from lm_eval.__main__ import cli_evaluate
from lm_eval.api.registry import register_model
from lm_eval.models.dummy import DummyLM


@register_model("knows")
class Knows(DummyLM):
    """Knows a share of the answers, and does not write all of them as they are asked for."""

    def __init__(self, pretrained: str, share: float) -> None:
        super().__init__()
        self.name, self.share = pretrained, float(share)

    @classmethod
    def create_from_arg_obj(cls, arg_dict, additional_config=None):
        return cls(**arg_dict)

    def answer(self, question: str) -> str | None:
        """The right answer, where it is known."""
        known = random.Random(zlib.crc32(f"{self.name} {question}".encode())).random() < self.share
        return str(sum(map(int, question.replace("?", " ").split()[2::2]))) if known else None

    def loglikelihood(self, requests, disable_tqdm=False):
        found = []
        for question, choice in (request.arguments for request in requests):
            right = self.answer(question) == choice.strip()
            noise = random.Random(zlib.crc32(f"{question}{choice}".encode())).random()
            found.append((0.0 if right else -1 - noise, False))
        return found

    def generate_until(self, requests, disable_tqdm=False):
        questions = [request.arguments[0] for request in requests]
        answers = [self.answer(question) or "None of them" for question in questions]
        return [x if k % 3 else f"It is {x}." for k, x in enumerate(answers)]


sys.exit(cli_evaluate())
