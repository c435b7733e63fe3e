package dev.purser.faults;

import java.io.IOException;
import java.net.ConnectException;

/** Opens sessions and asks in them under the eyes of the witness, and says at once what no reply may be. */
final class SessionClient {
    private final Api api;
    private final Witness witness;
    private final Findings findings;
    private final Sessions sessions;

    SessionClient(Api api, Witness witness, Findings findings, Sessions sessions) {
        this.api = api;
        this.witness = witness;
        this.findings = findings;
        this.sessions = sessions;
    }

    /** Opens a session, for the first time or again; null if nothing came back. */
    Reply open(SessionSeen session) throws InterruptedException {
        SessionPlan plan = session.plan();
        Reply reply = send(plan.key(), plan.path(), plan.body(), true);
        if (reply == null || isUnknown(reply)) {
            return reply;
        }
        if (reply.status() == 201) {
            checkOpening(session, reply);
        } else if (reply.isExhausted()) {
            session.refused();
            sessions.dataset(plan.dataset()).isExhausted();
            findings.count("refused: budget exhausted");
        } else {
            session.refused();
            findings.broken("I15", "a session was refused: " + reply.status() + " " + reply.body(), plan.key());
        }
        return reply;
    }

    private void checkOpening(SessionSeen session, Reply reply) {
        SessionPlan plan = session.plan();
        Reply first = session.opened(reply);
        findings.holds(
                first.isRepeatedBy(reply), "I5", "two different openings: " + first + " and " + reply, plan.key());
        findings.holds(
                reply.json().path("nextSequence").asLong() == 1
                        && reply.json().path("positivesLeft").asLong() == plan.maxPositives()
                        && reply.json()
                                .at("/charge/epsilon")
                                .stringValue("")
                                .equals(Asked.decimal(plan.isPerPositive() ? 0 : plan.epsilonNanos())),
                "I11",
                "opened as something else: " + reply.body(),
                plan.key());
    }

    /** Sends one of the bodies of a step, for the first time or again; null if nothing came back. */
    Reply ask(SessionSeen session, StepSeen step, String body) throws InterruptedException {
        int life = sessions.life();
        session.sends(step, body, life);
        String key = session.plan().key();
        Reply reply = send(key + " " + step.sequence(), "/v1/threshold-sessions/" + session.id() + "/queries", body);
        if (reply == null || isUnknown(reply)) {
            return reply;
        }
        if (reply.isAnswer()) {
            checkOutcome(session, step, body, reply, life);
        } else if (isClosed(reply)) {
            checkClosed(session, step, reply);
        } else if (reply.isExhausted()) {
            sessions.dataset(session.plan().dataset()).isExhausted();
            findings.count("refused: budget exhausted");
            findings.holds(session.plan().isPerPositive(), "I11", "paid upfront, and charged again", key);
        } else if (isOutOfTurn(reply)) {
            findings.holds(
                    step.bodies().size() > 1, "I11", "number " + step.sequence() + " was next: " + reply.body(), key);
        } else {
            findings.broken("I15", "a question of a session got " + reply.status() + ": " + reply.body(), key);
        }
        return reply;
    }

    private void checkOutcome(SessionSeen session, StepSeen step, String body, Reply reply, int life) {
        SessionPlan plan = session.plan();
        findings.count("session outcomes witnessed");
        if (reply.replayed()) {
            findings.count("session outcomes compared");
        }
        String closedBefore = session.closedBecause();
        boolean isFirst = !step.isAnswered();
        findings.holds(
                session.answered(step, body, reply, life),
                "I5",
                "two different outcomes under one sequence number: " + reply,
                plan.key());
        findings.holds(
                !isFirst || closedBefore == null, "I11", "an outcome after the end: " + reply.body(), plan.key());
        long left = plan.maxPositives() - session.positives(step.sequence());
        String closed = left == 0
                ? "positives"
                : plan.maxQueries() > 0 && step.sequence() >= plan.maxQueries() ? "maxQueries" : "";
        findings.holds(
                left >= 0
                        && reply.json().path("sequence").asLong() == step.sequence()
                        && reply.json().path("positivesLeft").asLong(-1) == left
                        && reply.json().path("closedBecause").stringValue("").equals(closed)
                        && reply.json().path("state").stringValue("").equals(closed.isEmpty() ? "open" : "closed"),
                "I11",
                "does not follow from the outcomes before it, " + left + " positives are left: " + reply.body(),
                plan.key());
    }

    private void checkClosed(SessionSeen session, StepSeen step, Reply reply) {
        String because = reply.json().path("closedBecause").stringValue("");
        if (session.closedBecause() == null && because.equals("expired") && sessions.mayExpire()) {
            session.expired();
        }
        findings.holds(
                because.equals(session.closedBecause()) && !step.isAnswered(),
                "I11",
                "closed, although " + session.closedBecause() + " was seen: " + reply.body(),
                session.plan().key());
    }

    /** Sends requests that have to be refused and that change nothing. */
    void probe(SessionSeen session, StepSeen used, String other) throws InterruptedException {
        String path = "/v1/threshold-sessions/" + session.id() + "/queries";
        String key = session.plan().key();
        Reply again = send(key, path, other);
        if (again != null && !isUnknown(again)) {
            findings.count("refused: out of turn");
            findings.holds(
                    isOutOfTurn(again),
                    "I11",
                    "another question under number " + used.sequence() + " got " + again,
                    key);
        }
        long far = used.sequence() + 1_000;
        Reply late = send(key, path, SessionLoad.question(far, 1));
        if (late != null && !isUnknown(late)) {
            findings.count(isClosed(late) ? "refused: session closed" : "refused: out of turn");
            findings.holds(
                    isClosed(late)
                            ? session.closedBecause() != null || session.hasUnknown() || sessions.mayExpire()
                            : session.closedBecause() == null && isOutOfTurn(late),
                    "I11",
                    "number " + far + " after " + used.sequence() + " got " + late,
                    key);
        }
    }

    static boolean isUnknown(Reply reply) {
        return reply.status() == 503 || reply.problem().equals("request-in-flight");
    }

    static boolean isClosed(Reply reply) {
        return reply.status() == 409 && reply.problem().equals("session-closed");
    }

    static boolean isOutOfTurn(Reply reply) {
        return reply.status() == 422 && reply.body().contains("/sequence");
    }

    private Reply send(String about, String path, String body) throws InterruptedException {
        return send(about, path, body, false);
    }

    private Reply send(String key, String path, String body, boolean isKeyed) throws InterruptedException {
        witness.note("session sends " + key + " " + SessionPlan.digest(body));
        try {
            Reply reply = isKeyed ? api.send(path, body, key) : api.send(path, body);
            witness.note("session received %s %d %s %s"
                    .formatted(key, reply.status(), reply.bodyDigest(), reply.replayed() ? "replayed" : "first"));
            if (reply.status() >= 500) {
                findings.count("503");
                findings.holds(reply.status() == 503, "I15", "status " + reply.status() + ": " + reply.body(), key);
            }
            return reply;
        } catch (ConnectException refused) {
            witness.note("session unsent " + key);
        } catch (IOException lost) {
            witness.note("session lost " + key + " " + lost.getClass().getSimpleName());
        }
        return null;
    }
}
