"""Blocks: all that learners and engines share, and the protocols of both.

`records` has what they exchange: blocks, tallies and steps. The other modules say what each side
must offer; inheritance is not needed.
"""

from duelli.blocks.engine import Engine
from duelli.blocks.learner import Learner
from duelli.blocks.observer import Observer
from duelli.blocks.records import Block, Played, Progress, Step, Tally
from duelli.blocks.scalar import ScalarLearner

__all__ = [
    "Block",
    "Engine",
    "Learner",
    "Observer",
    "Played",
    "Progress",
    "ScalarLearner",
    "Step",
    "Tally",
]
