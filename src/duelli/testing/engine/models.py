"""The models and blocks that engines are tested with."""

from collections.abc import Callable
from typing import Any

import numpy as np

from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.landscapes import landscape

MakeEngine = Callable[[DuelModel, int], Any]


def _bump(xs: Any) -> Any:
    return 0.4 * np.exp(-3 * ((xs - (0.3, 0.6)) ** 2).sum(axis=1))


MODELS = {
    "cones": DuelModel("two_cones"),
    "steep": DuelModel("sharp", "logistic:10"),
    "deep": DuelModel("two_cones_3d", "linear"),
    "custom": DuelModel(landscape(_bump, 2, best_arm=(0.3, 0.6)), "arctan"),
}
CONES = MODELS["cones"]
BLOCKS = {
    "box": Block((0.0, 0.0), 1.0, (0.9, 0.9), 1000),
    "cube": Block((0.25, 0.125), 0.125, (0.3, 0.1), 77),
    "one": Block((0.5, 0.0), 0.5, (0.2, 0.7), 1),
    "pair": Block((0.4, 0.2), 0.0, (0.9, 0.9), 500),
    "one_pair": Block((1.0, 1.0), 0.0, (0.0, 0.0), 1),
    "self": Block((0.6, 0.6), 0.0, (0.6, 0.6), 64),
}
