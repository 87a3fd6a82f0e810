"""Zooming as it is printed, with a covering oracle that looks through the points of a lattice.

It begins in the middle of the box, as duelli does; then any point that no ball covers may be
activated, and a random one is.
"""

import numpy as np

from duelli.learners.grid import Grid

T = 20_000
LATTICE = {1: 201, 2: 41}  # points along each axis, an odd number


class Oracle:
    """One run on Bernoulli rewards with mean 1 - |x - (.3, .1)|, maximum norm.

    Args:
        dim: The number of coordinates.
        radius: r as a function of the pulls of an arm.
        seed: Seed of all random draws.
    """

    def __init__(self, dim, radius, seed):
        self.radius, self.rng = radius, np.random.default_rng(seed)
        grid = Grid(dim, LATTICE[dim])
        self.points = np.array([grid.centre(i) for i in range(grid.num_arms)])
        means = 1 - np.abs(self.points - np.array([0.3, 0.1])[:dim]).max(axis=1)
        self.distances, self.covered, self.arms = [], [], []
        self.pulls, self.wins, self.index, self.regret = [], [], [], 0.0
        self._activate(grid.num_arms // 2)
        for _ in range(T):
            self._cover()
            best = max(self.index)
            i = self.rng.choice([j for j, value in enumerate(self.index) if value == best])
            mean = means[self.arms[i]]
            self.regret += 1 - mean
            self._pulled(i, self.rng.random() < mean)

    def _activate(self, point):
        self.arms.append(point)
        self.distances.append(np.abs(self.points - self.points[point]).max(axis=1))
        self.covered.append(self.distances[-1] <= self.radius(0))
        self.pulls.append(0)
        self.wins.append(0)
        self.index.append(2 * self.radius(0))

    def _cover(self):
        """Activate one point that is farther than r from every active arm, if there is one."""
        outside = np.flatnonzero(~np.any(self.covered, axis=0))
        if len(outside):
            self._activate(self.rng.choice(outside))

    def _pulled(self, i, won):
        self.pulls[i] += 1
        self.wins[i] += won
        radius = self.radius(self.pulls[i])
        self.index[i] = self.wins[i] / self.pulls[i] + 2 * radius
        self.covered[i] = self.distances[i] <= radius
