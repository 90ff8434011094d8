# %% [markdown]
# # Does the course teach?
#
# You have taught the course, and the class seemed to like it. Do the students now know more about tests than before?
# This page is for lecturers. It reads a class's answers to the [concept inventory](../labs/inventory.ipynb), from
# before the course, from after it, and from six weeks later. How to collect them is on [the page with the
# protocol](../../docs/protocol.md). **The class on this page is simulated.** No student has answered anything here.

# %% tags=["remove-input"]
import difflib
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.components.codes import code_of
from mtsig_nb.plots import style
from mtsig_nb.teaching import handed_in, headline, inventory, inventory_results, read_codes

pd.options.display.float_format = "{:.2f}".format
pd.options.display.width = 110
pd.options.display.max_colwidth = 70

here = Path.cwd()
places = [
    folder / "inventory.toml"
    for folder in (here.parent / "labs", here / "notebooks" / "labs", here)
]
INVENTORY = next(filter(Path.exists, places), None)
if INVENTORY is None:
    raise mt.InputError(
        f"inventory.toml is neither in {here} nor in the folder of the labs. Put notebooks/labs/inventory.toml "
        "of the course beside this notebook."
    )
ITEMS = tomllib.loads(INVENTORY.read_text(encoding="utf-8"))["item"]
MISCONCEPTIONS = tomllib.loads(INVENTORY.read_text(encoding="utf-8"))["misconceptions"]
KEY = np.array(
    ["ABCDE"[[bool(o.get("right")) for o in item["options"]].index(True)] for item in ITEMS]
)
EXAM = inventory(INVENTORY)
TIMES = ["before", "after", "later"]
COLOURS = dict(zip(TIMES, (style.GREY, style.BLUE, style.ORANGE), strict=True))

# The world of the simulated class: what each of its students knows follows these numbers alone.
HARD = np.random.default_rng(25).permutation(np.linspace(-1.4, 1.4, len(ITEMS)))
LEARNT = {"before": 0.0, "after": 0.8, "later": 0.5}
STUBBORN, POOR_ITEM, SKIPPED = "p-is-truth", 7, 0.02
WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "flint",
    "grove",
    "heron",
    "iris",
    "jade",
    "kelp",
    "larch",
    "maple",
    "north",
    "olive",
    "pearl",
    "quartz",
    "reed",
]


#: Folders whose truth is known, so that what the text says of them can be checked.
SIMULATED = []


def chances(ability, time):
    """How probable a right answer is: a row for each student, a column for each item."""
    chance = 1 / (1 + np.exp(HARD - (ability + LEARNT[time])[:, None]))
    chance[:, POOR_ITEM - 1] = 0.5
    return chance


def draw_scores(n_students, rng, item=None):
    """How many questions each student has right, or one item alone, at each time; all have come."""
    ability, pace = rng.normal(size=n_students), rng.normal(0, 0.4, n_students)
    scores = {}
    for time in TIMES:
        chance = (1 - SKIPPED) * chances(ability + pace * (time != "before"), time)
        right = rng.random(chance.shape) < chance
        scores[time] = right.sum(axis=1) if item is None else right[:, item - 1]
    return pd.DataFrame(scores, dtype=float)


def true_means():
    """Expected scores at each time, of the students that this world draws from."""
    rng = np.random.default_rng(0)
    ability, pace = rng.normal(size=40_000), rng.normal(0, 0.4, 40_000)
    return pd.Series(
        {
            time: (1 - SKIPPED) * chances(ability + pace * (time != "before"), time).sum(1).mean()
            for time in TIMES
        }
    )


def one_answer(item, right, rng):
    """A letter, or None; of the wrong ones, that of the stubborn misconception comes most."""
    if rng.random() < SKIPPED:
        return None
    if right:
        return KEY[ITEMS.index(item)]
    wrong = [k for k, option in enumerate(item["options"]) if not option.get("right")]
    weights = [8.0 if item["options"][k]["misconception"] == STUBBORN else 1.0 for k in wrong]
    return "ABCDE"[rng.choice(wrong, p=np.divide(weights, sum(weights)))]


def simulate_class(n_students, seed, stay=(0.95, 0.85, 0.65), forget=0.08, twice=0.02):
    """A folder with a list of pseudonyms and codes for each time, as a form collects them."""
    rng, folder = np.random.default_rng(seed), Path(tempfile.mkdtemp())
    ability, pace = rng.normal(size=n_students), rng.normal(0, 0.4, n_students)
    numbers = rng.permutation(len(WORDS) * 90)[: 4 * n_students]
    made_up = [f"{WORDS[k // 90]} {10 + k % 90}" for k in numbers]
    names, spare = made_up[:n_students], iter(made_up[n_students:])
    for time, share in zip(TIMES, stay, strict=True):
        chance, lines = chances(ability + pace * (time != "before"), time), []
        for student in np.flatnonzero(rng.random(n_students) < share):
            name = next(spare) if time == "later" and rng.random() < forget else names[student]
            name = name.title() if rng.random() < 0.2 else name
            for _ in range(1 + (rng.random() < twice)):
                right = rng.random(len(ITEMS)) < chance[student]
                given = [one_answer(i, r, rng) for i, r in zip(ITEMS, right, strict=True)]
                lines.append(f"{name}, {code_of(given, EXAM)}")
        (folder / f"{time}.txt").write_text("\n".join(rng.permutation(lines)) + "\n")
    SIMULATED.append(folder)
    return folder


def spelt_like(student, time, first):
    """A pseudonym that is missing at this time and differs in a letter or digit, if there is one."""
    missing = set(first["student"]) - set(first.loc[first["time"] == time, "student"])
    close = difflib.get_close_matches(student, sorted(missing), n=1, cutoff=0.85)
    return f"(spelt like {close[0]})" if close else ""


def misconceptions_chosen(answers, times):
    """The share of each misconception among the answers in which it could be chosen, by time."""
    places = [
        (number, letter, option["misconception"])
        for number, item in enumerate(ITEMS, start=1)
        for letter, option in zip("ABCDE", item["options"], strict=False)
        if "misconception" in option
    ]
    shares = [answers[number].eq(letter).groupby(times).mean() for number, letter, _ in places]
    by_answer = pd.DataFrame(shares, index=[name for *_, name in places])
    return by_answer.groupby(level=0).mean().reindex(columns=TIMES)


def power(gains, n_students, n_classes=1000):
    """How often classes of a size, whose students are drawn from these, show a gain at .05."""
    drawn = np.random.default_rng(5).choice(gains, size=(n_classes, n_students))
    names = range(1, n_classes + 1)  # by which the two halves of a pair belong together
    classes = pd.DataFrame(
        {
            "system": np.repeat(
                [f"{time} {k}" for time in ("after", "before") for k in names], n_students
            ),
            "segment": np.tile(np.arange(n_students), 2 * n_classes),
            "score": np.concatenate([drawn.ravel(), np.zeros(drawn.size)]),  # after, then before
        }
    )
    pairs = mt.from_segment_scores(classes)
    ours = ["approximate-randomization"]
    return mt.simulate.rejection_rates(pairs, ours, n_resamples=999, rng=6)["rate"].item()


def draw_gains(scores, interval):
    """A line for each student with answers at two times or more, and the class's means."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.2))
    shift = np.random.default_rng(3).uniform(-0.05, 0.05, len(scores))
    for nudge, (_, row) in zip(shift, scores.iterrows(), strict=True):
        seen = row.notna().to_numpy()
        ax.plot(np.arange(3)[seen] + nudge, row[seen] + 4 * nudge, color=style.MUTED, linewidth=0.9)
    for place, time in enumerate(TIMES):
        here = scores[time].dropna()
        if here.empty:
            continue
        points = shift[scores[time].notna()]
        ax.plot(place + points, here + 4 * points, "o", color=COLOURS[time], alpha=0.55, ms=5)
        ax.plot(place + 0.17, here.mean(), "D", color=COLOURS[time], ms=10)
        ax.annotate(f"{here.mean():.1f}", (place + 0.24, here.mean()), va="center", weight="bold")
    ax.set_xticks(range(3), [f"{t}\n{scores[t].notna().sum()} students" for t in TIMES])
    ax.set(ylabel=f"questions right, of {len(ITEMS)}", ylim=(0, len(ITEMS) + 0.8), xlim=(-0.3, 2.5))
    said = (
        f"gain {interval.estimate:+.1f}, 95 % interval {interval.low:+.1f} to {interval.high:+.1f}"
    )
    ax.set_title(f"{said} ({interval.n_units} students with both)")
    style.describe(
        figure,
        "Grey lines join each student's scores before, after and six weeks later. Most lines rise from before to after and fall a "
        "little until later. A diamond beside each column of dots is the mean.",
    )
    return figure


def draw_items(table):
    """For each item its share right, before and after, the hardest at the bottom."""
    table = table.sort_values("before", ascending=False, kind="stable")
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 5.6))
    rows = np.arange(len(table))
    ax.hlines(rows, table["before"], table["after"], color=style.MUTED, linewidth=3)
    for time in ("before", "after"):
        ax.plot(table[time], rows, "o", color=COLOURS[time], ms=7, label=time)
    style.name_rows(ax, [f"item {k} · unit {u}" for k, u in table["unit"].items()])
    ax.tick_params(axis="y", labelsize=9, length=0)
    ax.set(xlabel="share of the class that is right", xlim=(0, 1))
    ax.legend(loc="lower right", frameon=False)
    style.describe(
        figure,
        "A row for each of the 31 questions with two dots, the share right before and after. In nearly all rows the dot of after lies "
        "to the right; a few have hardly moved.",
    )
    return figure


def draw_beliefs(table):
    """The misconceptions that were chosen most: share of the answers that could show them."""
    table = table.sort_values("before", ascending=False, kind="stable").head(8)
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.2))
    rows = np.arange(len(table))
    ax.hlines(rows, table["after"], table["before"], color=style.MUTED, linewidth=3)
    for time in ("before", "after"):
        ax.plot(table[time], rows, "o", color=COLOURS[time], ms=8, label=time)
    style.name_rows(ax, [name.replace("-", " ") for name in table.index])
    ax.set(xlabel="share of the answers in which it could be chosen", xlim=(0, None))
    ax.legend(loc="lower right", frameon=False)
    style.describe(
        figure,
        "Eight misconceptions, a row each, with the share of answers that came from it before and after. The first, that p is the "
        "probability of no difference, is far more frequent than the others at both times.",
    )
    return figure


def draw_power(table):
    """How often a class of each size shows a gain, a line for each true gain."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    looks = zip(table.columns, (style.GREY, style.BLUE, style.GREEN, style.ORANGE), strict=True)
    for number, (gain, colour) in enumerate(looks):
        mark, name = style.MARKERS[number], f"true gain {gain:g} of {len(ITEMS)}"
        shown = name if gain else "no gain"
        ax.plot(table.index, table[gain], color=colour, marker=mark, ms=8, label=shown)
    ax.axhline(0.8, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate("four times in five", (218, 0.73), color=style.INK, ha="right")
    ax.set(xlabel="students with both answers", ylabel="share of classes that show it")
    ax.set(xlim=(0, 220), ylim=(0, 1.05), xticks=table.index, yticks=np.arange(0, 1.1, 0.2))
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[::-1], labels[::-1], frameon=False, loc=(0.6, 0.13))
    style.describe(
        figure,
        "Power against the number of students. A gain of three questions is found in most classes of 20, a gain of one in few of them "
        "and in nearly all of 200. Without a gain the line stays near .05.",
    )
    return figure


# %% [markdown]
# It needs [unit 1](../1_what_chance_can_do/01_is_a_better_than_b.ipynb), and the intervals of [unit
# 8](../2_a_score_and_two_of_them/08_an_interval_from_one_test_set.ipynb). Every student is a unit here, as a sentence
# is in the course. The scores before and after are paired, as two systems' scores are.
#
# ## The lists
#
# At each of the three times a student types a pseudonym and the code that the inventory's page gives. So there are
# three lists, one line for each answer. Here they are text files in a folder. For a real class, name the folder
# with your own files in the first line: `folder = Path("my class")`.

# %%
folder = simulate_class(n_students=80, seed=2026)
handed = handed_in(
    before=folder / "before.txt", after=folder / "after.txt", later=folder / "later.txt"
)
handed.head(3)

# %% [markdown]
# `handed_in` also takes lists of lines, or a folder with one text file for each student. Capital letters, spaces and
# hyphens in a pseudonym do not matter.
#
# How many came, who answered twice at one time, and whose pseudonym occurs at one time only?

# %%
first = handed[handed["attempt"] == 1]
came = first.groupby("student")["time"].agg(lambda times: " + ".join(times))
print(came.value_counts().to_string(header=False))
print("answered twice:", ", ".join(handed.loc[handed["attempt"] == 2, "student"]))

# %%
for student, time in first.loc[first["alone"], ["student", "time"]].to_numpy():
    print(f"{student:11} {time:7}", spelt_like(student, time, first))

# %% [markdown]
# Those in the second list have left the class, joined it late, or forgot their pseudonym. Nobody is dropped in silence:
# their answers count in the tables of items below, and not in the gains. A similar spelling is printed for
# information. We do not join two pseudonyms by guess, because two students may have chosen similar ones. Of two codes
# from the same time the first one counts. All of this is decided in the protocol, before there are answers.
#
# ## Scores
#
# `read_codes` turns codes into letters. A question without an answer counts as not right. A code that has been mistyped
# is named in a warning and left out.

# %%
answers = read_codes(first["code"], EXAM)
first = first.loc[answers.index]
right = answers.eq(KEY).set_index(pd.MultiIndex.from_frame(first[["student", "time"]]))
scores = right.sum(axis=1).unstack("time").reindex(columns=TIMES).astype(float)
scores.agg(["count", "mean", "std"])

# %% [markdown]
# These three means are of three different groups of students, because some did not come each time. Gains are
# therefore computed from students with both answers.
#
# ## The primary outcome
#
# The gain is the mean of *after* less *before*, over students with both. The test tosses a coin for each student and
# exchanges the two scores. The interval is a bootstrap-t, which draws students.


# %%
def paired(scores, later, earlier):
    both = scores[[later, earlier]].dropna().rename_axis(index="segment", columns="system")
    tidy = both.stack().rename("score").reset_index()
    return mt.from_segment_scores(tidy, label="questions right", source="concept inventory")


def gain(scores, later, earlier, rng=2026):
    pair = paired(scores, later, earlier)
    test = mt.approximate_randomization(pair, later, earlier, rng=rng)
    return test, mt.confidence_interval(pair, later, earlier, method="bootstrap-t", rng=rng)


# %%
test, interval = gain(scores, "after", "before")
print(test)
print(interval)

# %% tags=["remove-input", "remove-output"]
truth = true_means()
true_gain = truth["after"] - truth["before"]
if folder in SIMULATED:
    headline("simulated class: true gain, questions of 31", true_gain, spec=".2f")
    headline("simulated class: estimated gain", interval.estimate, spec=".2f")
    headline("simulated class: gain, lower limit", interval.low, spec=".2f")
    headline("simulated class: gain, upper limit", interval.high, spec=".2f")
    assert interval.low < true_gain < interval.high

# %% tags=["hide-input"]
picture = draw_gains(scores, interval)

# %% [markdown]
# Each line is a student. The dots are scores, a little spread out so that they do not hide each other, and the
# diamonds are the means of all who came at that time. The title has the gain of those with both answers. Look at the
# lines that fall from *before* to *after*: one student's score is made of 31 answers, and varies by two
# questions or so by luck alone.
#
# What became of it after six weeks, and how much was lost since the end? These two are secondary outcomes, and Holm's
# correction is for the two of them. The intervals are not corrected. As long as there is no third list, leave `later`
# out of `handed_in`, and this cell says nothing.

# %%
pairs = [("later", "before"), ("later", "after")]
secondary = {pair: gain(scores, *pair) for pair in pairs if len(scores[[*pair]].dropna()) > 1}
adjusted = mt.adjust_pvalues([t.pvalue for t, _ in secondary.values()] or [1.0], "holm")
for (later, earlier), (_, i), p in zip(secondary, secondary.values(), adjusted, strict=False):
    print(f"{later} - {earlier}: {i.estimate:+.1f} [{i.low:+.1f}, {i.high:+.1f}], p = {p:.4f}")

# %% [markdown]
# ## Those who are missing
#
# If weak students leave, the others' gain is not the class's gain. Two checks were decided beforehand. First, compare
# the first scores of those who came again with the first scores of those who did not. Second, let everybody who is
# missing at the end have gained nothing, and test again.

# %%
stayed = scores["after"].notna().map({True: "came again", False: "did not"})
print(scores.groupby(stayed)["before"].agg(["count", "mean"]).rename_axis(None))
filled = scores.assign(after=scores["after"].fillna(scores["before"]))
cautious, around = gain(filled, "after", "before")
print(
    f"{cautious.statistic:+.1f} [{around.low:+.1f}, {around.high:+.1f}], p = {cautious.pvalue:.4f}"
)

# %% [markdown]
# The second check is a pessimistic one. If the gain is found there too, those who are missing do not explain it.
#
# ## The items
#
# An item's *difficulty* is the share of the class that is right. Its *discrimination* is the correlation, over
# students, between being right on this item and the number of other items right. An item whose discrimination is near
# zero does not measure what the others measure.


# %%
def discrimination(right):
    others = -right.sub(right.sum(axis=1), axis=0)
    return right.astype(float).corrwith(others)


codes = {time: list(group["code"]) for time, group in first.groupby("time")}
items = inventory_results(INVENTORY, codes["before"], codes["after"])
items["discrimination"] = discrimination(right.xs("before", level="time"))
items[["unit", "before", "after", "discrimination"]].sort_values("discrimination").head(4)

# %% tags=["hide-input"]
picture = draw_items(items)

# %% tags=["remove-input"]
if folder in SIMULATED:
    poorest = items["discrimination"].idxmin()
    headline("simulated class: item with the lowest discrimination", poorest)
    assert poorest == POOR_ITEM and (items["after"] > items["before"]).mean() > 0.75

# %% [markdown]
# In each row the two dots are the share right before the course and after it, of all who came at that time. The rows
# are ordered by the first.
# A short bar is an item that the course did not move. Look first at items with a discrimination near zero: read the
# question again, and ask a student what it means. In this class we know the answer. Item 7 was simulated so that
# everybody has it right with probability one half, whatever they know.
#
# With 80 students a correlation is uncertain by about .1, and with 20 students by about .2. So these numbers point to
# items to read, and no test is made of them.
#
# ## The wrong answers
#
# Behind each wrong answer is a misconception. For one item, this is who chose which answer:


# %%
def distractors(number):
    options = ITEMS[number - 1]["options"]
    given = answers[number].fillna("none").groupby(first["time"].to_numpy())
    table = given.value_counts(normalize=True).unstack(0, fill_value=0.0).reindex(columns=TIMES)
    behind = [option.get("misconception", "right") for option in options]
    table["behind it"] = table.index.map({"none": "", **dict(zip("ABCDE", behind, strict=False))})
    return table.rename_axis(columns=None)


distractors(1)

# %% [markdown]
# And over all items, the share of answers from each misconception among those answers in which it could be chosen:

# %%
beliefs = misconceptions_chosen(answers, first["time"].to_numpy())
beliefs.sort_values("before", ascending=False).head(3)

# %% tags=["hide-input"]
picture = draw_beliefs(beliefs)

# %% tags=["remove-input", "remove-output"]
if folder in SIMULATED:
    most = beliefs["after"].idxmax()
    headline("simulated class: misconception chosen most after the course", most)
    assert most == beliefs["before"].idxmax() == STUBBORN

# %% [markdown]
# Each row is a misconception of the inventory, by its short name. The two dots are before and after, and further to
# the left is better. "p is truth" is ahead of the others at both times, although it becomes rarer, too. So it was
# simulated: whoever is wrong chooses it eight times as often as another wrong answer. In your own class, the first
# rows of this picture say what next year's lecture should spend ten minutes on.
#
# ## Does it find what is there?
#
# One class proves little about a method. So we simulate 200 classes of 20 students, and count how many of their 95 %
# intervals contain the true gain of the simulated world.

# %%
rng, contained = np.random.default_rng(20), 0
for _ in range(200):
    pair = paired(draw_scores(20, rng), "after", "before")
    one = mt.confidence_interval(
        pair, "after", "before", method="bootstrap-t", n_resamples=999, rng=rng
    )
    contained += one.low < true_gain < one.high
print(f"true gain {true_gain:.2f}; contained in {contained} of 200 intervals")

# %% tags=["remove-input", "remove-output"]
headline("simulated classes of 20: intervals of 200 that contain the true gain", contained)
assert 182 <= contained <= 198

# %% [markdown]
# About 190 are expected, and the count varies by six or so. So the method finds the truth as often as promised.
#
# ## What n can show
#
# > **Make a guess.** A course raises the mean by one question of 31, and this gain is real. A class of 20 answers
# > before and after. In how many of 100 such classes does the test find the gain at .05: about 90, about 50, or
# > about 20?
# >
# > <details><summary>about 90</summary>A gain of three questions is found about so often.</details>
# > <details><summary>about 50</summary>A gain of two questions is found about so often.</details>
# > <details class="right"><summary>about 20</summary>So it is. Twenty students miss such a gain far more often
# > than they find it.</details>
#
# The population is 4,000 simulated students. We take the mean from their gains, so that only their
# spread is left, and add the gain that is to be found. `power` draws 1,000 classes, tests each of them, and says how
# often p is at most .05. It calls `mt.simulate.rejection_rates`, with which the tests of this course were measured.

# %%
everybody = draw_scores(4000, np.random.default_rng(4))
spread = everybody["after"] - everybody["before"]
spread -= spread.mean()
sizes, gains = [10, 20, 50, 100, 200], [0, 1, 2, 3]
found = {gain: [power(spread + gain, n) for n in sizes] for gain in gains}
found = pd.DataFrame(found, index=pd.Index(sizes, name="students")).rename_axis(columns="gain")
found

# %% tags=["hide-input"]
picture = draw_power(found)

# %% tags=["remove-input", "remove-output"]
for n in (20, 50, 200):
    for planted in (1, 2, 3):
        name = f"power, {n} students, true gain of {planted} of 31"
        headline(name, found.loc[n, planted], spec=".2f")
planned = mt.minimum_detectable_difference(
    paired(everybody, "after", "before"), n_units=[20, 50, 200]
)
for n, smallest in planned.table[["n_units", "difference"]].itertuples(index=False):
    headline(f"gain found four times in five, {n} students", smallest, spec=".1f")
headline("power: standard deviation of students' gains", spread.std(), spec=".1f")

# %% [markdown]
# Each line is a true gain, and its height says how often classes of a size find it. The grey line has no gain at all,
# and stays near .05, as the level promises. A line that is below the dashed one stands for a plan that misses the
# gain more than once in five.
#
# **The guess.** About 20. With 20 students a gain of one question is missed four times in five, a gain of two is found
# every second time, and a gain of three nine times in ten. With 200 students a gain of one is found nearly always.
#
# One item shows far less than all of them together. Here is one of middling difficulty: how much the share of those
# who are right grows, and how often classes of 20, 50 and 200 show it.

# %%
one_item = draw_scores(4000, np.random.default_rng(4), item=15)
changes = one_item["after"] - one_item["before"]
changes.mean(), [power(changes, n) for n in (20, 50, 200)]

# %% tags=["remove-input", "remove-output"]
headline("one item: share of students more who are right", changes.mean(), spec=".2f")
for n in (20, 200):
    headline(f"power, {n} students, one item", power(changes, n), spec=".2f")
assert found[0].between(0.03, 0.065).all()
assert 0.15 < found.loc[20, 1] < 0.25 and 0.45 < found.loc[20, 2] < 0.58
assert 0.86 < found.loc[20, 3] < 0.94
assert found.loc[200, 1] > 0.9 and power(changes, 20) < 0.4

# %% [markdown]
# Twenty students are too few for single items, and nobody should read the figure of items as if they were not.
#
# ## What this does not tell you
#
# - **That the course is the reason.** Students answer the same questions twice, read other things, and attend other
#   courses. Without a control group, every one of these reasons is part of the gain.
# - **That anybody would review a paper better.** The inventory asks questions, and papers do not.
# - **How much one student has learnt.** A score is made of 31 answers, and varies by luck.
# - **What a real class gains.** The class on this page is simulated, and its power is that of its own spread.
#
# ## Check yourself
#
# > **A class of 66 gains four questions, with p = .0001. Has it been shown that the course caused the gain?**
# >
# > <details><summary>Yes, because p is so small</summary>p speaks about luck among students. It does not know what
# > happened between the two dates.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, because it is paired</summary>Pairing removes the differences between students. It does
# > not remove what happened to all of them.</details>
#
# <details><summary>Answer</summary>
#
# No. The test says that luck alone rarely gives such a gain. Practice with the same questions, another course or six
# more weeks of study would give a small p as well. Only a group without the course, chosen by coins if possible,
# tells them apart.
#
# </details>
#
# > **A class of 20 gains 1.1 questions, with an interval from −0.6 to 2.8. May one write that the course has no
# > effect?**
# >
# > <details><summary>Yes, since zero is in the interval</summary>So is 2.5, which would be a good course.</details>
# > <details><summary>Yes, if p is above .5</summary>However large p is, the interval says which gains fit the
# > data.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# No. Gains from a small loss to nearly three questions fit these answers. Twenty students find a gain of two
# questions in every second class ([unit 30](../6_beyond_the_papers/30_no_difference_is_not_equality.ipynb)).
#
# </details>
#
# > **A colleague takes all 20 · 31 = 620 pairs of answers for the units of the test, and gets a smaller p. Which one
# > is to be reported?**
# >
# > <details><summary>The colleague's, since it uses more data</summary>They are the same data, counted
# > otherwise.</details>
# > <details class="right"><summary>The one with students as units</summary>This is correct.</details>
# > <details><summary>The larger one, to be cautious</summary>The size of p is no reason for a unit.</details>
#
# <details><summary>Answer</summary>
#
# The one with students as units. What could have been drawn differently is the student, and the 31 answers of one
# student succeed and fail together ([unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb)).
#
# </details>
#
# ## Exercises
#
# **1.** Simulate 200 students with `draw_scores(200, np.random.default_rng(1))`. Let everybody with fewer than 12
# questions right after the course stay away. What gain is estimated from the others, and what does the pessimistic
# check say? The true gain is the one above.
#
# <details><summary>Answer</summary>
#
# ```python
# some = draw_scores(200, np.random.default_rng(1))
# left = some.assign(after=some["after"].where(some["after"] >= 12))
# gain(left, "after", "before")[1], gain(left.fillna({"after": left["before"]}), "after", "before")[1]
# ```
#
# The others gain 4.8 questions. That is six tenths of a question too many, and nothing in their interval says so. If those
# who are missing had gained nothing, the class would have gained 4.2, which is a little too few. Here the truth lies in
# between.
#
# </details>
#
# **2.** What is the smallest gain that next year's class of 30 would show four times in five? Take this year's class
# as the pilot.
#
# <details><summary>Answer</summary>
#
# `print(mt.minimum_detectable_difference(paired(scores, "after", "before"), n_units=30))` says about 2 questions.
# The gain of this year is not used for it, but only how much the gains of students differ.
#
# </details>

# %% tags=["remove-input"]
some = draw_scores(200, np.random.default_rng(1))
left = some.assign(after=some["after"].where(some["after"] >= 12))
_, others = gain(left, "after", "before")
_, all_of_them = gain(left.fillna({"after": left["before"]}), "after", "before")
pilot = mt.minimum_detectable_difference(paired(scores, "after", "before"), n_units=30)
assert round(others.estimate, 1) == 4.8 and round(all_of_them.estimate, 1) == 4.2
assert all_of_them.estimate < true_gain and round(others.estimate - true_gain, 1) == 0.6
assert folder not in SIMULATED or round(pilot.table["difference"][0], 1) == 2.0

# %% [markdown]
# ---
#
# *Before this:* [the protocol](../../docs/protocol.md), and [the lecturer's page](../../docs/lecturers.md). *For
# systems instead of students:* [Your own systems](your_own_systems.ipynb). *Words* are in the
# [glossary](../../docs/glossary.md).
