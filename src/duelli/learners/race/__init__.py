"""ArcRace: the same idea as ARC-DuelLi, with the constants and the stopping it deserves.

A fixed reference arm a round, depth-first elimination over dyadic cubes and O(d log T) bits are
the paper's. docs/arc_race.md has the algorithm on a page, and the proofs.
"""

from duelli.learners.race.config import SLACKS, RaceConfig
from duelli.learners.race.learner import ArcRace

__all__ = ["SLACKS", "ArcRace", "RaceConfig"]
