"""How conditions are written in a request, and which of them raise before a request. No service is needed."""

import datetime
import importlib.util
import random
import unittest
from decimal import Decimal

import purser
from purser import column, question

AGE, SEX = column("age"), column("sex")
nowhere = purser.connect("http://127.0.0.1:9", "key", attempts=1).dataset("adult")


def sent(where):
    return question.count(where=where).request


class WireTests(unittest.TestCase):
    def test_comparisons_are_what_they_are_in_pandas(self):
        day = datetime.date(2020, 1, 31)
        noon = datetime.datetime(2020, 1, 31, 12, tzinfo=datetime.timezone.utc)
        for condition, parts in (
            (AGE > 30, {"above": 30}), (AGE >= 30, {"atLeast": 30}),
            (AGE < 30, {"below": 30}), (AGE <= 30, {"atMost": 30}),
            (30 < AGE, {"above": 30}), (30 >= AGE, {"atMost": 30}),
            (AGE == 30, {"atLeast": 30, "atMost": 30}), (0 == AGE, {"atLeast": 0, "atMost": 0}),
            (AGE == day, {"atLeast": day, "atMost": day}), (AGE == noon, {"atLeast": noon, "atMost": noon}),
            (AGE.between(30, 50), {"atLeast": 30, "atMost": 50}),
            (AGE.between(30, 50, inclusive="left"), {"atLeast": 30, "below": 50}),
            (AGE.between(30, 50, "right"), {"above": 30, "atMost": 50}),
            (AGE.between(30, 50, "neither"), {"above": 30, "below": 50}),
            (AGE > "2020-01-31", {"above": "2020-01-31"}),
            (~(AGE > 30), {"atMost": 30}), (~(AGE >= 30), {"below": 30}), (~(AGE < 30), {"atLeast": 30}),
        ):
            with self.subTest(parts=parts):
                self.assertEqual({"where": [{"column": "age", **parts}]}, sent(condition))

    def test_categories_and_truth_values(self):
        for condition, parts in (
            (SEX == "Female", {"in": ["Female"]}), (SEX != "Female", {"notIn": ["Female"]}),
            ("Female" == SEX, {"in": ["Female"]}), (SEX == "", {"in": [""]}),
            (SEX.isin(["Female", "Male"]), {"in": ["Female", "Male"]}), (SEX.isin("F", "M"), {"in": ["F", "M"]}),
            (SEX.isin("Female"), {"in": ["Female"]}), (SEX.isin({"F": 1}.keys()), {"in": ["F"]}),
            (~SEX.isin(["F", "M"]), {"notIn": ["F", "M"]}), (~(SEX != "F"), {"in": ["F"]}),
            (SEX == True, {"in": ["true"]}), (SEX == False, {"in": ["false"]}),  # noqa: E712
            (SEX != True, {"notIn": ["true"]}),  # noqa: E712
            (SEX.isin([True, False]), {"in": ["true", "false"]}),
        ):
            with self.subTest(parts=parts):
                self.assertEqual({"where": [{"column": "sex", **parts}]}, sent(condition))

    def test_numbers_that_follow_each_other_are_a_range(self):
        declared = {"name": "age", "type": "integer", "lower": 0, "upper": 110, "resolution": 1}
        age, half = column("age", declared), column("age", {**declared, "type": "decimal", "resolution": 0.5})
        first = column("age", {"name": "age", "type": "date", "lower": "2020-01-01", "upper": "2020-12-31"})
        for condition, parts in (
            (AGE.isin([30]), {"atLeast": 30, "atMost": 30}), (AGE.isin(30, 30), {"atLeast": 30, "atMost": 30}),
            (age.isin([31, 30, 32]), {"atLeast": 30, "atMost": 32}), (half.isin(1, 1.5), {"atLeast": 1, "atMost": 1.5}),
            (~age.between(0, 17), {"above": 17}), (~age.isin(109, 110), {"below": 109}), (age != 0, {"above": 0}),
            (~age.between(90, 200, "neither"), {"atMost": 90}),
            (~first.between(datetime.date(2020, 1, 1), "2020-06-30"), {"above": "2020-06-30"}),
        ):  # fmt: skip
            with self.subTest(parts=parts):
                self.assertEqual({"where": [{"column": "age", **parts}]}, sent(condition))
        for use in (
            lambda: AGE.isin([30, 31]), lambda: age.isin(30, 32), lambda: half.isin(30, 31), lambda: age != 30,
            lambda: ~age.between(1, 109), lambda: ~age.between(0, 110),
        ):  # fmt: skip
            with self.assertRaisesRegex(TypeError, "no filter for `or`.*a question for each part"):
                use()

    def test_and_joins_conditions_as_a_list_does(self):
        one, other = {"column": "age", "atLeast": 30}, {"column": "sex", "in": ["F"]}
        third = {"column": "age", "below": 50}
        self.assertEqual({"where": [one, other, third]}, sent((AGE >= 30) & (SEX == "F") & (AGE < 50)))
        self.assertEqual({"where": [one, other, third]}, sent([(AGE >= 30) & (SEX == "F"), AGE < 50]))
        self.assertEqual({"where": [one, other]}, sent((one, SEX == "F")))
        self.assertEqual({"where": [one]}, sent(one))

    def test_none_and_an_empty_list_are_every_row(self):
        for where in (None, [], ()):
            self.assertEqual({}, sent(where))
            self.assertEqual({"count": {}}, purser.count_of(where))

    def test_a_float_is_its_shortest_decimal(self):
        for epsilon, text in (
            (0.5, "0.5"), (0.1, "0.1"), (1e-6, "0.000001"), (10.0, "10.0"), (2, "2"), (Decimal("1E-6"), "0.000001"),
            ("1e-3", "1e-3"), (0.1 + 0.2, "0.30000000000000004"),
        ):
            with self.subTest(epsilon):
                self.assertEqual({"epsilon": text}, question.count(epsilon=epsilon).request)
        self.assertEqual("0.000001", question.count(delta=1e-6).request["delta"])
        self.assertEqual("0.25", question.count(epsilon="1").at(0.25).request["epsilon"])

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "left out: numpy is missing")
    def test_numbers_of_numpy(self):
        import numpy

        self.assertEqual("0.1", question.count(epsilon=numpy.float64(0.1)).request["epsilon"])
        condition = sent((AGE >= numpy.int64(30)) & (numpy.int64(50) > AGE))
        self.assertEqual(
            b'{"where": [{"column": "age", "atLeast": 30}, {"column": "age", "below": 50}]}', purser._json(condition)
        )

    def test_no_number_is_rounded(self):
        self.assertEqual(b"0.1", purser._json(Decimal("0.1")))
        with self.assertRaisesRegex(ValueError, "0.12345678901234567890"):
            purser._json(sent(AGE < Decimal("0.12345678901234567890")))

    def test_a_median_is_a_quantile(self):
        asked = question.median("age", epsilon="1", idempotency_key="k")
        self.assertEqual(("quantile", "k"), (asked.kind, asked.idempotency_key))
        self.assertEqual({"column": "age", "probabilities": [0.5], "epsilon": "1"}, asked.request)
        for one in (0.9, Decimal("0.9")):
            asked = question.quantile("age", one)
            self.assertEqual((True, [one]), (asked.one_value, asked.request["probabilities"]))
        self.assertFalse(question.quantile("age", [0.9]).one_value)


class TextTests(unittest.TestCase):
    def test_what_lies_in_an_interval_lies_in_it_as_it_is_shown(self):
        draw = random.Random(47)
        for _ in range(2000):
            middle, width = draw.gauss(0, 1) * 10 ** draw.randint(-4, 9), draw.random() * 10 ** draw.randint(-5, 7)
            low, high = middle - width, middle + width
            if draw.random() < 0.25:
                low, high = round(low), round(high)
            value, *ends = map(Decimal, purser._outwards((low + high) / 2, purser.Interval(low, high)))
            exact = [Decimal(repr(low)), Decimal(repr(high))]
            slack = (exact[1] - exact[0]) / 100
            self.assertTrue(exact[0] - slack <= ends[0] <= exact[0] and exact[1] <= ends[1] <= exact[1] + slack)
            self.assertTrue(ends[0] <= value <= ends[1])

    def test_digits_follow_the_width(self):
        self.assertEqual("123508.471 to 123509.46", str(purser.Interval(123508.47123, 123509.45987)))
        self.assertEqual("870 (290 to 1450)", str(purser.Estimate(872.4, purser.Interval(298, 1446))))
        self.assertEqual("2013 to 2014", str(purser.Interval(2013, 2014)))
        self.assertEqual("2020-01-01 to 2020-02-01", str(purser.Interval("2020-01-01", "2020-02-01")))

    def test_amounts_are_in_the_unit_that_adds_up(self):
        charge = purser.Amount(Decimal("0.898336462"), Decimal("0.000001"), Decimal("0.019933598925"))
        self.assertEqual("rho 0.019933598925", str(charge))
        pure, limit = purser.Amount(Decimal("0.2"), Decimal(0)), purser.Amount(Decimal(3), Decimal("0.000001"))
        self.assertEqual(["epsilon 0.2", "epsilon 0.2, delta 0"], [str(pure), pure.beside(limit)])
        self.assertEqual("epsilon 3, delta 0.000001", str(limit))

    def test_a_wrong_registration_is_doubted(self):
        report = {"rowsRead": 100, "clamped": [{"column": "age", "values": 90}, {"column": "pay", "values": 5}]}
        replaced = [{"column": "sex", "missing": 0, "unlisted": 60}, {"column": "on", "missing": 7, "unlisted": 0}]
        self.assertEqual(
            [
                "90 of 100 values of 'age' were outside of its bounds, and moved to the nearest one",
                "60 of 100 values of 'sex' were no listed category, and replaced",
                "7 of 100 values of 'on' were missing, and replaced",
            ],
            list(purser._doubts({**report, "substituted": replaced})),
        )
        self.assertEqual([], list(purser._doubts({"rowsRead": 100, "clamped": []})))


class RefusedTests(unittest.TestCase):
    """Each of these was once another question, which was asked and charged."""

    def test_what_is_no_condition_raises_before_a_request(self):
        for where in (False, True, 0, 1, "", "age > 30", {}, {1}, AGE, [AGE], [False], [None], [[]], [[AGE > 30]],
                      (each for each in [AGE > 30])):  # fmt: skip
            for ask in (nowhere.count, nowhere.quote.count, question.count, purser.count_of):
                with self.subTest(where=where, ask=ask), self.assertRaisesRegex(TypeError, "where must be a condition"):
                    ask(where=where)
        with self.assertRaisesRegex(TypeError, "where must be a condition"):
            nowhere.mean("age", epsilon="1", where=False)

    def test_what_python_would_read_as_true_raises_with_the_way_out(self):
        young, women = AGE < 30, SEX == "Female"
        for use in (
            lambda: 30 <= AGE < 50, lambda: young and women, lambda: young or women, lambda: not young,
            lambda: bool(AGE),
            lambda: AGE and women, lambda: not AGE, lambda: 1 if young else 0, lambda: SEX in ["Female", "Male"],
        ):  # fmt: skip
            with self.assertRaisesRegex(TypeError, r"a & b.*~a.*between\(30, 50"):
                use()

    def test_what_has_no_form_in_a_request_raises_with_the_way_out(self):
        day = datetime.date(2020, 1, 31)
        for use in (
            lambda: (AGE < 30) | (AGE > 50), lambda: (AGE < 30) | True, lambda: False | (AGE < 30),
            lambda: AGE != 30, lambda: AGE != 30.5, lambda: AGE != Decimal(30), lambda: AGE != 0, lambda: AGE != day,
            lambda: ~AGE.between(30, 50), lambda: ~((AGE < 30) & (SEX == "F")), lambda: ~(AGE == 30),
        ):  # fmt: skip
            with self.assertRaisesRegex(TypeError, r"no filter for `or`.*isin.*a question for each part"):
                use()

    def test_what_no_value_can_be_compared_with_raises(self):
        for use in (
            lambda: AGE == None, lambda: AGE != None, lambda: AGE > None, lambda: AGE.between(None, 50),  # noqa: E711
            lambda: AGE.between(30, None), lambda: AGE < AGE, lambda: AGE == SEX, lambda: AGE > (AGE < 30),
            lambda: AGE > True, lambda: AGE == [30], lambda: AGE >= (30,),
        ):  # fmt: skip
            with self.assertRaisesRegex(TypeError, "compared with a number, a date, a time or text"):
                use()
        for categories in ([], [None], [30, "F"], [30, True], [["F"]], [SEX]):
            with self.assertRaisesRegex(TypeError, "isin takes categories"):
                SEX.isin(categories)
        with self.assertRaisesRegex(TypeError, "isin takes categories"):
            SEX.isin()
        with self.assertRaisesRegex(ValueError, "both, left, right, neither"):
            AGE.between(30, 50, inclusive=True)

    def test_without_parentheses_python_joins_something_else(self):
        with self.assertRaises(TypeError):
            AGE > 30 & SEX == "Female"
        for other in (True, None, {"column": "sex", "in": ["F"]}):
            with self.assertRaises(TypeError):
                (AGE > 30) & other

    def test_an_end_that_is_no_number_raises_before_a_request(self):
        for end in (float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                nowhere.count(epsilon="1", where=AGE < end)


class TableTests(unittest.TestCase):
    def test_keys_are_categories_edges_or_steps(self):
        day = datetime.date(2020, 1, 31)
        for by, keys in (
            ("sex", [{"column": "sex"}]), (SEX, [{"column": "sex"}]), (["sex", SEX], [{"column": "sex"}] * 2),
            (AGE.bins(0, 30, 50), [{"column": "age", "edges": [0, 30, 50]}]),
            (AGE.bins([0, 30]), [{"column": "age", "edges": [0, 30]}]),
            ((AGE.bins(range(0, 21, 10)), "sex"), [{"column": "age", "edges": [0, 10, 20]}, {"column": "sex"}]),
            (column("on").bins(day, "2020-02-29"), [{"column": "on", "edges": [day, "2020-02-29"]}]),
            (AGE.step(10), [{"column": "age", "step": 10}]), ({"column": "a", "step": 5}, [{"column": "a", "step": 5}]),
        ):  # fmt: skip
            with self.subTest(keys=keys):
                asked = question.aggregate(by=by, count=True).request
                self.assertEqual({"groupBy": keys, "aggregates": [{"count": {}}]}, asked)
        self.assertEqual({"aggregates": [{"count": {}}]}, question.aggregate(count=True).request)

    def test_aggregates_keep_the_order_in_which_they_are_written(self):
        hours = column("hours-per-week")
        asked = question.aggregate(
            mean=["age", hours.clamp(0, 80)], variance=hours, count=True, standard_deviation="age",
            sum=hours.clamp(upper=80) | {"name": "hours", "weight": 3}, epsilon=0.5, where=AGE > 30, spend=False,
        )  # fmt: skip
        clamped = {"column": "hours-per-week", "lower": 0, "upper": 80}
        listed = [
            {"mean": {"column": "age"}}, {"mean": clamped}, {"variance": {"column": "hours-per-week"}}, {"count": {}},
            {"standardDeviation": {"column": "age"}},
            {"sum": {"column": "hours-per-week", "upper": 80}, "name": "hours", "weight": 3},
        ]  # fmt: skip
        where = [{"column": "age", "above": 30}]
        self.assertEqual({"aggregates": listed, "epsilon": "0.5", "where": where, "spend": False}, asked.request)
        counted = question.aggregate(count={"name": "people", "weight": 2}, mean=None).request
        self.assertEqual({"aggregates": [{"count": {}, "name": "people", "weight": 2}]}, counted)
        both = question.aggregate(count=[True, {"of": "units"}]).request
        self.assertEqual({"aggregates": [{"count": {}}, {"count": {"of": "units"}}]}, both)
        self.assertEqual([], question.aggregate(count=False).request["aggregates"])

    def test_what_is_no_column_raises(self):
        for by in ([AGE > 3], [3], [None], [["sex"]]):
            with self.subTest(by), self.assertRaisesRegex(TypeError, "a column is meant by its name"):
                question.aggregate(by=by, count=True)


if __name__ == "__main__":
    unittest.main()
