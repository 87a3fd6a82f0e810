"""Learners for finitely many arms as printed: one duel at a time, everything computed anew.

Each is a generator: it yields a pair and is sent the outcome of the first arm.
``pick(use, t, options)`` decides between arms that tie at turn t; a use is "coin" or "champion".
"""

import math

import numpy as np


def rates_of(wins):
    """Return μ̂_ij, 1/2 where two arms have not met and for an arm itself."""
    n = wins + wins.T
    return np.where(n > 0, wins / np.where(n > 0, n, 1), 0.5)


def noted(wins, i, j, outcome):
    if i != j:
        wins[i, j] += outcome
        wins[j, i] += 1 - outcome


def rucb(arms, horizon, pick, alpha=0.51):
    """Zoghi et al. (2014), Algorithm 1."""
    wins, best = np.zeros((arms, arms)), None
    for t in range(1, horizon + 1):
        n = wins + wins.T
        upper = rates_of(wins) + np.sqrt(alpha * math.log(t) / np.where(n > 0, n, 1))
        upper[n == 0] = 1.0
        np.fill_diagonal(upper, 0.5)
        possible = [i for i in range(arms) if all(upper[i] >= 0.5)]
        if best not in possible:
            best = None
        if not possible:
            c = pick("champion", t, list(range(arms)))
        elif len(possible) == 1:
            best = c = possible[0]
        elif best is None:
            c = pick("champion", t, possible)
        elif pick("coin", t, [0, 1]):
            c = best
        else:
            c = pick("champion", t, [i for i in possible if i != best])
        first = [j for j in range(arms) if upper[j, c] == upper[:, c].max()]
        if len(first) > 1:
            first = [j for j in first if j != c]
        d = pick("challenger", t, first)
        noted(wins, c, d, (yield c, d))


def coin_divergence(p):
    """Return d(p, 1/2)."""
    return sum(q * math.log(2 * q) for q in (p, 1 - p) if q > 0)


def divergences(wins):
    """Return I_i. Komiyama et al. (2015), Section 3.1."""
    rates, n = rates_of(wins), wins + wins.T
    return np.array(
        [
            sum(
                n[i, j] * coin_divergence(rates[i, j])
                for j in range(len(wins))
                if j != i and rates[i, j] <= 0.5
            )
            for i in range(len(wins))
        ]
    )


def log_log(t):
    return math.log(math.log(max(t, 3)))


class Rmed:
    """Komiyama et al. (2015), Algorithms 1 to 3; ``variant`` is "1", "2" or "2f"."""

    def __init__(self, arms, horizon, pick, variant="1", alpha=3.0):
        self.arms, self.horizon, self.pick = arms, horizon, pick
        self.variant, self.alpha = variant, alpha
        self.wins, self.t, self.slack = np.zeros((arms, arms)), 0, 0.3 * arms**1.01
        self.fixed = None

    def play(self):
        """Yield the duels without an end."""
        first = math.ceil(self.alpha * log_log(self.horizon)) if self.variant == "2f" else 1
        for i, j in pairs_below(self.wins, max(1, first)):
            for _ in range(max(1, first)):
                yield from self.duel(i, j)
        self.fixed = [self.target(i) for i in range(self.arms)]
        current = list(range(self.arms))
        while True:
            remaining, following = list(current), []
            for i in current:
                yield from self.catch_up()
                yield from self.duel(i, self.opponent(i, self.t + 1))
                remaining.remove(i)
                following += [k for k in self.likely() if k not in remaining and k not in following]
            current = sorted(following)

    def duel(self, i, j):
        self.t += 1
        noted(self.wins, i, j, (yield i, j))

    def catch_up(self):
        """Yield the duels of pairs that have not met α ln ln t times; RMED2 only."""
        while self.variant == "2" and (
            lacking := pairs_below(self.wins, self.alpha * log_log(self.t + 1))
        ):
            for i, j in lacking:
                yield from self.duel(i, j)

    def likely(self):
        """Return the arms for which J holds. Eq. (4)."""
        totals = divergences(self.wins)
        bound = totals.min() + math.log(self.t) + self.slack
        return [k for k in range(self.arms) if totals[k] <= bound]

    def best(self, t):
        totals = divergences(self.wins)
        return self.pick("best", t, [i for i in range(self.arms) if totals[i] == totals.min()])

    def target(self, i, t=None):
        """Return b̂(i). Eq. (6)."""
        t = self.t if t is None else t
        best, rates = self.best(t), rates_of(self.wins)
        costs = {
            j: max(rates[best, i] + rates[best, j] - 1, 0.01) / coin_divergence(rates[i, j])
            for j in range(self.arms)
            if rates[i, j] < 0.5
        }
        least = min(costs.values(), default=None)
        return self.pick("target", t, [j for j in costs if costs[j] == least]) if costs else i

    def opponent(self, i, t):
        rates, n, best = rates_of(self.wins), self.wins + self.wins.T, self.best(t)
        better = [j for j in range(self.arms) if j != i and rates[i, j] <= 0.5]
        if self.variant != "1":
            b = self.target(i, t) if self.variant == "2" else self.fixed[i]
            clock = t if self.variant == "2" else self.horizon
            if b in better and n[i, best] >= n[i, b] / log_log(clock):
                return b
        if best in better or not better:
            return best
        least = min(rates[i, j] for j in better)
        return self.pick("opponent", t, [j for j in better if rates[i, j] == least])


def pairs_below(wins, least):
    """Return the pairs that have met fewer times than ``least``."""
    n = np.triu(wins + wins.T < least, 1)
    return [tuple(pair) for pair in np.argwhere(n).tolist()]


def beat_the_mean(arms, horizon, pick, coef=3.0, meets_itself=True):
    """Yue and Joachims (2011), Algorithm 1; an outcome of an arm with itself is a draw."""
    left = list(range(arms))
    past = []  # challenger, opponent, outcome
    for t in range(horizon):
        if len(left) == 1:
            yield left[0], left[0]
            continue
        n = {b: sum(1 for x, y, _ in past if x == b and y in left) for b in left}
        fewest = min(n.values())
        b = pick("order", (fewest, len(left)), [x for x in left if n[x] == fewest])
        other = pick("opponent", t, left if meets_itself else [x for x in left if x != b])
        outcome = yield b, other
        past.append((b, other, outcome if b != other else 0.5))
        n[b] += 1
        won = {x: sum(o for y, z, o in past if y == x and z in left) for x in left}
        rates = {x: won[x] / n[x] if n[x] else 0.5 for x in left}
        fewest = min(n.values())
        width = coef * math.sqrt(math.log(2 * horizon * arms) / fewest) if fewest else 1.0
        low = min(rates.values())
        if low + width <= max(rates.values()) - width:
            left.remove(pick("worst", t + 1, [x for x in left if rates[x] == low]))


def savage(arms, horizon, pick, winner="condorcet"):
    """Urvoy et al. (2013), Algorithm 1, with δ = 1/T; it plays the winner once nothing matters."""
    pairs = [(i, j) for i in range(arms) for j in range(i + 1, arms)]
    n, won = dict.fromkeys(pairs, 0), dict.fromkeys(pairs, 0.0)
    for _ in range(horizon):
        relevant = relevant_pairs(arms, horizon, n, won, winner)
        if not relevant:
            break
        fewest = min(n[pair] for pair in relevant)
        number = pick(
            "order", fewest, [k for k, p in enumerate(pairs) if p in relevant and n[p] == fewest]
        )
        pair = pairs[number]
        won[pair] += yield pair
        n[pair] += 1


def relevant_pairs(arms, horizon, n, won, winner):
    """Return the pairs that still matter. Urvoy et al. (2013), Section 4."""
    beats, loses = dict.fromkeys(range(arms), 0), dict.fromkeys(range(arms), 0)
    open_pairs = []
    for (i, j), count in n.items():
        width = math.sqrt(math.log(arms * (arms - 1) * horizon**2) / (2 * count)) if count else 1
        rate = won[i, j] / count if count else 0.5
        if rate + width < 0.5:
            beats[j], loses[i] = beats[j] + 1, loses[i] + 1
        elif rate - width > 0.5:
            beats[i], loses[j] = beats[i] + 1, loses[j] + 1
        else:
            open_pairs.append((i, j))
    if winner == "condorcet":
        return [(i, j) for i, j in open_pairs if not loses[i] and not loses[j]]
    best = max(beats.values())
    hopeless = {i for i in range(arms) if arms - 1 - loses[i] < best}
    return [(i, j) for i, j in open_pairs if not {i, j} <= hopeless]


def tsallis_weights(losses, rate):
    """Return the weights 4 / (η (L_i - x))² that add up to 1, by bisection."""
    low, high = min(losses) - 2 * math.sqrt(len(losses)) / rate, min(losses) - 2 / rate
    for _ in range(200):
        x = (low + high) / 2
        low, high = (x, high) if sum(4 / (rate * (y - x)) ** 2 for y in losses) < 1 else (low, x)
    found = [4 / (rate * (y - x)) ** 2 for y in losses]
    return [w / sum(found) for w in found]


def versatile_db(arms, horizon, uniforms, reduced=False):
    """Saha and Gaillard (2022), Algorithm 3; ``uniforms(t)`` are two numbers in [0, 1)."""
    losses = [[0.0] * arms, [0.0] * arms]
    for t in range(1, horizon + 1):
        rate = (4 if reduced else 2) / math.sqrt(t)
        weights = [tsallis_weights(side, rate) for side in losses]
        pair = [
            int(np.searchsorted(np.cumsum(w), u)) for w, u in zip(weights, uniforms(t), strict=True)
        ]
        outcome = yield tuple(pair)
        outcome = outcome if pair[0] != pair[1] else 0.5
        for side, loss in enumerate((1 - outcome, outcome)):
            for i in range(arms):
                base = 0.5 if reduced and weights[side][i] >= rate**2 else 0.0
                losses[side][i] += base
                if i == pair[side]:
                    losses[side][i] += (loss - base) / weights[side][i]


def thompson_pair(wins, t, rng, alpha=0.51):
    """Return the arms of turn t. Wu and Liu (2016), Algorithm 1, lines 4-13."""
    likely, lower = likely_winners(wins, t, alpha)
    theta = np.triu(rng.beta(wins + 1, wins.T + 1), 1)
    theta += np.tril(1 - theta.T, -1)
    np.fill_diagonal(theta, 0.5)
    scores = (theta > 0.5).sum(axis=1)
    a = int(rng.choice([i for i in likely if scores[i] == scores[likely].max()]))
    second = rng.beta(wins[:, a] + 1, wins[a] + 1)
    second[a] = 0.5
    second[lower[:, a] > 0.5] = -1.0
    return a, int(second.argmax())


def likely_winners(wins, t, alpha=0.51):
    """Return C and the lower bounds. Wu and Liu (2016), Algorithm 1, lines 4-6."""
    n = wins + wins.T
    width = np.sqrt(alpha * math.log(t) / np.where(n > 0, n, 1))
    upper = np.where(n > 0, rates_of(wins) + width, 1.0)
    lower = np.where(n > 0, rates_of(wins) - width, 0.0)
    for bounds in (upper, lower):
        np.fill_diagonal(bounds, 0.5)
    scores = (upper >= 0.5).sum(axis=1)
    return np.flatnonzero(scores == scores.max()), lower
