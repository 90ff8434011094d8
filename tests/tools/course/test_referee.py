"""*Referee the paper*: every card is computed and found true, and a false one is caught."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter

import pytest

from tools.course import referee

CARDS = {card.name: card for card in referee.cards()}


@pytest.fixture
def card() -> referee.Card:
    """A card that takes no time, as it would be if somebody wrote it."""
    return dataclasses.replace(
        CARDS["tail-after-looking"],
        options='alternative="greater", n_resamples=99, rng=1',
        holds=(),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_borne_out_by_its_campaign(name):
    card = CARDS[name]
    assert card.problems() == []
    shown = referee.page(1, card, answers=True)
    assert not re.search(r"[{}]", re.sub(r"```.*?```", "", shown, flags=re.S))
    assert card.text("claim") in shown
    assert card.verdict not in referee.page(1, card, answers=False).lower()


def test_there_are_twenty_kinds_and_not_all_are_wrong():
    assert len(CARDS) == len(referee.cards()) == 20
    verdicts = Counter(card.verdict for card in CARDS.values())
    assert set(verdicts) == set(referee.VERDICTS)
    assert min(verdicts.values()) >= 5
    assert len({card.title for card in CARDS.values()}) == 20


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"claim": "{a} leads by 2.3 BLEU."}, "claim has 2, 3, which nothing computes"),
        ({"discussion": "By people it is {loved}."}, "discussion asks for what the code does not"),
        ({"claim": "{claimed.pvalue_of:p}"}, "claim asks for what the code does not find"),
        ({"holds": ("both.pvalue < 0",)}, "both.pvalue < 0 does not hold"),
        ({"verdict": "fine"}, "verdict 'fine' is none of stands"),
    ],
)
def test_a_false_card_is_named(card, change, problem):
    (found,) = dataclasses.replace(card, **change).problems()
    assert found.startswith(f"{card.name}: {problem}")


def test_a_class_gets_claims_and_a_lecturer_the_answers(card, monkeypatch, capsys):
    monkeypatch.setattr(referee, "cards", lambda: [card])
    assert referee.main([]) == 0
    handed_out = capsys.readouterr().out
    assert referee.main(["--answers"]) == 0
    answers = capsys.readouterr().out
    assert f"**{card.verdict.capitalize()}.**" in answers
    for part in (card.title, card.fault, card.recompute.strip()):
        assert part in answers
        assert part not in handed_out


@pytest.mark.slow
def test_the_lab_has_the_cards_as_they_are():
    source = referee.LAB.read_text(encoding="utf-8")
    assert referee.in_lab(source, list(CARDS.values())) == source
