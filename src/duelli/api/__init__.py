"""The public functions: `simulate` for researchers, `optimize` for people with a real judge."""

from duelli.api.optimization import optimize
from duelli.api.result import Result, result_of
from duelli.api.simulation import simulate

__all__ = ["Result", "optimize", "result_of", "simulate"]
