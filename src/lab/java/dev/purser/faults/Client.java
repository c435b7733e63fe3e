package dev.purser.faults;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Sends questions under the eyes of the witness, and says at once what no reply may be. */
final class Client {
    /** Why an answer that could be refined once cannot be any more. */
    private static final Set<String> ENDED = Set.of("already-refined", "not-refinable");

    private final Api api;
    private final Witness witness;
    private final Findings findings;

    Client(Api api, Witness witness, Findings findings) {
        this.api = api;
        this.witness = witness;
        this.findings = findings;
    }

    /** Sends a valid question, for the first time or again; null if nothing came back. */
    Reply ask(TestDataset dataset, Asked asked) throws InterruptedException {
        Reply reply = send(asked);
        Exchange exchange = witness.exchange(asked.key());
        if (reply == null || reply.status() >= 500) {
            dataset.unknown().add(exchange);
            return reply;
        }
        if (reply.isAnswer()) {
            dataset.answered(exchange);
            noteCount(dataset, exchange);
            if (asked.isSynopsis() && dataset.bought(exchange)) {
                findings.count("synopses bought");
            }
        } else if (reply.isExhausted()) {
            dataset.isExhausted();
            findings.count("refused: budget exhausted");
            checkRefusal(asked, reply);
        } else if (reply.problem().equals("request-in-flight")) {
            dataset.unknown().add(exchange);
        } else if (asked.isRefinement() && ENDED.contains(reply.problem())) {
            findings.count("refused: " + reply.problem());
        } else if (asked.isValid() && !reply.isOfBlocksNotReady()) {
            findings.broken("I15", "a valid question was refused: " + reply.status() + " " + reply.body(), asked.key());
        }
        return reply;
    }

    /** I24 and I25: only one answer refines another, and it has nearly the noise of the answer that it refines. */
    private void noteCount(TestDataset dataset, Exchange exchange) {
        Asked asked = exchange.asked();
        if (asked.isRefinement()) {
            Exchange first = dataset.refined(asked.refines(), exchange);
            findings.holds(
                    first == null || first.equals(exchange),
                    "I24",
                    "an answer was refined twice: " + asked.refines(),
                    asked.key());
            if (first == null) {
                dataset.isRefinable(exchange);
                Exchange refined = dataset.refinable(asked.refines());
                findings.count(Invariants.REFINED);
                findings.count(Invariants.MOVED, refined.count().equals(exchange.count()) ? 0 : 1);
            }
        } else if (!exchange.count().isEmpty() && asked.epsilonNanos() >= Questions.LEAST_TO_REFINE) {
            dataset.isRefinable(exchange);
        }
    }

    /** Sends a request that has to be refused. */
    void askInvalid(Asked asked) throws InterruptedException {
        Reply reply = send(asked);
        if (reply != null && reply.status() < 500) {
            findings.count("refused: invalid");
            findings.holds(
                    reply.status() == 400 || reply.status() == 422,
                    "I9",
                    "an invalid request got " + reply.status() + ": " + asked.body(),
                    asked.key());
        }
    }

    /** Sends another body under a key that already has its answer. */
    void reuse(Asked answered, long nanos) throws InterruptedException {
        Asked other = new Asked(
                answered.principal(),
                answered.key(),
                answered.dataset(),
                answered.kind(),
                nanos,
                answered.body().replaceFirst("\"[0-9.]+\"", '"' + Asked.decimal(nanos) + '"'));
        if (other.body().equals(answered.body())) {
            return;
        }
        try {
            Reply reply = api.ask(other);
            if (reply.status() < 500) {
                findings.count("refused: key reused");
                findings.holds(
                        reply.status() == 422 && reply.problem().equals("idempotency-key-reused"),
                        "I6",
                        "another body under a used key got " + reply.status() + ": " + reply.body(),
                        answered.key());
            }
        } catch (IOException lost) {
            findings.count("key reuses without a reply");
        }
    }

    private Reply send(Asked asked) throws InterruptedException {
        witness.sends(asked);
        try {
            Reply reply = api.ask(asked);
            Reply first = witness.received(asked, reply);
            if (reply.isAnswer()) {
                checkAnswer(asked, reply, first);
            } else if (reply.status() >= 500) {
                findings.count("503");
                findings.holds(
                        reply.status() == 503, "I15", "status " + reply.status() + ": " + reply.body(), asked.key());
            }
            return reply;
        } catch (ConnectException refused) {
            witness.unsent(asked);
        } catch (IOException lost) {
            witness.lost(asked, lost.getClass().getSimpleName());
        }
        return null;
    }

    private void checkAnswer(Asked asked, Reply reply, Reply first) {
        findings.count("answers witnessed");
        String charge = Asked.decimal(charged(asked, reply.json()));
        findings.holds(
                charge.equals(Asked.decimal(asked.epsilonNanos())),
                "I12",
                "asked to be charged " + Asked.decimal(asked.epsilonNanos()) + ", was charged " + charge,
                asked.key());
        if (reply.replayed()) {
            findings.count("replays compared");
        }
        findings.holds(
                first.isRepeatedBy(reply), "I5", "two different answers: " + first + " and " + reply, asked.key());
    }

    private static long charged(Asked asked, JsonNode answer) {
        long charged = 0;
        for (JsonNode each : asked.isPlan() ? answer.path("items") : List.of(answer)) {
            charged += Asked.nanos(each.at("/charge/epsilon").asString());
        }
        return charged;
    }

    /** A refused charge did not fit, by the numbers in the refusal. */
    private void checkRefusal(Asked asked, Reply reply) {
        long requested = amount(reply, "requested");
        long remaining = amount(reply, "remaining");
        findings.holds(
                requested == asked.epsilonNanos()
                        && requested > remaining
                        && amount(reply, "shortfall") == requested - remaining,
                "I9",
                "refused although it fits: " + reply.body(),
                asked.key());
    }

    private static long amount(Reply reply, String name) {
        String text = reply.json().at("/" + name + "/epsilon").stringValue("");
        return text.isEmpty() ? -1 : Asked.nanos(text);
    }
}
