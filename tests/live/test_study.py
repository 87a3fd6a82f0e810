"""A study without input or output: any order of events ends where a run ends."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import duelli
from duelli.live import ConflictError, Settings, Study
from duelli.live.leases import Leased, Leases
from duelli.live.study import SCORES, Skipped, Told, Undone, advanced, opening
from duelli.runs import Run

BOX = {"a": (0.0, 1.0), "n": (1, 4, "int")}
CLIENTS = ("ann", "bob", "cyd")
clients = st.sampled_from(CLIENTS)


def small(**more):
    return Settings(name="s", box=BOX, **{"horizon": 14, "batch": 4, **more})


def reopened(study, records):
    """Return the study that a store would load: the opening through JSON, then the records."""
    run = Run.from_saved(study.opening.run.saved())
    loaded = Study(study.settings, opening(run), closed=study.closed)
    for record in records:
        loaded.apply(record, 0.0)
    return loaded


class StudyMachine(RuleBasedStateMachine):
    """Clients ask, answer, repeat, skip, take back and vanish in any order; servers restart."""

    def __init__(self):
        super().__init__()
        self.study = Study.begun(small())
        self.run = duelli.Run(BOX, horizon=14, batch=4, keep_history=False)
        self.records = []  # of the open step
        self.now = 0.0
        self.counted = {}  # what each duel of the open step counts

    def _apply(self, record):
        self.study.apply(record, self.now)
        self.records.append(record)

    @rule(client=clients)
    def ask(self, client):
        lease = self.study.ask(client, self.now)
        if self.study.done:
            assert lease is None
            return
        assert lease is not None, "nobody waits while a pair is open"
        assert lease.index not in self.counted
        assert self.study.pair(lease.index) == self.study.pair(lease.index)
        self._apply(lease)
        assert self.study.ask(client, self.now).index == lease.index

    @precondition(lambda self: not self.study.done)
    @rule(client=clients, winner=st.sampled_from(sorted(SCORES)), data=st.data())
    def tell(self, client, winner, data):
        index = data.draw(st.integers(0, self.study.total - 1))
        told = Told(index, winner, client)
        verdict = self.study.tell(told)
        known = self.counted.get(index)
        if known is None and self.study.decided(index):
            assert verdict == "late"  # the same point twice, which nobody is asked about
        elif known is not None:
            assert verdict == ("replay" if known == (winner, client) else "late")
        else:
            assert verdict == "accepted"
            self._count(told)

    def _count(self, told):
        self.counted[told.index] = (told.winner, told.client)
        if self.study.closes(told):
            after = advanced(self.study.opening.run.saved(), self.study.scores(told))
            self.study = Study(self.study.settings, after)
            self._play_run()
            self.counted, self.records = {}, []
        else:
            self._apply(told)

    def _play_run(self):
        """Give the run the same answers, in the order in which it asks."""
        for pair in self.run.ask(len(self.counted)):
            winner, _ = self.counted[int(pair.id.partition(".")[2])]
            self.run.tell(pair.id, SCORES[winner])

    @rule(client=clients)
    def undo(self, client):
        own = [r for r in self.records if isinstance(r, Told) and r.client == client]
        mine = [r for r in own if self.counted.get(r.index) == (r.winner, r.client)]
        try:
            undone = self.study.undo(client)
        except ConflictError:
            assert not mine or self.study.done
            return
        assert self.counted.pop(undone.index)[1] == client
        self._apply(undone)
        assert self.study.ask(client, self.now).index == undone.index

    @rule(client=clients)
    def skip(self, client):
        index = self.study.leases.held_by(client)
        if index is not None:
            skipped = self.study.skip(index, client)
            assert skipped == Skipped(index, client)
            self._apply(skipped)

    @rule(seconds=st.sampled_from([1.0, 60.0, 1e4, -3600.0]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule()
    def restart(self):
        before = list(self.study.outcomes())
        self.study = reopened(self.study, self.records)
        assert list(self.study.outcomes()) == before

    @invariant()
    def counts_add_up(self):
        assert self.study.judged == len(self.counted)
        assert {t.index: (t.winner, t.client) for t in self.study.outcomes()} == self.counted
        assert self.study.left + self.study.judged <= self.study.total

    @invariant()
    def the_state_is_that_of_a_run(self):
        if not self.counted and self.study.judged == 0:
            assert self.study.opening.run.saved() == _opened(self.run).saved()


def _opened(run):
    assert run.opened is None or run.opened.step.number == run.steps
    return run


StudyMachine.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestStudyMachine = StudyMachine.TestCase


@pytest.fixture
def study():
    return Study.begun(small())


def take(study, client):
    lease = study.ask(client, 0.0)
    study.apply(lease, 0.0)
    return lease


def test_clients_get_different_pairs_while_there_are_some(study):
    assert [take(study, name).index for name in CLIENTS] == [0, 1, 2]


def test_when_all_are_out_the_oldest_goes_to_a_second_client(study):
    for k in range(4):
        take(study, f"c{k}")
    assert [take(study, f"d{k}") for k in range(5)] == [
        Leased(0, "d0", 2),
        Leased(1, "d1", 2),
        Leased(2, "d2", 2),
        Leased(3, "d3", 2),
        Leased(0, "d4", 3),
    ]


def test_an_abandoned_pair_is_given_again_before_a_new_one(study):
    take(study, "gone")
    assert study.ask("new", study.settings.lease) == Leased(0, "new", 2)
    assert study.ask("new", study.settings.lease - 1) == Leased(1, "new", 1)


def test_a_client_that_lost_its_lease_still_has_its_pair(study):
    lease = take(study, "slow")
    study.apply(Leased(0, "quick", 2), 1e6)
    assert study.ask("slow", 1e6).index == lease.index
    assert study.tell(Told(0, "left", "slow")) == "accepted"


def test_a_skipped_pair_comes_back_to_its_client_only_if_there_is_no_other(study):
    lease = take(study, "c")
    study.apply(Skipped(lease.index, "c"), 0.0)
    assert [take_and_skip(study, "c") for _ in range(4)] == [1, 2, 3, 0]


def take_and_skip(study, client):
    index = take(study, client).index
    study.apply(Skipped(index, client), 0.0)
    return index


def test_an_undone_pair_is_the_one_that_its_client_gets_next(study):
    take(study, "c")
    study.apply(Told(0, "left", "c"), 0.0)
    take(study, "c")
    assert study.undo("c") == Undone(0, "c")
    study.apply(Undone(0, "c"), 0.0)
    assert study.ask("c", 0.0).index == 0
    assert study.ask("d", 0.0).index == 1  # which c had and left


def test_points_that_are_the_same_are_asked_of_nobody():
    settings = Settings(name="s", box={"n": (1, 2, "int")}, horizon=40, batch=20)
    study = Study.begun(settings)
    indices = set()
    while (lease := study.ask(f"c{len(indices)}", 0.0)).index not in indices:
        study.apply(lease, 0.0)
        pair = study.pair(lease.index)
        assert pair.x != pair.y
        indices.add(lease.index)


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_answers_does_not_matter(study, order):
    scores = [(i, SCORES["left" if i % 2 else "tie"]) for i in range(4)]
    first = advanced(study.opening.run.saved(), scores)
    again = advanced(study.opening.run.saved(), scores[::order])
    assert first.run.saved() == again.run.saved()


def test_a_large_step_hands_out_quickly():
    decided = set()
    leases = Leases(10**7, decided.__contains__, 60.0)
    for k in range(2000):
        lease = leases.choose(f"c{k}", 0.0)
        leases.give(lease, 0.0)
        decided.add(lease.index)
        leases.drop(lease.index)
    assert lease.index == 1999
