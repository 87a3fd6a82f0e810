"""Runs: ask for pairs and tell outcomes, stop, and go on from a file."""

from duelli.runs.run import Run, load

__all__ = ["Run", "load"]
