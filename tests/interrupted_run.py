"""A run that tests kill: ``python interrupted_run.py CHECKPOINT LOG WAY HORIZON``.

It writes a line to LOG for every pair that it judges (or for every batch), before it answers.
"""

import asyncio
import os
import signal
import sys
import time

from judges import hash_judge

import duelli

BOX = [(0.0, 1.0)] * 2


def main(checkpoint, log, way, horizon):
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def judged(x, y):
        time.sleep(0.0005)
        os.write(file, b"asked\n")
        return hash_judge(x, y)

    async def awaited(x, y):
        await asyncio.sleep(0.0005)
        os.write(file, b"asked\n")
        return hash_judge(x, y)

    def many(xs, ys):
        time.sleep(0.05)  # there are few batches, and a signal has to come between them
        os.write(file, b"asked\n")
        return [hash_judge(x, y) for x, y in zip(xs, ys, strict=True)]

    ways = {
        "one": {"duel": judged},
        "threads": {"duel": judged, "parallel": 4},
        "awaited": {"duel": awaited, "parallel": 4},
        "many": {"duel": None, "duel_many": many},
    }
    # A suite that a shell runs in the background has SIGINT ignored, and so have its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("begun", flush=True)
    how = ways[way]
    duelli.optimize(
        how.pop("duel"),
        BOX,
        learner="arc_race",
        horizon=int(horizon),
        checkpoint=checkpoint,
        seed=3,
        **how,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
