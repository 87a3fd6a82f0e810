"""Claims about the setting (Section 3), decided by computing what they say."""

import math

import numpy as np
import numpy.typing as npt

from duelli import theory
from duelli._rng import stream
from duelli.duels import DuelModel
from duelli.experiments.claims.base import Claim, Evidence, Finding, verdict
from duelli.landscapes import LANDSCAPES
from duelli.links import LINKS

ARMS_SEED = 20  # of the random arms below


def random_arms(dim: int, count: int) -> npt.NDArray[np.float64]:
    """Return ``count`` uniform arms, the same at every call."""
    return stream(ARMS_SEED, "trial").random((count, dim))


def lipschitz(_: Evidence) -> Finding:
    """Assumption 3.1 on the landscapes themselves."""
    steepest = {}
    for name, landscape in LANDSCAPES.items():
        arms = random_arms(landscape.dim, 4000)
        near = np.clip(arms + 1e-4 * np.sign(random_arms(landscape.dim, 8000)[4000:] - 0.5), 0, 1)
        apart = np.abs(near - arms).max(axis=1)
        rise = np.abs(landscape.utility(near) - landscape.utility(arms))
        steepest[name] = float((rise / np.maximum(apart, 1e-9)).max())
    broken = {name: value for name, value in steepest.items() if value > 1.001}
    return Finding(
        "measured constants above 1: " + ", ".join(f"{v:.2f} on {n}" for n, v in broken.items()),
        verdict(not broken),
        "A Euclidean cone has the constant √d in the maximum norm.",
    )


def bounded_differences(_: Evidence) -> Finding:
    """Section 3: |f(x) - f(y)| <= 1, so ρ is needed on [-1, 1] only."""
    ranges = {
        name: float(np.ptp(landscape.utility(random_arms(landscape.dim, 4000))))
        for name, landscape in LANDSCAPES.items()
    }
    wide = {name: value for name, value in ranges.items() if value > 1}
    return Finding(
        "ranges above 1: " + (", ".join(f"{v:.2f} on {n}" for n, v in wide.items()) or "none"),
        verdict(not wide),
        "The scaled box leaves [-1, 1]; there λ is 0.002 and the linear link is no probability.",
    )


def slopes(_: Evidence) -> Finding:
    """Lemmas D.1-D.3 and the Γ of Appendix F."""
    printed = {
        "logistic": (0.25, math.e / (1 + math.e) ** 2),
        "probit": (1 / math.sqrt(2 * math.pi), math.exp(-0.5) / math.sqrt(2 * math.pi)),
        "linear": (0.5, 0.5),
        "arctan": (1 / math.pi, None),
        "tanh": (0.5, None),
    }
    right = all(
        math.isclose(LINKS[name].slope_max, upper)
        and (lower is None or math.isclose(LINKS[name].slope_min, lower))
        for name, (upper, lower) in printed.items()
    )
    return Finding(
        "; ".join(
            f"{name}: Γ = {link.slope_max:.4f}, λ = {link.slope_min:.4f}"
            for name, link in LINKS.items()
        ),
        verdict(right),
        "λ of arctan and tanh, which the paper omits, are 1/(2π) and sech²(1)/2.",
    )


def triangle(_: Evidence) -> Finding:
    """Lemma 3.3: both inequalities with κ."""
    worst = 0.0
    for link in LINKS.values():
        low, mid, high = np.sort(random_arms(3, 20_000), axis=1).T
        whole, upper, lower = (link(u) - 0.5 for u in (high - low, high - mid, mid - low))
        first, second = whole / (upper + lower), upper / np.maximum(whole - lower, 1e-15)
        worst = max(worst, float(max(first.max(), second.max())) / link.slope_ratio)
    return Finding(
        f"largest ratio of the two sides, in units of κ: {worst:.3f}",
        verdict(worst <= 1 + 1e-9),
        "Over 20 000 random triples for each of the five links.",
    )


def unique_winner(_: Evidence) -> Finding:
    """Introduction: the winner beats every other arm with probability above 1/2."""
    ties = {}
    for name, landscape in LANDSCAPES.items():
        gaps = DuelModel(landscape).gap_to_best(random_arms(landscape.dim, 20_000))
        ties[name] = float((gaps <= 1e-12).mean())
    ring = DuelModel("ridge").gap_to_best(np.array([[0.5, 0.78], [0.5, 0.22]]))
    ties["ridge"] = max(ties["ridge"], float((ring <= 1e-12).mean()))
    tied = [name for name, share in ties.items() if share > 0]
    return Finding(
        f"other arms tie with x* on: {', '.join(tied)}",
        verdict(not tied),
        "Section 3 has ≥ 1/2 and is right; plateau and ridge have many best arms.",
    )


def zooming_definition(_: Evidence) -> Finding:
    """Section 3.1: C_z ε^(-d_z) balls for all ε > 0."""
    epsilon = 10.0
    needed = epsilon**-1.0  # C_z = 1, d_z = 1
    return Finding(
        f"at ε = {epsilon:g}, d_z = 1, C_z = 1 the cover may have {needed:g} balls",
        verdict(needed >= 1),
        "For d_z > 0 the allowance falls below one ball; the definition must stop at ε = 1.",
    )


def zooming_dims(_: Evidence) -> Finding:
    """The stated zooming dimensions, by counting cubes."""
    names = ("two_cones", "flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks")
    counted = {name: theory.zooming_count(DuelModel(name)).zooming_dim for name in names}
    off = [n for n, v in counted.items() if abs(v - LANDSCAPES[n].zooming_dim) > 0.25]
    return Finding(
        "; ".join(
            f"{name}: {value:.2f}, stated {LANDSCAPES[name].zooming_dim:.2g}"
            for name, value in counted.items()
        ),
        verdict(not off),
        "Slope of the number of cubes of edge ε that meet {gap ≤ ε}, from ε = 1/256 to 1/512.",
    )


def poor_reference(_: Evidence) -> Finding:
    """Introduction: a poorly chosen reference makes the elimination unsafe."""
    smallest = min(
        float(DuelModel(landscape).gap_to_best(random_arms(landscape.dim, 20_000)).min())
        for landscape in LANDSCAPES.values()
    )
    return Finding(
        f"smallest Δ(x*, X) over 20 000 random references on each landscape: {smallest:.1e}",
        verdict(smallest < 0),
        "Δ(x*, X) ≥ 0 for every X: a cube whose upper bound is below 0 never holds x*, "
        "so every reference is safe.",
    )


SECTION3 = [
    Claim(
        id="lipschitz",
        where="Assumption 3.1",
        says="The utilities are 1-Lipschitz in the maximum norm.",
        check=lipschitz,
    ),
    Claim(
        id="differences",
        where="Section 3",
        says="Differences of utility lie in [-1, 1], so the link is needed there only.",
        check=bounded_differences,
    ),
    Claim(
        id="slopes", where="Lemmas D.1-D.3", says="The printed slopes of the links.", check=slopes
    ),
    Claim(
        id="winner",
        where="Introduction",
        says="The Condorcet winner beats all other arms with probability above 1/2.",
        check=unique_winner,
    ),
    Claim(
        id="triangle",
        where="Lemma 3.3",
        says="Relaxed triangle and reverse difference inequalities with κ.",
        check=triangle,
    ),
    Claim(
        id="zooming-definition",
        where="Section 3.1",
        says="The near-optimal set has a cover of C_z ε^(-d_z) balls for all ε > 0.",
        check=zooming_definition,
    ),
    Claim(
        id="zooming-dimensions",
        where="Appendix F",
        says="The stated zooming dimensions of the landscapes.",
        check=zooming_dims,
    ),
    Claim(
        id="poor-reference",
        where="Introduction",
        says="A poorly chosen reference can make the elimination unsafe.",
        check=poor_reference,
    ),
]
