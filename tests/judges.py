"""Judges for the tests: deterministic in the pair, so that a repeated question has one answer."""

import hashlib
import math


def coin(x, y, seed=0):
    """Return a number in [0, 1) that depends on the two points, in any order, and the seed."""
    text = repr((seed, *sorted((repr(_plain(x)), repr(_plain(y))))))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64


def _plain(point):
    return point if isinstance(point, dict) else [float(entry) for entry in point]


def _utility(point):
    values = point.values() if isinstance(point, dict) else point
    return -4 * sum((float(v) - 0.3) ** 2 for v in values)


def hash_judge(x, y, seed=0):
    """Prefer points near 0.3, noisily; the same pair always gets the same answer."""
    swap = repr(_plain(x)) > repr(_plain(y))
    a, b = (y, x) if swap else (x, y)
    won = coin(x, y, seed) < 1 / (1 + math.exp(_utility(b) - _utility(a)))
    return won != swap
