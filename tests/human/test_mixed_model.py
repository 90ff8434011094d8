"""The mixed model of ratings: closed forms, R, other programs, sizes where systems are equal."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

import mtsig_nb as mt
from mtsig_nb.human import Ratings, mixed_model, reml
from mtsig_nb.notes import code_of
from tools.trust.campaigns_of_ratings import Campaign

BY_R = Path(__file__).parent / "by_r"
MODELS = pd.read_csv(BY_R / "models.csv").set_index("set")["terms"].str.split().to_dict()


def fitted(frame, **asked):
    return Ratings(frame, scale=None).mixed_model(**asked)


def codes(result):
    return {code_of(note) for note in result.notes}


def pair(result, a, b):
    """The row of a pair, as of `a` minus `b`."""
    table = result.tests().table.set_index(["system_a", "system_b"])
    if (a, b) in table.index:
        return table.loc[(a, b)]
    row = table.loc[(b, a)].copy()
    row["difference"] *= -1
    return row


def variances(result):
    return result.components.set_index("term")["variance"]


def crossed(*, systems=4, raters=5, segments=8, seed=0, **deviations):
    """All raters rate all systems on all segments; deviations by what they are of, rest 1."""
    rng = np.random.default_rng(seed)
    names = [[f"s{k}" for k in range(systems)], [f"r{k}" for k in range(raters)], range(segments)]
    index = pd.MultiIndex.from_product(names, names=["system", "rater", "segment"])
    frame = index.to_frame(index=False)
    raw = rng.normal(size=len(frame))
    for columns, deviation in deviations.items():
        level = frame.groupby(columns.split("_"), sort=False).ngroup().to_numpy()
        raw += deviation * rng.normal(size=level.max() + 1)[level]
    return frame.assign(raw=raw)


def uneven(seed=0):
    """Outputs rated by some of the raters, in documents."""
    rng = np.random.default_rng(seed)
    frame = crossed(raters=4, segments=9, seed=seed, rater=2, segment=1.5, system_rater=0.8)
    frame["document"] = frame["segment"] // 2
    return frame[rng.random(len(frame)) < 0.45].reset_index(drop=True)


# --- Closed forms ---------------------------------------------------------------------------------


def test_two_systems_rated_by_all_are_compared_by_the_paired_t_test_over_raters():
    frame = crossed(systems=2, rater=2, system_rater=1.5)
    result = fitted(frame, terms=["rater", "system:rater"])
    assert (result.components["variance"] > 0).all()
    means = frame.groupby(["system", "rater"])["raw"].mean().unstack("system")
    t = stats.ttest_rel(means["s0"], means["s1"])
    found = pair(result, "s0", "s1")
    interval = t.confidence_interval()
    assert found["difference"] == pytest.approx((means["s0"] - means["s1"]).mean())
    assert found["pvalue"] == pytest.approx(t.pvalue, rel=1e-5)
    assert found["degrees_of_freedom"] == pytest.approx(t.df, rel=1e-5)
    assert found["high"] - found["low"] == pytest.approx(interval.high - interval.low, rel=1e-5)


def test_a_complete_layout_has_the_mean_squares_of_its_analysis_of_variance():
    frame = crossed(
        seed=3, rater=2, segment=2, system_rater=1.2, system_segment=1.3, rater_segment=1
    )
    result = fitted(frame)
    assert (result.components["variance"] > 0).all()
    y = frame["raw"].to_numpy().reshape(4, 5, 8)  # systems, raters, segments
    _, n_raters, n_segments = y.shape
    mean = {axes: y.mean(axis=axes, keepdims=True) for axes in [(0,), (1,), (2,), (1, 2), (0, 1)]}
    mean |= {axes: y.mean(axis=axes, keepdims=True) for axes in [(0, 2), (0, 1, 2)]}
    grand = mean[0, 1, 2]
    system_rater = mean[2,] - mean[1, 2] - mean[0, 2] + grand
    system_segment = mean[1,] - mean[1, 2] - mean[0, 1] + grand
    rater_segment = mean[0,] - mean[0, 2] - mean[0, 1] + grand
    rest = y - grand - system_rater - system_segment - rater_segment
    rest = rest - (mean[1, 2] - grand) - (mean[0, 2] - grand) - (mean[0, 1] - grand)
    squares = {
        "system:rater": (n_segments * np.sum(system_rater**2), 3 * 4, 1),
        "system:segment": (n_raters * np.sum(system_segment**2), 3 * 7, 1),
        "rest": (np.sum(rest**2), 3 * 4 * 7, -1),
    }
    squared_error = 0.0
    spread = 0.0
    for total, freedom, sign in squares.values():
        part = 2 * total / freedom / (n_raters * n_segments)
        squared_error += sign * part
        spread += part**2 / freedom
    assert variances(result)["rest"] == pytest.approx(np.sum(rest**2) / 84, rel=1e-5)
    for a, b in [("s0", "s1"), ("s1", "s3")]:
        found = pair(result, a, b)
        means = frame.groupby("system")["raw"].mean()
        assert found["difference"] == pytest.approx(means[a] - means[b])
        assert found["standard_error"] == pytest.approx(np.sqrt(squared_error), rel=1e-5)
        assert found["degrees_of_freedom"] == pytest.approx(squared_error**2 / spread, rel=1e-4)


def test_without_terms_it_is_the_analysis_of_variance_of_independent_ratings():
    frame = uneven()
    result = fitted(frame, terms=[])
    groups = frame.groupby("system")["raw"]
    freedom = len(frame) - 4
    variance = (groups.var() * (groups.size() - 1)).sum() / freedom
    found = pair(result, "s0", "s2")
    error = np.sqrt(variance * (1 / groups.size()["s0"] + 1 / groups.size()["s2"]))
    assert found["standard_error"] == pytest.approx(error)
    assert found["degrees_of_freedom"] == pytest.approx(freedom)
    assert result.effects["estimate"].tolist() == pytest.approx(result.effects["mean"].tolist())


# --- Other programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_r(name):
    """lme4, pbkrtest and lmerTest; `by_r/make.py` makes the table."""
    result = fitted(pd.read_csv(BY_R / f"{name}.csv"), terms=MODELS[name])
    components = pd.read_csv(BY_R / "components.csv").query("set == @name")
    assert result.converged
    assert result.log_likelihood == pytest.approx(components["log_likelihood"].iloc[0], abs=1e-6)
    by_r = components.set_index("term")["variance"].rename({"Residual": "rest"})
    ours = variances(result)
    assert set(ours.index) == set(by_r.index)
    assert ours[by_r.index].to_numpy() == pytest.approx(by_r.to_numpy(), abs=2e-5 * by_r.sum())
    contrasts = pd.read_csv(BY_R / "contrasts.csv").query("set == @name")
    assert len(contrasts) == len(result.tests().table)
    for row in contrasts.itertuples():
        found = pair(result, row.system_a, row.system_b)
        assert found["difference"] == pytest.approx(row.difference, rel=1e-4, abs=1e-4)
        assert found["standard_error"] == pytest.approx(row.standard_error, rel=1e-4)
        assert found["degrees_of_freedom"] == pytest.approx(row.degrees_of_freedom, rel=1e-3)
        assert found["pvalue"] == pytest.approx(row.pvalue, rel=1e-3)


def test_the_table_of_r_has_variances_at_zero():
    components = pd.read_csv(BY_R / "components.csv")
    assert (components["variance"] < 1e-9).sum() >= 5


def test_agrees_with_statsmodels():
    import statsmodels.formula.api as smf

    frame = uneven(3)
    formula = {"rater": "0 + C(rater)", "segment": "0 + C(segment)"}
    model = smf.mixedlm("raw ~ 0 + system", frame, groups=np.ones(len(frame)), vc_formula=formula)
    theirs = model.fit(reml=True, method="bfgs")
    result = fitted(frame.drop(columns="document"), terms=["rater", "segment"])
    ours = variances(result)
    assert ours[["rater", "segment"]].tolist() == pytest.approx(theirs.vcomp.tolist(), rel=1e-3)
    assert ours["rest"] == pytest.approx(theirs.scale, rel=1e-3)
    assert result.log_likelihood == pytest.approx(theirs.llf, abs=1e-4)
    for system, estimate in result.scores().items():
        assert theirs.params[f"system[{system}]"] == pytest.approx(estimate, rel=1e-4, abs=1e-4)


# --- Whole matrices -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Dense:
    """The same model by matrices of all ratings, as the formulas are written."""

    y: np.ndarray
    x: np.ndarray
    parts: dict[str, np.ndarray]

    @classmethod
    def of(cls, frame, terms):
        parts = {"rest": np.eye(len(frame))}
        for term in terms:
            columns = ["document", "segment"] if term == "segment" else term.split(":")
            level = frame.groupby(columns).ngroup().to_numpy()
            parts[term] = (level[:, None] == level).astype(float)
        return cls(frame["raw"].to_numpy(), pd.get_dummies(frame["system"]).to_numpy(float), parts)

    def covariance(self, theta):
        return sum(t * part for t, part in zip(theta, self.parts.values(), strict=True))

    def projection(self, theta):
        inverse = np.linalg.inv(self.covariance(theta))
        half = inverse @ self.x
        return inverse - half @ np.linalg.solve(self.x.T @ half, half.T)

    def log_likelihood(self, theta):
        v = self.covariance(theta)
        information = self.x.T @ np.linalg.solve(v, self.x)
        quadratic = self.y @ self.projection(theta) @ self.y
        free = self.x.shape[0] - self.x.shape[1]
        logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(information)[1]
        return -0.5 * (logs + quadratic + free * np.log(2 * np.pi))

    def kenward_roger(self, theta):
        """Their equations for the adjusted covariance, and Satterthwaite's spread of contrasts."""
        inverse = np.linalg.inv(self.covariance(theta))
        phi = np.linalg.inv(self.x.T @ inverse @ self.x)
        parts = list(self.parts.values())
        projected = [self.projection(theta) @ part for part in parts]
        information = 0.5 * np.array([[np.trace(a @ b) for b in projected] for a in projected])
        w = np.linalg.inv(information)
        half = inverse @ self.x
        p = [-half.T @ part @ half for part in parts]
        inner = np.zeros_like(phi)
        for i, a in enumerate(parts):
            for j, b in enumerate(parts):
                q = half.T @ a @ inverse @ b @ half
                inner += w[i, j] * (q - p[i] @ phi @ p[j])
        return phi + 2 * phi @ inner @ phi, phi, [phi @ each @ phi for each in p], w


TERMS = ["rater", "system:rater", "document", "segment", "system:document", "rater:document"]


def internal(frame, terms):
    """The blocked model of a frame, and the design that it was made of."""
    judged = Ratings(frame, scale=None)._with_documents(standardised=False)
    design = mixed_model._Design.of(judged, terms)
    return design.model(judged["value"].to_numpy(float)), design


@pytest.mark.parametrize("with_covariates", [False, True])
def test_likelihood_gradient_and_information_are_those_of_the_whole_matrices(with_covariates):
    frame = uneven(1)
    model, design = internal(frame, TERMS)
    dense = Dense.of(frame, [name for name in model.names if name != "rest"])
    if with_covariates:
        covariates = np.random.default_rng(2).normal(size=(len(frame), 2))
        model = dataclasses.replace(design, covariates=covariates).model(dense.y)
        dense = dataclasses.replace(dense, x=np.hstack([dense.x, covariates]))
    theta = np.linspace(0.3, 1.2, len(model.names))
    theta[-1] = 0.0
    point = model.at(theta)
    assert point.log_likelihood == pytest.approx(dense.log_likelihood(theta))
    p = dense.projection(theta)
    residual = p @ dense.y
    parts = [dense.parts[name] for name in model.names]
    gradient = [-0.5 * (np.sum(p * part) - residual @ part @ residual) for part in parts]
    assert point.gradient == pytest.approx(np.array(gradient))
    information = [[0.5 * np.sum((p @ a) * (p @ b).T) for b in parts] for a in parts]
    assert point.expected_information == pytest.approx(np.array(information))
    average = [[0.5 * residual @ a @ p @ b @ residual for b in parts] for a in parts]
    assert point.average_information() == pytest.approx(np.array(average))


def test_blocks_that_are_made_again_give_the_same(monkeypatch):
    frame = uneven(1)
    kept, _ = internal(frame, TERMS)
    monkeypatch.setattr(reml, "_MOST_KEPT", 0)
    monkeypatch.setattr(reml, "_MOST_ENTRIES", 1)
    again, _ = internal(frame, TERMS)
    assert len(again.stacks) > len(kept.stacks)
    theta = np.linspace(0.3, 1.2, len(kept.names))
    ours, theirs = again.at(theta), kept.at(theta)
    assert ours.expected_information == pytest.approx(theirs.expected_information)
    assert ours.average_information() == pytest.approx(theirs.average_information())
    assert ours.effects() == pytest.approx(theirs.effects())


def test_a_direct_search_finds_no_higher_likelihood():
    frame = uneven(2)
    result = fitted(frame, terms=TERMS)
    terms = [name for name in result.components["term"] if name != "rest"]
    dense = Dense.of(frame, terms)
    ours = variances(result)[["rest", *terms]].to_numpy()
    assert result.log_likelihood == pytest.approx(dense.log_likelihood(ours))
    bounds = [(1e-3, None)] + [(0.0, None)] * len(terms)
    search = optimize.minimize(
        lambda theta: -dense.log_likelihood(theta), np.ones(len(bounds)), bounds=bounds
    )
    assert result.log_likelihood >= -search.fun - 1e-7
    assert ours == pytest.approx(search.x, abs=1e-2)


def test_errors_and_degrees_of_freedom_are_those_of_the_equations():
    frame = uneven(2)
    result = fitted(frame, terms=TERMS)
    assert (variances(result) == 0).any()  # it counts all the same
    terms = [name for name in result.components["term"] if name != "rest"]
    theta = variances(result)[["rest", *terms]].to_numpy()
    adjusted, phi, slopes, w = Dense.of(frame, terms).kenward_roger(theta)
    contrast = np.array([1.0, 0.0, -1.0, 0.0])
    h = np.array([contrast @ slope @ contrast for slope in slopes])
    found = pair(result, "s0", "s2")
    assert found["standard_error"] == pytest.approx(np.sqrt(contrast @ adjusted @ contrast))
    freedom = 2 * (contrast @ phi @ contrast) ** 2 / (h @ w @ h)
    assert found["degrees_of_freedom"] == pytest.approx(freedom)


# --- What must not matter -------------------------------------------------------------------------


def test_names_and_the_order_of_rows_do_not_matter():
    frame = uneven(4)
    first = fitted(frame)
    swapped = frame.assign(system=frame["system"].replace({"s0": "s3", "s3": "s0"}))
    second = fitted(swapped.sample(frac=1, random_state=1))
    for a, b in [("s0", "s3"), ("s1", "s2")]:
        assert pair(first, a, b)["pvalue"] == pytest.approx(pair(second, b, a)["pvalue"], rel=1e-6)
    assert pair(first, "s0", "s3")["difference"] == pytest.approx(
        -pair(second, "s0", "s3")["difference"], rel=1e-6
    )


def test_alternatives_are_mirror_images():
    result = fitted(uneven(4))
    greater = result.tests(alternative="greater")
    less = result.tests(alternative="less")
    off = ~np.eye(4, dtype=bool)
    assert greater.pvalues[off] == pytest.approx(less.pvalues.T[off])
    assert greater.pvalues[off] + less.pvalues[off] == pytest.approx(1)
    two_sided = result.tests().pvalues
    assert two_sided[off] == pytest.approx(2 * np.minimum(greater.pvalues, less.pvalues)[off])


def test_other_units_of_measurement_change_nothing_but_the_units():
    frame = uneven(5)
    first = fitted(frame)
    second = fitted(frame.assign(raw=1000 + 20 * frame["raw"]))
    assert second.scores().to_numpy() == pytest.approx(1000 + 20 * first.scores().to_numpy())
    assert second.tests().pvalues == pytest.approx(first.tests().pvalues, rel=1e-4, nan_ok=True)
    assert variances(second).to_numpy() == pytest.approx(
        400 * variances(first).to_numpy(), rel=1e-3, abs=0.05
    )


def shifted(frame, constants):
    return frame.assign(raw=frame["raw"] + frame["rater"].map(constants))


def test_severe_raters_change_nothing_where_all_rate_all_systems():
    frame = crossed(seed=6, rater=1, system_rater=1)
    first = fitted(frame).tests()
    second = fitted(shifted(frame, {"r0": -30, "r1": 0, "r2": 5, "r3": 17, "r4": 1})).tests()
    for column in ("difference", "standard_error", "pvalue"):
        assert second.table[column].tolist() == pytest.approx(
            first.table[column].tolist(), rel=1e-5
        )


def test_raters_who_differ_enormously_are_compared_only_with_themselves():
    """In a connected design the model then does what least squares with fixed raters does."""
    frame = uneven(6)
    terms = ["rater", "segment", "document"]
    constants = {"r0": -30, "r1": 0, "r2": 90, "r3": 200}
    result = fitted(shifted(frame, constants), terms=terms)
    assert abs(result.effects["mean"].max() - result.effects["mean"].min()) > 5
    theta = variances(result)
    dense = Dense.of(frame, ["document", "segment"])
    v = dense.covariance(theta[["rest", "document", "segment"]])
    x = np.column_stack([dense.x, pd.get_dummies(frame["rater"], drop_first=True).to_numpy(float)])
    fixed = np.linalg.solve(x.T @ np.linalg.solve(v, x), x.T @ np.linalg.solve(v, dense.y))
    for a, b in [(0, 1), (1, 3)]:
        found = pair(result, f"s{a}", f"s{b}")["difference"]
        assert found == pytest.approx(fixed[a] - fixed[b], abs=0.01)


def test_a_system_is_not_told_from_its_copy():
    frame = uneven(7)
    copy = frame[frame["system"] == "s1"].assign(system="copy")
    result = fitted(pd.concat([frame, copy]))
    assert pair(result, "s1", "copy")["difference"] == 0
    assert pair(result, "s1", "copy")["pvalue"] == 1
    alone = fitted(pd.concat([frame[frame["system"] == "s1"], copy]))
    assert alone.tests().table["pvalue"].item() == 1
    assert "model-no-rest" in codes(alone)


def test_rows_given_twice_do_not_count_twice():
    frame = uneven(8)
    once = fitted(frame)
    twice = fitted(pd.concat([frame, frame]))
    assert "model-no-rest" in codes(twice)
    assert pair(twice, "s0", "s1")["standard_error"] == pytest.approx(
        pair(once, "s0", "s1")["standard_error"], rel=0.02
    )


# --- The result -----------------------------------------------------------------------------------


def test_effects_and_contributions_add_up_to_the_means():
    result = fitted(Campaign().simulate(np.random.default_rng(0)))
    added = result.contributions.set_index("system").sum(axis=1)
    effects = result.effects.set_index("system")
    assert (effects["estimate"] + added)[effects.index].tolist() == pytest.approx(
        effects["mean"].tolist()
    )
    assert effects["estimate"].is_monotonic_decreasing
    assert (effects["n"] > 0).all()
    assert result.limits(0.9).mean(axis=1).tolist() == pytest.approx(effects["estimate"].tolist())


def test_conclusions_clusters_and_tables_follow():
    campaign = Campaign(gap=15, screens=200)
    result = fitted(campaign.simulate(np.random.default_rng(1)))
    conclusions = result.tests().conclusions(0.05, correction="holm")
    assert conclusions.word(result.systems[0], result.systems[-1]) == "better"
    assert len(mt.clusters(conclusions).names) > 1
    assert result.to_frame().equals(result.effects)
    assert "estimate" in result.to_csv().splitlines()[0]
    assert result.sentence.count("\n") >= 2


def test_terms_may_have_their_parts_in_any_order():
    frame = uneven(9)
    first = fitted(frame, terms=["rater", "system:rater"])
    second = fitted(frame, terms=["rater:system", "rater"])
    assert first.components.equals(second.components)


def test_terms_that_group_alike_are_left_out_and_named():
    frame = uneven(9)
    frame = frame.drop_duplicates(["system", "segment"])  # one rating of each output
    result = fitted(frame)
    assert result.left_out["system:segment"] == "rest"
    assert result.left_out["system:rater:segment"] == "rest"
    told = next(note for note in result.notes if code_of(note) == "model-terms-left-out")
    assert told.values["terms"] == result.left_out
    assert set(result.left_out).isdisjoint(result.components["term"])


def test_terms_that_only_together_are_like_others_are_left_out_too():
    """Each level of the one is two of the other, but for the groups of systems."""
    rows = []
    rng = np.random.default_rng(2)
    for rater in range(6):
        for system in "ab":
            for segment in range(2):
                rows.append((f"r{rater}", system, f"{rater}{segment}", rng.normal()))
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "raw"])
    result = fitted(frame, terms=["rater", "segment", "rater:segment", "system:rater"])
    assert result.left_out == {"rater:segment": "segment"}
    information = np.linalg.inv(result.covariance.of_variances)
    size = np.sqrt(np.diag(information))
    assert np.linalg.eigvalsh(information / np.outer(size, size)).min() > 1e-7


def test_with_generations_their_own_draws_count():
    rng = np.random.default_rng(3)
    frame = crossed(systems=3, raters=3, segments=10, seed=3)
    frame = pd.concat([frame.assign(generation=g) for g in range(2)], ignore_index=True)
    level = frame.groupby(["system", "segment", "generation"]).ngroup().to_numpy()
    frame["raw"] += 2 * rng.normal(size=level.max() + 1)[level]
    result = fitted(frame)
    assert variances(result)["system:generation"] == pytest.approx(4, rel=0.5)
    assert "system:rater:generation" in result.left_out


# --- Notes ----------------------------------------------------------------------------------------


def test_one_rater_or_document_is_said_to_be_one():
    frame = uneven(1)
    result = fitted(frame[frame["rater"] == "r0"])
    units = [note.values["unit"] for note in result.notes if code_of(note) == "model-one-unit"]
    assert units == ["rater"]
    result = fitted(frame.assign(document="only"))
    units = [note.values["unit"] for note in result.notes if code_of(note) == "model-one-unit"]
    assert units == ["document"]


def test_few_raters_are_said_with_their_degrees_of_freedom():
    result = fitted(crossed(systems=2, raters=3, rater=1, system_rater=1))
    told = next(note for note in result.notes if code_of(note) == "model-few-raters")
    assert told.values["n"] == 3
    assert float(told.values["freedom"]) == pytest.approx(
        result.tests().table["degrees_of_freedom"].item(), rel=0.01
    )
    assert "model-few-raters" not in codes(fitted(crossed(raters=5)))
    assert "model-few-raters" not in codes(fitted(crossed(raters=3), terms=["segment"]))


def test_systems_that_share_no_rater_are_named():
    frame = crossed(raters=6, rater=1)
    is_first_half = frame["system"].isin(["s0", "s1"])
    is_first_rater = frame["rater"].isin(["r0", "r1", "r2"])
    result = fitted(frame[is_first_half == is_first_rater])
    told = [note for note in result.notes if code_of(note) == "model-not-linked"]
    assert [(note.values["unit"], note.values["n"]) for note in told] == [("rater", 2)]
    table = result.tests().table
    is_across = table["system_a"].isin(["s0", "s1"]) != table["system_b"].isin(["s0", "s1"])
    assert ((table["note"] != "") == is_across).all()
    within = table.loc[~is_across, "standard_error"].max()
    assert table.loc[is_across, "standard_error"].min() > within


def test_another_order_is_explained_by_what_made_it():
    """The better system had the severe rater, and both are linked by others."""
    rng = np.random.default_rng(0)
    rows = []
    for segment in range(80):
        for rater, systems in {"kind": "bc", "severe": "ac", "fair": "abc"}.items():
            for system in systems:
                quality = {"a": 74, "b": 70, "c": 60}[system]
                given = {"kind": 15, "severe": -15, "fair": 0}[rater]
                rows.append((rater, system, segment, quality + given + rng.normal(0, 4)))
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "raw"])
    result = fitted(frame)
    assert result.systems == ("a", "b", "c")
    told = next(note for note in result.notes if code_of(note) == "model-order-differs")
    assert (told.values["n"], told.values["ahead"], told.values["behind"]) == (1, "a", "b")
    cause = told.values["cause"]
    assert (code_of(cause), cause.values["unit"]) == ("model-order-by-unit", "rater")
    assert told.values["plain"] == pytest.approx(frame.groupby("system")["raw"].mean().diff()["b"])
    assert told.values["adjusted"] == pytest.approx(4, abs=2)
    assert "model-order-differs" not in codes(fitted(crossed()))


def test_documents_of_unequal_length_are_said():
    frame = uneven(1)
    told = [n for n in fitted(frame).notes if code_of(n) == "model-unequal-documents"]
    assert told[0].values == {"least": 1, "most": 2}
    alike = crossed(segments=8).assign(document=lambda table: table["segment"] // 2)
    assert "model-unequal-documents" not in codes(fitted(alike))


def test_a_fit_that_was_stopped_says_so(monkeypatch):
    monkeypatch.setattr(reml, "_MOST_STEPS", 1)
    result = fitted(uneven(1))
    assert not result.converged
    assert "model-not-converged" in codes(result)


def test_variances_at_zero_are_named():
    result = fitted(uneven(2), terms=TERMS)
    told = next(note for note in result.notes if code_of(note) == "model-variance-at-zero")
    zero = result.components.query("variance == 0")["term"]
    assert told.values["terms"].split(", ") == zero.tolist()


def test_notes_of_the_ratings_are_kept():
    frame = uneven(1)
    constant = frame["rater"] == "r0"
    frame.loc[constant, "raw"] = 3.0
    result = fitted(frame, standardised=True)
    assert "without-variance" in codes(result)
    assert variances(result)["rater"] < 0.1


def one_rating_of_each(frame):
    return frame.drop_duplicates("system").assign(rater="r0", document=0, segment=0)


# --- Errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "asked", "culprit"),
    [
        (lambda f: f, {"terms": ["rater", "colour:rater"]}, "colour:rater"),
        (lambda f: f, {"terms": "rater"}, "rater"),
        (lambda f: f, {"terms": ["system:generation"]}, "generation"),
        (lambda f: f.drop(columns="document"), {"terms": ["document"]}, "document"),
        (lambda f: f[f["system"] == "s1"], {}, "s1"),
        (lambda f: f.assign(raw=5.0), {}, "alike"),
        (lambda f: f.assign(rater=f["system"]), {}, "rater"),
        (lambda f: f.assign(rater=f["system"].replace({"s1": "s0"})), {}, "rater"),
        (lambda f: f.assign(document=f["system"]), {}, "document"),
        (one_rating_of_each, {}, "one rating"),
    ],
)
def test_what_cannot_be_fitted_is_refused_by_name(change, asked, culprit):
    with pytest.raises(mt.InputError, match=culprit):
        fitted(change(uneven(1)), **asked)


# --- A trend --------------------------------------------------------------------------------------


def drifting(seed: int, change: float) -> pd.DataFrame:
    """Ratings in the order in which they were given, that change steadily; s1 comes late."""
    frame = uneven(seed)
    rng = np.random.default_rng([seed, 7])
    late = (frame["system"] == "s1") + rng.random(len(frame))
    frame = frame.iloc[np.argsort(late.to_numpy())].reset_index(drop=True)
    return frame.assign(raw=frame["raw"] + change * np.linspace(-0.5, 0.5, len(frame)))


def test_a_trend_is_found_and_taken_off():
    """Adding a line to all ratings moves the trend by as much, and no system."""
    without = Ratings(drifting(3, 0.0), scale=None).mixed_model(trend=True)
    falling = Ratings(drifting(3, -12.0), scale=None).mixed_model(trend=True)
    assert falling.trend["change"] == pytest.approx(without.trend["change"] - 12.0)
    assert falling.trend["standard_error"] == pytest.approx(without.trend["standard_error"])
    estimates = without.scores()
    assert falling.scores()[estimates.index].tolist() == pytest.approx(estimates.tolist())
    assert "change by" in str(falling)
    plain = Ratings(drifting(3, -12.0), scale=None).mixed_model()
    assert plain.trend is None
    assert plain.scores()["s1"] < falling.scores()["s1"]


def test_contributions_with_a_trend_add_up_to_the_mean():
    found = Ratings(drifting(4, 9.0), scale=None).mixed_model(trend=True)
    added = found.contributions.set_index("system").sum(axis=1)
    effects = found.effects.set_index("system")
    total = effects["estimate"] + added[effects.index]
    assert total.tolist() == pytest.approx(effects["mean"].tolist())


def test_standard_errors_beside_a_trend_are_those_of_the_whole_matrices():
    frame = drifting(5, 4.0)
    found = Ratings(frame, scale=None).mixed_model(terms=TERMS, trend=True)
    theta = found.components.set_index("term")["variance"]
    names = [name for name in theta.index if name != "rest"]
    dense = Dense.of(frame, names)
    times = np.linspace(-0.5, 0.5, len(frame))
    dense = dataclasses.replace(dense, x=np.column_stack([dense.x, times]))
    adjusted, _, _, _ = dense.kenward_roger(theta[["rest", *names]].to_numpy())
    error = found.trend["standard_error"]
    assert error == pytest.approx(np.sqrt(adjusted[-1, -1]), rel=1e-5)
    contrast = np.zeros(len(adjusted))
    systems = sorted(frame["system"].unique())
    contrast[systems.index("s0")] = 1
    contrast[systems.index("s1")] = -1
    table = found.tests().table
    of_pair = table[table["system_a"].isin(["s0", "s1"]) & table["system_b"].isin(["s0", "s1"])]
    expected = np.sqrt(contrast @ adjusted @ contrast)
    assert of_pair["standard_error"].item() == pytest.approx(expected, rel=1e-5)


def test_ratings_of_nothing_that_is_named_are_refused():
    frame = uneven(1).rename(columns={"raw": "value"})[["system", "rater", "value"]]
    with pytest.raises(mt.InputError, match="segment"):
        mixed_model.mixed_model(frame)


def test_systems_that_differ_by_the_same_amount_everywhere_are_refused():
    frame = crossed(systems=2)
    base = frame[frame["system"] == "s0"]
    with pytest.raises(mt.InputError, match="same amount"):
        fitted(pd.concat([base, base.assign(system="s1", raw=base["raw"] + 1)]))


@pytest.mark.parametrize(
    ("limit", "culprit"), [("MOST_IN_A_BLOCK", "document"), ("MOST_COLUMNS", "rater")]
)
def test_designs_that_are_too_large_are_refused(monkeypatch, limit, culprit):
    monkeypatch.setattr(mixed_model, limit, 8)
    with pytest.raises(mt.InputError, match=culprit):
        fitted(uneven(1))


# --- Size -----------------------------------------------------------------------------------------

WORLDS = {
    "dynamic": Campaign(),
    "few raters": Campaign(raters=3, assignment="even"),
    "scale use": Campaign(scale_use=(0.5, 1.5)),
}


def errors(campaign, n_campaigns, seed):
    """Whether each equal pair was told apart, and its estimated difference, of each campaign."""
    decided = []
    differences = []
    plain = []
    for number in range(n_campaigns):
        frame = campaign.simulate(np.random.default_rng([seed, number]))
        result = fitted(frame)
        assert result.converged
        means = frame.groupby("system")["raw"].mean()
        for k in range(0, campaign.systems, 2):
            a, b = f"s{k:02}", f"s{k + 1:02}"
            found = pair(result, a, b)
            decided.append(found["pvalue"] < 0.05)
            differences.append(found["difference"])
            plain.append(means[a] - means[b])
    return np.array(decided), np.array(differences), np.array(plain)


@pytest.mark.slow
def test_equal_systems_are_seldom_told_apart(draws):
    """Of the 100 equal pairs in 25 campaigns; a size of .16 is noticed with a power of .94."""
    decided, differences, plain = errors(Campaign(), draws(25, 40), seed=1)
    assert decided.mean() <= 0.10
    assert np.mean(differences**2) < np.mean(plain**2)


@pytest.mark.thorough
@pytest.mark.parametrize("world", WORLDS)
def test_equal_systems_are_told_apart_as_often_as_the_level_says(world):
    """300 campaigns of four equal pairs each: the standard error of the rate is about .007."""
    decided, differences, plain = errors(WORLDS[world], 300, seed=2)
    assert 0.015 <= decided.mean() <= 0.05 + 3 * 0.007
    assert np.mean(differences**2) < 0.9 * np.mean(plain**2)
    assert abs(np.mean(differences)) < 4 * np.std(differences) / np.sqrt(len(differences))


LARGE = """
import resource, time
import numpy as np
from mtsig_nb.human import Ratings
from tools.trust.campaigns_of_ratings import Campaign
campaign = Campaign(systems=20, raters=30, documents=320, longest=13, screens=1420, on_a_screen=4)
frame = campaign.simulate(np.random.default_rng(1))
start = time.process_time()
result = Ratings(frame, scale=None).mixed_model()
seconds = time.process_time() - start
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(len(frame), result.converged, seconds, megabytes)
"""


@pytest.mark.thorough
def test_forty_thousand_ratings_take_less_than_a_minute_and_a_gigabyte():
    run = subprocess.run(
        [sys.executable, "-c", LARGE], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    n, converged, seconds, megabytes = run.stdout.split()
    assert int(n) >= 38_000
    assert converged == "True"
    assert float(seconds) < 60
    assert float(megabytes) < 1024
