"""The seed of an engine: all that its draws depend on."""

from typing import Any

import pytest

from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.testing.engine.models import BLOCKS, CONES, MakeEngine


class Seeds:
    """Part of `EngineKit`."""

    def test_the_same_seed_gives_the_same_plays(self, make: MakeEngine) -> None:
        assert _plays(make(CONES, 7)) == _plays(make(CONES, 7))

    def test_another_seed_gives_other_plays(self, make: MakeEngine) -> None:
        assert _plays(make(CONES, 7)) != _plays(make(CONES, 8))

    def test_interleaved_engines_do_not_disturb_each_other(self, make: MakeEngine) -> None:
        alone = _plays(make(CONES, 1)), _plays(make(CONES, 2))
        first, second = make(CONES, 1), make(CONES, 2)
        pairs = [(first.play(block), second.play(block)) for block in BLOCKS.values()]
        assert ([a for a, _ in pairs], [b for _, b in pairs]) == alone

    def test_what_was_played_on_a_model_does_not_change_what_comes(self, make: MakeEngine) -> None:
        used, fresh = (DuelModel("two_peaks", "logistic:30") for _ in range(2))
        for n in (10, 10**4, 10**6):
            make(used, 3).play(Block((0.0, 0.0), 1.0, (0.8, 0.75), n))
        assert _plays(make(used, 1)) == _plays(make(fresh, 1))

    def test_a_whole_float_is_the_same_seed_as_the_int(self, make: Any) -> None:
        assert _plays(make(CONES, 7.0)) == _plays(make(CONES, 7))

    def test_neighbouring_large_seeds_are_told_apart(self, make: MakeEngine) -> None:
        assert _plays(make(CONES, 2**53)) != _plays(make(CONES, 2**53 + 1))

    @pytest.mark.parametrize("seed", [-1, 1.5])
    def test_a_number_that_is_no_seed_is_refused(self, make: Any, seed: float) -> None:
        with pytest.raises(ValueError, match="seed must be a whole number of at least 0; got"):
            make(CONES, seed)


def _plays(engine: Any) -> list[Any]:
    return [engine.play(block) for block in BLOCKS.values()]
