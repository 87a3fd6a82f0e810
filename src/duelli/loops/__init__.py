"""The loops that judge a run: one pair at a time, arrays, threads, or awaited functions.

After each answer they call ``after``, which saves, draws the progress bar and may end the loop by
returning True. Whatever stops a loop, the answers that came are in the run.
"""

from duelli.loops.awaited import judge_awaited
from duelli.loops.serial import judge_batches, judge_serially
from duelli.loops.threads import judge_in_threads

__all__ = ["judge_awaited", "judge_batches", "judge_in_threads", "judge_serially"]
