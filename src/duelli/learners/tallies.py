"""The check that tallies answer the step that was asked."""

from collections.abc import Sequence

from duelli.blocks import Block, Step, Tally
from duelli.errors import OutOfTurnError


def check_tallies(pending: Step | None, tallies: Sequence[Tally]) -> None:
    """Check that ``tallies`` answer the step that was asked, and nothing else."""
    if not pending:
        raise OutOfTurnError(
            "tell() was called with no step pending; call ask() first"
            if pending is None
            else "tell() was called after the run has ended"
        )
    if isinstance(tallies, Tally) or not isinstance(tallies, Sequence):
        raise TypeError(f"tallies must be a sequence, one for each block; got {tallies!r}")
    if len(tallies) != len(pending):
        raise ValueError(
            f"tallies must have {len(pending)} entries, one for each block; got {len(tallies)}"
        )
    for i, (block, tally) in enumerate(zip(pending, tallies, strict=True)):
        _check_tally(f"tallies[{i}]", block, tally)


def _check_tally(name: str, block: Block, tally: Tally) -> None:
    if not isinstance(tally, Tally):
        raise TypeError(f"{name} must be a Tally; got {tally!r}")
    if tally.n != block.n:
        raise ValueError(f"{name}.n must be {block.n}, as asked; got {tally.n}")
    if tally.witness is block.low:  # the only arm of a block of edge 0
        return
    if len(tally.witness) != len(block.low) or not all(
        a <= x <= a + block.edge for a, x in zip(block.low, tally.witness, strict=True)
    ):
        raise ValueError(
            f"{name}.witness must lie in the block's cube at {block.low} of edge {block.edge}; "
            f"got {tally.witness}"
        )
