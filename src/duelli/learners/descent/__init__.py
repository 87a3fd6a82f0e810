"""Learners that follow the slope of the utility."""

from duelli.learners.descent.spsa import Spsa, SpsaConfig

__all__ = ["Spsa", "SpsaConfig"]
