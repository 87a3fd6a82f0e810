"""The learner plays the blocks of Algorithms 1 and 2 as printed, whatever the answers are."""

import math
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelli.blocks import Tally
from duelli.learners.arc import ArcDuelli
from paper.recursive import PrintedArc, depth

GAMMA = 0.25


class Script:
    """Answers blocks with these shares of wins, over and over; the witnesses are drawn."""

    def __init__(self, shares, seed=0):
        self.shares, self.count, self.rng = shares, 0, np.random.default_rng(seed)

    def __call__(self, block):
        share = self.shares[self.count % len(self.shares)]
        self.count += 1
        offsets = self.rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        return Tally(block.n, round(share * block.n), witness)


def random_shares(seed):
    """Shares of many kinds: mostly extreme ones eliminate, few different ones tie."""
    rng = np.random.default_rng(seed)
    kinds = [
        lambda: rng.random(211),
        lambda: rng.choice([0.0, 1.0], 211, p=[0.3, 0.7]),
        lambda: rng.choice([0.0, 1.0], 211, p=[0.8, 0.2]),
        lambda: rng.choice([0.25, 0.5, 0.75], 211),
        lambda: rng.beta(0.3, 0.3, 211),
    ]
    return kinds[seed % len(kinds)]().tolist()


def printed(script, **inputs):
    return PrintedArc(script, start=(0.9,) * inputs["dim"], slope_max=GAMMA, **inputs)


def learner_blocks(script, **inputs):
    learner = ArcDuelli(start=(0.9,) * inputs["dim"], slope_max=GAMMA, **inputs)
    blocks = []
    while step := learner.ask():
        blocks += step
        learner.tell([script(block) for block in step])
    return blocks


HORIZONS = {
    1: [1, 275, 276, 10**4, 10**6, 10**9],
    2: [1, 2, 343, 685, 7884, 10**5, 10**7, 10**9],
    3: [2, 300, 10**4, 10**6, 10**8],
    4: [1, 700, 10**5, 10**7],
}
CASES = [(dim, horizon) for dim, horizons in HORIZONS.items() for horizon in horizons]


@pytest.mark.parametrize(("dim", "horizon"), CASES)
def test_same_blocks_as_the_recursion(dim, horizon):
    for seed in range(10):
        shares, inputs = random_shares(seed), {"dim": dim, "horizon": horizon}
        expected = printed(Script(shares), **inputs).run()
        assert learner_blocks(Script(shares), **inputs) == expected


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    dim=st.integers(1, 4),
    log_horizon=st.floats(0, 6),
    failure_prob=st.floats(1e-9, 0.9),
    lipschitz=st.floats(0.01, 3.0),
    num_rounds=st.none() | st.integers(1, 6),
    shares=st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), min_size=1, max_size=40),
)
def test_same_blocks_for_any_inputs(dim, log_horizon, failure_prob, lipschitz, num_rounds, shares):
    inputs = {
        "dim": dim,
        "horizon": round(10**log_horizon),
        "failure_prob": failure_prob,
        "lipschitz": lipschitz,
        "num_rounds": num_rounds,
    }
    expected = printed(Script(shares), **inputs).run()
    assert learner_blocks(Script(shares), **inputs) == expected


@pytest.mark.parametrize("zooming_dim", [0, 1, 4 / 3, 2, 40])
def test_zooming_dim_sets_the_rounds_of_the_theorem(zooming_dim):
    horizon, shares = 10**6, random_shares(1)
    rounds = math.ceil(math.log2(horizon) / (zooming_dim + 2)) + 1
    expected = printed(Script(shares), dim=2, horizon=horizon, num_rounds=rounds).run()
    blocks = learner_blocks(Script(shares), dim=2, horizon=horizon, zooming_dim=zooming_dim)
    assert blocks == expected


@lru_cache
def finished_runs():
    """The oracle's runs over all cases, to see what they cover."""
    runs = [
        printed(Script(random_shares(seed)), dim=dim, horizon=horizon)
        for dim, horizon in CASES
        for seed in range(10)
    ]
    runs.append(printed(Script([0.5]), dim=1, horizon=10**6, num_rounds=3))
    for run in runs:
        run.run()
    return runs


def test_the_cases_reach_every_ending():
    assert {run.ending for run in finished_runs()} == {
        "a block did not fit",
        "no cube was left",
        "the benchmark did not fit",
        "all rounds",
    }


@pytest.mark.parametrize("dim", HORIZONS)
def test_the_cases_eliminate_cubes_in_every_dimension(dim):
    assert sum(run.eliminated for run in finished_runs() if run.dim == dim) > 100


class TestARoundThatEliminatesAll:
    """d = 1: rounds 1 to 3 take 14 blocks, and the last of them makes the benchmark 1/2.

    All that follows loses every duel, so that in round 4 each cube of depth 3 is 1 > 0.625 below.
    """

    script = (0.5,) * 13 + (1.0,) + (0.0,) * 10

    def test_it_visits_the_seven_cubes_above_depth_four(self):
        blocks = learner_blocks(Script(self.script), dim=1, horizon=10**7)
        assert [depth(block) for block in blocks[14:-1]] == [1, 2, 3, 3, 2, 3, 3]

    def test_it_keeps_the_reference(self):
        blocks = learner_blocks(Script(self.script), dim=1, horizon=10**7)
        assert blocks[-1].low == blocks[13].reference


PAPER = {"dim": 2, "horizon": 10**8}  # with answers that eliminate nothing


def test_round_six_is_given_up_at_99838160():
    assert 10**8 - printed(Script([0.5]), **PAPER).run()[-1].n == 99838160


def test_the_literal_pseudo_code_goes_on_to_99999900():
    assert 10**8 - printed(Script([0.5]), literal=True, **PAPER).run()[-1].n == 99999900


def test_round_six_visits_these_cubes():
    blocks = printed(Script([0.5]), **PAPER).run()
    completed = 5 + sum(4**h for m in range(1, 6) for h in range(m))
    visits = Counter(depth(block) for block in blocks[completed:-1])
    assert visits == {1: 1, 2: 1, 3: 4, 4: 13, 5: 50, 6: 198}


def test_the_learner_plays_the_paper_horizon_block_by_block():
    assert learner_blocks(Script([0.5]), **PAPER) == printed(Script([0.5]), **PAPER).run()


@pytest.mark.parametrize("seed", range(20))
def test_the_literal_pseudo_code_chooses_the_same_references(seed):
    shares, inputs = random_shares(seed), {"dim": 2, "horizon": 10**7}
    one, two = (printed(Script(shares), literal=literal, **inputs) for literal in (True, False))
    one.run()
    two.run()
    assert one.references == two.references
