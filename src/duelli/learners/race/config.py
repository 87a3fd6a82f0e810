"""The inputs of ArcRace, and the constants of docs/arc_race.md with their places in it."""

from dataclasses import dataclass

from duelli import _check, _rng
from duelli.cubes import Arm
from duelli.learners.base import AIMS

# What the paper leaves unused (docs/arc_race.md, section 4); each can be switched off, to see what
# it is worth.
SLACKS = (
    "any_reference",
    "one_chain",
    "cheap_last",
    "cheap_accept",
    "centre",
    "nearest",
    "local_search",
    "must_pay",
)
ARM_UNITS = 2.0**32  # arms are multiples of 1 / ARM_UNITS: ten digits hold a coordinate
FIRST_HORIZON = 256  # without a horizon: the one that is assumed at first
CERTIFICATE_SHARE = 0.5  # of δ, for the bounds on gaps; eliminations have the rest (Lemma 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceConfig:
    """The inputs of ArcRace.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels; None for a run without an end.
        slope_max: Γ, the largest slope of the link.
        lipschitz: L of the utility in unit coordinates, maximum norm.
        failure_prob: δ: a claim of `ArcRace.best` fails with at most this probability.
        caution: Scales the squared confidence width of eliminations: 1 keeps the guarantee, less
            is bolder and gives it up.
        min_block: No block is smaller than this while it can be helped, so that many judges can
            work at once.
        start: The first reference; the middle of the box if None.
        aim: "regret" plays exactly ``horizon`` duels, in the end the best arm against itself;
            "answer" wants the best arm only: at most ``horizon`` duels, and no arm meets itself.
        seed: Unused by the algorithm, which draws nothing; kept so that every learner takes one.
        without: Slacks to do without, for ablations; see ``SLACKS``.
    """

    dim: int
    horizon: int | None = None
    slope_max: float
    lipschitz: float = 1.0
    failure_prob: float = 0.05
    caution: float = 1.0
    min_block: int = 8
    start: Arm | None = None
    aim: str = "regret"
    seed: int = 0
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        without = (self.without,) if isinstance(self.without, str) else tuple(self.without)
        checked: dict[str, object] = {
            "dim": dim,
            "slope_max": _check.positive("slope_max", self.slope_max),
            "lipschitz": _check.positive("lipschitz", self.lipschitz),
            "failure_prob": _check.probability("failure_prob", self.failure_prob),
            "caution": _check.positive("caution", self.caution),
            "min_block": _check.whole("min_block", self.min_block, 1),
            "seed": _rng.check_seed(self.seed),
            "without": without,
        }
        if self.horizon is not None:
            checked["horizon"] = _check.horizon(self.horizon)
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        _check.one_of("aim", self.aim, AIMS)
        for name in without:
            _check.one_of("without", name, SLACKS)
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def has(self, slack: str) -> bool:
        """Tell whether a slack is made use of."""
        return slack not in self.without

    def bias(self, h: int) -> float:
        """Return b_h = Γ L r_h / 2, the most that a centre loses to x* in its cube at depth h.

        It is half of the term Γ r_h of the paper, because the centre is played (Lemma 1 of
        docs/arc_race.md).

        Paper: Lemma 5.1.
        """
        whole = self.slope * 2.0 ** (1 - h)
        return whole / 2 if self.has("centre") else whole

    @property
    def slope(self) -> float:
        """Γ L: how much the win rate changes at most across the box."""
        return self.slope_max * self.lipschitz

    def resolution(self, h: int) -> float:
        """Return b_h, but at most 1/2, which no gap exceeds.

        Paper: Section 3, the definition of the gap.
        """
        return min(0.5, self.bias(h))


def snap(point: "list[float] | Arm") -> Arm:
    """Return the point of the grid of arms nearest to ``point``, inside the box.

    Paper: Lemma 5.5, arms of finite precision.
    """
    return tuple(round(min(1.0, max(0.0, x)) * ARM_UNITS) / ARM_UNITS for x in point)
