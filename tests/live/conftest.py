"""What the tests of live studies share."""

from .postgres import cluster

__all__ = ["cluster"]
