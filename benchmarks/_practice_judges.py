"""The judges of benchmarks/practice.py: plain ones, and those with the faults of people."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from duelli._arrays import Array
from duelli.landscapes import Landscape
from duelli.landscapes.practice import steepness
from duelli.links import LINKS, Link

Duel = Callable[[Array, Array], Array]  # from n left and n right points to the lefts' outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """How the duels of two points are answered.

    Args:
        link: The name of the link, from a difference of utilities to the probability of a win.
        first_wins: How often the point that is shown first wins if both are equal.
        draws: The share of duels that are draws, whatever the points.
        close_draws: The share of draws between equal points; there are fewer between others.
            Rao and Kupper (1967), "Ties in paired-comparison experiments",
            https://doi.org/10.1080/01621459.1967.10482901.
        blunders: The share of answers that are reversed.
    """

    link: str = "logistic"
    first_wins: float = 0.5
    draws: float = 0.0
    close_draws: float = 0.0
    blunders: float = 0.0


JUDGES = {
    "plain": Judge(),
    "position bias 60/40": Judge(first_wins=0.6),
    "70 % draws": Judge(draws=0.7),
    "70 % draws of equal points": Judge(close_draws=0.7),
    "2 % blunders": Judge(blunders=0.02),
    "probit": Judge(link="probit"),
}


class Court:
    """A problem with a judge, who is as sure as the clarity says.

    Args:
        problem: The problem.
        clarity: One of ``CLARITIES``.
        judge: How duels are answered.
    """

    def __init__(self, problem: Landscape, clarity: str, judge: Judge) -> None:
        self.problem, self.judge = problem, judge
        self.link: Link = LINKS[judge.link]
        self.steepness = steepness(problem, clarity, self.link)  # 1 for the logistic link

    def gap(self, point: Array) -> float:
        """Return P(x* beats the point) - 1/2, without the judge's faults."""
        drop = self.problem.best_utility - float(self.problem.utility(point[None])[0])
        return max(0.0, float(self.link(self.steepness * drop)) - 0.5)

    def duel(self, rng: np.random.Generator) -> Duel:
        """Return the duels: the outcome of each left point is 1, 1/2 or 0."""
        judge, utility = self.judge, self.problem.utility
        lead = math.log(judge.first_wins / (1 - judge.first_wins))
        threshold = math.log((1 + judge.close_draws) / (1 - judge.close_draws))

        def fight(left: Array, right: Array) -> Array:
            n = len(left)
            better = self.steepness * (utility(left) - utility(right))
            better = better + lead * np.where(rng.random(n) < 0.5, 1, -1)  # sides are random
            coin = rng.random(n)
            won = coin < self.link(better - threshold)
            outcome = np.where(won, 1.0, np.where(coin < self.link(better + threshold), 0.5, 0.0))
            outcome = np.where(rng.random(n) < judge.blunders, 1 - outcome, outcome)
            return np.where(rng.random(n) < judge.draws, 0.5, outcome)

        return fight
