"""What a saved state of ArcRace must be like for any run to have been in it."""

from duelli.learners.race.config import RaceConfig
from duelli.learners.race.states import Confirm, Local, Memory, Polish, Scan, State
from duelli.learners.race.sweeps import LEAST_AXIS, axes_of, shape_length

MAX_ROUND = 64  # the cells of later rounds are smaller than floats can tell
MIN_STEP, MAX_STEP = 2.0**-24, 0.5  # a smaller one would round to the reference itself
MIN_DROP = 2.0**-40  # no number of duels would show a smaller one
MIN_AXIS, MAX_AXIS = LEAST_AXIS / 2, 1.25  # runs have [LEAST_AXIS, 1], and round a little
MAX_TREND = 4.0  # in standard deviations; larger slopes count as this


def check_state(state: State, config: RaceConfig) -> None:
    """Raise ValueError if no run with these inputs can be in ``state``."""
    memory = state.memory
    _check_memory(memory, config)
    if isinstance(state, Polish | Confirm) and state.old_local is not None:
        _check_local("state.old_local", state.old_local, config)
    if isinstance(state, Polish) and not state.memory.local.drop:
        raise ValueError("state.memory.local.drop must be positive in a polish; got 0")
    if isinstance(state, Confirm | Scan):
        _check_wins(state.wins, state.n)
    if isinstance(state, Confirm) and state.old == memory.reference:
        raise ValueError(f"state.old must differ from the reference; got {state.old}")
    if isinstance(state, Scan) and len(state.path) >= memory.round:
        raise ValueError(
            f"state.path must be shorter than the round {memory.round}; got {state.path}"
        )


def _check_memory(memory: Memory, config: RaceConfig) -> None:
    if not 1 <= memory.round <= MAX_ROUND:
        raise ValueError(f"state.memory.round must lie in [1, {MAX_ROUND}]; got {memory.round}")
    _check_local("state.memory.local", memory.local, config)
    if memory.done > memory.begun:
        raise ValueError(
            f"state.memory.done must be at most {memory.begun}, the rounds begun; got {memory.done}"
        )
    if memory.begun > memory.duels + 1:
        raise ValueError(
            f"state.memory.begun must be at most {memory.duels + 1}, as every round but the last "
            f"has a duel; got {memory.begun}"
        )
    if config.horizon is not None and memory.horizon_now != config.horizon:
        raise ValueError(
            f"state.memory.horizon_now must be the horizon {config.horizon}; "
            f"got {memory.horizon_now}"
        )


def _check_local(name: str, local: Local, config: RaceConfig) -> None:
    if not MIN_STEP <= local.step <= MAX_STEP:
        raise ValueError(f"{name}.step must lie in [{MIN_STEP:g}, {MAX_STEP}]; got {local.step}")
    if not (local.drop == 0 or MIN_DROP <= local.drop <= 0.5):
        raise ValueError(f"{name}.drop must be 0 or lie in [{MIN_DROP:g}, 0.5]; got {local.drop}")
    _check_shape(name, local, config)
    _check_settled(name, local)
    if len(local.trend) not in (0, config.dim):
        raise ValueError(f"{name}.trend must have {config.dim} entries or none; got {local.trend}")
    if any(abs(entry) > MAX_TREND for entry in local.trend):
        raise ValueError(f"{name}.trend must lie in [-{MAX_TREND:g}, {MAX_TREND:g}]")


def _check_shape(name: str, local: Local, config: RaceConfig) -> None:
    entries = shape_length(config.dim)
    if len(local.shape) not in (0, entries):
        raise ValueError(f"{name}.shape must have {entries} entries or none; got {local.shape}")
    axes = axes_of(local.shape, config.dim)
    if not MIN_AXIS <= axes.min() <= axes.max() <= MAX_AXIS:
        raise ValueError(
            f"{name}.shape must have half-axes in [{MIN_AXIS:g}, {MAX_AXIS:g}]; got {local.shape}"
        )


def _check_settled(name: str, local: Local) -> None:
    if not local.settled:
        return
    if len(local.settled) != 2:
        raise ValueError(f"{name}.settled must have 2 entries or none; got {local.settled}")
    size, drop = local.settled
    if not (0 < size <= MAX_STEP and MIN_DROP <= drop <= 0.5):
        raise ValueError(
            f"{name}.settled must have a half-axis in (0, {MAX_STEP}] and a drop in "
            f"[{MIN_DROP:g}, 0.5]; got {local.settled}"
        )
    if not local.drop:
        raise ValueError(f"{name}.settled must be empty where the drop is 0; got {local.settled}")


def _check_wins(wins: float, n: int) -> None:
    if not 0 <= wins <= n:
        raise ValueError(f"state.wins must lie in [0, n] = [0, {n}]; got {wins}")
