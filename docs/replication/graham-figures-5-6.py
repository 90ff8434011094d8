"""Graham et al. (2014), Figures 5, 6: the lines that make ours."""

import mtsig_nb as mt

bleu = mt.load("wmt13/es-en").statistics("BLEU")
pair = ("DCU-Prompsit.2880", "online-A")
before, shifted, shuffled = (
    test(bleu, *pair, n_resamples=5000, rng=2005)
    for test in (mt.paired_bootstrap, mt.bootstrap_test, mt.approximate_randomization)
)
print(f"mean before the shift: {before.null_distribution.mean():+.3f}")
print(f"observed: {before.statistic:+.3f}")
print(f"s.d., shifted: {shifted.null_distribution.std():.3f}")
print(f"s.d., randomization: {shuffled.null_distribution.std():.3f}")
