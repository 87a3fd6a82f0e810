"""How many duels a step has, for learners that fit a model in every step.

A step grows with the duels so far, because a few more hardly change what the model knows then: so
the number of steps grows with the logarithm of the horizon only.
"""


def step_duels(duels: int, horizon: int, batch: int, growth: int) -> int:
    """Return the duels of the next step: at least ``batch``, and one for so many before it."""
    return min(max(batch, duels // growth), horizon - duels)


def shares(total: int, parts: int) -> list[int]:
    """Return ``total`` in so many parts, or fewer, that are equal up to one and at least 1."""
    parts = min(total, parts)
    return [total // parts + (k < total % parts) for k in range(parts)]
