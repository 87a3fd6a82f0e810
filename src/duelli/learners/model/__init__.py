"""The learner for small budgets: a Bayesian model of the utility that varies its pairs."""

from duelli.learners.model.config import ModelConfig
from duelli.learners.model.learner import PreferenceModel

__all__ = ["ModelConfig", "PreferenceModel"]
