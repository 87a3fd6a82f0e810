"""ArcRace replays a run that was written down."""

import json

from duelli.blocks import Tally
from duelli.learners.race import ArcRace
from golden.make_race import FILE, INPUTS, with_own_constants

GOLDEN = json.loads(FILE.read_text())


def replay():
    """Return the golden steps, those that the learner asks for, and the learner."""
    learner, golden, asked = ArcRace(**INPUTS), [], []
    for event in GOLDEN["events"]:
        blocks = [(tuple(low), tuple(other), n) for low, other, n, _ in event["blocks"]]
        golden.append((event["phase"], blocks))
        phase, step = learner.progress().phase, learner.ask()
        asked.append((phase, [(b.low, b.reference, b.n) for b in step]))
        if asked[-1] != golden[-1]:
            break
        learner.tell([Tally(n, wins, tuple(low)) for low, _, n, wins in event["blocks"]])
    return golden, asked, learner


def test_the_learner_asks_for_the_golden_steps_and_names_the_golden_arm():
    golden, asked, learner = with_own_constants(replay)
    assert asked == golden
    assert list(learner.recommend()) == GOLDEN["arm"]
    assert learner.duels == INPUTS["horizon"]


def test_the_golden_run_passes_through_every_phase():
    phases = [event["phase"] for event in GOLDEN["events"]]
    assert set(phases) == {"survey", "polish", "confirm", "explore", "cleanup"}
