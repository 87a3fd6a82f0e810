"""The tallies of an engine: as many duels as were asked, and a witness in the cube."""

import pytest

from duelli import cubes
from duelli.blocks import Block
from duelli.testing.engine.models import BLOCKS, CONES, MakeEngine


class Tallies:
    """Part of `EngineKit`."""

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_tallies_as_many_duels_as_were_asked(self, make: MakeEngine, block: Block) -> None:
        assert make(CONES, 0).play(block).tally.n == block.n

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_the_wins_lie_between_none_and_all(self, make: MakeEngine, block: Block) -> None:
        engine = make(CONES, 0)
        wins = [engine.play(block).tally.wins for _ in range(20)]
        assert 0 <= min(wins) <= max(wins) <= block.n

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_the_witness_lies_in_the_cube(self, make: MakeEngine, block: Block) -> None:
        engine = make(CONES, 0)
        for _ in range(20):
            witness = engine.play(block).tally.witness
            assert len(witness) == len(block.low)
            assert cubes.within(block.low, block.edge, witness)

    def test_the_witness_is_another_one_each_time(self, make: MakeEngine) -> None:
        engine = make(CONES, 0)
        assert len({engine.play(BLOCKS["cube"]).tally.witness for _ in range(20)}) == 20

    def test_a_single_arm_is_its_own_witness(self, make: MakeEngine) -> None:
        assert make(CONES, 0).play(BLOCKS["pair"]).tally.witness == BLOCKS["pair"].low
