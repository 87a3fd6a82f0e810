"""The drivers: a learner and an engine, step by step, or a learner of rewards, pull by pull."""

from collections.abc import Callable, Iterator

from duelli.blocks import Engine, Learner, Played, ScalarLearner, Step

Point = tuple[float, ...]


def play(learner: Learner, engine: Engine) -> Iterator[tuple[Step, list[Played]]]:
    """Yield each step and what became of it, until the learner asks for no more.

    Recording, plotting, checkpointing and stopping are the caller's business. If the engine
    raises, the learner has not been told anything of that step, and can be saved and continued.
    """
    while step := learner.ask():
        played = [engine.play(block) for block in step]
        learner.tell([each.tally for each in played])
        yield step, played


def play_scalar(
    learner: ScalarLearner, reward: Callable[[Point], float]
) -> Iterator[tuple[Point, float]]:
    """Yield each arm that is pulled and its reward, until the learner pulls no more.

    Args:
        learner: The learner.
        reward: An arm in, its reward out: a number in [0, 1].
    """
    while (arm := learner.pull()) is not None:
        value = reward(arm)
        learner.update(value)
        yield arm, value
