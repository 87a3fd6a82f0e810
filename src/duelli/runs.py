"""Run: ask for pairs and tell outcomes in the user's own units, many pairs open at once."""

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from duelli import _check, _rng, links, saved
from duelli.answers import Answer
from duelli.blocks import Block
from duelli.boxes import Box, Point, Sides
from duelli.errors import OutOfTurnError, SavedRunError
from duelli.history import Bias, BiasTally, History, PastStep, past_as_json, past_from_json
from duelli.learners import LEARNERS, inputs_for
from duelli.links import Link
from duelli.serving import CHUNK, OpenStep, outcome_of, serving_key

AIMS = ("answer", "regret")
GUESSED_SLOPE = 4.0  # Γ L where nobody knows it: too large costs little, too small a lot
WORDS = {"x": 1.0, "y": 0.0, "tie": 0.5}


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair to be judged, in the user's own units.

    Args:
        id: The pair's name, for `Run.tell`.
        x: The point to show first.
        y: The point to show second.
    """

    id: str
    x: Any
    y: Any


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Many pairs of one step, to be judged at once.

    Args:
        step: The number of the step.
        first: The number of the first pair in the step.
        xs: The points to show first: an array if the box has no names, else a list of dicts.
        ys: The points to show second.
        left_first: Whether the learner's own left arm is the one that is shown first.
    """

    step: int
    first: int
    xs: Any
    ys: Any
    left_first: npt.NDArray[np.bool_]


class Run:
    """Finds the best point of a box; you ask for pairs, judge them, and tell the outcomes.

    Many pairs may be open at once, and outcomes may come in any order and from any thread.

    >>> run = Run({"rate": (1e-4, 1e-1, "log")}, horizon=1000)
    >>> pair = run.ask()[0]
    >>> run.tell(pair.id, "x")  # the point shown first is the better one

    Args:
        box: The parameters, as a `Box` or as what makes one.
        horizon: T, the largest number of duels.
        aim: "answer" wants the best point: no point meets itself, and the run ends early when
            more duels would not change the answer. "regret" is the paper's game: exactly
            ``horizon`` duels, of which the last ones use the best point.
        learner: The name of the learner.
        link: How a difference of utility makes a win probability; None if you do not know.
        lipschitz: How much the utility changes at most across the box; None if you do not know.
        failure_prob: δ, the probability with which the guarantees may fail.
        start: The point to start from; the learner's own choice if None.
        inputs: More of the learner's own inputs.
        keep_history: Whether every judged pair is kept for `history`.
        seed: Seed of everything random.
    """

    def __init__(  # noqa: PLR0913 (all but two have defaults)
        self,
        box: Box | Sides,
        *,
        horizon: int,
        aim: str = "answer",
        learner: str = "arc_race",
        link: Link | str | None = None,
        lipschitz: float | None = None,
        failure_prob: float = 0.05,
        start: Point | None = None,
        inputs: Mapping[str, Any] | None = None,
        keep_history: bool = True,
        seed: int = 0,
    ) -> None:
        _check.one_of("aim", aim, AIMS)
        self.box = box if isinstance(box, Box) else Box(box)
        self.aim, self.seed = aim, _rng.check_seed(seed)
        self.horizon = _check.whole("horizon", horizon, 1)
        self.learner_name = learner
        known = {
            "dim": self.box.dim,
            "horizon": self.horizon,
            "failure_prob": failure_prob,
            "aim": aim,
            "seed": self.seed,
            **_facts(link, lipschitz),
        }
        if start is not None:
            known["start"] = self.box.to_unit(start)
        self._claims = link is not None and lipschitz is not None
        chosen = inputs_for(learner, known, inputs or {})
        self._learner = LEARNERS[learner].from_inputs(chosen)
        self._keep_history = keep_history
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._key = serving_key(self.seed)
        self._step = 0  # steps that the learner was told of
        self._open: OpenStep | None = None
        self._next = 0  # duels of the step below this were handed out
        self._released: list[int] = []  # those that are to be handed out again
        self._out: set[int] = set()  # handed out and not answered yet
        self._tally = BiasTally()
        self._past: list[PastStep] = []
        self._past_text = saved.PastText()

    @property
    def duels(self) -> int:
        """The number of duels that were judged."""
        return self._tally.duels

    @property
    def done(self) -> bool:
        """Whether the run has ended: no pair is open, and none will come."""
        with self._lock:
            return self._opened() is None

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
                copies = tuple(each[:] for each in self._open.outcomes)
                steps.append(PastStep(self._open.number, self._open.step, copies))
        return History(self.box, self._key, steps, skip_equal=self.aim == "answer")

    def ask(self, k: int = 1) -> list[Pair]:
        """Return up to ``k`` pairs that nobody has been given yet.

        There are fewer, perhaps none, while the next ones depend on pairs that are still open,
        and none once the run is `done`.
        """
        k = _check.whole("k", k, 1)
        pairs: list[Pair] = []
        with self._lock:
            while len(pairs) < k and (i := self._take_next()) is not None:
                pairs.append(self._pair(i))
        return pairs

    def tell(self, id: str, outcome: str | float) -> None:  # noqa: A002 (what the pair calls it)
        """Take in the outcome of a pair that `ask` has returned.

        Args:
            id: The pair's ``id``.
            outcome: "x" if the point shown first is better, "y" if the other one is, "tie"; or a
                number in [0, 1], the score of x.
        """
        score = WORDS.get(outcome) if isinstance(outcome, str) else None
        if score is None:
            if isinstance(outcome, str):
                raise ValueError(
                    f'outcome must be "x", "y", "tie" or a number in [0, 1]; got {outcome!r}'
                )
            score = outcome_of("outcome", outcome)
        with self._lock:
            i = self._open_number(id)
            opened = self._open
            assert opened is not None  # a pair of it is open
            opened.take(i, score if opened.left_first(i) else 1 - score)
            self._out.remove(i)
            self._tally.add(score)
            self._close_if_full()

    def release(self, id: str) -> None:  # noqa: A002
        """Give back a pair that will not be judged after all; `ask` will hand it out again."""
        with self._lock:
            i = self._open_number(id)
            self._out.remove(i)
            self._released.append(i)

    def best(self) -> Answer:
        """Return the best point so far, in the user's units, with what can be claimed for it."""
        with self._lock:
            answer, ended = self._learner.best(), self._opened() is None
        if not self._claims:
            answer = answer.without_claims(
                f"After {self.duels:,} duels this is the best point found. The link and the "
                "Lipschitz constant were not both given, so nothing is claimed for it."
            )
        words = [f"{self.box.describe(answer.arm)}.", answer.text]
        if answer.enough:
            words.append(f"It lies in {self.box.corner_range(answer.low, answer.high)}.")
        if ended and self.aim == "answer" and self.duels < self.horizon:
            words.append(
                f"The run ended after {self.duels:,} of {self.horizon:,} duels: more of them would "
                "not change the answer."
            )
        points = {name: self.box.to_raw(getattr(answer, name)) for name in ("arm", "low", "high")}
        return replace(answer, **points, duels=self.duels, text=" ".join(words))

    def extend(self, horizon: int) -> None:
        """Let the run go on to a larger horizon; the step in progress is finished first."""
        horizon = _check.whole("horizon", horizon, 1)
        with self._lock:
            if horizon < self.horizon:
                raise ValueError(
                    f"horizon must be at least {self.horizon}, as the run was begun; got {horizon}"
                )
            if self._open is None:
                self._learner.extend(horizon)
            self.horizon = horizon

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
            run = cls.__new__(cls)
            run._restore(fields)
        except (ValueError, TypeError, KeyError, OverflowError, AssertionError) as error:
            raise SavedRunError(f"the saved run cannot be continued: {error}") from error
        return run

    def __repr__(self) -> str:
        state = "done" if self.done else "open"
        return f"Run({self.box!r}, {self.learner_name}, {self.duels} of {self.horizon} duels, {state})"

    def ask_batch(self, most: int = CHUNK) -> Batch | None:
        """Return the pairs of the step that are left, up to ``most``; None if there is none now.

        For judges that take arrays. A batch is told as a whole; it is not to be mixed with pairs
        of `ask` that are still open.
        """
        with self._lock:
            i = self._take_next()
            if i is None:
                return None
            opened = self._open
            assert opened is not None  # duel i is of it
            self._next = i + opened.unanswered_from(i, most)
            self._out.remove(i)
            left, right, left_first = opened.many(i, self._next - i)
        first = np.where(left_first[:, None], left, right)
        second = np.where(left_first[:, None], right, left)
        xs, ys = self.box.to_raw_many(first), self.box.to_raw_many(second)
        return Batch(opened.number, i, xs, ys, left_first)

    def tell_batch(self, batch: Batch, outcomes: Any) -> None:
        """Take in the outcomes of a batch, the scores of its ``xs``."""
        scores = np.asarray(outcomes, dtype=np.float64)
        if scores.shape != batch.left_first.shape or not ((scores >= 0) & (scores <= 1)).all():
            raise ValueError(
                f"outcomes must be {len(batch.left_first)} numbers in [0, 1]; got {outcomes!r}"
            )
        with self._lock:
            opened = self._open
            if opened is None or (opened.number, True) != (batch.step, not opened.has(batch.first)):
                raise ValueError("batch must be open; it was answered before")
            opened.take_many(batch.first, np.where(batch.left_first, scores, 1 - scores))
            self._tally.add(float(scores.sum()), len(scores), float((scores**2).sum()))
            self._close_if_full()

    def _take_next(self) -> int | None:
        """Hand out the number of a duel that nobody has; None if there is none now."""
        opened = self._opened()
        if opened is None:
            return None
        if self._released:
            i = self._released.pop()
        else:
            while self._next < opened.total and opened.has(self._next):
                self._next += 1
            if self._next >= opened.total:
                return None
            i = self._next
            self._next += 1
        self._out.add(i)
        return i

    def _pair(self, i: int) -> Pair:
        opened = self._open
        assert opened is not None  # duel i is of it
        left, reference, left_first = opened.duel(i)
        ours, theirs = self.box.to_raw(left), self.box.to_raw(reference)
        name = f"{opened.number}.{i}"
        return Pair(name, ours, theirs) if left_first else Pair(name, theirs, ours)

    def _open_number(self, id: object) -> int:  # noqa: A002
        """Return the number of the open pair called ``id``."""
        step, _, i = id.partition(".") if isinstance(id, str) else ("", "", "")
        opened = self._open
        if opened is None or step != str(opened.number) or not i.isdigit() or int(i) not in self._out:
            raise OutOfTurnError(
                f"no pair {id!r} is open; it was answered or given back before, or never asked"
            )
        return int(i)

    def _opened(self) -> OpenStep | None:
        """Return the step in progress, opening the next one if need be; None at the end."""
        while self._open is None:
            step = self._learner.ask()
            if not step or (self.aim == "answer" and all(_is_rest(block) for block in step)):
                return None
            self._open = OpenStep(step, self._step, self._key)
            self._next = 0
            if self.aim == "answer":
                self._settle_equal(self._open)
            self._close_if_full()
        return self._open

    def _settle_equal(self, opened: OpenStep) -> None:
        """Let a point tie with itself, so that no judge is asked about it.

        Different arms can be the same point for the user, where a parameter is a whole number or
        a choice.
        """
        for b, block in enumerate(opened.step):
            first = opened.first_of(b)
            if block.edge == 0:
                if self.box.same_point(block.low, block.reference):
                    opened.take_many(first, np.full(block.n, 0.5))
            elif not self.box.continuous:
                for i in range(first, first + block.n):
                    if self.box.same_point(opened.duel(i).left, block.reference):
                        opened.take(i, 0.5)

    def _close_if_full(self) -> None:
        opened = self._open
        if opened is None or not opened.full:
            return
        self._learner.tell(opened.tallies())
        if self._learner.horizon is not None and self.horizon > self._learner.horizon:
            self._learner.extend(self.horizon)
        if self._keep_history:
            past = PastStep(opened.number, opened.step, opened.outcomes)
            self._past.append(past)
            self._past_text.add(past_as_json(past))
        self._open, self._step = None, self._step + 1
        self._next, self._released = 0, []

    def _saved_text(self) -> list[str]:
        tally = self._tally
        run = {
            "learner": self.learner_name,
            "inputs": asdict(self._learner.config),
            "state": self._learner.state(),
            "box": self.box.as_json(),
            "aim": self.aim,
            "claims": self._claims,
            "seed": self.seed,
            "horizon": self.horizon,
            "step": self._step,
            "outcomes": None if self._open is None else self._open.as_json(),
            "bias": [tally.duels, tally.wins, tally.squares],
        }
        return self._past_text.saved_text(run, kept=self._keep_history)

    def _restore(self, fields: Mapping[str, Any]) -> None:
        """Take in the fields of a saved run."""
        _check.one_of("aim", fields["aim"], AIMS)
        self.box, self.aim = Box.from_json(fields["box"]), fields["aim"]
        self.seed = _rng.check_seed(fields["seed"])
        self.horizon = _check.whole("horizon", fields["horizon"], 1)
        self.learner_name, self._claims = fields["learner"], fields["claims"]
        kind = _check.registered("learner", self.learner_name, LEARNERS)
        inputs = inputs_for(self.learner_name, {}, fields["inputs"])
        self._learner = kind.from_state(inputs, fields["state"])
        if self._learner.dim != self.box.dim:
            raise ValueError(
                f"the learner must have the box's {self.box.dim} dimensions; "
                f"got {self._learner.dim}"
            )
        self._keep_history = fields["history"] is not None
        self._begin()
        self._step = _check.whole("step", fields["step"])
        for entry in fields["history"] or ():
            self._past.append(past_from_json(entry, self.box.dim))
            self._past_text.add(entry)
        self._restore_step(fields["outcomes"])
        self._restore_bias(fields["bias"])

    def _restore_step(self, outcomes: object) -> None:
        step = self._learner.ask() if outcomes is not None else ()
        if outcomes is None:
            return
        if not step:
            raise ValueError("outcomes must be null where the run has ended")
        self._open = OpenStep(step, self._step, self._key)
        self._open.restore(outcomes)
        if self._open.full:
            raise ValueError("outcomes must leave a duel open; a full step is told at once")

    def _restore_bias(self, sums: list[Any]) -> None:
        if len(sums) != 3:
            raise ValueError(f"bias must have 3 entries; got {sums!r}")
        duels = _check.whole("bias[0]", sums[0])
        wins, squares = _check.real("bias[1]", sums[1]), _check.real("bias[2]", sums[2])
        told = self._learner.duels + (0 if self._open is None else self._open.answered)
        if duels > told or not 0 <= squares <= wins <= duels:
            raise ValueError(f"bias must fit the {told} duels that were told; got {sums!r}")
        self._tally = BiasTally(duels, wins, squares)


def load(path: str | Path) -> Run:
    """Return the run that `Run.save`, or a checkpoint of `optimize`, has written to a file."""
    return Run.from_saved(saved.read(path))


def _is_rest(block: Block) -> bool:
    return block.edge == 0 and block.low == block.reference


def _facts(link: Link | str | None, lipschitz: float | None) -> dict[str, Any]:
    """Return what the learner is told of link and Lipschitz constant, guessed if unknown."""
    if link is None:
        return {"slope_max": 0.25, "lipschitz": GUESSED_SLOPE / 0.25}
    parsed = links.parse(link)
    if lipschitz is None:
        return {"slope_max": parsed.slope_max, "lipschitz": GUESSED_SLOPE / parsed.slope_max}
    lipschitz = _check.positive("lipschitz", lipschitz)
    return {"lipschitz": lipschitz, **parsed.covering(lipschitz).facts()}
