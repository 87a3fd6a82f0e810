"""ArcDuelli: its memory, its seeds, and what it claims for its best arm."""

import inspect
import json
import math
import os
import subprocess
import sys
from collections import Counter
from itertools import islice

import numpy as np
import pytest

import duelli
from duelli import theory
from duelli.blocks import Tally
from duelli.duels import DuelModel
from duelli.engines import Collapsed, PerDuel
from duelli.landscapes import LANDSCAPES
from duelli.learners.arc import ArcDuelli
from duelli.learners.arc.config import ORDERS
from duelli.testing import CoinFlips


def arc(**inputs):
    return ArcDuelli(**{"dim": 2, "horizon": 10**4, "slope_max": 0.25, **inputs})


class Needle:
    """Answers that a learner goes deep with: cubes that hold one arm win, all others lose."""

    def __init__(self, arm):
        self.arm, self.rng = arm, np.random.default_rng(0)

    def __call__(self, block):
        inside = all(a <= x <= a + block.edge for a, x in zip(block.low, self.arm, strict=True))
        offsets = self.rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        return Tally(block.n, block.n if inside else 0, witness)


def states_of(learner, answer):
    """Yield the learner after each block."""
    while step := learner.ask():
        learner.tell([answer(block) for block in step])
        yield learner


def rest_of(config, state):
    """Return the rest of a run as JSON has it; another process runs this very text."""
    learner = ArcDuelli.from_state(config, state)
    steps = [
        [[*b.low, b.edge, *b.reference, b.n] for b in step]
        for step, _ in duelli.play(learner, CoinFlips(seed=9))
    ]
    return [steps, learner.state(), list(learner.recommend())]


PROCESS = f"""
import json, sys, duelli
from duelli import ArcDuelli
from duelli.testing import CoinFlips

{inspect.getsource(rest_of)}
json.dump([rest_of(*saved) for saved in json.load(sys.stdin)], sys.stdout)
"""


def saved_after(told, order):
    """Return inputs and state of a learner that was told of so many blocks."""
    inputs = {"dim": 2, "horizon": 10**6, "slope_max": 0.25, "order": order, "seed": 4}
    learner = ArcDuelli(**inputs)
    for _ in islice(duelli.play(learner, CoinFlips(seed=8)), told):
        pass
    return [inputs, learner.state()]


def test_another_process_goes_on_bit_for_bit():
    # A process of its own, because what must not matter here is the hash seed of strings.
    saved = [saved_after(told, order) for told in (0, 1, 2, 9, 25) for order in ORDERS]
    process = subprocess.run(
        [sys.executable, "-c", PROCESS],
        input=json.dumps(saved),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "1001"},
    )
    assert json.loads(process.stdout) == [rest_of(*each) for each in saved]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("told", [1, 9, 25])
def test_a_restored_learner_plays_the_rest_of_the_undisturbed_run(told, order):
    inputs, state = saved_after(told, order)
    whole, engine = ArcDuelli(**inputs), CoinFlips(seed=8)
    for _ in islice(duelli.play(whole, engine), told):
        pass
    again = ArcDuelli.from_state(inputs, state)
    steps = [[step for step, _ in duelli.play(each, CoinFlips(seed=9))] for each in (whole, again)]
    assert steps[0] == steps[1]


def most_bits(dim, horizon):
    """Return the most bits that a run needs which goes as deep as it can."""
    learner = ArcDuelli(dim=dim, horizon=horizon, slope_max=0.25)
    return max(now.state_bits() for now in states_of(learner, Needle((0.37,) * dim)))


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("horizon", [1, 10**3, 10**6, 10**9, 10**12])
def test_state_bits_stay_below_the_space_bound(dim, horizon):
    assert most_bits(dim, horizon) <= theory.space_bound_bits(dim=dim, horizon=horizon)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_state_bits_grow_like_log_t(dim):
    logs = np.arange(4, 19, 2)
    bits = [most_bits(dim, 10 ** int(log)) for log in logs]
    slope, start = np.polyfit(logs, bits, 1)
    # A straight line in log T up to the steps of whole levels and whole bits.
    assert np.abs(bits - (start + slope * logs)).max() <= 4 * dim + 4


def test_state_bits_do_not_grow_with_the_blocks_of_a_scan():
    # Coins eliminate nothing: thousands of cubes of one round, and none of them is kept.
    learner, coins = arc(horizon=10**10), CoinFlips(seed=1)
    bits = {}
    for (block,), _ in islice(duelli.play(learner, coins), 6000):
        bits.setdefault((learner.progress().rounds_done, block.edge), set()).add(
            learner.state_bits()
        )
    # Within a round only the digits of t, the path's length and the best cube make a difference.
    assert max(max(each) - min(each) for each in bits.values()) < 2 * 53 + 64


@pytest.mark.parametrize("arm", [(0.37, 0.71, 0.13, 0.91), (0.999, 0.001, 0.5, 0.3)])
def test_the_state_in_four_dimensions_at_1e12_is_under_512_bytes(arm):
    learner = ArcDuelli(dim=4, horizon=10**12, slope_max=0.25)
    sizes = [
        len(json.dumps(now.state(), separators=(",", ":")).encode())
        for now in states_of(learner, Needle(arm))
    ]
    assert max(sizes) < 512


def blocks_with(start):
    learner = arc(horizon=10**5, start=start)
    engine = PerDuel(DuelModel("two_cones"), seed=3)
    return [block for step, _ in duelli.play(learner, engine) for block in step]


def test_the_start_is_irrelevant_after_the_first_block():
    # What duel t draws does not depend on the arms before it, so F11 holds bit for bit.
    assert blocks_with((0.9, 0.9))[1:] == blocks_with((0.3, 0.1))[1:]


def cubes_of(order, seed=0):
    learner = arc(horizon=10**6, order=order, seed=seed)
    blocks, done = [], []
    for (block,), _ in duelli.play(learner, CoinFlips()):
        blocks.append((block.low, block.edge))
        if learner.progress().rounds_done > len(done):
            done.append(blocks[:-1])  # without the anchor
            blocks = []
    return done


def test_a_random_order_visits_the_same_cubes():
    assert [Counter(r) for r in cubes_of("random")] == [
        Counter(r) for r in cubes_of("lexicographic")
    ]


def test_a_random_order_is_another_order():
    assert cubes_of("random")[-1] != cubes_of("lexicographic")[-1]


def test_a_random_order_is_a_function_of_the_seed():
    assert cubes_of("random", seed=1) == cubes_of("random", seed=1)


def test_another_seed_is_another_random_order():
    assert cubes_of("random", seed=1)[-1] != cubes_of("random", seed=2)[-1]


def test_parents_come_before_their_children_in_a_random_order():
    seen = set()
    for low, edge in cubes_of("random")[-1]:
        parent = (tuple(a - a % (2 * edge) for a in low), 2 * edge)
        assert edge == 1 or parent in seen
        seen.add((low, edge))


def test_it_recommends_the_start_before_the_first_block():
    assert arc(start=(0.2, 0.4)).recommend() == (0.2, 0.4)


def test_it_recommends_the_reference_of_the_last_round():
    trace = duelli.simulate(arc(horizon=10**6), DuelModel("two_cones"))
    assert trace.recommended == trace.rounds[-1].reference


class TestBest:
    """What `best` claims."""

    def test_before_any_duel_there_are_not_enough(self):
        assert arc().best().text.startswith("Not enough duels yet: no round is complete after 0")

    def test_before_any_duel_nothing_but_the_lipschitz_constant_is_known(self):
        answer = arc(lipschitz=0.5).best()
        assert (answer.gap_low, answer.gap_high, answer.enough) == (0.0, 0.125, False)

    def test_without_a_slope_ratio_it_says_so(self):
        learner = arc(horizon=10**6)
        duelli.simulate(learner, DuelModel("two_cones"))
        assert "slope_ratio was not given" in learner.best().text

    def test_coarse_cubes_are_called_so(self):
        learner = arc(slope_ratio=1.3)
        duelli.simulate(learner, DuelModel("two_cones"))
        assert "cubes of edge 0.5 are too coarse" in learner.best().text

    @pytest.fixture
    def answer(self):
        model = DuelModel("two_cones_linf")
        learner = arc(horizon=10**8, slope_ratio=model.link.slope_ratio)
        duelli.simulate(learner, model)
        return learner.best()

    def test_enough_duels_are_enough(self, answer):
        assert answer.enough

    def test_the_region_is_the_cube_of_the_last_round(self, answer):
        assert answer.edge == 1 / 16
        assert all(a <= x <= a + answer.edge for a, x in zip(answer.low, answer.arm, strict=True))

    def test_the_interval_is_the_one_of_equation_17(self, answer):
        # 2 κ (r_5 / √32 + 2/3 Γ r_5) with κ = 1.27154.
        width = 1 / math.sqrt(32) + 2 / 3 / 4
        assert answer.gap_high == pytest.approx(2 * 1.2715403 * width / 16, rel=1e-6)

    def test_the_confidence_is_that_of_lemma_5_1(self, answer):
        assert answer.confidence == 0.9

    def test_all_duels_are_counted(self, answer):
        assert answer.duels == 10**8

    def test_the_text_says_the_odds(self, answer):
        assert answer.text.startswith(
            "After 5 rounds and 100,000,000 duels the best arm beats this one with probability "
            f"of at most {0.5 + answer.gap_high:.3g}, at confidence 0.9"
        )

    @pytest.mark.parametrize("name", LANDSCAPES)
    def test_the_interval_holds_the_true_gap(self, name):
        model = DuelModel(name)
        for seed in range(3):
            learner = ArcDuelli(
                dim=model.landscape.dim,
                horizon=10**7,
                slope_max=model.link.slope_max,
                slope_ratio=model.link.slope_ratio,
                lipschitz=model.landscape.lipschitz,
                seed=seed,
            )
            for _ in duelli.play(learner, Collapsed(model, seed=seed)):
                pass
            answer = learner.best()
            assert answer.gap_low <= model.gap_to_best(answer.arm) <= answer.gap_high


def test_its_inputs_show_in_its_signature():
    assert {"dim", "horizon", "slope_max", "order"} <= set(inspect.signature(ArcDuelli).parameters)
