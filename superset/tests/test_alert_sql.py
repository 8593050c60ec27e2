"""The datasets of *Weir Alerts* over rows written by hand, in the engine of ClickHouse in this process."""

import random
from datetime import datetime, timedelta

import pytest
from dataset_engine import ASSETS

HASH = "0123456789abcdef"
LIVE = {"cluster": "c", "user": "ada", "mode": "live"}
PYTHON = f"python3 {HASH}"
FIRST = datetime(2026, 4, 21)


def case(name, user, program, rule, state, **more):
    title = {"R1": "Small writes", "R2": "Many opens"}[rule]
    row = {"cluster": "c", "case_id": name, "user": user, "program": program, "rule_id": rule, "title": title}
    return row | {"state": state, "changed_at": "2026-05-20 00:00:00", "runs": 1, "version": 1} | more


def alert(name, decided_at, cases, **more):
    row = LIVE | {"alert": name, "kind": "finding", "unit": f"job {name}", "cases": cases, "jobs": 1}
    return row | {"decided_at": decided_at, "version": 1} | more


def held(unit, held, **more):
    return alert("", "2026-05-12 00:00:00", ["k1"], unit=unit, held=held, **more)


def delivery(of, state, time, reason="", **more):
    row = {name: of[name] for name in ("cluster", "alert", "kind", "unit", "mode", "cases", "decided_at")}
    row |= {
        "recipient": of["user"],
        "state": state,
        "time": time,
        "subject": "s",
        "attempts": 1,
        "version": 1,
    }
    names, states = ["mail"], [state]
    row |= {"channel_names": names, "channel_addresses": ["a@b"], "channel_states": states}
    return row | {"channel_reasons": [reason]} | more


def wrong(user, subject, text, **more):
    alert, _, rule = subject.partition(" ")
    row = {"cluster": "c", "user": user, "kind": "wrong", "subject": subject, "text": text, "version": 1}
    row |= {"alert": alert, "rule_id": rule}
    return row | {"time": "2026-05-13 00:00:00"} | more


def run(log, start, end, lost, **more):
    row = {"cluster": "c", "log_id": log, "user": "ada", "program": "app", "run_nodes": 8}
    row |= {"start_time": f"2026-{start}", "end_time": f"2026-{end}", "run_time_seconds": 3600}
    return row | {"node_hours_lost": lost, "version": 1} | more


A1 = alert("a1", "2026-05-10 12:00:00", ["k1", "k2"])
A2 = alert("a2", "2026-05-20 12:00:00", ["k1"], kind="fixed")
A3 = alert("a3", "2026-05-10 12:00:00", ["k3", "k4", "k7"], user="bob", mode="shadow")
A4 = alert("a4", "2026-05-01 12:00:00", ["k1"], mode="rehearsal")
A5 = alert("a5", "2026-05-11 12:00:00", ["k2"], kind="digest")
A6 = alert("a6", "2026-05-15 12:00:00", ["k3"], user="bob")
A7 = alert("a7", "2026-05-14 12:00:00", ["k1"], kind="reminder")
TROUBLE = alert("o1", "2026-05-15 12:00:00", [], user="operators", kind="trouble")
NAMESAKE = alert("o2", "2026-05-15 12:00:00", ["k3"], user="operators")
ROWS = {
    "cases": [
        case("k1", "ada", "app", "R1", "fixed", runs=3, node_hours_lost=6.5, times_sent=2, sent_in="live"),
        case("k2", "ada", "app", "R2", "open", times_sent=2, sent_in="live", retracted=["7", "8"]),
        case("k3", "bob", "sim.x", "R1", "open", times_sent=1, sent_in="shadow"),
        case("k4", "bob", PYTHON, "R1", "counted"),
        case("k5", "bob", "gone", "R1", "counted", runs=0),
        case("k6", "bob", "old", "R1", "open", changed_at="2026-04-30 00:00:00"),
        case("k7", "bob", "app", "R1", "open", sent_in="shadow", changed_at="2026-04-30 00:00:00"),
    ],
    "alerts": [
        A1, A2, A3, A4, A5, A6, A7,
        held("h1", "sent_before"),
        held("h2", "below_thresholds", user="bob", mode="shadow"),
        held("h3", "a_new_reason"),
    ],
    "deliveries": [
        delivery(A1, "sent", "2026-05-10 12:00:05", settled_at="2026-05-10 11:59:30"),
        delivery(A2, "sent", "2026-05-20 12:00:15"),
        delivery(A4, "sent", "2026-05-01 12:00:01.5", settled_at="2026-05-01 11:59:00"),
        delivery(A7, "sent", "2026-05-14 12:00:02"),
        delivery(A6, "failed", "2026-05-15 12:00:02", "550 no such user"),
        delivery(TROUBLE, "ambiguous", "2026-05-15 12:00:03"),
        delivery(NAMESAKE, "waiting", "2026-05-15 12:00:04"),
    ],
    "alert_controls": [
        wrong("ada", "a1 R1", "I know"),
        wrong("bob", "zz R9", "no such message"),
        wrong("ada", "k1", "", kind="mute"),
    ],
    "runs": [
        run("r1", "05-01 10:00:00", "05-01 11:00:00", 4),
        run("r2", "05-10 10:00:00", "05-10 11:00:00", 2),
        run("it ran when the message came", "05-10 11:59:00", "05-10 12:59:00", 9),
        run("more than 30 days before", "04-05 10:00:00", "04-05 11:00:00", 100),
        run("r5", "05-12 10:00:00", "05-12 11:00:00", 1),
        run("after the cause was gone", "05-21 10:00:00", "05-21 11:00:00", 0),
        run("its loss is not known", "05-13 10:00:00", "05-13 11:00:00", None),
        run("of another user", "05-13 10:00:00", "05-13 11:00:00", 50, user="bob"),
        run("of another cluster", "05-13 10:00:00", "05-13 11:00:00", 50, cluster="d"),
        run("p1", "05-09 10:00:00", "05-09 11:00:00", 1.5, user="bob", program=PYTHON),
        run("p2", "05-11 10:00:00", "05-11 11:00:00", 2.5, user="bob", program=PYTHON),
        run("another script", "05-11 10:00:00", "05-11 11:00:00", 7, user="bob", program="python3 f"),
    ],
}  # fmt: skip


@pytest.fixture
def engine(engine_of):
    engine = engine_of(ROWS)
    engine.refresh("message_effects_build")
    return engine


def only(rows, **where):
    (row,) = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return row


def numbers(row, names):
    return [None if row[name] is None else pytest.approx(float(row[name])) for name in names.split()]


@pytest.mark.parametrize("name", [name for name in ASSETS.datasets if name.startswith("alert_")])
def test_without_a_time_range_there_are_no_fewer_rows(engine, name):
    assert len(engine.rows(name, since=None, until=None)) >= len(engine.rows(name))


@pytest.mark.parametrize("name", [name for name in ASSETS.datasets if name.startswith("alert_")])
def test_a_range_without_rows_is_empty_and_no_error(engine, name):
    assert engine.rows(name, since="2030-01-01 00:00:00", until="2031-01-01 00:00:00") == []


def test_cases_are_those_that_changed_and_still_have_runs(engine):
    rows = engine.rows("alert_cases")
    assert sorted((row["user"], row["program"], row["state"], row["mode"]) for row in rows) == [
        ("ada", "app", "fixed", "live"),
        ("ada", "app", "open", "live"),
        ("bob", PYTHON, "counted", "(none yet)"),
        ("bob", "sim.x", "open", "shadow"),
    ]
    assert only(rows, state="fixed")["node_hours_lost"] == 6.5
    assert only(rows, rule="R2")["retracted"] == "7, 8"
    states = engine.metrics("alert_cases", "user")
    assert states["ada",] == {"open_cases": 1, "fixed_cases": 1}
    assert states["bob",] == {"open_cases": 1, "fixed_cases": 0}


def test_decisions_say_what_became_of_each(engine):
    rows = engine.rows("alert_decisions")
    assert sorted((row["user"], row["mode"], row["kind"], row["outcome"], row["reason"]) for row in rows) == [
        ("ada", "live", "digest", "not sent yet", "(not held back)"),
        ("ada", "live", "finding", "held back", "a new reason"),
        ("ada", "live", "finding", "held back", "reported before"),
        ("ada", "live", "finding", "sent", "(not held back)"),
        ("ada", "live", "fixed", "sent", "(not held back)"),
        ("ada", "live", "reminder", "sent", "(not held back)"),
        ("ada", "rehearsal", "finding", "sent to staff", "(not held back)"),
        ("bob", "live", "finding", "failed", "(not held back)"),
        ("bob", "shadow", "finding", "held back", "below thresholds"),
        ("bob", "shadow", "finding", "shadow, not sent", "(not held back)"),
    ]
    assert {row["day"] for row in rows if row["outcome"] == "failed"} == {"2026-05-15 00:00:00"}


def test_messages_are_counted_by_mode_and_by_user(engine):
    modes = engine.metrics("alert_decisions", "mode, meaning")
    live = modes["live", "users get the messages"]
    assert (live["messages"], live["sent"], live["held_back"], live["users"]) == (5, 3, 2, 2)
    assert (live["about_findings"], live["about_fixed"], live["digests"], live["reminders"]) == (2, 1, 1, 1)
    assert live["last_message"] == "2026-05-20 12:00:00"
    shadow = modes["shadow", "nothing leaves"]
    assert (shadow["messages"], shadow["sent"], shadow["held_back"], shadow["users"]) == (1, 0, 1, 1)
    assert modes["rehearsal", "staff get the messages"]["sent"] == 0
    assert engine.metrics("alert_decisions", "user")["ada",]["messages"] == 5
    nothing = engine.metrics("alert_decisions", "reason")["reported before",]
    assert nothing["last_message"] == ""


def test_deliveries_start_with_what_needs_somebody(engine):
    rows = engine.rows("alert_deliveries", rest="ORDER BY urgency, time DESC")
    assert [(row["alert"], row["delivery_state"], row["user"]) for row in rows] == [
        ("o1", "ambiguous", "(operators)"),
        ("a6", "failed", "bob"),
        ("o2", "waiting", "(operators)"),
        ("a2", "sent", "ada"),
        ("a7", "sent", "ada"),
        ("a1", "sent", "ada"),
        ("a4", "sent", "ada"),
    ]
    assert rows[1]["answers"] == "mail failed (550 no such user)"
    assert rows[3]["answers"] == "mail sent"
    assert rows[0]["next_step"].startswith("Not sent again")
    assert not any("a@b" in str(value) for row in rows for value in row.values()), "an address"


def test_a_user_called_operators_gets_no_message_to_operators(engine):
    assert engine.rows("alert_deliveries", rest="WHERE user IN ('operators') AND mode = 'live'") == []


def test_losses_before_and_after_the_first_message(engine):
    rows = engine.rows("alert_effect")
    assert len(rows) == 5  # a6 reached nobody
    before, after = (
        "runs_before lost_before per_run_before share_before",
        "runs_after lost_after per_run_after",
    )
    live = only(rows, mode="live", program="app")
    assert live["time"] == "2026-05-10 12:00:05.000000"
    assert live["fixed_at"] == "2026-05-20 12:00:15.000000"
    assert live["titles"] == "Many opens, Small writes"
    assert numbers(live, before) == [2, 6, 3, 6 / 16]
    assert numbers(live, f"{after} share_after") == [2, 1, 0.5, 1 / 16]
    assert numbers(live, "runs_fixed per_run_fixed gained_node_hours") == [1, 0, 3]
    rehearsal = only(rows, mode="rehearsal")
    assert numbers(rehearsal, before) == [2, 104, 52, 104 / 16]
    assert numbers(rehearsal, after) == [4, 12, 3]
    assert rehearsal["fixed_at"] is None
    assert rehearsal["runs_fixed"] == 0
    script = only(rows, program=PYTHON)
    assert numbers(script, f"{before} {after}") == [1, 1.5, 1.5, 1.5 / 8, 1, 2.5, 2.5]
    namesake = only(rows, program="app", user="bob")
    assert numbers(namesake, f"{before} {after}") == [0, 0, None, None, 1, 50, 50]
    unseen = only(rows, program="sim.x", mode="shadow")
    assert numbers(unseen, f"{before} {after}") == [0, 0, None, None, 0, 0, None]


def test_means_are_of_programs_with_runs_on_both_sides(engine):
    modes = engine.metrics("alert_effect", "mode")
    assert numbers(modes["live",], "mean_before mean_after gained") == [3, 0.5, 3]
    assert modes["rehearsal",]["gained"] == 0, "what went to staff alone fixed nothing"
    assert numbers(modes["rehearsal",], "mean_before mean_after") == [52, 3]
    assert numbers(modes["shadow",], "mean_before mean_after") == [1.5, 2.5]


def test_wrong_answers_by_rule(engine):
    rules = engine.metrics("alert_answers", "rule")
    assert rules.keys() == {("R1",), ("R2",), ("R9",)}
    assert rules["R1",] == {
        "wrong_answers": 1,
        "messages": 5,
        "wrong_share": 0.2,
        "cause": "Small writes",
        "newest_words": "I know",
    }
    assert (rules["R2",]["wrong_answers"], rules["R2",]["messages"]) == (0, 2)
    assert (rules["R9",]["wrong_answers"], rules["R9",]["wrong_share"]) == (1, None)
    assert {row["user"] for row in engine.rows("alert_answers") if row["wrong"]} == {"ada", "bob"}


def test_latency_by_step(engine):
    rows = engine.rows("alert_latency")
    assert sorted((row["step"], row["seconds"]) for row in rows) == [
        ("decided to sent", 1.5),
        ("decided to sent", 2),
        ("decided to sent", 5),
        ("decided to sent", 15),
        ("settled to decided", 30),
        ("settled to decided", 60),
    ]
    steps = engine.metrics("alert_latency", "step")
    assert steps["decided to sent",]["p50"] == 5
    assert steps["decided to sent",]["p99"] == 15


@pytest.mark.parametrize("seed", range(3))
def test_what_changed_since_a_time_is_that_of_the_newest_versions(engine_of, seed):
    """Versions land in any order, and each newer one is later, some of them in the month after."""
    chance = random.Random(seed)
    rows = {"cases": [], "alerts": [], "deliveries": []}
    for step in chance.sample(range(1, 200), 120):
        day, second = divmod(step, 10)
        time, one = f"{FIRST + timedelta(days=day, seconds=second)}", chance.randrange(25)
        row = {"cluster": "c", "version": step, "is_deleted": int(chance.random() < 0.1)}
        rows["cases"].append(row | {"user": "ann", "case_id": f"k{one}", "changed_at": time})
        rows["alerts"].append(row | {"user": f"u{one}", "unit": "job", "kind": "finding", "decided_at": time})
        rows["deliveries"].append(row | {"alert": f"a{one}", "time": time})
    engine = engine_of(rows)
    for table, key, time in (
        ("cases", "case_id", "changed_at"),
        ("alerts", "user", "decided_at"),
        ("deliveries", "alert", "time"),
    ):
        columns = f"SELECT {key}, {time} FROM"
        for day in range(20):
            since = FIRST + timedelta(days=day)
            newest = engine.answers(f"{columns} {table} WHERE {time} >= '{since}' ORDER BY ALL")
            assert engine.answers(f"{columns} {table}_since(since = '{since}') ORDER BY ALL") == newest
