"""ArcConfig: the inputs of the paper, and what follows from them alone."""

from dataclasses import dataclass
from functools import lru_cache

from duelli import _check, _rng
from duelli.cubes import Arm, Path
from duelli.learners.arc import schedule

ORDERS = ("lexicographic", "random")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcConfig:
    """The inputs of the paper.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        slope_max: Γ, the largest slope of the link.
        lipschitz: L of the utility in unit coordinates, maximum norm.
        zooming_dim: d_z, from which B follows; None to run rounds until the duels are used up.
        num_rounds: B itself, instead of ``zooming_dim``.
        failure_prob: δ.
        slope_ratio: κ = Γ/λ if known: `ArcDuelli.best` needs it, the algorithm does not.
        start: X^0; drawn uniformly if None.
        order: The order in which the children of a cube are visited: "lexicographic" or "random".
        seed: Seed of the start and of a random order.
    """

    dim: int
    horizon: int
    slope_max: float
    lipschitz: float = 1.0
    zooming_dim: float | None = None
    num_rounds: int | None = None
    failure_prob: float = 0.05
    slope_ratio: float | None = None
    start: Arm | None = None
    order: str = "lexicographic"
    seed: int = 0

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        checked: dict[str, object] = {
            "dim": dim,
            "horizon": _check.horizon(self.horizon),
            "slope_max": _check.positive("slope_max", self.slope_max),
            "lipschitz": _check.positive("lipschitz", self.lipschitz),
            "failure_prob": _check.probability("failure_prob", self.failure_prob),
            "seed": _rng.check_seed(self.seed),
        }
        if self.zooming_dim is not None:
            checked["zooming_dim"] = _check.at_least("zooming_dim", self.zooming_dim, 0.0)
        if self.num_rounds is not None:
            checked["num_rounds"] = _check.whole("num_rounds", self.num_rounds, 1)
        if self.slope_ratio is not None:
            checked["slope_ratio"] = _check.at_least("slope_ratio", self.slope_ratio, 1.0)
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        if self.zooming_dim is not None and self.num_rounds is not None:
            raise ValueError("give zooming_dim or num_rounds, not both: each sets B")
        _check.one_of("order", self.order, ORDERS)
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def block_size(self, h: int) -> int:
        """Return n_h of this run. Paper: Alg. 1, line 3."""
        return schedule.block_size(h, horizon=self.horizon, failure_prob=self.failure_prob)

    def margin(self, h: int) -> float:
        """Return 2 r_h (1 + L Γ) of this run. Paper: Alg. 2, line 12."""
        return schedule.elimination_margin(h, slope_max=self.slope_max, lipschitz=self.lipschitz)

    def last_round(self) -> int | None:
        """Return B; None if only the horizon ends the run (F6). Paper: Alg. 1, line 1."""
        if self.zooming_dim is None:
            return self.num_rounds
        return schedule.num_rounds(horizon=self.horizon, zooming_dim=self.zooming_dim)

    def next_child(self, round_: int, parent: Path, child: int | None) -> int | None:
        """Return the child of ``parent`` that comes after ``child``, the first one after None.

        Paper: Alg. 2, line 14, which leaves the order open (F10).
        """
        if self.order == "lexicographic":
            number = 0 if child is None else child + 1
            return number if number < 2**self.dim else None
        order = _shuffled(self.seed, round_, parent, 2**self.dim)
        place = 0 if child is None else order.index(child) + 1
        return order[place] if place < len(order) else None


@lru_cache(maxsize=64)  # a walk asks for the same few ancestors again and again
def _shuffled(seed: int, round_: int, parent: Path, count: int) -> tuple[int, ...]:
    address = _rng.word(_rng.key(seed, "learner"), round_)
    for child in parent:
        address = _rng.word(address, child)
    return _rng.permutation(address, count)
