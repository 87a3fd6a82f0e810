"""Duels of the arms of a grid by a table of chances, or by outcomes that are fixed beforehand."""

import numpy as np

from duelli.blocks import Played, Tally


def arithmetic(arms=8, step=0.05):
    """Return P(i beats j) = 1/2 + step (j - i): arm 0 is the best, and the arms are in order."""
    places = np.arange(arms)
    return 0.5 + step * (places[None, :] - places[:, None])


def sure(arms):
    """Return the table in which the arm of the smaller number always wins."""
    return (1 - np.sign(np.arange(arms)[:, None] - np.arange(arms)[None, :])) / 2


class Matrix:
    """Plays blocks by a table of chances and adds up the strong regret with respect to arm 0."""

    def __init__(self, grid, chances, seed=0):
        self.grid, self.chances = grid, chances
        self.gaps = chances[0] - 0.5
        self.regret, self.pairs = 0.0, []
        self._rng = np.random.default_rng(seed)
        self._numbers = {}

    def number(self, arm):
        if arm not in self._numbers:
            self._numbers[arm] = self.grid.index(arm)
        return self._numbers[arm]

    def play(self, block):
        i, j = self.number(block.low), self.number(block.reference)
        self.regret += block.n * (self.gaps[i] + self.gaps[j])
        self.pairs.append((i, j, block.n))
        return Played(Tally(block.n, self.wins(i, j, block.n), block.low), 0.0, 0.0)

    def wins(self, i, j, n):
        return int(self._rng.binomial(n, self.chances[i, j]))


class Script(Matrix):
    """Plays blocks with outcomes that depend on the pair and on how often it has met.

    ``tie`` is the share of draws among them.
    """

    def __init__(self, grid, chances, seed=0, tie=0.0):
        super().__init__(grid, chances, seed)
        self.seed, self.tie = seed, tie
        self._coins, self._met = {}, {}

    def wins(self, i, j, n):
        return sum(self.outcome(i, j) for _ in range(n))

    def outcome(self, i, j):
        """Return the outcome of arm ``i`` in the next duel of the pair."""
        if i == j:
            return 0.5
        if i > j:
            return 1 - self.outcome(j, i)
        if (i, j) not in self._coins:
            rng = np.random.default_rng([self.seed, i, j])
            self._coins[i, j] = rng.random((4000, 2)).tolist()
        k = self._met.get((i, j), 0)
        self._met[i, j] = k + 1
        first, second = self._coins[i, j][k]
        return 0.5 if first < self.tie else float(second < self.chances[i, j])

    def play_out(self, generator, horizon):
        """Return the pairs of a naive learner, each duel by itself."""
        pairs = [next(generator)]
        for _ in range(horizon - 1):
            try:
                pairs.append(generator.send(self.outcome(*pairs[-1])))
            except StopIteration:
                break
        return pairs


def one_by_one(pairs):
    """Return meetings as single duels."""
    return [(i, j) for i, j, n in pairs for _ in range(n)]


def played(learner, engine):
    """Return the learner's meetings of a whole run."""
    while step := learner.ask():
        learner.tell([engine.play(block).tally for block in step])
    return engine.pairs
