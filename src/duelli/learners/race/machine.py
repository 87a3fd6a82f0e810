"""The way from each phase of ArcRace to the next (docs/arc_race.md, section 2)."""

import math
from collections.abc import Sequence
from dataclasses import replace

from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm
from duelli.learners.race import polish, scan, survey
from duelli.learners.race.config import FIRST_HORIZON, RaceConfig, snap
from duelli.learners.race.evidence import noticed
from duelli.learners.race.states import Commit, Confirm, Local, Memory, Polish, Scan, State, Survey
from duelli.learners.race.sweeps import steps_to

# Each constant has its place in docs/arc_race.md.
ROUND_COST_SHARE = 0.003  # times 2 b_m / d and the duels left: what a round may cost (Theorem)
OVERRUN = 3.0  # and is given up at this multiple of it (Theorem)
STRIDE = 2  # depths that a round gains, if that pays: b falls by 4 at most (Lemma 4)
CHALLENGE = 0.5  # the best cell is a rival if its gap is above this share of -b_m (section 1)
Z_EXPECTED = 4.5  # sd by which it must exceed what the sweeps about X let one expect (section 1)
Z_RIVAL = 3.0  # sd by which a rival must win (Lemma 4)
Z_WORSE = 3.5  # sd by which a polished arm must lose (section 1)
CHECK_SHARE = 0.1  # duels of the check of a polished arm, over those of its polish, at most
BEFORE = 16  # duels that the sweeps of a polished arm count for beside its check


def initial(config: RaceConfig) -> State:
    """Return the state before the first duel.

    Paper: Alg. 1, line 4.
    """
    start = (0.5,) * config.dim if config.start is None else config.start
    memory = _memory_at(config, 0, start)
    return survey.begin(memory, config) or _first_polish(memory, config)


def begun_at(config: RaceConfig, duels: int, reference: Arm) -> State:
    """Return the state that goes on from an arm that others have found with ``duels`` duels.

    Any reference is safe (docs/arc_race.md, Lemma 1), so the guarantee holds from here on.
    """
    return _first_polish(_memory_at(config, duels, reference), config)


def _memory_at(config: RaceConfig, duels: int, reference: Arm) -> Memory:
    horizon_now = max(FIRST_HORIZON, 2 * duels) if config.horizon is None else config.horizon
    return Memory(
        duels=duels,
        horizon_now=horizon_now,
        reference=snap(reference),
        local=Local(step=polish.FIRST_STEP),
        low=(0.0,) * config.dim,
        high=(1.0,) * config.dim,
    )


def _first_polish(memory: Memory, config: RaceConfig) -> State:
    if not config.has("local_search"):
        return _decide(memory, config)
    return polish.begin(memory, config, step=polish.FIRST_STEP)


def next_step(state: State, config: RaceConfig) -> Step:
    """Return the step that ``state`` calls for; () once the run has ended.

    Paper: Alg. 1, lines 13 and 20; Alg. 2, line 4.
    """
    memory = state.memory
    if config.horizon is not None and memory.duels >= config.horizon:
        return ()
    match state:
        case Survey():
            return survey.step(state, config)
        case Polish():
            return polish.step(state, config) or _resting(memory, config)
        case Confirm():
            return (_confirm_block(state, config),)
        case Scan():
            return (scan.block(state, config),)
        case Commit():
            return _resting(memory, config)


def _resting(memory: Memory, config: RaceConfig) -> Step:
    """Return all that remains as the reference against itself; () if only the answer counts."""
    if config.aim == "answer":
        return ()
    return (Block.rest(memory.reference, max(1, memory.left)),)


def advance(state: State, tallies: Sequence[Tally], config: RaceConfig) -> State:
    """Return the state that follows once the step of `next_step` came back as ``tallies``.

    Paper: Alg. 1, lines 5-20; Alg. 2.
    """
    match state:
        case Survey():
            return _first_polish(survey.advance(state, tallies), config)
        case Polish() if not polish.step(state, config):
            return replace(state, memory=_rested(state.memory, tallies))
        case Polish():
            return _after_polish(polish.advance(state, tallies, config), config)
        case Confirm():
            return _after_confirm(state, tallies[0], config)
        case Scan():
            return _after_scan(scan.advance(state, tallies[0], config), config)
        case Commit():
            memory = _rested(state.memory, tallies)
            return Commit(memory=memory) if config.horizon else _go_on(memory, config)


def extended(state: State, config: RaceConfig) -> State:
    """Return the state with which a run goes on to the larger horizon of ``config``."""
    assert config.horizon is not None  # a run without one needs no extension
    memory = replace(state.memory, horizon_now=config.horizon)
    if config.horizon > state.memory.horizon_now:  # the last polish is one like others now
        memory = replace(memory, final=False)
    if isinstance(state, Commit) and memory.left:
        return _decide(memory, config)
    return replace(state, memory=memory)


def _rested(memory: Memory, tallies: Sequence[Tally]) -> Memory:
    return replace(memory, duels=memory.duels + tallies[0].n)


def _go_on(memory: Memory, config: RaceConfig) -> State:
    """Without a horizon: assume that as many duels again are to come."""
    return _decide(replace(memory, horizon_now=2 * memory.duels, final=False), config)


def _after_polish(outcome: Polish | polish.Polished, config: RaceConfig) -> State:
    if isinstance(outcome, Polish):
        return outcome
    if outcome.old == outcome.memory.reference:
        return _decide(outcome.memory, config)
    return Confirm(
        memory=outcome.memory,
        old=outcome.old,
        rival=outcome.rival,
        lead=outcome.lead,
        deadline=outcome.memory.duels + int(CHECK_SHARE * outcome.spent),
        old_local=outcome.old_local,
    )


def _confirm_block(state: Confirm, config: RaceConfig) -> Block:
    memory = state.memory
    if state.rival:
        first = 1 / (4 * config.resolution(memory.round)) ** 2
    else:  # fewer could not show a loss that Γ L allows over this distance
        away = max(abs(a - b) for a, b in zip(memory.reference, state.old, strict=True))
        first = (2 / min(0.5, config.slope * away)) ** 2
    n = state.n or int(first)
    n = n if state.rival else min(n, state.deadline - memory.duels)
    n = max(config.min_block, n)
    n = n if config.horizon is None else min(n, memory.left)
    return Block.pair(memory.reference, state.old, n)


def _after_confirm(state: Confirm, tally: Tally, config: RaceConfig) -> State:
    """A rival has to prove itself; a polished arm only has to be no worse."""
    memory = replace(state.memory, duels=state.memory.duels + tally.n)
    memory = noticed(memory, memory.reference, state.old, tally)
    state = replace(state, memory=memory, n=state.n + tally.n, wins=state.wins + tally.wins)
    gap, sd = state.wins / state.n - 0.5, 0.5 / math.sqrt(state.n)
    fine = 2 * sd < polish.stop_drop(memory, config)
    back = replace(memory, reference=state.old, local=state.old_local or memory.local)
    if state.rival:
        if gap < -Z_RIVAL * sd or (fine and gap <= 0):
            return polish.begin(back, config)  # its own polish was left out
        return _decide(memory, config) if gap > Z_RIVAL * sd or fine else state
    if gap < -Z_WORSE * sd:
        return _decide(back, config)
    late = memory.duels >= state.deadline  # the polish itself knew better than a longer check
    return _decide(memory, config) if gap > sd or fine or late else state


def _decide(memory: Memory, config: RaceConfig) -> State:
    """Begin a round if it pays, the deeper the better; else make ready to commit (slack 7)."""
    pays = config.has("must_pay")
    share = ROUND_COST_SHARE / config.dim
    affordable = share * memory.left * 2 * config.resolution(memory.round)
    if not memory.final:
        for deeper in range(STRIDE, 0, -1):
            if not pays or _predicted(memory, deeper, config) <= affordable:
                most = OVERRUN * affordable if pays else None
                opened = scan.begin(memory, config, deeper=deeper, cost_limit=most)
                return _after_scan(opened, config)
    return _finish(memory, config)


def _predicted(memory: Memory, deeper: int, config: RaceConfig) -> float:
    """Return the regret that the next round should cost (docs/arc_race.md, section 3)."""
    cells = 1.2 * 2.0 ** (config.dim * deeper) + 3.0
    return memory.cost + memory.alive * cells / config.resolution(memory.round)


def _finish(memory: Memory, config: RaceConfig) -> State:
    if memory.final or not config.has("local_search"):
        return Commit(memory=replace(memory, final=True))
    return polish.begin(replace(memory, final=True), config)


def _after_scan(outcome: Scan | scan.Scanned, config: RaceConfig) -> State:
    if isinstance(outcome, Scan):
        return outcome
    memory = outcome.memory
    width = CHALLENGE * config.resolution(memory.round)
    if not outcome.completed:  # given up: only a cell that is clearly better is worth a look
        if outcome.best is None or outcome.best_gap <= width:
            return _finish(memory, config)
        return _challenge(replace(memory, final=True), outcome.best, outcome.best_gap, config)
    if outcome.best is not None and outcome.best_gap > max(-width, _expected(outcome, config)):
        return _challenge(memory, outcome.best, outcome.best_gap, config)
    if not config.has("local_search"):
        return _decide(memory, config)
    return polish.begin(memory, config)


def _expected(outcome: scan.Scanned, config: RaceConfig) -> float:
    """Return the gap up to which the best cell is no news to the sweeps about X.

    They have shown a drop D at the distance of one step, and so, if X stands on a cone or a bowl,
    at least D times as many steps as the cell is away. What scatters about that is left to the
    polish of X. It is at most of the order of b_m, which is all that Lemma 4 needs.
    """
    memory, local = outcome.memory, outcome.memory.local
    if not local.drop or outcome.best is None:
        return -0.5
    scatter = Z_EXPECTED * scan.LAST_WIDTH / scan.Z_LAST * config.resolution(memory.round)
    return scatter - local.drop * steps_to(local, memory.reference, outcome.best)


def _challenge(memory: Memory, best: Arm, gap: float, config: RaceConfig) -> State:
    """Polish the best cell's centre, then let it challenge the reference."""
    rival, old = replace(memory, reference=best), memory.reference
    if not config.has("local_search"):
        return _decide(rival, config)
    return polish.begin(
        rival, config, step=2.0**-memory.round, rival_to=old, lead=gap, old_local=memory.local
    )


def recommended(state: State, config: RaceConfig) -> Arm:
    """Return the arm that the duels so far support best (R1 of docs/arc_race.md, section 1)."""
    reference, width = state.memory.reference, config.resolution(state.memory.round)
    match state:
        case Polish(rival_to=old) if old is not None:
            return reference if state.lead > 0 else old
        case Confirm():
            before = 1 / width**2 if state.rival else BEFORE  # what led here, in duels
            return reference if state.wins - state.n / 2 + state.lead * before >= 0 else state.old
        case Scan(best=best) if best is not None and state.best_gap > CHALLENGE * width:
            return best
    return reference
