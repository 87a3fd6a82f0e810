"""Presets of contests: what is compared if the user does not say."""

from dataclasses import dataclass

from duelli.experiments.trials import is_problem
from duelli.landscapes import PROBLEMS
from duelli.learners import LEARNERS
from duelli.record.results import SMALLEST_GAP


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a contest has unless its user says otherwise.

    Args:
        landscapes: Names of landscapes or of practice problems; empty if the user must choose.
        learners: Names of learners, likewise; ratios are relative to the last one.
        horizons: The numbers of duels to play.
        trials: How many trials of each learner, landscape and horizon.
    """

    landscapes: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()
    horizons: tuple[int, ...]
    trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaPreset(Preset):
    """A preset for all learners, with what its page says of it.

    Args:
        title: The title of the page.
        lead: A sentence below the title.
        places: What the landscapes are called there.
        main: Which number ranks go by first, "regret" or "gap".
        smallest: Gaps below this count as this: they are as good as none.
    """

    title: str
    lead: str
    places: str
    main: str
    smallest: float


# Half of these problems are among those on which the constants of preference_model were chosen.
SMALL = Preset(
    landscapes=(
        "wavy/1",
        "bumpy/2",
        "two_cones/2",
        "hartmann/3",
        "skewed/4",
        "rotated_quadratic/5",
        "corner/6",
        "quadratic/8",
    ),
    learners=("spsa", "successive_halving", "arc_race", "preference_model"),
    horizons=(50, 200, 1000),
    trials=16,
)
LARGE = Preset(horizons=(10**4, 10**6, 10**8), trials=20)

PRESETS = {"small": SMALL}

SEVEN = ("two_cones", "flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks")

# With the limits of limits.py, both together take less than a quarter of an hour on two cores.
ARENAS = {
    "paper": ArenaPreset(
        landscapes=SEVEN,
        learners=tuple(LEARNERS),
        horizons=(10**3, 10**4, 10**6, 10**8),
        trials=3,
        title="The arena: the paper's landscapes",
        lead=(
            "All learners on the seven planar landscapes of the paper. Each trial has its own "
            "mirrored and shifted copy, the same for every learner; learners are told the link "
            "and the Lipschitz constant."
        ),
        places="landscapes",
        main="regret",
        smallest=1e-5,
    ),
    "practice": ArenaPreset(
        landscapes=PROBLEMS,
        learners=tuple(LEARNERS),
        horizons=(50, 200, 1000),
        trials=3,
        title="The arena: problems as in practice",
        lead=(
            "All learners on problems with 1 to 8 parameters and few duels. Each trial has its own "
            "instance, the same for every learner; learners are told neither the link nor the "
            "Lipschitz constant, and only their answer counts."
        ),
        places="problems",
        main="gap",
        smallest=SMALLEST_GAP,
    ),
}


def preset_for(landscapes: tuple[str, ...]) -> Preset:
    """Return the preset whose other choices suit the landscapes."""
    return SMALL if all(map(is_problem, landscapes)) else LARGE
