"""The Interleaved Filter as printed, duel by duel and sweep by sweep: the oracle of the blocks.

Yue, Broder, Kleinberg, Joachims (2012), "The K-armed dueling bandits problem", Algorithms 1 and 2.
It shares nothing with the library, and plays the horizon to the duel.
"""

import math
from dataclasses import dataclass, field


@dataclass
class Run:
    """What was played: candidates in order, and the duels of each (candidate, rival)."""

    candidates: list
    matches: dict = field(default_factory=dict)
    explored: int = 0
    cleanup: int = 0
    committed: bool = False


def interleaved_filter(arms, horizon, first, duel, *, variant=2, conf_factor=4.0):
    """Play ``horizon`` duels; ``duel(candidate, rival)`` is 1 if the candidate wins, 1/2 a tie."""
    failure_prob = 1 / (horizon * arms**2)
    run = Run([first])
    candidate, working = first, [b for b in range(arms) if b != first]
    wins, sweeps = dict.fromkeys(working, 0.0), 0
    while working:
        for b in working:
            if run.explored == horizon:
                return run
            wins[b] += duel(candidate, b)
            run.explored += 1
            run.matches[candidate, b] = run.matches.get((candidate, b), 0) + 1
        sweeps += 1
        radius = math.sqrt(conf_factor * math.log(1 / failure_prob) / sweeps)
        working = [b for b in working if not wins[b] / sweeps - radius > 1 / 2]
        better = [b for b in working if wins[b] / sweeps + radius < 1 / 2]
        if better:
            if variant == 2:
                working = [b for b in working if not wins[b] / sweeps > 1 / 2]
            candidate = better[0]
            run.candidates.append(candidate)
            working = [b for b in working if b != candidate]
            wins, sweeps = dict.fromkeys(working, 0.0), 0
    run.committed, run.cleanup = True, horizon - run.explored
    return run
