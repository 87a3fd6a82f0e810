"""Judging in turn: one pair after the other, or one array of pairs after the other."""

from duelli.judges import Judge
from duelli.runs import Run
from duelli.watching import Watch


def judge_serially(run: Run, judge: Judge, watch: Watch) -> None:
    """Judge one pair after the other."""
    while pairs := run.ask():
        pair = pairs[0]
        with watch.judging():
            score = judge.one(pair.x, pair.y)
        run.tell(pair.id, score)
        if watch.after():
            return


def judge_batches(run: Run, judge: Judge, watch: Watch) -> None:
    """Judge all pairs of a step at once, some thousand at a time."""
    while (batch := run.ask_batch()) is not None:
        with watch.judging():
            scores = judge.many(batch.xs, batch.ys)
        run.tell_batch(batch, scores)
        if watch.after():
            return
