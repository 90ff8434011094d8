"""What has to be on the page: every export whose result has a p-value or an interval.

The list is read off the package.  An export counts if its summary or what it says to return speaks
of p-values or intervals; or if its result, or what a method of its result returns, has a field,
property or column that is called so.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, get_args

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES
from mtsig_nb.significance.intervals import Method
from mtsig_nb.significance.other_tools import OTHER_TOOLS

#: The package and the modules that it exports.
EXPORTING = {"mt": mt} | {
    f"mt.{name}": getattr(mt, name) for name in mt.__all__ if inspect.ismodule(getattr(mt, name))
}
#: Fields and columns that are p-values, or ends of intervals.
DECIDING = re.compile(r"([\w*]+_)?pvalues?(_\w+)?|(\w+_)?intervals?|low|high|ci_low|ci_high|limits")
#: Words that docstrings set in code; a star stands for several columns.
IN_CODE = re.compile(r"`([\w*]+)`")
#: How docstrings speak of them.
SPEAKING = re.compile(r"p-value|\binterval", re.IGNORECASE)

#: Exports that decide nothing by themselves, and what does.
PASS_ON = {
    "mt.Campaign.published": "tables as the organisers printed them",
    "mt.Comparisons.conclusions": "the verdicts of `compare_all`",
    "mt.Comparisons.n_comparisons": "a number",
    "mt.Comparisons.summary": "the table of `compare_all`",
    "mt.Conclusions.from_pairs": "takes verdicts as they are given",
    "mt.Conclusions.from_pvalues": "takes p-values as they are given",
    "mt.Conclusions.reorder": "the same verdicts",
    "mt.Counting.pvalue": "how resamples are counted, in every test that has them",
    "mt.clusters": "groups of verdicts that it is given",
    "mt.human.Ratings.of_raters": "the same ratings",
    "mt.human.Ratings.segment_means": "scores, which have tests",
    "mt.simulate.null_pvalues": "p-values of a test on many data sets at once",
}
#: The names of the rows that show an export.
ROWS = {
    "mt.adjust_pvalues": {*OF_PVALUES},
    "mt.agreement": {"one accuracy: resampled systems", "one accuracy: Clopper-Pearson"},
    "mt.agreement_by_size": {"agreement_by_size, share"},
    "mt.chi_square_between": {"chi-square"},
    "mt.compare_all": {
        *OF_RESAMPLES,
        "percentile, family",
        "simultaneous, family",
        "Wilson, score",
    },
    "mt.compare_metrics": {"systems as units"},
    "mt.compare_runs": {"methods", "methods-unequal", "sets", "runs"},
    "mt.confidence_interval": {
        f"{method}, {about}" for method in get_args(Method) for about in ("difference", "score")
    },
    "mt.exchange_metrics": {"exchanged systems"},
    "mt.leaderboard": {"leaderboard, value", "leaderboard, ranks"},
    "mt.mcnemar_between": {"McNemar", "systems as units"},
    "mt.paired_t_test": {"paired-t"},
    "mt.pairwise_accuracy": {"one accuracy: resampled systems", "one accuracy: Clopper-Pearson"},
    "mt.reported_by": {*OTHER_TOOLS},
    "mt.sequential_test": {"looks-obrien-fleming", "looks-pocock"},
    "mt.sign_test": {"sign"},
    "mt.signed_rank_test": {"signed-rank"},
    "mt.soft_pairwise_accuracy": {"one accuracy: resampled systems"},
    "mt.equivalence_test": {"equivalence", "gate"},
    "mt.human.PairwisePreferences.bradley_terry": {"bradley-terry"},
    "mt.human.PairwisePreferences.conclusions": {"preferences-sign"},
    "mt.human.PairwisePreferences.sign_test": {"preferences-sign"},
    "mt.human.PairwisePreferences.tests": {"preferences-sign"},
    "mt.human.Ratings.at_looks": {"raters-at-looks"},
    "mt.human.Ratings.conclusions": {"people-rank-sum", "people-signed-rank"},
    "mt.human.Ratings.mixed_model": {"mixed-model"},
    "mt.human.Ratings.quality_control": {"control-damaged", "control-repeats"},
    "mt.human.Ratings.tests": {"people-rank-sum", "people-signed-rank"},
    "mt.human.Ratings.tests_over_samples": {"components-0"},
    "mt.human.Ratings.variance_components": {
        "components-0",
        "variance components, t, difference",
    },
    "mt.human.Ratings.wmt": {"people-rank-sum"},
    "mt.human.SegmentScores.conclusions": {"people-rank-sum", "people-signed-rank"},
    "mt.human.SegmentScores.tests": {"people-rank-sum", "people-signed-rank"},
    "mt.human.mean_over_test_sets": {"mean-over-test-sets"},
    "mt.human.prediction_powered": {"prediction-powered", "prediction_powered, difference"},
    "mt.human.rank_sum_test": {"people-rank-sum"},
    "mt.human.signed_rank_test": {"people-signed-rank"},
} | {
    f"mt.{procedure.function}": {procedure.name}
    for procedure in PROCEDURES.values()
    if procedure.function
}


def offered() -> list[str]:
    """The exports that decide, by their full names, in alphabetical order."""
    found = []
    for module_name, module in EXPORTING.items():
        for name in exports_of(module):
            for path, function in functions_of(module, name):
                if decides(function):
                    found.append(f"{module_name}.{path}")
    return sorted(set(found))


def exports_of(module: ModuleType) -> list[str]:
    """The public names of a module: those that it lists, or else those that it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


def functions_of(module: ModuleType, name: str) -> Iterator[tuple[str, FunctionType]]:
    """An exported function, or all public methods and properties of an exported class."""
    export = getattr(module, name)
    if inspect.isfunction(export):
        yield name, export
    elif inspect.isclass(export):
        for attribute, value in inspect.getmembers_static(export):
            function = underlying(value)
            if function is not None and not attribute.startswith("_"):
                yield f"{name}.{attribute}", function


def underlying(value: Any) -> FunctionType | None:
    """The function behind a method of any kind or a property; None if there is none."""
    for wrapper in ("__func__", "fget", "func"):
        value = getattr(value, wrapper, value)
    return value if inspect.isfunction(value) else None


def decides(function: FunctionType) -> bool:
    """Whether what a function returns has a p-value or an interval."""
    if SPEAKING.search(promised(function)):
        return True
    results = returned(function)
    beyond = [other for result in results for other in reached_from(result)]
    return any(has_decisions(result) for result in results + beyond)


def reached_from(result: type) -> list[type]:
    """The package's classes that a result has as fields, or that its methods return."""
    found = []
    for _, value in inspect.getmembers_static(result):
        method = underlying(value)
        if method is not None:
            found += returned(method)
    if dataclasses.is_dataclass(result):
        for field in dataclasses.fields(result):
            found += classes_in(str(field.type), result.__module__)
    return found


def has_decisions(result: type) -> bool:
    """Whether a result has a field, a property or a documented column that decides."""
    text = inspect.getdoc(result) or ""
    columns = IN_CODE.findall(text)
    names = columns + attributes_of(result)
    return any(DECIDING.fullmatch(name) for name in names)


def returned(function: FunctionType) -> list[type]:
    """The package's classes in what a function is annotated to return."""
    annotation = function.__annotations__.get("return")
    return classes_in(str(annotation), function.__module__)


def classes_in(annotation: str, module: str) -> list[type]:
    """The package's classes that an annotation names, by the names of its module."""
    found = []
    for path in re.findall(r"[\w.]+", annotation):
        value: Any = sys.modules.get(module)
        for name in path.split("."):
            value = getattr(value, name, None)
        members = get_args(value) or (value,)  # of a union under a name
        found += [each for each in members if is_ours(each)]
    return found


def is_ours(value: Any) -> bool:
    """Whether something is one of the package's classes."""
    return inspect.isclass(value) and value.__module__.startswith("mtsig_nb")


def promised(function: FunctionType) -> str:
    """The summary of a docstring, and what it says about what is returned."""
    text = inspect.getdoc(function) or ""
    summary = text.partition("\n")[0]
    section = text.partition("\nReturns\n")[2]
    for heading in ("Raises", "Notes", "References", "Examples"):
        section = section.partition(f"\n{heading}\n")[0]
    named = IN_CODE.findall(section)
    columns = [name for name in named if DECIDING.fullmatch(name)]
    spoken = ["p-value"] * len(columns)  # what the columns' names say
    return "\n".join([summary, section, *spoken])


def attributes_of(result: type) -> list[str]:
    """Public fields and properties of a result."""
    fields = []
    if dataclasses.is_dataclass(result):
        fields = [field.name for field in dataclasses.fields(result)]
    properties = [
        name
        for name, value in inspect.getmembers_static(result)
        if not inspect.isfunction(value) and not name.startswith("_")
    ]
    return fields + properties


def missing(kept: Mapping[str, Any]) -> list[str]:
    """The exports that decide and have no row on the page, or not all that they should have."""
    measured = set()
    for world in kept["worlds"]:
        measured |= names_in(world)
    found = []
    for name in offered():
        rows = ROWS.get(name, set())
        is_shown = bool(rows) and rows <= measured
        if name not in PASS_ON and not is_shown:
            found.append(name)
    return found


def where(kept: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each export that decides, and the worlds that have rows of it."""
    measured = [(world, names_in(world)) for world in kept["worlds"]]
    for name in offered():
        if name in PASS_ON:
            continue
        rows = ROWS.get(name, set())
        showing = [world for world, names in measured if rows & names]
        yield name, showing


def names_in(world: Mapping[str, Any]) -> set[str]:
    """The names of a world's rows."""
    names = set()
    for setting in world["settings"]:
        names |= {row["name"] for row in setting["rows"]}
    return names
