"""Multiset: arms with their counts, from which one can be drawn."""

import bisect
import itertools
from dataclasses import dataclass, field

from duelli.cubes import Arm
from duelli.learners.codec import Point


@dataclass(slots=True, kw_only=True)
class Multiset:
    """Different arms in the order in which they came, each with its count."""

    arms: list[Point]
    counts: list[int]
    _places: dict[Arm, int] = field(init=False, repr=False, compare=False)
    _ends: list[int] = field(init=False, repr=False, compare=False, default_factory=list)

    def __post_init__(self) -> None:
        self._places = {arm: i for i, arm in enumerate(self.arms)}

    @property
    def size(self) -> int:
        """The number of arms, each as often as it was added."""
        return sum(self.counts)

    def add(self, arm: Arm) -> None:
        """Add an arm once more."""
        place = self._places.setdefault(arm, len(self.arms))
        if place == len(self.arms):
            self.arms.append(arm)
            self.counts.append(0)
        self.counts[place] += 1
        self._ends = []

    def __getitem__(self, i: int) -> Arm:
        """Return arm number ``i`` of those that were added, with equal ones next to each other."""
        if not self._ends:
            self._ends = list(itertools.accumulate(self.counts))
        return self.arms[bisect.bisect_right(self._ends, i)]

    def check(self, name: str, size: int) -> None:
        """Raise ValueError unless these are ``size`` arms; errors call them ``name``."""
        distinct = len(self._places) == len(self.arms) == len(self.counts)
        if not distinct or 0 in self.counts or self.size != size:
            raise ValueError(
                f"{name} must hold different arms with counts that add up to {size}; it does not"
            )
