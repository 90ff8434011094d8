"""Pearmut: what people judged, a line for each screen, or as downloaded from its dashboard.

A screen shows the segments of a document, each in the translations of several systems.  Its line
has what was shown and what was answered; of the texts nothing is kept.  What a rater said before a
reset is void; a later answer to the same screen stands in the place of an earlier one; tutorials
and checks are no ratings of systems.
"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ....errors import InputError, counted, listed
from ...checks import FAILED, counted_checks
from ...json_file import JsonFile
from ...labels import RATER, TEST_SET, is_label
from ...score_file import ScoreFile
from ...source import ScoreSource

PROGRAM = "Pearmut"

#: Stands in the place of an answer where a rater's task was reset.
_RESET = "__RESET__"
#: How the numbers of screens begin that are shown before, among or after the others.
_TUTORIALS = ("welcome_", "goodbye_")
_CHECKS = ("random_",)
#: The last action on a screen that was skipped.
_SKIPPED = "submit_skip"
#: What parts the names of the domain, the document and the segment.
_MARK = "_###_"
#: What of a segment does not tell it apart from others: outputs, and how they are checked.
_NOT_OF_SOURCE = ("tgt", "validation", "skippable", "error_spans", "item_id")

Record = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class _Screen:
    """A line of a log.

    Parameters
    ----------
    campaign : str
    place : int
        The number of its line, or of its record among those of the campaign.
    where : str
        As messages name it.
    record : mapping
    """

    campaign: str
    place: int
    where: str
    record: Record

    @property
    def rater(self) -> str:
        """Who answered."""
        return str(self.record["user_id"])

    @property
    def number(self) -> str:
        """What Pearmut calls the screen; a number, or text of tutorials and checks."""
        return str(self.record.get("item_i"))

    @property
    def is_skipped(self) -> bool:
        """Whether the rater passed over the screen."""
        actions = self.record.get("actions") or [{}]
        return bool(actions[-1].get("action") == _SKIPPED)


@dataclasses.dataclass(frozen=True)
class _Rating:
    """What a rater said of an output.

    Parameters
    ----------
    screen : _Screen
    segment : int
        Its place on the screen.
    system : str
    scores : mapping
        By metric.
    """

    screen: _Screen
    segment: int
    system: str
    scores: Mapping[str, Any]


def is_log(content: Any) -> bool:
    """Whether JSON is one of its logs: a list of screens, or a list for each campaign."""
    if isinstance(content, dict) and _is_screen(content):
        return True
    lists = list(content.values()) if isinstance(content, dict) else [content]
    if not all(isinstance(records, list) for records in lists):
        return False
    return any(_is_screen(record) for records in lists for record in records)


def _is_screen(record: Any) -> bool:
    """Whether this is what Pearmut writes of a screen, or of a reset."""
    if not isinstance(record, dict) or not {"user_id", "annotation"} <= record.keys():
        return False
    return "item" in record or record["annotation"] == _RESET


def read(source: ScoreSource, file: JsonFile) -> ScoreFile:
    """A row for each rating: campaign, system, segment, document, rater, and a score or sliders.

    Parameters
    ----------
    source : ScoreSource
    file : JsonFile
        A list of screens, or as downloaded: a list for each campaign.

    Raises
    ------
    InputError
        If a screen is not as Pearmut writes it, or nobody rated anything.
    """
    screens = _screens(source, file.content, file.line_numbers)
    remarks: list[str] = []
    screens = _without_reset(screens, remarks)
    checks = counted_checks(_check_results(screens))
    ratings = _ratings(screens, remarks)
    if not ratings:
        said = f": {'; '.join(remarks)}" if remarks else ""
        raise InputError(
            f"{source.at()} has no rating of a system{said}. Give the log of a campaign that "
            "people have begun to judge."
        )
    _check_metrics(source, ratings)
    frame = _frame(ratings, remarks)
    n_campaigns = len({screen.campaign for screen in screens})
    if file.line_numbers is not None:
        frame.index = pd.Index([rating.screen.place for rating in ratings], name="line")
    elif n_campaigns == 1:
        frame.index = pd.Index([rating.screen.place for rating in ratings], name="record")
    remarks.append("texts, comments, error spans and times are not used")
    return ScoreFile(source, frame, remarks=tuple(remarks), checks=checks)


# --- screens --------------------------------------------------------------------------------------


def _screens(source: ScoreSource, content: Any, line_numbers: pd.Index | None) -> list[_Screen]:
    """All lines, each of them as Pearmut writes it."""
    if isinstance(content, dict) and _is_screen(content):
        content = [content]
    by_campaign = content if isinstance(content, dict) else {source.name: content}
    screens = []
    for campaign, records in by_campaign.items():
        for number, record in enumerate(records, start=1):
            if line_numbers is not None:
                place = int(line_numbers[number - 1])
                where = source.at(place)
            else:
                place = number
                where = f"{source.at()}, campaign {campaign!r}, record {place:,}"
            screen = _Screen(campaign, place, where, record)
            _check_screen(screen)
            screens.append(screen)
    return screens


def _check_screen(screen: _Screen) -> None:
    """Raise `InputError` unless a line has a rater, segments, and an answer for each of them."""
    record = screen.record
    problem = ""
    if not isinstance(record, dict) or not record.get("user_id"):
        problem = "there is no 'user_id', which says who judged"
    elif record.get("annotation") == _RESET:
        return
    elif not isinstance(record.get("item"), list) or not isinstance(record.get("annotation"), list):
        problem = "'item' and 'annotation' are not both lists"
    elif len(record["item"]) != len(record["annotation"]):
        problem = (
            f"'item' has {counted(len(record['item']), 'segment')}, and 'annotation' has "
            f"{counted(len(record['annotation']), 'answer')}"
        )
    elif not all(isinstance(segment, dict) for segment in record["item"]):
        problem = "a segment in 'item' is not an object"
    if problem:
        raise _not_as_written(screen, problem)


def _not_as_written(screen: _Screen, problem: str) -> InputError:
    """The error for a line that Pearmut does not write so."""
    return InputError(
        f"{screen.where} is not as Pearmut writes it: {problem}. Download the annotations again, "
        "or remove the line."
    )


def _without_reset(screens: Sequence[_Screen], remarks: list[str]) -> list[_Screen]:
    """The screens after the last reset of each rater's task, without the resets themselves."""
    last_reset: dict[tuple[str, str], int] = {}
    for number, screen in enumerate(screens):
        if screen.record.get("annotation") == _RESET:
            last_reset[screen.campaign, screen.rater] = number
    kept = []
    voided = collections.Counter[str]()
    for number, screen in enumerate(screens):
        if number > last_reset.get((screen.campaign, screen.rater), -1):
            kept.append(screen)
        elif screen.record.get("annotation") != _RESET:
            voided[screen.rater] += 1
    if voided:
        n_screens = counted(sum(voided.values()), "screen")
        raters = listed(list(voided), 4)
        remarks.append(f"{n_screens} before a reset left out (raters: {raters})")
    return kept


# --- ratings --------------------------------------------------------------------------------------


def _ratings(screens: Sequence[_Screen], remarks: list[str]) -> list[_Rating]:
    """What is a rating of a system, each output of a screen once; what is none is counted."""
    left_out = collections.Counter[str]()
    latest: dict[tuple[str, str, str, int, str], _Rating] = {}
    for screen in screens:
        for place, segment in enumerate(screen.record["item"]):
            reason = _why_not(screen, segment)
            answer = screen.record["annotation"][place]
            if reason:
                left_out[reason] += 1
            elif answer is None:
                left_out["skipped"] += 1
            else:
                for rating in _ratings_of(screen, place, segment, answer):
                    if not rating.scores:
                        left_out["without a score"] += 1
                        continue
                    key = (
                        screen.campaign,
                        screen.rater,
                        screen.number,
                        place,
                        rating.system,
                    )
                    if latest.pop(key, None) is not None:
                        left_out["answered again, of which the last counts"] += 1
                    latest[key] = rating
    if left_out:
        kinds = listed([f"{kind} {n:,}" for kind, n in left_out.items()], 9)
        remarks.append(f"left out: {kinds}")
    return list(latest.values())


def _why_not(screen: _Screen, segment: Record) -> str:
    """Why a segment's answers are no ratings of systems; empty where they are."""
    if "tgt" not in segment and {"text", "form"} <= segment.keys():
        return "questions of forms"
    if screen.number.startswith(_TUTORIALS):
        return "segments of tutorials"
    if screen.number.startswith(_CHECKS):
        return "segments of checks"
    if segment.get("validation"):
        return "segments of tutorials" if segment.get("skippable") else "segments of checks"
    return ""


def _ratings_of(screen: _Screen, place: int, segment: Record, answer: Any) -> Iterator[_Rating]:
    """The ratings of a segment's outputs; without scores where there is none.

    Raises
    ------
    InputError
        If the answer is not about the systems whose outputs were shown.
    """
    outputs = segment.get("tgt")
    if not isinstance(outputs, dict):
        raise _not_as_written(screen, "a segment has no outputs ('tgt') by system")
    if not isinstance(answer, dict):
        raise _not_as_written(screen, "an answer is not an object with a name for each system")
    for system in answer:
        if system not in outputs:
            raise _not_as_written(screen, f"{system!r} was rated, and no output of it was shown")
    for system in outputs:
        own = answer.get(system)
        if own is not None and not isinstance(own, dict):
            raise _not_as_written(screen, f"the answer about {system!r} is not an object")
        yield _Rating(screen, place, system, _scores(own or {}))


def _scores(answer: Record) -> dict[str, Any]:
    """The score and the sliders that have a value, under names that are no labels."""
    scores = {"score": answer.get("score")}
    for name, value in (answer.get("sliders") or {}).items():
        is_taken = is_label(name) or name in ("score", FAILED)
        scores[f"{name} (slider)" if is_taken else name] = value
    return {name: value for name, value in scores.items() if value is not None}


def _check_metrics(source: ScoreSource, ratings: Sequence[_Rating]) -> None:
    """Raise `InputError` if campaigns ask for other scores or sliders."""
    asked: dict[str, set[str]] = {}
    for rating in ratings:
        asked.setdefault(rating.screen.campaign, set()).update(rating.scores)
    (first, names), *others = asked.items()
    for campaign, other_names in others:
        if names != other_names:
            raise InputError(
                f"{source.at()}: campaign {first!r} has {listed(sorted(names), 4)}, and campaign "
                f"{campaign!r} has {listed(sorted(other_names), 4)}. Download campaigns that ask "
                "for other scores or sliders into a file each."
            )


# --- names ----------------------------------------------------------------------------------------


def _frame(ratings: Sequence[_Rating], remarks: list[str]) -> pd.DataFrame:
    """A row for each rating."""
    names = _names_by_screen(ratings, remarks)
    rows = []
    for rating in ratings:
        own = names[id(rating.screen)]
        segment = own[rating.segment]
        labels: dict[str, Any] = {
            TEST_SET: rating.screen.campaign,
            "system": rating.system,
            "segment": segment,
            "document": _document(segment, own[0]),
            RATER: rating.screen.rater,
        }
        rows.append({**labels, **rating.scores})
    frame = pd.DataFrame(rows)
    documents = frame[[TEST_SET, "segment", "document"]].drop_duplicates()
    is_in_several = documents.duplicated([TEST_SET, "segment"]).any()
    each_has_one_segment = not documents.duplicated([TEST_SET, "document"]).any()
    are_named = frame["segment"].str.contains(_MARK, regex=False).all()
    if are_named or not (is_in_several or each_has_one_segment):
        return frame
    if is_in_several:
        remarks.append("screens have different segments of one document: no documents are known")
    return frame.drop(columns="document")


def _document(segment: str, first: str) -> str:
    """The document that a segment's name begins with; else the first segment of the screen."""
    document, mark, _ = segment.rpartition(_MARK)
    return document if mark else first


def _names_by_screen(ratings: Sequence[_Rating], remarks: list[str]) -> dict[int, list[str]]:
    """The names of all segments of each screen: their ``item_id`` where it tells them apart.

    Where it stands for several sources, or there is none, a fingerprint of the source does, in
    whose place Pearmut has the source itself.
    """
    screens = {id(rating.screen): rating.screen for rating in ratings}
    sources = collections.defaultdict(set)
    for screen in screens.values():
        for segment in screen.record["item"]:
            sources[screen.campaign, segment.get("item_id")].add(_fingerprint(segment))
    several = [name for name in sources if name[1] is not None and len(sources[name]) > 1]
    if several:
        shown = listed([repr(item) for _, item in several], 3)
        remarks.append(f"item_id {shown} stands for several sources, which are told apart")
    if any(item is None for _, item in sources):
        remarks.append("segments without an item_id are told apart by their sources")
    names = {}
    for number, screen in screens.items():
        own: list[str] = []
        for segment in screen.record["item"]:
            item = segment.get("item_id")
            name = str(item)
            if item is None:
                name = _fingerprint(segment)
            elif len(sources[screen.campaign, item]) > 1:
                name = f"{item} ({_fingerprint(segment)})"
            own.append(name)
        names[number] = _numbered(own)
    return names


def _numbered(names: Sequence[str]) -> list[str]:
    """Names of which those that stand there again have a number.

    >>> _numbered(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    times = collections.Counter[str]()
    numbered = []
    for name in names:
        times[name] += 1
        numbered.append(f"{name} ({times[name]})" if times[name] > 1 else name)
    return numbered


def _fingerprint(segment: Record) -> str:
    """A name for what was translated, the same in all files, from which no text can be read."""
    asked = {name: value for name, value in segment.items() if name not in _NOT_OF_SOURCE}
    written = json.dumps(asked, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:12]


# --- checks ---------------------------------------------------------------------------------------


def _check_results(screens: Sequence[_Screen]) -> Iterator[tuple[str, bool]]:
    """Each check that a rater was given, and whether it was passed.

    Of screens that were answered again the last answer counts.  Where the log does not say what
    came of a check, the rules that stand with the segments do.
    """
    latest = {(screen.campaign, screen.rater, screen.number): screen for screen in screens}
    for screen in latest.values():
        recorded = screen.record.get("validations")
        if recorded is None and not screen.is_skipped:
            recorded = list(_validated(screen))
        for passed in recorded or ():
            yield screen.rater, bool(passed)


def _validated(screen: _Screen) -> Iterator[bool]:
    """Whether the answers to each segment with rules keep all of them."""
    for segment, answers in zip(screen.record["item"], screen.record["annotation"], strict=True):
        rules = segment.get("validation")
        if isinstance(rules, dict) and rules and isinstance(answers, dict):
            yield all(_keeps(answers, system, rules.get(system)) for system in answers)


def _keeps(answers: Record, system: str, rules: Any) -> bool:
    """Whether the answer about a system keeps its rules, as Pearmut's own page checks them."""
    if isinstance(rules, list):
        return all(_keeps(answers, system, rule) for rule in rules)
    if not rules:
        return True
    answer = answers[system] or {}
    score = answer.get("score")
    if "score" in rules and not _is_within(score, rules["score"]):
        return False
    for name, value in (answer.get("sliders") or {}).items():
        if name in rules and not _is_within(value, rules[name]):
            return False
    spans = answer.get("error_spans") or []
    for wanted in rules.get("error_spans") or []:
        if not any(_fits(span, wanted) for span in spans):
            return False
    if "score_greaterthan" in rules:
        other = (answers.get(rules["score_greaterthan"]) or {}).get("score")
        return score is not None and other is not None and bool(score > other)
    return True


def _is_within(value: Any, wanted: Any) -> bool:
    """Whether a value is the one that is wanted, or between two of them."""
    if value is None:
        return False
    if isinstance(wanted, list):
        lowest, highest = wanted
        return bool(lowest <= value <= highest)
    return bool(value == wanted)


def _fits(span: Record, wanted: Record) -> bool:
    """Whether a span that was marked is the one that is wanted."""
    for name in ("start_i", "end_i"):
        if name in wanted and not _is_within(span.get(name), wanted[name]):
            return False
    return "severity" not in wanted or span.get("severity") == wanted["severity"]
