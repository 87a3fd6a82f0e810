"""Engines: they answer blocks. ``ENGINES`` has them by name.

Those in ``SIMULATED`` play out a `DuelModel`: ``SIMULATED[name](model, seed=0)``. The callback
engine calls the user's own function instead.
"""

from duelli.engines.callback import Callback
from duelli.engines.collapsed import Collapsed
from duelli.engines.per_duel import PerDuel

__all__ = ["ENGINES", "SIMULATED", "Callback", "Collapsed", "PerDuel"]

SIMULATED: dict[str, type[Collapsed] | type[PerDuel]] = {
    "collapsed": Collapsed,
    "per_duel": PerDuel,
}
ENGINES: dict[str, type[Collapsed] | type[PerDuel] | type[Callback]] = {
    **SIMULATED,
    "callback": Callback,
}
