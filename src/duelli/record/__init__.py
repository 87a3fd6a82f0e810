"""Records: what happened in a run, kept small whatever the horizon."""

from duelli.record.recorder import Recorder
from duelli.record.trace import Checkpoint, RoundRow, Trace

__all__ = ["Checkpoint", "Recorder", "RoundRow", "Trace"]
