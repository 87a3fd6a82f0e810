"""The answer to a block, made without the checks that guard against wrong input."""

from duelli.blocks import Played, Tally
from duelli.cubes import Arm

_new, _set = object.__new__, object.__setattr__


def played(n: int, wins: float, witness: Arm, regret: float, weak_regret: float) -> Played:
    """Return ``Played(Tally(n, wins, witness), regret, weak_regret)`` in half of the time.

    The wins of an engine lie in [0, n] by construction. For a block of one duel the checks of
    `Tally` would take longer than the duel.
    """
    tally = _new(Tally)
    _set(tally, "n", n)
    _set(tally, "wins", wins)
    _set(tally, "witness", witness)
    answer = _new(Played)
    _set(answer, "tally", tally)
    _set(answer, "regret", regret)
    _set(answer, "weak_regret", weak_regret)
    return answer
