"""Claims about the further experiments (Appendix F), decided by finished trials."""

from duelli.experiments.claims.base import UNCHECKABLE, Claim, Evidence, Finding, verdict
from duelli.experiments.claims.section7 import BASE, beats_baseline
from duelli.experiments.paper import SIX_NAMES as SIX
from duelli.record.stats import Mean, neat


def _decay(evidence: Evidence, runs: list[tuple[str, str]]) -> tuple[str, bool]:
    """Return the gaps of the first and the last round of each run, and whether all fell."""
    parts, fell = [], True
    for experiment, label in runs:
        gaps = evidence.gaps(experiment, label)
        fell = fell and gaps[-1].below(gaps[0])
        name = experiment if label == "ARC-DuelLi" else label
        parts.append(f"{name}: from {gaps[0].value:.3f} to {gaps[-1].value:.4f}")
    return "; ".join(parts), fell


def starts(evidence: Evidence) -> Finding:
    """The initial-arm experiments: is the algorithm insensitive to its start?"""
    labels = ("start (0.9, 0.9)", "start at x*", "start (0, 1)")
    runs = [evidence.rows("starts", label) for label in labels]
    same = all(
        [e["reference"] for e in a["rounds"]] == [e["reference"] for e in b["rounds"]]
        for other in runs[1:]
        for a, b in zip(runs[0], other, strict=True)
    )
    return Finding(
        f"reference arms of all rounds {'identical' if same else 'different'} for three starts, "
        f"x* among them, over {len(runs[0])} seeds",
        verdict(same),
        "By construction: round 1 has one cube, the whole box, so X^1 is a uniform point "
        "whatever X^0 was. The experiments with bad and random starts test nothing.",
    )


def random_start(evidence: Evidence) -> Finding:
    """Random starts: regret remains comparable."""
    fixed, random = evidence.regret("main"), evidence.regret("random_start")
    apart = fixed.below(random, 3) or random.below(fixed, 3)
    return Finding(
        f"start (0.9, 0.9): {fixed}; random start: {random}",
        verdict(not apart),
        "The start is irrelevant after the first 343 duels.",
    )


def six_converge(evidence: Evidence) -> Finding:
    """Six landscapes: the gap decreases across rounds."""
    measured, fell = _decay(evidence, [(name, "ARC-DuelLi") for name in SIX])
    return Finding(measured, verdict(fell), "The scan gets finer with every round.")


def sharp_is_easy(evidence: Evidence) -> Finding:
    """Sharp is the simplest benchmark."""
    regrets = {name: evidence.regret(name) for name in SIX}
    order = sorted(SIX, key=lambda name: regrets[name].value)
    return Finding(
        "; ".join(f"{name}: {neat(regrets[name].value)}" for name in order),
        verdict(order[0] == "sharp"),
        f"{order[-1]} has the largest regret of the six: a steep landscape is expensive to scan "
        "and nothing is eliminated to spare it.",
    )


def links_converge(evidence: Evidence) -> Finding:
    """Five links: the gap decreases for all."""
    names = ("logistic", "linear", "probit", "arctan", "tanh")
    measured, fell = _decay(evidence, [("links", name) for name in names])
    rounds = {len(row["rounds"]) for name in names for row in evidence.rows("links", name)}
    return Finding(
        f"{measured}; completed rounds: {', '.join(map(str, sorted(rounds)))}",
        verdict(fell),
        "The schedule does not depend on the link, and no link eliminates anything.",
    )


def fewer_rounds(evidence: Evidence) -> Finding:
    """Higher dimensions complete fewer rounds, and the gap decreases still."""
    counts = {dim: len(evidence.rows(f"dim_{dim}")[0]["rounds"]) for dim in (3, 4)}
    flat = len(evidence.rows("main")[0]["rounds"])
    measured, fell = _decay(evidence, [("dim_3", "ARC-DuelLi"), ("dim_4", "ARC-DuelLi")])
    return Finding(
        f"rounds: {flat} for D = 2, {counts[3]} for D = 3, {counts[4]} for D = 4; "
        f"gap in {measured}",
        verdict(fell and all(count < flat for count in counts.values())),
        "Round m costs about 2^(D (m - 1)) blocks.",
    )


def scaled_converges(evidence: Evidence) -> Finding:
    """The scaled box: the gap decreases."""
    measured, fell = _decay(evidence, [("scaled", "ARC-DuelLi"), ("scaled", "ARC-DuelLi, L = 1")])
    lost = evidence.eliminated("scaled", "ARC-DuelLi, L = 1")
    return Finding(
        f"{measured}; cubes eliminated with L = 1: {lost}, with L = 10: "
        f"{evidence.eliminated('scaled')}",
        verdict(fell),
        "With the radii of the unit box and L = 10. L = 1 is not covered by the lemma.",
    )


def weak(evidence: Evidence) -> Finding:
    """Weak regret is promised in the appendix."""
    ours = Mean.of([row["weak_regret"] for row in evidence.rows("weak_regret")])
    theirs = Mean.of([row["weak_regret"] for row in evidence.rows("weak_regret", BASE)])
    return Finding(
        f"weak regret of ARC-DuelLi: {ours}; of IF2 on 16x16 cells: {theirs}",
        UNCHECKABLE,
        "The appendix has no such experiment; this is what it would have shown.",
    )


APPENDIX = [
    Claim(
        id="starts",
        where="Section 7 and Appendix F",
        says="ARC-DuelLi is insensitive to the choice of the initial reference arm.",
        check=starts,
    ),
    Claim(
        id="random-start",
        where="Appendix F, random starts (c)",
        says="Regret remains comparable to the fixed start.",
        check=random_start,
    ),
    beats_baseline("random_start"),
    Claim(
        id="scaled",
        where="Appendix F, scaled box (a), (b)",
        says="On [0, 10]² the reference still converges and the gap decreases.",
        check=scaled_converges,
    ),
    beats_baseline("scaled"),
    Claim(
        id="six-landscapes",
        where="Appendix F, six landscapes (b)",
        says="The gap converges on all six landscapes.",
        check=six_converge,
    ),
    Claim(
        id="sharp",
        where="Appendix F, Sharp",
        says="Sharp is the simplest benchmark; its optimum needs relatively few comparisons.",
        check=sharp_is_easy,
    ),
    Claim(
        id="links",
        where="Appendix F, transfer functions",
        says="For all five links the gap decreases across rounds.",
        check=links_converge,
    ),
    Claim(
        id="dimensions",
        where="Appendix F, ambient dimension",
        says="For D = 3 and D = 4 fewer rounds complete, and the gap still decreases.",
        check=fewer_rounds,
    ),
    Claim(
        id="weak-regret",
        where="Section 7",
        says="Weak regret is provided in the appendix.",
        check=weak,
    ),
]
