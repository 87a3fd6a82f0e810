"""Learners: they ask for blocks and are told tallies. ``LEARNERS`` has them by name."""

from typing import Any

from duelli.learners.arc import ArcDuelli

LEARNERS: dict[str, Any] = {
    "arc_duelli": ArcDuelli,
}
