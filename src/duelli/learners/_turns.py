"""The rules of ask and tell that every learner keeps."""

from duelli.blocks import Block, Tally
from duelli.errors import OutOfTurnError


def check_tally(pending: Block | None, tally: Tally) -> None:
    """Check that ``tally`` answers the block that was asked, and nothing else."""
    if pending is None:
        raise OutOfTurnError("tell() was called with no block pending; call ask() first")
    if not isinstance(tally, Tally):
        raise TypeError(f"tally must be a Tally; got {tally!r}")
    if tally.n != pending.n:
        raise ValueError(f"tally.n must be {pending.n}, as asked; got {tally.n}")
    if len(tally.witness) != len(pending.low) or not all(
        a <= x <= a + pending.edge for a, x in zip(pending.low, tally.witness, strict=False)
    ):
        raise ValueError(
            f"tally.witness must lie in the block's cube at {pending.low} of edge {pending.edge}; "
            f"got {tally.witness}"
        )
