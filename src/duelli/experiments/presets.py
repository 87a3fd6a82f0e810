"""Presets of contests: what is compared if the user does not say."""

from dataclasses import dataclass

from duelli.experiments.trials import is_problem


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


def preset_for(landscapes: tuple[str, ...]) -> Preset:
    """Return the preset whose other choices suit the landscapes."""
    return SMALL if all(map(is_problem, landscapes)) else LARGE
