"""duelli: the best point of a continuous box, learnt from noisy pairwise comparisons."""

from importlib.metadata import version

from duelli.answers import Answer
from duelli.api import Result, optimize, simulate
from duelli.blocks import Block, Engine, Learner, Played, Progress, ScalarLearner, Step, Tally
from duelli.boxes import Box, choice
from duelli.driver import play, play_scalar
from duelli.duels import DuelModel
from duelli.engines import ENGINES
from duelli.errors import DuelFailedError, DuelliError, OutOfTurnError, SavedRunError
from duelli.history import Bias, History
from duelli.landscapes import LANDSCAPES, Landscape, landscape
from duelli.learners import LEARNERS
from duelli.learners.arc import ArcDuelli
from duelli.learners.auto import Auto
from duelli.learners.finite import SuccessiveHalving
from duelli.learners.model import PreferenceModel
from duelli.learners.one_by_one import OneByOne
from duelli.learners.race import ArcRace
from duelli.learners.reductions import ScalarFromDuels
from duelli.learners.scalar import SCALARS
from duelli.links import LINKS, Link, link
from duelli.pairs import Pair
from duelli.planning import Plan, plan
from duelli.record import Trace
from duelli.runs import Run, load

__version__ = version("duelli")

__all__ = [
    "ENGINES",
    "LANDSCAPES",
    "LEARNERS",
    "LINKS",
    "SCALARS",
    "Answer",
    "ArcDuelli",
    "ArcRace",
    "Auto",
    "Bias",
    "Block",
    "Box",
    "DuelFailedError",
    "DuelModel",
    "DuelliError",
    "Engine",
    "History",
    "Landscape",
    "Learner",
    "Link",
    "OneByOne",
    "OutOfTurnError",
    "Pair",
    "Plan",
    "Played",
    "PreferenceModel",
    "Progress",
    "Result",
    "Run",
    "SavedRunError",
    "ScalarFromDuels",
    "ScalarLearner",
    "Step",
    "SuccessiveHalving",
    "Tally",
    "Trace",
    "__version__",
    "choice",
    "landscape",
    "link",
    "load",
    "optimize",
    "plan",
    "play",
    "play_scalar",
    "simulate",
]
