"""Koehn (2004), Figure 1: the lines that make ours."""

import numpy as np

import mtsig_nb as mt

campaign = mt.load("wmt13/de-en")
bleu = campaign.statistics("BLEU")
ten = list(bleu.scores().index[:10])
lengths = bleu.select(ten).values[:, :, bleu.metric.columns.index("hyp_len")]
noise = np.random.default_rng(13).random(lengths.shape)  # among outputs of one length
order = np.argsort(lengths + noise, axis=0)
for end, place in (("shortest", 0), ("longest", -1)):
    for name in ("BLEU", "GTM"):
        given = campaign.statistics(name)
        picked = given.select(ten).values[order, np.arange(lengths.shape[1])].sum(axis=1)
        scores = given.metric.score(picked)
        print(f"{name} / its best, {end}: {scores[place] / scores.max():.3f}")
