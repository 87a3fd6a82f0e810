"""Learners of continuous arms that are not built on cubes: they move points, or model them."""

from duelli.learners.descent.beta_ngd import BetaNgd, BetaNgdConfig
from duelli.learners.descent.clop import Clop, ClopConfig
from duelli.learners.descent.comp_gp_ucb import CompGpUcb, CompGpUcbConfig
from duelli.learners.descent.comparison_gradient import ComparisonGradient
from duelli.learners.descent.coordinate_search import CoordinateSearch, CoordinateSearchConfig
from duelli.learners.descent.dbgd import Dbgd, DbgdConfig
from duelli.learners.descent.epoch_rgd import EpochRgd, EpochRgdConfig
from duelli.learners.descent.gradient_inputs import ComparisonGradientConfig
from duelli.learners.descent.kernel_self_sparring import (
    KernelSelfSparring,
    KernelSelfSparringConfig,
)
from duelli.learners.descent.nc_smd import NcSmd, NcSmdConfig
from duelli.learners.descent.rgd import Rgd, RgdConfig
from duelli.learners.descent.spsa import Spsa, SpsaConfig

__all__ = [
    "BetaNgd",
    "BetaNgdConfig",
    "Clop",
    "ClopConfig",
    "CompGpUcb",
    "CompGpUcbConfig",
    "ComparisonGradient",
    "ComparisonGradientConfig",
    "CoordinateSearch",
    "CoordinateSearchConfig",
    "Dbgd",
    "DbgdConfig",
    "EpochRgd",
    "EpochRgdConfig",
    "KernelSelfSparring",
    "KernelSelfSparringConfig",
    "NcSmd",
    "NcSmdConfig",
    "Rgd",
    "RgdConfig",
    "Spsa",
    "SpsaConfig",
]
