"""Inputs, memories and constants for the tests of ArcRace's transitions."""

from duelli.blocks import Tally
from duelli.learners.race import RaceConfig, looks, machine, polish, scan, survey, sweeps
from duelli.learners.race.states import Local, Memory

HORIZON = 10**6

# The transition tests have constants of their own: they pin the logic and not the tuning.
OWN = {
    looks: {
        "PAIRS": 1,
        "ALONE": 3,
        "NEAR": 0.5,
        "PRECISION": 24.0,
    },
    polish: {
        "FIRST_STEP": 0.3,
        "MIN_STEP": 2.0**-20,
        "FIRST_DROP": 0.5,
        "MIN_DROP": 2.0**-40,
        "SPREAD": 2.0,
        "SHARE_NEW": 0.25,
        "LEAST_NEW": 0.01,
        "GAIN": 1.0,
        "Z_LEAD": 2.0,
        "Z_HOLLOW": 1.0,
        "MOST_RATIO": 5.0,
        "OWN_DROP": 0.5,
        "Z_STEEP": 2.0,
        "Z_CLEAR": 4.0,
        "STEEP": 0.5,
        "RATE": 0.5,
        "SURPRISE": 0.1,
        "PERSIST": 0.5,
        "FADE": 0.5,
        "MOST_NORMAL": 4.0,
        "SETTLED": 12,
        "AS_CONE": 2.0,
        "LEAST_LOWER": 0.5,
        "LEAST_SHORTER": 0.1,
        "MOST_POWER": 2.2,
        "LEAST_SHRINK": 0.5,
        "MOST_GROWTH": 1.5,
        "DIGITS": 4,
        "PATIENCE": 64.0,
        "RIVAL_SHARE": 0.25,
        "STOP": 2.5,
        "STOP_ANSWER": 0.1,
        "SHARE": 0.08,
        "FIRST_SHARE": 0.5,
        "QUIET": 0.5,
        "LOUD": 0.5,
    },
    scan: {
        "CAP_WIDTH": 1.0,
        "UNTESTED": 1,
        "Z_ACCEPT": 1.0,
        "Z_LAST": 2.0,
        "LAST_WIDTH": 0.5,
        "LAST_SPAN": 1024,
        "LAST_LOOKS": 12,
        "NUM_ALTERNATIVES": 5,
        "MIN_TESTABLE_RATE": 0.02,
        "CERTIFICATE_SHARE": 0.4,
    },
    machine: {
        "ROUND_COST_SHARE": 0.003,
        "OVERRUN": 3.0,
        "STRIDE": 2,
        "CHALLENGE": 0.5,
        "Z_EXPECTED": 3.0,
        "Z_RIVAL": 3.0,
        "Z_WORSE": 3.5,
        "CHECK_SHARE": 0.1,
        "BEFORE": 16,
    },
    survey: {
        "POINTS": 8,
        "MOST_POINTS": 64,
        "SHARE": 0.004,
        "CLEAR": 0.1,
        "LEAST_CLEAR": 0.3,
        "Z_BETTER": 2.0,
    },
    sweeps: {
        "MOST_FULL": 8,
        "MOST_STRETCH": 0.5,
        "LEARN": 0.1,
        "LEARN_FIRST": 0.4,
        "LEAST_AXIS": 1 / 64,
        "ROOM": 0.25,
        "DIGITS": 6,
    },
}


def config_of(dim=2, **inputs):
    return RaceConfig(**{"dim": dim, "horizon": HORIZON, "slope_max": 0.25, **inputs})


LOCAL = (
    "step",
    "drop",
    "shape",
    "settled",
    "trend",
    "sweeps",
)  # fields of `Local`, given to `memory_of` as its own


def memory_of(reference, **fields):
    dim = len(reference)
    local = Local(**{"step": 0.25, **{k: fields.pop(k) for k in LOCAL if k in fields}})
    given = {"duels": 0, "horizon_now": HORIZON, "reference": reference, "local": local}
    return Memory(**{**given, "low": (0.0,) * dim, "high": (1.0,) * dim, **fields})


def answers(step, rates):
    """Return the tallies of a step whose blocks win the shares ``rates`` of their duels."""
    pairs = zip(step, rates, strict=True)
    return [Tally(block.n, block.n * rate, block.low) for block, rate in pairs]
