"""Koehn (2004), Figure 4: the lines that make ours."""

from tools.replication.computed.koehn_design import broad_samples, population

both = population().select(["jhu de", "jhu cs"])
leads = [part.scores()["jhu de"] - part.scores()["jhu cs"] for part in broad_samples(both, 300)]
print(f"true difference: {both.scores()['jhu de'] - both.scores()['jhu cs']:.2f}")
print(f"largest lead: {max(leads):.1f}")
print(f"samples with the other one ahead: {sum(lead < 0 for lead in leads)} of {len(leads)}")
