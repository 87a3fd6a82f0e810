"""The driver: a learner and an engine, block by block."""

from collections.abc import Iterator

from duelli.blocks import Block, Engine, Learner, Played


def play(learner: Learner, engine: Engine) -> Iterator[tuple[Block, Played]]:
    """Yield each block and what became of it, until the learner asks for no more.

    Recording, plotting, checkpointing and stopping are the caller's business. If the engine
    raises, the learner has not been told anything of that block, and can be saved and continued.
    """
    while (block := learner.ask()) is not None:
        played = engine.play(block)
        learner.tell(played.tally)
        yield block, played
