"""Contracts: what learners and engines must offer, as protocols; inheritance is not needed."""

from duelli.contracts.engine import Engine
from duelli.contracts.learner import Learner
from duelli.contracts.observer import Observer
from duelli.contracts.scalar import ScalarLearner

__all__ = ["Engine", "Learner", "Observer", "ScalarLearner"]
