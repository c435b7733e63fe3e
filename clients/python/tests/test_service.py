"""Everything against the running service at PURSER, with an administrator's key in KEY."""

import contextlib
import datetime
import decimal
import importlib.util
import io
import os
import pathlib
import re
import runpy
import secrets
import socket
import statistics
import tempfile
import threading
import unittest
import warnings
from decimal import Decimal

import purser
from purser import column, count_of, free, question

COLUMNS = [
    {"name": "age", "type": "integer", "lower": 0, "upper": 110},
    {"name": "minutes", "type": "decimal", "lower": 0, "upper": 120, "resolution": 0.5},
    {"name": "ward", "type": "category", "categories": ["<b>emergency</b>", "surgery"]},
    {"name": "on", "type": "date", "lower": "2020-01-01", "upper": "2020-12-31"},
]
ROWS = 400
WIDE = "40"  # An epsilon with which answers are nearly exact. The rows are invented.
SURE = {"beta": 0.000001}  # For intervals that are compared with the exact values.
service = purser.connect(os.environ["PURSER"], os.environ["KEY"])


def rows():
    lines = ["age,minutes,ward,on"]
    for i in range(ROWS):
        ward = "<b>emergency</b>" if i % 4 else "surgery"
        day = datetime.date(2020, 1, 1) + datetime.timedelta(days=i % 366)
        lines.append(f"{i % 100},{i % 240 / 2},{ward},{day}")
    return "\n".join(lines) + "\n"


def registered(budget="100000", **more):
    name = f"py-{secrets.token_hex(6)}"
    settings = {"budget": budget, "max_rows": 10_000, "declared_public": True, **more}
    return service.register(name, COLUMNS, **settings)


def filled(budget="100000", **more):
    dataset = registered(budget, **more)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "rows.csv")
        file.write_text(rows())
        dataset.upload(file)
    return dataset


class Relay:
    """Passes connections on to the service. It cuts off the reply of the next ``losing`` connections."""

    def __init__(self, losing):
        self.losing = losing
        host, port = os.environ["PURSER"].partition("://")[2].split(":")
        self.service = host, int(port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client, socket.create_connection(self.service) as upstream:
                threading.Thread(target=self.copy, args=(client, upstream), daemon=True).start()
                reply = upstream.recv(1 << 16)
                if self.losing > 0:
                    self.losing -= 1
                    client.shutdown(socket.SHUT_RDWR)
                else:
                    while reply:
                        client.sendall(reply)
                        reply = upstream.recv(1 << 16)

    @staticmethod
    def copy(client, upstream):
        try:
            while block := client.recv(1 << 16):
                upstream.sendall(block)
            upstream.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.close()


class QuestionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = filled()

    def near(self, expected, answer, within):
        self.assertLessEqual(abs(expected - answer.value), within)
        self.assertTrue(answer.interval.low <= answer.value <= answer.interval.high)
        self.assertIs(Decimal, type(answer.charge.epsilon))

    def test_count(self):
        answer = self.dataset.count(epsilon=WIDE)
        self.near(ROWS, answer, 2)
        self.assertEqual(Decimal(WIDE), answer.charge.epsilon)
        self.assertEqual(answer.json["queryId"], answer.query_id)
        self.assertEqual(0.05, float(answer.accuracy.beta))

    def test_sum(self):
        self.near(sum(i % 240 / 2 for i in range(ROWS)), self.dataset.sum("minutes", epsilon=WIDE), 60)

    def test_mean(self):
        for method in ("two-sided", "centered", "sum-and-count", "auto-clip"):
            with self.subTest(method):
                answer = self.dataset.mean("age", method=method, lower=0, upper=100, epsilon=WIDE)
                self.near(49.5, answer, 1)

    def test_histogram_of_numbers_categories_and_dates(self):
        ages = self.dataset.histogram("age", range(0, 101, 25), epsilon=WIDE)
        self.assertEqual([0, 25, 50, 75], [row["lower"] for row in ages.rows])
        for count, interval in zip(ages.value, ages.interval):
            self.assertLessEqual(abs(count - 100), 3)
            self.assertTrue(interval.low <= count <= interval.high)
        wards = self.dataset.histogram("ward", epsilon=WIDE)
        self.assertEqual(["<b>emergency</b>", "surgery"], [row["category"] for row in wards.rows])
        days = self.dataset.histogram("on", [datetime.date(2020, 1, 1), datetime.date(2020, 2, 1)], epsilon=WIDE)
        self.assertLessEqual(abs(days.value[0] - 62), 3)

    def test_quantile(self):
        answer = self.dataset.quantile("age", [0.25, 0.5], lower=0, upper=100, epsilon=WIDE)
        self.assertEqual("rank", answer.accuracy.unit)
        self.assertEqual([0.25, 0.5], [row["probability"] for row in answer.rows])
        for exact, value, interval in zip((25, 50), answer.value, answer.interval):
            self.assertLessEqual(abs(exact - value), 5)
            self.assertTrue(interval.low <= value <= interval.high)

    def test_median(self):
        answer = self.dataset.median("age", lower=0, upper=100, epsilon=WIDE)
        self.near(50, answer, 5)
        self.assertEqual("quantile", answer.kind)
        self.assertEqual([answer.value], service.answer(answer.query_id).value)
        plan = self.dataset.plan([question.median("age", epsilon=WIDE)])
        self.near(50, self.dataset.ask(plan.questions[0]), 5)
        self.assertEqual(Decimal(WIDE), self.dataset.quote.median("age", epsilon=WIDE).charge.epsilon)

    def test_a_table_of_groups_is_one_charge(self):
        age = column("age")
        table = self.dataset.aggregate(
            by=["ward", age.bins(0, 50, 100)], mean=["age", column("minutes").clamp(0, 60)],
            sum={"column": "minutes", "name": "all minutes", "weight": 2}, variance="age", standard_deviation="age",
            count=True, epsilon=WIDE, beta=0.000001,
        )  # fmt: skip
        self.assertEqual(Decimal(WIDE), table.charge.epsilon)
        wards = ["<b>emergency</b>", "surgery"]
        places = [(ward, bin) for ward in wards for bin in ((0, 50), (50, 100))]
        self.assertEqual(places, [(row["ward"], row["age"]) for row in table.rows])
        names = ["mean(age)", "mean(minutes)", "all minutes", "variance(age)", "standardDeviation(age)", "count"]
        self.assertEqual([*names], list(table.value[0]))
        self.assertEqual(names, [each["name"] for each in table.accuracy.each])
        self.assertEqual(table.accuracy.alpha, table.accuracy.each[0]["alpha"])
        for (ward, (lower, upper)), row, value in zip(places, table.rows, table.value):
            of = [i for i in range(ROWS) if (ward == "surgery") == (i % 4 == 0) and lower <= i % 100 < upper]
            ages, minutes = [i % 100 for i in of], [i % 240 / 2 for i in of]
            clamped = [min(60, each) for each in minutes]
            exact = [statistics.fmean(ages), statistics.fmean(clamped), sum(minutes), statistics.pvariance(ages)]
            for name, expected in zip(names, [*exact, statistics.pstdev(ages), len(of)]):
                with self.subTest(name, ward=ward, lower=lower):
                    self.assertTrue(row[name].interval.low <= expected <= row[name].interval.high, row[name])
            self.assertLessEqual(abs(len(of) - value["count"]), 10)
        again = service.answer(table.query_id)
        self.assertEqual((table.rows, table.interval), (again.rows, again.interval))

    def test_a_table_takes_what_other_questions_take(self):
        surgery = column("ward") == "surgery"
        asked = {"by": column("age").step(10), "count": True, "where": surgery, "epsilon": "3", "beta": 0.000001}
        with self.assertRaises(purser.NothingStored) as refused:
            self.dataset.aggregate(**asked, spend=False)
        self.assertEqual(Decimal(3), refused.exception.charge.epsilon)
        first = self.dataset.aggregate(**asked)
        self.assertEqual([(low, low + 10) for low in range(0, 111, 10)], [row["age"] for row in first.rows])
        for exact, row in zip([12, 8] * 5 + [0, 0], first.rows):
            self.assertTrue(row["count"].interval.low <= exact <= row["count"].interval.high, row)
        for settled in ({"spend": False}, {"reuse": True}):
            again = self.dataset.aggregate(**asked, **settled)
            self.assertEqual((first.rows, 0), (again.rows, again.charge.epsilon))
        quote = self.dataset.quote.aggregate(by="ward", mean="age", count=True, target_alpha=2, assumed_rows=100)
        self.assertLessEqual(quote.accuracy.alpha, 2)
        self.assertEqual(["mean(age)", "count"], [each["name"] for each in quote.accuracy.each])
        self.assertEqual(quote.charge, self.dataset.ask(quote.question).charge)
        whole = self.dataset.aggregate(sum="age", epsilon=WIDE)
        self.assertEqual([["sum(age)"]], [list(row) for row in whole.rows])
        medians = self.dataset.quantile("age", 0.5, by="ward", epsilon=WIDE)
        self.assertEqual(["ward", "probability", "value", "interval"], list(medians.rows[0]))
        share = self.dataset.aggregate(share=column("age") >= 0, epsilon=WIDE)
        self.assertGreater(share.rows[0]["share(age)"].value, 0.9)
        approximate = filled({"epsilon": "100", "delta": "1e-3"}, accountant="approximate")
        many = [column("age").clamp(0, upper) for upper in range(50, 70)]
        named = [clamp | {"name": f"up to {clamp['upper']}"} for clamp in many]
        charge = approximate.aggregate(by="ward", sum=named, epsilon="0.5", delta="1e-5").charge
        self.assertEqual((Decimal("0.5"), Decimal("0.00001")), charge[:2])

    def test_one_quantile_is_one_number(self):
        answer = self.dataset.quantile("age", 0.9, epsilon=WIDE)
        self.assertTrue(answer.interval.low <= answer.value <= answer.interval.high)
        self.assertEqual(1, len(self.dataset.quantile("age", [0.9], epsilon=WIDE).value))

    def test_what_is_declared_is_free(self):
        before = self.dataset.budget().spent
        self.assertEqual(["age", "minutes", "ward", "on"], self.dataset.columns)
        self.assertEqual(self.dataset.columns, [name for name in self.dataset])
        described = self.dataset.describe()
        self.assertEqual(["integer", "decimal", "category", "date"], [row["type"] for row in described._rows()])
        lines = str(described).splitlines()
        self.assertEqual((6, "name"), (len(lines), lines[0].split()[0]))
        self.assertIn("<b>emergency</b>, surgery", lines[3])
        with self.assertRaisesRegex(KeyError, "no column 'agee'; its columns are age, minutes"):
            self.dataset["agee"]
        self.assertEqual(before, self.dataset.budget().spent)
        tens = self.dataset.count(where=self.dataset["age"].isin(range(10, 20)), epsilon=WIDE)
        self.near(40, tens, 3)
        others = self.dataset.count(where=~self.dataset["minutes"].between(0, 29.5), epsilon=WIDE)
        self.near(sum(i % 240 / 2 > 29.5 for i in range(ROWS)), others, 3)

    def test_a_table_is_printed_as_its_rows(self):
        table = self.dataset.aggregate(by="ward", count=True, epsilon=WIDE)
        head, *lines, note = str(table).splitlines()
        self.assertEqual(["ward", "count"], head.split())
        self.assertEqual(
            [f"{row['ward']} {row['count']}" for row in table.rows], [" ".join(line.split()) for line in lines]
        )
        self.assertEqual(table._note(), note)
        many = str(self.dataset.histogram("age", range(0, 111), epsilon=WIDE)).splitlines()
        self.assertEqual((103, "… and 10 more rows"), (len(many), many[-2]))
        count = self.dataset.count(epsilon=WIDE)
        self.assertEqual(repr(count), str(count))

    def test_threshold(self):
        ages = [count_of(column("age").between(low, low + 9)) for low in range(0, 100, 10)]
        self.assertIsNone(self.dataset.threshold(ages, 300, epsilon=WIDE).value)
        self.assertEqual(0, self.dataset.threshold(ages, 10, epsilon=WIDE).value)
        loss = purser.clip_loss_of("age", bound=99, step=1)
        many = purser.sum_of("age", lower=0, upper=10, where=column("age") < 50)
        self.assertEqual(1, self.dataset.threshold([loss, many], 500, when_none="random", epsilon=WIDE).value)

    def test_sparse_range(self):
        ranges = purser.ranges_between([0, 10, 60, 110])
        for release in ("indices", "gaps", "values"):
            with self.subTest(release):
                answer = self.dataset.sparse_range("age", ranges, 120, 2, release=release, epsilon=WIDE)
                self.assertEqual([1, 2], answer.value)
                self.assertEqual({"atLeast": 10, "below": 60}, answer.rows[0]["range"])
                self.assertEqual(release == "values", answer.interval[0] is not None)

    def test_local_mean_and_known_count(self):
        dataset = filled(neighboring_relation="replace-one")
        self.near(49.5, dataset.mean("age", method="known-count", epsilon=WIDE), 2)
        self.near(49.5, dataset.local_mean("age", protocol="piecewise", upper=100, epsilon="10"), 1)

    def test_conditions(self):
        age = column("age")
        for where, expected in (
            (age.between(30, 39), 40), (age < 30, 120), (age <= 30, 124), (age > 30, 276), (age >= 30, 280),
            ([age >= 50, column("ward").isin("surgery")], 48), ({"column": "age", "below": 10}, 40), ((), ROWS),
            (column("on") < datetime.date(2020, 1, 11), 20), (column("minutes") < Decimal("0.5"), 2),
            ([age >= 50, age < 51], 4), ((age >= 50) & (age < 51), 4), (age == 50, 4),
            (age.between(30, 50, "left"), 80),
            (column("ward") == "surgery", 100), (column("ward") != "surgery", 300),
            (~column("ward").isin(["surgery"]) & (age < 50), 148), (column("on") == datetime.date(2020, 1, 11), 2),
            (None, ROWS), ([], ROWS),
        ):
            with self.subTest(where):
                self.near(expected, self.dataset.count(where=where, epsilon=WIDE), 1)

    def test_no_exact_amount_is_rounded(self):
        for epsilon in (Decimal("1E-6"), Decimal("1E+1")):
            self.assertEqual(epsilon, self.dataset.count(epsilon=epsilon).charge.epsilon)
        self.assertEqual(Decimal(2), self.dataset.count(epsilon=2).charge.epsilon)
        for epsilon, charge in ((0.1, "0.1"), (1e-6, "0.000001"), (0.5, "0.5")):
            self.assertEqual(Decimal(charge), self.dataset.count(epsilon=epsilon).charge.epsilon)
        with self.assertRaisesRegex(purser.Problem, "epsilon"):
            self.dataset.count(epsilon=0.1 + 0.2)
        with decimal.localcontext() as context:
            context.prec = 3
            self.assertEqual("0.123456789", str(self.dataset.count(epsilon="0.123456789").charge.epsilon))

    def test_all_accountants(self):
        approximate = filled({"epsilon": "100", "delta": "1e-3"}, accountant="approximate")
        self.assertEqual(Decimal("0.000001"), approximate.count(epsilon="1", delta="0.000001").charge.delta)
        zcdp = filled({"epsilon": "100", "delta": "1e-6"}, accountant="zcdp")
        counted = zcdp.count(epsilon="0.2")
        self.assertGreater(counted.charge.rho, 0)
        stated = f"Charged rho {counted.charge.rho} for the epsilon 0.2 that was asked; remaining rho"
        self.assertIn(f"{stated} {counted.remaining.rho}>", repr(counted))
        self.assertIn(f"{stated} {counted.remaining.rho}.", counted._note())
        self.assertIn(f"rho {counted.charge.rho} for epsilon 0.2.", repr(zcdp.quote.count(epsilon="0.2")))
        budget = zcdp.budget()
        self.assertIn(f"Spent rho {budget.spent.rho} of rho {budget.limit.rho} (epsilon 100", repr(budget))
        self.assertIn("Charged epsilon 1, delta 0; remaining epsilon 98, delta", repr(approximate.count(epsilon="1")))

    def test_the_same_key_is_debited_once_and_another_body_is_refused(self):
        first = self.dataset.count(epsilon="1", idempotency_key="monday")
        self.assertEqual(first.body, self.dataset.count(epsilon="1", idempotency_key="monday").body)
        with self.assertRaises(purser.Problem) as refused:
            self.dataset.count(epsilon="2", idempotency_key="monday")
        self.assertEqual("idempotency-key-reused", refused.exception.type)

    def test_a_stored_answer_is_reused_free_of_charge(self):
        first = self.dataset.count(epsilon="1.5")
        again = self.dataset.count(epsilon="1.5", reuse=True, reuse_max_age_seconds=3600)
        self.assertEqual((first.value, first.query_id, 0), (again.value, again.reused_from, again.charge.epsilon))
        self.assertIn(first.query_id, [each["queryId"] for each in self.dataset.answers(kind="count", limit=1)])
        self.assertEqual(first.body, service.answer(first.query_id).body)


class PlanTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = filled("10")

    def test_a_target_is_met_by_the_least_epsilon_and_no_less(self):
        quote = self.dataset.quote.count(target_alpha=5)
        self.assertLessEqual(quote.accuracy.alpha, 5)
        less = self.dataset.quote.count(epsilon=quote.epsilon - Decimal("0.000000001"))
        self.assertGreater(less.accuracy.alpha, 5)

    def test_a_plan_is_priced_and_then_asked(self):
        plan = self.dataset.plan([
            question.count(target_alpha=5),
            question.mean("age", epsilon="1", assumed_rows=ROWS, idempotency_key="plan-mean"),
        ])
        self.assertTrue(plan.affordable)
        self.assertEqual(0, self.dataset.budget().spent.epsilon)
        self.assertEqual(int(10 / plan.charge.epsilon), plan.times_affordable)
        self.assertEqual(plan.charge.epsilon, sum(item.charge.epsilon for item in plan.items))
        answers = [self.dataset.ask(each) for each in plan.questions]
        self.assertEqual([5, True], [answers[0].accuracy.alpha, 0 < answers[1].value < 110])
        self.assertEqual(plan.charge, self.dataset.budget().spent)
        self.assertEqual("plan-mean", list(self.dataset.questions())[-1]["idempotencyKey"])


    def test_a_block_buys_its_questions_at_once(self):
        dataset = filled("10")
        with dataset.plan() as plan:
            people = plan.count(target_alpha=5)
            self.assertLess(plan.price.charge.epsilon, 1)
            ages = plan.median("age", upper=100, epsilon="1")
            table = plan.aggregate(by="ward", mean="age", epsilon="2", reuse=True)
            again = plan.aggregate(by="ward", mean="age", epsilon="2", reuse=True)
            price = plan.price
            self.assertEqual(0, dataset.budget().spent.epsilon)
        self.assertEqual((5, True), (people.accuracy.alpha, 0 <= ages.value <= 100))
        self.assertEqual((table.rows, table.query_id, 0), (again.rows, again.reused_from, again.charge.epsilon))
        # A quote does not foresee that an answer is reused.
        self.assertEqual(price.charge.epsilon - 2, dataset.budget().spent.epsilon)
        for each in (people, ages, table):
            self.assertEqual(service.answer(each.query_id).body, each.body)
        self.assertEqual(3, len([entry for entry in dataset.ledger() if entry["type"] == "charge"]))
        self.assertEqual([people, ages, table, again], plan.answers)
        plan.buy()
        self.assertEqual(price.charge.epsilon - 2, dataset.budget().spent.epsilon)

    def test_a_plan_that_does_not_fit_or_that_an_exception_leaves_buys_nothing(self):
        dataset = filled("1")
        with self.assertRaises(purser.BudgetExhausted) as refused, dataset.plan() as plan:
            plan.count(epsilon="0.9")
            plan.sum("age", epsilon="0.3")
            self.assertFalse(plan.price.affordable)
        exhausted = refused.exception
        self.assertEqual((Decimal("1.2"), 1), (exhausted.requested.epsilon, exhausted.first_that_does_not_fit))
        with self.assertRaises(purser.NothingStored) as refused, dataset.plan() as plan:
            plan.count(epsilon="0.1")
            plan.count(epsilon="0.2", spend=False)
        self.assertEqual([1], refused.exception.not_stored)
        with self.assertRaises(ZeroDivisionError), dataset.plan() as plan:
            plan.count(epsilon="0.1")
            plan.count(epsilon=1 / 0)
        self.assertEqual((0, []), (dataset.budget().spent.epsilon, list(dataset.questions())))
        first, second = dataset.buy([question.count(epsilon="0.4"), question.count(epsilon="0.6")])
        self.assertEqual([Decimal("0.6"), 0], [first.remaining.epsilon, second.remaining.epsilon])

    def test_a_viewer_reads_what_is_stored_and_buys_nothing(self):
        dataset = filled("1")
        stored = dataset.count(epsilon="0.5")
        key = service.create_key(f"panel-{secrets.token_hex(4)}", "viewer", datasets=[dataset.id])
        panel = purser.connect(os.environ["PURSER"], key["key"]).dataset(dataset.id)
        self.assertEqual(stored.value, panel.count(epsilon="0.5").value)
        with self.assertRaises(purser.NothingStored):
            panel.count(epsilon="0.1")
        with panel.plan() as plan:
            shown = plan.count(epsilon="0.5")
        self.assertEqual(stored.query_id, shown.reused_from)
        self.assertEqual(Decimal("0.5"), dataset.budget().spent.epsilon)


class SynopsisTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = filled()
        cls.columns = [column("age").step(10), "ward", {"column": "minutes", "step": 20}]
        cls.synopsis = cls.dataset.synopsis(cls.columns, epsilon=WIDE)
        cls.ages = cls.dataset.synopsis(["age"], epsilon="0.5")

    def near(self, expected, answer, within):
        self.assertLessEqual(abs(expected - answer.value), within)
        self.assertTrue(answer.interval.low <= answer.value <= answer.interval.high)
        self.assertTrue(answer.interval.low <= expected <= answer.interval.high)

    def test_a_synopsis_is_one_charge_and_its_answers_are_none(self):
        dataset = filled("1")
        synopsis = dataset.synopsis("age", epsilon="0.5")
        self.assertEqual((["age"], 1, 111), (synopsis.columns, synopsis.tables, synopsis.cells))
        self.assertEqual([Decimal("0.5")] * 2, [synopsis.bought.charge.epsilon, synopsis.bought.remaining.epsilon])
        synopsis.answers([free.count(column("age") < age) for age in range(1, 111)])
        self.assertEqual(Decimal("0.5"), dataset.budget().spent.epsilon)
        again = dataset.synopsis(["age"], epsilon="0.5", reuse=True)
        self.assertEqual((synopsis.id, 0), (again.id, again.bought.charge.epsilon))
        self.assertEqual(synopsis.count().value, service.synopsis(synopsis.id).count().value)
        self.assertEqual(synopsis.id, service.answer(synopsis.bought.query_id).value)
        with self.assertRaises(purser.NothingStored):
            dataset.synopsis(["age"], epsilon="0.4", spend=False)
        with self.assertRaises(purser.BudgetExhausted):
            dataset.synopsis(["ward"], epsilon="0.6")

    def test_numbers(self):
        surgery, ask = column("ward") == "surgery", self.synopsis
        self.near(ROWS, ask.count(**SURE), 5)
        self.near(200, ask.count((column("age") >= 50) & (column("age") < 100), **SURE), 5)
        self.near(100, ask.count(surgery, **SURE), 5)
        # Every value is the middle of its cell.
        ages = [i % 100 // 10 * 10 + 4.5 for i in range(ROWS)]
        minutes = [i % 240 // 40 * 20 + 9.75 for i in range(ROWS)]
        self.near(sum(ages), ask.sum("age", **SURE), 400)
        self.near(sum(ages[::4]), ask.sum("age", surgery, **SURE), 400)
        self.near(statistics.fmean(ages[::4]), ask.mean("age", where=surgery, **SURE), 2)
        self.near(statistics.pvariance(ages), ask.variance("age", **SURE), 40)
        self.near(statistics.correlation(ages, minutes), ask.correlation("age", "minutes", **SURE), 0.1)

    def test_tables(self):
        decades = self.synopsis.histogram("age")
        self.assertEqual(list(range(0, 111, 10)), [row["lower"] for row in decades.rows])
        halves = self.synopsis.histogram("age", (0, 50, 100), **SURE)
        for each in zip([200, 200], halves.value, halves.interval):
            self.assertTrue(each[2].low <= each[0] <= each[2].high and abs(each[0] - each[1]) < 5, each)
        wards = self.synopsis.histogram("ward")
        self.assertEqual(["category", "count", "interval"], list(wards.rows[0]))
        below = self.synopsis.cumulative("age")
        self.assertEqual({"below": 20, "count": below.value[1], "interval": below.interval[1]}, below.rows[1])
        self.assertLess(abs(80 - below.value[1]), 5)
        quantiles = self.synopsis.quantile("age", [0.25, 0.75])
        self.assertEqual(([0.25, 0.75], 2), ([row["probability"] for row in quantiles.rows], len(quantiles.value)))
        median = self.synopsis.median("age", **SURE)
        self.assertTrue(40 <= median.interval.low <= median.value <= median.interval.high < 60)
        table = self.synopsis.table("ward", "age")
        self.assertEqual(24, len(table.value))
        self.assertEqual(["ward", "age", "count"], list(table.rows[0]))
        self.assertEqual(("surgery", (0, 10)), (table.rows[12]["ward"], table.rows[12]["age"]))
        self.assertEqual(table.rows[0]["count"], (table.value[0], table.interval[0]))
        with self.assertRaisesRegex(purser.Problem, "nearest are 10 and 20"):
            self.synopsis.count(column("age") < 15)

    def test_marginals_a_measure_and_a_condition(self):
        surgery = column("ward") == "surgery"
        pairs = self.dataset.synopsis(self.columns, marginals=2, epsilon=WIDE, where=surgery, beta=0.1)
        self.assertEqual((6, 12 + 2 + 7 + 24 + 84 + 14), (pairs.tables, pairs.cells))
        self.near(100, pairs.count(**SURE), 10)
        with self.assertRaisesRegex(purser.Problem, "no table of the synopsis has"):
            pairs.table("age", "ward", "minutes")
        try:
            import pandas
        except ImportError:
            pandas = None
        if pandas is not None:
            play = pairs.rows(200, seed=1)
            self.assertEqual((["age", "ward", "minutes"], 200), (list(play.columns), len(play)))
            self.assertEqual(6, len(play.attrs["certificate"]["tables"]))
        minutes = self.dataset.synopsis("ward", measure="minutes", epsilon=WIDE)
        exact = sum(i % 240 / 2 for i in range(0, ROWS, 4))
        self.near(exact, minutes.sum(where=surgery, **SURE), 100)
        self.assertEqual(["ward", "sum(minutes)"], list(minutes.table("ward").rows[0]))
        with self.assertRaisesRegex(purser.Problem, "no numbers of rows"):
            minutes.count()

    def test_a_column_that_is_named_count(self):
        columns = [{"name": "count", "type": "boolean"}]
        dataset = service.register(
            f"py-{secrets.token_hex(6)}", columns, budget="1", max_rows=100, declared_public=True
        )
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "rows.csv")
            file.write_text("count\ntrue\n" + secrets.choice(["true\n", "false\n"]) * secrets.randbelow(90))
            dataset.upload(file)
        self.assertEqual(["count", "count()"], list(dataset.synopsis("count", epsilon="1").table("count").rows[0]))

    def test_options(self):
        first, second = self.ages.answers([free.count(), free.median("age")], beta=0.001)
        self.assertEqual(first.interval, self.ages.count(beta=0.001).interval)
        self.assertIs(int, type(second.value))
        self.assertLess(width(self.ages.count()), width(first))
        each, together = self.ages.histogram("age"), self.ages.histogram("age", simultaneous=True)
        self.assertLess(width(each.interval[0]), width(together.interval[0]))
        self.assertIn("together", together.statement)
        self.assertGreater(0, min(each.value))
        raised = self.ages.histogram("age", non_negative=True)
        self.assertEqual([max(0, count) for count in each.value], raised.value)
        with self.assertRaisesRegex(ValueError, "same options"):
            self.ages.answers([free.count(beta=0.1)])

    def test_quotes(self):
        dataset = filled("10")
        quote = dataset.quote.synopsis(["age"], target_alpha=50)
        self.assertLessEqual(quote.accuracy.alpha, 50)
        self.assertIsNone(quote.free_from)
        bought = dataset.ask(quote.question)
        self.assertEqual(quote.charge, bought.charge)
        self.assertEqual(bought.value, service.synopsis(bought.value).id)
        self.assertEqual(bought.value, dataset.quote.count(epsilon="0.1").free_from["synopsisId"])
        with self.assertRaises(purser.BudgetExhausted) as refused:
            dataset.count(epsilon="20")
        self.assertEqual(bought.value, refused.exception.free_from["synopsisId"])
        singly = dataset.plan([question.count(where=column("age") < age, epsilon="0.1") for age in range(1, 60)])
        cheaper = dataset.synopsis(**singly.cheaper["request"])
        self.assertEqual(singly.cheaper["charge"], cheaper.bought.charge)
        self.assertLess(cheaper.bought.charge.epsilon, singly.charge.epsilon)
        self.assertIsNone(dataset.plan([question.count(epsilon="0.1")]).cheaper)

    def test_a_list_of_synopses_and_a_viewer(self):
        key = service.create_key(f"panel-{secrets.token_hex(4)}", "viewer", datasets=[self.dataset.id])
        panel = purser.connect(os.environ["PURSER"], key["key"]).dataset(self.dataset.id)
        ids = [each.id for each in panel.synopses(limit=1)]
        self.assertEqual([self.synopsis.id, self.ages.id], ids[:2])
        self.assertEqual(ids[-1], next(panel.synopses(order="desc")).id)
        read = next(panel.synopses())
        self.assertEqual(self.synopsis.table("ward").rows, read.table("ward").rows)
        self.assertIsNone(read.bought)

    def test_a_refinement_is_a_charge_and_makes_intervals_narrower(self):
        dataset = filled({"epsilon": "100", "delta": "1e-6"}, accountant="zcdp")
        synopsis = dataset.synopsis(["age"], epsilon="1")
        wide = width(synopsis.count())
        relay = Relay(losing=0)
        self.addCleanup(relay.close)
        distant = purser.connect(relay.url, os.environ["KEY"]).synopsis(synopsis.id)
        relay.losing = 2
        bought = distant.refine("3")
        self.assertEqual((0, synopsis.id), (relay.losing, bought.value))
        self.assertLess(width(synopsis.count()), wide)
        charges = [purchase["charge"].rho for purchase in synopsis.info()["purchases"]]
        self.assertEqual([synopsis.bought.charge.rho, bought.charge.rho], charges)
        key = list(dataset.questions())[-1]["idempotencyKey"]
        self.assertEqual(bought.body, synopsis.refine("3", idempotency_key=key).body)

    def test_a_purchase_whose_reply_is_lost_is_debited_once(self):
        dataset = filled("10")
        relay = Relay(losing=2)
        self.addCleanup(relay.close)
        synopsis = purser.connect(relay.url, os.environ["KEY"]).dataset(dataset.id).synopsis("ward", epsilon="1")
        self.assertEqual((0, 1), (relay.losing, dataset.budget().spent.epsilon))
        self.assertEqual([synopsis.id], [each.id for each in dataset.synopses()])

    def test_everything_shows_itself(self):
        self.assertTrue(repr(self.ages).startswith("<synopsis of age of py-"))
        self.assertIn("Charged epsilon 0.5;", repr(self.ages))
        self.assertNotIn("Charged", repr(service.synopsis(self.ages.id)))
        self.assertIn("<td>age, ward, minutes</td>", self.synopsis._repr_html_())
        self.assertNotIn("levels", self.ages.bought._repr_html_())
        count = self.ages.count()
        self.assertEqual(f"<count {purser._in(count.value, count.interval)}. Free of charge>", repr(count))
        self.assertIn(count.statement, count._repr_html_())
        table = self.synopsis.table("ward", "age")
        self.assertEqual("<table of 24 cells. Free of charge>", repr(table))
        self.assertIn("<td>[0, 10)</td>", table._repr_html_())

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "left out: pandas is missing")
    def test_pandas(self):
        table = self.synopsis.table("ward", "age")
        frame = table.to_pandas()
        self.assertEqual(["ward", "age.lower", "age.upper", "count", "count.low", "count.high"], list(frame.columns))
        self.assertEqual(table.value, list(frame["count"]))
        below = self.ages.cumulative("age").to_pandas()
        self.assertEqual(["below", "count", "interval.low", "interval.high"], list(below.columns))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "left out: matplotlib is missing")
    def test_plots(self):
        import matplotlib

        matplotlib.use("agg")
        from matplotlib import pyplot

        table = self.synopsis.table("ward", "age")
        for given in (None, pyplot.subplots(1, 2, figsize=(7, 3), constrained_layout=True)[1]):
            numbers, errors = table.plot(given)
            (shown,), (beside,) = numbers.images, errors.images
            self.assertEqual(table.value, list(shown.get_array().ravel()))
            for value, interval, share in zip(table.value, table.interval, beside.get_array().ravel()):
                self.assertAlmostEqual(min(1, width(interval) / 2 / abs(value)) if value else 1, share)
            self.assertEqual((0, 1), beside.get_clim())
            self.assertEqual(("age", "ward"), (numbers.get_xlabel(), numbers.get_ylabel()))
            self.assertEqual(("count", "error, as a share"), (numbers.get_title(), errors.get_title()))
            self.assertEqual([[], []], [overlapping(numbers), overlapping(errors)])
        below = self.ages.cumulative("age")
        ax = below.plot()
        self.assertEqual(below.value, list(ax.lines[0].get_ydata()))
        band = ax.collections[0].get_datalim(ax.transData)
        self.assertEqual([1, 111], list(band.intervalx))
        self.assertAlmostEqual(max(interval.high for interval in below.interval), band.ymax)
        self.assertEqual(("age", "rows below"), (ax.get_xlabel(), ax.get_ylabel()))
        self.assertEqual(12, len(self.synopsis.histogram("age").plot().patches))
        self.assertEqual(2, len(self.synopsis.table("ward").plot().patches))
        self.assertEqual(168, len(self.synopsis.table("ward", "age", "minutes").plot().patches))
        self.assertEqual(3, len(self.synopsis.quantile("age", [0.1, 0.5, 0.9]).plot().lines[0].get_xdata()))
        self.assertEqual(1, len(self.synopsis.median("age").plot().lines[0].get_xdata()))
        with self.assertRaisesRegex(TypeError, "mean"):
            self.synopsis.mean("age").plot()
        pyplot.close("all")


class SessionTests(unittest.TestCase):
    def test_a_session_numbers_its_questions_and_ends(self):
        dataset = filled()
        session = dataset.session(epsilon=WIDE, threshold=100, max_positives=1, release="values", max_queries=10)
        self.assertEqual(Decimal(WIDE), session.charge.epsilon)
        self.assertFalse(session.ask(count_of(column("age") < 10)).above)
        session = service.session(session.id)
        self.assertEqual((2, 1), (session.next_sequence, session.positives_left))
        outcome = session.ask(count_of())
        self.assertTrue(outcome.above)
        self.assertTrue(outcome.interval.low <= outcome.value <= outcome.interval.high)
        self.assertEqual("closed", session.state)
        with self.assertRaises(purser.Problem) as refused:
            session.ask(count_of())
        self.assertEqual("session-closed", refused.exception.type)
        self.assertEqual(Decimal(WIDE), dataset.budget().spent.epsilon)

    def test_a_session_that_pays_per_positive_and_is_closed(self):
        dataset = filled()
        session = dataset.session(epsilon="10", threshold=1000, max_positives=2, payment="per-positive")
        session.ask(count_of())
        self.assertEqual(5, dataset.budget().spent.epsilon)
        session.close()
        self.assertEqual("closed", session.state)
        self.assertEqual("closed", service.session(session.id).state)


class BlocksTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        by_month = {"column": "on", "width": "month", "rowsKeepTheirBlock": True}
        cls.dataset = registered("41", blocks=by_month)
        days = [line.rsplit(",", 1) for line in rows().splitlines()]
        with tempfile.TemporaryDirectory() as folder:
            for month in ("2020-01", "2020-02", "2020-03"):
                file = pathlib.Path(folder, f"{month}.csv")
                lines = [",".join(each) for each in days if each[1] == "on" or each[1][:7] == month]
                file.write_text("\n".join(lines))
                cls.dataset.upload(file, block=month)

    def test_each_block_pays(self):
        winter = self.dataset.blocks("2020-01", "2020-02")
        table = winter.aggregate([column("on")], epsilon=WIDE, count=True)
        self.assertEqual(["2020-01", "2020-02"], [row["on"] for row in table.rows])
        self.assertEqual([62, 32], [round(row["count"]) for row in table.value])  # days after the 366th begin anew
        self.assertEqual((40, 1), (winter.budget().spent.epsilon, winter.budget().remaining.epsilon))
        runs = self.dataset.budget_by_block("2020-01", "2020-04").runs
        self.assertEqual(
            [
                ("2020-01", "2020-02", "ready", 40),
                ("2020-03", "2020-03", "ready", 0),
                ("2020-04", "2020-04", "not-ready", 0),
            ],
            [(run["from"], run["to"], run["state"], run["spent"].epsilon) for run in runs],
        )
        with self.assertRaises(purser.BudgetExhausted) as caught:
            self.dataset.blocks(latest=2).count(epsilon=2)
        self.assertEqual([("2020-02", "2020-02")], [(run["from"], run["to"]) for run in caught.exception.blocks])
        self.assertFalse(winter.quote.count(epsilon=2).affordable)
        self.assertTrue(self.dataset.blocks("2020-03").plan([question.count(epsilon="0.5")]).affordable)

    def test_sessions_synopses_and_plans_are_about_their_blocks(self):
        march = self.dataset.blocks(latest=1)
        session = march.session(epsilon="0.25", threshold=10_000, max_positives=1)
        session.ask(count_of())
        march.synopsis(["age"], epsilon="0.25")
        with march.plan(idempotency_key=secrets.token_hex(8)) as plan:
            counted = plan.count(epsilon=WIDE)
        self.assertEqual(31, counted.value)
        self.assertEqual(Decimal("40.5"), self.dataset.budget_by_block("2020-03").runs[0]["spent"].epsilon)


class LostReplyTests(unittest.TestCase):
    def test_a_question_whose_reply_is_lost_is_debited_once(self):
        dataset = filled("10")
        relay = Relay(losing=2)
        self.addCleanup(relay.close)
        answer = purser.connect(relay.url, os.environ["KEY"]).dataset(dataset.id).count(epsilon="1")
        self.assertEqual(0, relay.losing)
        self.assertEqual(1, dataset.budget().spent.epsilon)
        self.assertEqual([answer.query_id], [entry["queryId"] for entry in dataset.questions()])

    def test_a_plan_whose_reply_is_lost_is_debited_once(self):
        dataset = filled("10")
        relay = Relay(losing=0)
        self.addCleanup(relay.close)
        with purser.connect(relay.url, os.environ["KEY"]).dataset(dataset.id).plan() as plan:
            asked = [plan.count(epsilon="1"), plan.count(epsilon="1")]
            self.assertEqual(2, plan.price.charge.epsilon)
            relay.losing = 2
        self.assertEqual(0, relay.losing)
        self.assertEqual(2, dataset.budget().spent.epsilon)
        self.assertEqual([each.query_id for each in asked], [entry["queryId"] for entry in dataset.questions()])

    def test_a_session_whose_replies_are_lost_is_opened_once_and_asked_once(self):
        dataset = filled("100")
        relay = Relay(losing=1)
        self.addCleanup(relay.close)
        distant = purser.connect(relay.url, os.environ["KEY"]).dataset(dataset.id)
        session = distant.session(epsilon=WIDE, threshold=100, max_positives=5)
        self.assertEqual(Decimal(WIDE), dataset.budget().spent.epsilon)
        relay.losing = 2
        self.assertEqual((1, True), session.ask(count_of())[:2])
        self.assertEqual((2, 4), (service.session(session.id).next_sequence, session.positives_left))


class BooksTests(unittest.TestCase):
    def test_a_long_ledger_is_read_in_pages_that_are_needed(self):
        dataset = filled("10")
        for _ in range(104):
            dataset.count(epsilon="0.01")
        entries = list(dataset.ledger(limit=7))
        charges = [entry for entry in entries if entry["type"] == "charge"]
        self.assertEqual(list(range(1, len(entries) + 1)), [entry["sequence"] for entry in entries])
        self.assertEqual((104, Decimal("1.04")), (len(charges), charges[-1]["spentAfter"].epsilon))
        self.assertEqual(len(entries), next(dataset.ledger(order="desc", limit=1))["sequence"])
        self.assertEqual(104, len(list(dataset.questions(limit=50))))

    def test_an_exhausted_budget_says_what_is_short(self):
        dataset = filled("1")
        dataset.count(epsilon="0.9")
        with self.assertRaises(purser.BudgetExhausted) as refused:
            dataset.count(epsilon="0.3")
        exhausted = refused.exception
        amounts = (exhausted.requested.epsilon, exhausted.remaining.epsilon, exhausted.shortfall.epsilon)
        self.assertEqual((Decimal("0.3"), Decimal("0.1"), Decimal("0.2")), amounts)
        self.assertEqual(("dataset", 409, "budget-exhausted"), (exhausted.scope, exhausted.status, exhausted.type))
        self.assertEqual(Decimal("0.9"), dataset.budget().spent.epsilon)

    def test_a_key_of_its_own_an_allotment_and_its_revocation(self):
        dataset = filled("5")
        name = f"ana-{secrets.token_hex(4)}"
        key = service.create_key(name, "analyst", datasets=[dataset.id])
        service.call("PUT", f"/v1/datasets/{dataset.id}/allotments/{name}", {"epsilon": "1"})
        ana = purser.connect(os.environ["PURSER"], key["key"])
        self.assertEqual([dataset.id], [each["id"] for each in ana.datasets()])
        self.assertEqual(1, ana.dataset(dataset.id).count(epsilon="0.5").remaining.epsilon * 2)
        own = ana.dataset(dataset.id).budget()
        self.assertEqual([name], [each["analyst"] for each in own.allotments])
        self.assertEqual("analyst", own.remaining_in)
        with self.assertRaises(purser.BudgetExhausted) as refused:
            ana.dataset(dataset.id).count(epsilon="0.6")
        self.assertEqual("analyst", refused.exception.scope)
        with self.assertRaises(purser.Problem) as hidden:
            list(ana.dataset(dataset.id).ledger())
        self.assertEqual("forbidden", hidden.exception.type)
        self.assertIn(key["keyId"], [each["keyId"] for each in service.pages("/v1/keys")])
        service.revoke_key(key["keyId"])
        with self.assertRaises(purser.Problem) as refused:
            ana.dataset(dataset.id).count(epsilon="0.1")
        self.assertEqual((401, "unauthorized"), (refused.exception.status, refused.exception.type))

    def test_a_refusal_names_every_broken_rule(self):
        with self.assertRaises(purser.Problem) as refused:
            filled().mean("age", epsilon="1", method="best", where=column("height") > 1)
        places = {violation["pointer"] for violation in refused.exception.violations}
        self.assertEqual({"/method", "/where/0/column"}, places)
        self.assertEqual(2, str(refused.exception).count("\n"))

    def test_any_other_path_of_the_api(self):
        name = f"steps-{secrets.token_hex(4)}"
        protocol = {"id": name, "protocol": "harmony", "range": {"lower": 0, "upper": 10}, "epsilon": "1"}
        self.assertEqual("1", service.call("POST", "/v1/collections", protocol)["guarantee"]["epsilon"])
        self.assertEqual(0, service.call("GET", f"/v1/collections/{name}/estimate")["reports"])
        self.assertIsNone(service.call("DELETE", f"/v1/collections/{name}"))


class UploadTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_csv_with_progress(self):
        header, _, lines = rows().partition("\n")
        file = self.file("rows.CSV", header + "\n" + lines * 20)
        seen = []
        report = registered().upload(file, progress=lambda sent, size: seen.append((sent, size)))
        self.assertEqual((20 * ROWS, "ready"), (report["rowsRead"], report["state"]))
        size = file.stat().st_size
        self.assertGreater(len(seen), 2)
        self.assertEqual((size, size), seen[-1])
        self.assertEqual(sorted(seen), seen)

    def test_a_wrong_registration_warns(self):
        columns = [{**COLUMNS[0], "upper": 50}, *COLUMNS[1:]]
        settings = {"budget": "1", "max_rows": 10_000, "declared_public": True}
        dataset = service.register(f"py-{secrets.token_hex(6)}", columns, **settings)
        with self.assertWarnsRegex(UserWarning, f"^196 of {ROWS} values of 'age' were outside of its bounds"):
            dataset.upload(self.file("rows.csv", rows()))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            registered().upload(self.file("others.csv", rows() + "\n".join(rows().splitlines()[1:100]) + "\n"))

    def test_a_file_that_changes_between_digest_and_sending_is_refused(self):
        header, *lines = rows().splitlines()
        file = self.file("rows.csv", "\n".join([header, *lines]))
        read = purser._blocks

        def blocks(path):
            yield from read(path)
            file.write_text("\n".join([header, *reversed(lines)]))

        self.addCleanup(setattr, purser, "_blocks", read)
        purser._blocks = blocks
        dataset = registered()
        with self.assertRaisesRegex(purser.Problem, "invalid-data"):
            dataset.upload(file)
        self.assertEqual("failed", dataset.info()["state"])

    def test_a_bad_row_is_named_and_the_upload_can_be_sent_again(self):
        dataset = registered()
        with self.assertRaisesRegex(purser.Problem, "invalid-data: .*2"):
            dataset.upload(self.file("bad.csv", "age,minutes,ward,on\nold,1,surgery,2020-01-01\n"))
        self.assertEqual("ready", dataset.upload(self.file("good.csv", rows()))["state"])
        with self.assertRaises(purser.Problem) as refused:
            dataset.upload(self.file("again.csv", rows()))
        self.assertEqual("already-exists", refused.exception.type)

    def test_other_files_are_not_sent(self):
        with self.assertRaisesRegex(ValueError, "csv or .parquet"):
            registered().upload(self.file("rows.txt", rows()))
        with self.assertRaises(FileNotFoundError):
            registered().upload(self.folder / "none.csv")

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "left out: pyarrow, which writes Parquet, is missing")
    def test_parquet(self):
        from pyarrow import csv, parquet

        parquet.write_table(csv.read_csv(self.file("rows.csv", rows())), self.folder / "rows.parquet")
        self.assertEqual(ROWS, registered().upload(self.folder / "rows.parquet")["rowsStored"])


class ShownTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = filled("100")
        cls.wards = cls.dataset.histogram("ward", epsilon="1")
        cls.count = cls.dataset.count(epsilon="1")
        by = ["ward", column("age").bins(0, 50, 100)]
        cls.table = cls.dataset.aggregate(by=by, mean="minutes", count=True, epsilon="1")

    def test_a_notebook_shows_interval_and_remaining_budget_and_no_markup_of_the_data(self):
        shown = self.count._repr_html_()
        self.assertIn(html_of(self.count.interval), shown)
        self.assertIn(f"remaining epsilon {self.count.remaining.epsilon}", shown)
        self.assertIn("&lt;b&gt;emergency&lt;/b&gt;", self.wards._repr_html_())
        self.assertNotIn("<b>", self.wards._repr_html_())
        table, first = self.table._repr_html_(), self.table.rows[0]
        self.assertIn("<tr><th>ward</th><th>age</th><th>mean(minutes)</th><th>count</th></tr>", table)
        self.assertIn(f"<td>[0, 50)</td><td>{first['mean(minutes)']}</td><td>{first['count']}</td>", table)
        self.assertIn(f"{first['count'].value} ({first['count'].interval})", table)
        self.assertNotIn("<b>", table)
        self.assertTrue(repr(self.table).startswith("<aggregate of 4 groups. Charged epsilon 1;"))

    def test_everything_shows_itself(self):
        quote = self.dataset.quote.mean("age", epsilon="1")
        plan = self.dataset.plan([question.count(epsilon="1")])
        for each in (self.count, quote, plan):
            self.assertIn("epsilon 1", repr(each))
            self.assertIn("<table>", each._repr_html_())
        budget = self.dataset.budget()
        self.assertEqual(f"<Spent {budget.spent} of epsilon 100; remaining {budget.remaining}>", repr(budget))
        self.assertNotIn(os.environ["KEY"], repr(service) + repr(vars(self.dataset)))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "left out: pandas is missing")
    def test_pandas(self):
        frame = self.wards.to_pandas()
        self.assertEqual(["category", "count", "interval.low", "interval.high"], list(frame.columns))
        self.assertEqual(self.wards.value, list(frame["count"]))
        table = self.table.to_pandas()
        of = [name + end for name in ("mean(minutes)", "count") for end in ("", ".low", ".high")]
        self.assertEqual(["ward", "age.lower", "age.upper", *of], list(table.columns))
        self.assertEqual([0, 50, 0, 50], list(table["age.lower"]))
        self.assertEqual([each["count"] for each in self.table.value], list(table["count"]))
        self.assertEqual([each["count"].high for each in self.table.interval], list(table["count.high"]))
        ledger = purser.to_pandas(self.dataset.ledger())
        self.assertEqual("float64", str(ledger["spentAfter.epsilon"].dtype))
        for each in (self.dataset.budget(), self.dataset.plan([question.count(epsilon="1")]), self.count):
            self.assertEqual(1, len(each.to_pandas()))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "left out: matplotlib is missing")
    def test_plots(self):
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot

        ages = self.dataset.histogram("age", [0, 30, 60, 110], epsilon="1")
        days = self.dataset.histogram("on", ["2020-01-01", "2020-07-01", "2020-12-31"], epsilon="1")
        for bins, answer in ((3, ages), (2, self.wards), (2, days)):
            self.assertEqual(bins, len(answer.plot().patches))
        median = self.dataset.quantile("on", [0.25, 0.5], epsilon="1").plot()
        self.assertEqual(2, len(median.lines[0].get_xdata()))
        self.assertEqual(2, len(self.dataset.budget().plot(pyplot.subplots()[1]).patches))
        with self.assertRaisesRegex(TypeError, "count"):
            self.count.plot()
        pyplot.close("all")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "left out: matplotlib is missing")
    def test_a_plot_of_groups_has_a_colour_for_each_of_the_fewest(self):
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot

        for by, aggregate, bars, labels, named in (
            (["ward", column("age").bins(0, 30, 60, 100)], None, [3, 3], ["<b>emergency</b>", "surgery"], "age"),
            ([column("age").bins(0, 30, 60, 100), "ward"], "count", [3, 3], ["<b>emergency</b>", "surgery"], "age"),
            ([column("age").step(10), column("minutes").step(20)], None, [84], None, "age, minutes"),
            ("ward", "count", [2], None, "ward"), ((), None, [1], None, ""),
        ):  # fmt: skip
            with self.subTest(by):
                answer = self.dataset.aggregate(by=by, mean="minutes", count=True, epsilon="1")
                ax = answer.plot(aggregate=aggregate)
                self.assertEqual((aggregate or "mean(minutes)", named), (ax.get_xlabel(), ax.get_ylabel()))
                drawn = [container for container in ax.containers if container.patches]
                self.assertEqual(bars, [len(container) for container in drawn])
                legend = ax.get_legend()
                self.assertEqual(labels, legend and [text.get_text() for text in legend.get_texts()])
                widths = sorted(bar.get_width() for container in drawn for bar in container)
                self.assertEqual(sorted(value[aggregate or "mean(minutes)"] for value in answer.value), widths)
                middles = [bar.get_y() + bar.get_height() / 2 for container in drawn for bar in container]
                lines = [line for lines in ax.collections for line in lines.get_segments()]
                self.assertEqual(sum(bars), len({round(middle, 6) for middle in middles}))
                self.assertEqual(len(middles), len(lines))
                for middle, ((low, y), (high, _)) in zip(middles, lines):
                    self.assertAlmostEqual(middle, y)
                    self.assertLess(low, high)
        pyplot.close("all")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "left out: matplotlib is missing")
    def test_a_plot_of_a_sparse_range_shows_what_was_found(self):
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot

        dataset = filled("1000")
        ranges = [{"below": 10}, *purser.ranges_between([10, 60, 100]), {"atLeast": 100}]
        for release, label, heights in (
            ("values", "rows", [200, 160]), ("gaps", "rows above the noisy threshold", [80, 40]),
            ("indices", "more than 120 rows", [1, 1]),
        ):
            with self.subTest(release):
                ax = dataset.sparse_range("age", ranges, 120, 2, release=release, epsilon="100").plot()
                found, = ax.containers
                self.assertEqual([(10, 50), (60, 40)], [(bar.get_x(), bar.get_width()) for bar in found])
                for height, bar in zip(heights, found):
                    self.assertLessEqual(abs(height - bar.get_height()), 3)
                self.assertEqual(("age", label), (ax.get_xlabel(), ax.get_ylabel()))
                # An open end is a tenth of the whole beyond the last end, and the last range was not looked at.
                self.assertEqual((1, 109), ax.get_xlim())
                self.assertIn("not looked at", [text.get_text() for text in ax.get_legend().get_texts()])
        months = purser.ranges_between([f"2020-{month:02}-01" for month in range(1, 13)])
        nothing = dataset.sparse_range("on", months, 1000, 2, epsilon="100").plot()
        self.assertEqual(0, len(nothing.patches))
        self.assertEqual(335, nothing.get_xlim()[1] - nothing.get_xlim()[0])
        pyplot.close("all")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "left out: matplotlib is missing")
    def test_axes_are_named_and_their_labels_do_not_overlap(self):
        import matplotlib

        matplotlib.use("agg")
        from matplotlib import pyplot

        wards = ["$0-$10", *(f"a ward whose name is rather too long for an axis, number {i}" for i in range(80))]
        days = {"name": "on", "type": "date", "lower": "2019-01-01", "upper": "2020-12-31"}
        columns = [
            {"name": "income", "type": "integer", "lower": 0, "upper": 2_000_000}, days,
            {"name": "ward", "type": "category", "categories": wards},
        ]
        dataset = service.register(
            f"py-{secrets.token_hex(6)}", columns, budget="1000", max_rows=100, declared_public=True)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "rows.csv")
            lines = [f'{i * 20_000},{datetime.date(2019, 1, 1) + datetime.timedelta(i * 7)},"{wards[i % 81]}"\n'
                     for i in range(100)]  # fmt: skip
            file.write_text("income,on,ward\n" + "".join(lines))
            dataset.upload(file)
        edges = [f"{year}-{month:02}-01" for year in (2019, 2020) for month in range(1, 13)]
        halves = column("income").bins(0, 50_000, 100_000)
        for names, shown in (
            (("income", "rows"), dataset.histogram("income", range(0, 2_000_001, 100_000), epsilon="1")),
            (("on", "rows"), dataset.histogram("on", edges, epsilon="1")),
            (("rows", "ward"), dataset.histogram("ward", epsilon="1")),
            (("on", "share of rows below"), dataset.quantile("on", [0.1, 0.5, 0.9], epsilon="1")),
            (("income", "share of rows below"), dataset.quantile("income", [0.5], epsilon="1")),
            (("on", "more than 3 rows"), dataset.sparse_range("on", purser.ranges_between(edges), 3, 5, epsilon="9")),
            (("epsilon", "account"), dataset.budget()),
            (("mean(income)", "ward"), dataset.aggregate(by="ward", mean="income", epsilon="1")),
            (("count", "ward"), dataset.aggregate(by=["ward", halves], count=True, epsilon="1")),
            (("count", "ward, on"), dataset.aggregate(by=["ward", column("on").step(90)], count=True, epsilon="1")),
        ):
            for ax in (None, pyplot.subplots(figsize=(4, 3), constrained_layout=True)[1]):
                with self.subTest(names=names, small=ax is not None):
                    drawn = shown.plot(ax)
                    self.assertEqual(names, (drawn.get_xlabel(), drawn.get_ylabel()))
                    self.assertEqual([], overlapping(drawn))
        pyplot.close("all")

    def test_missing_libraries_are_named(self):
        for library, use in (("pandas", self.count.to_pandas), ("matplotlib", self.wards.plot)):
            with self.subTest(library):
                hidden = {name: module for name, module in purser.sys.modules.items() if name.startswith(library)}
                for name in hidden:
                    del purser.sys.modules[name]
                purser.sys.modules[library] = None
                with self.assertRaisesRegex(ImportError, f"needs {library}, which is not installed"):
                    use()
                del purser.sys.modules[library]
                purser.sys.modules.update(hidden)


class ProposalTests(unittest.TestCase):
    def test_a_file_is_registered_as_it_was_confirmed_and_uploaded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "people.csv")
            rows = (f"{i % 90},{'FM'[i % 2]},{secrets.token_hex(8)}\n" for i in range(300))
            file.write_text("age,sex,name\n" + "".join(rows))
            confirmed = purser.propose(file).confirm("sex")
            people = service.register(f"py-{secrets.token_hex(6)}", confirmed, budget="5", max_rows=1000, file=file)
        self.assertEqual(["age", "sex"], people.columns)
        self.assertEqual({"F", "M"}, {row["sex"] for row in people.aggregate(by="sex", count=True, epsilon="4").rows})


class ReadmeTests(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("pandas"), "left out: pandas is missing")
    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "left out: matplotlib is missing")
    def test_tables_plans_and_synopses_of_the_readme(self):
        import matplotlib

        matplotlib.use("svg")
        here = pathlib.Path(__file__).parent
        census = runpy.run_path(str(here.parents[2] / "examples" / "census.py"))
        adult = service.register(
            f"py-{secrets.token_hex(6)}", census["COLUMNS"], budget="10", max_rows=100_000, declared_public=True
        )
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "census.csv")
            file.write_text(census["csv"]())
            adult.upload(file)
        shown = (here.parent / "README.md").read_text(encoding="utf-8").partition("## Tables of groups")[2]
        examples = re.findall(r"```python\n(.*?)```", shown, re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            names = {"adult": adult, "column": column, "question": question, "visits": visits_of_march(folder)}
            for example in examples:
                if "import census" not in example:
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(example.replace("2026-03-31.csv", str(pathlib.Path(folder, "2026-03-31.csv"))), names)
        self.assertEqual(10, len(examples))
        self.assertEqual((2, 2, 100), (len(names["hours"].rows), len(names["answers"]), len(names["over"])))
        # Three tables, then the plan, the list and the synopses.
        self.assertEqual(9, len([entry for entry in adult.ledger() if entry["type"] == "charge"]))


def visits_of_march(folder):
    """A dataset with the rows of all days but the last, whose file is in the folder."""
    visits = service.register(
        f"py-{secrets.token_hex(6)}",
        [
            {"name": "day", "type": "date", "lower": "2026-03-01", "upper": "2026-12-31"},
            {"name": "minutes", "type": "integer", "lower": 0, "upper": 240},
            {"name": "ward", "type": "category", "categories": ["emergency", "surgery"]},
        ],
        budget="1",
        max_rows=1000,
        declared_public=True,
        blocks={"column": "day", "width": "day", "rowsKeepTheirBlock": True},
    )
    for day in range(1, 32):
        label = f"2026-03-{day:02}"
        file = pathlib.Path(folder, f"{label}.csv")
        file.write_text(f"day,minutes,ward\n{label},{day},surgery\n")
        if day < 31:
            visits.upload(file, block=label)
    return visits


def overlapping(ax):
    """Pairs of labels of an axis, its name among them, of which one covers a part of the other."""
    ax.figure.canvas.draw()
    pairs = []
    for axis in (ax.xaxis, ax.yaxis):
        texts = [*axis.get_ticklabels(), axis.label]
        boxes = [(each.get_text(), each.get_window_extent()) for each in texts if each and each.get_text()]
        pairs += [(one[0], other[0]) for i, one in enumerate(boxes) for other in boxes[:i] if one[1].overlaps(other[1])]
    return pairs


def width(stated):
    """The width of an interval, or of the interval of an answer."""
    low, high = getattr(stated, "interval", stated)
    return high - low


def html_of(interval):
    return f"<td>{interval.low} to {interval.high}</td>"


if __name__ == "__main__":
    unittest.main()
