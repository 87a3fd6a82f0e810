"""Programs as judges: both orders, several votes, and a report that tells their habits."""

import asyncio
import math
import random

import pytest

import duelli
from duelli.judges import AsyncPanel, Panel


def larger(first, second):
    return "first" if first > second else "second" if second > first else "tie"


def always_first(first, second):  # noqa: ARG001 (what a judge takes)
    return "first"


def test_both_orders_of_a_steady_judge_agree():
    panel = Panel(larger)
    assert [panel(2, 1), panel(1, 2), panel(1, 1)] == [1.0, 0.0, 0.5]
    report = panel.report()
    assert (report.duels, report.ties, report.calls) == (3, 1, 6)
    assert (report.swapped, report.steady) == (3, 3)
    assert report.bias.estimate == 0


def test_a_judge_who_takes_the_first_one_gives_ties():
    panel = Panel(always_first)
    assert {panel(k, -k) for k in range(20)} == {0.5}
    report = panel.report()
    assert (report.ties, report.steady) == (20, 0)
    assert report.bias.estimate == 0.5


def test_without_both_orders_the_first_answer_counts():
    asked = []
    panel = Panel(lambda x, y: asked.append((x, y)) or True, both_orders=False)
    assert panel(1, 2) == 1.0
    assert asked == [(1, 2)]
    assert panel.report().swapped == 0


@pytest.mark.parametrize(
    ("answers", "outcome", "agreed"),
    [([1, 1, 0], 1.0, 1), ([0, 0, 1], 0.0, 1), ([1, 0, 0.5], 0.5, 0), ([1, 1, 1], 1.0, 3)],
)
def test_the_majority_of_the_votes_decides(answers, outcome, agreed):
    left = iter(answers)
    panel = Panel(lambda x, y: next(left), both_orders=False, votes=3)  # noqa: ARG005
    assert panel("x", "y") == outcome
    report = panel.report()
    assert (report.repeated, report.agreed) == (3, agreed)


def test_shades_count_by_the_side_that_they_favour():
    assert Panel(lambda x, y: 0.9 if x > y else 0.3)(2, 1) == 1.0
    assert Panel(lambda x, y: 0.9 if x > y else 0.6)(2, 1) == 0.5


def test_an_async_judge_is_asked_everything_at_once():
    running, most = 0, 0

    async def ask(first, second):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return first > second

    panel = AsyncPanel(ask, votes=2)
    assert asyncio.run(panel(2, 1)) == 1.0
    assert most == 4
    assert panel.report().calls == 4


@pytest.mark.parametrize("answer", ["A", 2, None, math.nan])
def test_an_answer_that_is_none_is_refused(answer):
    with pytest.raises((TypeError, ValueError), match="the answer of ask"):
        Panel(lambda x, y: answer)(1, 2)  # noqa: ARG005


def test_wrong_inputs_are_refused():
    async def ask(first, second):
        return first > second

    with pytest.raises(TypeError, match="AsyncPanel"):
        Panel(ask)
    with pytest.raises(TypeError, match="must be a function"):
        Panel(3)
    with pytest.raises(ValueError, match="votes"):
        Panel(larger, votes=0)


def test_a_failed_call_counts_for_nothing():
    panel = Panel(lambda x, y: 1 / 0)  # noqa: ARG005
    with pytest.raises(ZeroDivisionError):
        panel(1, 2)
    assert panel.report().duels == 0


@pytest.mark.parametrize("parallel", [1, 4])
def test_a_panel_judges_a_run_and_undoes_its_position_bias(parallel):
    judge = random.Random(1)

    def ask(first, second):
        lead = 40 * ((second["a"] - 0.7) ** 2 - (first["a"] - 0.7) ** 2) + 1.0
        return judge.random() < 1 / (1 + math.exp(-lead))

    panel = Panel(ask, votes=3)
    result = duelli.optimize(panel, {"a": (0.0, 1.0)}, horizon=80, parallel=parallel)
    assert abs(result.best["a"] - 0.7) < 0.2
    report = panel.report()
    assert report.bias.estimate > 2 * report.bias.error > 0
    assert abs(result.bias.estimate) < 4 * result.bias.error


def test_an_async_panel_judges_a_run():
    async def ask(first, second):
        await asyncio.sleep(0)
        return first["a"] > second["a"]

    panel = AsyncPanel(ask)
    result = duelli.optimize(panel, {"a": (0.0, 1.0)}, horizon=30, parallel=2)
    assert result.best["a"] > 0.8
    assert panel.report().steady == panel.report().swapped == result.duels


def test_the_report_is_a_few_plain_lines():
    panel = Panel(larger, votes=2)
    assert str(panel.report()) == "duels: 0, ties: 0, calls: 0"
    panel(2, 1)
    assert str(panel.report()).splitlines() == [
        "duels: 1, ties: 0, calls: 4",
        "the point shown first wins 50.0% ± 25.0% of the duels",
        "both orders had the same winner 2 of 2 times",
        "two votes on one duel were equal 1 of 1 times",
    ]
