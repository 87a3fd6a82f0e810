"""What workers run in the tests of clusters; they import this file by its name."""

import json
import os
import signal
import time

from duelli.experiments.batches import _finish


def logged(log, work, kind, batch, expected):
    """Run a batch, with a line in the file ``log`` before and after it."""
    note(log, "begun", batch)
    finished = _finish(work, kind, batch, expected)
    note(log, "ended", batch)
    return finished


def deadly_once(log, work, kind, batch, expected):
    """Do the same; the first process that gets a batch of some length is killed amid it."""
    if len(batch) > 5 and is_first(f"{log}.killed"):
        note(log, "begun", batch)
        time.sleep(0.5)  # so that the results of the batch before have left this process
        _finish(work, kind, batch[: len(batch) // 2], expected)
        os.kill(os.getpid(), signal.SIGKILL)
    return logged(log, work, kind, batch, expected)


def is_first(path):
    """Tell whether this is the first call of all processes with this path."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def note(log, event, batch):
    trials = [[task.key.digest, task.key.trial] for task in batch]
    line = {"event": event, "pid": os.getpid(), "parent": os.getppid(), "trials": trials}
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, json.dumps(line).encode() + b"\n")
    os.close(file)


def read(log):
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def batches(log, event):
    """Return the trials of every batch that had begun, or that had ended."""
    return [line["trials"] for line in read(log) if line["event"] == event]


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def fail(number):
    raise ValueError(f"no {number}")


def process_of(number):
    return number, os.getpid()


def nap(number):
    time.sleep(0.05)
    return number


def one_kind(_):
    return "all"
