"""Experiments: settings as data, a runner that can be killed, and claims with verdicts."""
