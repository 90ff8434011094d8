"""Graham et al. (2014), Table 1: the lines that make ours."""

import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
people = campaign.human.conclusions(alpha=0.05)
options = {"correction": None, "interval": None, "alternative": "greater", "n_resamples": 5000}
for metric in ("BLEU", "NIST", "METEOR", "TER"):
    given = campaign.statistics(metric)
    given = given.select([system for system in given.systems if system in people.systems])
    tested = mt.compare_all(given, rng=2014, **options)
    found = mt.agreement(tested.conclusions(0.05), people, rng=2014)
    print(f"{metric} at .05: {found.correct} of {found.total}")
