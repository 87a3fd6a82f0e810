"""Run: ask for pairs and tell outcomes in the user's own units, many pairs open at once."""

import dataclasses
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from duelli import _check, _rng, saved
from duelli.answers import Answer
from duelli.beliefs import Belief
from duelli.blocks import Learner
from duelli.boxes import Box, Point, Sides
from duelli.errors import SavedRunError
from duelli.history import Bias, BiasTally, History, PastStep, past_as_json
from duelli.learners import DEFAULT_LEARNER, LEARNERS, inputs_for
from duelli.links import Link, known_slopes
from duelli.pairs import Batch, OpenPairs, Pair, not_open, scores_of
from duelli.restoring import AIMS, Parts, is_rest, own_inputs, parts_of
from duelli.runs.answering import early_end, for_the_user, unclaimed
from duelli.runs.believing import belief_of
from duelli.runs.outcomes import score_of
from duelli.serving import CHUNK, OpenStep, serving_key

MOST_SETTLED = 3  # the learner is told of at most this many times as many duels as are judged


class Run:
    """Finds the best point of a box; you ask for pairs, judge them, and tell the outcomes.

    Many pairs may be open at once, and outcomes may come in any order and from any thread.

    >>> run = Run({"rate": (1e-4, 1e-1, "log")}, horizon=1000)
    >>> pair = run.ask()[0]
    >>> run.tell(pair.id, "x")  # the point shown first is the better one

    Args:
        box: The parameters, as a `Box` or as what makes one.
        horizon: T, the largest number of duels.
        aim: "answer" wants the best point: no point meets itself, and the run ends early when the
            learner expects more duels not to change its answer. "regret" is the paper's game:
            exactly ``horizon`` duels, of which the last ones use the best point.
        learner: The name of the learner.
        link: How a difference of utility makes a win probability; None if you do not know.
        lipschitz: How much the utility changes at most across the box; None if you do not know.
        failure_prob: δ, the probability with which the guarantees may fail.
        start: The point to start from; the learner's own choice if None.
        inputs: More of the learner's own inputs.
        batch: How many pairs should be open at once, if the learner can choose that.
        keep_history: Whether every judged pair is kept for `history`.
        seed: Seed of everything random.
    """

    def __init__(  # noqa: PLR0913 (all but two have defaults)
        self,
        box: Box | Sides,
        *,
        horizon: int,
        aim: str = "answer",
        learner: str = DEFAULT_LEARNER,
        link: Link | str | None = None,
        lipschitz: float | None = None,
        failure_prob: float = 0.05,
        start: Point | None = None,
        inputs: Mapping[str, Any] | None = None,
        batch: int = 1,
        keep_history: bool = True,
        seed: int = 0,
    ) -> None:
        _check.one_of("aim", aim, AIMS)
        self.box = box if isinstance(box, Box) else Box(box)
        self.aim, self.seed = aim, _rng.check_seed(seed)
        self.horizon = _check.horizon(horizon)
        self.learner_name = learner
        known = {
            "dim": self.box.dim,
            "horizon": self.horizon,
            "failure_prob": failure_prob,
            "aim": aim,
            "batch": _check.whole("batch", batch, 1),
            "levels": self.box.levels(),
            "seed": self.seed,
            **known_slopes(link, lipschitz),
        }
        if start is not None:
            known["start"] = self.box.to_unit(start, "start")
        self._claims = link is not None and lipschitz is not None
        chosen = inputs_for(learner, known, own_inputs(inputs))
        self._learner: Learner = LEARNERS[learner].from_inputs(chosen)
        self._keep_history = keep_history
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._key = serving_key(self.seed)
        self._step = 0  # steps that the learner was told of
        self._open: OpenPairs | None = None
        self._tally = BiasTally()
        self._past: list[PastStep] = []
        self._past_text = saved.PastText()

    @property
    def duels(self) -> int:
        """The number of duels that were judged."""
        return self._tally.duels

    @property
    def steps(self) -> int:
        """The number of steps that the learner was told of."""
        return self._step

    @property
    def done(self) -> bool:
        """Whether the run has ended: no pair is open, and none will come."""
        with self._lock:
            return self._opened() is None

    @property
    def opened(self) -> OpenPairs | None:
        """The step in progress, opened if need be; None once the run has ended."""
        with self._lock:
            return self._opened()

    @property
    def bias(self) -> Bias:
        """How much more often than half the point that is shown first has won."""
        with self._lock:
            return self._tally.bias()

    @property
    def history(self) -> History:
        """A table of every pair that was judged."""
        with self._lock:
            steps = list(self._past)
            if self._open is not None and self._keep_history:
                step = self._open.step
                copies = tuple(outcomes[:] for outcomes in step.outcomes)
                steps.append(PastStep(step.number, step.step, copies, None))
        return History(self.box, self._key, steps, skip_equal=self.aim == "answer")

    def ask(self, k: int = 1) -> list[Pair]:
        """Return up to ``k`` pairs that nobody has been given yet.

        There are fewer, perhaps none, while the next ones depend on pairs that are still open,
        and none once the run is `done`.
        """
        k = _check.whole("k", k, 1)
        pairs: list[Pair] = []
        with self._lock:
            while len(pairs) < k and (opened := self._opened()) and (pair := opened.take()):
                pairs.append(pair)
        return pairs

    def tell(self, id: str, outcome: str | float) -> None:  # noqa: A002 (what the pair calls it)
        """Take in the outcome of a pair that `ask` has returned.

        Args:
            id: The pair's ``id``.
            outcome: "x" if the point shown first is better, "y" if the other one is, "tie"; or a
                number in [0, 1], the score of x.
        """
        score = score_of(outcome)
        with self._lock:
            if self._open is None:
                raise not_open(id)
            self._open.answer(id, score)
            self._tally.add(score)
            self._close_if_full()

    def release(self, id: str) -> None:  # noqa: A002
        """Give back a pair that will not be judged after all; `ask` will hand it out again."""
        with self._lock:
            if self._open is None:
                raise not_open(id)
            self._open.release(id)

    def best(self) -> Answer:
        """Return the best point so far, in the user's units, with what can be claimed for it."""
        with self._lock:
            answer, ended = self._learner.best(), self._opened() is None
        if answer.rests_on == "constants" and not self._claims:
            answer = unclaimed(answer, self.duels)
        early = ended and self.aim == "answer" and self.duels < self.horizon
        told = self._learner.duels
        why = early_end(self.learner_name, self.duels, self.horizon, told) if early else ""
        return for_the_user(answer, self.box, self.duels, why)

    def recommend(self) -> Any:
        """Return the point to use if the run ended now, without any claim."""
        with self._lock:
            return self.box.to_raw(self._learner.recommend())

    def belief(self) -> Belief | None:
        """Return what the learner believes of the utility; None if it has no model of it."""
        with self._lock:
            return belief_of(self._learner, self.box)

    def extend(self, horizon: int) -> None:
        """Let the run go on to a larger horizon; the step in progress is finished first."""
        horizon = _check.horizon(horizon)
        with self._lock:
            if horizon < self.horizon:
                raise ValueError(
                    f"horizon must be at least {self.horizon}, as the run was begun; got {horizon}"
                )
            if not self._learner.EXTENDS:
                self._learner.check_extension(horizon)
            self.horizon = horizon
            if self._open is None:
                self._stretch()

    def _stretch(self) -> None:
        """Give the learner the duels that the judge has left.

        A point that tied with itself was told to the learner and cost the judge nothing. Where
        the user's points are few, nearly all duels may be of that kind, hence the limit.
        """
        settled = self._learner.duels - self._tally.duels
        horizon = min(self.horizon + settled, MOST_SETTLED * self.horizon)
        if self._learner.EXTENDS and horizon > (self._learner.horizon or 0):
            self._learner.extend(horizon)

    def saved(self) -> dict[str, Any]:
        """Return the run as one JSON value, for `load`, `from_saved` or `optimize`."""
        with self._lock:
            text = "".join(self._saved_text())
        value: dict[str, Any] = json.loads(text)
        return value

    def save(self, path: str | Path) -> None:
        """Write the run to a file, for `duelli.load`; the file is never half-written."""
        with self._lock:
            saved.write(path, self._saved_text())

    @classmethod
    def from_saved(cls, value: object) -> Self:
        """Return the run that `saved` described; a value that cannot be one is refused."""
        fields = saved.unseal(value)
        try:
            parts = parts_of(fields)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise SavedRunError(f"the saved run cannot be continued: {error}") from error
        run = cls.__new__(cls)
        run._restore(parts)
        return run

    def differences(self, other: "Run") -> Iterator[tuple[str, Any, Any]]:
        """Yield name, own and other value of what differs, apart from horizon and batch."""
        for name in ("learner_name", "box", "aim", "seed"):
            if getattr(self, name) != getattr(other, name):
                yield name.removesuffix("_name"), getattr(self, name), getattr(other, name)
        if self._claims != other._claims:
            yield "knowledge of link and lipschitz", self._claims, other._claims
        theirs = dataclasses.asdict(other._learner.config)
        for name, value in dataclasses.asdict(self._learner.config).items():
            if name not in ("horizon", "batch") and value != theirs.get(name):
                yield f"input {name!r}", value, theirs.get(name)

    def __repr__(self) -> str:
        state = "done" if self.done else "open"
        return (
            f"Run({self.box!r}, {self.learner_name}, {self.duels} of {self.horizon} duels, {state})"
        )

    def ask_batch(self, most: int = CHUNK) -> Batch | None:
        """Return the pairs of the step that are left, up to ``most``; None if there is none now.

        For judges that take arrays. A batch is told as a whole; it is not to be mixed with pairs
        of `ask` that are still open.
        """
        with self._lock:
            opened = self._opened()
            return None if opened is None else opened.take_batch(_check.whole("most", most, 1))

    def tell_batch(self, batch: Batch, outcomes: Any) -> None:
        """Take in the outcomes of a batch, the scores of its ``xs``."""
        scores = scores_of(outcomes, len(batch))
        with self._lock:
            if self._open is None:
                raise not_open(batch.step)
            self._open.answer_batch(batch, scores)
            self._tally.add(float(scores.sum()), len(scores), float((scores**2).sum()))
            self._close_if_full()

    def _opened(self) -> OpenPairs | None:
        """Return the step in progress, opening the next one if need be; None at the end."""
        while self._open is None:
            step = self._learner.ask()
            if not step or (self.aim == "answer" and all(is_rest(block) for block in step)):
                return None
            opened = OpenStep(step, self._step, self._key)
            self._open = OpenPairs(opened, self.box, skip_equal=self.aim == "answer")
            self._close_if_full()
        return self._open

    def _close_if_full(self) -> None:
        if self._open is None or not self._open.step.full:
            return
        opened = self._open.step
        self._learner.tell(opened.tallies())
        self._stretch()
        if self._keep_history:
            answer = self._learner.recommend()
            past = PastStep(opened.number, opened.step, opened.outcomes, answer)
            self._past.append(past)
            self._past_text.add(past_as_json(past))
        self._open, self._step = None, self._step + 1

    def _saved_text(self) -> list[str]:
        tally = self._tally
        run = {
            "learner": self.learner_name,
            "inputs": dataclasses.asdict(self._learner.config),
            "state": self._learner.state(),
            "box": self.box.as_json(),
            "aim": self.aim,
            "claims": self._claims,
            "seed": self.seed,
            "horizon": self.horizon,
            "step": self._step,
            "outcomes": None if self._open is None else self._open.step.as_json(),
            "bias": [tally.duels, tally.wins, tally.squares],
        }
        return self._past_text.saved_text(run, kept=self._keep_history)

    def _restore(self, parts: Parts) -> None:
        """Take in the parts of a saved run."""
        self.box, self.aim, self.seed = parts.box, parts.aim, parts.seed
        self.horizon, self.learner_name = parts.horizon, parts.learner_name
        self._learner, self._claims = parts.learner, parts.claims
        self._keep_history = parts.past is not None
        self._begin()
        self._step, self._tally = parts.step, parts.tally
        for past in parts.past or ():
            self._past.append(past)
            self._past_text.add(past_as_json(past))
        if parts.open_step is not None:
            # Pairs that were open when the run was saved may still be answered.
            self._open = OpenPairs(
                parts.open_step, self.box, skip_equal=self.aim == "answer", resumed=True
            )


def load(path: str | Path) -> Run:
    """Return the run that `Run.save`, or a checkpoint of `optimize`, has written to a file."""
    return Run.from_saved(saved.read(path))
