"""HOO, truncated HOO and zooming beside PyXAB 0.3.0, on the same rewards.

Where PyXAB follows the papers, both pull the same arms. Each difference is shown here and named
in docs/fidelity.md (F42, F45).
"""

import copy
import itertools
import math

import pytest

from duelli.learners.scalar.hoo import Hoo
from duelli.learners.scalar.truncated_hoo import TruncatedHoo
from duelli.learners.scalar.zooming import Zooming

from .rewards import bernoulli, cone, distance, pulled

pytest.importorskip("PyXAB")

from PyXAB.algos.HOO import T_HOO, HOO_node
from PyXAB.algos.Zooming import Zooming as PyxabZooming
from PyXAB.partition.BinaryPartition import BinaryPartition
from PyXAB.partition.DimensionBinaryPartition import DimensionBinaryPartition
from PyXAB.partition.Partition import Partition


class CyclicPartition(Partition):
    """Halves a cell along the axis whose turn it is, as HOO of duelli does."""

    def make_children(self, parent, newlayer=False):
        domain, depth = parent.get_domain(), parent.get_depth()
        axis = depth % len(domain)
        low, high = domain[axis]
        children = []
        for i, part in enumerate(([low, (low + high) / 2], [(low + high) / 2, high])):
            own = copy.deepcopy(domain)
            own[axis] = part
            index = 2 * parent.get_index() - 1 + i
            children.append(self.node(depth=depth + 1, index=index, parent=parent, domain=own))
        parent.update_children(children)
        if newlayer:
            self.node_list.append(list(children))
            self.depth += 1
        else:
            self.node_list[depth + 1] += children


class UpperOnTies:
    """Takes the upper half on a tie, as PyXAB does; the paper throws a coin."""

    def _coin(self, _):
        return True


class UpperHoo(UpperOnTies, Hoo):
    """HOO with the ties of PyXAB."""


class UpperTruncatedHoo(UpperOnTies, TruncatedHoo):
    """Truncated HOO with the ties of PyXAB."""


class OneLevelDeeper(UpperTruncatedHoo):
    """Truncated HOO that also plays cells below the depth of the paper."""

    @property
    def deepest(self):
        return super().deepest + 1


def pyxab_hoo(dim, rounds, lipschitz=1.0, partition=CyclicPartition):
    domain = [[0, 1] for _ in range(dim)]
    rho = 2 ** (-1 / dim)
    return T_HOO(nu=2 * lipschitz, rho=rho, rounds=rounds, domain=domain, partition=partition)


def pyxab_arms(algorithm, pulls, mean=cone, seed=0):
    """Return the arms that an algorithm of PyXAB pulls on Bernoulli rewards."""
    reward, arms = bernoulli(mean, seed), []
    for t in range(1, pulls + 1):
        arms.append(tuple(algorithm.pull(t)))
        algorithm.receive_reward(t, reward(arms[-1]))
    return arms


def first_pulls(learner, pulls, seed=0):
    return list(itertools.islice(_arms_of(learner, seed), pulls))


def _arms_of(learner, seed):
    reward = bernoulli(cone, seed)
    while (arm := learner.pull()) is not None:
        yield arm
        learner.update(reward(arm))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_hoo_pulls_the_same_arms(dim, seed):
    # With so large a horizon, PyXAB does not reach the depth at which it stops.
    theirs = pyxab_arms(pyxab_hoo(dim, 10**8), 200, seed=seed)
    assert first_pulls(UpperHoo(dim=dim, horizon=10**8), 200, seed) == theirs


@pytest.mark.parametrize(("dim", "lipschitz", "pulls"), [(1, 0.5, 600), (2, 0.1, 400)])
def test_truncated_hoo_pulls_the_same_arms_if_it_goes_one_level_deeper(dim, lipschitz, pulls):
    theirs = pyxab_arms(pyxab_hoo(dim, pulls, lipschitz), pulls)
    assert pulled(OneLevelDeeper(dim=dim, horizon=pulls, lipschitz=lipschitz)) == theirs
    assert pulled(UpperTruncatedHoo(dim=dim, horizon=pulls, lipschitz=lipschitz)) != theirs


def test_pyxab_works_out_the_bounds_of_the_whole_tree_after_each_pull(monkeypatch):
    algorithm, calls = pyxab_hoo(1, 10**6), []
    pyxab_arms(algorithm, 300)
    monkeypatch.setattr(HOO_node, "compute_u_value", lambda *_, **__: calls.append(1))
    cells = sum(map(len, algorithm.partition.get_node_list()))
    pyxab_arms(algorithm, 1)
    assert len(calls) == cells > 500


def test_pyxab_plays_cells_below_the_depth_of_the_paper():
    # D is the smallest depth at which ν1 ρ^D <= 1/√T; no cell below it is played in the paper.
    depth = TruncatedHoo(dim=1, horizon=300, lipschitz=0.5).deepest
    assert 0.5 ** (depth - 1) > 1 / math.sqrt(300) >= 0.5**depth
    algorithm = pyxab_hoo(1, 300, 0.5)
    deepest = 0
    for arm in pyxab_arms(algorithm, 300):
        deepest = max(deepest, algorithm.optTraverse()[0].get_depth())
        assert len(arm) == 1
    assert deepest == depth + 1


def test_pyxab_draws_the_axis_from_the_global_generator():
    arms = {tuple(pyxab_arms(pyxab_hoo(2, 1000, partition=BinaryPartition), 3)) for _ in range(40)}
    assert len(arms) > 1


def test_pyxabs_partition_into_all_halves_gives_a_cell_the_children_of_others():
    # Its list of a layer is the list of a cell's children, and grows with the layer.
    partition = DimensionBinaryPartition(domain=[[0, 1], [0, 1]])
    partition.deepen()
    partition.deepen()
    first, *others = partition.get_layer_node_list(1)
    assert [len(cell.get_children()) for cell in others] == [4, 4, 4]
    assert len(first.get_children()) == 16


def near(arm):
    return 1 - abs(arm[0] - 0.1)


def test_pyxab_zooming_leaves_parts_of_the_box_without_an_arm():
    algorithm = PyxabZooming(nu=1, rho=0.5, domain=[[0, 1]], partition=BinaryPartition)
    arms = pyxab_arms(algorithm, 6000, near)
    cells = [node.get_domain()[0] for node in algorithm.active_points.values()]
    assert sum(high - low for low, high in cells) < 0.75  # the cells of all active arms
    assert min(abs(arm[0] - 0.1) for arm in arms) >= 0.15  # a quarter is as near as it comes
    ours = pulled(Zooming(dim=1, horizon=6000), near)
    assert min(abs(arm[0] - 0.1) for arm in ours) < 0.15


def test_pyxab_zooming_activates_no_arm_when_a_centre_is_split():
    algorithm = PyxabZooming(nu=1, rho=0.5, domain=[[0, 1]] * 2, partition=DimensionBinaryPartition)
    before = len(algorithm.active_points)
    reward = bernoulli(cone, 0)
    splits = 0
    for t in range(1, 3000):
        algorithm.pull(t)
        arm = algorithm.best_arm
        parent = algorithm.active_points[arm]
        algorithm.receive_reward(t, reward(arm.get_point()))
        if parent.get_children() is not None and parent.get_depth() == 1:
            splits += 1
            assert algorithm.active_points[arm] is parent.get_children()[-1]
            assert len(algorithm.active_points) == before
            break
    assert splits == 1


def test_both_zooming_algorithms_have_the_radius_of_2008():
    algorithm = PyxabZooming(nu=1, rho=0.5, domain=[[0, 1]])
    learner = Zooming(dim=1, horizon=100, radius="phases")
    pyxab_arms(algorithm, 2 + 4 + 3)  # the third pull of phase 3
    assert algorithm.phase == 3
    radius = learner._radius(2 + 4 + 3)
    assert [radius(n) for n in (0, 1, 10)] == [math.sqrt(8 * 3 / (2 + n)) for n in (0, 1, 10)]


def test_pyxab_zooming_keeps_what_it_knows_from_phase_to_phase():
    algorithm = PyxabZooming(nu=1, rho=0.5, domain=[[0, 1]])
    pyxab_arms(algorithm, 2 + 4 + 8)
    assert sum(algorithm.pulled_times.values()) == 14
    learner = Zooming(dim=1, horizon=100, radius="phases")
    first_pulls(learner, 2 + 4 + 8 + 1)
    assert sum(arm.pulls for arm in learner._state.arms) <= 1
    assert distance(learner._state.arms[0].point, (0.5,)) == 0
