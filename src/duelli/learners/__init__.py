"""Learners: they ask for steps and are told tallies. ``LEARNERS`` has them by name."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from duelli import _check
from duelli.learners.arc import ArcDuelli
from duelli.learners.auto import Auto
from duelli.learners.base import BlockLearner
from duelli.learners.descent import (
    BetaNgd,
    Clop,
    ComparisonGradient,
    CompGpUcb,
    CoordinateSearch,
    Dbgd,
    EpochRgd,
    KernelSelfSparring,
    NcSmd,
    Rgd,
    Spsa,
)
from duelli.learners.finite import (
    BeatTheMean,
    DoubleThompsonSampling,
    InterleavedFilter,
    Rmed1,
    Rmed2,
    Rmed2f,
    Rucb,
    Savage,
    SuccessiveHalving,
    VersatileDb,
    WinnerStays,
)
from duelli.learners.model import PreferenceModel
from duelli.learners.race import ArcRace
from duelli.learners.scalar import AnchoredDoubler, Doubler, MultiSbm, Sparring

LEARNERS: dict[str, type[BlockLearner[Any, Any]]] = {
    "anchored_doubler": AnchoredDoubler,
    "arc_duelli": ArcDuelli,
    "arc_race": ArcRace,
    "auto": Auto,
    "beat_the_mean": BeatTheMean,
    "beta_ngd": BetaNgd,
    "clop": Clop,
    "comp_gp_ucb": CompGpUcb,
    "comparison_gradient": ComparisonGradient,
    "coordinate_search": CoordinateSearch,
    "dbgd": Dbgd,
    "double_thompson_sampling": DoubleThompsonSampling,
    "doubler": Doubler,
    "epoch_rgd": EpochRgd,
    "interleaved_filter": InterleavedFilter,
    "kernel_self_sparring": KernelSelfSparring,
    "multi_sbm": MultiSbm,
    "nc_smd": NcSmd,
    "preference_model": PreferenceModel,
    "rgd": Rgd,
    "rmed1": Rmed1,
    "rmed2": Rmed2,
    "rmed2f": Rmed2f,
    "rucb": Rucb,
    "savage": Savage,
    "sparring": Sparring,
    "spsa": Spsa,
    "successive_halving": SuccessiveHalving,
    "versatile_db": VersatileDb,
    "winner_stays": WinnerStays,
}

DEFAULT_LEARNER = "auto"  # of optimize, Run, plan and the command line

# What the kits and the docs add to ``dim=2`` and a horizon, where a learner needs or wants more.
EXAMPLES: dict[str, dict[str, Any]] = {
    "anchored_doubler": {"scalar": "log_li", "scalar_inputs": {"const": 0.05}},  # has long blocks
    "arc_duelli": {"slope_max": 0.25},
    "arc_race": {"slope_max": 0.25},
    "auto": {"batch": 250, "handover": 500},  # so that both of its parts are played
    "beat_the_mean": {"cells": 3},  # what remembers arms, or pairs of arms, has few of them
    "clop": {"batch": 25},  # a model is fitted in every step
    "comp_gp_ucb": {"batch": 25, "candidates": 40},
    "double_thompson_sampling": {"cells": 3},
    "doubler": {"scalar": "zooming", "lipschitz": 4.0},  # remembers few arms, and adds some early
    "interleaved_filter": {"cells": 6},
    "kernel_self_sparring": {"batch": 25, "candidates": 40},
    "multi_sbm": {"cells": 2},
    "preference_model": {"batch": 250},  # many pairs in a step take little more time than one
    "rmed1": {"cells": 3},
    "rmed2": {"cells": 3},
    "rmed2f": {"cells": 3},
    "rucb": {"cells": 3},
    "savage": {"cells": 3},
    "sparring": {"scalar": "zooming", "lipschitz": 4.0},  # as for doubler
    "versatile_db": {"cells": 3},
    "winner_stays": {"cells": 3},
}


def inputs_for(name: str, known: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a learner: what it can use of the known facts, and all that is given.

    Args:
        name: The learner's name.
        known: Facts that learners may want, such as the slopes of the link.
        given: What the user sets, each of which the learner must have.
    """
    names = {field.name for field in fields(_check.registered("learner", name, LEARNERS).Config)}
    _check.known_keys(f"the inputs of {name}", given, names)
    return {**{key: known[key] for key in known if key in names}, **given}
