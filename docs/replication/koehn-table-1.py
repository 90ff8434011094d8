"""Koehn (2004), Table 1: the lines that make ours."""

import mtsig_nb as mt

precisions = []
for language in ("es", "cs"):  # the best and the worst of uedin's four
    years = [mt.load(f"{year}/{language}-en").statistics("BLEU") for year in ("wmt12", "wmt13")]
    uedin = [[s.startswith("uedin-wmt") for s in year.systems].index(True) for year in years]
    counts = sum(year.totals()[which] for year, which in zip(years, uedin, strict=True))
    of = dict(zip(years[0].metric.columns, counts, strict=True))
    precisions.append([of[f"match_{n}"] / of[f"total_{n}"] for n in (1, 4)])

best, worst = precisions
for n, share in zip((1, 4), [w / b for w, b in zip(worst, best, strict=True)], strict=True):
    print(f"worst / best, {n}-gram: {share:.2f}")
