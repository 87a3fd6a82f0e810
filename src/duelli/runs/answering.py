"""A learner's answer as the user reads it: in the user's units and in words."""

from dataclasses import replace

from duelli.answers import Answer, in_duels
from duelli.boxes import Box

# Times an even share of what changes the utility.
MATTERS, HARDLY, EVEN = 1.0, 0.2, 1.3
ROUNDING = 1e-9


def unclaimed(answer: Answer, duels: int) -> Answer:
    """Return the answer without its claims, which rest on constants that were not given."""
    return answer.without_claims(
        f"After {in_duels(duels)} this is the best point found. The link and the "
        "Lipschitz constant were not both given, so nothing is claimed for it."
    )


def what_matters(shares: tuple[float, ...], box: Box) -> str:
    """Return in words of which parameters the duels show an effect.

    A small share may belong to a parameter of which little is known yet, so that nothing is said to
    have no effect.
    """
    even, names = 1 / len(shares), box.free_names()
    if len(shares) == 1:
        return ""
    if max(shares) - min(shares) < ROUNDING:
        return "The duels do not show yet which parameters matter."
    order = sorted(range(len(shares)), key=lambda k: -shares[k])
    most = [names[k] for k in order if shares[k] >= MATTERS * even]
    least = [names[k] for k in order if shares[k] < HARDLY * even]
    if not least and max(shares) < EVEN * even:
        return "All parameters seem to matter about equally."
    rest = f"; that of {', '.join(least)} is not clear yet"
    return f"The effect of {', '.join(most)} is clearest so far{rest if least else ''}."


def early_end(learner: str, duels: int, horizon: int, told: int) -> str:
    """Return why the run ended before its horizon.

    Args:
        learner: The name of the learner.
        duels: The duels that were judged.
        horizon: Those that there could have been.
        told: Those that the learner was told of; more than were judged if it chose pairs of points
            that are the same in the user's units.
    """
    if told >= horizon > duels:
        return (
            f"The run ended after {duels:,} of {horizon:,} duels: the other pairs that {learner} "
            "chose were the same point twice, as some parameters have few values."
        )
    if duels == 0:
        return f"No duel was asked: {horizon:,} are too few for {learner}."
    return (
        f"The run ended after {duels:,} of {horizon:,} duels: "
        f"{learner} expects the rest not to change its answer."
    )


def for_the_user(answer: Answer, box: Box, duels: int, why_ended: str) -> Answer:
    """Return the answer in the user's units, and its text with the point and ``why_ended``."""
    told, judged = (in_duels(number) for number in (answer.duels, duels))
    words = [f"{box.describe(answer.arm)}.", answer.text.replace(told, judged, 1)]
    if answer.enough:
        words.append(f"It lies in {box.corner_range(answer.low, answer.high)}.")
    if answer.matters:
        words.append(what_matters(answer.matters, box))
    if why_ended:
        words.append(why_ended)
    return replace(
        answer,
        arm=box.to_raw(answer.arm),
        low=box.to_raw(answer.low),
        high=box.to_raw(answer.high),
        duels=duels,
        text=" ".join(filter(None, words)),
    )
