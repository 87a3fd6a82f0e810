"""Learners for finitely many arms: the cells of a uniform grid, or points all over the box."""

from duelli.learners.finite.halving import SuccessiveHalving, SuccessiveHalvingConfig
from duelli.learners.finite.interleaved_filter import InterleavedFilter, InterleavedFilterConfig

__all__ = [
    "InterleavedFilter",
    "InterleavedFilterConfig",
    "SuccessiveHalving",
    "SuccessiveHalvingConfig",
]
