"""Engines: they answer blocks. ``ENGINES`` has them by name.

Those in ``SIMULATED`` play out a `DuelModel`: ``ENGINES[name](model, seed=0)``. The callback
engine asks the user's own function instead.
"""

from typing import Any

from duelli.engines.callback import Callback
from duelli.engines.collapsed import Collapsed
from duelli.engines.per_duel import PerDuel

__all__ = ["ENGINES", "SIMULATED", "Callback", "Collapsed", "PerDuel"]

ENGINES: dict[str, Any] = {
    "collapsed": Collapsed,
    "per_duel": PerDuel,
    "callback": Callback,
}
SIMULATED = ("collapsed", "per_duel")
