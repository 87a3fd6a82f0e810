"""Records: what happened in a run, kept small whatever the horizon."""

from duelli.record.trace import Checkpoint, Recorder, RoundRow, Trace

__all__ = ["Checkpoint", "Recorder", "RoundRow", "Trace"]
