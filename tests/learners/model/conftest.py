"""The tests of the model compute as the learner does: threads that wait for each other are slow."""

import pytest

from duelli.learners.model.threads import one_thread


@pytest.fixture(autouse=True, scope="package")
def calm():
    """Let linear algebra have one thread."""
    with one_thread():
        yield
