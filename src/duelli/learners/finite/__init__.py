"""Learners for finitely many arms, on the cells of a uniform grid."""

from duelli.learners.finite.interleaved_filter import InterleavedFilter, InterleavedFilterConfig

__all__ = ["InterleavedFilter", "InterleavedFilterConfig"]
