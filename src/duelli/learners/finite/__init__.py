"""Learners for finitely many arms, on the cells of a uniform grid."""

from duelli.learners.finite.interleaved_filter import FilterConfig, InterleavedFilter

__all__ = ["FilterConfig", "InterleavedFilter"]
