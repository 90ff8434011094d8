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
#: How the names of screens begin that are shown before, among or after the others.
_TUTORIALS = ("welcome_", "goodbye_")
_CHECKS = ("random_",)
#: The last action on a screen that was skipped.
_SKIPPED = "submit_skip"
#: What stands between the domain, the document and the segment in the name of a segment.
_MARK = "_###_"
#: Fields of a segment that say nothing of its source: outputs, and how they are checked.
_NOT_OF_SOURCE = ("tgt", "validation", "skippable", "error_spans", "item_id")

Record = Mapping[str, Any]


@dataclasses.dataclass(frozen=True, eq=False)
class _Screen:
    """A line of a log; two screens are the same if they are the same line.

    Parameters
    ----------
    campaign : str
    number : int
        The number of its line, or of its record among those of the campaign.
    where : str
        What messages call it.
    record : mapping
        The line's JSON.
    """

    campaign: str
    number: int
    where: str
    record: Record

    @property
    def rater(self) -> str:
        """Who answered."""
        return str(self.record["user_id"])

    @property
    def name(self) -> str:
        """What Pearmut calls the screen: a number; of tutorials and checks, words."""
        return str(self.record.get("item_i"))

    @property
    def segments(self) -> list[Record]:
        """The segments that were shown, each with the outputs of all systems."""
        segments: list[Record] = self.record["item"]
        return segments

    @property
    def answers(self) -> list[Any]:
        """What was answered about each of the segments; None for one that was skipped."""
        answers: list[Any] = self.record["annotation"]
        return answers

    @property
    def is_reset(self) -> bool:
        """Whether the line says that the rater's task was reset, and shows nothing."""
        return bool(self.record.get("annotation") == _RESET)

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
    place : int
        The place of the segment on the screen, from 0 on.
    system : str
    scores : mapping
        By metric; empty where the rater gave none.
    """

    screen: _Screen
    place: int
    system: str
    scores: Mapping[str, Any]

    @property
    def question(self) -> tuple[str, str, str, int, str]:
        """What the rater was asked, which is the same when the screen is answered again."""
        screen = self.screen
        return screen.campaign, screen.rater, screen.name, self.place, self.system


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
        reasons = f": {'; '.join(remarks)}" if remarks else ""
        raise InputError(
            f"{source.at()} has no rating of a system{reasons}. Give the log of a campaign that "
            "people have begun to judge."
        )
    _check_metrics(source, ratings)
    frame = _frame(ratings, remarks)
    screen_numbers = [rating.screen.number for rating in ratings]
    n_campaigns = len({screen.campaign for screen in screens})
    if file.line_numbers is not None:
        frame.index = pd.Index(screen_numbers, name="line")
    elif n_campaigns == 1:
        frame.index = pd.Index(screen_numbers, name="record")
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
        for place, record in enumerate(records):
            if line_numbers is not None:
                number = int(line_numbers[place])
                where = source.at(number)
            else:
                number = place + 1
                where = f"{source.at()}, campaign {campaign!r}, record {number:,}"
            screen = _Screen(campaign, number, where, record)
            _check_screen(screen)
            screens.append(screen)
    return screens


def _check_screen(screen: _Screen) -> None:
    """Raise `InputError` unless a line has a rater, segments, and an answer for each of them."""
    record = screen.record
    problem = ""
    if not isinstance(record, dict) or not record.get("user_id"):
        problem = "there is no 'user_id', which says who judged"
    elif screen.is_reset:
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
    for place, screen in enumerate(screens):
        if screen.is_reset:
            last_reset[screen.campaign, screen.rater] = place
    kept = []
    voided = collections.Counter[str]()
    for place, screen in enumerate(screens):
        if place > last_reset.get((screen.campaign, screen.rater), -1):
            kept.append(screen)
        elif not screen.is_reset:
            voided[screen.rater] += 1
    if voided:
        n_screens = counted(sum(voided.values()), "screen")
        raters = listed(list(voided), 4)
        remarks.append(f"{n_screens} before a reset left out (raters: {raters})")
    return kept


# --- ratings --------------------------------------------------------------------------------------


def _ratings(screens: Sequence[_Screen], remarks: list[str]) -> list[_Rating]:
    """The last rating of each output on a screen by each rater, in the order of the log.

    What is left out is counted in a remark, by the reason.
    """
    left_out = collections.Counter[str]()
    latest: dict[tuple[str, str, str, int, str], _Rating] = {}
    for screen in screens:
        for rating in _ratings_on(screen, left_out):
            if not rating.scores:
                left_out["without a score"] += 1
                continue
            if latest.pop(rating.question, None) is not None:
                left_out["answered again, of which the last counts"] += 1
            latest[rating.question] = rating
    if left_out:
        kinds = listed([f"{kind} {n:,}" for kind, n in left_out.items()], 9)
        remarks.append(f"left out: {kinds}")
    return list(latest.values())


def _ratings_on(screen: _Screen, left_out: collections.Counter[str]) -> Iterator[_Rating]:
    """The ratings on a screen; segments that have none are counted in `left_out`, by the reason."""
    for place, segment in enumerate(screen.segments):
        reason = _reason_to_leave_out(screen, segment)
        if reason:
            left_out[reason] += 1
        elif screen.answers[place] is None:
            left_out["skipped"] += 1
        else:
            yield from _ratings_of_segment(screen, place)


def _reason_to_leave_out(screen: _Screen, segment: Record) -> str:
    """Why answers about a segment are no ratings of systems; empty where they are."""
    if "tgt" not in segment and {"text", "form"} <= segment.keys():
        return "questions of forms"
    if screen.name.startswith(_TUTORIALS):
        return "segments of tutorials"
    if screen.name.startswith(_CHECKS):
        return "segments of checks"
    if segment.get("validation"):
        return "segments of tutorials" if segment.get("skippable") else "segments of checks"
    return ""


def _ratings_of_segment(screen: _Screen, place: int) -> Iterator[_Rating]:
    """A rating for each output of a segment, which has no scores where nothing was answered.

    Raises
    ------
    InputError
        If the answer is not about the systems whose outputs were shown.
    """
    outputs = screen.segments[place].get("tgt")
    answer = screen.answers[place]
    if not isinstance(outputs, dict):
        raise _not_as_written(screen, "a segment has no outputs ('tgt') by system")
    if not isinstance(answer, dict):
        raise _not_as_written(screen, "an answer is not an object with a name for each system")
    for system in answer:
        if system not in outputs:
            raise _not_as_written(screen, f"{system!r} was rated, and no output of it was shown")
    for system in outputs:
        about_system = answer.get(system)
        if about_system is not None and not isinstance(about_system, dict):
            raise _not_as_written(screen, f"the answer about {system!r} is not an object")
        yield _Rating(screen, place, system, _scores(about_system or {}))


def _scores(answer: Record) -> dict[str, Any]:
    """The score and the sliders that have a value, by names that are no labels."""
    scores = {"score": answer.get("score")}
    for name, value in (answer.get("sliders") or {}).items():
        is_taken = is_label(name) or name in ("score", FAILED)
        scores[f"{name} (slider)" if is_taken else name] = value
    return {name: value for name, value in scores.items() if value is not None}


def _check_metrics(source: ScoreSource, ratings: Sequence[_Rating]) -> None:
    """Raise `InputError` unless all campaigns ask for the same scores and sliders."""
    metrics: dict[str, set[str]] = {}
    for rating in ratings:
        metrics.setdefault(rating.screen.campaign, set()).update(rating.scores)
    first = ratings[0].screen.campaign
    for campaign in metrics:
        if metrics[campaign] != metrics[first]:
            raise InputError(
                f"{source.at()}: campaign {first!r} has {listed(sorted(metrics[first]), 4)}, and "
                f"campaign {campaign!r} has {listed(sorted(metrics[campaign]), 4)}. Download "
                "campaigns that ask for other scores or sliders into a file each."
            )


# --- names ----------------------------------------------------------------------------------------


def _frame(ratings: Sequence[_Rating], remarks: list[str]) -> pd.DataFrame:
    """A row for each rating, with its labels and scores."""
    names = _segment_names(ratings, remarks)
    rows = []
    for rating in ratings:
        names_on_screen = names[rating.screen]
        segment = names_on_screen[rating.place]
        labels: dict[str, Any] = {
            TEST_SET: rating.screen.campaign,
            "system": rating.system,
            "segment": segment,
            "document": _document(segment, names_on_screen[0]),
            RATER: rating.screen.rater,
        }
        rows.append({**labels, **rating.scores})
    return _without_unknown_documents(pd.DataFrame(rows), remarks)


def _document(segment: str, first_segment: str) -> str:
    """The document of a segment: what its name begins with, or else the screen.

    A screen is called after its first segment.
    """
    document, mark, _ = segment.rpartition(_MARK)
    return document if mark else first_segment


def _without_unknown_documents(frame: pd.DataFrame, remarks: list[str]) -> pd.DataFrame:
    """The frame, without the documents if they are screens that are no documents.

    Screens are none if one segment is on different screens, or if each has a single segment.
    """
    if frame["segment"].str.contains(_MARK, regex=False).all():
        return frame
    documents = frame[[TEST_SET, "segment", "document"]].drop_duplicates()
    is_in_several = documents.duplicated([TEST_SET, "segment"]).any()
    each_has_one_segment = not documents.duplicated([TEST_SET, "document"]).any()
    if not is_in_several and not each_has_one_segment:
        return frame
    if is_in_several:
        remarks.append("screens have different segments of one document: no documents are known")
    return frame.drop(columns="document")


def _segment_names(ratings: Sequence[_Rating], remarks: list[str]) -> dict[_Screen, list[str]]:
    """The names of all segments of each screen that has ratings.

    A name is an ``item_id`` where it stands for a single source in its campaign.  Otherwise a
    fingerprint of the source is added to it, and where there is none, stands in its place.
    """
    screens = list(dict.fromkeys(rating.screen for rating in ratings))
    sources = collections.defaultdict(set)
    for screen in screens:
        for segment in screen.segments:
            sources[screen.campaign, segment.get("item_id")].add(_fingerprint(segment))
    ambiguous = []
    for (_, item), fingerprints in sources.items():
        if item is not None and len(fingerprints) > 1:
            ambiguous.append(repr(item))
    if ambiguous:
        shown = listed(ambiguous, 3)
        remarks.append(f"item_id {shown} stands for several sources, which are told apart")
    if any(item is None for _, item in sources):
        remarks.append("segments without an item_id are told apart by their sources")
    names = {}
    for screen in screens:
        names_on_screen = []
        for segment in screen.segments:
            n_sources = len(sources[screen.campaign, segment.get("item_id")])
            names_on_screen.append(_segment_name(segment, n_sources))
        names[screen] = _numbered(names_on_screen)
    return names


def _segment_name(segment: Record, n_sources: int) -> str:
    """The name of a segment whose ``item_id`` stands for a number of sources."""
    item = segment.get("item_id")
    if item is None:
        return _fingerprint(segment)
    return f"{item} ({_fingerprint(segment)})" if n_sources > 1 else str(item)


def _numbered(names: Sequence[str]) -> list[str]:
    """The names, of which each but the first of the same has a number behind it.

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
    source = {name: value for name, value in segment.items() if name not in _NOT_OF_SOURCE}
    as_text = json.dumps(source, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(as_text.encode()).hexdigest()[:12]


# --- checks ---------------------------------------------------------------------------------------


def _check_results(screens: Sequence[_Screen]) -> Iterator[tuple[str, bool]]:
    """Each check that a rater was given, and whether it was passed.

    Of screens that were answered again the last answer counts.  Where the log does not say what
    came of a check, the rules that stand with the segments do.
    """
    latest = {(screen.campaign, screen.rater, screen.name): screen for screen in screens}
    for screen in latest.values():
        results = screen.record.get("validations")
        if results is None and not screen.is_skipped:
            results = list(_results_by_rules(screen))
        for passed in results or ():
            yield screen.rater, bool(passed)


def _results_by_rules(screen: _Screen) -> Iterator[bool]:
    """For each segment that has rules, whether the answers about all its systems keep them."""
    for segment, answers in zip(screen.segments, screen.answers, strict=True):
        rules = segment.get("validation")
        if isinstance(rules, dict) and rules and isinstance(answers, dict):
            yield all(_keeps(answers, system, rules.get(system)) for system in answers)


def _keeps(answers: Record, system: str, rules: Any) -> bool:
    """Whether the answer about a system keeps its rules, as Pearmut's own page checks them.

    Rules are an object that has the values wanted, or a list of such objects.  The answers about
    all systems of the segment are needed, as a rule may say that one is above another.
    """
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
        other_answer = answers.get(rules["score_greaterthan"]) or {}
        other_score = other_answer.get("score")
        return score is not None and other_score is not None and bool(score > other_score)
    return True


def _is_within(value: Any, wanted: Any) -> bool:
    """Whether a value is the one that is wanted, or within limits if a list has these."""
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
