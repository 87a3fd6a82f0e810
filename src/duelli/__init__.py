"""duelli: the best point of a continuous box, learnt from noisy pairwise comparisons."""

from duelli.answers import Answer
from duelli.api import Result, optimize, simulate
from duelli.blocks import Block, Engine, Learner, Played, Progress, Tally
from duelli.boxes import Box
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import ENGINES
from duelli.errors import DuelFailedError, DuelliError, OutOfTurnError
from duelli.landscapes import LANDSCAPES, Landscape, landscape
from duelli.learners import LEARNERS
from duelli.learners.arc import ArcDuelli
from duelli.learners.one_by_one import OneByOne
from duelli.learners.race import ArcRace
from duelli.links import LINKS, Link, link
from duelli.planning import Plan, plan
from duelli.record import Trace

__all__ = [
    "ENGINES",
    "LANDSCAPES",
    "LEARNERS",
    "LINKS",
    "Answer",
    "ArcDuelli",
    "ArcRace",
    "Block",
    "Box",
    "DuelFailedError",
    "DuelModel",
    "DuelliError",
    "Engine",
    "Landscape",
    "Learner",
    "Link",
    "OneByOne",
    "OutOfTurnError",
    "Plan",
    "Played",
    "Progress",
    "Result",
    "Tally",
    "Trace",
    "landscape",
    "link",
    "optimize",
    "plan",
    "play",
    "simulate",
]
