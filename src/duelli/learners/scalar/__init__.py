"""Learners of rewards, one pull at a time, and reductions that make them learners of duels."""

from duelli.learners.scalar.anchored_doubler import AnchoredDoubler
from duelli.learners.scalar.base import PullLearner
from duelli.learners.scalar.doubler import Doubler
from duelli.learners.scalar.multi_sbm import MultiSbm
from duelli.learners.scalar.registry import SCALARS
from duelli.learners.scalar.sparring import Sparring

__all__ = ["SCALARS", "AnchoredDoubler", "Doubler", "MultiSbm", "PullLearner", "Sparring"]
