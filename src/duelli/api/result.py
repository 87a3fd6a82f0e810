"""Result: what a run has found."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelli.answers import Answer
from duelli.beliefs import Belief
from duelli.history import Bias, History
from duelli.runs import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What `optimize` found.

    Args:
        best: The best point, in the user's own units.
        answer: The same with what may be claimed for it.
        duels: The number of duels that were judged.
        history: A table of every judged pair.
        bias: How much more often than half the point that is shown first has won.
        belief: What the learner believes of the utility, for `plot`; None if it has no model.
        saved: The run as one JSON value, for `optimize` or `Run.from_saved` to go on from.
    """

    best: Any
    answer: Answer
    duels: int
    history: History
    bias: Bias
    saved: dict[str, Any]
    belief: Belief | None = None

    def plot(self, path: str | Path | None = None) -> Any:
        """Return a matplotlib figure of the judged pairs and of the utility that was learnt.

        It is written to ``path`` if there is one.
        """
        try:
            from duelli.report import runs
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"plot needs the package {error.name}: pip install 'duelli[report]'"
            ) from None
        return runs.draw(self.history, self.best, self.bias, path, belief=self.belief)

    def __repr__(self) -> str:
        return f"Result(best={self.best}, duels={self.duels}, {self.bias})\n{self.answer.text}"


def result_of(run: Run) -> Result:
    """Return what a run has found so far."""
    answer = run.best()
    return Result(
        best=answer.arm,
        answer=answer,
        duels=run.duels,
        history=run.history,
        bias=run.bias,
        saved=run.saved(),
        belief=run.belief(),
    )
