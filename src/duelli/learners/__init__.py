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
from duelli.learners.finite import InterleavedFilter, SuccessiveHalving
from duelli.learners.model import PreferenceModel
from duelli.learners.race import ArcRace
from duelli.learners.scalar import AnchoredDoubler, Doubler, MultiSbm, Sparring

LEARNERS: dict[str, type[BlockLearner[Any, Any]]] = {
    "anchored_doubler": AnchoredDoubler,
    "arc_duelli": ArcDuelli,
    "arc_race": ArcRace,
    "auto": Auto,
    "beta_ngd": BetaNgd,
    "clop": Clop,
    "comp_gp_ucb": CompGpUcb,
    "comparison_gradient": ComparisonGradient,
    "coordinate_search": CoordinateSearch,
    "dbgd": Dbgd,
    "doubler": Doubler,
    "epoch_rgd": EpochRgd,
    "interleaved_filter": InterleavedFilter,
    "kernel_self_sparring": KernelSelfSparring,
    "multi_sbm": MultiSbm,
    "nc_smd": NcSmd,
    "preference_model": PreferenceModel,
    "rgd": Rgd,
    "sparring": Sparring,
    "spsa": Spsa,
    "successive_halving": SuccessiveHalving,
}

DEFAULT_LEARNER = "auto"  # of optimize, Run, plan and the command line

# What the kits and the docs add to ``dim=2`` and a horizon, where a learner needs or wants more.
EXAMPLES: dict[str, dict[str, Any]] = {
    "anchored_doubler": {"scalar": "log_li", "scalar_inputs": {"const": 0.05}},  # has long blocks
    "arc_duelli": {"slope_max": 0.25},
    "arc_race": {"slope_max": 0.25},
    "auto": {"batch": 250, "handover": 500},  # so that both of its parts are played
    "clop": {"batch": 25},  # a model is fitted in every step
    "comp_gp_ucb": {"batch": 25, "candidates": 40},
    "doubler": {"scalar": "zooming", "lipschitz": 4.0},  # remembers few arms, and adds some early
    "interleaved_filter": {"cells": 6},  # it remembers every arm, so that a few are enough
    "kernel_self_sparring": {"batch": 25, "candidates": 40},
    "multi_sbm": {"cells": 2},  # it remembers every pair of arms
    "preference_model": {"batch": 250},  # many pairs in a step take little more time than one
    "sparring": {"scalar": "zooming", "lipschitz": 4.0},  # as for doubler
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
