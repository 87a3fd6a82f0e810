"""Outcomes as people tell them: a word or a number."""

from duelli.serving import outcome_of

WORDS = {"x": 1.0, "y": 0.0, "tie": 0.5}


def score_of(outcome: str | float) -> float:
    """Return the score of the point shown first: 1 if it won, 0 if not, or what lies between."""
    if not isinstance(outcome, str):
        return outcome_of("outcome", outcome)
    if outcome not in WORDS:
        raise ValueError(f'outcome must be "x", "y", "tie" or a number in [0, 1]; got {outcome!r}')
    return WORDS[outcome]
