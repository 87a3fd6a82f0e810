"""From the fields of a saved run to its parts, each checked against the others."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duelli import _check, _rng
from duelli.blocks import Block, Learner
from duelli.boxes import Box
from duelli.history import BiasTally, PastStep, past_from_json
from duelli.learners import LEARNERS
from duelli.serving import OpenStep, serving_key

AIMS = ("answer", "regret")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a run is made of; see `duelli.runs.Run`."""

    learner_name: str
    learner: Learner
    box: Box
    aim: str
    claims: bool
    seed: int
    horizon: int
    step: int
    open_step: OpenStep | None
    tally: BiasTally
    past: list[PastStep] | None


def own_inputs(inputs: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the learner's own inputs; what the run itself sets has an argument of its own."""
    if not isinstance(inputs, Mapping | None):
        raise TypeError(f"inputs must be a dict of the learner's inputs; got {inputs!r}")
    for name in ("dim", "horizon", "seed", "aim"):
        if name in (inputs or {}):
            raise ValueError(f"inputs must not hold {name!r}: the run sets it")
    return inputs or {}


def parts_of(fields: Mapping[str, Any]) -> Parts:
    """Return the parts that `duelli.saved.unseal` found; raise ValueError if they do not fit."""
    _check.one_of("aim", fields["aim"], AIMS)
    box, seed = Box.from_json(fields["box"]), _rng.check_seed(fields["seed"])
    kind = _check.registered("learner", fields["learner"], LEARNERS)
    _check_inputs(kind.Config, fields["inputs"], dim=box.dim, seed=seed, aim=fields["aim"])
    learner = kind.from_state(fields["inputs"], fields["state"])
    horizon = _check.horizon(fields["horizon"])
    if not learner.EXTENDS:
        learner.check_extension(horizon)
    step = _check.whole("step", fields["step"])
    past = _past(fields["history"], learner, step)
    open_step = _open_step(fields["outcomes"], learner, step, seed=seed, aim=fields["aim"])
    told = learner.duels + (0 if open_step is None else open_step.answered)
    tally = _tally(fields["bias"], told)
    _check_horizon(learner, horizon + told - tally.duels)
    return Parts(
        learner_name=fields["learner"],
        learner=learner,
        box=box,
        aim=fields["aim"],
        claims=fields["claims"],
        seed=seed,
        horizon=horizon,
        step=step,
        open_step=open_step,
        tally=tally,
        past=past,
    )


def _check_inputs(config: type, inputs: Mapping[str, Any], **fitting: Any) -> None:
    """Check that the inputs of a saved learner are all there, and fit the run."""
    names = {field.name for field in dataclasses.fields(config)}
    _check.known_keys("inputs", inputs, names)
    if missing := sorted(names - set(inputs)):
        raise ValueError(f"inputs must hold {', '.join(missing)}; it is missing")
    for name in sorted(names & set(fitting)):
        if inputs[name] != fitting[name]:
            raise ValueError(
                f"inputs.{name} must be the run's {fitting[name]!r}; got {inputs[name]!r}"
            )
    if inputs["horizon"] is None:
        raise ValueError("inputs.horizon must be a whole number of at least 1; got None")


def _check_horizon(learner: Learner, most: int) -> None:
    """Check that the learner asks for no more duels than the run has, and points that tied."""
    if learner.horizon is not None and learner.horizon > most:
        raise ValueError(f"inputs.horizon must be at most {most}; got {learner.horizon}")


def _past(entries: list[Any] | None, learner: Learner, step: int) -> list[PastStep] | None:
    """Return the steps that were told before; None if they were not kept."""
    if entries is None:
        return None
    if len(entries) != step:
        raise ValueError(f"history must hold {step} steps; got {len(entries)}")
    past = [past_from_json(entry, learner.dim) for entry in entries]
    numbers = [each.number for each in past]
    if numbers != list(range(step)):
        raise ValueError(f"history must hold the steps 0 to {step - 1}; got {numbers}")
    duels = sum(block.n for each in past for block in each.step)
    if duels != learner.duels:
        raise ValueError(f"history must hold {learner.duels} duels; got {duels}")
    return past


def is_rest(block: Block) -> bool:
    """Tell whether a block sends an arm against itself, so that nothing is to be learnt."""
    return block.edge == 0 and block.low == block.reference


def _open_step(
    outcomes: object, learner: Learner, number: int, *, seed: int, aim: str
) -> OpenStep | None:
    """Return the step in progress with the outcomes that have come; None if there is none."""
    if outcomes is None:
        return None
    step = learner.ask()
    if not step or (aim == "answer" and all(is_rest(block) for block in step)):
        raise ValueError("outcomes must be null where the run has ended")
    opened = OpenStep(step, number, serving_key(seed))
    opened.restore(outcomes)
    if opened.full:
        raise ValueError("outcomes must leave a duel open; a full step is told at once")
    return opened


def _tally(sums: list[Any], told: int) -> BiasTally:
    if len(sums) != 3:
        raise ValueError(f"bias must have 3 entries; got {sums!r}")
    duels = _check.whole("bias[0]", sums[0])
    wins, squares = _check.real("bias[1]", sums[1]), _check.real("bias[2]", sums[2])
    if duels > told or not 0 <= squares <= wins <= duels:
        raise ValueError(f"bias must fit the {told} duels that were told; got {sums!r}")
    return BiasTally(duels, wins, squares)
