# %% [markdown]
# # Your own systems
#
# There are two outputs on your disk and a deadline on Friday. Which of the two is better, and what may you say about
# it? This page is a bench: a place to work at, with the tools laid out. It needs [unit
# 1](../1_what_chance_can_do/01_is_a_better_than_b.ipynb) and nothing else. Where it uses more than that, it says in a
# clause what is meant and which unit explains it.

# %% tags=["remove-input"]
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from mtsig_nb.teaching import headline

pd.options.display.float_format = "{:.4g}".format
os.environ["MTSIG_CACHE"] = tempfile.mkdtemp()

# Weather reports: six sentences for each of 24 towns, and three made-up systems that get some phrases wrong.
TOWNS = ["Aldin", "Brem", "Corva", "Dunley", "Estrel", "Farn", "Goss", "Harrow", "Ilm", "Jessen"]
TOWNS += ["Kolm", "Lund", "Mirow", "Norr", "Ost", "Perl", "Quill", "Rask", "Selm", "Tarn"]
TOWNS += ["Ulm", "Varde", "Wick", "Yarm"]
REPORT = [
    "In {} the morning begins with fog over the river.",
    "The wind in {} turns to the west before noon.",
    "Rain is likely in {} late in the afternoon.",
    "Roads around {} may be icy after dark.",
    "Tomorrow will be warmer in {} than today.",
    "Farmers near {} have been waiting for this rain.",
]
SLIPS = {
    "late in": "at the end of",
    "turns to": "goes in",
    "may be icy": "can have ice",
    "begins": "starts",
}
reference = [text.format(town) for town in TOWNS for text in REPORT]


def translate(seed, rate, bad_days=0.0):
    """Each phrase goes wrong at that rate, and on a bad day nearly always, in a whole document."""
    rng, lines = np.random.default_rng(seed), []
    for number, line in enumerate(reference):
        if number % len(REPORT) == 0:
            today = 0.9 if rng.random() < bad_days else rate
        for phrase, other in SLIPS.items():
            line = line.replace(phrase, other) if rng.random() < today else line
        lines.append(line)
    return lines


outputs = {
    "Arrow": translate(1, 0.1),
    "Birch": translate(2, 0.5),
    "Dawn": translate(7, 0.1, bad_days=0.25),
}
folder = Path(tempfile.mkdtemp())
documents = [town for town in TOWNS for _ in REPORT]
for name, lines in {"reference": reference, "documents": documents, **outputs}.items():
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")


def mtsig(line):
    """Run the command line in the folder with the files, and print what it prints."""
    script = "import sys; from mtsig_nb.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, *shlex.split(line)]
    # A notebook's kernel asks all programs for colours, which belong at a terminal.
    environment = {k: v for k, v in os.environ.items() if "COLOR" not in k}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    print(done.stdout + done.stderr, end="")
    return done.returncode


# %% [markdown]
# ## The explorer: no code
#
# Run the cell, and an application appears below it. (`make app` opens the same as a page of its own. Those who read
# without a kernel see a still of it.) It begins with the pair of unit 1.

# %% tags=["nbval-ignore-output"]
import mtsig_nb as mt

pair = ("Facebook-AI", "NVIDIA-NeMo")
explorer = mt.explore("wmt21/de-en", pair=pair, correction=None)
explorer

# %% tags=["remove-input"]
still = explorer.snapshot()
assert "Facebook-AI is better than NVIDIA-NeMo" in still
of_unit_1 = mt.load("wmt21/de-en").statistics("BLEU")
holm = mt.compare_all(of_unit_1, rng=12345, n_resamples=10_000, interval=None).table
holm = holm.set_index(["system_a", "system_b"]).loc[pair]
assert len(of_unit_1.systems) == 19 and holm["pvalue"] < 0.035 and holm["pvalue_adjusted"] > 0.99

# %% [markdown]
# The sentence in large letters is the conclusion. It changes with your choices. Below it *step by step* tells the test
# in four steps with the pair's own numbers. The figure is the one of unit 1. Along its axis are the differences that
# luck made. Coloured are those that are at least as large as the real one. If the verdict were the other way, more of
# the hill would be coloured.
#
# What you choose are the data first: files of your own, a campaign of the kit, or scores per segment from elsewhere.
# Then come the two systems, the metric and the test, and all else is folded away under *More*. There is one choice in
# it to think about before you look. `correction=None` says that you have *one* comparison in mind. Without it the
# explorer takes it that you look at all 171 pairs of the nineteen systems. With 171 pairs, luck alone makes some large
# differences more easily. So a *correction* makes each p larger ([unit
# 19](../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb)). For our pair .03 becomes 1. So whoever picks a
# pair because its p looks good, as we did in unit 1, cannot claim it.
#
# What you see can be taken away: figures, tables, a report, and the Python that gives the same numbers:

# %%
print(explorer.code())

# %% [markdown]
# ## Your files
#
# What does one need? Plain text with one segment a line: the reference, and the output of each system, all with the
# same lines in the same order. If you know which document each line comes from, a further file says so, a name for
# each line. (SGML and the XML of WMT are read as well, compressed or not.)
#
# To have something to work with, this page wrote such files in a hidden cell: weather reports of six sentences for
# each of 24 towns, and three made-up systems. Arrow is careful, Birch is not. Dawn is as careful as Arrow, except
# that it has bad days, on which a whole report suffers.

# %%
sorted(path.name for path in folder.iterdir())

# %%
texts = mt.read_test_set(
    reference=folder / "reference.txt",
    systems=[folder / f"{name}.txt" for name in ("Arrow", "Birch", "Dawn")],
    documents=folder / "documents.txt",
)
bleu = mt.measure(texts, "BLEU")
bleu.scores()

# %% [markdown]
# > **Make a guess.** Arrow is four points ahead of Dawn. In unit 1 it mattered little whether single sentences were
# > exchanged or whole documents. Here a bad day spoils six sentences together. If exchanging sentences gives p = .04,
# > what will exchanging documents give: .03, .04, or .15?
# >
# > <details><summary>.03</summary>Sentences that fail together give less information than as many independent
# > sentences. So p should rise, not fall.</details>
# > <details><summary>.04</summary>In unit 1 it mattered little. There a bad day did not spoil six sentences at
# > once.</details>
# > <details class="right"><summary>.15</summary>So it is, and the claim is gone.</details>

# %%
for units in ("segments", "documents"):
    test = mt.approximate_randomization(bleu, "Arrow", "Dawn", units=units, rng=2014)
    print(units, round(test.pvalue, 3))

# %%
picture = test.plot()

# %% tags=["remove-input", "remove-output"]
by_segment = mt.approximate_randomization(bleu, "Arrow", "Dawn", rng=2014)
headline("own systems, Arrow against Dawn: p, exchanging sentences", by_segment.pvalue, spec=".2f")
headline("the same, exchanging documents: p", test.pvalue, spec=".2f")
assert 0.03 < by_segment.pvalue < 0.05 < 0.12 < test.pvalue < 0.18
assert 3.9 < test.statistic < 4.2

# %% [markdown]
# The axis is the difference in BLEU after an exchange of whole documents, and coloured is what lies at least as far
# out as the real difference, the dashed line. It is a good part of the hill. With so few documents luck alone often
# makes four points. If the difference were hard to make by luck, the coloured ends would be as thin as in unit 1.
#
# **The guess.** About .15, and the claim is gone. Sentences that succeed and fail together give less information than
# as many independent sentences ([unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb)). So if you know the
# documents, use them. If you do not know them, say so.
#
# ## More than two systems
#
# `compare_all` tests each system against every other one. It corrects for the number of pairs by Holm's method unless
# you choose another. (This is the correction from above.)

# %%
compared = mt.compare_all(bleu, units="documents", rng=2014)
compared.table[["system_a", "system_b", "difference", "pvalue_adjusted", "conclusion"]]

# %% tags=["remove-input", "remove-output"]
decided = int((compared.conclusions().pairs() != 0).sum())
headline("own systems: pairs distinguished of 3, resampling documents", decided)
single = mt.compare_all(bleu, units="segments", rng=2014)
claimed = int((single.conclusions().pairs() != 0).sum())
headline("own systems: pairs distinguished of 3, resampling segments", claimed)
assert decided == 2 and claimed == 3

# %% [markdown]
# Two differences were found. The third pair is called *indistinguishable*, which means that no difference was found,
# and not that there is none ([unit 30](../6_beyond_the_papers/30_no_difference_is_not_equality.ipynb)).
#
# ## If a line is missing
#
# The worst thing that happens to such files is quiet. Somewhere a line is lost, each sentence below it is compared
# with the wrong reference, and the score looks a little low. Let us lose line 41 of Birch's output:

# %%
lines = outputs["Birch"]
damaged = folder / "Birch_damaged.txt"
damaged.write_text("\n".join(lines[:40] + lines[41:]) + "\n")
try:
    mt.read_test_set(reference=folder / "reference.txt", systems=[folder / "Arrow.txt", damaged])
except mt.InputError as error:
    print(error)

# %% tags=["remove-input"]
message = ""
try:
    mt.read_test_set(reference=folder / "reference.txt", systems=[folder / "Arrow.txt", damaged])
except mt.InputError as error:
    message = str(error)
assert "143" in message
damaged.unlink()

# %% [markdown]
# It is refused, and the message says in which file to look.
#
# ## Scores from elsewhere
#
# With COMET, MetricX or ratings by people, a system's score is an average over segments. Then a test needs only one
# number for each segment and system. `mt.read_score_table` reads what the usual programs write. If you have a table in
# Python, it goes like this. As we cannot run a neural metric here, the score is the share of the reference's words that
# an output kept.

# %% tags=["remove-input"]
scores = pd.DataFrame(
    [
        (name, segment, town, np.mean([word in line.split() for word in wanted.split()]))
        for name, lines in outputs.items()
        for segment, (line, wanted, town) in enumerate(
            zip(lines, reference, documents, strict=True)
        )
    ],
    columns=["system", "segment", "document", "words kept"],
)

# %%
scores.head(2)

# %%
kept = mt.from_segment_scores(scores, score="words kept", document="document")
mt.approximate_randomization(kept, "Arrow", "Birch", units="documents", rng=2014)

# %% [markdown]
# ## The command line and a report
#
# The same without Python, for scripts and for those who never leave the terminal. The function `mtsig` stands for
# typing `mtsig` and the rest of the line in the folder with the files. What `-o` names is written as well: a report,
# one page that opens in any browser, with verdict, figures, all pairs, the method, and the code.

# %% tags=["nbval-ignore-output"]
_ = mtsig("compare -r reference.txt Arrow.txt Dawn.txt -d documents.txt --seed 2014 -o report.html")

# %% tags=["remove-input"]
page = (folder / "report.html").read_text()
assert "<figure" in page and "Arrow" in page and "<script" not in page

# %% [markdown]
# `mtsig compare --help` has the options, and [the page on the command line](../../docs/commandline.md) what to do
# with the output.
#
# ## What to write in the paper
#
# A p-value by itself cannot be checked. A reader has to know the test and whether it counts both ends, what was
# exchanged and how often, the seed, the correction and the number of comparisons, and the metric with its settings.
# Each result carries all that. As a sentence:

# %%
print(compared.methods_sentence())

# %% tags=["remove-input"]
said = compared.methods_sentence()
assert "24 documents" in said and "seed 2014" in said

# %% [markdown]
# `print(compared.to_latex())` makes the table, `mt.cite(compared)` the references, and `compared.signature` has the
# settings in one line, as sacreBLEU does. What remains is to say what was found, and no more. Two patterns to fill
# in:
#
# > *System A scores 11.3 BLEU higher than B on this test set (p < .001, exchanging documents, Holm's correction for 3
# > comparisons). We conclude that A is better than B in BLEU on these documents.*
#
# > *A scores 4.0 BLEU higher than C. We found no difference (p = .15); the data are compatible with anything from C
# > ahead by one point to A ahead by nine and a half.*
#
# The second needs the interval of the difference, the columns `ci_low` and `ci_high` of the table ([unit
# 10](../2_a_score_and_two_of_them/10_the_same_sentences_for_both.ipynb)). Write it for the first, too. It says how
# large a difference is, and p does not.

# %% tags=["remove-input"]
rows = compared.table.set_index(["system_a", "system_b"])
dawn, birch = rows.loc[("Arrow", "Dawn")], rows.loc[("Arrow", "Birch")]
assert round(dawn["difference"], 1) == 4.0 and round(birch["difference"], 1) == 11.3
assert (
    -1.3 < dawn["ci_low"] < -0.6
    and 9.1 < dawn["ci_high"] < 9.9
    and birch["pvalue_adjusted"] < 0.001
)

# %% [markdown]
# ## What this does not tell you
#
# - **That two systems are equally good**, where no difference was found (unit 30).
# - **What another training of the same system would do.** The test is about these outputs ([unit
#   29](../6_beyond_the_papers/29_train_it_again.ipynb)).
# - **What readers would say.** In unit 1 all eight metrics preferred one system, each with a small p, and people
#   preferred the other.
#
# ## Check yourself
#
# > **Your p-value with sentences is .04, with documents it is .15. A co-author suggests reporting the first "since it
# > is the default". What do you say?**
# >
# > <details><summary>Report the sentences</summary>Sentences of a document succeed and fail together, and the .04
# > ignores that.</details>
# > <details><summary>Report the smaller p, and name both</summary>Naming both is honest. Taking the smaller for the
# > verdict is a second chance.</details>
# > <details class="right"><summary>Report documents, and decide so before you look next time</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The documents are known, and sentences in them succeed and fail together. The .04 answers as if each sentence came
# from a text of its own. Whoever chooses among units after having seen both p-values has also had two chances (unit
# 19). Report documents, and decide so before you look next time.
#
# </details>
#
# > **"p = .15, so there is an 85 % chance that Arrow is really better." True?**
# >
# > <details><summary>Yes</summary>The .15 is counted among exchanges. How probable it is that Arrow is better cannot be
# > had from it.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, roughly</summary>Not even roughly: it depends on how often systems like these differ, which
# > nobody has counted.</details>
#
# <details><summary>Answer</summary>
#
# No. The .15 says how often luck does as much *if the two might as well have been exchanged*. How probable it is that
# one is better cannot be computed from that.
#
# </details>
#
# > **Your paper says "all improvements are significant (p < .05)". What can a reader not check?**
# >
# > <details class="right"><summary>Nearly everything</summary>This is correct.</details>
# > <details><summary>The level</summary>That is the one thing that is told.</details>
# > <details><summary>Whether it is true</summary>That neither. But first of all, a reader cannot see what was
# > done.</details>
#
# <details><summary>Answer</summary>
#
# Nearly everything: which test, what was exchanged and how often, how many pairs were compared and whether anything
# was corrected, which BLEU with which tokenisation. And how large the improvements are.
#
# </details>
#
# ## Exercises
#
# **1.** Compare the three systems with chrF instead of BLEU, by documents. Is Arrow's lead over Dawn found now?
#
# <details><summary>Answer</summary>
#
# `mt.compare_all(mt.measure(texts, "chrF"), units="documents", rng=2014).table` has a lead of 2.4 with p = .07: not
# at .05. The other two pairs are found again.
#
# </details>
#
# **2.** Take two outputs of your own and the explorer, and write down the verdict in one of the two patterns. Which
# number did you have to look for?
#
# <details><summary>Answer</summary>
#
# Most people have to look for the interval, which papers rarely print, and for the names of the documents, which few
# files contain.
#
# </details>

# %% tags=["remove-input"]
under_chrf = mt.compare_all(mt.measure(texts, "chrF"), units="documents", rng=2014).table
assert list(under_chrf["conclusion"]) == ["indistinguishable", "better", "better"]
assert 0.055 < under_chrf["pvalue"][0] < 0.075 and round(under_chrf["difference"][0], 1) == 2.4

# %% [markdown]
# ---
#
# *Before this:* [unit 1, Is A better than B?](../1_what_chance_can_do/01_is_a_better_than_b.ipynb). *After this:*
# [unit 2, What chance can do](../1_what_chance_can_do/02_what_chance_can_do.ipynb), where the course begins in
# earnest. *How far each test can be relied on:* [the page on trust](../../docs/trust.md). *Words* are in the
# [glossary](../../docs/glossary.md).
