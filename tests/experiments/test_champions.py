"""Champions: who should lead at which horizon, and a reason for each measure where it may not."""

import pytest

from duelli.experiments.champions import LARGE, REASONS, champion
from duelli.experiments.presets import ARENAS
from duelli.learners import LEARNERS

SHOULD_LEAD = sorted({champion(t) for preset in ARENAS.values() for t in preset.horizons})


def test_auto_should_lead_with_few_duels_and_arc_race_with_many():
    assert (champion(LARGE - 1), champion(LARGE)) == ("auto", "arc_race")
    assert set(SHOULD_LEAD) <= set(LEARNERS)


@pytest.mark.parametrize("measure", ["regret", "gap"])
@pytest.mark.parametrize("learner", SHOULD_LEAD)
def test_every_champion_has_a_reason_for_each_measure(learner, measure):
    reason = REASONS[learner, measure]
    assert reason.startswith(f"{learner} ")
    assert reason.endswith(".")
