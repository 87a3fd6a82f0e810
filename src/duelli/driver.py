"""The driver: a learner and an engine, step by step."""

from collections.abc import Iterator

from duelli.blocks import Engine, Learner, Played, Step


def play(learner: Learner, engine: Engine) -> Iterator[tuple[Step, list[Played]]]:
    """Yield each step and what became of it, until the learner asks for no more.

    Recording, plotting, checkpointing and stopping are the caller's business. If the engine
    raises, the learner has not been told anything of that step, and can be saved and continued.
    """
    while step := learner.ask():
        played = [engine.play(block) for block in step]
        learner.tell([each.tally for each in played])
        yield step, played
