"""SCALARS: the learners of rewards by name."""

from typing import Any

from duelli.learners.scalar.a_blin import ABlin
from duelli.learners.scalar.base import PullLearner
from duelli.learners.scalar.cab1 import Cab1
from duelli.learners.scalar.d_blin import DBlin
from duelli.learners.scalar.hoo import Hoo
from duelli.learners.scalar.log_li import LogLi
from duelli.learners.scalar.robust_zooming import RobustZooming
from duelli.learners.scalar.truncated_hoo import TruncatedHoo
from duelli.learners.scalar.ucb1 import Ucb1
from duelli.learners.scalar.zooming import Zooming

SCALARS: dict[str, type[PullLearner[Any, Any]]] = {
    "a_blin": ABlin,
    "cab1": Cab1,
    "d_blin": DBlin,
    "hoo": Hoo,
    "log_li": LogLi,
    "robust_zooming": RobustZooming,
    "truncated_hoo": TruncatedHoo,
    "ucb1": Ucb1,
    "zooming": Zooming,
}
