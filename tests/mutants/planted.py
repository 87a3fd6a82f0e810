"""Bugs planted by hand: each has survived the tests once, or would be the worst to have."""

RACE = "learners/race/"

# Name, file, and what is written in the place of what.
PLANTED = [
    (
        "the null hypothesis is three times too small",
        RACE + "scan.py",
        [("0.5 - config.bias(h) * (", "0.5 - config.bias(h) / 3 * (")],
    ),
    (
        "the level is not shared among rounds",
        RACE + "scan.py",
        [("i * (i + 1) * depths / share", "depths / share")],
    ),
    (
        "every rival is accepted",
        RACE + "machine.py",
        [("if gap < -Z_RIVAL * sd or (fine and gap <= 0):", "if False:")],
    ),
    (
        "boxes are not intersected",
        RACE + "scan.py",
        [
            ("tuple(map(max, state.seen_low, memory.low))", "state.seen_low"),
            ("tuple(map(min, state.seen_high, memory.high))", "state.seen_high"),
        ],
    ),
    (
        "a round that was given up is not undone",
        RACE + "scan.py",
        [("round=memory.round - state.deeper,", ""), ("alive=state.alive_before,", "")],
    ),
    (
        "the last word is always for the new arm",
        RACE + "machine.py",
        [("state.wins - state.n / 2 + state.lead * before >= 0", "True")],
    ),
    (
        "the certificate knows no noise",
        RACE + "scan.py",
        [("bound = gap + math.sqrt(", "bound = gap + 0 * math.sqrt(")],
    ),
    (
        "a direction that falls too little is made shorter",
        RACE + "sweeps.py",
        [("stretch = np.exp(-np.clip(", "stretch = np.exp(np.clip(")],
    ),
    (
        "the drop is stretched with the step",
        RACE + "polish.py",
        [
            ("local.step * growth, config)", "local.step * growth * stretch, config)"),
            ("longer = learnt.step * stretch", "longer = learnt.step"),
        ],
    ),
    (
        "the power of the drop is upside down",
        RACE + "polish.py",
        [("** _power(local, config.dim)", "** (1 / _power(local, config.dim))")],
    ),
    (
        "the power is never learnt",
        RACE + "polish.py",
        [("if local.sweeps != SETTLED:", "if True:")],
    ),
    (
        "what is expected of a cell does not depend on its distance",
        RACE + "machine.py",
        [("local.drop * steps_to(local, memory.reference, outcome.best)", "local.drop")],
    ),
    (
        "the ranking scatters by its width and not by an sd",
        RACE + "machine.py",
        [("scan.LAST_WIDTH / scan.Z_LAST", "scan.LAST_WIDTH")],
    ),
    (
        "every best cell is news",
        RACE + "machine.py",
        [("max(-width, _expected(outcome, config))", "-width")],
    ),
    (
        "a sweep may be as large as it likes",
        RACE + "polish.py",
        [("min(_enough(memory.local.drop), most)", "_enough(memory.local.drop)")],
    ),
    (
        "the witness is always the first arm",
        "serving.py",
        [("place = _rng.below(self._key, -1 - b, block.n)", "place = 0")],
    ),
]
