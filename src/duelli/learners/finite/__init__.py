"""Learners for finitely many arms: the cells of a uniform grid, or points all over the box."""

from duelli.learners.finite.beat_the_mean import BeatTheMean, BeatTheMeanConfig
from duelli.learners.finite.double_thompson_sampling import (
    DoubleThompsonSampling,
    DoubleThompsonSamplingConfig,
)
from duelli.learners.finite.halving import SuccessiveHalving, SuccessiveHalvingConfig
from duelli.learners.finite.interleaved_filter import InterleavedFilter, InterleavedFilterConfig
from duelli.learners.finite.rmed import Rmed1, RmedConfig
from duelli.learners.finite.rmed2 import Rmed2, Rmed2Config, Rmed2f
from duelli.learners.finite.rucb import Rucb, RucbConfig
from duelli.learners.finite.savage import Savage, SavageConfig
from duelli.learners.finite.versatile_db import VersatileDb, VersatileDbConfig
from duelli.learners.finite.winner_stays import WinnerStays, WinnerStaysConfig

__all__ = [
    "BeatTheMean",
    "BeatTheMeanConfig",
    "DoubleThompsonSampling",
    "DoubleThompsonSamplingConfig",
    "InterleavedFilter",
    "InterleavedFilterConfig",
    "Rmed1",
    "Rmed2",
    "Rmed2Config",
    "Rmed2f",
    "RmedConfig",
    "Rucb",
    "RucbConfig",
    "Savage",
    "SavageConfig",
    "SuccessiveHalving",
    "SuccessiveHalvingConfig",
    "VersatileDb",
    "VersatileDbConfig",
    "WinnerStays",
    "WinnerStaysConfig",
]
