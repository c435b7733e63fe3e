"""What is sent again, and how: against a server that misbehaves as it is told."""

import json
import pathlib
import socket
import tempfile
import threading
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import purser

ANSWER = {
    "queryId": "01K", "datasetId": "adult", "kind": "count",
    "charge": {"epsilon": "0.1", "delta": "0"}, "remaining": {"epsilon": "0.9", "delta": "0"},
    "accuracy": {"alpha": 30, "beta": 0.05, "unit": "value", "statement": "Within 30."},
    "answer": {"count": 1000, "interval": {"low": 970, "high": 1030}},
}
ITEM = {**{name: ANSWER[name] for name in ("kind", "charge", "accuracy")}, "epsilon": "0.1", "affordable": True}
PRICE = {**ITEM, "charge": {"epsilon": "0.2", "delta": "0"}, "timesAffordable": 4, "items": [ITEM, ITEM]}
CUT = "cut"
HALF = "half"
EARLY = "early"


def problem(slug, status, **headers):
    return status, {"type": f"/problems/{slug}", "title": slug, "status": status, "detail": slug}, headers


class Misbehaving(BaseHTTPRequestHandler):
    """Notes each request and gives the next reply of the server's list."""

    def handle_request(self):
        reply = self.server.replies.pop(0) if self.server.replies else CUT
        body = b"" if reply == EARLY else self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.command, self.path, dict(self.headers), body))
        if reply == CUT:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        if reply == EARLY:
            reply = problem("payload-too-large", 413)
        if reply == HALF:
            reply = (200, ANSWER, {"Content-Length": "100000"})
        status, document, headers = reply
        sent = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(sent)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def log_message(self, *arguments):
        pass


class RetryTests(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Misbehaving)
        self.server.requests = []
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.waits = []
        self.addCleanup(setattr, purser.time, "sleep", purser.time.sleep)
        purser.time.sleep = self.waits.append

    def dataset(self, *replies, **settings):
        self.server.replies = list(replies)
        url = f"http://127.0.0.1:{self.server.server_port}"
        return purser.connect(url, "secret", **settings).dataset("adult")

    def assert_the_same_request_was_sent(self, times):
        requests = self.server.requests
        self.assertEqual(times, len(requests))
        self.assertEqual(1, len({(method, path, body) for method, path, _, body in requests}))
        keys = {headers["Idempotency-Key"] for _, _, headers, _ in requests}
        self.assertEqual(1, len(keys))
        self.assertGreaterEqual(len(keys.pop()), 16)

    def test_a_lost_reply_is_asked_for_with_the_same_key(self):
        answer = self.dataset(CUT, HALF, (200, ANSWER, {})).count(epsilon="0.1")
        self.assertEqual(1000, answer.value)
        self.assert_the_same_request_was_sent(3)

    def test_503_waits_as_long_as_it_is_told(self):
        self.dataset(problem("temporarily-unavailable", 503, Retry_After="7"), (200, ANSWER, {})).count(epsilon="0.1")
        self.assert_the_same_request_was_sent(2)
        self.assertTrue(7 < self.waits[0] < 8, self.waits)

    def test_a_request_in_flight_is_waited_for(self):
        self.dataset(problem("request-in-flight", 409, Retry_After="1"), (200, ANSWER, {})).count(epsilon="0.1")
        self.assert_the_same_request_was_sent(2)
        self.assertTrue(1 < self.waits[0] < 2, self.waits)

    def test_the_error_page_of_a_proxy_is_waited_out(self):
        self.dataset((502, b"<html>bad gateway</html>", {}), (200, ANSWER, {})).count(epsilon="0.1")
        self.assert_the_same_request_was_sent(2)

    def test_waits_grow_and_differ(self):
        with self.assertRaises(purser.ReplyLost):
            self.dataset(*[CUT] * 10).count(epsilon="0.1")
        self.assertEqual(9, len(self.waits))
        self.assertLess(self.waits[0], self.waits[-1])
        self.assertTrue(18 < sum(self.waits) < 37)
        first = list(self.waits)
        with self.assertRaises(purser.ReplyLost):
            self.dataset(*[CUT] * 2, attempts=2).count(epsilon="0.1")
        self.assertNotEqual(first[0], self.waits[9])

    def test_gives_up_with_the_key_that_was_sent(self):
        with self.assertRaises(purser.ReplyLost) as lost:
            self.dataset(CUT, CUT, attempts=2).count(epsilon="0.1")
        self.assert_the_same_request_was_sent(2)
        self.assertEqual(self.server.requests[0][2]["Idempotency-Key"], lost.exception.idempotency_key)

    def test_a_refusal_after_all_attempts_has_the_key(self):
        unavailable = problem("temporarily-unavailable", 503)
        with self.assertRaises(purser.Problem) as refused:
            self.dataset(unavailable, unavailable, attempts=2).count(epsilon="0.1", idempotency_key="monday")
        self.assertEqual("monday", refused.exception.idempotency_key)
        self.assertEqual("monday", self.server.requests[1][2]["Idempotency-Key"])

    def test_a_wait_of_an_hour_is_left_to_the_caller(self):
        with self.assertRaises(purser.Problem):
            self.dataset(problem("too-many-requests", 429, Retry_After="3600")).count(epsilon="0.1")
        self.assertEqual([], self.waits)

    def test_other_refusals_are_not_repeated(self):
        for slug, status in (("dataset-not-ready", 409), ("validation-failed", 422), ("internal-error", 500)):
            with self.subTest(slug), self.assertRaises(purser.Problem) as refused:
                self.dataset(problem(slug, status)).count(epsilon="0.1")
            self.assertEqual(slug, refused.exception.type)
        self.assertEqual([], self.waits)

    def test_a_body_that_is_no_problem_document_is_a_problem_all_the_same(self):
        for body in (b"<html>no</html>", b"[]", b"{}", b"\xff", b'{"type": "/problems/budget-exhausted"}'):
            with self.subTest(body), self.assertRaises(purser.Problem) as refused:
                self.dataset((403, body, {})).count(epsilon="0.1")
            self.assertEqual((403, "status 403 Forbidden"), (refused.exception.status, refused.exception.detail))

    def test_each_call_has_a_key_of_its_own(self):
        dataset = self.dataset((200, ANSWER, {}), (200, ANSWER, {}))
        dataset.count(epsilon="0.1")
        dataset.count(epsilon="0.1")
        self.assertEqual(2, len({headers["Idempotency-Key"] for _, _, headers, _ in self.server.requests}))

    def test_a_plan_whose_reply_is_lost_is_asked_for_with_the_same_key(self):
        dataset = self.dataset((200, PRICE, {}), CUT, HALF, (200, {"items": [ANSWER, ANSWER]}, {}))
        with dataset.plan() as plan:
            first, second = plan.count(epsilon="0.1"), plan.count(epsilon="0.1")
            self.assertEqual((Decimal("0.2"), True), (plan.price.charge.epsilon, plan.price.affordable))
        self.assertEqual([1000, 1000], [first.value, second.value])
        self.assertEqual(ANSWER, second.json)
        path = self.server.requests.pop(0)[1]
        self.assertEqual("/v1/datasets/adult/quotes", path)
        self.assert_the_same_request_was_sent(3)
        self.assertEqual("/v1/datasets/adult/queries", self.server.requests[0][1])

    def test_a_plan_without_a_reply_can_be_bought_later_with_the_same_key(self):
        dataset = self.dataset((200, PRICE, {}), CUT, CUT, (200, {"items": [ANSWER, ANSWER]}, {}), attempts=2)
        with self.assertRaises(purser.ReplyLost) as lost, dataset.plan() as plan:
            asked = plan.count(target_alpha=30), plan.count(epsilon="0.1")
        self.assertEqual("<count that is not bought yet>", repr(asked[0]))
        plan.buy()
        self.assertEqual([1000, 1000], [each.value for each in asked])
        self.server.requests.pop(0)
        self.assert_the_same_request_was_sent(3)
        self.assertEqual(self.server.requests[0][2]["Idempotency-Key"], lost.exception.idempotency_key)
        request = {"kind": "count", "request": {"epsilon": "0.1"}}
        self.assertEqual({"questions": [request, request]}, json.loads(self.server.requests[0][3]))

    def test_a_block_that_an_exception_leaves_buys_nothing(self):
        with self.assertRaisesRegex(AttributeError, "no value before the plan"), self.dataset().plan() as plan:
            asked = plan.count(epsilon="0.1")
            self.assertFalse(hasattr(asked, "interval"))
            self.assertEqual("&lt;count that is not bought yet&gt;", asked._repr_html_())
            self.assertGreater(asked.value, 0)
        with self.dataset().plan():
            pass
        self.assertEqual([], self.server.requests)
        self.assertEqual("<plan of 1 questions, not bought yet>", repr(plan))

    def test_a_plan_has_one_key_and_is_bought_once(self):
        dataset = self.dataset((200, {**PRICE, "items": PRICE["items"][:1]}, {}), (200, {"items": [ANSWER]}, {}))
        with dataset.plan(idempotency_key="monday") as plan:
            plan.count(epsilon="0.1")
        self.assertEqual("monday", self.server.requests[-1][2]["Idempotency-Key"])
        with self.assertRaisesRegex(ValueError, "bought already"):
            plan.count(epsilon="0.1")
        with self.assertRaisesRegex(ValueError, "one idempotency_key"):
            dataset.buy([purser.question.count(epsilon="0.1", idempotency_key="monday")])
        self.assertEqual(2, len(self.server.requests))

    def test_what_a_synopsis_would_save_is_read_if_the_service_says_it_and_other_members_do_no_harm(self):
        offer = {"synopsisId": "01K", "alpha": 12.5, "later": 1}
        cheaper = {"request": {"epsilon": "0.1"}, "epsilon": "0.1", "charge": PRICE["charge"]}
        item = {**ITEM, "freeFrom": offer, "later": [{}]}
        price = {**PRICE, "items": [item], "cheaper": cheaper, "later": {}}
        plan = self.dataset((200, price, {})).plan([purser.question.count(target_alpha=30)])
        self.assertEqual(offer, plan.items[0].free_from)
        self.assertEqual(cheaper["request"], plan.cheaper["request"])
        self.assertEqual(Decimal("0.2"), plan.cheaper["charge"].epsilon)
        plan = self.dataset((200, PRICE, {})).plan([purser.question.count(epsilon="0.1")] * 2)
        self.assertEqual((None, None), (plan.cheaper, plan.items[0].free_from))

    def test_a_synopsis_whose_reply_is_lost_is_bought_with_the_same_key(self):
        question = {"columns": [{"column": "age"}]}
        value = {"synopsisId": "01K", "tables": 1, "cells": 111}
        reply = {**ANSWER, "kind": "synopsis", "question": question, "answer": value}
        synopsis = self.dataset(CUT, HALF, (201, reply, {})).synopsis("age", epsilon="0.1")
        self.assertEqual(("01K", ["age"]), (synopsis.id, synopsis.columns))
        self.assert_the_same_request_was_sent(3)
        self.assertEqual("/v1/datasets/adult/synopses", self.server.requests[0][1])
        self.server.requests.clear()
        self.server.replies = [CUT, (200, {**reply, "kind": "refinement"}, {})]
        self.assertEqual("01K", synopsis.refine("0.1").value)
        self.assert_the_same_request_was_sent(2)
        self.server.requests.clear()
        self.dataset(CUT, (201, reply, {})).synopsis("age", epsilon="0.1", idempotency_key="monday")
        self.assertEqual(["monday"] * 2, [headers["Idempotency-Key"] for _, _, headers, _ in self.server.requests])

    def test_the_bytes_of_an_item_are_those_of_the_reply(self):
        written = json.dumps({**ANSWER, "note": "é, } and ]"}, ensure_ascii=False, separators=(",", ":")).encode()
        reply = b'{"items":[' + written + b"," + written + b"]}"
        bought = self.dataset((200, reply, {})).buy([purser.question.count(epsilon="0.1")] * 2)
        self.assertEqual([written, written], [each.body for each in bought])

    def test_nothing_stored_is_an_exception_of_its_own_and_not_waited_for(self):
        status, document, _ = problem("nothing-stored", 409)
        refusal = {**document, "charge": {"epsilon": "0.5", "delta": "0"}, "notStored": [0, 2]}
        with self.assertRaises(purser.NothingStored) as refused:
            self.dataset((status, refusal, {})).count(epsilon="0.1", spend=False)
        self.assertEqual((Decimal("0.5"), [0, 2]), (refused.exception.charge.epsilon, refused.exception.not_stored))
        self.assertEqual([], self.waits)

    def test_a_registration_and_a_key_are_sent_once(self):
        for send in (
            lambda service: service.register("adult", [], budget="1", max_rows=1),
            lambda service: service.create_key("ana", "analyst"),
        ):
            self.server.requests.clear()
            with self.assertRaises(purser.ReplyLost):
                send(self.dataset(CUT)._purser)
            self.assertEqual(1, len(self.server.requests))
            with self.assertRaises(purser.ReplyLost):
                send(self.dataset((504, {}, {}))._purser)
            self.assertEqual(2, len(self.server.requests))

    def test_a_charge_of_a_session_is_no_answer(self):
        with self.assertRaisesRegex(ValueError, "session\\('s1'\\)"):
            self.dataset((200, {"sessionId": "s1", "kind": "threshold-session"}, {}))._purser.answer("q")

    def test_an_upload_begins_again_after_503_and_ends_with_a_lost_reply(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows.csv")
            rows.write_bytes(b"age\n" + b"30\n" * 100_000)
            report = {"state": "ready", "rowsRead": 100_000}
            busy = problem("temporarily-unavailable", 503, Retry_After="1")
            self.assertEqual(report, self.dataset(busy, (200, report, {})).upload(rows))
            self.assertEqual([rows.read_bytes()] * 2, [body for _, _, _, body in self.server.requests])
            with self.assertRaises(purser.ReplyLost):
                self.dataset(CUT).upload(rows)
            self.assertEqual(3, len(self.server.requests))

    def test_the_refusal_of_an_upload_that_the_server_does_not_read_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows.parquet")
            rows.write_bytes(bytes(20_000_000))
            with self.assertRaises(purser.Problem) as refused:
                self.dataset(EARLY).upload(rows)
            self.assertEqual("payload-too-large", refused.exception.type)

    def test_a_session_repeats_its_sequence_until_it_has_the_outcome(self):
        opened = {"sessionId": "s", "state": "open", "positivesLeft": 1, "nextSequence": 1, "charge": ANSWER["charge"],
                  "accuracy": ANSWER["accuracy"]}
        outcome = {"sequence": 1, "outcome": "BELOW", "positivesLeft": 1, "state": "open"}
        dataset = self.dataset((201, opened, {}), CUT, (200, outcome, {}), *[CUT] * 10, (200, outcome, {}))
        session = dataset.session(epsilon="1", threshold=10, max_positives=1)
        self.assertFalse(session.ask(purser.count_of()).above)
        with self.assertRaises(purser.ReplyLost):
            session.ask(purser.count_of())
        session.ask(purser.count_of())
        sent = [json.loads(body)["sequence"] for _, path, _, body in self.server.requests if path.endswith("queries")]
        self.assertEqual([1, 1] + [2] * 11, sent)
        self.assertEqual(3, session.next_sequence)

    def test_the_next_page_is_read_when_it_is_needed(self):
        pages = [{"items": [{"sequence": 1}, {"sequence": 2}], "next": "2"}, {"items": [], "next": None}]
        entries = self.dataset(*((200, page, {}) for page in pages)).ledger(limit=2)
        self.assertEqual([], self.server.requests)
        self.assertEqual([1, 2], [next(entries)["sequence"], next(entries)["sequence"]])
        self.assertEqual(1, len(self.server.requests))
        self.assertEqual([], list(entries))
        asked = ["/v1/datasets/adult/ledger?limit=2&order=asc", "/v1/datasets/adult/ledger?limit=2&order=asc&after=2"]
        self.assertEqual(asked, [path for _, path, _, _ in self.server.requests])

    def test_an_answer_of_a_kind_that_is_not_known_here_shows_its_members(self):
        answer = self.dataset((200, {**ANSWER, "kind": "median"}, {})).ask(purser.Question("median", {}))
        self.assertEqual((None, 1000), (answer.value, answer.rows[0]["count"]))
        self.assertIn("970 to 1030", answer._repr_html_())

    def test_a_path_before_the_service_is_kept_and_ids_are_escaped(self):
        self.server.replies = [(200, {}, {})]
        purser.connect(f"http://127.0.0.1:{self.server.server_port}/stat/", "secret").dataset("a/b c").info()
        self.assertEqual("/stat/v1/datasets/a%2Fb%20c", self.server.requests[0][1])

    def test_nobody_listening_is_a_lost_reply(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with self.assertRaises(purser.ReplyLost):
            purser.connect(f"http://127.0.0.1:{port}", "secret", attempts=2).dataset("adult").info()


if __name__ == "__main__":
    unittest.main()
