"""per_duel: which way it plays, and what it does when its series does not suffice."""

import math
import subprocess
import sys

import numpy as np
import pytest

from duelli import _rng
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import PerDuel, _by_numpy, per_duel
from duelli.landscapes import LANDSCAPES, landscape

njit = pytest.importorskip("numba").njit

BOX = Block((0.0,), 1.0, (0.5,), 20_000)


def by_numpy(model, seed=0):
    engine = PerDuel(model, seed=seed)
    engine._series = None
    return engine


@pytest.mark.parametrize("name", sorted(set(LANDSCAPES) - {"two_cones_scaled"}))
def test_the_paper_s_landscapes_are_compiled(name):
    assert PerDuel(DuelModel(name))._series is not None


def test_the_scaled_box_is_left_to_numpy():
    # Its differences reach 6, too far out for a short polynomial.
    assert PerDuel(DuelModel("two_cones_scaled"))._series is None


def test_a_vectorised_utility_is_left_to_numpy():
    assert PerDuel(DuelModel(landscape(lambda x: x[:, 0], 1, best_arm=(1.0,))))._series is None


def test_a_steep_link_is_left_to_numpy():
    assert PerDuel(DuelModel("two_cones", "logistic:100"))._series is None


def test_a_flat_utility_is_left_to_numpy():
    level = landscape(njit(lambda x: 0.0 * x[0]), 1, best_arm=(0.5,))
    assert PerDuel(DuelModel(level))._series is None


def test_a_steep_link_is_played():
    block = Block((0.75, 0.75), 0.25, (0.3, 0.1), 1000)
    assert PerDuel(DuelModel("two_cones", "logistic:100")).play(block).tally.wins == 0


@njit
def trench(x):
    """Deep between the points of the coarse grid that the reach is taken from."""
    return -1.0 if abs(x[0] - 0.50200) < 2e-4 else -((x[0] - 0.3) ** 2)


TRENCH = DuelModel(landscape(trench, 1, best_arm=(0.3,), lipschitz=2.0))


def test_a_reach_that_was_too_short_grows():
    engine = PerDuel(TRENCH)
    before = engine._series.reach
    engine.play(BOX)
    assert engine._series.reach > before


def test_the_duels_are_the_same_after_the_reach_has_grown():
    one, two = PerDuel(TRENCH, seed=1), by_numpy(TRENCH, seed=1)
    assert one.play(BOX).tally == two.play(BOX).tally


def test_the_regret_is_the_same_after_the_reach_has_grown():
    one, two = PerDuel(TRENCH, seed=1), by_numpy(TRENCH, seed=1)
    assert one.play(BOX).regret == pytest.approx(two.play(BOX).regret, rel=1e-12)


def test_a_reach_beyond_every_series_is_left_to_numpy():
    @njit
    def chasm(x):
        return -500.0 if abs(x[0] - 0.50200) < 2e-4 else 2.0 * x[0]

    model = DuelModel(landscape(chasm, 1, best_arm=(1.0,), lipschitz=500.0))
    engine = PerDuel(model, seed=1)
    assert (engine.play(BOX).tally, engine._series) == (by_numpy(model, 1).play(BOX).tally, None)


@pytest.mark.parametrize("value", [math.nan, -math.inf])
def test_a_utility_that_is_not_finite_is_named(value):
    @njit
    def broken(x):
        return value if abs(x[0] - 0.50200) < 2e-4 else 2.0 * x[0]

    engine = PerDuel(DuelModel(landscape(broken, 1, best_arm=(1.0,))))
    with pytest.raises(ValueError, match=rf"utility must be finite; got {value} at \(0\.50[12]"):
        engine.play(BOX)


def arms_of(engine, block):
    """Return the left arms of the block that ``engine`` would play next."""
    key = _rng.word(engine._key, engine.plays)
    return _by_numpy.left_arms(block, key, 0, block.n)[0].tolist()


def by_hand(model, seed, step, block):
    """Play duel i of play ``step`` from its words alone; return wins, regret and witness."""
    key = _rng.word(_rng.key(seed, "engine"), step)
    dim, wins, regret, arms = len(block.low), 0, 0.0, []
    for i in range(block.n):
        units = [_rng.unit(key, i * (dim + 1) + word) for word in range(dim + 1)]
        arms.append(tuple(a + block.edge * u for a, u in zip(block.low, units, strict=False)))
        wins += units[dim] < model.win_prob(arms[i], block.reference)
        regret += model.regret(arms[i], block.reference)
    return wins, regret, arms[_rng.below(_rng.key(seed, "witness"), step, block.n)]


STEPS = {
    "cube": Block((0.25, 0.5), 0.25, (0.3, 0.2), 40),
    "one_of_a_cube": Block((0.25, 0.5), 0.25, (0.3, 0.2), 1),
    "pair": Block((0.4, 0.2), 0.0, (0.9, 0.9), 40),
    "one_pair": Block((0.4, 0.2), 0.0, (0.9, 0.9), 1),
}


@pytest.mark.parametrize("make", [PerDuel, by_numpy])
@pytest.mark.parametrize("block", STEPS.values(), ids=STEPS)
def test_a_duel_is_a_function_of_seed_step_and_place(block, make):
    model = DuelModel("two_cones", "logistic:10")
    engine = make(model, seed=6)
    for step in range(8):
        played, (wins, regret, witness) = engine.play(block), by_hand(model, 6, step, block)
        assert (played.tally.wins, played.tally.witness) == (wins, witness)
        assert played.regret == pytest.approx(regret, rel=1e-11)


def test_a_block_does_not_depend_on_the_sizes_of_the_blocks_before_it():
    one, two = (PerDuel(DuelModel("sharp"), seed=2) for _ in range(2))
    one.play(Block((0.0, 0.0), 1.0, (0.9, 0.9), 500))
    two.play(Block((0.5, 0.5), 0.0, (0.1, 0.9), 1))
    block = Block((0.0, 0.0), 1.0, (0.9, 0.9), 100)
    assert one.play(block) == two.play(block)


def test_a_play_that_fails_is_not_counted():
    broken = landscape(lambda x: np.where(x[:, 0] > 0.9, np.nan, x[:, 0]), 1, best_arm=(0.9,))
    engine = PerDuel(DuelModel(broken))
    with pytest.raises(ValueError, match="utility must be finite"):
        engine.play(BOX)
    assert engine.plays == 0


def test_a_pair_is_played_without_arrays(monkeypatch):
    engine = PerDuel(DuelModel("sharp"))
    monkeypatch.setattr(engine, "_play_all", None)
    monkeypatch.setattr(engine, "_witness", None)
    assert engine.play(STEPS["one_pair"]).tally.witness == (0.4, 0.2)


@pytest.fixture
def without_numba(monkeypatch):
    """Python as it is where numba is not installed."""
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "duelli.engines._kernels", raising=False)
    monkeypatch.delattr("duelli.engines._kernels", raising=False)
    per_duel._kernels.cache_clear()
    yield
    per_duel._kernels.cache_clear()


@pytest.mark.usefixtures("without_numba")
def test_without_numba_the_duels_are_the_same_and_the_first_block_warns():
    model, block = DuelModel("sharp"), STEPS["cube"]
    engine = PerDuel(model, seed=3)
    with pytest.warns(UserWarning, match=r"pip install duelli\[fast\]") as caught:
        first = engine.play(block)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert first == by_numpy(model, seed=3).play(block)
    again = PerDuel(model, seed=3)  # a second warning would be an error
    assert again.play(block) == first


@pytest.mark.usefixtures("without_numba")
def test_without_numba_nothing_is_said_where_nothing_would_be_compiled():
    for link, step in [("logistic", "one_pair"), ("logistic:100", "cube")]:
        model = DuelModel("sharp", link)
        found = PerDuel(model, seed=3).play(STEPS[step])  # a warning would be an error
        assert found == by_numpy(model, seed=3).play(STEPS[step])


def test_duelli_is_imported_and_played_without_numba():
    code = (
        "import sys, warnings; sys.modules['numba'] = None; warnings.simplefilter('ignore')\n"
        "import duelli, duelli.cli, duelli.testing\n"
        "learner = duelli.ArcDuelli(dim=2, horizon=1000, slope_max=0.25)\n"
        "print(duelli.simulate(learner, duelli.DuelModel('sharp'), engine='per_duel').horizon)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1000"


def test_the_compiled_loops_are_not_imported_before_they_are_needed():
    code = (
        "import sys, duelli; engine = duelli.ENGINES['per_duel'](duelli.DuelModel('sharp'))\n"
        "engine.play(duelli.Block((0.4, 0.2), 0.0, (0.9, 0.9), 1))\n"
        "print('numba' in sys.modules, 'duelli.engines._kernels' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_chunks_do_not_change_the_duels(monkeypatch):
    model = DuelModel("sharp")
    block = Block((0.0, 0.0), 1.0, (0.9, 0.9), 1000)
    whole = by_numpy(model).play(block)
    monkeypatch.setattr(_by_numpy, "CHUNK", 64)
    assert by_numpy(model).play(block).tally == whole.tally


def test_the_witness_is_one_of_the_arms():
    model = DuelModel("sharp")
    engine = PerDuel(model)
    block = Block((0.5, 0.25), 0.25, (0.9, 0.9), 100)
    arms = arms_of(engine, block)
    assert list(engine.play(block).tally.witness) in arms


def test_each_place_of_a_block_may_be_the_witness_s():
    engine = PerDuel(DuelModel("sharp"))
    block, places = Block((0.0, 0.0), 1.0, (0.9, 0.9), 4), set()
    for _ in range(100):
        arms = arms_of(engine, block)
        places.add(arms.index(list(engine.play(block).tally.witness)))
    assert places == {0, 1, 2, 3}


def test_the_first_reach_covers_what_a_grid_shows():
    model = DuelModel("two_cones")
    corners = np.array([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)])
    spread = model.landscape.best_utility - model.landscape.utility(corners).min()
    assert PerDuel(model)._series.reach >= spread
