"""Settings: what the owner of a study decides when it is made."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from duelli import _check
from duelli.boxes import Box, choice
from duelli.live.shows import check_show
from duelli.runs import Run

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
LEASE = 120.0  # seconds after which a pair that nobody answered may go to somebody else
MOST_SIDES = 64  # parameters of a box
MOST_TEXT = 500  # characters of a title or a question


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What does not change in a study.

    Args:
        name: The name of the study: letters, digits, "_" and "-", up to 64.
        box: The parameters, as `duelli.Box` takes them, or as its JSON.
        horizon: T, the largest number of duels.
        learner: The name of the learner.
        seed: Seed of everything random.
        batch: How many pairs may be open at once, if the learner can choose that. It should be the
            number of people or programs that judge at the same time.
        link: How a difference of utility makes a win probability; None if you do not know.
        lipschitz: How much the utility changes at most across the box; None if you do not know.
        inputs: More of the learner's own inputs.
        title: What the pages call the study.
        question: What people are asked about every pair.
        show: How the pages show an arm; see `duelli.live.shows`.
        lease: Seconds after which a pair that was not answered may go to somebody else.
        share: The largest share of the duels of a step that one client may answer.
    """

    name: str
    box: Box
    horizon: int
    learner: str = "auto"
    seed: int = 0
    batch: int = 1
    link: str | None = None
    lipschitz: float | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    question: str = ""
    show: Mapping[str, Any] = field(default_factory=lambda: {"kind": "parameters"})
    lease: float = LEASE
    share: float = 1.0

    def __post_init__(self) -> None:
        box = self.box if isinstance(self.box, Box) else box_of(self.box)
        object.__setattr__(self, "name", check_name(self.name))
        object.__setattr__(self, "box", box)
        object.__setattr__(self, "horizon", _check.horizon(self.horizon))
        object.__setattr__(self, "show", check_show(self.show, box))
        for name in ("title", "question"):
            _check_text(name, getattr(self, name))
        object.__setattr__(self, "lease", _check.at_least("lease", self.lease, 1))
        if not 0 < _check.real("share", self.share) <= 1:
            raise ValueError(f"share must lie in (0, 1]; got {self.share!r}")

    def run(self) -> Run:
        """Return the run that the study plays, at its beginning."""
        return Run(
            self.box,
            horizon=self.horizon,
            learner=self.learner,
            link=self.link,
            lipschitz=self.lipschitz,
            inputs=self.inputs,
            batch=self.batch,
            keep_history=False,
            seed=self.seed,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON, for `from_json`."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**plain, "box": self.box.as_json(), "inputs": dict(self.inputs)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the settings of which ``value`` is `as_json`."""
        _check.known_keys("a study", value, [each.name for each in fields(cls)])
        return cls(**value)


def check_name(name: object) -> str:
    """Return the name of a study, or say what is wrong with it."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(
            f"name must be 1 to 64 letters, digits, underscores and hyphens; got {name!r}"
        )
    return name


def box_of(value: Any) -> Box:
    """Return a box from what the user wrote, or from the JSON of one."""
    if isinstance(value, Mapping) and set(value) == {"named", "parameters"}:
        box = Box.from_json(value)
    else:
        box = Box(_sides(value))
    if len(box.parameters) > MOST_SIDES:
        raise ValueError(
            f"box must have at most {MOST_SIDES} parameters; got {len(box.parameters)}"
        )
    return box


def _sides(value: Any) -> Any:
    """Return sides as `Box` takes them, from JSON, which has no tuples.

    {"choices": [...]} is a choice between any values, also two numbers; two numbers and a word are
    bounds with a scale, so that a scale that is misspelt is refused.
    """
    if not isinstance(value, Mapping):
        return value
    return {name: _side(side) for name, side in value.items()}


def _side(side: Any) -> Any:
    if isinstance(side, Mapping) and set(side) == {"choices"} and isinstance(side["choices"], list):
        return choice(*side["choices"])
    if isinstance(side, list) and [_is_number(each) for each in side] == [True, True, False]:
        return tuple(side)
    return side


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise ValueError(f"{name} must be a text of at most {MOST_TEXT} characters; got {value!r}")
