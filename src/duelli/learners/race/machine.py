"""The way from each phase of ArcRace to the next (docs/arc_race.md, section 2)."""

import math
from dataclasses import replace

from duelli.blocks import Block, Tally
from duelli.cubes import Arm
from duelli.learners.race import polish, scan
from duelli.learners.race.config import FIRST_GOAL, RaceConfig, snap
from duelli.learners.race.states import Check, Commit, Course, Polish, Scan, State

# Each constant has its place in docs/arc_race.md.
PAY = 0.003  # a round may cost this share of 2 b_m times the duels left (Theorem)
OVERRUN = 3.0  # and is given up at this multiple of it (Theorem)
STRIDE = 2  # depths that a round gains, if that pays: b falls by 4 at most (Lemma 4)
CHALLENGE = 0.5  # the best cell is a rival if its gap is above this share of -b_m (section 1)
Z_RIVAL = 3.0  # sd by which a rival must win (Lemma 4)
Z_WORSE = 3.5  # sd by which a polished arm must lose (section 1)


def initial(config: RaceConfig) -> State:
    """Return the state before the first duel.

    Paper: Alg. 1, line 4.
    """
    start = snap((0.5,) * config.dim if config.start is None else config.start)
    goal = FIRST_GOAL if config.horizon is None else config.horizon
    course = Course(
        duels=0,
        goal=goal,
        arm=start,
        step=polish.FIRST_STEP,
        low=(0.0,) * config.dim,
        high=(1.0,) * config.dim,
    )
    if not config.has("local_search"):
        return _decide(course, config)
    return polish.begin(course, config, step=polish.FIRST_STEP, fresh=True)


def next_block(state: State, config: RaceConfig) -> Block | None:
    """Return the block that ``state`` calls for; None once the horizon is used up.

    Paper: Alg. 1, lines 13 and 20; Alg. 2, line 4.
    """
    course = state.course
    if config.horizon is not None and course.duels >= config.horizon:
        return None
    match state:
        case Polish():
            return polish.block(state, config)
        case Check():
            return _check_block(state, config)
        case Scan():
            return scan.block(state, config)
        case Commit():
            return Block(course.arm, 0.0, course.arm, max(1, course.left))


def advance(state: State, tally: Tally, config: RaceConfig) -> State:
    """Return the state that follows once the block of `next_block` came back as ``tally``.

    Paper: Alg. 1, lines 5-20; Alg. 2.
    """
    match state:
        case Polish():
            return _after_polish(polish.told(state, tally, config), config)
        case Check():
            return _told_check(state, tally, config)
        case Scan():
            return _after_scan(scan.told(state, tally, config), config)
        case Commit(course=course):
            course = replace(course, duels=course.duels + tally.n)
            if config.horizon is not None:
                return Commit(course=course)
            # Without a horizon: pretend that as many duels again are to come.
            return _decide(replace(course, goal=2 * course.duels, final=False), config)


def _after_polish(outcome: Polish | polish.Polished, config: RaceConfig) -> State:
    if isinstance(outcome, Polish):
        return outcome
    if outcome.old == outcome.course.arm:
        return _decide(outcome.course, config)
    return Check(course=outcome.course, old=outcome.old, rival=outcome.rival)


def _check_block(state: Check, config: RaceConfig) -> Block:
    course = state.course
    first = 1 / (4 * config.resolution(course.round)) ** 2 if state.rival else 16
    n = max(config.min_block, state.n or int(first))
    n = n if config.horizon is None else min(n, course.left)
    return Block(course.arm, 0.0, state.old, n)


def _told_check(state: Check, tally: Tally, config: RaceConfig) -> State:
    """A rival has to prove itself; a polished arm only has to be no worse."""
    course = replace(state.course, duels=state.course.duels + tally.n)
    state = replace(state, course=course, n=state.n + tally.n, wins=state.wins + tally.wins)
    gap, sd = state.wins / state.n - 0.5, 0.5 / math.sqrt(state.n)
    fine = 2 * sd < polish.stop_drop(course, config)
    back = replace(course, arm=state.old)
    if state.rival:
        if gap < -Z_RIVAL * sd or (fine and gap <= 0):
            return polish.begin(back, config, step=2.0**-course.round)  # its own was left out
        return _decide(course, config) if gap > Z_RIVAL * sd or fine else state
    if gap < -Z_WORSE * sd:
        return _decide(back, config)
    return _decide(course, config) if gap > sd or fine else state


def _decide(course: Course, config: RaceConfig) -> State:
    """Begin a round if it pays, the deeper the better; else make ready to commit (slack 7)."""
    pays = config.has("must_pay")
    limit = PAY * course.left * 2 * config.resolution(course.round)
    if not course.final:
        for deeper in range(STRIDE, 0, -1):
            if not pays or _predicted(course, deeper, config) <= limit:
                most = OVERRUN * limit if pays else math.inf
                opened = scan.begin(course, config, deeper=deeper, limit=most)
                return _after_scan(opened, config)
    return _finish(course, config)


def _predicted(course: Course, deeper: int, config: RaceConfig) -> float:
    """Return the regret that the next round should cost (docs/arc_race.md, section 3)."""
    cells = 1.2 * 2.0 ** (config.dim * deeper) + 3.0
    return course.cost + course.alive * cells / config.resolution(course.round)


def _finish(course: Course, config: RaceConfig) -> State:
    if course.final or not config.has("local_search"):
        return Commit(course=replace(course, final=True))
    step = min(polish.FIRST_STEP, course.step)
    return polish.begin(replace(course, final=True), config, step=step)


def _after_scan(outcome: Scan | scan.Scanned, config: RaceConfig) -> State:
    if isinstance(outcome, Scan):
        return outcome
    course = outcome.course
    if not outcome.completed:
        return _finish(course, config)  # given up: the reference stays
    threshold = -CHALLENGE * config.resolution(course.round)
    if outcome.best is not None and outcome.best_gap > threshold:
        return _challenge(course, outcome.best, config)
    if not config.has("local_search"):
        return _decide(course, config)
    return polish.begin(course, config, step=min(polish.FIRST_STEP, course.step))


def _challenge(course: Course, best: Arm, config: RaceConfig) -> State:
    """Polish the best cell's centre, then let it challenge the reference."""
    rival, old = replace(course, arm=best), course.arm
    if not config.has("local_search"):
        return _decide(rival, config)
    return polish.begin(rival, config, step=2.0**-course.round, rival_to=old, fresh=True)
