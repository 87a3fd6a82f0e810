"""What is known of single arms, and the answer that is made of it."""

import numpy as np
import pytest

from duelli.blocks import Played, Tally
from duelli.duels import DuelModel
from duelli.engines import _arms
from duelli.engines._arms import KnownArms
from duelli.engines._played import played
from duelli.landscapes import LANDSCAPES, landscape
from duelli.links import LINKS


@pytest.mark.parametrize("name", LANDSCAPES)
@pytest.mark.parametrize("link", LINKS)
def test_utility_and_gap_are_those_of_the_model(name, link):
    model = DuelModel(name, link)
    arm = (0.4, 0.7, 0.2, 0.9)[: model.landscape.dim]
    utility, gap = KnownArms(model)[arm]
    assert utility == pytest.approx(model.landscape.utility(np.array([arm]))[0], abs=4e-15)
    assert gap == pytest.approx(model.gap_to_best(arm), abs=4e-15)


def test_an_arm_that_comes_again_is_not_evaluated_again():
    asked = []

    def utility(xs):
        asked.extend(xs[:, 0].tolist())
        return xs[:, 0]

    arms = KnownArms(DuelModel(landscape(utility, 1, best_arm=(1.0,))))
    asked.clear()
    assert [arms[(0.25,)], arms[(0.5,)], arms[(0.25,)]][0] == arms[(0.25,)]
    assert asked == [0.25, 0.5]


def test_only_so_many_arms_are_kept(monkeypatch):
    monkeypatch.setattr(_arms, "MOST_KEPT", 10)
    arms = KnownArms(DuelModel("sharp"))
    for i in range(100):
        assert arms[(i / 100, 0.5)][0] == pytest.approx(1 - abs(i / 100 - 0.5))
        assert len(arms) <= 10


def test_an_answer_is_the_same_as_one_that_is_checked():
    quick, checked = played(9, 4, (0.1, 0.2), 1.5, 0.5), Played(Tally(9, 4, (0.1, 0.2)), 1.5, 0.5)
    assert quick == checked
    assert repr(quick) == repr(checked)
